// Where each lane's elements lie, as the PTX ISA says it shape by shape ("Matrix Fragments for mma..."). Written from
// its formulas, not from plan.h: tests hold one against the other.
#pragma once

#include <string_view>

namespace ridge::emulator::testing {

struct ElementPlace {
  unsigned row = 0, column = 0;
};
using Places = ElementPlace (*)(unsigned lane, unsigned i);

inline unsigned group_of(unsigned lane) {
  return lane >> 2;
}
inline unsigned in_group(unsigned lane) {
  return lane % 4;
}

// ---- A of m16

inline ElementPlace a_m16n8k4_32(unsigned lane, unsigned i) {  // tf32 and f64
  return {i == 0 ? group_of(lane) : group_of(lane) + 8, in_group(lane)};
}
inline ElementPlace a_m16n8k8_16(unsigned lane, unsigned i) {
  return {i < 2 ? group_of(lane) : group_of(lane) + 8, in_group(lane) * 2 + (i & 1U)};
}
inline ElementPlace a_m16n8k8_32(unsigned lane, unsigned i) {  // tf32 and f64
  return {i == 0 || i == 2 ? group_of(lane) : group_of(lane) + 8, i < 2 ? in_group(lane) : in_group(lane) + 4};
}
inline ElementPlace a_m16n8k16_16(unsigned lane, unsigned i) {
  const bool upper = i < 2 || (4 <= i && i < 6);
  return {upper ? group_of(lane) : group_of(lane) + 8, in_group(lane) * 2 + (i & 1U) + (i < 4 ? 0 : 8)};
}
inline ElementPlace a_m16n8k16_f64(unsigned lane, unsigned i) {
  return {i % 2 == 0 ? group_of(lane) : group_of(lane) + 8,
          i % 2 == 0 ? i * 2 + in_group(lane) : i * 2 - 2 + in_group(lane)};
}
inline ElementPlace a_m16n8k16_8(unsigned lane, unsigned i) {
  return {i < 4 ? group_of(lane) : group_of(lane) + 8, in_group(lane) * 4 + (i & 3U)};
}
inline ElementPlace a_m16n8k32_8(unsigned lane, unsigned i) {
  const bool upper = i < 4 || (8 <= i && i < 12);
  return {upper ? group_of(lane) : group_of(lane) + 8, in_group(lane) * 4 + (i & 3U) + (i < 8 ? 0 : 16)};
}
inline ElementPlace a_m16n8k32_4(unsigned lane, unsigned i) {
  return {i < 8 ? group_of(lane) : group_of(lane) + 8, in_group(lane) * 8 + (i & 7U)};
}
inline ElementPlace a_m16n8k64_4(unsigned lane, unsigned i) {
  const bool upper = i < 8 || (16 <= i && i < 24);
  return {upper ? group_of(lane) : group_of(lane) + 8, in_group(lane) * 8 + (i & 7U) + (i < 16 ? 0 : 32)};
}
inline ElementPlace a_m16n8k128_1(unsigned lane, unsigned i) {
  return {i < 32 ? group_of(lane) : group_of(lane) + 8, in_group(lane) * 32 + (i & 31U)};
}
inline ElementPlace a_m16n8k256_1(unsigned lane, unsigned i) {
  const bool upper = i < 32 || (64 <= i && i < 96);
  return {upper ? group_of(lane) : group_of(lane) + 8, in_group(lane) * 32 + (i & 31U) + (i < 64 ? 0 : 128)};
}

// ---- A of m8

inline ElementPlace a_m8n8k4_f64(unsigned lane, unsigned) {
  return {group_of(lane), in_group(lane)};
}
inline ElementPlace a_m8n8k16_8(unsigned lane, unsigned i) {
  return {group_of(lane), in_group(lane) * 4 + i};
}
inline ElementPlace a_m8n8k32_4(unsigned lane, unsigned i) {
  return {group_of(lane), in_group(lane) * 8 + i};
}
inline ElementPlace a_m8n8k128_1(unsigned lane, unsigned i) {
  return {group_of(lane), in_group(lane) * 32 + i};
}

// ---- B

inline ElementPlace b_k4_32(unsigned lane, unsigned) {
  return {in_group(lane), group_of(lane)};
}
inline ElementPlace b_k8_16(unsigned lane, unsigned i) {
  return {in_group(lane) * 2 + i, group_of(lane)};
}
inline ElementPlace b_k8_32(unsigned lane, unsigned i) {
  return {i == 0 ? in_group(lane) : in_group(lane) + 4, group_of(lane)};
}
inline ElementPlace b_k16_32(unsigned lane, unsigned i) {  // f64, and tf32 of sparse products
  return {in_group(lane) + i * 4, group_of(lane)};
}
inline ElementPlace b_k16_16(unsigned lane, unsigned i) {
  return {in_group(lane) * 2 + (i & 1U) + (i < 2 ? 0 : 8), group_of(lane)};
}
inline ElementPlace b_k32_16(unsigned lane, unsigned i) {
  return {in_group(lane) * 2 + (i & 1U) + i / 2 * 8, group_of(lane)};
}
inline ElementPlace b_k16_8(unsigned lane, unsigned i) {
  return {in_group(lane) * 4 + i, group_of(lane)};
}
inline ElementPlace b_k32_8(unsigned lane, unsigned i) {
  return {in_group(lane) * 4 + (i & 3U) + (i < 4 ? 0 : 16), group_of(lane)};
}
inline ElementPlace b_k64_8(unsigned lane, unsigned i) {
  return {in_group(lane) * 4 + (i & 3U) + i / 4 * 16, group_of(lane)};
}
inline ElementPlace b_k32_4(unsigned lane, unsigned i) {
  return {in_group(lane) * 8 + i, group_of(lane)};
}
inline ElementPlace b_k64_4(unsigned lane, unsigned i) {
  return {in_group(lane) * 8 + (i & 7U) + (i < 8 ? 0 : 32), group_of(lane)};
}
inline ElementPlace b_k128_4(unsigned lane, unsigned i) {
  return {in_group(lane) * 8 + (i & 7U) + i / 8 * 32, group_of(lane)};
}
inline ElementPlace b_k128_1(unsigned lane, unsigned i) {
  return {in_group(lane) * 32 + i, group_of(lane)};
}
inline ElementPlace b_k256_1(unsigned lane, unsigned i) {
  return {in_group(lane) * 32 + (i & 31U) + (i < 32 ? 0 : 128), group_of(lane)};
}

// ---- C and D

inline ElementPlace c_m16n8(unsigned lane, unsigned i) {
  return {i < 2 ? group_of(lane) : group_of(lane) + 8, in_group(lane) * 2 + (i & 1U)};
}
inline ElementPlace c_m8n8(unsigned lane, unsigned i) {
  return {group_of(lane), in_group(lane) * 2 + (i & 1U)};
}
/// Of one warp's 16 rows of m64nN.
inline ElementPlace c_m64(unsigned lane, unsigned i) {
  return {i % 4 < 2 ? group_of(lane) : group_of(lane) + 8, i / 4 * 8 + in_group(lane) * 2 + (i & 1U)};
}

}  // namespace ridge::emulator::testing
