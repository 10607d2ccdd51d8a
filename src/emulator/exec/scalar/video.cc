// Video instructions: on one part of each operand, on two halves or on four bytes.
#include <algorithm>
#include <optional>
#include <string_view>

#include "emulator/exec/lanes/lanes.h"
#include "emulator/exec/scalar/scalar.h"
#include "emulator/number/video.h"

namespace ridge::emulator {
namespace {

using number::VideoOperation;
using number::VideoPart;
using number::VideoSecond;

/// Detail of a step.
struct Video {
  std::uint32_t (*run)(const Video&, std::uint32_t a, std::uint32_t b, std::uint32_t c) = nullptr;
  VideoOperation operation{};
  number::Comparison comparison{};
  number::VideoTypes types{};
  number::VideoLanes lanes{};
  bool sat = false, accumulate = false, left = false;
  number::ShiftMode shift = number::ShiftMode::kClamp;
  VideoPart part_a = VideoPart::kWord, part_b = VideoPart::kWord;
  number::VideoEnd end;
  number::VideoMad mad;
};

void run_video(Warp& warp, const Step& step, Mask mask) {
  const auto& video = *static_cast<const Video*>(step.detail);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask & kLaneBits[i]) == 0) continue;
    warp.word(step.d)[i] = video.run(video, warp.word(step.a)[i], warp.word(step.b)[i], warp.word(step.c)[i]);
  }
}

// ---- what they compute

std::uint32_t simd(const Video& video, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return number::video_simd(video.operation, video.lanes, video.types, a, b, c, video.sat, video.accumulate);
}
std::uint32_t simd_set(const Video& video, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return number::video_simd_set(video.comparison, video.lanes, video.types.a, video.types.b, a, b, c, video.accumulate);
}
std::int64_t left_part(const Video& video, std::uint32_t a) {
  return number::video_part(a, video.part_a, video.types.a);
}
std::int64_t right_part(const Video& video, std::uint32_t b) {
  return number::video_part(b, video.part_b, video.types.b);
}
std::uint32_t scalar(const Video& video, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return number::video_scalar(video.operation, left_part(video, a), right_part(video, b), c, video.end);
}
std::uint32_t scalar_set(const Video& video, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return number::video_set(video.comparison, left_part(video, a), right_part(video, b), c, video.end);
}
std::uint32_t scalar_shift(const Video& video, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return number::video_shift(left_part(video, a), right_part(video, b), video.left, video.shift, c, video.end);
}
std::uint32_t scalar_mad(const Video& video, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return number::video_mad(left_part(video, a), right_part(video, b), c, video.types.a || video.types.b, video.mad);
}

// ---- selectors: the last digit is the lowest part

std::uint8_t digit(std::string_view selector, std::size_t from_end) {
  return static_cast<std::uint8_t>(selector[selector.size() - 1 - from_end] - '0');
}

std::optional<VideoPart> part_of(const ptx::Operand& operand) {
  if (operand.selector.empty()) return VideoPart::kWord;
  const bool halves = operand.selector[0] == 'h';
  const std::uint8_t number = digit(operand.selector, 0);
  if (operand.selector.size() != 2 || number > (halves ? 1 : 3)) return std::nullopt;
  return static_cast<VideoPart>(static_cast<std::uint8_t>(halves ? VideoPart::kH0 : VideoPart::kB0) + number);
}

/// Picks the lanes of an operand: false if the selector does not fit.
bool choose_lanes(const ptx::Operand& operand, const number::VideoLanes& lanes, std::array<std::uint8_t, 4>& chosen) {
  if (operand.selector.empty()) return true;
  const auto count = static_cast<std::size_t>(lanes.count);
  if (operand.selector.size() != count + 1) return false;
  for (std::size_t i = 0; i < count; ++i) chosen[i] = digit(operand.selector, i);
  return std::all_of(chosen.begin(), chosen.begin() + count, [&](std::uint8_t each) { return each < 2 * count; });
}

bool choose_mask(const ptx::Operand& operand, number::VideoLanes& lanes) {
  if (operand.selector.empty()) return true;
  lanes.mask = 0;
  for (std::size_t i = 0; i + 1 < operand.selector.size(); ++i) {
    if (digit(operand.selector, i) >= lanes.count) return false;
    lanes.mask = static_cast<std::uint8_t>(lanes.mask | 1U << digit(operand.selector, i));
  }
  return true;
}

// ---- which

struct Named {
  std::string_view name;
  VideoOperation operation;
};
constexpr Named kOperations[] = {{"vadd", VideoOperation::kAdd},      {"vsub", VideoOperation::kSub},
                                 {"vavrg", VideoOperation::kAverage}, {"vabsdiff", VideoOperation::kAbsoluteDifference},
                                 {"vmin", VideoOperation::kMin},      {"vmax", VideoOperation::kMax}};

