// The mbarrier object as 64 bits of shared memory. What the bits mean is ours: PTX calls it opaque.
//
// Bits 0-19 the arrivals a phase expects, 20-39 those still pending, 40-61 bytes still awaited (signed), 63 the parity
// of the phase that is under way.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::emulator {

class MbarrierRef {
 public:
  /// `at`: eight aligned bytes.
  explicit MbarrierRef(std::byte* at) : at_(at) {}

  void init(std::uint32_t count);
  /// `count` arrivals; the state before them, a token for waiting.
  std::uint64_t arrive(std::uint32_t count, bool drop = false);
  void expect(std::int64_t bytes);
  void complete(std::int64_t bytes);
  /// Whether the phase of the token, or of that parity, is over.
  [[nodiscard]] bool passed(std::uint64_t token) const;
  [[nodiscard]] bool passed_parity(bool parity) const;
  [[nodiscard]] static std::uint32_t pending(std::uint64_t token);

 private:
  struct State {
    std::uint32_t expected = 0, pending = 0;
    std::int64_t bytes = 0;
    bool parity = false;
  };
  [[nodiscard]] static State decoded(std::uint64_t bits);
  [[nodiscard]] State load() const;
  [[nodiscard]] std::uint64_t raw() const;
  void store(State state);

  std::byte* at_;
};

inline constexpr std::uint32_t kMbarrierMost = (1U << 20) - 1;

}  // namespace ridge::emulator
