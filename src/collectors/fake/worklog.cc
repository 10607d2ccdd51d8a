#include "collectors/fake/worklog.h"

#include <fcntl.h>
#include <unistd.h>

namespace ridge::collectors::fake {
namespace {

constexpr std::int64_t kSize = sizeof(WorkRecord);

}  // namespace

WorkWriter::WorkWriter(const std::string& directory)
    : file_(open((directory + "/work").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}

WorkWriter::~WorkWriter() {
  if (file_ >= 0) close(file_);
}

bool WorkWriter::append(const WorkRecord& record) {
  return write(file_, &record, sizeof(record)) == kSize;
}

WorkReader::~WorkReader() {
  if (file_ >= 0) close(file_);
}

std::vector<WorkRecord> WorkReader::news() {
  if (file_ < 0) file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);  // there is none before the first launch
  if (file_ < 0) return {};
  const std::int64_t end = lseek(file_, 0, SEEK_END);
  std::vector<WorkRecord> records(static_cast<std::size_t>(end > offset_ ? (end - offset_) / kSize : 0));
  if (records.empty()) return records;
  const ssize_t got = pread(file_, records.data(), records.size() * sizeof(WorkRecord), offset_);
  records.resize(got > 0 ? static_cast<std::size_t>(got / kSize) : 0);
  offset_ += static_cast<std::int64_t>(records.size()) * kSize;
  return records;
}

}  // namespace ridge::collectors::fake
