// What the driver calls when it loads the library that CUDA_INJECTION64_PATH names.
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

}  // namespace
}  // namespace ridge::collectors::agent

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