std::optional<VideoOperation> operation_named(std::string_view name) {
  for (const Named& each : kOperations) {
    if (each.name == name) return each.operation;
  }
  return std::nullopt;
}

number::Comparison comparison_of(const Builder& builder) {
  using number::Comparison;
  struct Word {
    std::string_view name, unsigned_name;
    Comparison comparison;
  };
  constexpr Word kWords[] = {{"ne", "ne", Comparison::kNe},
                             {"lt", "lo", Comparison::kLt},
                             {"le", "ls", Comparison::kLe},
                             {"gt", "hi", Comparison::kGt},
                             {"ge", "hs", Comparison::kGe}};
  for (const Word& each : kWords) {
    if (builder.has(each.name) || builder.has(each.unsigned_name)) return each.comparison;
  }
  return Comparison::kEq;
}

bool bad_selector(Builder& builder) {
  builder.reject("this selector does not fit the instruction", "use parts that the operand has, as many as it wants");
  return true;
}

/// Three types: of the result, of a and of b. (vset has two; what comes of it is of a's.)
number::VideoTypes types_of(const Builder& builder, bool set) {
  const auto is_signed = [&](std::size_t n) { return builder.types()[n] == Type::kS32; };
  if (set) return {is_signed(0), is_signed(0), is_signed(1)};
  return {is_signed(0), is_signed(1), is_signed(2)};
}

void emit(Builder& builder, const Video& video) {
  Step step{.run = run_video};
  step.a = builder.source(1, Type::kB32);
  step.b = builder.source(2, Type::kB32);
  step.c = builder.operand_count() > 3 ? builder.source(3, Type::kB32) : builder.constant(Type::kB32, 0);
  step.d = builder.destination(0, Type::kB32);
  step.detail = builder.keep(video);
  builder.emit(step);
}

bool select_simd(Builder& builder, std::string_view name, std::uint32_t count) {
  Video video;
  const bool set = name == "vset";
  video.run = set ? simd_set : simd;
  if (const auto operation = operation_named(name)) video.operation = *operation;
  video.comparison = comparison_of(builder);
  video.types = types_of(builder, set);
  video.lanes = count == 2 ? number::kTwoHalves : number::kFourBytes;
  video.sat = builder.has("sat");
  video.accumulate = builder.has("add");
  if (!choose_mask(builder.operand(0), video.lanes) || !choose_lanes(builder.operand(1), video.lanes, video.lanes.a) ||
      !choose_lanes(builder.operand(2), video.lanes, video.lanes.b)) {
    return bad_selector(builder);
  }
  emit(builder, video);
  return true;
}

number::VideoMad mad_of(const Builder& builder) {
  number::VideoMad mad;
  mad.plus_one = builder.has("po");
  mad.negate_product = builder.operand(1).minus != builder.operand(2).minus;
  mad.negate_addend = builder.operand(3).minus;
  mad.sat = builder.has("sat");
  mad.shift = builder.has("shr7") ? 7 : builder.has("shr15") ? 15 : 0;
  return mad;
}

VideoSecond second_of(const Builder& builder) {
  if (builder.has("add")) return VideoSecond::kAdd;
  if (builder.has("min")) return VideoSecond::kMin;
  return builder.has("max") ? VideoSecond::kMax : VideoSecond::kNone;
}

bool select_one(Builder& builder, std::string_view name) {
  Video video;
  const bool set = name == "vset";
  video.run = set ? scalar_set : scalar;
  if (const auto operation = operation_named(name)) video.operation = *operation;
  if (name == "vshl" || name == "vshr") video.run = scalar_shift;
  video.left = name == "vshl";
  video.shift = builder.has("wrap") ? number::ShiftMode::kWrap : number::ShiftMode::kClamp;
  if (name == "vmad") {
    if (builder.operand_count() != 4) return false;
    video.run = scalar_mad;
    video.mad = mad_of(builder);
  }
  video.comparison = comparison_of(builder);
  video.types = types_of(builder, set);
  const auto a = part_of(builder.operand(1)), b = part_of(builder.operand(2)), d = part_of(builder.operand(0));
  if (!a || !b || !d) return bad_selector(builder);
  video.part_a = *a;
  video.part_b = *b;
  video.end = {video.types.result, builder.has("sat"), *d, second_of(builder)};
  emit(builder, video);
  return true;
}

}  // namespace

bool select_video(Builder& builder) {
  if (builder.form().family != ptx::Family::kVideo) return false;
  std::string_view name = builder.opcode();
  const char last = name.back();
  if (last != '2' && last != '4') return select_one(builder, name);
  name.remove_suffix(1);
  return select_simd(builder, name, static_cast<std::uint32_t>(last - '0'));
}

}  // namespace ridge::emulator
