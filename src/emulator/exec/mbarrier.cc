#include "emulator/exec/mbarrier.h"

#include <cstring>

namespace ridge::emulator {
namespace {

constexpr unsigned kPendingShift = 20, kBytesShift = 40, kBytesBits = 22, kParityShift = 63;
constexpr std::uint64_t kBytesMask = (std::uint64_t{1} << kBytesBits) - 1;

}  // namespace

MbarrierRef::State MbarrierRef::decoded(std::uint64_t bits) {
  State state;
  state.expected = static_cast<std::uint32_t>(bits & kMbarrierMost);
  state.pending = static_cast<std::uint32_t>(bits >> kPendingShift & kMbarrierMost);
  // Sign-extended from 22 bits.
  state.bytes = static_cast<std::int64_t>(bits >> kBytesShift << (64 - kBytesBits)) >> (64 - kBytesBits);
  state.parity = bits >> kParityShift != 0;
  return state;
}

std::uint64_t MbarrierRef::raw() const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at_, sizeof bits);
  return bits;
}

MbarrierRef::State MbarrierRef::load() const {
  return decoded(raw());
}

// A phase is over once nobody is awaited and nothing.
void MbarrierRef::store(State state) {
  if (state.pending == 0 && state.bytes == 0) {
    state.parity = !state.parity;
    state.pending = state.expected;
  }
  const std::uint64_t bits = state.expected | std::uint64_t{state.pending} << kPendingShift |
                             (static_cast<std::uint64_t>(state.bytes) & kBytesMask) << kBytesShift |
                             std::uint64_t{state.parity} << kParityShift;
  std::memcpy(at_, &bits, sizeof bits);
}

void MbarrierRef::init(std::uint32_t count) {
  State state;
  state.expected = state.pending = count;
  store(state);
}

std::uint64_t MbarrierRef::arrive(std::uint32_t count, bool drop) {
  const std::uint64_t token = raw();
  State state = decoded(token);
  state.pending = count > state.pending ? 0 : state.pending - count;
  if (drop) state.expected = count > state.expected ? 0 : state.expected - count;
  store(state);
  return token;
}

void MbarrierRef::expect(std::int64_t bytes) {
  State state = load();
  state.bytes += bytes;
  store(state);
}

void MbarrierRef::complete(std::int64_t bytes) {
  expect(-bytes);
}

bool MbarrierRef::passed(std::uint64_t token) const {
  return decoded(token).parity != load().parity;
}

bool MbarrierRef::passed_parity(bool parity) const {
  return load().parity != parity;
}

std::uint32_t MbarrierRef::pending(std::uint64_t token) {
  return decoded(token).pending;
}

}  // namespace ridge::emulator
