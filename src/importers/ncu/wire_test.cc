#include "importers/ncu/wire.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/wire_writer.h"

namespace ridge::ncu {
namespace {

TEST(WireTest, ReadsEveryKindOfField) {
  const std::string message = testing::WireWriter()
                                  .varint(1, std::numeric_limits<std::uint64_t>::max())
                                  .bytes(2, "abc")
                                  .fixed64(3, 2.5)
                                  .fixed32(16, 1.5F)
                                  .text();
  WireReader reader(message);
  WireField field;
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.value, std::numeric_limits<std::uint64_t>::max());
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.bytes, "abc");
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.as_double(), 2.5);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 16U);
  EXPECT_EQ(field.as_float(), 1.5F);
  EXPECT_FALSE(reader.next(field));
  EXPECT_FALSE(reader.damaged());
}

TEST(WireTest, StopsAtEveryKindOfDamage) {
  const std::string_view cases[] = {
      "\x0a\005ab",                                        // a length beyond the end
      "\x08",                                              // a varint that is not there
      "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",  // a varint of eleven bytes
      "\x0b",                                              // a group
      "\x19\x01\x02",                                      // half a double
      "\x0f\x01",                                          // wire type 7
      "\x02\x01",                                          // field number 0
      "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",      // a length of 2^64 - 1
  };
  for (const std::string_view bad : cases) {
    WireReader reader(bad);
    WireField field;
    EXPECT_FALSE(reader.next(field)) << bad.size();
    EXPECT_TRUE(reader.damaged());
  }
}

}  // namespace
}  // namespace ridge::ncu
