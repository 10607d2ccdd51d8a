#include "model/expression/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge {
namespace {

double value_of(std::string_view text, const Variables& variables = {}) {
  const auto expression = Expression::parse(text);
  if (!expression) return std::nan("");
  const auto value = expression->evaluate(variables);
  return value ? *value : std::nan("");
}

std::string error_of(std::string_view text, const Variables& variables = {}) {
  const auto expression = Expression::parse(text);
  if (!expression) return to_string(expression.error());
  const auto value = expression->evaluate(variables);
  return value ? "no error" : to_string(value.error());
}

TEST(ExpressionTest, EvaluatesWorkOfAMatrixProductExactly) {
  EXPECT_EQ(value_of("2*n^3", {{"n", 4096}}), 137438953472.0);
  EXPECT_EQ(value_of("3*n^2*4", {{"n", 4096}}), 201326592.0);
}

struct Case {
  std::string_view text;
  double value;
};
class ExpressionValueTest : public testing::TestWithParam<Case> {};

TEST_P(ExpressionValueTest, HasTheValueOfMathematics) {
  EXPECT_DOUBLE_EQ(value_of(GetParam().text, {{"n", 8}, {"m_1", 3}}), GetParam().value) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Grammar, ExpressionValueTest,
                         testing::Values(Case{"1+2*3", 7}, Case{"(1+2)*3", 9}, Case{"2^3^2", 512}, Case{"-2^2", -4},
                                         Case{"2^-1", 0.5}, Case{"8/4/2", 1}, Case{"8-4-2", 2}, Case{"--3", 3},
                                         Case{"+3", 3}, Case{"2*-3", -6}, Case{"1e3", 1000}, Case{"2.5e-1", 0.25},
                                         Case{".5", 0.5}, Case{"2**3", 8}, Case{"2 ** 3 ** 2", 512}, Case{"n*m_1", 24},
                                         Case{" n\t+ 1 ", 9}, Case{"5*n*log2(n)", 120}, Case{"ln(1)", 0},
                                         Case{"ceil(n/3)", 3}, Case{"floor(n/3)", 2}, Case{"round(2.5)", 3},
                                         Case{"sqrt(n*2)", 4}, Case{"min(n,2,5)", 2}, Case{"max(1, n)", 8},
                                         Case{"2*(n+(1))", 18}));

TEST(ExpressionTest, NamesAreListedOnceInOrder) {
  const auto expression = Expression::parse("2*m*n*k + m*n");
  ASSERT_TRUE(expression);
  EXPECT_EQ(expression->names(), (std::vector<std::string>{"m", "n", "k"}));
}

TEST(ExpressionTest, SpelledReplacesNamesAndSpacesOperators) {
  const auto expression = Expression::parse("2*n^3+max(n,-1)/f");
  ASSERT_TRUE(expression);
  EXPECT_EQ(expression->spelled([](std::string_view name) { return name == "n" ? "4096" : std::string(name); }),
            "2 * 4096^3 + max(4096, -1) / f");
}

TEST(ExpressionTest, MissingMultiplicationSignIsExplainedWithItsPlace) {
  EXPECT_EQ(error_of("2n"), "'n' is not expected (formula '2n', character 2): write an operator such as '*' before it");
  EXPECT_NE(error_of("n(3)").find("no function 'n'"), std::string::npos);
}

class ExpressionErrorTest : public testing::TestWithParam<std::string_view> {};

TEST_P(ExpressionErrorTest, IsOneLineThatNamesTheFormula) {
  const std::string text = error_of(GetParam(), {{"n", 2}});
  EXPECT_NE(text, "no error") << GetParam();
  EXPECT_NE(text.find("formula '"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Broken, ExpressionErrorTest,
                         testing::Values("", "  ", "+", "2*", "(", "(1", "1)", "()", "2 3", "n n", "1..2", "*2", "2^",
                                         "sqrt()", "sqrt(1,2)", "min(1)", "sin(1)", "1e999", "q", "1/0", "0/0",
                                         "sqrt(-1)", "log2(0)", "10^309", "1e308*10", "\x01", "2\n*3", "n=3", "0x10",
                                         "inf", "nan(1)", "\xe5\x8d\x81"));

TEST(ExpressionTest, AMillionParenthesesAreAnErrorAndNotACrash) {
  EXPECT_NE(error_of(std::string(1000000, '(')).find("more than the 4096"), std::string::npos);
  EXPECT_NE(error_of(std::string(4000, '(')).find("nested deeper than 100 levels"), std::string::npos);
  EXPECT_NE(error_of(std::string(4000, '-') + "1").find("nested deeper"), std::string::npos);
  std::string tower = "2";
  for (int i = 0; i < 1500; ++i) tower += "^1";
  EXPECT_NE(error_of(tower).find("nested deeper"), std::string::npos);
}

TEST(ExpressionTest, LongFlatFormulasAreNotDeep) {
  std::string sum = "1";
  for (int i = 0; i < 1000; ++i) sum += "+1";
  EXPECT_EQ(value_of(sum), 1001);
}

TEST(ExpressionTest, OverflowIsReportedAndNeverInfinity) {
  EXPECT_EQ(error_of("n^400", {{"n", 10}}),
            "the formula overflows or divides by zero (formula 'n^400'): check the formula and the parameters");
}

}  // namespace
}  // namespace ridge
