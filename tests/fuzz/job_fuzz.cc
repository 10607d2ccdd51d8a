// Any text is a job (in TOML), an argument, a number or a shape, or an error of one line, never a crash. Files that an
// argument names are not read here.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "emulator/job/draft.h"
#include "emulator/job/numbers.h"

namespace {

void check(const ridge::Error& error) {
  if (error.what.empty() || error.where.empty() || error.remedy.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge::emulator;
  const std::string text(static_cast<const char*>(static_cast<const void*>(data)), size);
  const ridge::Variables names{{"n", 1024}};
  if (const auto job = parse_job(text, "fuzz.toml"); !job) check(job.error());
  if (const auto argument = parse_argument(text, "--arg 1"); !argument) check(argument.error());
  if (const auto setting = parse_setting(text, "--set"); !setting) check(setting.error());
  if (const auto number = evaluate_number(text, names, "--arg 1"); !number) check(number.error());
  if (const auto shape = evaluate_shape(text, names, "--grid"); !shape) check(shape.error());
  return 0;
}
