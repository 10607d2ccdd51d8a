#include "collectors/session/spawn.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "collectors/c_strings.h"

namespace ridge::collectors::session {
namespace {

constexpr char kCudaInjection[] = "CUDA_INJECTION64_PATH";
constexpr char kNvtxInjection[] = "NVTX_INJECTION64_PATH";
constexpr int kSignalBase = 128;

/// errno of posix_spawnp; 0: it runs as `process`.
int spawn(std::vector<std::string> command, std::vector<std::string> environment, const sigset_t& mask,
          pid_t& process) {
  posix_spawnattr_t attributes;
  if (const int error = posix_spawnattr_init(&attributes); error != 0) return error;
  (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  (void)posix_spawnattr_setsigmask(&attributes, &mask);
  const int error = posix_spawnp(&process, command.front().c_str(), nullptr, &attributes, pointers(command).data(),
                                 pointers(environment).data());
  (void)posix_spawnattr_destroy(&attributes);
  return error;
}

bool is_directory(const std::string& path) {
  struct stat status = {};
  const bool is_path = path.find('/') != std::string::npos || path == "." || path == "..";
  return is_path && stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Error cannot_start(const std::string& program, int error) {
  if (error == ENOENT && program.find('/') == std::string::npos) {
    return bad_input("there is no such program in PATH", program, "check its name, or give its path");
  }
  if (error == ENOENT && access(program.c_str(), F_OK) == 0) {
    return bad_input("what this program needs to start is not there", program,
                     "see that the interpreter in its first line, or the loader that `file` names, is installed");
  }
  if (error == ENOENT) return bad_input("there is no such program", program, "check its path");
  if (error == EACCES && is_directory(program)) {
    return bad_input("this is a folder, not a program", program, "name the program in it");
  }
  if (error == EACCES) return bad_input("this file may not be executed", program, "make it executable: chmod +x");
  return bad_input(fmt::format("the program cannot be started: {}", std::generic_category().message(error)), program,
                   "run it without ridge first");
}

Error nothing_to_run() {
  return usage_error("there is no program to run", "", "name it after --");
}

/// 0, or the errno of running that file.
int cause_of(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EACCES;
  return access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

/// Of the folders in `path`: 0 if one has it, else what the search ends with.
int cause_in_path(const std::string& name, const std::string& path) {
  int cause = ENOENT;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    std::string candidate = end == at ? "." : path.substr(at, end - at);
    candidate.append("/").append(name);
    const int here = cause_of(candidate);
    if (here == 0) return 0;
    if (here == EACCES) cause = EACCES;  // as the search does: somewhere there is one, but it may not be run
    at = end + 1;
  }
  return cause;
}

}  // namespace

Result<void> check_program(const std::vector<std::string>& command, const Environment& environment) {
  if (command.empty() || command.front().empty()) return fail(nothing_to_run());
  const std::string& name = command.front();
  const auto path = environment.find("PATH");
  const bool is_path = name.find('/') != std::string::npos;
  const int cause =
      is_path ? cause_of(name) : cause_in_path(name, path == environment.end() ? "/bin:/usr/bin" : path->second);
  if (cause != 0) return fail(cannot_start(name, cause));
  return {};
}

std::optional<std::pair<std::string, std::string>> foreign_injection(const Environment& environment) {
  const auto found = environment.find(kCudaInjection);
  if (found == environment.end() || found->second.empty()) return std::nullopt;
  return *found;
}

Environment with_injection(Environment environment, const Injection& injection) {
  environment[kCudaInjection] = injection.agent;
  environment["RIDGE_SOCKET"] = injection.socket;
  environment["RIDGE_CUPTI"] = injection.cupti;
  if (injection.ranges) environment.emplace(kNvtxInjection, injection.agent);
  return environment;
}

Result<Program> Program::start(const std::vector<std::string>& command, const Environment& environment,
                               const sigset_t& mask) {
  if (command.empty() || command.front().empty()) {
    return fail(nothing_to_run());
  }
  std::vector<std::string> variables;
  variables.reserve(environment.size());
  for (const auto& [name, value] : environment) variables.push_back(fmt::format("{}={}", name, value));
  pid_t process = 0;
  int error = spawn(command, variables, mask, process);
  if (error == ENOEXEC) {
    std::vector<std::string> shell = {"/bin/sh"};
    shell.insert(shell.end(), command.begin(), command.end());
    error = spawn(std::move(shell), variables, mask, process);
  }
  if (error != 0) return fail(cannot_start(command.front(), error));
  return Program(process, Descriptor(static_cast<int>(syscall(SYS_pidfd_open, process, 0))));
}

std::optional<int> Program::ended() {
  if (status_) return status_;
  int raw = 0;
  const pid_t waited = waitpid(process_, &raw, WNOHANG);
  if (waited != process_) return std::nullopt;
  killed_by_ = WIFSIGNALED(raw) ? WTERMSIG(raw) : 0;
  status_ = killed_by_ != 0 ? kSignalBase + killed_by_ : WEXITSTATUS(raw);
  return status_;
}

void Program::send(int signal) const {
  if (!status_) (void)kill(process_, signal);
}

}  // namespace ridge::collectors::session
