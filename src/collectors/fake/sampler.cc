#include "collectors/fake/sampler.h"

#include <algorithm>

namespace ridge::collectors::fake {
namespace {

bool starts_later(const WorkRecord& a, const WorkRecord& b) {
  return a.start > b.start;
}

bool is_ratio(std::string_view base) {
  MetricName name;
  return parse_metric(std::string(base) + ".pct", false, name) ||
                 parse_metric(std::string(base) + ".avg.pct_of_peak_sustained_elapsed", false, name)
             ? name.type != MetricClass::kCounter
             : false;
}

constexpr double kNano = 1e-9;

}  // namespace

Sampler::Sampler(const Script& script, std::uint32_t device, std::vector<std::string> bases, std::uint64_t start,
                 std::uint64_t interval)
    : script_(&script), device_(device), bases_(std::move(bases)), next_(start), interval_(interval) {
  for (const std::string& base : bases_) {
    double per_second = 0;
    (void)counts_time(base, script.devices[device], per_second);
    time_.push_back(per_second * static_cast<double>(interval) * kNano);
    ratio_.push_back(is_ratio(base));
  }
}

void Sampler::add(const std::vector<WorkRecord>& records) {
  for (const WorkRecord& record : records) {
    if (record.device != device_ || record.end <= next_ || record.kernel >= script_->kernels.size()) continue;
    waiting_.push_back(record);
    std::push_heap(waiting_.begin(), waiting_.end(), starts_later);
  }
}

std::uint64_t Sampler::ready(std::uint64_t until) const {
  return until <= next_ ? 0 : (until - next_) / interval_;
}

void Sampler::begin(const WorkRecord& record) {
  const double threads = static_cast<double>(record.threads), blocks = static_cast<double>(record.blocks);
  const double per_block = (threads / std::max(1.0, blocks) + 31) / 32;
  const Execution execution{&script_->kernels[record.kernel],
                            &script_->devices[device_],
                            static_cast<double>(record.end - record.start) * kNano,
                            blocks,
                            threads,
                            blocks * static_cast<double>(static_cast<std::uint64_t>(per_block))};
  Running running{record.start, record.end, {}};
  for (const std::string& base : bases_) running.amounts.push_back(counted(base, execution));
  running_.push_back(std::move(running));
}

Sample Sampler::take() {
  Sample sample{next_, next_ + interval_, 0, std::vector<double>(bases_.size())};
  while (!waiting_.empty() && waiting_.front().start < sample.end) {
    std::pop_heap(waiting_.begin(), waiting_.end(), starts_later);
    if (waiting_.back().end > sample.start) begin(waiting_.back());
    waiting_.pop_back();
  }
  for (const Running& running : running_) {
    const std::uint64_t from = std::max(running.start, sample.start), to = std::min(running.end, sample.end);
    if (to <= from) continue;
    const double overlap = static_cast<double>(to - from);
    sample.active += overlap * kNano * kActiveShare;
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      const double whole =
          ratio_[i] ? static_cast<double>(interval_) : static_cast<double>(running.end - running.start);
      sample.amounts[i] += running.amounts[i] * overlap / whole;
    }
  }
  sample.active = std::min(sample.active, static_cast<double>(interval_) * kNano);
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    if (time_[i] > 0) sample.amounts[i] = time_[i];
  }
  std::erase_if(running_, [&](const Running& running) { return running.end <= sample.end; });
  next_ = sample.end;
  return sample;
}

}  // namespace ridge::collectors::fake
