// What the driver calls when it loads the library that CUDA_INJECTION64_PATH names, and NVTX that of
// NVTX_INJECTION64_PATH: both are the agent. And what the program calls through ridgepoint/range.h.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
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
int forward(const char* symbol, void* get_export_table) {
  const std::string path = variable("RIDGE_CUPTI");
  if (path.empty() || variable("RIDGE_SOCKET").empty()) return 0;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 0;
  auto* const initialise = reinterpret_cast<int (*)(void*)>(dlsym(library, symbol));
  return initialise == nullptr ? 0 : initialise(get_export_table);
}

int forward_nvtx(const char* symbol, void* get_export_table) noexcept {
  const int before = errno;
  int result = 0;
  try {
    result = forward(symbol, get_export_table);
  } catch (...) {
    result = 0;
  }
  errno = before;
  return result;
}

// A call of the program's: none of the agent's errors reach it.
template <class F>
void from_program(F&& call) noexcept {
  Agent* const agent = the_agent;
  if (agent == nullptr) return;
  const int before = errno;
  try {
    call(*agent);
  } catch (...) {
    agent_alive = false;
  }
  errno = before;
}

// The program may be of another version than the agent, with a shorter or a longer struct.
void end_range(RangeFigures* figures) {
  RangeFigures found{};
  from_program([&](Agent& agent) { agent.end_range(found); });
  if (figures == nullptr) return;
  found.size = figures->size;
  std::memcpy(figures, &found, std::min<std::size_t>(found.size, sizeof found));
}

}  // namespace
}  // namespace ridge::collectors::agent

// NOLINTBEGIN(readability-identifier-naming): a C interface, which ridgepoint/range.h finds by name
extern "C" __attribute__((visibility("default"))) void ridge_range_push(const char* name) {
  ridge::collectors::agent::from_program([&](auto& agent) { agent.push_range(name); });
}
extern "C" __attribute__((visibility("default"))) void ridge_range_pop() {
  ridge::collectors::agent::from_program([](auto& agent) { agent.pop_range(); });
}
extern "C" __attribute__((visibility("default"))) void ridge_range_begin(const char* name) {
  ridge::collectors::agent::from_program([&](auto& agent) { agent.begin_range(name); });
}
extern "C" __attribute__((visibility("default"))) void ridge_range_end(
    ridge::collectors::agent::RangeFigures* figures) {
  ridge::collectors::agent::end_range(figures);
}
// NOLINTEND(readability-identifier-naming)

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
