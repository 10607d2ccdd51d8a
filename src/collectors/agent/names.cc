#include "collectors/agent/names.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ridge::collectors::agent {
namespace {

// Parts of names in lower case without underscores: of communication libraries, of what engines call their own
// all-reduce and of expert-parallel dispatch. A name that is not here but waits for another GPU needs an entry.
constexpr std::array<std::string_view, 22> kCollectives = {
    "nccl",      "nvshmem",   "msccl",          "rcclkernel",       "allreduce", "reducescatter",
    "allgather", "alltoall",  "sendrecv",       "multimem",         "nvls",      "crossdevicereduce",
    "oneshotar", "twoshotar", "lamport",        "userbuffers",      "ubreduce",  "symmmem",
    "deepep",    "internode", "notifydispatch", "barrieralldevices"};
// An "all-reduce" within a block is an ordinary kernel.
constexpr std::array<std::string_view, 2> kWithinABlock = {"blockallreduce", "warpallreduce"};

std::string folded(std::string_view name) {
  std::string low;
  low.reserve(name.size());
  for (const char c : name) {
    if (c != '_') low += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return low;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string qualified_name(std::string_view demangled) {
  std::string name(demangled);
  replace_all(name, "(anonymous namespace)", "{anonymous}");
  std::string kept;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') {
      ++depth;
    } else if (c == '>') {
      depth = std::max(0, depth - 1);
    } else if (depth == 0) {
      if (c == '(') break;
      kept += c;
    }
  }
  const std::size_t end = kept.find_last_not_of(' ');
  if (end == std::string::npos) return name;
  kept.resize(end + 1);
  const std::size_t blank = kept.find_last_of(' ');
  return blank == std::string::npos ? kept : kept.substr(blank + 1);
}

std::string plain_name(std::string_view qualified) {
  const std::size_t at = qualified.rfind("::");
  return std::string(at == std::string_view::npos ? qualified : qualified.substr(at + 2));
}

bool is_collective(std::string_view qualified) {
  std::string name = folded(qualified);
  for (const auto part : kWithinABlock) replace_all(name, part, "");
  return std::any_of(kCollectives.begin(), kCollectives.end(),
                     [&name](std::string_view part) { return name.find(part) != std::string::npos; });
}

Pattern::Pattern(const std::string& expression) : compiled_(std::make_shared<Compiled>()) {
  compiled_->whole = regcomp(&compiled_->expression, expression.c_str(), REG_EXTENDED | REG_NOSUB) == 0;
}

bool Pattern::matches(const std::string& text) const {
  return valid() && regexec(&compiled_->expression, text.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace ridge::collectors::agent
