#include "collectors/nvrtc/source.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace ridge::collectors::nvrtc {
namespace {

namespace fs = std::filesystem;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Past blanks and comments.
std::size_t next_token(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

bool calls_main(std::string_view text) {
  constexpr std::string_view kMain = "main";
  for (std::size_t at = text.find(kMain); at != std::string_view::npos; at = text.find(kMain, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const std::size_t after = next_token(text, at + kMain.size());
    if (begins && after < text.size() && text[after] == '(') return true;
  }
  return false;
}

void add_folder(std::vector<std::string>& folders, const std::string& folder) {
  std::error_code ignored;
  if (folder.empty() || !fs::is_directory(folder, ignored)) return;
  if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
}

}  // namespace

bool is_ptx(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.substr(next_token(text, 0)).starts_with(".version");
}

bool has_host_code(std::string_view text) {
  return text.find("<<<") != std::string_view::npos || calls_main(text);
}

std::vector<std::string> toolkit_folders(const Environment& environment) {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const auto found = environment.find(variable);
    if (found != environment.end()) add_folder(folders, found->second);
  }
  add_folder(folders, "/usr/local/cuda");
  std::vector<std::string> versions;
  std::error_code ignored;
  for (fs::directory_iterator at("/usr/local", ignored), end; !ignored && at != end; at.increment(ignored)) {
    if (at->path().filename().string().starts_with("cuda-")) versions.push_back(at->path().string());
  }
  std::sort(versions.rbegin(), versions.rend());
  for (const std::string& version : versions) add_folder(folders, version);
  add_folder(folders, "/opt/cuda");
  add_folder(folders, "/usr/lib/nvidia-cuda-toolkit");
  return folders;
}

std::string architecture_number(std::string_view capability) {
  std::string digits;
  for (const char c : capability) {
    if (c == '.') continue;
    if (c < '0' || c > '9') return {};
    digits += c;
  }
  return digits;
}

bool names_architecture(const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [](const std::string& option) {
    return option.starts_with("-arch") || option.starts_with("--gpu-architecture") || option.starts_with("-gencode") ||
           option.starts_with("--generate-code");
  });
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace ridge::collectors::nvrtc
