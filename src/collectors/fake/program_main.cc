// ridge-fake-program: behaves as the script in RIDGE_FAKE_GPU says a CUDA program does. RIDGE_FAKE_PROGRAM chooses a
// program other than "main"; arguments are the program's own.
#include <unistd.h>

#include "collectors/fake/export.h"
#include "collectors/fake/lasting.h"
#include "collectors/fake/player.h"

// A crash has to look like one, under sanitizers too.
// NOLINTNEXTLINE(readability-identifier-naming): the sanitizer looks for this name
RIDGE_FAKE_EXPORT const char* __asan_default_options() {
  return "handle_segv=0:handle_abort=0";
}

namespace {

int complain(const std::string& what) {
  const std::string text = "ridge-fake-program: " + what + "\n";
  const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  return written < 0 ? 3 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ridge::collectors::fake;
  const char* directory = variable("RIDGE_FAKE_GPU");
  if (directory == nullptr) return complain("set RIDGE_FAKE_GPU to a directory with a file 'script'");
  const auto script = read_script(directory);
  if (!script) return complain(script.error().what + " (" + script.error().where + "): " + script.error().remedy);
  const char* chosen = variable("RIDGE_FAKE_PROGRAM");
  const std::string program = chosen == nullptr ? "main" : chosen;
  if (!script->programs.contains(program)) return complain("the script has no program '" + program + "'");
  // Lives until the process is gone: threads that the script does not wait for may still play.
  static auto* const player =
      new Player(*script, std::vector<std::string>(argv + 1, argv + argc));  // allow(new): see above
  player->run(program);
  player->finish();
  return 0;
}
