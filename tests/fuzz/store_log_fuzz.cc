// A .ridge file as a killed writer leaves it, with its log beside it: any bytes in either end in a profile or in one
// error, and the folder is as it was.
//
// Input: the length of the file (4 bytes, little-endian), a byte, the file, the log. Damage in a log breaks its
// checksums, and SQLite ignores what follows: so where the byte is odd the log's checksums and salts are put right
// first (https://www.sqlite.org/fileformat.html, 4), and what its pages hold is read.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "fuzz/profile_check.h"

namespace {

namespace fs = std::filesystem;
using ridge::test::require;

constexpr std::size_t kLogHeader = 32, kFrameHeader = 24;
constexpr std::size_t kSalts = 16, kFrameSalts = 8, kSaltBytes = 8;
constexpr std::size_t kHeaderSums = 24, kFrameSums = 16;
constexpr std::size_t kPageSize = 16;    // in the header of the file: two bytes, big-endian
constexpr std::size_t kLogPageSize = 8;  // in the header of the log: four
constexpr std::string_view kLogMagic("\x37\x7f\x06\x82\0\x2d\xe2\x18", 8);  // sums of little-endian words; version

/// A folder of this process that goes with it.
class Folder {
 public:
  Folder() : path_((fs::temp_directory_path() / "ridge-fuzz-XXXXXX").string()) {
    require(mkdtemp(path_.data()) != nullptr);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const char* name) const { return path_ + "/" + name; }
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  std::string path_;
};

struct Sums {
  std::uint32_t first = 0, second = 0;

  void add(std::string_view bytes) {
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      std::array<std::uint32_t, 2> words{};
      std::memcpy(words.data(), bytes.data() + i, sizeof words);
      first += words[0] + second;
      second += words[1] + first;
    }
  }
  void put(char* place) const {
    for (const std::uint32_t sum : {first, second}) {
      for (unsigned shift = 32; shift > 0; shift -= 8) *place++ = static_cast<char>(sum >> (shift - 8));
    }
  }
};

void put_right(std::string_view file, std::string& log) {
  if (file.size() < kPageSize + 2 || log.size() < kLogHeader) return;
  const std::string_view view = log;
  const std::size_t page =
      static_cast<unsigned char>(file[kPageSize]) * std::size_t{256} + static_cast<unsigned char>(file[kPageSize + 1]);
  if (page < 512) return;
  log.replace(0, kLogMagic.size(), kLogMagic);
  log.replace(kLogPageSize, 4, std::string(2, '\0').append(file.substr(kPageSize, 2)));
  Sums sums;
  sums.add(view.substr(0, kHeaderSums));
  sums.put(log.data() + kHeaderSums);
  for (std::size_t at = kLogHeader; at + kFrameHeader + page <= log.size(); at += kFrameHeader + page) {
    log.replace(at + kFrameSalts, kSaltBytes, log.substr(kSalts, kSaltBytes));
    sums.add(view.substr(at, kFrameSalts));
    sums.add(view.substr(at + kFrameHeader, page));
    sums.put(log.data() + at + kFrameSums);
  }
}

void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), std::ssize(bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::uint32_t length = 0;
  if (bytes.size() <= sizeof length) return 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const bool repair = (bytes[sizeof length] & 1) != 0;
  bytes.remove_prefix(sizeof length + 1);
  const std::string_view file = bytes.substr(0, length);
  std::string log(bytes.substr(file.size()));
  if (repair) put_right(file, log);
  write(folder.file("a.ridge"), file);
  write(folder.file("a.ridge-wal"), log);

  const ridge::Result<ridge::Profile> profile = ridge::store::read_profile(folder.file("a.ridge"));
  require(folder.files() == 2);
  if (profile) {
    ridge::test::require_same_again(*profile);
  } else {
    require(!profile.error().what.empty() && !profile.error().remedy.empty());
  }
  return 0;
}
