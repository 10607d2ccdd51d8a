#include "model/profile/kernel_name.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

struct Case {
  std::string_view full, expected;
};

TEST(KernelNameTest, DropsReturnTypeTemplateArgumentsAndParameters) {
  const Case cases[] = {
      {"vector_add(const float *, const float *, float *, unsigned long)", "vector_add"},
      {"void gemm_tiled<32>(const float *, const float *, float *, int)", "gemm_tiled"},
      {"void transpose_shared<(int)1>(const float *, float *, int)", "transpose_shared"},
      {"void gemm<(int)64, (int)64, Op<float, (bool)1>>(int, float *)", "gemm"},
      {"std::enable_if<(1 > 0), void>::type scale<int>(int *)", "scale"},
      {"unsigned int *reduce(int *)", "reduce"},
      {"ns::inner::run(std::vector<int, std::allocator<int>>)", "ns::inner::run"},
  };
  for (const Case& c : cases) EXPECT_EQ(short_kernel_name(c.full), c.expected) << c.full;
}

TEST(KernelNameTest, GoesOnBehindTheTemplateArgumentsOfAClass) {
  EXPECT_EQ(short_kernel_name("void Solver<double, 3>::step<7>(double *)"), "Solver::step");
  EXPECT_EQ(short_kernel_name("A<B<C>>::D<E>::f(int)"), "A::D::f");
}

TEST(KernelNameTest, DoesNotEndAtUnnamedNamespaces) {
  const Case cases[] = {
      {"<unnamed>::saxpy_kernel(float, const float *)", "<unnamed>::saxpy_kernel"},
      {"void <unnamed>::saxpy<float>(float)", "<unnamed>::saxpy"},
      {"(anonymous namespace)::softmax(float *)", "(anonymous namespace)::softmax"},
      {"void at::native::(anonymous namespace)::fill<int>(int *)", "at::native::(anonymous namespace)::fill"},
      {"unnamed>::gemm_naive_kernel(const float *, int)", "<unnamed>::gemm_naive_kernel"},
      {"void f<<unnamed>::Op>(int)", "f"},
  };
  for (const Case& c : cases) EXPECT_EQ(short_kernel_name(c.full), c.expected) << c.full;
}

TEST(KernelNameTest, KeepsOperatorsAndLambdasWhole) {
  const Case cases[] = {
      {"Functor::operator()(int) const", "Functor::operator()"},
      {"bool Less::operator<(Less const &) const", "Less::operator<"},
      {"void Stream::operator<<<int>(int)", "Stream::operator<<"},
      {"Box::operator bool() const", "Box::operator bool"},
      {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"},
      {"void for_each<main::{lambda(int, A<B>)#2}>(int)", "for_each"},
      {"void apply<(anonymous namespace)::[lambda(int) (instance 1)]>(int)", "apply"},
      {"operators_kernel(int)", "operators_kernel"},
      {"my_operator(int)", "my_operator"},
  };
  for (const Case& c : cases) EXPECT_EQ(short_kernel_name(c.full), c.expected) << c.full;
}

TEST(KernelNameTest, LeavesNamesThatAreNotCppAlone) {
  const Case cases[] = {
      {"ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nn"},
      {"silu_kernel_non_strided", "silu_kernel_non_strided"},
      {"_Z6kernelPf", "_Z6kernelPf"},
      {"copy_blocked[v1,cw51cXTLSUwv1sDUaKthrq](Array<long long, 1, C, mutable, aligned>)", "copy_blocked"},
      {"vecCopy(double*, double*, int) [clone .kd]", "vecCopy"},
      {"vecCopy [clone .kd]", "vecCopy"},
      {"", ""},
      {"   ", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(short_kernel_name(c.full), c.expected) << c.full;
}

TEST(KernelNameTest, SurvivesBracketsThatDoNotBalance) {
  const Case cases[] = {
      {"f<int(", "f"},
      {"<", "<"},
      {"(((", "((("},
      {"f>>>>(int)", "f>>>>"},
      {"void a<b<c>(int)", "a"},
      {"x{y", "x"},
      {"kernel<\"a,b\">(int)", "kernel"},
  };
  for (const Case& c : cases) EXPECT_EQ(short_kernel_name(c.full), c.expected) << c.full;
  EXPECT_FALSE(short_kernel_name(std::string(100'000, '<')).empty());
}

}  // namespace
}  // namespace ridge
