// A launch as somebody wrote it, on the command line or in TOML: texts, each with the place it came from. Nothing is
// evaluated and no kernel is looked at: bind.h does that.
//
// An argument on the command line, and any string in the list `arguments` of a TOML:
//   2.5   n   1<<20   0xff              a scalar, of the type that the kernel's parameter has
//   f32=2.5                             a scalar whose type is said, for parameters that PTX calls b32
//   {f32=2.5, u32=n, f32:n:random}      a structure passed by value, its fields laid out as C does
//   hex:00ff10                          the bytes of a parameter
//   f32:n*n:random(-1,1):save=c.npy     a buffer: type, elements, what it holds, what becomes of it
//   a.npy                               a buffer of the type and length of the file
//   @1                                  the buffer of argument 1 once more (arguments count from 1)
//   null                                no buffer
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge::emulator {

struct Text {
  std::string text;
  std::string where;  ///< "--grid", "job.toml:3"
};

struct BufferDraft {
  std::string type;       ///< empty: as the file that it is read from
  std::string count;      ///< likewise
  std::string initial;    ///< "random(-1,1)", "ramp", "0", "poison", "a.npy"; empty: as the kernel uses it
  std::string save;       ///< path; empty: not saved
  std::string expect;     ///< a number or a path; empty: not compared
  std::string tolerance;  ///< empty: that of the type
  std::string seed;       ///< empty: the argument's number
};

struct ArgumentDraft {
  enum class Kind : unsigned char { kScalar, kStructure, kBytes, kBuffer, kSame };
  Kind kind = Kind::kScalar;
  std::string where;                  ///< "--arg 2", "job.toml:12"
  std::string folder;                 ///< paths are relative to it; empty: to the current one
  std::string type;                   ///< of a scalar, if said
  std::string text;                   ///< of a scalar its value, of bytes their digits, of kSame the number
  BufferDraft buffer;                 ///< of kBuffer
  std::vector<ArgumentDraft> fields;  ///< of kStructure: scalars and buffers
};

struct JobDraft {
  std::optional<Text> kernel, grid, block, cluster, dynamic_shared;
  std::vector<std::pair<std::string, Text>> names;  ///< --set n=1024, in order
  std::vector<ArgumentDraft> arguments;
};

/// One argument in the notation above.
[[nodiscard]] Result<ArgumentDraft> parse_argument(std::string_view text, std::string where, std::string folder = "");
/// "n=1024" into a name and its value.
[[nodiscard]] Result<std::pair<std::string, Text>> parse_setting(std::string_view text, std::string where);
/// A job in TOML; `path` names it in errors, and its folder is where the paths in it begin.
[[nodiscard]] Result<JobDraft> parse_job(const std::string& toml, const std::string& path);

/// What `line` says goes over what `file` says: names one by one, arguments all together.
[[nodiscard]] JobDraft overridden(JobDraft file, JobDraft line);

}  // namespace ridge::emulator
