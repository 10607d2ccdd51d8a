#include "emulator/exec/exec_rig.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "emulator/ptx/parser.h"

namespace ridge::emulator::testing {

KernelRig::KernelRig(std::string_view text, const DecodeOptions& decode_options) {
  options.most_steps = 1000000;
  options.lanes = decode_options.lanes;
  const auto ready = prepare(std::string(text), decode_options);
  if (!ready) error_ = ready.error().what + " | " + ready.error().where;
}

Result<void> KernelRig::prepare(const std::string& text, const DecodeOptions& decode_options) {
  auto module = ptx::parse(".version 8.6\n.target sm_90a\n.address_size 64\n" + text);
  if (!module) return fail(module.error());
  auto program = decode(std::make_shared<const ptx::Module>(std::move(*module)), "", decode_options);
  if (!program) return fail(program.error());
  program_ = std::move(*program);
  request.parameters.resize(program_.parameter_bytes);
  return load_variables(program_, memory_);
}

void KernelRig::add(const void* bytes, std::size_t size) {
  if (!error_.empty()) return;
  if (next_argument_ >= program_.parameters.size() || program_.parameters[next_argument_].bytes != size) {
    error_ = "argument " + std::to_string(next_argument_) + " does not fit the kernel";
    return;
  }
  std::memcpy(request.parameters.data() + program_.parameters[next_argument_++].offset, bytes, size);
}

std::uint64_t KernelRig::allocate(std::size_t bytes) {
  const auto address = memory_.allocate(bytes, "buffer " + std::to_string(next_argument_));
  if (address) return *address;
  error_ = address.error().what;
  return 0;
}

bool KernelRig::run() {
  if (!error_.empty()) return false;
  auto outcome = execute(program_, memory_, request, options);
  if (!outcome) {
    error_ = outcome.error().what + " | " + outcome.error().where;
    return false;
  }
  outcome_ = std::move(*outcome);
  return outcome_.completed();
}

std::string KernelRig::fault() const {
  return outcome_.faults.empty() ? std::string{} : describe(outcome_.faults[0], program_, request);
}

bool KernelRig::has(FaultKind kind) const {
  return std::any_of(outcome_.faults.begin(), outcome_.faults.end(),
                     [&](const Fault& each) { return each.kind == kind; });
}

SiteCount KernelRig::count(std::string_view spelled) const {
  SiteCount sum;
  for (std::size_t i = 0; i < outcome_.counts.size(); ++i) {
    const ptx::Instruction& instruction = *program_.sites[i].instruction;
    if (ptx::spelled(instruction) != spelled) continue;
    sum.warps += outcome_.counts[i].warps;
    sum.lanes += outcome_.counts[i].lanes;
  }
  return sum;
}

std::string thread_kernel(std::string_view body, std::string_view module) {
  std::string text(module);
  text += R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<32>, %t, %g, %n, %i;
  .reg .b64 %d<32>, %at, %out;
  .reg .b16 %h<16>;
  .reg .f32 %f<16>;
  .reg .f64 %e<8>;
  .reg .pred %p<16>;
  mov.u32 %t, %tid.x;
  mov.u32 %i, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mad.lo.u32 %g, %i, %n, %t;
  ld.param.u64 %out, [out];
  mul.wide.u32 %at, %g, 4;
  add.u64 %at, %out, %at;
)";
  text += body;
  return text + "\n  st.global.b32 [%at], %r0;\n  ret;\n}\n";
}

ThreadRig::ThreadRig(std::string_view body, std::string_view module, std::uint32_t threads, std::uint32_t blocks)
    : rig(thread_kernel(body, module)) {
  out = rig.buffer(std::vector<std::uint32_t>(std::size_t{threads} * blocks, 0xDEADBEEF));
  rig.request.grid = {blocks, 1, 1};
  rig.request.block = {threads, 1, 1};
}

std::vector<std::uint32_t> answers(std::string_view body, std::string_view module, std::uint32_t threads,
                                   std::uint32_t blocks) {
  ThreadRig kernel(body, module, threads, blocks);
  const bool ran = kernel.rig.run();
  EXPECT_TRUE(ran) << kernel.rig.error() << kernel.rig.fault();
  return kernel.answers();
}

}  // namespace ridge::emulator::testing
