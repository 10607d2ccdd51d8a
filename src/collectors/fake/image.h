// The two kinds of bytes that CUPTI's callers carry about without looking inside: config images, which say what to
// count, and counter-data images, which hold what was counted.
//
// Both describe themselves, so that another process than the one that filled them can read them. Bytes that are no such
// image, or of another size than they say, are refused. Layout is the fake's own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ridge::collectors::fake {

struct Config {
  bool sampling = false;
  std::uint32_t passes = 0;
  std::vector<std::string> metrics;  ///< full names
};
[[nodiscard]] std::string write_config(const Config& config);
[[nodiscard]] std::optional<Config> read_config(std::span<const std::uint8_t> bytes);

/// The base names of full names, each once, in order.
[[nodiscard]] std::vector<std::string> bases_of(std::span<const std::string> metrics);

/// A counter-data image in somebody's memory.
class CounterImage {
 public:
  struct Record {
    std::uint64_t start = 0, end = 0;  ///< ns
    double active = 0;                 ///< seconds
  };

  [[nodiscard]] static std::size_t size_for(const std::vector<std::string>& bases, std::size_t capacity);
  /// Writes an empty image of exactly that size; the number of records is what fits.
  [[nodiscard]] static bool initialise(std::span<std::uint8_t> bytes, const std::vector<std::string>& bases,
                                       std::uint32_t device);
  /// nullopt: the bytes are no image of that size.
  [[nodiscard]] static std::optional<CounterImage> open(std::uint8_t* bytes, std::size_t size);

  [[nodiscard]] std::uint32_t device() const;
  [[nodiscard]] std::size_t capacity() const;
  [[nodiscard]] std::size_t filled() const;
  [[nodiscard]] bool full() const { return filled() >= capacity(); }
  [[nodiscard]] const std::vector<std::string>& bases() const { return bases_; }
  [[nodiscard]] Record record(std::size_t at) const;
  /// NaN: not counted.
  [[nodiscard]] double amount(std::size_t at, std::size_t base) const;
  /// One amount for each base. The image must not be full.
  void append(const Record& record, const std::vector<double>& amounts);
  void clear();

 private:
  CounterImage(std::uint8_t* bytes, std::vector<std::string> bases) : bytes_(bytes), bases_(std::move(bases)) {}
  [[nodiscard]] std::size_t offset(std::size_t record) const;

  std::uint8_t* bytes_;
  std::vector<std::string> bases_;
};

}  // namespace ridge::collectors::fake
