// A .ridge file that grows while a program runs (SQLite in WAL mode): readable at any moment, and what was appended
// stays when the writer is killed.
//
// The file is written in place: it is there from the start, not renamed at the end. Until finish() what was appended
// last stands in NAME-wal beside it (and NAME-shm helps those who read meanwhile); a file that is moved then needs its
// log with it. A file without the mark that finish() sets reads like any other, with an issue that says it is cut short
// ("store-unfinished"). Memory does not grow with what is appended, except by distinct texts.
//
// Errors are one line with what to do: a path that exists, is a folder, a pipe or cannot be written; a full disk. After
// a failed append the file holds what came before it, and a later append may succeed.
#pragma once

#include <memory>
#include <string>

#include "ridgepoint/base/result.h"
#include "ridgepoint/model/profile.h"

namespace ridge::store {

class Writer {
 public:
  /// Makes the file; refuses one that exists unless `replace` and it is a .ridge file or empty, and that nobody writes.
  [[nodiscard]] static Result<Writer> create(const std::string& path, bool replace);
  /// The error that create() would give as things are now; changes nothing.
  [[nodiscard]] static Result<void> check(const std::string& path, bool replace);
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  /// The items of `piece` after those that came before, in one transaction: all of them or none. Indices in it count
  /// over all pieces. `recordings` replace earlier ones of their source.
  [[nodiscard]] Result<void> append(const Profile& piece);
  /// Marks the file complete and folds the log into it: one file remains. Nothing can be appended then. On a full disk
  /// the file stays readable, with its log, and unmarked.
  [[nodiscard]] Result<void> finish();

 private:
  struct State;
  [[nodiscard]] static Result<Writer> start(const std::string& path);
  explicit Writer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ridge::store
