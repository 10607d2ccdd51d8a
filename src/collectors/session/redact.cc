#include "collectors/session/redact.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ridge::collectors::session {
namespace {

constexpr std::string_view kHidden = "***";

constexpr std::array<std::string_view, 13> kSecretWords = {
    "token",     "password", "passwd", "passphrase", "secret",     "apikey", "credential",
    "accesskey", "authkey",  "auth",   "privatekey", "signingkey", "bearer"};
constexpr std::array<std::string_view, 10> kTokenPrefixes = {"hf_", "ghp_", "gho_",  "github_pat_", "glpat-",
                                                             "sk-", "AKIA", "xoxb-", "xoxp-",       "eyJ"};
constexpr std::size_t kShortestToken = 16;

constexpr std::array<std::string_view, 12> kHarmlessNames = {
    "OMP_NUM_THREADS", "RANK",          "LOCAL_RANK",   "WORLD_SIZE",   "LOCAL_WORLD_SIZE",     "NODE_RANK",
    "SLURM_PROCID",    "SLURM_LOCALID", "SLURM_NTASKS", "SLURM_NNODES", "OMPI_COMM_WORLD_RANK", "PMI_RANK"};
constexpr std::array<std::string_view, 4> kHarmlessPrefixes = {"CUDA_", "NVIDIA_", "PYTORCH_CUDA_", "CUBLAS_"};

/// Letters and digits of a name, lower case: "--api-key", "API_KEY" and "apiKey" are one.
std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return result;
}

/// "--max-tokens 256" and "--tokenizer gpt2" are no secrets, "--hf-token X" and "key" are: the word ends the name.
bool names_a_secret(std::string_view name) {
  const std::string text = folded(name);
  if (text == "key" || text == "pwd") return true;
  return std::any_of(kSecretWords.begin(), kSecretWords.end(),
                     [&](std::string_view word) { return text.ends_with(word); });
}

bool looks_like_a_token(std::string_view text) {
  return text.size() >= kShortestToken && std::any_of(kTokenPrefixes.begin(), kTokenPrefixes.end(),
                                                      [&](std::string_view start) { return text.starts_with(start); });
}

/// scheme://user:secret@host: everything before the @.
std::string without_user(std::string_view text) {
  std::string result;
  for (;;) {
    const std::size_t scheme = text.find("://");
    if (scheme == std::string_view::npos) return result.append(text);
    const std::size_t host = scheme + 3;
    const std::size_t end = std::min(text.find_first_of("/?# \t\"'", host), text.size());
    const std::size_t at = text.substr(0, end).rfind('@');
    result += text.substr(0, host);
    if (at != std::string_view::npos && at >= host) {
      result.append(kHidden).append(text.substr(at, end - at));
    } else {
      result += text.substr(host, end - host);
    }
    text.remove_prefix(end);
  }
}

/// Each part between '&', '?' , ',' or blanks that reads name=secret.
std::string without_assignments(std::string_view text) {
  constexpr std::string_view kSeparators = "&?, \t\n;";
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kSeparators), text.size());
    const std::string_view part = text.substr(0, end);
    const std::size_t sign = part.find_first_of("=:");
    if (sign != std::string_view::npos && sign + 1 < part.size() && names_a_secret(part.substr(0, sign))) {
      result.append(part.substr(0, sign + 1)).append(kHidden);
    } else if (sign != std::string_view::npos && looks_like_a_token(part.substr(sign + 1))) {
      result.append(part.substr(0, sign + 1)).append(kHidden);
    } else {
      result += looks_like_a_token(part) ? kHidden : part;
    }
    if (end < text.size()) result += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string redacted(std::string_view text) {
  return without_assignments(without_user(text));
}

bool is_option(std::string_view argument) {
  return argument.size() > 1 && argument.front() == '-' && argument.find('=') == std::string_view::npos;
}

/// As a shell reads it back.
std::string quoted(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (text == kHidden) return std::string(text);
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

std::string redacted_command(const std::vector<std::string>& command) {
  std::string line;
  bool hide_next = false;
  for (const std::string& argument : command) {
    if (!line.empty()) line += ' ';
    const bool hide = hide_next && !is_option(argument);
    line += hide ? std::string(kHidden) : quoted(redacted(argument));
    hide_next = is_option(argument) && names_a_secret(argument);
  }
  return line;
}

std::vector<std::pair<std::string, std::string>> harmless_environment(
    const std::map<std::string, std::string, std::less<>>& environment) {
  std::vector<std::pair<std::string, std::string>> kept;
  for (const auto& [name, value] : environment) {
    const std::string_view text = name;
    const bool harmless = std::find(kHarmlessNames.begin(), kHarmlessNames.end(), text) != kHarmlessNames.end() ||
                          std::any_of(kHarmlessPrefixes.begin(), kHarmlessPrefixes.end(),
                                      [&](std::string_view start) { return text.starts_with(start); });
    if (harmless && !names_a_secret(text)) kept.emplace_back(name, redacted(value));
  }
  return kept;
}

}  // namespace ridge::collectors::session
