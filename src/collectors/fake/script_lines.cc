#include "collectors/fake/script_lines.h"

#include "collectors/fake/metrics.h"

namespace ridge::collectors::fake {
namespace {

constexpr std::uint64_t kMost = UINT32_MAX;

/// Stores what a reader of words.h gives for the word, or returns its error.
template <class T, class R>
Result<void> store(T& target, const Result<R>& value) {
  if (!value) return fail(value.error());
  target = static_cast<T>(*value);
  return {};
}

template <class T>
Result<void> count_into(T& target, const Line& line, std::size_t at, std::uint64_t most = kMost) {
  RIDGE_TRY(line.needs(at));
  return store(target, read_count(line.word(at), most, line.place()));
}

/// CUptiResult, CUresult and the like: a number; `usual` where the line names none.
Result<void> code(int& target, const Line& line, int usual) {
  target = usual;
  return line.size() > 2 ? count_into(target, line, 2, 999) : Result<void>{};
}

/// "9.0"
Result<void> capability(const Line& line, Device& device) {
  const std::string& word = line.word(1);
  const std::size_t dot = word.find('.');
  if (dot == std::string::npos) return line.error("'" + word + "' is not a compute capability such as 9.0");
  RIDGE_TRY(store(device.major, read_count(word.substr(0, dot), 99, line.place())));
  return store(device.minor, read_count(word.substr(dot + 1), 9, line.place()));
}

/// sensors at 5ms sm-clock 1.2GHz memory-clock 3GHz power 650 temperature 60 throttle 0x4
Result<void> sensors(const Line& line, Device& device) {
  Sensors now{0, device.sm_clock, device.memory_clock, 300, 45, 0};
  if (!device.sensors.empty()) now = device.sensors.back();
  for (std::size_t at = 1; at < line.size(); at += 2) {
    RIDGE_TRY(line.needs(at + 1));
    const std::string& key = line.word(at);
    const std::string& word = line.word(at + 1);
    Result<void> done;
    if (key == "at") {
      done = store(now.at, read_duration(word, line.place()));
    } else if (key == "sm-clock") {
      done = store(now.sm_clock, read_frequency(word, line.place()));
    } else if (key == "memory-clock") {
      done = store(now.memory_clock, read_frequency(word, line.place()));
    } else if (key == "power") {
      done = store(now.watts, read_number(word, line.place()));
    } else if (key == "temperature") {
      done = store(now.celsius, read_number(word, line.place()));
    } else if (key == "throttle") {
      done = store(now.throttle, read_count(word, UINT64_MAX, line.place()));
    } else {
      return line.error("sensors have no '" + key + "'");
    }
    RIDGE_TRY(done);
  }
  device.sensors.push_back(now);
  return {};
}

/// "64", "64,2" or "64,2,1"
Result<void> triple(std::array<std::uint32_t, 3>& target, const std::string& word, const Place& place) {
  target = {1, 1, 1};
  std::size_t begin = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    RIDGE_TRY(store(target[i], read_count(word.substr(begin, end - begin), kMost, place)));
    if (target[i] == 0) return fail(script_error(place, "a grid or block has no extent of 0"));
    if (end == word.size()) return {};
    begin = end + 1;
  }
  return fail(script_error(place, "'" + word + "' has more than three extents"));
}

/// What may follow any step that gives the GPU work: stream N, device N, repeat N, runtime.
Result<bool> common_option(const Line& line, std::size_t& at, Step& step) {
  const std::string& key = line.word(at);
  std::uint32_t* number = key == "stream"   ? &step.stream
                          : key == "device" ? &step.device
                          : key == "repeat" ? &step.repeat
                                            : nullptr;
  if (number != nullptr) {
    RIDGE_TRY(count_into(*number, line, ++at));
    return true;
  }
  if (key != "runtime") return false;
  step.runtime = true;
  return true;
}

Result<void> common_options(const Line& line, std::size_t from, Step& step) {
  for (std::size_t at = from; at < line.size(); ++at) {
    const auto known = common_option(line, at, step);
    if (!known) return fail(known.error());
    if (!*known) return line.error("'" + line.first() + "' has no '" + line.word(at) + "'");
  }
  return {};
}

Result<void> launch(const Line& line, const Script& script, Step& step) {
  RIDGE_TRY(line.needs(1));
  const Kernel* kernel = script.find_kernel(line.word(1));
  if (kernel == nullptr) return line.error("no kernel '" + line.word(1) + "' was described above");
  step.kernel = static_cast<std::size_t>(kernel - script.kernels.data());
  for (std::size_t at = 2; at < line.size(); ++at) {
    const std::string& key = line.word(at);
    if (key == "cooperative") {
      step.cooperative = true;
    } else if (key == "grid" || key == "block") {
      RIDGE_TRY(line.needs(++at));
      RIDGE_TRY(triple(key == "grid" ? step.grid : step.block, line.word(at), line.place()));
    } else if (key == "shared") {
      RIDGE_TRY(line.needs(++at));
      RIDGE_TRY(store(step.shared, read_bytes(line.word(at), line.place())));
    } else {
      const auto known = common_option(line, at, step);
      if (!known) return fail(known.error());
      if (!*known) return line.error("a launch has no '" + key + "'");
    }
  }
  return {};
}

Result<void> copy(const Line& line, Step& step) {
  RIDGE_TRY(line.needs(2));
  const std::string& way = line.word(1);
  if (way != "h2d" && way != "d2h" && way != "d2d") return line.error("a copy is h2d, d2h or d2d");
  step.direction = way == "h2d" ? 'h' : way == "d2h" ? 'd' : 'i';
  RIDGE_TRY(store(step.amount, read_bytes(line.word(2), line.place())));
  return common_options(line, 3, step);
}

Result<void> named(const Line& line, Step& step) {
  RIDGE_TRY(line.needs(1));
  step.text = line.word(1);
  return {};
}

Result<void> timed(const Line& line, Step& step) {
  RIDGE_TRY(line.needs(1));
  RIDGE_TRY(store(step.amount, read_duration(line.word(1), line.place())));
  return line.done_after(2);
}

Result<void> sized(const Line& line, Step& step) {
  RIDGE_TRY(line.needs(1));
  RIDGE_TRY(store(step.amount, read_bytes(line.word(1), line.place())));
  return common_options(line, 2, step);
}

Result<void> print(const Line& line, Step& step) {
  RIDGE_TRY(line.needs(2));
  if (line.word(1) != "out" && line.word(1) != "err") return line.error("print goes to 'out' or 'err'");
  step.error_stream = line.word(1) == "err";
  step.text = line.word(2);
  return line.done_after(3);
}

Result<void> child(const Line& line, Step& step) {
  RIDGE_TRY(named(line, step));
  step.waited = line.size() > 2 && line.word(2) == "wait";
  return line.done_after(step.waited ? 3 : 2);
}

Result<void> profiler(const Line& line, Step& step) {
  RIDGE_TRY(line.needs(1));
  if (line.word(1) != "start" && line.word(1) != "stop") return line.error("'profiler' is followed by start or stop");
  step.what = line.word(1) == "start" ? Do::kProfilerStart : Do::kProfilerStop;
  return line.done_after(2);
}

/// The steps that consist of their word, and their rest of the line.
struct Word {
  const char* name;
  Do what;
  Result<void> (*rest)(const Line&, Step&);
};
Result<void> bare(const Line& line, Step& /*step*/) {
  return line.done_after(1);
}
Result<void> options_only(const Line& line, Step& step) {
  return common_options(line, 1, step);
}
Result<void> named_options(const Line& line, Step& step) {
  RIDGE_TRY(named(line, step));
  return common_options(line, 2, step);
}
Result<void> named_only(const Line& line, Step& step) {
  RIDGE_TRY(named(line, step));
  return line.done_after(2);
}
Result<void> loop(const Line& line, Step& step) {
  RIDGE_TRY(count_into(step.repeat, line, 1));
  return line.done_after(2);
}
Result<void> status(const Line& line, Step& step) {
  RIDGE_TRY(count_into(step.amount, line, 1, 255));
  return line.done_after(2);
}
/// hang [exit N]
Result<void> hang(const Line& line, Step& step) {
  if (line.size() == 1) return {};
  RIDGE_TRY(line.needs(2));
  if (line.word(1) != "exit") return line.error("'hang' may be followed by exit N");
  step.waited = true;
  RIDGE_TRY(count_into(step.amount, line, 2, 255));
  return line.done_after(3);
}
constexpr Word kWords[] = {
    {"copy", Do::kCopy, copy},
    {"set", Do::kSet, sized},
    {"allocate", Do::kAllocate, sized},
    {"sync", Do::kSync, options_only},
    {"sleep", Do::kSleep, timed},
    {"busy", Do::kBusy, timed},
    {"replay", Do::kReplayGraph, named_options},
    {"push", Do::kPush, named_only},
    {"pop", Do::kPop, bare},
    {"mark", Do::kMark, named_only},
    {"unmark", Do::kUnmark, bare},
    {"measure", Do::kMeasure, named_only},
    {"measured", Do::kMeasured, bare},
    {"profiler", Do::kProfilerStart, profiler},
    {"child", Do::kChild, child},
    {"thread", Do::kThread, named_only},
    {"wait", Do::kWait, bare},
    {"print", Do::kPrint, print},
    {"arguments", Do::kArguments, bare},
    {"environment", Do::kEnvironment, named_only},
    {"input", Do::kInput, bare},
    {"exit", Do::kExit, status},
    {"crash", Do::kCrash, bare},
    {"abort", Do::kAbort, bare},
    {"hang", Do::kHang, hang},
    {"loop", Do::kLoop, loop},
};

}  // namespace

