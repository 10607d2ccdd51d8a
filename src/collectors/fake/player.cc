#include "collectors/fake/player.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "collectors/fake/lasting.h"
#include "collectors/fake/program_ranges.h"
namespace ridge::collectors::fake {
namespace {

// CUpti_runtime_api_trace_cbid
constexpr std::uint32_t kCudaLaunchKernel = 211, kCudaLaunchCooperative = 269, kCudaSynchronise = 165,
                        kCudaMemcpyAsync = 41, kCudaMemsetAsync = 51, kCudaGraphLaunch = 311, kCudaProfilerStart = 171,
                        kCudaProfilerStop = 172;

void put(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void end_process(std::uint64_t status) {
  std::exit(static_cast<int>(status));  // allow(exit): this is the program
}

[[noreturn]] void give_up(const Place& place, const std::string& why) {
  put(STDERR_FILENO, "ridge-fake-program: " + place.file + ":" + std::to_string(place.line) + ": " + why + "\n");
  end_process(1);
}

void sleep_for(std::uint64_t nanoseconds) {
  timespec rest{};
  rest.tv_sec = static_cast<time_t>(nanoseconds / 1'000'000'000);
  rest.tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000);
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
}

void spin_for(std::uint64_t nanoseconds) {
  const auto cpu = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
  };
  const std::uint64_t until = cpu() + nanoseconds;
  while (cpu() < until) {
  }
}

void copy_input() {
  char buffer[4096];
  for (ssize_t got = 0; (got = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0;) {
    put(STDOUT_FILENO, {buffer, static_cast<std::size_t>(got)});
  }
}

volatile sig_atomic_t asked_to_end = 0;

/// Until a signal ends the process; with `status` set, until one asks it to end in its own way.
[[noreturn]] void hang(const Step& step) {
  if (step.waited) {
    struct sigaction action {};
    action.sa_handler = [](int) { asked_to_end = 1; };
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  }
  while (asked_to_end == 0) sleep_for(1'000'000);
  end_process(step.amount);
}

/// A runtime call around a driver call, where the script asks for one.
class RuntimeCall {
 public:
  RuntimeCall(const CudaCalls& cuda, const Step& step, std::uint32_t cbid, const char* name,
              const char* symbol = nullptr)
      : cuda_(cuda) {
    if (step.runtime && cuda.runtime_enter != nullptr) call_ = cuda.runtime_enter(cbid, name, symbol);
  }
  ~RuntimeCall() {
    if (call_ != nullptr) cuda_.runtime_exit(call_, 0);
  }
  RuntimeCall(const RuntimeCall&) = delete;
  RuntimeCall& operator=(const RuntimeCall&) = delete;

 private:
  const CudaCalls& cuda_;
  void* call_ = nullptr;
};

}  // namespace

void Player::run(const std::string& program) {
  steps(script_.programs.find(program)->second);
}

void Player::steps(const std::vector<Step>& steps) {
  for (const Step& one : steps) {
    if (one.what != Do::kLoop) {
      step(one);
      continue;
    }
    for (std::uint32_t i = 0; i < one.repeat; ++i) this->steps(one.children);
  }
}

void Player::step(const Step& step) {
  if (!gpu_step(step) && !printing_step(step)) host_step(step);
}

bool Player::gpu_step(const Step& step) {
  switch (step.what) {
    case Do::kLaunch:
      launch(step);
      return true;
    case Do::kCopy:
    case Do::kSet:
      copy(step);
      return true;
    case Do::kReplayGraph:
      replay(step);
      return true;
    case Do::kAllocate: {
      use(step);
      unsigned long long address = 0;
      check(step, cuda_.allocate(&address, step.amount));
      return true;
    }
    case Do::kSync: {
      use(step);
      const RuntimeCall call(cuda_, step, kCudaSynchronise, "cudaDeviceSynchronize");
      check(step, step.stream == 0 ? cuda_.synchronise() : cuda_.synchronise_stream(stream(step)));
      return true;
    }
    case Do::kProfilerStart:
    case Do::kProfilerStop: {
      use(step);
      const bool start = step.what == Do::kProfilerStart;
      const RuntimeCall call(cuda_, step, start ? kCudaProfilerStart : kCudaProfilerStop,
                             start ? "cudaProfilerStart" : "cudaProfilerStop");
      check(step, start ? cuda_.profiler_start() : cuda_.profiler_stop());
      return true;
    }
    default:
      return false;
  }
}

bool Player::printing_step(const Step& step) {
  switch (step.what) {
    case Do::kMeasured:
      put(STDOUT_FILENO, measured() + "\n");
      return true;
    case Do::kPrint:
      put(step.error_stream ? STDERR_FILENO : STDOUT_FILENO, step.text + "\n");
      return true;
    case Do::kArguments:
      for (const std::string& argument : arguments_) put(STDOUT_FILENO, argument + "\n");
      return true;
    case Do::kEnvironment: {
      const char* value = variable(step.text.c_str());
      put(STDOUT_FILENO, value == nullptr ? step.text + " is not set\n" : step.text + "=" + value + "\n");
      return true;
    }
    case Do::kInput:
      copy_input();
      return true;
    default:
      return false;
  }
}

void Player::host_step(const Step& step) {
  switch (step.what) {
    case Do::kSleep:
      sleep_for(step.amount);
      break;
    case Do::kBusy:
      spin_for(step.amount);
      break;
    case Do::kPush:
      nvtx_push(step.text.c_str());
      break;
    case Do::kPop:
      nvtx_pop();
      break;
    case Do::kMark:
      mark(step.text);
      break;
    case Do::kUnmark:
      unmark();
      break;
    case Do::kMeasure:
      measure(step.text);
      break;
    case Do::kChild:
      spawn(step);
      break;
    case Do::kThread:
      threads_.emplace_back([this, name = step.text] { run(name); });
      break;
    case Do::kWait:
      wait();
      break;
    case Do::kExit:
      end_process(step.amount);
    case Do::kCrash:
      raise(SIGSEGV);
      break;
    case Do::kAbort:
      std::abort();  // allow(exit): the script says so
    case Do::kHang:
      hang(step);
    default:
      break;
  }
}

void Player::launch(const Step& step) {
  use(step);
  void* const kernel = function(step, step.kernel);
  void* const lane = stream(step);
  const auto& [gx, gy, gz] = step.grid;
  const auto& [bx, by, bz] = step.block;
  const char* symbol = script_.kernels[step.kernel].symbol.c_str();
  for (std::uint32_t i = 0; i < step.repeat; ++i) {
    const RuntimeCall call(cuda_, step, step.cooperative ? kCudaLaunchCooperative : kCudaLaunchKernel,
                           step.cooperative ? "cudaLaunchCooperativeKernel" : "cudaLaunchKernel", symbol);
    check(step, step.cooperative ? cuda_.launch_cooperative(kernel, gx, gy, gz, bx, by, bz, step.shared, lane, nullptr)
                                 : cuda_.launch(kernel, gx, gy, gz, bx, by, bz, step.shared, lane, nullptr, nullptr));
  }
}

void Player::copy(const Step& step) {
  use(step);
  void* const lane = stream(step);
  // The fake driver touches the host's side of a copy out only: it writes zeros there.
  std::vector<char> host(step.what == Do::kCopy && step.direction == 'd' ? step.amount : 1);
  constexpr unsigned long long kSomewhere = 0x7f00'0000'0000;
  for (std::uint32_t i = 0; i < step.repeat; ++i) {
    const bool set = step.what == Do::kSet;
    const RuntimeCall call(cuda_, step, set ? kCudaMemsetAsync : kCudaMemcpyAsync,
                           set ? "cudaMemsetAsync" : "cudaMemcpyAsync");
    check(step, set                     ? cuda_.set(kSomewhere, 0, step.amount, lane)
                : step.direction == 'h' ? cuda_.copy_in(kSomewhere, host.data(), step.amount, lane)
                : step.direction == 'd' ? cuda_.copy_out(host.data(), kSomewhere, step.amount, lane)
                                        : cuda_.copy(kSomewhere, kSomewhere, step.amount, lane));
  }
}

void Player::replay(const Step& step) {
  use(step);
  void* const executable = graph(step);
  void* const lane = stream(step);
  for (std::uint32_t i = 0; i < step.repeat; ++i) {
    const RuntimeCall call(cuda_, step, kCudaGraphLaunch, "cudaGraphLaunch");
    check(step, cuda_.launch_graph(executable, lane));
  }
}

void Player::spawn(const Step& step) {
  std::vector<std::string> words = arguments_;
  words.insert(words.begin(), "ridge-fake-program");
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) give_up(step.place, "no child can be started");
  if (child == 0) {
    setenv("RIDGE_FAKE_PROGRAM", step.text.c_str(), 1);  // allow(getenv): of the child
    execv("/proc/self/exe", pointers.data());
    _exit(127);  // allow(exit): the child could not begin
  }
  children_.push_back(child);
  if (step.waited) wait();
}

void Player::wait() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  for (const pid_t child : children_) {
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  children_.clear();
}

void Player::use(const Step& step) {
  std::call_once(opened_, [&] {
    const std::string missing = cuda_.open();
    if (!missing.empty()) give_up(step.place, missing);
    check(step, cuda_.init(0));
  });
  const std::lock_guard lock(mutex_);
  void*& context = contexts_[step.device];
  if (context == nullptr) check(step, cuda_.retain_context(&context, static_cast<int>(step.device)));
  check(step, cuda_.set_context(context));
}

void* Player::stream(const Step& step) {
  if (step.stream == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  void*& made = streams_[{step.device, step.stream}];
  if (made == nullptr) check(step, cuda_.create_stream(&made, 0));
  return made;
}

void* Player::function(const Step& step, std::size_t kernel) {
  const std::lock_guard lock(mutex_);
  void*& module = modules_[step.device];
  if (module == nullptr) check(step, cuda_.load_module(&module, "fake"));
  void*& found = functions_[{step.device, kernel}];
  if (found == nullptr) check(step, cuda_.find_function(&found, module, script_.kernels[kernel].name.c_str()));
  return found;
}

void* Player::graph(const Step& step) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = graphs_.find({step.device, step.text});
    if (known != graphs_.end()) return known->second;
  }
  void* const made = build_graph(step);
  const std::lock_guard lock(mutex_);
  return graphs_[{step.device, step.text}] = made;
}

void* Player::build_graph(const Step& step) {
  void* graph = nullptr;
  check(step, cuda_.create_graph(&graph, 0));
  void* before = nullptr;
  for (const Step& node : script_.graphs.find(step.text)->second) {
    KernelNodeParams params{};
    params.function = function(step, node.kernel);
    params.grid_x = node.grid[0];
    params.grid_y = node.grid[1];
    params.grid_z = node.grid[2];
    params.block_x = node.block[0];
    params.block_y = node.block[1];
    params.block_z = node.block[2];
    params.shared = node.shared;
    for (std::uint32_t i = 0; i < node.repeat; ++i) {
      void* added = nullptr;
      check(step, cuda_.add_node(&added, graph, &before, before == nullptr ? 0 : 1, &params));
      before = added;
    }
  }
  void* executable = nullptr;
  check(step, cuda_.instantiate(&executable, graph, 0));
  return executable;
}

void Player::check(const Step& step, int result) const {
  if (result == 0) return;
  const char* name = nullptr;
  if (cuda_.error_name == nullptr || cuda_.error_name(result, &name) != 0 || name == nullptr) name = "unknown error";
  give_up(step.place, name);
}

}  // namespace ridge::collectors::fake
