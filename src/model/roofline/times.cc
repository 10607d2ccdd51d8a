// The time view: amount / rate for every resource.
#include <algorithm>
#include <array>

#include "model/roofline/compute_time.h"
#include "model/roofline/pipes.h"
#include "ridgepoint/model/roofline.h"

namespace ridge {
namespace {

/// 32 lanes x 4 bytes, or 4 sectors, in one wavefront of the L1 data stage at best.
constexpr double kSectorsPerWavefront = 4;
/// The vendor's shares of related units differ by less than this part of themselves when they mean the same traffic.
constexpr double kSameShare = 0.02;
/// Shares are printed with two digits of a percent.
constexpr double kShareRounding = 1e-4;

bool is_news(double share, double beside) {
  return share > beside * (1 + kSameShare) + kShareRounding;
}

class TimeView {
 public:
  TimeView(const KernelMeasure& kernel, const Machine& machine, RoofBasis basis)
      : kernel_(kernel), machine_(machine), basis_(basis) {}

  std::vector<ResourceTime> take() {
    add_memory();
    add_l1();
    add_arithmetic();
    add_pipes();
    add_vendor_shares();
    std::stable_sort(times_.begin(), times_.end(),
                     [](const ResourceTime& a, const ResourceTime& b) { return a.least_time > b.least_time; });
    return std::move(times_);
  }

 private:
  void add(std::string resource, double amount, Unit amount_unit, double rate, Unit rate_unit, bool estimated) {
    if (!(amount > 0) || !(rate > 0)) return;
    ResourceTime entry;
    entry.resource = std::move(resource);
    entry.amount = amount, entry.amount_unit = amount_unit;
    entry.rate = rate, entry.rate_unit = rate_unit;
    entry.least_time = Seconds(amount / rate);
    if (kernel_.duration && *kernel_.duration > Seconds(0)) entry.fraction = entry.least_time / *kernel_.duration;
    entry.estimated = estimated;
    times_.push_back(std::move(entry));
  }

  struct Transfer {
    Value<Bytes> bytes;
    Value<BytesPerSecond> rate;
    [[nodiscard]] Value<Seconds> time() const { return bytes / rate; }
  };

  /// Both directions together and each apart are bounds; the longest holds.
  [[nodiscard]] Transfer longest_transfer(Level level, const Value<Bytes>& both, const Value<Bytes>& read,
                                          const Value<Bytes>& write) const {
    const Conditions& conditions = kernel_.conditions;
    Transfer longest{both, memory_roof(machine_, level, conditions, basis_)};
    for (const auto& [direction, bytes] : {std::pair(Direction::kRead, read), std::pair(Direction::kWrite, write)}) {
      const Transfer one{bytes, one_way_roof(machine_, level, direction, conditions, basis_)};
      if (one.time() && (!longest.time() || *one.time() > *longest.time())) longest = one;
    }
    return longest;
  }

  void add_transfer(Level level, const Transfer& transfer) {
    if (!transfer.bytes || !transfer.rate) return;
    add(std::string(name(level)), transfer.bytes->count(), Unit::kBytes, transfer.rate->count(), Unit::kBytesPerSecond,
        false);
  }

  void add_memory() {
    const TrafficWork& bytes = kernel_.work.bytes;
    add_transfer(Level::kDram, longest_transfer(Level::kDram, bytes.dram, bytes.dram_read, bytes.dram_write));
    add_transfer(Level::kHostLink,
                 longest_transfer(Level::kHostLink, bytes.host_link, bytes.host_link_read, bytes.host_link_write));
    add_transfer(Level::kPeerLink,
                 longest_transfer(Level::kPeerLink, bytes.peer_link, bytes.peer_link_read, bytes.peer_link_write));
    add_l2();
  }

  /// L2 is limited by bytes and by tag look-ups; small accesses make many look-ups of few bytes.
  void add_l2() {
    const Conditions& conditions = kernel_.conditions;
    const Value<double>& requests = kernel_.work.access.l2_requests;
    // Not held against the rate to the SMs: one read of L2 serves several SMs of a cluster (TMA multicast), and l2_read
    // counts what each receives, 1.03 of that rate in a recorded fp8 product.
    const Transfer transfer{kernel_.work.bytes.l2, memory_roof(machine_, Level::kL2, conditions, basis_)};
    const Value<double> lookups = combine(conditions.l2_slices, conditions.l2_clock,
                                          [](double slices, Hertz clock) { return slices * clock.count(); });
    const double by_bytes = transfer.time().value_or(Seconds(0)).count();
    const double by_lookups = requests && lookups ? *requests / *lookups : 0;
    if (by_lookups > by_bytes) {
      add("l2", *requests, Unit::kCount, *lookups, Unit::kNone, false);
    } else {
      add_transfer(Level::kL2, transfer);
    }
  }

  [[nodiscard]] double per_sm_rate(double per_cycle) const {
    const Value<Hertz> clock = roof_clock(machine_, kernel_.conditions, basis_);
    return clock ? machine_.sm_count * per_cycle * clock->count() : 0;
  }

  /// The L1 data stage passes one wavefront per cycle and SM, of global, local and shared memory alike.
  void add_l1() {
    const AccessWork& access = kernel_.work.access;
    const double rate = per_sm_rate(1);
    if (access.shared_wavefronts) add("shared", *access.shared_wavefronts, Unit::kCount, rate, Unit::kNone, false);
    if (access.l1_wavefronts) {
      add("l1", *access.l1_wavefronts, Unit::kCount, rate, Unit::kNone, false);
    } else {
      add("l1", least_wavefronts(access), Unit::kCount, rate, Unit::kNone, true);
    }
  }

