#include "collectors/session/redact.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ridge::collectors::session {
namespace {

constexpr std::string_view kHidden = "***";

constexpr std::array<std::string_view, 15> kSecretWords = {
    "token", "password", "passwd",     "passphrase", "secret", "apikey", "credential",   "accesskey",
    "auth",  "authkey",  "privatekey", "signingkey", "bearer", "cookie", "authorization"};
/// Secrets as the last word of a name or as the whole of it: --db_pass and --pass, not --bypass and not --monkey.
constexpr std::array<std::string_view, 3> kSecretLastWords = {"pass", "pwd", "pw"};
constexpr std::array<std::string_view, 10> kTokenPrefixes = {"hf_", "ghp_", "gho_",  "github_pat_", "glpat-",
                                                             "sk-", "AKIA", "xoxb-", "xoxp-",       "eyJ"};
constexpr std::size_t kShortestToken = 16;

constexpr std::array<std::string_view, 14> kHarmlessNames = {"OMP_NUM_THREADS",
                                                             "RANK",
                                                             "LOCAL_RANK",
                                                             "WORLD_SIZE",
                                                             "LOCAL_WORLD_SIZE",
                                                             "NODE_RANK",
                                                             "SLURM_PROCID",
                                                             "SLURM_LOCALID",
                                                             "SLURM_NTASKS",
                                                             "SLURM_NNODES",
                                                             "OMPI_COMM_WORLD_RANK",
                                                             "PMI_RANK",
                                                             "NVIDIA_VISIBLE_DEVICES",
                                                             "NVIDIA_TF32_OVERRIDE"};
constexpr std::array<std::string_view, 3> kHarmlessPrefixes = {"CUDA_", "PYTORCH_CUDA_", "CUBLAS_"};

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
  if (text == "key") return true;
  const std::string last = folded(name.substr(name.find_last_of("-_.") + 1));
  return std::any_of(kSecretWords.begin(), kSecretWords.end(),
                     [&](std::string_view word) { return text.ends_with(word); }) ||
         std::find(kSecretLastWords.begin(), kSecretLastWords.end(), last) != kSecretLastWords.end();
}

/// What follows is a scheme and a secret, "Bearer X", or several secrets: all of it is hidden.
bool names_a_header(std::string_view name) {
  const std::string text = folded(name);
  return text.ends_with("authorization") || text.ends_with("cookie");
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

constexpr std::string_view kBlanks = " \t\n";
constexpr std::string_view kQuotes = "\"'";
constexpr std::string_view kSeparators = "&?, \t\n;\"'(){}[]";

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

bool is_one_of(std::string_view text, std::size_t at, std::string_view set) {
  return at < text.size() && set.find(text[at]) != std::string_view::npos;
}

std::size_t skip(std::string_view text, std::size_t at, std::string_view set) {
  return std::min(text.find_first_not_of(set, at), text.size());
}

/// Where the value begins that the name before `at` is given: after '=' or ':', for options and "Bearer" after blanks.
/// `at` if there is none.
std::size_t value_after(std::string_view text, std::string_view name, std::size_t at) {
  const std::size_t quote = is_one_of(text, at, kQuotes) ? at + 1 : at;
  const std::size_t sign = skip(text, quote, kBlanks);
  if (is_one_of(text, sign, "=:")) return skip(text, sign + 1, kBlanks);
  const bool takes_the_next = name.front() == '-' || folded(name) == "bearer";
  return takes_the_next && sign > quote && sign < text.size() && text[sign] != '-' ? sign : at;
}

/// The end of the value at `from`: of what is quoted the quote, of a header's the line.
std::size_t end_of_value(std::string_view text, std::size_t from, bool header) {
  const std::string_view ends = header ? std::string_view("\"'\n") : kSeparators;
  return std::min(text.find_first_of(ends, from), text.size());
}

/// Values that their names call a secret, wherever they stand in the text, and known kinds of tokens.
std::string without_named(std::string_view text) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    if (!is_name_character(text[at])) {
      result += text[at++];
      continue;
    }
    const std::size_t from = at;
    while (at < text.size() && is_name_character(text[at])) ++at;
    const std::string_view name = text.substr(from, at - from);
    if (looks_like_a_token(name)) {
      result += kHidden;
      at = end_of_value(text, at, false);
      continue;
    }
    result += name;
    std::size_t value = value_after(text, name, at);
    if (value == at || value >= text.size() || !names_a_secret(name)) continue;
    const bool quoted = is_one_of(text, value, kQuotes);
    value += quoted ? 1 : 0;
    result.append(text.substr(at, value - at)).append(kHidden);
    at = quoted ? std::min(text.find(text[value - 1], value), text.size())
                : end_of_value(text, value, names_a_header(name));
  }
  return result;
}

std::string redacted(std::string_view text) {
  return without_named(without_user(text));
}

bool is_option(std::string_view argument) {
  return argument.size() > 1 && argument.front() == '-' && argument.find('=') == std::string_view::npos;
}

bool is_port(std::string_view text) {
  return text.size() <= 5 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The argument behind `option`: "-p X" is a password for many programs and a port for others, "-u me:X" that of curl.
std::string value_of_option(std::string_view option, const std::string& argument) {
  if (option == "-p" && !is_port(argument)) return std::string(kHidden);
  const std::size_t colon = argument.find(':');
  const bool user = option == "-u" || option == "--user" || option == "--proxy-user";
  if (user && colon != std::string::npos) return argument.substr(0, colon + 1).append(kHidden);
  return names_a_secret(option) ? std::string(kHidden) : redacted(argument);
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
  std::string_view option;
  for (const std::string& argument : command) {
    if (!line.empty()) line += ' ';
    const bool valued = !option.empty() && !is_option(argument);
    line += quoted(valued ? value_of_option(option, argument) : redacted(argument));
    option = is_option(argument) ? std::string_view(argument) : std::string_view();
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
