#include "collectors/session/signals.h"

#include <pthread.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <system_error>

namespace ridge::collectors::session {
namespace {

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

/// Linux queues a blocked signal even if it is ignored.
bool ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Result<Signals> Signals::take() {
  sigset_t wanted;
  sigset_t before;
  (void)sigemptyset(&wanted);
  for (const int signal : kPassedOn) {
    if (!ignored(signal)) (void)sigaddset(&wanted, signal);
  }
  (void)pthread_sigmask(SIG_BLOCK, &wanted, &before);
  Descriptor descriptor(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!descriptor.open()) {
    const std::string reason = std::generic_category().message(errno);
    (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return fail(internal_error("signals cannot be read: " + reason, "signalfd", "close other files, then try again"));
  }
  return Signals(before, std::move(descriptor));
}

Signals::Signals(Signals&& other) noexcept : before_(other.before_), descriptor_(std::move(other.descriptor_)) {}

Signals::~Signals() {
  if (!descriptor_.open()) return;
  (void)read();
  (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::vector<Signals::Received> Signals::read() {
  std::vector<Received> received;
  signalfd_siginfo info = {};
  while (::read(descriptor_.get(), &info, sizeof info) == sizeof info) {
    received.push_back({static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL});
  }
  return received;
}

}  // namespace ridge::collectors::session
