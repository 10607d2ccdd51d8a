// Facts out of folders that stand for a machine's /proc, /sys and /dev.
#include "collectors/doctor/host.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace ridge::collectors::doctor {
namespace {

namespace fs = std::filesystem;
using ridge::doctor::Facts;

class HostTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) / ("ridge-host-test-" + std::to_string(getpid()));
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void put(const std::string& path, const std::string& content) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }
  Facts facts() const {
    Facts facts;
    look_at_host(root_.string(), environment_, facts);
    return facts;
  }

  fs::path root_;
  Environment environment_;
};

TEST_F(HostTest, AnEmptyMachineTellsNothing) {
  const Facts found = facts();
  EXPECT_FALSE(found.driver.hardware);
  EXPECT_FALSE(found.driver.device_nodes);
  EXPECT_EQ(found.driver.module_version, "");
  EXPECT_FALSE(found.permission.admins_only);
  EXPECT_FALSE(found.permission.sys_admin);
  EXPECT_EQ(found.container, "");
  EXPECT_FALSE(found.wsl);
  EXPECT_TRUE(found.monitors.empty() && found.profilers.empty() && found.injections.empty());
}

TEST_F(HostTest, GpusOnTheBusAreTold) {
  put("sys/bus/pci/devices/0000:00:01.0/vendor", "0x8086\n");
  put("sys/bus/pci/devices/0000:00:01.0/class", "0x030000\n");
  put("sys/bus/pci/devices/0000:3b:00.1/vendor", "0x10de\n");
  put("sys/bus/pci/devices/0000:3b:00.1/class", "0x040300\n");  // its audio
  EXPECT_FALSE(facts().driver.hardware);
  put("sys/bus/pci/devices/0000:3b:00.0/vendor", "0x10de\n");
  put("sys/bus/pci/devices/0000:3b:00.0/class", "0x030200\n");
  EXPECT_TRUE(facts().driver.hardware);
}

TEST_F(HostTest, DeviceNodesOfAGpuAreTold) {
  put("dev/nvidiactl", "");
  put("dev/nvidia-uvm", "");
  EXPECT_FALSE(facts().driver.device_nodes);
  put("dev/nvidia3", "");
  EXPECT_TRUE(facts().driver.device_nodes);
}

TEST_F(HostTest, TheKernelsDriverTellsItsVersionAndPermission) {
  put("proc/driver/nvidia/version",
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 2024\nGCC 12\n");
  put("proc/driver/nvidia/params", "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nModifyDeviceFiles: 1\n");
  EXPECT_EQ(facts().driver.module_version, "550.54.15");
  EXPECT_EQ(facts().permission.admins_only, true);
  put("sys/module/nvidia/version", "580.95.05\n");
  put("proc/driver/nvidia/params", "RmProfilingAdminOnly: 0\n");
  EXPECT_EQ(facts().driver.module_version, "580.95.05");
  EXPECT_EQ(facts().permission.admins_only, false);
}

TEST_F(HostTest, CapabilitiesAreThoseInEffect) {
  put("proc/self/status", "Name:\tridge\nCapPrm:\t000001ffffffffff\nCapEff:\t0000000000000000\n");
  EXPECT_FALSE(facts().permission.sys_admin);
  put("proc/self/status", "Name:\tridge\nCapEff:\t0000004000200000\nCapBnd:\t0\n");
  EXPECT_TRUE(facts().permission.sys_admin);
  EXPECT_TRUE(facts().permission.perfmon);
  put("proc/self/status", "CapEff:\t00000000a80425fb\n");  // what containers give by default
  EXPECT_FALSE(facts().permission.sys_admin);
}

TEST_F(HostTest, MonitorsAndProfilersAreFoundByName) {
  put("proc/812/comm", "nv-hostengine\n");
  put("proc/900/comm", "nsys\n");
  put("proc/901/comm", "nsys-notes\n");
  put("proc/self/comm", "ncu\n");
  const Facts found = facts();
  ASSERT_EQ(found.monitors.size(), 1U);
  EXPECT_EQ(found.monitors[0].id, 812U);
  ASSERT_EQ(found.profilers.size(), 1U);
  EXPECT_EQ(found.profilers[0].name, "nsys");
}

TEST_F(HostTest, ContainersShowInSeveralWays) {
  put("proc/1/cgroup", "0::/init.scope\n");
  EXPECT_EQ(facts().container, "");
  put("proc/1/cgroup", "0::/kubepods/burstable/pod1/abc\n");
  EXPECT_EQ(facts().container, "kubernetes");
  put("run/.containerenv", "");
  EXPECT_EQ(facts().container, "podman");
  put(".dockerenv", "");
  EXPECT_EQ(facts().container, "docker");
  environment_["KUBERNETES_SERVICE_HOST"] = "10.0.0.1";
  EXPECT_EQ(facts().container, "kubernetes");
}

TEST_F(HostTest, WslShowsInItsKernelOrItsDevice) {
  put("proc/version", "Linux version 6.1.0 (gcc 12)\n");
  EXPECT_FALSE(facts().wsl);
  put("proc/version", "Linux version 5.15.153.1-Microsoft-standard-WSL2 (gcc 12)\n");
  EXPECT_TRUE(facts().wsl);
  put("proc/version", "Linux version 6.1.0\n");
  put("dev/dxg", "");
  EXPECT_TRUE(facts().wsl);
}

TEST_F(HostTest, AnInjectedLibraryIsTold) {
  environment_["CUDA_INJECTION64_PATH"] = "";
  EXPECT_TRUE(facts().injections.empty());
  environment_["CUDA_INJECTION64_PATH"] = "/opt/tool.so";
  ASSERT_EQ(facts().injections.size(), 1U);
  EXPECT_EQ(facts().injections[0].second, "/opt/tool.so");
}

TEST(ModuleVersionTest, BothKindsOfDriverAreRead) {
  EXPECT_EQ(module_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build\n"),
            "580.95.05");
  EXPECT_EQ(module_version("NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.256.02  Thu May  2\n"), "470.256.02");
  EXPECT_EQ(module_version("something else\n"), "");
  EXPECT_EQ(module_version(""), "");
}

}  // namespace
}  // namespace ridge::collectors::doctor