  /// A lower bound where wavefronts were not collected: a request takes one at least, and one carries 4 sectors at
  /// most.
  static double least_wavefronts(const AccessWork& access) {
    const auto direction = [](const Value<double>& requests, const Value<double>& sectors) {
      return std::max(requests.value_or(0), sectors.value_or(0) / kSectorsPerWavefront);
    };
    return direction(access.global_load_requests, access.global_load_sectors) +
           direction(access.global_store_requests, access.global_store_sectors) +
           (access.local_load_sectors.value_or(0) + access.local_store_sectors.value_or(0)) / kSectorsPerWavefront +
           access.shared_wavefronts.value_or(0);
  }

  void add_arithmetic() {
    Seconds tensor{0};
    double operations = 0;
    int paths = 0;
    for (const ComputeTime& part : compute_times(kernel_.work, machine_, kernel_.conditions, basis_)) {
      if (!part.time || *part.time == Seconds(0)) continue;
      const double amount = part.amount->count();
      add(resource_name(part.key), amount, Unit::kFlops, amount / part.time->count(), Unit::kFlopsPerSecond,
          part.estimated);
      if (part.key.unit != ComputeUnit::kTensor) continue;
      tensor += *part.time;
      operations += amount;
      ++paths;
    }
    // The paths share one unit, so a kernel that mixes them needs the sum of their times.
    if (paths > 1) {
      add("tensor", operations, Unit::kFlops, operations / tensor.count(), Unit::kFlopsPerSecond, false);
    }
  }

  void add_pipes() {
    const InstructionWork& work = kernel_.work.instructions;
    const std::string_view capability = machine_.compute_capability;
    const auto pipe = [&](const char* resource, const Value<double>& instructions, const Value<double>& per_cycle) {
      if (!instructions || !per_cycle) return;
      add(resource, *instructions, Unit::kCount, per_sm_rate(*per_cycle), Unit::kNone, false);
    };
    pipe("issue", work.warp_instructions, Value<double>(machine_.schedulers_per_sm, Provenance::kDatasheet));
    pipe("special_function", work.special_function, special_function_rate(capability));
    pipe("load_store", work.load_store, load_store_rate(capability));
    pipe("alu", work.alu, alu_rate(capability));
  }

  [[nodiscard]] bool has(std::string_view resource) const { return find_resource(times_, resource) != nullptr; }

  void add_share(const char* resource, const Value<double>& share) {
    if (!share || !kernel_.duration) return;
    add(resource, *share * kernel_.duration->count(), Unit::kSeconds, 1, Unit::kNone, true);
  }

  /// A recording without the counts, or a machine without rates, mostly still has the vendor's shares of peak.
  void add_vendor_shares() {
    const Execution& execution = kernel_.execution;
    if (!has("dram")) add_share("dram", execution.dram_throughput);
    if (!has("l1")) add_share("l1", execution.l1_throughput);
    if (!has("issue")) add_share("issue", execution.issue_active * execution.sm_active);
    // Two figures are over several units. What the memory one exceeds DRAM and L1 by is L2's; the SM one says something
    // new only above everything that is known.
    const double memory = std::max({share_of("dram"), share_of("l1"), share_of("load_store"),
                                    execution.dram_throughput.value_or(0), execution.l1_throughput.value_or(0)});
    if (!has("l2") && is_news(execution.memory_throughput.value_or(0), memory)) {
      add_share("l2", execution.memory_throughput);
    }
    double known = 0;
    for (const ResourceTime& entry : times_) known = std::max(known, entry.fraction);
    if (!kernel_.work.flops && is_news(execution.compute_throughput.value_or(0), known)) {
      add_share("sm", execution.compute_throughput);
    }
  }

  [[nodiscard]] double share_of(std::string_view resource) const {
    const ResourceTime* entry = find_resource(times_, resource);
    return entry == nullptr ? 0 : entry->fraction;
  }

  const KernelMeasure& kernel_;
  const Machine& machine_;
  RoofBasis basis_;
  std::vector<ResourceTime> times_;
};

}  // namespace

std::vector<ResourceTime> least_times(const KernelMeasure& kernel, const Machine& machine, RoofBasis basis) {
  return TimeView(kernel, machine, basis).take();
}

const ResourceTime* find_resource(const std::vector<ResourceTime>& times, std::string_view resource) {
  const auto at =
      std::find_if(times.begin(), times.end(), [&](const ResourceTime& entry) { return entry.resource == resource; });
  return at == times.end() ? nullptr : &*at;
}

std::string_view level_of_resource(std::string_view resource) {
  // Every instruction of the load/store pipe feeds the L1 data stage; which of the two is a hair fuller is no news.
  constexpr std::array kLevels{std::pair<std::string_view, std::string_view>{"dram", "dram"},
                               std::pair<std::string_view, std::string_view>{"l2", "l2"},
                               std::pair<std::string_view, std::string_view>{"l1", "l1"},
                               std::pair<std::string_view, std::string_view>{"load_store", "l1"},
                               std::pair<std::string_view, std::string_view>{"shared", "shared"},
                               std::pair<std::string_view, std::string_view>{"host_link", "host_link"},
                               std::pair<std::string_view, std::string_view>{"peer_link", "peer_link"}};
  for (const auto& entry : kLevels) {
    if (entry.first == resource) return entry.second;
  }
  return "";
}

}  // namespace ridge
