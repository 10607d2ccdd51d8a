#include "cli/surroundings.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <system_error>

extern char** environ;  // POSIX declares it in no header

namespace ridge::cli {

namespace {

constexpr int kDefaultWidth = 100;
constexpr int kNarrowest = 20;
constexpr int kWidest = 1000;

}  // namespace

std::map<std::string, std::string, std::less<>> environment() {
  std::map<std::string, std::string, std::less<>> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) result.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

namespace {

int width_of(int stream, const std::map<std::string, std::string, std::less<>>& environment) {
  int width = 0;
  winsize size = {};
  if (ioctl(stream, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (const auto columns = environment.find("COLUMNS"); width == 0 && columns != environment.end()) {
    std::from_chars(columns->second.data(), columns->second.data() + columns->second.size(), width);
  }
  if (width == 0) return kDefaultWidth;
  return width < kNarrowest ? kNarrowest : (width > kWidest ? kWidest : width);
}

}  // namespace

int terminal_width(const std::map<std::string, std::string, std::less<>>& environment) {
  return width_of(STDOUT_FILENO, environment);
}

int error_width(const std::map<std::string, std::string, std::less<>>& environment) {
  return width_of(STDERR_FILENO, environment);
}

bool error_is_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

std::string program_folder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : program.parent_path().string();
}

bool output_is_terminal() {
  return isatty(STDOUT_FILENO) == 1;
}

}  // namespace ridge::cli
