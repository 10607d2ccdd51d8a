// The machine database: every GPU the program knows, from files embedded in the program and from the user's own.
//
// One TOML file describes one machine (docs/reference/machines.md has the schema). Measured ceilings of the present
// machine and their storage are not here.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ridgepoint/base/result.h"
#include "ridgepoint/model/machine.h"

namespace ridge {

/// Reads one machine file. Unknown keys, wrong types, and figures that contradict the file's own `stated` ones by more
/// than 1 % are errors that name line and key. `where` is the path shown in errors.
[[nodiscard]] Result<Machine> parse_machine(std::string_view toml, std::string_view where);

/// The file that parse_machine turns into an equal machine.
[[nodiscard]] std::string serialise_machine(const Machine& machine);

class Database {
 public:
  /// The machines that come with the program.
  [[nodiscard]] static const Database& built_in();
  /// built_in() plus files and folders of *.toml files; `paths` is separated by ':' like RIDGE_MACHINES. A file's
  /// machine replaces an earlier one of the same id.
  [[nodiscard]] static Result<Database> with_paths(std::string_view paths);

  /// Sorted by vendor (NVIDIA first), then architecture in order of appearance, then id.
  [[nodiscard]] const std::vector<Machine>& machines() const { return machines_; }
  /// By id or alias, else by the driver's or the full name, in any case but as a whole: never by a part of a name.
  /// nullptr if unknown, or if several machines have the name.
  [[nodiscard]] const Machine* find(std::string_view id) const;
  void add(Machine machine);

 private:
  std::vector<Machine> machines_;
};

/// The id of a machine that has nothing but what overrides give it.
inline constexpr std::string_view kCustomMachine = "custom";

/// MACHINE of the command line: an id or another name that Database::find() knows, a path to a TOML file, or "custom".
/// An unknown name is a usage error that suggests near misses. "this" is not known here: only a collector can see the
/// present machine.
[[nodiscard]] Result<Machine> find_machine(std::string_view id_or_path, const Database& database);
[[nodiscard]] Result<Machine> find_machine(std::string_view id_or_path);

/// Figures from the command line, "fp32=30TFLOP/s" and "dram=900GB/s". Names on the left are ceiling names
/// ("bf16_tensor_wgmma_dense"), or short: "fp32" the cores, "bf16_tensor" or "tensor_bf16" every dense tensor path,
/// "tf32", "fp8", "fp4", "int8" (no core unit in use) the tensor unit. A given peak has no clock, so that no run's
/// clock changes it. The machine's note records what was replaced.
[[nodiscard]] Result<void> apply_overrides(Machine& machine, const std::vector<std::string>& peaks,
                                           const std::vector<std::string>& bandwidths);

}  // namespace ridge
