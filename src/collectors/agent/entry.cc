// What the driver calls when it loads the library that CUDA_INJECTION64_PATH names, and NVTX that of
// NVTX_INJECTION64_PATH: both are the agent.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include <cstdlib>
#include <memory>

#include "collectors/agent/agent.h"
#include "collectors/agent/guard.h"

namespace ridge::collectors::agent {
namespace {

std::atomic<Agent*> the_agent = nullptr;  // never destroyed: CUPTI and its threads outlive every exit handler

void at_exit() {
  if (Agent* const agent = the_agent) agent->finish();
}

// The child has one thread and no use of CUDA; one that executes another program gets an agent of its own.
void in_child() {
  agent_alive = false;
  if (Agent* const agent = the_agent) agent->abandon();
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // allow(getenv): the collector has no other way into somebody else's program
  return value == nullptr ? "" : value;
}

void begin() {
  const std::string path = variable("RIDGE_SOCKET");
  if (path.empty() || the_agent != nullptr) return;
  const int socket = Connection::connect_to(path.c_str());
  if (socket < 0) return;
  the_agent = std::make_unique<Agent>(socket, variable("RIDGE_CUPTI")).release();
  pthread_atfork(nullptr, nullptr, &in_child);
  std::atexit(&at_exit);
  the_agent.load()->start();
}

// NVTX loads one library by the path in NVTX_INJECTION64_PATH and hands it its tables: CUPTI's to fill, whichever copy
// of it the agent uses.
int forward_nvtx(const char* symbol, void* get_export_table) {
  const std::string path = variable("RIDGE_CUPTI");
  if (path.empty() || variable("RIDGE_SOCKET").empty()) return 0;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 0;
  auto* const initialise = reinterpret_cast<int (*)(void*)>(dlsym(library, symbol));
  return initialise == nullptr ? 0 : initialise(get_export_table);
}

}  // namespace
}  // namespace ridge::collectors::agent

/// Of NVTX 3, and of the library of NVTX 2. 0: NVTX goes on without a tool.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(void* get_export_table) {
  return ridge::collectors::agent::forward_nvtx("InitializeInjectionNvtx2", get_export_table);
}
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx(void* get_export_table) {
  return ridge::collectors::agent::forward_nvtx("InitializeInjectionNvtx", get_export_table);
}

/// 1: loaded. The driver goes on whatever it returns; the program does not see it.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  const int before = errno;
  try {
    ridge::collectors::agent::begin();
  } catch (...) {
    ridge::collectors::agent::agent_alive = false;
  }
  errno = before;
  return 1;
}
