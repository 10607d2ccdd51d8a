// Any text is refused with a reason or runs to an outcome: 32 threads, buffers of 4 KiB, so many steps and no more.
// Nothing a kernel does reaches memory that is not its own.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "emulator/exec/decode.h"
#include "emulator/exec/launch.h"
#include "emulator/listen/checker.h"
#include "emulator/ptx/parser.h"

namespace {

using namespace ridge::emulator;  // NOLINT(google-build-using-namespace): a target of one function

// Eight bytes are taken for an address of a buffer, fewer for a small number; structures are all ones.
bool fill(const Program& program, GlobalMemory& memory, LaunchRequest& request) {
  constexpr std::uint64_t kBuffer = 4096, kNumber = 32;
  request.parameters.assign(program.parameter_bytes, std::byte{0xFF});
  for (const EntryParameter& each : program.parameters) {
    if (each.bytes > sizeof(std::uint64_t)) continue;
    std::uint64_t value = kNumber;
    if (each.bytes == sizeof value) {
      const auto address = memory.allocate(kBuffer, std::string(each.name));
      if (!address) return false;
      value = *address;
    }
    std::memcpy(request.parameters.data() + each.offset, &value, each.bytes);
  }
  return true;
}

void run(const Program& program) {
  GlobalMemory memory;
  LaunchRequest request{{1, 1, 1}, {32, 1, 1}, {1, 1, 1}, 1024, {}};
  if (!load_variables(program, memory) || !fill(program, memory, request)) return;
  Checker checker;
  ExecuteOptions options;
  options.most_steps = 20000;
  options.listeners = [&](std::uint32_t) { return std::vector<Listener*>{&checker}; };
  const auto outcome = execute(program, memory, request, options);
  if (!outcome) return;
  for (const Fault& each : outcome->faults) {
    if (describe(each, program, request).empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(static_cast<const void*>(data));
  auto parsed = ridge::ptx::parse(std::string(bytes, size));
  if (!parsed) return 0;
  const auto module = std::make_shared<const ridge::ptx::Module>(std::move(*parsed));
  for (const auto* each : entries(*module)) {
    const auto program = decode(module, each->name, {true, "portable"});
    if (program) run(*program);
  }
  return 0;
}
