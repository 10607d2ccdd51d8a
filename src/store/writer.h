// A .ridge file that grows while a program runs (SQLite in WAL mode): readable at any moment, and what was appended
// stays when the writer is killed.
//
// The file is written in place: it is there from the start, not renamed at the end. A file without the mark that
// finish() sets reads like any other, with an issue that says it is cut short.
#pragma once

#include <memory>
#include <string>

#include "ridgepoint/base/result.h"
#include "ridgepoint/model/profile.h"

namespace ridge::store {

class Writer {
 public:
  /// Makes the file; refuses one that exists unless `replace` and it is a .ridge file or empty.
  [[nodiscard]] static Result<Writer> create(const std::string& path, bool replace);
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  /// The items of `piece` after those that came before, in one transaction: all of them or none. Indices in it count
  /// over all pieces. `recordings` replace earlier ones of their source.
  [[nodiscard]] Result<void> append(const Profile& piece);
  /// Marks the file complete and folds the log into it.
  [[nodiscard]] Result<void> finish();

 private:
  struct State;
  explicit Writer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ridge::store
