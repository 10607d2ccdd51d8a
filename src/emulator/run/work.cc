#include "emulator/run/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ridge::emulator {
namespace {

constexpr double kSector = 32, kWavefront = 128;
constexpr std::size_t kHotLines = 20;

void add(FloatingWork& to, const FloatingWork& each, double threads) {
  to.add += each.add * threads;
  to.mul += each.mul * threads;
  to.fma += each.fma * threads;
}

double flops_of(const FloatingWork& work) {
  return work.add + work.mul + 2 * work.fma;
}

void add_pipe(PipeTotals& totals, const OpWork& op, double warps) {
  totals.xu += op.special_functions * warps;
  const double machine = (op.machine_instructions - op.special_functions) * warps;
  switch (op.pipe) {
    case Pipe::kAlu:
      totals.alu += machine;
      break;
    case Pipe::kXu:
    case Pipe::kFma:
      totals.fma += machine;
      break;
    case Pipe::kHalf:
      totals.half_pipe += machine;
      break;
    case Pipe::kFp64:
      totals.fp64_pipe += machine;
      break;
    case Pipe::kLsu:
      totals.lsu += machine;
      break;
    case Pipe::kBranch:
      totals.branch += machine;
      break;
    default:
      break;
  }
}

void add_special(PipeTotals& totals, const ptx::Instruction& instruction, double warps) {
  const bool shared = ptx::has_modifier(instruction, "shared") || ptx::has_modifier(instruction, "shared::cta");
  if (instruction.opcode == "shfl") totals.shuffles += warps;
  if (instruction.opcode == "bar" || instruction.opcode == "barrier") totals.barriers += warps;
  if ((shared && instruction.opcode == "ld") || instruction.opcode == "ldmatrix") totals.shared_loads += warps;
  if ((shared && instruction.opcode == "st") || instruction.opcode == "stmatrix") totals.shared_stores += warps;
}

void add_tensor(PipeTotals& totals, const OpWork& op, double warps) {
  if (!op.tensor) return;
  const auto place = std::find_if(totals.tensor.begin(), totals.tensor.end(),
                                  [&](const auto& each) { return each.first == *op.tensor; });
  if (place != totals.tensor.end()) {
    place->second += op.tensor_operations * warps;
  } else {
    totals.tensor.emplace_back(*op.tensor, op.tensor_operations * warps);
  }
}

/// Numbers with their provenance, scaled.
class Scaled {
 public:
  explicit Scaled(double scale) : scale_(scale), counted_(scale == 1 ? Provenance::kCounted : Provenance::kModelled) {}
  [[nodiscard]] Value<double> count(double value) const { return {value * scale_, counted_}; }
  [[nodiscard]] Value<double> model(double value) const { return {value * scale_, Provenance::kModelled}; }
  [[nodiscard]] Value<Bytes> bytes(double value) const { return {Bytes(value * scale_), counted_}; }
  [[nodiscard]] Value<Bytes> modelled_bytes(double value) const {
    return {Bytes(value * scale_), Provenance::kModelled};
  }
  [[nodiscard]] Value<Flops> flops(double value) const { return {Flops(value * scale_), counted_}; }

