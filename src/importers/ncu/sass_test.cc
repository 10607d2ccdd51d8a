#include "importers/ncu/sass.h"

#include <gtest/gtest.h>

namespace ridge::ncu {
namespace {

TEST(SassTest, FindsTheOpcodeBehindPredicatesAndBeforeModifiers) {
  EXPECT_EQ(sass_opcode("      FFMA R8, R7, -1.57, R6"), "FFMA");
  EXPECT_EQ(sass_opcode("@!P0  BRA 0x7f"), "BRA");
  EXPECT_EQ(sass_opcode("@P0   EXIT"), "EXIT");
  EXPECT_EQ(sass_opcode("LDG.E.CONSTANT R6, desc[UR6][R6.64]"), "LDG");
  EXPECT_EQ(sass_opcode("  float x = a[i];"), "");
  EXPECT_EQ(sass_opcode("@P0"), "");
  EXPECT_EQ(sass_opcode(""), "");
}

TEST(SassTest, CountsImmediateFormsWithTheirOpcode) {
  EXPECT_EQ(counter_of_opcode("FFMA32I"), "ffma");
  EXPECT_EQ(counter_of_opcode("HFMA2"), "hfma");
  EXPECT_EQ(counter_of_opcode("FSETP"), "");
  EXPECT_TRUE(is_matrix_opcode("HGMMA"));
  EXPECT_TRUE(is_matrix_opcode("UTCHMMA"));
  EXPECT_FALSE(is_matrix_opcode("FFMA"));
}

TEST(SassTest, TellsLoadedConstantsFromHalfPrecisionWork) {
  EXPECT_TRUE(loads_constant("      HFMA2.MMA R5, -RZ, RZ, 0, 0"));
  EXPECT_TRUE(loads_constant("HFMA2 R29, -RZ, RZ, 0, 5.9604644775390625e-08"));
  EXPECT_FALSE(loads_constant("HFMA2 R5, R4, R3, RZ"));
  EXPECT_FALSE(loads_constant("HFMA2.RELU R5, R4, RZ, R2"));
  EXPECT_FALSE(loads_constant("FFMA R5, RZ, RZ, RZ"));
}

}  // namespace
}  // namespace ridge::ncu
