#include "cli/profile/recording_file.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/load.h"
#include "cli/output_file.h"

namespace ridge::cli {

namespace {

/// A folder that only this user may enter, in TMPDIR or /tmp.
Result<std::string> temporary_folder(const Context& context) {
  const auto named = context.environment.find("TMPDIR");
  const bool is_named = named != context.environment.end() && !named->second.empty();
  std::string folder = (is_named ? named->second : std::string("/tmp")) + "/ridge-profile-XXXXXX";
  if (mkdtemp(folder.data()) != nullptr) return folder;
  return fail(internal_error("cannot make a temporary folder: " + std::generic_category().message(errno), folder,
                             "set TMPDIR to a folder that can be written, or keep the recording with -o FILE.ridge"));
}

}  // namespace

Result<RecordingFile> RecordingFile::place(const Arguments& arguments, const Context& context) {
  if (arguments.has("--output")) {
    if (arguments.value("--output") == "-") {
      return fail(usage_error("a recording cannot be written to standard output", "--output", "name a file after -o"));
    }
    const Result<std::string> path = expand_output_path(arguments.value("--output"), context);
    if (!path) return fail(path.error());
    RIDGE_TRY(store::Writer::check(*path, true));
    return RecordingFile(*path, "");
  }
  const Result<std::string> folder = temporary_folder(context);
  if (!folder) return fail(folder.error());
  return RecordingFile(*folder + "/profile.ridge", *folder);
}

RecordingFile::RecordingFile(RecordingFile&& other) noexcept
    : path_(std::move(other.path_)),
      folder_(std::move(other.folder_)),
      first_(std::move(other.first_)),
      writer_(std::move(other.writer_)) {
  other.folder_.clear();  // a moved-from string may hold anything, and this one is removed
}

RecordingFile::~RecordingFile() {
  remove_temporary();
}

void RecordingFile::remove_temporary() {
  writer_.reset();
  if (folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Result<void> RecordingFile::append(const Profile& piece) {
  if (!writer_ && !first_) {
    first_ = piece;
    return {};
  }
  RIDGE_TRY(write_first());
  return writer_->append(piece);
}

Result<void> RecordingFile::write_first() {
  if (!writer_) {
    Result<store::Writer> made = store::Writer::create(path_, true);
    if (!made) return fail(made.error());
    writer_.emplace(std::move(*made));
  }
  if (!first_) return {};
  RIDGE_TRY(writer_->append(*first_));
  first_.reset();
  return {};
}

Result<void> RecordingFile::close(bool complete) {
  if (first_) RIDGE_TRY(write_first());
  if (!writer_) return {};
  Result<void> finished = complete ? writer_->finish() : Result<void>();
  writer_.reset();
  return finished;
}

Result<Profile> RecordingFile::read() {
  Result<Profile> profile = read_recording(path_);
  remove_temporary();
  return profile;
}

}  // namespace ridge::cli
