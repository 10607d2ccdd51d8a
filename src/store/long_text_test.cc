#include "store/long_text.h"

#include <gtest/gtest.h>

#include <string>

#include "ridgepoint/model/profile.h"
#include "store/store.h"

namespace ridge::store {
namespace {

std::string long_name() {
  std::string name = "void ";
  for (int i = 0; i < 100; ++i) name += "library::detail::kernel<float, library::Layout<" + std::to_string(i) + ">>, ";
  return name;
}

TEST(LongText, ALongNameIsPackedAndComesBack) {
  const std::string name = long_name();
  const auto packed = pack_text(name);
  ASSERT_TRUE(packed.has_value());
  EXPECT_LT(packed->size(), name.size() / 4);
  EXPECT_EQ(unpack_text(*packed), name);
}

TEST(LongText, AShortOneAndOneThatWouldNotShrinkStayTexts) {
  EXPECT_FALSE(pack_text("gemm").has_value());
  EXPECT_FALSE(pack_text(std::string(512, 'a')).has_value());
  EXPECT_TRUE(pack_text(std::string(513, 'a')).has_value());
  std::string noise;
  for (unsigned i = 0, state = 1; i < 600; ++i)
    noise += static_cast<char>((state = state * 1664525U + 1013904223U) >> 24U);
  EXPECT_FALSE(pack_text(noise).has_value());
}

TEST(LongText, WhatIsDamagedIsRefused) {
  const std::string packed = *pack_text(long_name());
  EXPECT_FALSE(unpack_text("").has_value());
  EXPECT_FALSE(unpack_text(packed.substr(0, packed.size() - 1)).has_value());
  std::string longer = packed;
  longer[0] = static_cast<char>(longer[0] + 1);
  EXPECT_FALSE(unpack_text(longer).has_value());
  EXPECT_FALSE(unpack_text(std::string("\xff\xff\xff\x7f", 4) + packed.substr(4)).has_value()) << "2 GB of name";
}

TEST(LongText, AKernelOfALongNameIsTheSameAfterReading) {
  Profile profile;
  profile.sources.push_back({"ridge", "a.ridge", "", ""});
  profile.kernels.push_back({"kernel", long_name(), "_Z6kernel"});
  profile.kernels.push_back({"short", "short", ""});
  const auto bytes = profile_to_bytes(profile);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(bytes->find("Layout<50>"), std::string::npos);
  const auto again = profile_from_bytes(*bytes, "test");
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  ASSERT_EQ(again->kernels.size(), 2U);
  EXPECT_EQ(again->kernels[0].full_name, long_name());
  EXPECT_EQ(again->kernels[1].full_name, "short");
}

}  // namespace
}  // namespace ridge::store
