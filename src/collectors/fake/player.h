// Plays a program of the script as a CUDA program would run: it opens the driver at the first step that needs it,
// launches, copies, waits, starts threads and children, prints, and ends as the script says.
//
// A call of the driver that fails is told on standard error with its line in the script, and ends the process with
// status 1. May end the process at any step. Not here: the driver (machine.h); the two meet only at the vendor's names.
#pragma once

#include <sys/types.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "collectors/fake/cuda_calls.h"
#include "collectors/fake/script.h"

namespace ridge::collectors::fake {

class Player {
 public:
  Player(const Script& script, std::vector<std::string> arguments)
      : script_(script), arguments_(std::move(arguments)) {}
  void run(const std::string& program);
  /// Waits for threads and children that were started and not waited for.
  void finish() { wait(); }

 private:
  void steps(const std::vector<Step>& steps);
  void step(const Step& step);
  bool gpu_step(const Step& step);
  bool printing_step(const Step& step);
  void host_step(const Step& step);
  void launch(const Step& step);
  void copy(const Step& step);
  void replay(const Step& step);
  void spawn(const Step& step);
  void wait();

  /// Makes the step's device current on this thread.
  void use(const Step& step);
  void* stream(const Step& step);
  void* function(const Step& step, std::size_t kernel);
  void* graph(const Step& step);
  void* build_graph(const Step& step);
  void check(const Step& step, int result) const;

  const Script& script_;
  const std::vector<std::string> arguments_;
  CudaCalls cuda_;
  std::once_flag opened_;
  std::mutex mutex_;
  std::map<std::uint32_t, void*> contexts_;
  std::map<std::uint32_t, void*> modules_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, void*> streams_;
  std::map<std::pair<std::uint32_t, std::size_t>, void*> functions_;
  std::map<std::pair<std::uint32_t, std::string>, void*> graphs_;
  std::vector<std::thread> threads_;
  std::vector<pid_t> children_;
};

}  // namespace ridge::collectors::fake
