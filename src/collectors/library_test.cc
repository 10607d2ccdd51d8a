// What can be said of the collectors on any machine: a library that is not there is an error that names it. With a GPU
// the device suite (tests/device) takes over.
#include "collectors/library.h"

#include <gtest/gtest.h>

#include "collectors/cuda/cuda_device.h"
#include "collectors/cuda/driver.h"
#include "collectors/nvml/nvml.h"

namespace ridge::collectors {
namespace {

TEST(LibraryTest, TheFirstThatOpensIsTaken) {
  const auto library = Library::open({"libnowhere.so.7", "libm.so.6"}, "install it");
  ASSERT_TRUE(library);
  EXPECT_EQ(library->name(), "libm.so.6");
  double (*cosine)(double) = nullptr;
  ASSERT_TRUE(library->find("cos", cosine));
  EXPECT_EQ(cosine(0), 1);
  EXPECT_FALSE(library->find("no_such_function", cosine));
  EXPECT_EQ(cosine, nullptr);
}

TEST(LibraryTest, NoneThatOpensIsNotAvailable) {
  const auto library = Library::open({"libnowhere.so.7"}, "install it");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code, ErrorCode::kNotAvailable);
  EXPECT_EQ(library.error().where, "libnowhere.so.7");
  EXPECT_EQ(library.error().remedy, "install it");
  EXPECT_NE(library.error().what.find("libnowhere"), std::string::npos);
}

TEST(CudaDeviceTest, WithoutADriverTheErrorNamesWhatIsMissing) {
  if (Library::open({"libcuda.so.1", "libcuda.so"}, "")) GTEST_SKIP() << "there is a CUDA driver here";
  const auto device = cuda::open_device(0);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().code, ErrorCode::kNotAvailable);
  EXPECT_EQ(device.error().where, "libcuda.so.1");
}

TEST(CudaDeviceTest, ADeviceThatDoesNotExistIsNotOpened) {
  const auto device = cuda::open_device(4711);
  ASSERT_FALSE(device);
}

TEST(TelemetryTest, AnUnknownAddressIsNotAvailable) {
  const auto telemetry = nvml::open_telemetry("ffff:ff:1f.7");
  ASSERT_FALSE(telemetry);
  EXPECT_EQ(telemetry.error().code, ErrorCode::kNotAvailable);
}

}  // namespace
}  // namespace ridge::collectors
