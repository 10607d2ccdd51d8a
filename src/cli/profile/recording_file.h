// Where the recording of a run goes: the file after -o, or a temporary one that goes away with this object.
//
// The first piece comes before the program is started and is held until the second one: a program that cannot be
// started leaves an older recording of that name as it was.
#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "ridgepoint/model/profile.h"
#include "store/writer.h"

namespace ridge::cli {

class RecordingFile {
 public:
  /// Expands the name after -o, or makes a folder in TMPDIR.
  [[nodiscard]] static Result<RecordingFile> place(const Arguments& arguments, const Context& context);
  RecordingFile(RecordingFile&& other) noexcept;
  RecordingFile& operator=(RecordingFile&&) = delete;
  ~RecordingFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool kept() const { return folder_.empty(); }

  [[nodiscard]] Result<void> append(const Profile& piece);
  /// No more pieces. `complete`: marks the file so; without it the file reads as cut short.
  [[nodiscard]] Result<void> close(bool complete);
  /// What was appended, read back; a temporary file is gone afterwards.
  [[nodiscard]] Result<Profile> read();

 private:
  RecordingFile(std::string path, std::string folder) : path_(std::move(path)), folder_(std::move(folder)) {}
  [[nodiscard]] Result<void> write_first();
  void remove_temporary();

  std::string path_;
  std::string folder_;            ///< the temporary one; empty for a file that stays
  std::optional<Profile> first_;  ///< until it is written
  std::optional<store::Writer> writer_;
};

}  // namespace ridge::cli
