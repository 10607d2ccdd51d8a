// cuBLAS, loaded at run time with own declarations of the few calls used.
#include <fmt/format.h>

#include "collectors/cuda/cuda_device.h"
#include "collectors/library.h"

namespace ridge::collectors::cuda {
namespace {

using Handle = struct OpaqueBlas*;
using BlasStatus = int;
// cublasOperation_t, cublasMath_t, cudaDataType, cublasComputeType_t, cublasGemmAlgo_t.
constexpr int kNormal = 0, kTransposed = 1, kPedanticMath = 2, kDefaultMath = 0;
constexpr int kReal32 = 0, kReal16Bf = 14;
constexpr int kCompute32 = 68, kCompute32Pedantic = 69;
constexpr int kDefaultAlgorithm = -1;

struct Calls {
  BlasStatus (*create)(Handle*) = nullptr;
  BlasStatus (*destroy)(Handle) = nullptr;
  BlasStatus (*version)(Handle, int*) = nullptr;
  BlasStatus (*set_math)(Handle, int) = nullptr;
  BlasStatus (*gemm)(Handle, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
                     const void*, void*, int, int, int, int) = nullptr;
};

class CuBlas final : public device::Blas {
 public:
  CuBlas(Library library, Calls calls, Handle handle) : library_(std::move(library)), calls_(calls), handle_(handle) {}
  ~CuBlas() override { (void)calls_.destroy(handle_); }
  CuBlas(const CuBlas&) = delete;
  CuBlas& operator=(const CuBlas&) = delete;

  [[nodiscard]] std::string version() const override {
    int number = 0;
    if (calls_.version(handle_, &number) != 0) return library_.name();
    return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
  }

  // Column-major C^T = B^T A^T is row-major C = A B.
  Result<void> multiply_fp32(device::Address a, device::Address b, device::Address c, std::int32_t n) override {
    RIDGE_TRY(check(calls_.set_math(handle_, kPedanticMath)));
    return check(calls_.gemm(handle_, kNormal, kNormal, n, n, n, &kOne, pointer(b), kReal32, n, pointer(a), kReal32, n,
                             &kZero, pointer(c), kReal32, n, kCompute32Pedantic, kDefaultAlgorithm));
  }

  Result<void> multiply_bf16(device::Address a, device::Address b, device::Address c, std::int32_t m, std::int32_t n,
                             std::int32_t k) override {
    RIDGE_TRY(check(calls_.set_math(handle_, kDefaultMath)));
    return check(calls_.gemm(handle_, kTransposed, kNormal, n, m, k, &kOne, pointer(b), kReal16Bf, k, pointer(a),
                             kReal16Bf, k, &kZero, pointer(c), kReal16Bf, n, kCompute32, kDefaultAlgorithm));
  }

 private:
  static constexpr float kOne = 1, kZero = 0;
  static void* pointer(device::Address address) { return reinterpret_cast<void*>(address); }

  Result<void> check(BlasStatus status) const {
    if (status == 0) return {};
    return fail(not_available(fmt::format("cuBLAS failed with status {}", status), library_.name(),
                              "leave it out with --no-blas"));
  }

  Library library_;
  Calls calls_;
  Handle handle_;
};

}  // namespace

Result<std::unique_ptr<device::Blas>> open_blas() {
  auto library = Library::open({"libcublas.so.13", "libcublas.so.12", "/usr/local/cuda/lib64/libcublas.so.13",
                                "/usr/local/cuda/lib64/libcublas.so.12"},
                               "install cuBLAS of CUDA 12 or 13, or name its folder in LD_LIBRARY_PATH");
  if (!library) return fail(library.error());
  Calls calls;
  const bool complete = library->find("cublasCreate_v2", calls.create) &&
                        library->find("cublasDestroy_v2", calls.destroy) &&
                        library->find("cublasGetVersion_v2", calls.version) &&
                        library->find("cublasSetMathMode", calls.set_math) && library->find("cublasGemmEx", calls.gemm);
  if (!complete) {
    return fail(
        not_available("this cuBLAS lacks a call that is needed", library->name(), "install cuBLAS of CUDA 12 or 13"));
  }
  Handle handle = nullptr;
  if (const BlasStatus status = calls.create(&handle); status != 0) {
    return fail(not_available(fmt::format("cuBLAS cannot start: status {}", status), library->name(),
                              "its version must fit the driver's"));
  }
  return std::make_unique<CuBlas>(*std::move(library), calls, handle);
}

}  // namespace ridge::collectors::cuda
