#include "emulator/job/npy.h"

#include <gtest/gtest.h>

#include <array>

namespace ridge::emulator {
namespace {

std::span<const std::byte> bytes_in(const std::string& text) {
  return std::as_bytes(std::span<const char>(text));
}

/// A file of format version `version` with that header and those data.
std::string file(int version, std::string header, const std::string& data) {
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(header.size() >> (8 * i));
  return bytes + header + data;
}

std::string problem(std::string bytes) {
  const auto array = parse_npy(std::move(bytes), "a.npy");
  return array ? "none" : to_string(array.error());
}

const std::string kTwoFloats("\0\0\x80\x3f\0\0\0\x40", 8);

TEST(NpyTest, ReadsEveryVersion) {
  for (const int version : {1, 2, 3}) {
    const auto array =
        parse_npy(file(version, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }", kTwoFloats), "a.npy");
    ASSERT_TRUE(array.has_value()) << to_string(array.error());
    EXPECT_EQ(array->type, ElementType::kF32);
    EXPECT_EQ(array->shape, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(array->count(), 2U);
    EXPECT_EQ(value_of(array->type, load(array->type, array->data(), 1)), 2);
  }
}

TEST(NpyTest, BigEndianElementsAreTurnedRound) {
  const auto array =
      parse_npy(file(1, "{'descr': '>i2', 'fortran_order': False, 'shape': (2,)}", std::string("\1\2\xff\xfe", 4)), "");
  ASSERT_TRUE(array.has_value()) << to_string(array.error());
  EXPECT_EQ(number_of(array->type, load(array->type, array->data(), 0)).real, 258);
  EXPECT_EQ(number_of(array->type, load(array->type, array->data(), 1)).real, -2);
}

TEST(NpyTest, WhatItWritesItReads) {
  const std::array<std::uint64_t, 3> numbers{1, 2, 3};
  for (const std::vector<std::uint64_t>& shape :
       {std::vector<std::uint64_t>{3}, {1, 3, 1}, std::vector<std::uint64_t>{3, 1}}) {
    const std::string bytes = encode_npy(ElementType::kU64, shape, std::as_bytes(std::span(numbers)));
    const auto array = parse_npy(bytes, "a.npy");
    ASSERT_TRUE(array.has_value()) << to_string(array.error());
    EXPECT_EQ(array->shape, shape);
    EXPECT_EQ(array->type, ElementType::kU64);
    EXPECT_EQ(array->offset % 64, 0U);
    EXPECT_EQ(load(array->type, array->data(), 2), 3U);
  }
}

TEST(NpyTest, ASingleNumberHasNoExtents) {
  const auto array = parse_npy(encode_npy(ElementType::kF32, {}, bytes_in(kTwoFloats).first(4)), "a.npy");
  ASSERT_TRUE(array.has_value()) << to_string(array.error());
  EXPECT_TRUE(array->shape.empty());
  EXPECT_EQ(array->count(), 1U);
}

TEST(NpyTest, BrainFloatsAreWrittenAsFloats) {
  const std::string data("\x80\x3f\x40\xc0", 4);  // 1, -3
  const auto array = parse_npy(encode_npy(ElementType::kBf16, {2}, bytes_in(data)), "a.npy");
  ASSERT_TRUE(array.has_value()) << to_string(array.error());
  EXPECT_EQ(array->type, ElementType::kF32);
  EXPECT_EQ(value_of(array->type, load(array->type, array->data(), 1)), -3);
}

TEST(NpyTest, WhatABufferCannotHoldIsRefused) {
  const auto with = [](const std::string& type, const std::string& order, const std::string& shape) {
    return problem(
        file(1, "{'descr': " + type + ", 'fortran_order': " + order + ", 'shape': " + shape + "}", kTwoFloats));
  };
  EXPECT_EQ(with("'<f4'", "True", "(2, 1)"), "none");  // the same either way
  EXPECT_EQ(with("'|b1'", "False", "(8,)"), "none");
  EXPECT_EQ(problem(file(1, "{'descr': '<f2', 'fortran_order': True, 'shape': (2, 2)}", kTwoFloats)),
            "the array is in Fortran order (a.npy): save numpy.ascontiguousarray of it");
  EXPECT_EQ(with("'|O'", "False", "(2,)"),
            "the array holds pickled Python objects (a.npy): save it with a number type");
  EXPECT_EQ(
      with("'<c8'", "False", "(1,)"),
      "the array's type '<c8' is none that a buffer can have (a.npy): save it as floating point or integers of up "
      "to 8 bytes");
  EXPECT_EQ(with("[('x', '<f4')]", "False", "(2,)"),
            "the array's header cannot be read: its elements are records of several fields (a.npy): write it with "
            "numpy.save");
  EXPECT_EQ(with("'<f4'", "False", "(3,)"),
            "the array's shape needs 12 bytes and the file has 8 (a.npy): save one array, whole");
  EXPECT_EQ(with("'<f4'", "False", "(4294967296, 4294967296, 4294967296)"),
            "the array's shape is larger than any memory (a.npy): save one array, whole");
}

TEST(NpyTest, DamagedHeadersAreErrors) {
  EXPECT_EQ(problem("PK\3\4"), "this is no .npy file (a.npy): write one with numpy.save");
  EXPECT_EQ(problem("\x93NUMPY\4"), "the array's header is cut short (a.npy): save it again");
  EXPECT_EQ(problem(std::string("\x93NUMPY\4\0", 8)),
            "version 4 of the .npy format is not known (a.npy): save it with versions 1 to 3");
  EXPECT_EQ(problem(std::string("\x93NUMPY\1\0\xff\0{", 11)), "the array's header is cut short (a.npy): save it again");
  for (const char* header : {"", "{", "{'descr'", "{'descr': '<f4'}", "{'shape': (-1,)}", "{'shape': (1 2)}",
                             "{'x': 1}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x"}) {
    EXPECT_NE(problem(file(1, header, kTwoFloats)).find("cannot be read"), std::string::npos) << header;
  }
}

}  // namespace
}  // namespace ridge::emulator
