// ridge-sampling-probe: what sampling costs on this machine, to tune SamplerSettings by.
//
//   ridge-sampling-probe CUPTI CHIP ADDRESS [INTERVAL_US [SECONDS [RECIPE [SAMPLES_PER_IMAGE [WORKERS]]]]]
//
// Samples the device at the PCI address while something else runs on it, and prints what was planned and how long
// samples took. Not installed.
#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "collectors/cupti/sampler.h"

namespace {

using namespace ridge;
using namespace ridge::collectors::cupti;

template <class T>
T number(const std::vector<std::string>& arguments, std::size_t at, T otherwise) {
  if (at >= arguments.size()) return otherwise;
  std::from_chars(arguments[at].data(), arguments[at].data() + arguments[at].size(), otherwise);
  return otherwise;
}

struct Seen {
  std::uint64_t first = 0, last = 0, gaps = 0, lost = 0;
  double read = 0, written = 0;

  void add(const std::vector<Sample>& samples, std::uint64_t interval) {
    for (const Sample& sample : samples) {
      if (first == 0) first = sample.start;
      if (last != 0 && sample.start > last + interval) ++gaps, lost += sample.start - last;
      last = sample.end;
      read += sample[Quantity::kDramRead];
      written += sample[Quantity::kDramWrite];
    }
  }
};

constexpr std::int64_t kMicroseconds = 20;  // between samples, if none are named

std::string run(const std::vector<std::string>& arguments) {
  const auto calls = open_calls(arguments[0]);
  if (!calls) return to_string(calls.error());
  const auto recipes = Recipes::built_in();
  if (!recipes) return to_string(recipes.error());
  const auto recipe = recipes->find(arguments.size() > 5 ? arguments[5] : "sampling");
  if (!recipe) return to_string(recipe.error());
  SamplerSettings settings;
  settings.samples_per_image = number(arguments, 6, settings.samples_per_image);
  settings.workers = number(arguments, 7, settings.workers);
  const auto sampler = Sampler::open(*calls, *recipe, arguments[1], arguments[2], settings);
  if (!sampler) return to_string(sampler.error());
  const nanoseconds interval(1000 * number<std::int64_t>(arguments, 3, kMicroseconds));
  if (const auto started = (*sampler)->start(interval); !started) return to_string(started.error());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(number(arguments, 4, 2));
  Seen seen;
  Sampler::Batch batch;
  while (std::chrono::steady_clock::now() < end && !batch.overflow && !batch.error) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    batch = (*sampler)->collect();
    seen.add(batch.samples, static_cast<std::uint64_t>(interval.count()));
  }
  (*sampler)->stop();
  seen.add((*sampler)->collect().samples, static_cast<std::uint64_t>(interval.count()));
  std::string planned;
  for (const SampledMetric& metric : (*sampler)->plan().metrics) planned += " " + metric.what;
  return fmt::format(
      "planned:{}\n{}\nneeds {:.2f} us; {:.3f} s sampled, {} gaps of {:.3f} ms, behind {}, overflow {}\n"
      "DRAM: {:.6g} bytes read, {:.6g} written{}",
      planned, (*sampler)->statistics().text(), double((*sampler)->needed_interval().count()) / 1e3,
      double(seen.last - seen.first) / 1e9, seen.gaps, double(seen.lost) / 1e6, batch.behind, batch.overflow, seen.read,
      seen.written, batch.error ? "\n" + to_string(*batch.error) : "");
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    // allow(print): a program
    fmt::print(stderr, "usage: {} CUPTI CHIP ADDRESS [INTERVAL_US [SECONDS [RECIPE [SAMPLES_PER_IMAGE [WORKERS]]]]]\n",
               arguments[0]);
    return 2;
  }
  fmt::print("{}\n", run({arguments + 1, arguments + count}));  // allow(print): a program
  return 0;
}
