// Stands in for libFuzzer where it is not available: feeds a fuzz target every file of its corpus, and of each small
// one some damaged copies, the same on every run.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

constexpr int kDamagedCopies = 48;
constexpr std::size_t kLargestDamaged = std::size_t{64} << 10;

void feed(const Bytes& bytes) {
  // A copy of exactly this size, so that a read past the end is seen by the address sanitizer.
  const Bytes exact(bytes);  // NOLINT(performance-unnecessary-copy-initialization): the copy is the point
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

Bytes read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

/// Cuts, flips bits, overwrites and repeats parts.
Bytes damaged(const Bytes& bytes, std::mt19937& engine) {
  Bytes copy = bytes;
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(engine);
  };
  if (below(4) == 0) copy.resize(below(copy.size()) + 1);
  for (std::size_t changes = below(8); changes > 0; --changes) {
    const std::size_t at = below(copy.size());
    switch (below(3)) {
      case 0:
        copy[at] = static_cast<std::uint8_t>(copy[at] ^ (1U << below(8)));
        break;
      case 1:
        copy[at] = static_cast<std::uint8_t>(below(2) == 0 ? 0xff : below(256));
        break;
      default:
        std::copy_n(copy.begin() + static_cast<std::ptrdiff_t>(below(copy.size() - at) + at), 1,
                    copy.begin() + static_cast<std::ptrdiff_t>(at));
        break;
    }
  }
  return copy;
}

void replay(const fs::path& path) {
  const Bytes bytes = read(path);
  feed(bytes);
  if (bytes.empty() || bytes.size() > kLargestDamaged) return;
  std::mt19937 engine(static_cast<std::mt19937::result_type>(bytes.size()));
  for (int i = 0; i < kDamagedCopies; ++i) feed(damaged(bytes, engine));
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    std::vector<fs::path> paths;
    if (fs::is_directory(argv[i])) {
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(argv[i])) {
        if (entry.is_regular_file()) paths.push_back(entry.path());
      }
    } else {
      paths.emplace_back(argv[i]);
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) replay(path);
    files += paths.size();
  }
  if (files == 0) {
    std::fprintf(stderr, "no corpus file given or found\n");
    return 1;
  }
  std::printf("%zu corpus files\n", files);
  return 0;
}
