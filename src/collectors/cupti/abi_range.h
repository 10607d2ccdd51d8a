// CUPTI's range profiler, which replays launches of one context. The rules are abi_profiler.h's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/cupti/abi_params.h"

namespace ridge::collectors::cupti::abi {

struct RangeProfilerObject;
enum ProfilerRange : int { kAutoRange = 1, kUserRange = 2 };
enum ReplayMode : int { kApplicationReplay = 1, kKernelReplay = 2, kUserReplay = 3 };

struct RangeEnableParams {
  std::size_t structSize;
  void* pPriv;
  void* ctx;                                  ///< CUcontext
  RangeProfilerObject* pRangeProfilerObject;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeEnableParams, pRangeProfilerObject)

struct RangeDisableParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
};
RIDGE_CUPTI_STRUCT(RangeDisableParams, pRangeProfilerObject)

struct RangeSetConfigParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  std::size_t configSize;
  const std::uint8_t* pConfig;
  std::size_t counterDataImageSize;
  std::uint8_t* pCounterDataImage;
  ProfilerRange range;
  ReplayMode replayMode;
  std::size_t maxRangesPerPass;
  std::uint16_t numNestingLevels;
  std::uint16_t minNestingLevel;
  std::size_t passIndex;
  std::uint16_t targetNestingLevel;
};
RIDGE_CUPTI_STRUCT(RangeSetConfigParams, targetNestingLevel)

struct RangeStartParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
};
RIDGE_CUPTI_STRUCT(RangeStartParams, pRangeProfilerObject)

struct RangeStopParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  std::size_t passIndex;            ///< out
  std::size_t targetNestingLevel;   ///< out
  std::uint8_t isAllPassSubmitted;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeStopParams, isAllPassSubmitted)

struct RangePushParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  const char* pRangeName;
};
RIDGE_CUPTI_STRUCT(RangePushParams, pRangeName)

struct RangePopParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
};
RIDGE_CUPTI_STRUCT(RangePopParams, pRangeProfilerObject)

struct RangeDecodeDataParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  std::size_t numOfRangeDropped;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeDecodeDataParams, numOfRangeDropped)

struct RangeGetCounterDataSizeParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  const char** pMetricNames;
  std::size_t numMetrics;
  std::size_t maxNumOfRanges;
  std::uint32_t maxNumRangeTreeNodes;
  std::size_t counterDataSize;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeGetCounterDataSizeParams, counterDataSize)

struct RangeCounterDataImageInitializeParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  std::size_t counterDataSize;
  std::uint8_t* pCounterData;
};
RIDGE_CUPTI_STRUCT(RangeCounterDataImageInitializeParams, pCounterData)

struct RangeGetCounterDataInfoParams {
  std::size_t structSize;
  void* pPriv;
  const std::uint8_t* pCounterDataImage;
  std::size_t counterDataImageSize;
  std::size_t numTotalRanges;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeGetCounterDataInfoParams, numTotalRanges)

struct RangeCounterDataGetRangeInfoParams {
  std::size_t structSize;
  void* pPriv;
  const std::uint8_t* pCounterDataImage;
  std::size_t counterDataImageSize;
  std::size_t rangeIndex;
  const char* rangeDelimiter;
  const char* rangeName;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeCounterDataGetRangeInfoParams, rangeName)

// A call's type is its symbol without "cupti".
using RangeProfilerEnable = Result(RangeEnableParams*);
using RangeProfilerDisable = Result(RangeDisableParams*);
using RangeProfilerSetConfig = Result(RangeSetConfigParams*);
using RangeProfilerStart = Result(RangeStartParams*);
using RangeProfilerStop = Result(RangeStopParams*);
using RangeProfilerPushRange = Result(RangePushParams*);
using RangeProfilerPopRange = Result(RangePopParams*);
using RangeProfilerDecodeData = Result(RangeDecodeDataParams*);
using RangeProfilerGetCounterDataSize = Result(RangeGetCounterDataSizeParams*);
using RangeProfilerCounterDataImageInitialize = Result(RangeCounterDataImageInitializeParams*);
using RangeProfilerGetCounterDataInfo = Result(RangeGetCounterDataInfoParams*);
using RangeProfilerCounterDataGetRangeInfo = Result(RangeCounterDataGetRangeInfoParams*);

}  // namespace ridge::collectors::cupti::abi
