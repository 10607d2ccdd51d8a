// What one teaching kernel is and does, before it has run: launch, buffers, work as formulas of its sizes, and the one
// lesson it is there for.
//
// Formulas are Expression texts over the kernel's parameters, its derived names and `sms`, the SMs of the GPU. They say
// - FLOP and floating-point instructions exactly, as compiled for compute capability 9.0 by the release of nvcc that
//   made the PTX (add, mul and fma thread instructions whose predicate holds; other targets schedule divisions and
//   exponentials alike, but nothing promises it);
// - requests and sectors of the tag stage of L1, asynchronous copies included, and shared-memory instructions, exactly;
//   tensor memory access does not pass the tags and is in the bytes of L2 only;
// - wavefronts by the rules in wavefronts.md of this folder, bank conflicts included;
// - bytes between the levels at best: DRAM moves each array once; L2 gives each block what it needs once, the block's
//   own repetitions being answered by L1.
// Not modelled: what caches fail to keep, DRAM traffic of half-used lines beyond 64 bytes, write-back left in L2 at the
// kernel's end, integer and address instructions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/model/compute.h"

namespace ridge::lab {

/// The same sentence for readers of either language.
struct Text {
  std::string_view english = {}, chinese = {};
};

/// A size. `initial` is a formula of earlier parameters. A value is a whole number that `multiple` divides.
struct Parameter {
  std::string_view name = {};
  std::string_view initial = {};
  double min = 1;
  double max = 1e10;
  double multiple = 1;
};

/// A name for formulas that no expression can say: gcd(stride, 32).
struct Derived {
  std::string_view name = {};
  std::string_view meaning = {};
  std::string_view of = {};  ///< the parameter it is made from
  double (*value)(double) = nullptr;
};

enum class ElementType : unsigned char { kFloat32, kBfloat16, kInt32, kUint32, kUint8 };
[[nodiscard]] std::size_t element_size(ElementType type);

/// What a buffer holds before the launch and must hold after it.
enum class Role : unsigned char {
  kInput,        ///< random values from [low, high)
  kIndex,        ///< random whole numbers from [0, high), high a formula
  kInOut,        ///< random values, replaced by the result
  kOutput,       ///< poisoned; the kernel must write every element
  kAccumulated,  ///< zero; the kernel adds to it
};

struct Buffer {
  std::string_view name = {};
  ElementType type = ElementType::kFloat32;
  std::string_view count = {};
  Role role = Role::kInput;
  double low = -1, high = 1;
  std::string_view index_end = {};  ///< of kIndex
};
[[nodiscard]] constexpr bool is_result(Role role) {
  return role == Role::kInOut || role == Role::kOutput || role == Role::kAccumulated;
}

enum class ArgumentKind : unsigned char { kPointer, kInteger, kFloat, kTensorMap };

/// One parameter of the entry point, in order.
struct EntryArgument {
  ArgumentKind kind = ArgumentKind::kPointer;
  std::string_view name = {};  ///< of the buffer; of a scalar only for people
  std::string_view value = {};
  /// Of a tensor map over a row-major bf16 matrix: its extents and the box one copy brings, 128-byte swizzle.
  std::string_view rows = {}, columns = {};
  std::uint32_t box_rows = 0, box_columns = 0;
};

struct LaunchShape {
  std::string_view grid_x = "1", grid_y = "1", grid_z = "1";
  std::uint32_t block_x = 1, block_y = 1;
  std::uint32_t cluster = 1;
  std::uint32_t dynamic_shared = 0;
};

/// The vendor's library routine that solves the same problem.
enum class VendorProduct : unsigned char { kNone, kFp32, kBf16 };

/// Every formula must be given; "0" says that there is none. The registry refuses a kernel that leaves one out.
struct WorkFormulas {
  std::string_view flops = {};
  std::string_view fp32_add = {}, fp32_mul = {}, fp32_fma = {};
  std::string_view tensor = {};
  std::string_view dram_read = {}, dram_write = {};
  std::string_view l2_read = {}, l2_write = {};
  std::string_view load_requests = {}, load_sectors = {}, load_wavefronts = {};
  std::string_view store_requests = {}, store_sectors = {}, store_wavefronts = {};
  std::string_view shared_loads = {}, shared_load_wavefronts = {};
  std::string_view shared_stores = {}, shared_store_wavefronts = {};
  std::string_view shared_atomic_wavefronts = {};
  std::string_view shared_tensor_wavefronts = {};  ///< of operands that wgmma reads from shared memory
  /// Of shared-memory instructions whose lanes are all switched off: no word is moved, and the stage is taken all the
  /// same.
  std::string_view shared_idle_wavefronts = "0";
  std::string_view shuffles = {};           ///< warp instructions; each takes a wavefront of the data stage
  std::string_view excess_sectors = {};     ///< beyond what the accessed bytes need
  std::string_view excess_wavefronts = {};  ///< of shared memory, beyond one conflict-free pass of each instruction
  std::string_view bulk_read = {};          ///< L2 to shared memory by tensor memory access; part of l2_read
  std::string_view multicast = {};          ///< the part of l2_read that reached another SM for the same look-up of L2
};

/// The value that element `index` of a result should have, in fp64.
using Expected = std::function<double(std::size_t index)>;
class Problem;
/// Prepares the expectation for result `buffer`; what all elements share is computed once.
using Reference = Expected (*)(const Problem& problem, std::size_t buffer);

struct KernelDeclaration {
  std::string_view id = {};
  std::string_view ladder = {};
  std::string_view module = {};  ///< the source and its PTX: "gemm_f32"
  std::string_view entry = {};
  int capability = 80;           ///< least compute capability, 10 x major + minor
  bool only_capability = false;  ///< exactly that one: architecture-specific instructions
  Text lesson = {};
  Text change = {};  ///< what this step does differently from the one before; empty for the first of a ladder
  std::vector<Parameter> parameters = {};
  std::vector<Derived> derived = {};
  std::vector<std::string_view> runs = {
      ""};             ///< sizes that are run when none is asked for: "n=1024"; "": the initial ones
  bool sweep = false;  ///< the runs belong into one table: the size is what is being taught
  std::vector<std::string_view> emulated =
      {};                                    ///< instead of `runs` where a CPU executes the kernel, in a second or so
  std::vector<std::string_view> truth = {};  ///< sizes that recordings are made of
  LaunchShape launch = {};
  std::vector<Buffer> buffers = {};
  std::vector<EntryArgument> arguments = {};
  WorkFormulas work = {};
  std::string_view dram_read_outgrown = {};   ///< once the operands do not fit into L2; empty where no model is known
  std::optional<ComputeKey> tensor_key = {};  ///< with `work.tensor`
  VendorProduct vendor = VendorProduct::kNone;
  Reference reference = nullptr;
  std::string_view reference_cost = "1";  ///< steps of computing one expected element
  double tolerance = 1e-6;                ///< largest ||result - expected|| / ||expected||
};

/// Whether a GPU of that compute capability (10 x major + minor) runs it.
[[nodiscard]] bool runs_on(const KernelDeclaration& kernel, int capability);
/// "compute capability 9.0 exactly"
[[nodiscard]] std::string what_it_needs(const KernelDeclaration& kernel);

/// The formulas of `work` with their names, in order.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> formulas(const WorkFormulas& work);

}  // namespace ridge::lab
