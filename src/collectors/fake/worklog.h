// What the GPU has been given to do, shared between processes as a file of fixed records: every process that launches
// appends, the sampler reads what came since it last looked. Start and end are known when a kernel is launched, so a
// record may lie in the future.
//
// A write of one record in append mode is never torn by another process's. Not here: what a kernel counts (metrics.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::collectors::fake {

struct WorkRecord {
  std::uint64_t start = 0, end = 0;       ///< ns since the Unix epoch
  std::uint64_t blocks = 0, threads = 0;  ///< of the whole launch
  std::uint32_t device = 0, kernel = 0;   ///< index into Script::kernels
};

class WorkWriter {
 public:
  explicit WorkWriter(const std::string& directory);
  ~WorkWriter();
  WorkWriter(const WorkWriter&) = delete;
  WorkWriter& operator=(const WorkWriter&) = delete;
  /// False: the file system refuses.
  bool append(const WorkRecord& record);

 private:
  int file_ = -1;
};

class WorkReader {
 public:
  explicit WorkReader(std::string directory) : path_(std::move(directory) + "/work") {}
  ~WorkReader();
  WorkReader(const WorkReader&) = delete;
  WorkReader& operator=(const WorkReader&) = delete;
  /// The records since the last call, in the order of their launches.
  [[nodiscard]] std::vector<WorkRecord> news();

 private:
  std::string path_;
  int file_ = -1;
  std::int64_t offset_ = 0;
};

}  // namespace ridge::collectors::fake
