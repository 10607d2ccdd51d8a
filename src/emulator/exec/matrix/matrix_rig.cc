#include "emulator/exec/matrix/matrix_rig.h"

#include <cstring>

#include "emulator/exec/lanes/select.h"
#include "emulator/ptx/parser.h"

namespace ridge::emulator::testing {
namespace {

constexpr std::uint32_t kBytesEach = 8;  // of a register in memory

std::uint32_t total(const std::vector<Registers>& groups) {
  std::uint32_t count = 0;
  for (const Registers& each : groups) count += each.count;
  return count;
}

std::string declare(const std::vector<Registers>& groups) {
  std::string text;
  for (const Registers& each : groups) {
    text += std::string("  .reg ") + (each.wide ? ".b64" : ".b32") + " %" + each.name + "<" +
            std::to_string(each.count) + ">;\n";
  }
  return text;
}

std::string transfer(const std::vector<Registers>& groups, bool loads) {
  std::string text;
  std::uint32_t offset = 0;
  for (const Registers& each : groups) {
    for (std::uint32_t i = 0; i < each.count; ++i, offset += kBytesEach) {
      const std::string name = "%" + each.name + std::to_string(i);
      const std::string place = std::string(loads ? "[%in" : "[%out") + "+" + std::to_string(offset) + "]";
      text += std::string(loads ? "  ld" : "  st") + ".global" + (each.wide ? ".b64 " : ".b32 ") +
              (loads ? name + ", " + place : place + ", " + name) + ";\n";
    }
  }
  return text;
}

// Each thread copies 16 bytes of every `threads` * 16, as two of eight: tests look at accesses of 16.
std::string copy_shared(const Rig& rig, bool loads) {
  std::string text;
  const std::string from = loads ? "global" : "shared", to = loads ? "shared" : "global";
  for (std::size_t at = 0; at < rig.shared.size(); at += std::size_t{rig.threads} * 16) {
    for (const std::size_t place : {at, at + kBytesEach}) {
      const std::string global = "[%image+" + std::to_string(place) + "]",
                        shared = "[%place+" + std::to_string(place) + "]";
      text += "  ld." + from + ".b64 %half0, " + (loads ? global : shared) + ";\n";
      text += "  st." + to + ".b64 " + (loads ? shared : global) + ", %half0;\n";
    }
  }
  return rig.shared.empty() ? text : loads ? text + "  bar.sync 0;\n" : "  bar.sync 0;\n" + text;
}

std::string kernel_text(const Rig& rig) {
  const std::string shared_size = std::to_string(rig.shared.size());
  std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n";
  text += ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 image) {\n";
  if (!rig.shared.empty()) text += "  .shared .align 1024 .b8 memory[" + shared_size + "];\n";
  text += "  .reg .b64 %in, %out, %image, %at, %half<2>;\n  .reg .b32 %thread, %place;\n  .reg .pred %p<8>;\n";
  text += declare(rig.in) + declare(rig.out) + rig.declarations;
  text += "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n  ld.param.u64 %image, [image];\n";
  text += "  mov.u32 %thread, %tid.x;\n";
  const auto advance = [&](std::string_view name, std::uint32_t stride) {
    text += "  mul.wide.u32 %at, %thread, " + std::to_string(stride) + ";\n  add.u64 %" + std::string(name) + ", %" +
            std::string(name) + ", %at;\n";
  };
  advance("in", total(rig.in) * kBytesEach);
  advance("out", total(rig.out) * kBytesEach);
  if (!rig.shared.empty()) {
    advance("image", 16);
    text += "  mov.u32 %place, memory;\n  mad.lo.u32 %place, %thread, 16, %place;\n";
  }
  return text + transfer(rig.in, true) + copy_shared(rig, true) + rig.body + "\n" + copy_shared(rig, false) +
         transfer(rig.out, false) + "  ret;\n}\n";
}

std::string describe(const Error& error) {
  return error.what + " | " + error.where;
}

void put(std::vector<std::byte>& to, std::uint64_t value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

struct Buffers {
  std::uint64_t in = 0, out = 0, image = 0;
};

Result<Buffers> allocate(GlobalMemory& memory, const Rig& rig, const std::vector<Words>& in) {
  const auto bytes = [&](const std::vector<Registers>& groups) {
    return std::uint64_t{rig.threads} * total(groups) * kBytesEach + kBytesEach;
  };
  const auto first = memory.allocate(bytes(rig.in), "in");
  const auto second = memory.allocate(bytes(rig.out), "out");
  const auto third = memory.allocate(rig.shared.size() + kBytesEach, "image");
  if (!first || !second || !third) return fail(!first ? first.error() : !second ? second.error() : third.error());
  std::byte* to = memory.bytes(*first).data();
  for (const Words& each : in) {
    std::memcpy(to, each.data(), each.size() * kBytesEach);
    to += each.size() * kBytesEach;
  }
  if (!rig.shared.empty()) std::memcpy(memory.bytes(*third).data(), rig.shared.data(), rig.shared.size());
  return Buffers{*first, *second, *third};
}

Result<RigResult> try_run(const Rig& rig, const std::vector<Words>& in) {
  auto module = ptx::parse(kernel_text(rig));
  if (!module) return fail(module.error());
  const auto program = decode(std::make_shared<const ptx::Module>(std::move(*module)), "k", {false, rig.lanes});
  if (!program) return fail(program.error());
  GlobalMemory memory;
  const auto buffers = allocate(memory, rig, in);
  if (!buffers) return fail(buffers.error());
  LaunchRequest request{{1, 1, 1}, {rig.threads, 1, 1}, {1, 1, 1}, 0, {}};
  put(request.parameters, buffers->in);
  put(request.parameters, buffers->out);
  put(request.parameters, buffers->image);
  ExecuteOptions options;
  options.lanes = rig.lanes;
  options.most_steps = 1000000;
  if (rig.listener != nullptr) options.listeners = [&](std::uint32_t) { return std::vector<Listener*>{rig.listener}; };
  auto outcome = execute(*program, memory, request, options);
  if (!outcome) return fail(outcome.error());
  RigResult result;
  result.faults = std::move(outcome->faults);
  result.counts = std::move(outcome->counts);
  const std::byte* from = memory.bytes(buffers->out).data();
  const std::uint32_t count = total(rig.out);
  for (std::uint32_t i = 0; i < rig.threads; ++i, from += std::size_t{count} * kBytesEach) {
    Words words(count);
    std::memcpy(words.data(), from, std::size_t{count} * kBytesEach);
    result.out.push_back(std::move(words));
  }
  const std::byte* image = memory.bytes(buffers->image).data();
  result.shared.assign(image, image + rig.shared.size());
  return result;
}

}  // namespace

RigResult run(const Rig& rig, const std::vector<Words>& in) {
  auto result = try_run(rig, in);
  if (result) return std::move(*result);
  RigResult failed;
  failed.error = describe(result.error());
  return failed;
}

std::string vector_of(const Registers& registers) {
  std::string text = "{";
  for (std::uint32_t i = 0; i < registers.count; ++i) {
    text += (i == 0 ? "%" : ", %") + registers.name + std::to_string(i);
  }
  return text + "}";
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::string_view each : {"portable", "avx2", "avx512"}) {
    if (lane_code(each).name == each) names.emplace_back(each);
  }
  return names;
}

}  // namespace ridge::emulator::testing
