#include "collectors/session/recording.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#include "collectors/session/redact.h"

namespace ridge::collectors::session {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

/// ISO 8601, UTC.
std::string date(double now) {
  const auto seconds = static_cast<std::time_t>(now);
  std::tm parts = {};
  if (gmtime_r(&seconds, &parts) == nullptr) return "";
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace

Profile first_piece(const Options& options, double now) {
  Profile piece;
  Source source;
  source.kind = "ridge";
  source.path = options.command.empty() ? "" : options.command.front();
  source.taken = date(now);
  source.tool_version = options.tool_version;
  piece.sources.push_back(std::move(source));
  Recording recording;
  recording.command = redacted_command(options.command);
  recording.host = host_name();
  recording.exit_status = Value<double>::missing("the recording was cut short");
  recording.wall = Value<Seconds>::missing("the recording was cut short");
  for (const auto& [name, value] : harmless_environment(options.environment)) set_fact(recording, name, value);
  piece.recordings.push_back(std::move(recording));
  return piece;
}

void set_fact(Recording& recording, const std::string& name, const std::string& value) {
  const auto found = std::find_if(recording.facts.begin(), recording.facts.end(),
                                  [&](const auto& fact) { return fact.first == name; });
  if (found == recording.facts.end()) {
    recording.facts.emplace_back(name, value);
  } else {
    found->second = value;
  }
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

}  // namespace ridge::collectors::session
