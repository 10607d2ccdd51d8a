#include "collectors/fake/script.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "collectors/fake/script_lines.h"

namespace ridge::collectors::fake {
namespace {

/// Which block of the script the lines belong to.
enum class Section : unsigned char { kNone, kDevice, kKernel, kGraph, kProgram };

class Parser {
 public:
  explicit Parser(const std::string& file) : place_{file, 0} {}

  Result<void> line(std::string_view text) {
    ++place_.line;
    auto words = split_words(text, place_);
    if (!words) return fail(std::move(words).error());
    if (words->empty()) return {};
    const Line line(*std::move(words), place_);
    if (line.first() == "end") return close();
    switch (section_) {
      case Section::kNone:
        return top(line);
      case Section::kDevice:
        return device_line(line, script_.devices.back());
      case Section::kKernel:
        return kernel_line(line, script_.kernels.back());
      case Section::kGraph:
      case Section::kProgram:
        return step(line);
    }
    return {};
  }

  Result<Script> finish() {
    if (section_ != Section::kNone) return fail(script_error(place_, "a block has no 'end'"));
    if (script_.devices.empty()) open_device();
    for (Device& device : script_.devices) complete(device);
    for (const auto& [name, steps] : script_.graphs) RIDGE_TRY(check(steps));
    for (const auto& [name, steps] : script_.programs) RIDGE_TRY(check(steps));
    return std::move(script_);
  }

 private:
  Result<void> top(const Line& line) {
    const std::string& word = line.first();
    if (word == "device") {
      section_ = Section::kDevice;
      open_device();
      return line.done_after(1);
    }
    if (word == "kernel") return open_kernel(line);
    if (word == "graph") return open_steps(line, Section::kGraph, script_.graphs);
    if (word == "program") return open_steps(line, Section::kProgram, script_.programs);
    if (word == "fault") return fault_line(line, script_.faults);
    return setting_line(line, script_);
  }

  void open_device() {
    Device device;
    const std::size_t number = script_.devices.size() + 1;
    device.address = "00000000:0" + std::to_string(number % 10) + ":00.0";
    script_.devices.push_back(std::move(device));
  }

  Result<void> open_kernel(const Line& line) {
    RIDGE_TRY(line.needs(1));
    if (script_.find_kernel(line.word(1)) != nullptr) return line.error("kernel '" + line.word(1) + "' is there twice");
    section_ = Section::kKernel;
    script_.kernels.emplace_back();
    script_.kernels.back().name = script_.kernels.back().symbol = line.word(1);
    return line.done_after(2);
  }

  Result<void> open_steps(const Line& line, Section section,
                          std::map<std::string, std::vector<Step>, std::less<>>& in) {
    const std::string name = line.size() > 1 ? line.word(1) : "main";
    const auto [place, fresh] = in.try_emplace(name);
    if (!fresh) return line.error(line.first() + " '" + name + "' is there twice");
    section_ = section;
    open_ = {&place->second};
    return line.done_after(2);
  }

  Result<void> step(const Line& line) {
    auto made = step_line(line, script_);
    if (!made) return fail(std::move(made).error());
    if (section_ == Section::kGraph && made->what != Do::kLaunch) return line.error("a graph holds launches only");
    open_.back()->push_back(*std::move(made));
    if (open_.back()->back().what == Do::kLoop) open_.push_back(&open_.back()->back().children);
    return {};
  }

  Result<void> close() {
    if (section_ == Section::kNone) return fail(script_error(place_, "there is no block for this 'end'"));
    if (!open_.empty()) open_.pop_back();
    if (open_.empty()) section_ = Section::kNone;
    return {};
  }

  static void complete(Device& device) {
    if (device.sensors.empty() || device.sensors.front().at > 0) {
      device.sensors.insert(device.sensors.begin(), {0, device.sm_clock, device.memory_clock, 300, 45, 0});
    }
    std::stable_sort(device.sensors.begin(), device.sensors.end(),
                     [](const Sensors& a, const Sensors& b) { return a.at < b.at; });
  }

  Result<void> check(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (step.device >= script_.devices.size()) return fail(script_error(step.place, "there is no such device"));
      if (step.what == Do::kReplayGraph && !script_.graphs.contains(step.text)) {
        return fail(script_error(step.place, "there is no graph '" + step.text + "'"));
      }
      const bool runs = step.what == Do::kChild || step.what == Do::kThread;
      if (runs && !script_.programs.contains(step.text)) {
        return fail(script_error(step.place, "there is no program '" + step.text + "'"));
      }
      RIDGE_TRY(check(step.children));
    }
    return {};
  }

  Place place_;
  Section section_ = Section::kNone;
  Script script_;
  std::vector<std::vector<Step>*> open_;  ///< the lists that steps are added to, innermost last
};

}  // namespace

const Kernel* Script::find_kernel(std::string_view name) const {
  const auto at =
      std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& kernel) { return kernel.name == name; });
  return at == kernels.end() ? nullptr : &*at;
}

Result<Script> parse_script(std::string_view text, const std::string& file) {
  Parser parser(file);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    RIDGE_TRY(parser.line(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.finish();
}

Result<Script> read_script(const std::string& directory) {
  const std::string path = directory + "/script";
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(bad_input(std::string("the fake GPU's script cannot be read: ") + std::strerror(errno), path,
                          "set RIDGE_FAKE_GPU to a directory with a file 'script'"));
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_script(text, path);
}

}  // namespace ridge::collectors::fake
