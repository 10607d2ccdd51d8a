#include "collectors/nvrtc/nvcc.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/files.h"
#include "collectors/c_strings.h"

namespace ridge::collectors::nvrtc {
namespace {

namespace fs = std::filesystem;

std::string variable(const Environment& environment, std::string_view name, std::string otherwise) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? std::move(otherwise) : found->second;
}

class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& parent) : path_(parent + "/ridge-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) {
      cause_ = errno;
      path_.clear();
    }
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }  ///< empty: there is none, see cause()
  [[nodiscard]] int cause() const { return cause_; }

 private:
  std::string path_;
  int cause_ = 0;
};

/// The raw status of a child that writes both its streams to `log`; or the errno that kept it from running.
tl::expected<int, int> run(std::vector<std::string> command, std::vector<std::string> environment,
                           const std::string& log) {
  posix_spawn_file_actions_t actions;
  if (const int error = posix_spawn_file_actions_init(&actions); error != 0) return tl::unexpected<int>(error);
  constexpr int kMode = 0600;
  (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kMode);
  (void)posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int error = posix_spawn(&process, command.front().c_str(), &actions, nullptr, pointers(command).data(),
                                pointers(environment).data());
  (void)posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return tl::unexpected<int>(error);
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return tl::unexpected<int>(errno);
  }
  return status;
}

std::string whole_file(const std::string& path) {
  auto text = read_file(path);
  return text ? *std::move(text) : std::string();
}

tl::unexpected<Failure> failure(Error error, std::string log = "") {
  return tl::unexpected<Failure>({std::move(error), std::move(log)});
}

/// The file itself, so that errors and lines name it; what cannot be opened twice (a pipe) is copied.
std::string input_of(const Source& source, const std::string& folder) {
  std::error_code ignored;
  if (fs::is_regular_file(source.path, ignored)) return fs::absolute(source.path, ignored).string();
  const std::string copy = folder + "/input.cu";
  std::ofstream(copy, std::ios::binary) << source.text;
  return copy;
}

std::vector<std::string> command_of(const std::string& nvcc, const Source& source, const std::string& folder,
                                    const std::string& output) {
  std::vector<std::string> command = {nvcc, "-ptx", "-lineinfo", "-o", output, "-I" + folder_of(source.path)};
  const std::string number = architecture_number(source.capability);
  if (!number.empty() && !names_architecture(source.options)) command.push_back("-arch=sm_" + number);
  command.insert(command.end(), source.options.begin(), source.options.end());
  command.insert(command.end(), {"-x", "cu", input_of(source, folder)});
  return command;
}

std::vector<std::string> environment_of(Environment environment, const std::string& folder) {
  environment["TMPDIR"] = folder;
  std::vector<std::string> texts;
  texts.reserve(environment.size());
  for (const auto& [name, value] : environment) texts.push_back(fmt::format("{}={}", name, value));
  return texts;
}

Error cannot_run(const std::string& nvcc, int cause) {
  return not_available("nvcc cannot be run: " + std::generic_category().message(cause), nvcc,
                       "see that it is whole, or compile to PTX elsewhere: nvcc -ptx");
}

}  // namespace

std::optional<std::string> find_nvcc(const Environment& environment, const std::vector<std::string>& toolkits) {
  std::vector<std::string> folders;
  const std::string path = variable(environment, "PATH", "");
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    if (end > at) folders.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  for (const std::string& toolkit : toolkits) folders.push_back(toolkit + "/bin");
  for (const std::string& folder : folders) {
    const std::string candidate = folder + "/nvcc";
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

Outcome compile_with_nvcc(const std::string& nvcc, const Source& source, const Environment& environment) {
  const TemporaryFolder folder(variable(environment, "TMPDIR", "/tmp"));
  if (folder.path().empty()) {
    return failure(internal_error("no temporary folder can be made: " + std::generic_category().message(folder.cause()),
                                  variable(environment, "TMPDIR", "/tmp"), "name another one in TMPDIR"));
  }
  const std::string output = folder.path() + "/output.ptx", log = folder.path() + "/log";
  const auto status =
      run(command_of(nvcc, source, folder.path(), output), environment_of(environment, folder.path()), log);
  if (!status) return failure(cannot_run(nvcc, status.error()));
  std::string said = whole_file(log);
  if (WIFSIGNALED(*status)) {
    return failure(internal_error(fmt::format("nvcc was ended by signal {}", WTERMSIG(*status)), nvcc, "run it again"),
                   std::move(said));
  }
  if (WEXITSTATUS(*status) != 0) {
    return failure(bad_input("the code does not compile", source.path, "correct what the compiler says above"),
                   std::move(said));
  }
  auto ptx = read_file(output);
  if (!ptx) return failure(ptx.error(), std::move(said));
  return Compiled{*std::move(ptx), nvcc, "", std::move(said)};
}

}  // namespace ridge::collectors::nvrtc
