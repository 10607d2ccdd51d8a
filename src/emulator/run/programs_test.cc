// Kernels that nobody here wrote, run to the end: what Triton's compiler makes of a product, a softmax and a histogram
// (tests/data/ptx), against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "emulator/exec/decode.h"
#include "emulator/exec/launch.h"
#include "emulator/ptx/parser.h"

namespace ridge::emulator {
namespace {

/// One kernel of a file, with its buffers and arguments in order.
class ForeignKernel {
 public:
  explicit ForeignKernel(const std::string& file) {
    std::ifstream in(std::string(RIDGE_SOURCE_DIR) + "/tests/data/ptx/" + file);
    std::stringstream text;
    text << in.rdbuf();
    auto module = ptx::parse(text.str());
    EXPECT_TRUE(module) << file;
    if (!module) return;
    auto program = decode(std::make_shared<ptx::Module>(std::move(*module)), "");
    EXPECT_TRUE(program) << to_string(program.error());
    if (program) program_ = std::make_unique<Program>(std::move(*program));
  }

  template <class T>
  std::uint64_t buffer(const std::vector<T>& values) {
    const auto address = memory_.allocate(values.size() * sizeof(T), "buffer");
    EXPECT_TRUE(address);
    std::memcpy(memory_.bytes(*address).data(), values.data(), values.size() * sizeof(T));
    argument(*address);
    return *address;
  }

  template <class T>
  void argument(T value) {
    ASSERT_TRUE(program_ != nullptr && next_ < program_->parameters.size());
    request_.parameters.resize(program_->parameter_bytes);
    std::memcpy(request_.parameters.data() + program_->parameters[next_++].offset, &value, sizeof value);
  }

  /// Triton passes two more pointers, which these kernels do not use.
  void run(Dim3 grid, std::uint32_t shared) {
    argument(std::uint64_t{0});
    argument(std::uint64_t{0});
    request_.grid = grid;
    request_.block = {128, 1, 1};
    request_.dynamic_shared = shared;
    ExecuteOptions options;
    options.sms = 4;
    const auto outcome = execute(*program_, memory_, request_, options);
    ASSERT_TRUE(outcome) << to_string(outcome.error());
    for (const Fault& each : outcome->faults) ADD_FAILURE() << describe(each, *program_, request_);
  }

  template <class T>
  std::vector<T> values(std::uint64_t address) const {
    const auto bytes = memory_.bytes(address);
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

 private:
  std::unique_ptr<Program> program_;
  GlobalMemory memory_;
  LaunchRequest request_;
  std::size_t next_ = 0;
};

float half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return static_cast<float>((bits & 0x8000) != 0 ? -magnitude : magnitude);
}

class TritonProduct : public testing::TestWithParam<const char*> {};

TEST_P(TritonProduct, EqualsPlainLoops) {
  constexpr std::uint32_t kM = 128, kN = 64, kK = 96;
  std::mt19937 random(7);
  const auto halves = [&](std::size_t count) {
    std::vector<std::uint16_t> values(count);
    // Normal numbers from 2^-3 to 2, of either sign.
    for (auto& each : values) each = static_cast<std::uint16_t>((random() & 0x83FF) | (12 + random() % 4) << 10);
    return values;
  };
  const auto a = halves(kM * kK), b = halves(kK * kN);
  ForeignKernel kernel(GetParam());
  kernel.buffer(a);
  kernel.buffer(b);
  const std::uint64_t c = kernel.buffer(std::vector<std::uint16_t>(kM * kN, 0xFFFF));
  for (const std::uint32_t each : {kM, kN, kK}) kernel.argument(each);
  kernel.run({kM / 64, kN / 64, 1}, 32 << 10);
  const auto result = kernel.values<std::uint16_t>(c);
  for (std::uint32_t i = 0; i < kM; ++i) {
    for (std::uint32_t j = 0; j < kN; ++j) {
      double sum = 0;
      for (std::uint32_t k = 0; k < kK; ++k) sum += double{half_value(a[i * kK + k])} * half_value(b[k * kN + j]);
      // Half of the last place of a half, and what fp32 sums lose.
      ASSERT_NEAR(half_value(result[i * kN + j]), sum, std::abs(sum) / 2048 + 1e-3) << i << ", " << j;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Targets, TritonProduct,
                         testing::Values("triton_matmul_fp16_sm80.ptx", "triton_matmul_fp16_sm90.ptx"));

TEST(TritonSoftmax, RowsAreThoseOfPlainLoops) {
  constexpr std::uint32_t kRows = 4, kColumns = 1000;
  std::mt19937 random(8);
  std::uniform_real_distribution<float> spread(-4, 4);
  std::vector<float> input(kRows * kColumns);
  for (float& each : input) each = spread(random);
  ForeignKernel kernel("triton_softmax_sm90.ptx");
  const std::uint64_t out = kernel.buffer(std::vector<float>(input.size(), -1));
  kernel.buffer(input);
  kernel.argument(kColumns);
  kernel.argument(kColumns);
  kernel.run({kRows, 1, 1}, 1 << 10);
  const auto result = kernel.values<float>(out);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    double sum = 0;
    for (std::uint32_t i = 0; i < kColumns; ++i) sum += std::exp(double{input[row * kColumns + i]});
    for (std::uint32_t i = 0; i < kColumns; ++i) {
      const double expected = std::exp(double{input[row * kColumns + i]}) / sum;
      ASSERT_NEAR(result[row * kColumns + i], expected, 1e-5 * expected) << row << ", " << i;
    }
  }
}

TEST(TritonHistogram, CountsEveryValue) {
  constexpr std::uint32_t kCount = 10000, kBins = 4;
  std::mt19937 random(9);
  std::vector<std::uint32_t> input(kCount), expected(kBins, 0);
  for (auto& each : input) ++expected[each = random() % kBins];
  ForeignKernel kernel("triton_histogram_sm80.ptx");
  kernel.buffer(input);
  const std::uint64_t bins = kernel.buffer(std::vector<std::uint32_t>(kBins, 0));
  kernel.argument(kCount);
  kernel.run({(kCount + 255) / 256, 1, 1}, 0);
  EXPECT_EQ(kernel.values<std::uint32_t>(bins), expected);
}

}  // namespace
}  // namespace ridge::emulator