Result<void> Line::needs(std::size_t words) const {
  if (words_.size() > words) return {};
  return error("something is missing behind '" + words_.back() + "'");
}

Result<void> Line::done_after(std::size_t words) const {
  if (words_.size() <= words) return {};
  return error("'" + words_[words] + "' is not expected here");
}

Result<void> setting_line(const Line& line, Script& script) {
  const std::string& key = line.first();
  RIDGE_TRY(line.needs(1));
  RIDGE_TRY(line.done_after(2));
  const auto duration = [&](std::uint64_t& target) { return store(target, read_duration(line.word(1), line.place())); };
  if (key == "driver") return count_into(script.driver_version, line, 1);
  if (key == "cupti") return count_into(script.cupti_version, line, 1);
  if (key == "replay-cost") return duration(script.replay_cost);
  if (key == "sampler-start") return duration(script.sampler_start);
  if (key == "sampler-delay") return duration(script.sampler_delay);
  if (key != "driver-version") return line.error("'" + key + "' begins no line of a script");
  script.driver_text = line.word(1);
  return {};
}

Result<void> device_line(const Line& line, Device& device) {
  const std::string& key = line.first();
  if (key == "mig") {
    device.mig = true;
    return line.done_after(1);
  }
  RIDGE_TRY(line.needs(1));
  if (key == "sensors") return sensors(line, device);
  if (key == "attribute") {
    int number = 0;
    RIDGE_TRY(count_into(number, line, 1, 1000));
    return count_into(device.attributes[number], line, 2);
  }
  const std::string& word = line.word(1);
  RIDGE_TRY(line.done_after(2));
  if (key == "name") device.name = word;
  if (key == "chip") device.chip = word;
  if (key == "address") device.address = word;
  if (key == "name" || key == "chip" || key == "address") return {};
  if (key == "capability") return capability(line, device);
  if (key == "sms") return count_into(device.sms, line, 1);
  if (key == "bus") return count_into(device.bus_bits, line, 1);
  if (key == "memory") return store(device.memory, read_bytes(word, line.place()));
  if (key == "l2") return store(device.l2, read_bytes(word, line.place()));
  if (key == "sm-clock") return store(device.sm_clock, read_frequency(word, line.place()));
  if (key == "memory-clock") return store(device.memory_clock, read_frequency(word, line.place()));
  if (key == "dram-rate") return store(device.dram_rate, read_rate(word, line.place()));
  if (key == "copy-rate") return store(device.copy_rate, read_rate(word, line.place()));
  if (key != "other-process") return line.error("a device has no '" + key + "'");
  std::uint32_t process = 0;
  RIDGE_TRY(count_into(process, line, 1));
  device.others.push_back(process);
  return {};
}

