#include "emulator/exec/hardware/recording.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "base/decompress.h"
#include "base/files.h"
#include "emulator/exec/exec_rig.h"

namespace ridge::emulator::testing {
namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view text, char separator) {
  Words words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::size_t width_of(std::string_view name) {
  switch (name.front()) {
    case 'p':
      return 1;
    case 'h':
      return 2;
    case 'r':
      return 4;
    default:
      return 8;
  }
}

Error damaged(std::string what) {
  return bad_input(std::move(what), "instructions.bin.gz", "Record it again.");
}

Result<std::string> unpacked(const std::string& path) {
  auto file = open_file(path);
  if (!file) return fail(file.error());
  return read_all(*decoded(std::move(*file), path), std::size_t{64} << 20);
}

/// Takes the data from its front to its end.
class Reader {
 public:
  explicit Reader(std::string_view data) : left_(data) {}

  Result<std::vector<std::uint64_t>> numbers(std::size_t count, std::size_t width) {
    if (left_.size() < count * width) return fail(damaged("the recording's answers are cut off"));
    std::vector<std::uint64_t> values(count, 0);
    for (std::uint64_t& each : values) {
      std::memcpy(&each, left_.data(), width);
      left_.remove_prefix(width);
    }
    return values;
  }
  [[nodiscard]] bool at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
};

// The recording is ours: a word that is no number is 0, and then the answers are not as many as the text says.
std::size_t number_of(std::string_view word) {
  std::size_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

using Columns = std::map<std::pair<std::string, std::size_t>, std::vector<std::uint64_t>>;

Result<Entry> read_entry(const Words& words, const Columns& columns, Reader& data) {
  Entry entry;
  entry.rows = number_of(words[1]);
  entry.text = words[4];
  std::size_t place = 0;
  for (const std::string_view each : split(words[2], ',')) {
    const Words parts = split(each, ':');
    const auto column = columns.find({std::string(parts.at(1)), ++place});
    if (column == columns.end()) return fail(damaged("the recording lacks a column for " + entry.text));
    const auto end = column->second.begin() + static_cast<std::ptrdiff_t>(entry.rows);
    entry.reads.push_back({std::string(parts[0]), std::string(parts[1]), {column->second.begin(), end}});
  }
  for (const std::string_view each : split(words[3], ',')) {
    auto values = data.numbers(entry.rows, width_of(each));
    if (!values) return fail(values.error());
    entry.writes.push_back({std::string(each), {}, std::move(*values)});
  }
  return entry;
}

Result<Recording> read_lines(std::string_view text, Reader& data) {
  Recording recording;
  Columns columns;
  for (const std::string_view line : split(text, '\n')) {
    const Words words = split(line, '\t');
    if (words[0] == "device") recording.device = words.at(1);
    if (words[0] == "failed") recording.failed[std::string(words.at(1))] = words.at(2);
    if (words[0] == "column") {
      const std::size_t width = number_of(words.at(3)), rows = number_of(words.at(4));
      auto values = data.numbers(rows, width);
      if (!values) return fail(values.error());
      columns[{std::string(words[1]), number_of(words[2])}] = std::move(*values);
    }
    if (words[0] == "entry") {
      auto entry = read_entry(words, columns, data);
      if (!entry) return fail(entry.error());
      recording.entries.push_back(std::move(*entry));
    }
  }
  if (!data.at_end()) return fail(damaged("the recording has more answers than its text says"));
  return recording;
}

// ---- the kernel: operands and answers in slots of eight bytes, a row a thread

std::string offset(std::size_t place) {
  return std::to_string(8 * place);
}

std::string type_of(const Register& each) {
  return ".b" + std::to_string(8 * width_of(each.name));
}

std::string load(const Register& each, std::size_t place) {
  const std::string from = ", [%in+" + offset(place) + "];\n";
  if (each.name.front() != 'p') return "ld.global" + type_of(each) + " %" + each.name + from;
  return "ld.global.b32 %t" + from + "and.b32 %t, %t, 1;\nsetp.ne.u32 %" + each.name + ", %t, 0;\n";
}

std::string store(const Register& each, std::size_t place) {
  const std::string to = " [%out+" + offset(place) + "], %";
  if (each.name.front() != 'p') return "st.global" + type_of(each) + to + each.name + ";\n";
  return "selp.b32 %t, 1, 0, %" + each.name + ";\nst.global.b32" + to + "t;\n";
}

std::string kernel(const Entry& entry) {
  std::string text =
      ".visible .entry k(.param .u64 in, .param .u64 out) {\n.reg .b16 %h<16>;\n.reg .b32 %r<32>, %i, %t;\n.reg .b64 "
      "%d<24>, %in, %out;\n.reg .pred %p<8>;\nmov.u32 %i, %tid.x;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
      "mad.wide.u32 %in, %i, " +
      offset(entry.reads.size()) + ", %in;\nmad.wide.u32 %out, %i, " + offset(entry.writes.size()) + ", %out;\n";
  for (std::size_t i = 0; i < entry.reads.size(); ++i) text += load(entry.reads[i], i);
  text += entry.text + "\n";
  for (std::size_t i = 0; i < entry.writes.size(); ++i) text += store(entry.writes[i], i);
  return text + "ret;\n}\n";
}

}  // namespace

std::string Entry::spelled() const {
  return text.substr(0, text.find(' '));
}

std::string Entry::opcode() const {
  return text.substr(0, text.find('.'));
}

Result<Recording> read_recording(const std::string& folder) {
  const auto text = unpacked(folder + "/instructions.txt.gz");
  if (!text) return fail(text.error());
  const auto answers = unpacked(folder + "/instructions.bin.gz");
  if (!answers) return fail(answers.error());
  Reader data(*answers);
  return read_lines(*text, data);
}

Result<std::vector<std::vector<std::uint64_t>>> emulate(const Entry& entry, std::string_view lanes) {
  DecodeOptions options;
  options.lanes = lanes;
  KernelRig rig(kernel(entry), options);
  std::vector<std::uint64_t> in;
  for (std::size_t row = 0; row < entry.rows; ++row) {
    for (const Register& each : entry.reads) in.push_back(each.values[row]);
  }
  rig.buffer(in);
  const std::uint64_t out = rig.buffer(std::vector<std::uint64_t>(entry.rows * entry.writes.size(), 0));
  rig.request.block = {static_cast<std::uint32_t>(entry.rows), 1, 1};
  if (!rig.run()) return fail(not_available(rig.error() + rig.fault(), entry.text, {}));
  const auto slots = rig.read<std::uint64_t>(out);
  std::vector<std::vector<std::uint64_t>> results(entry.writes.size());
  for (std::size_t i = 0; i < slots.size(); ++i) results[i % entry.writes.size()].push_back(slots[i]);
  return results;
}

}  // namespace ridge::emulator::testing
