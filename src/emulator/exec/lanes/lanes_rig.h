// For tests of instructions on lanes: one instruction over many operands, on every instruction set of the host, held
// against a function of bits. Each is run plain and under a guard that every second lane fails.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::emulator::testing {

/// Bits of up to five operands.
using Bits = std::array<std::uint64_t, 5>;
using Expected = std::function<std::uint64_t(const Bits&)>;

/// `shape`: a letter an operand, the destination first: h 16 bits (low in a word), w a word, l 64 bits, p a predicate
/// (as 0 or 1). The instruction is a name ("add.u32"), or text where $0, $1, ... are the operands and $g stands before
/// each instruction that the guard is to hold for.
void expect_instruction(std::string_view instruction, std::string_view shape, const Expected& expected);

/// The bits that `instruction` gives for one set of operands, of each instruction set.
[[nodiscard]] std::vector<std::uint64_t> results_of(std::string_view instruction, std::string_view shape,
                                                    const Bits& operands);

/// Why it cannot be decoded; empty if it can.
[[nodiscard]] std::string error_of(std::string_view instruction, std::string_view shape);

}  // namespace ridge::emulator::testing