Result<void> kernel_line(const Line& line, Kernel& kernel) {
  const std::string& key = line.first();
  RIDGE_TRY(line.needs(1));
  const std::string& word = line.word(1);
  if (key != "count") RIDGE_TRY(line.done_after(2));
  if (key == "symbol") {
    kernel.symbol = word;
    return {};
  }
  if (key == "duration") return store(kernel.duration, read_duration(word, line.place()));
  if (key == "registers") return count_into(kernel.registers, line, 1, 255);
  if (key == "shared") return store(kernel.shared_static, read_bytes(word, line.place()));
  if (key == "local") return store(kernel.local, read_bytes(word, line.place()));
  if (key != "count") return line.error("a kernel has no '" + key + "'");
  RIDGE_TRY(line.needs(2));
  MetricName name;
  if (!parse_metric(word, false, name)) return line.error("'" + word + "' is no metric of the fake chip");
  Count count;
  RIDGE_TRY(store(count.amount, read_number(line.word(2), line.place())));
  if (line.size() > 3) {
    RIDGE_TRY(line.needs(4));
    const std::string& per = line.word(4);
    if (line.word(3) != "per") return line.error("'" + line.word(3) + "' is not expected here");
    if (per != "block" && per != "warp" && per != "thread") return line.error("a count is per block, warp or thread");
    count.per = per == "block" ? Count::Per::kBlock : per == "warp" ? Count::Per::kWarp : Count::Per::kThread;
  }
  kernel.counts[word] = count;
  return line.done_after(5);
}

