#include "machines/device_name.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace ridge::machines {
namespace {

constexpr std::array<std::string_view, 15> kSaysNothing{"nvidia", "tesla",    "geforce",     "amd",  "instinct",
                                                        "gpu",    "graphics", "accelerator", "card", "tensor",
                                                        "core",   "oam",      "hbm",         "hgx",  "dgx"};

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

std::vector<std::string> words(std::string_view name) {
  std::vector<std::string> result(1);
  for (const char c : plain_device_name(name)) {
    if (is_letter_or_digit(c)) {
      result.back() += c;
    } else if (!result.back().empty()) {
      result.emplace_back();
    }
  }
  if (result.back().empty()) result.pop_back();
  return result;
}

/// "80gb" or "80g" as a number of GiB.
std::optional<double> memory_of(std::string_view word) {
  int number = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
  const std::string_view rest(parsed.ptr, static_cast<std::size_t>(word.data() + word.size() - parsed.ptr));
  if (parsed.ec != std::errc() || (rest != "gb" && rest != "g" && rest != "gib")) return std::nullopt;
  return number;
}

/// "sxm4" is an "sxm": generations of a socket are not told apart unless the model is ("V100-SXM3" runs faster).
std::string form_of(std::string_view word) {
  if (word == "pcie" || word == "nvl" || word == "sxm") return std::string(word);
  return word.starts_with("sxm") && word.size() == 4 ? std::string(word) : "";
}

bool starts_with_hbm(std::string_view word) {
  return word.starts_with("hbm");
}

}  // namespace

std::string plain_device_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

DeviceName parse_device_name(std::string_view name) {
  DeviceName result;
  for (const std::string& word : words(name)) {
    if (word == "mig") {
      result.slice = true;
      break;  // what follows names the slice: "1g.10gb"
    }
    if (const auto memory = memory_of(word)) {
      result.memory_gib = memory;
    } else if (std::string form = form_of(word); !form.empty()) {
      result.form.insert(std::move(form));
    } else if (!starts_with_hbm(word) &&
               std::find(kSaysNothing.begin(), kSaysNothing.end(), word) == kSaysNothing.end()) {
      result.model.insert(word);
    }
  }
  return result;
}

}  // namespace ridge::machines