 private:
  double scale_;
  Provenance counted_;
};

void fill_compute(Work& work, const PipeTotals& totals, const Scaled& scaled) {
  double sum = 0;
  const auto put = [&](const ComputeKey& key, double amount) {
    if (amount == 0) return;
    work.compute.push_back({key, scaled.flops(amount)});
    if (is_floating_point(key.type)) sum += amount;
  };
  put(core(DataType::kFp64), flops_of(totals.fp64));
  put(core(DataType::kFp32), flops_of(totals.fp32));
  put(core(DataType::kFp16), totals.half_flops);
  put(core(DataType::kBf16), totals.brain_flops);
  for (const auto& [key, amount] : totals.tensor) put(key, amount);
  work.flops = scaled.flops(sum);
}

void fill_instructions(InstructionWork& to, const PipeTotals& totals, const Scaled& scaled) {
  to.warp_instructions = scaled.count(totals.warp_instructions);
  to.thread_instructions = scaled.count(totals.thread_instructions);
  to.fp64_add = scaled.count(totals.fp64.add);
  to.fp64_mul = scaled.count(totals.fp64.mul);
  to.fp64_fma = scaled.count(totals.fp64.fma);
  to.fp32_add = scaled.count(totals.fp32.add);
  to.fp32_mul = scaled.count(totals.fp32.mul);
  to.fp32_fma = scaled.count(totals.fp32.fma);
  to.fp16_add = scaled.count(totals.half.add);
  to.fp16_mul = scaled.count(totals.half.mul);
  to.fp16_fma = scaled.count(totals.half.fma);
  to.integer = scaled.count(totals.integer);
  to.special_function = scaled.count(totals.xu);
  to.load_store = scaled.count(totals.lsu);
  to.branch = scaled.count(totals.branch);
  to.alu = scaled.count(totals.alu);
}

double sectors_of(const MemoryCounts& memory) {
  return static_cast<double>(memory.loads.sectors + memory.stores.sectors + memory.atomics.sectors +
                             memory.reductions.sectors + memory.async_copies.sectors);
}

void fill_bytes(TrafficWork& to, const Counted& counted, const Scaled& scaled) {
  const MemoryCounts& memory = counted.memory;
  const auto shared = static_cast<double>(memory.shared().wavefronts);
  to.l1 = scaled.bytes(kSector * sectors_of(memory));
  to.shared = scaled.bytes(kWavefront * shared);
  to.l2 = scaled.modelled_bytes(kSector * static_cast<double>(memory.l2_sectors));
  to.l2_read = scaled.modelled_bytes(static_cast<double>(memory.l2_to_l1_bytes + counted.multicast_bytes));
  to.l2_write = scaled.modelled_bytes(static_cast<double>(memory.l1_to_l2_bytes));
  to.dram_read = scaled.modelled_bytes(static_cast<double>(memory.dram_read_bytes));
  to.dram_write = scaled.modelled_bytes(static_cast<double>(memory.dram_write_bytes));
  to.dram = to.dram_read + to.dram_write;
  to.bulk_read = scaled.bytes(static_cast<double>(memory.bulk_read_bytes + counted.multicast_bytes));
  const std::string_view none = "the emulated GPU has no host and no peer";
  to.host_link = to.host_link_read = to.host_link_write = Value<Bytes>::missing(none);
  to.peer_link = to.peer_link_read = to.peer_link_write = Value<Bytes>::missing(none);
}

void fill_access(AccessWork& to, const PipeTotals& totals, const Counted& counted, const Scaled& scaled) {
  const MemoryCounts& memory = counted.memory;
  const LocalTraffic& local = counted.local;
  const auto count = [&](std::uint64_t value) { return scaled.count(static_cast<double>(value)); };
  to.global_load_requests = count(memory.loads.requests + memory.async_copies.requests - local.load_requests);
  to.global_load_sectors = count(memory.loads.sectors + memory.async_copies.sectors - local.load_sectors);
  to.global_store_requests = count(memory.stores.requests - local.store_requests);
  to.global_store_sectors = count(memory.stores.sectors - local.store_sectors);
  to.local_load_sectors = count(local.load_sectors);
  to.local_store_sectors = count(local.store_sectors);
  SiteTraffic all;
  for (const SiteTraffic& each : counted.traffic) all += each;
  to.excess_sectors = count(all.excess_sectors);
  const SharedCounts shared = memory.shared();
  to.l1_wavefronts = scaled.count(static_cast<double>(memory.global_wavefronts + shared.wavefronts) + totals.shuffles);
  to.shared_wavefronts = count(shared.wavefronts);
  to.shared_wavefronts_excess = to.shared_bank_conflicts = count(shared.conflicts);
  to.shared_load_instructions = scaled.count(totals.shared_loads);
  to.shared_load_wavefronts = count(memory.shared_loads.wavefronts);
  to.shared_store_instructions = scaled.count(totals.shared_stores);
  to.shared_store_wavefronts = count(memory.shared_stores.wavefronts);
  to.l2_requests = Value<double>::missing("the memory model counts sectors of L2, not requests");
}

std::string location_of(const Program& program, const ptx::Instruction& instruction) {
  const std::string_view path = ptx::path_of(*program.module, instruction.source);
  if (path.empty()) return fmt::format("PTX:{}", instruction.at.line);
  return fmt::format("{}:{}", path.substr(path.rfind('/') + 1), instruction.source.line);
}

}  // namespace

PipeTotals totals_of(const Program& program, const std::vector<SiteCount>& sites) {
  PipeTotals totals;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (sites[i].warps == 0) continue;
    const Site& site = program.sites[i];
    const OpWork op = classify(*site.instruction, *site.form);
    const auto warps = static_cast<double>(sites[i].warps), threads = static_cast<double>(sites[i].lanes);
    totals.warp_instructions += warps;
    totals.thread_instructions += threads;
    totals.machine_instructions += op.machine_instructions * warps;
    add(totals.fp32, op.fp32, threads);
    add(totals.fp64, op.fp64, threads);
    add(totals.half, op.half, threads);
    (op.brain ? totals.brain_flops : totals.half_flops) += flops_of(op.half) * op.half_width * threads;
    if (op.integer) totals.integer += threads;
    add_pipe(totals, op, warps);
    add_special(totals, *site.instruction, warps);
    add_tensor(totals, op, warps);
  }
  return totals;
}

Work work_of(const PipeTotals& totals, const Counted& counted, double scale) {
  const Scaled scaled(scale);
  Work work;
  fill_compute(work, totals, scaled);
  fill_instructions(work.instructions, totals, scaled);
  fill_bytes(work.bytes, counted, scaled);
  fill_access(work.access, totals, counted, scaled);
  return work;
}

std::vector<HotLine> hot_lines(const Program& program, const Counted& counted, double scale) {
  std::map<std::string, HotLine> lines;
  for (std::size_t i = 0; i < counted.sites.size(); ++i) {
    if (counted.sites[i].warps == 0) continue;
    const std::string location = location_of(program, *program.sites[i].instruction);
    HotLine& line = lines[location];
    line.location = location;
    line.instructions += scale * static_cast<double>(counted.sites[i].warps);
    line.excess_sectors += scale * static_cast<double>(counted.traffic[i].excess_sectors);
  }
  std::vector<HotLine> result;
  for (auto& [location, line] : lines) result.push_back(std::move(line));
  const auto more = [](const HotLine& a, const HotLine& b) { return a.instructions > b.instructions; };
  std::stable_sort(result.begin(), result.end(), more);
  if (result.size() > kHotLines) result.resize(kHotLines);
  return result;
}

}  // namespace ridge::emulator