Result<void> fault_line(const Line& line, Faults& faults) {
  RIDGE_TRY(line.needs(1));
  const std::string& what = line.word(1);
  if (what == "init") return code(faults.init, line, 100);
  if (what == "subscribe") return code(faults.subscribe, line, 39);
  if (what == "activity") return code(faults.activity, line, 35);
  if (what == "nvml") return code(faults.nvml, line, 12);
  if (what == "replay") return code(faults.replay, line, 35);
  if (what == "sampling") return code(faults.sampling, line, 35);
  if (what == "permission") {
    faults.replay = faults.sampling = 35;
    return line.done_after(2);
  }
  if (what == "busy") {
    faults.busy = true;
    return line.done_after(2);
  }
  if (what == "overflow") return count_into(faults.overflow_after, line, 2);
  if (what == "pass") {
    RIDGE_TRY(line.needs(3));
    faults.pass_kernel = line.word(2);
    return count_into(faults.pass, line, 3, 1000);
  }
  if (what != "drop") return line.error("there is no fault '" + what + "'");
  RIDGE_TRY(count_into(faults.drop, line, 2));
  return line.size() > 3 ? count_into(faults.drop_after, line, 3) : Result<void>{};
}

Result<Step> step_line(const Line& line, const Script& script) {
  Step step;
  step.place = line.place();
  if (line.first() == "launch") {
    step.what = Do::kLaunch;
    RIDGE_TRY(launch(line, script, step));
    return step;
  }
  for (const Word& word : kWords) {
    if (line.first() != word.name) continue;
    step.what = word.what;
    RIDGE_TRY(word.rest(line, step));
    return step;
  }
  return line.error("a program has no '" + line.first() + "'");
}

}  // namespace ridge::collectors::fake
