#include "emulator/exec/runtime.h"

#include <fmt/printf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "emulator/exec/block.h"

namespace ridge::emulator {
namespace {

constexpr std::size_t kMostText = 1 << 16;  // of one printed line, and of a string argument
constexpr std::size_t kMostPrinted = 64 << 20;

// A lane's argument of a call, as 64 bits.
std::uint64_t argument(const Warp& warp, const Call& call, std::size_t n, std::uint32_t lane) {
  std::uint64_t value = 0;
  if (n >= call.arguments.size()) return 0;
  const Argument& each = call.arguments[n];
  std::memcpy(&value, warp.base + each.slot + std::size_t{each.stride} * lane,
              std::min<std::size_t>(each.bytes, sizeof value));
  return value;
}

void set_result(Warp& warp, const Call& call, std::uint32_t lane, std::uint64_t value) {
  if (call.results.empty()) return;
  const Argument& result = call.results[0];
  std::memcpy(warp.base + result.slot + std::size_t{result.stride} * lane, &value,
              std::min<std::size_t>(result.bytes, sizeof value));
}

// Reads what a lane points at; after a fault nothing more is read.
class Reader {
 public:
  Reader(Warp& warp, const Step& step, std::uint32_t lane) : warp_(warp), step_(step), lane_(lane) {}

  std::string text(std::uint64_t address) {
    std::string result;
    while (result.size() < kMostText) {
      const char c = value<char>(address + result.size());
      if (c == 0 || warp_.worker->stopped) break;
      result.push_back(c);
    }
    return result;
  }

  template <class T>
  T value(std::uint64_t address) {
    T result{};
    const std::byte* at = generic_memory(warp_, step_, lane_, address, sizeof(T), 1, false);
    if (at != nullptr) std::memcpy(&result, at, sizeof result);
    return result;
  }

 private:
  Warp& warp_;
  const Step& step_;
  std::uint32_t lane_;
};

// printf's format against the buffer of arguments that the compiler lays out like a struct.
class Formatter {
 public:
  Formatter(Reader& reader, std::uint64_t arguments) : reader_(reader), next_(arguments) {}

  std::string run(const std::string& format) {
    std::string out;
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%') {
        out.push_back(format[i]);
        continue;
      }
      const std::size_t end = format.find_first_of("diouxXcsfFeEgGaAp%n", i + 1);
      if (end == std::string::npos) break;
      if (out.size() < kMostText) out += one(format.substr(i, end - i + 1));
      i = end;
    }
    return out;
  }

 private:
  template <class T>
  T take() {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const T value = reader_.value<T>(next_);
    next_ += sizeof(T);
    return value;
  }

  template <class T>
  static std::string formatted(const std::string& specification, T value) {
    try {
      return fmt::sprintf(specification, value);  // allow(sprintf): makes a string; the format is printf's
    } catch (const fmt::format_error&) {
      return specification;  // as the C library does with what it does not know
    }
  }

  // The kernel's own length modifiers decide what is read; the host's are set anew. Widths of over two digits are cut.
  std::string one(const std::string& specification) {
    const char kind = specification.back();
    if (kind == '%') return "%";
    if (kind == 'n') return {};
    std::string flags;
    bool is_long = false;
    for (const char c : specification.substr(1, specification.size() - 2)) {
      is_long = is_long || c == 'l' || c == 'j' || c == 'z' || c == 't';
      if (c == '*') {
        flags += std::to_string(std::clamp(take<std::int32_t>(), -99, 99));
      } else if (std::string_view("-+ #.0123456789").find(c) != std::string_view::npos) {
        flags.push_back(c);
      }
    }
    if (flags.size() > 8) flags.clear();
    const std::string begin = "%" + flags;
    switch (kind) {
      case 'c':
        return formatted(begin + "c", take<std::int32_t>());
      case 's':
        return formatted(begin + "s", reader_.text(take<std::uint64_t>()).c_str());
      case 'p':
        return formatted("%#" + flags + "llx", static_cast<unsigned long long>(take<std::uint64_t>()));
      case 'd':
      case 'i':
        return formatted(begin + "lld", is_long ? static_cast<long long>(take<std::int64_t>())
                                                : static_cast<long long>(take<std::int32_t>()));
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        return formatted(begin + "ll" + kind, is_long ? static_cast<unsigned long long>(take<std::uint64_t>())
                                                      : static_cast<unsigned long long>(take<std::uint32_t>()));
      default:
        return formatted(begin + kind, take<double>());
    }
  }

  Reader& reader_;
  std::uint64_t next_;
};

void print(Warp& warp, const Step& step, const Call& call, Mask mask) {
  for (Mask rest = mask; rest != 0 && !warp.worker->stopped; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    Reader reader(warp, step, lane);
    const std::string format = reader.text(argument(warp, call, 0, lane));
    const std::string text = Formatter(reader, argument(warp, call, 1, lane)).run(format);
    if (warp.worker->printed.size() < kMostPrinted) warp.worker->printed += text;
    set_result(warp, call, lane, text.size());
  }
}

// __assertfail(message, file, line, function, size of a character)
void fail_assertion(Warp& warp, const Step& step, const Call& call, Mask mask) {
  const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
  Reader reader(warp, step, lane);
  const std::string what = reader.text(argument(warp, call, 0, lane));
  const std::string file = reader.text(argument(warp, call, 1, lane));
  const auto line = static_cast<std::uint32_t>(argument(warp, call, 2, lane));
  raise(warp, step, FaultKind::kAssertion, lane, ptx::Space::kRegister, 0, 0,
        "'" + what + "' (" + file + ":" + std::to_string(line) + ")");
}

}  // namespace

void call_runtime(Warp& warp, const Step& step, const Call& call, Mask mask) {
  if (call.external == "vprintf") return print(warp, step, call, mask);
  if (call.external == "__assertfail" || call.external == "__assert_fail")
    return fail_assertion(warp, step, call, mask);
  raise(warp, step, FaultKind::kUnsupported, static_cast<std::uint32_t>(__builtin_ctz(mask)), ptx::Space::kRegister, 0,
        0, "'" + std::string(call.external) + "' has no body here");
}

}  // namespace ridge::emulator
