// The profiled program: started with everything that is ridge's own (streams, folder, arguments, signal mask), its
// environment and the variables that bring the agent in.
//
// Found as a shell finds it: by PATH if its name has no slash; a script without "#!" runs in /bin/sh. A program that
// cannot be started is bad input. Not here: signals that come in meanwhile (signals.h), the program's own children.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collectors/session/descriptor.h"
#include "ridgepoint/base/result.h"

namespace ridge::collectors::session {

using Environment = std::map<std::string, std::string, std::less<>>;

struct Injection {
  std::string agent;    ///< path of the library
  std::string socket;   ///< path
  std::string cupti;    ///< path; empty: the agent cannot use any, it only says so
  bool ranges = false;  ///< NVTX too
};

/// The variable by which another tool's library is already injected ("CUDA_INJECTION64_PATH"), and its value; none if
/// there is no such.
[[nodiscard]] std::optional<std::pair<std::string, std::string>> foreign_injection(const Environment& environment);

/// Adds CUDA_INJECTION64_PATH, RIDGE_SOCKET, RIDGE_CUPTI and, for ranges and unless somebody has set it,
/// NVTX_INJECTION64_PATH.
[[nodiscard]] Environment with_injection(Environment environment, const Injection& injection);

/// The error that Program::start would give, as far as files tell: asked before anything is begun or said.
[[nodiscard]] Result<void> check_program(const std::vector<std::string>& command, const Environment& environment);

class Program {
 public:
  /// `mask` are the signals that it starts with blocked.
  [[nodiscard]] static Result<Program> start(const std::vector<std::string>& command, const Environment& environment,
                                             const sigset_t& mask);

  [[nodiscard]] pid_t process() const { return process_; }
  /// Readable when it has ended; -1 if this kernel has no such descriptors (before 5.3): ask ended() now and then.
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  /// Its exit status, 128 + n for signal n; none while it runs.
  [[nodiscard]] std::optional<int> ended();
  /// It has not been seen to end.
  [[nodiscard]] bool running() const { return !status_; }
  /// The signal that ended it; 0: none did.
  [[nodiscard]] int killed_by() const { return killed_by_; }
  /// Does nothing if it is not running.
  void send(int signal) const;

 private:
  Program(pid_t process, Descriptor descriptor) : process_(process), descriptor_(std::move(descriptor)) {}

  pid_t process_ = 0;
  Descriptor descriptor_;
  std::optional<int> status_;
  int killed_by_ = 0;
};

}  // namespace ridge::collectors::session
