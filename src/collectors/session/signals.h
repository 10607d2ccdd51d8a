// The signals that ridge gets while a program runs under it, so that they can be passed on.
//
// While a Signals lives, they do nothing to ridge itself: it survives to write the file, and the program decides what
// they mean. What a terminal sends (Ctrl-C, Ctrl-\, hanging up) goes to the whole process group, the program included,
// and is not passed on a second time; what another process sends to ridge is. A signal that another process sends to
// the whole group does reach the program twice: nothing tells it apart. Signals ignored since the start (nohup) stay
// ignored in both.
//
// Ctrl-Z and SIGTSTP stop both, `fg` and SIGCONT continue both.
#pragma once

#include <csignal>
#include <vector>

#include "collectors/session/descriptor.h"
#include "ridgepoint/base/result.h"

namespace ridge::collectors::session {

class Signals {
 public:
  /// Blocks them in the calling thread and in those that it starts afterwards.
  [[nodiscard]] static Result<Signals> take();
  Signals(Signals&&) noexcept;
  Signals& operator=(Signals&&) = delete;
  /// Drops what came and was not asked for, and gives the thread its mask back.
  ~Signals();

  /// The mask that held before: the program's.
  [[nodiscard]] const sigset_t& before() const { return before_; }
  /// Readable when a signal has come.
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  struct Received {
    int signal = 0;
    bool by_terminal = false;  ///< the program got it as well
  };
  [[nodiscard]] std::vector<Received> read();

 private:
  Signals(const sigset_t& before, Descriptor descriptor) : before_(before), descriptor_(std::move(descriptor)) {}

  sigset_t before_;
  Descriptor descriptor_;
};

}  // namespace ridge::collectors::session
