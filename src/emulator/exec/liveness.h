// Which values are still needed where: liveness over the control flow of one function.
//
// A value is a number; what it stands for and how many 32-bit words it takes is the caller's. A value counts as live
// where some way leads on to a reader without a writer between, and some way from a writer led there: registers that a
// function reads before anything wrote them take no room until then.
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::emulator {

/// One instruction as liveness sees it.
struct LiveItem {
  std::vector<std::uint32_t> reads, writes;
  std::vector<std::uint32_t> next;  ///< by index; none: the thread ends here
  bool keeps = false;               ///< it may leave what it writes as it was: it has a guard
  std::uint32_t scratch = 0;        ///< words it needs beside what is live before it
};

/// `given`: values that are there before the first item. For each item the words of the values that are live before it,
/// and its scratch.
[[nodiscard]] std::vector<std::uint32_t> live_words(const std::vector<LiveItem>& items,
                                                    const std::vector<std::uint32_t>& words,
                                                    const std::vector<std::uint32_t>& given = {});

}  // namespace ridge::emulator
