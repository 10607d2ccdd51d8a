#include "collectors/fake/image.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string_view>

#include "collectors/fake/metrics.h"

namespace ridge::collectors::fake {
namespace {

constexpr char kConfigMagic[] = "ridge fake config 1";
constexpr char kImageMagic[8] = {'R', 'F', 'G', 'I', 'M', 'G', '0', '1'};

struct Header {
  char magic[8];
  std::uint64_t size;
  std::uint32_t device, bases, names;  ///< names: bytes of all base names, each with a zero at its end, padded to 8
  std::uint32_t capacity;
  std::uint64_t filled;
};
constexpr std::size_t kFilledAt = offsetof(Header, filled);

std::size_t names_size(const std::vector<std::string>& bases) {
  std::size_t size = 0;
  for (const std::string& base : bases) size += base.size() + 1;
  return (size + 7) / 8 * 8;
}

std::size_t record_size(std::size_t bases) {
  return sizeof(CounterImage::Record) + bases * sizeof(double);
}

Header header_at(const std::uint8_t* bytes) {
  Header header{};
  std::memcpy(&header, bytes, sizeof(header));
  return header;
}

}  // namespace

std::string write_config(const Config& config) {
  std::ostringstream text;
  text << kConfigMagic << '\n' << (config.sampling ? "sampling" : "range") << ' ' << config.passes << '\n';
  for (const std::string& metric : config.metrics) text << metric << '\n';
  return text.str();
}

std::optional<Config> read_config(std::span<const std::uint8_t> bytes) {
  std::string all(bytes.size(), '\0');
  std::memcpy(all.data(), bytes.data(), bytes.size());
  std::istringstream text(all);
  std::string magic, kind, metric;
  Config config;
  if (!std::getline(text, magic) || magic != kConfigMagic || !(text >> kind >> config.passes)) return std::nullopt;
  config.sampling = kind == "sampling";
  while (text >> metric) config.metrics.push_back(metric);
  return config;
}

std::vector<std::string> bases_of(std::span<const std::string> metrics) {
  std::vector<std::string> bases;
  for (const std::string& metric : metrics) {
    std::string base = metric.substr(0, metric.find('.'));
    if (std::find(bases.begin(), bases.end(), base) == bases.end()) bases.push_back(std::move(base));
  }
  return bases;
}

std::size_t CounterImage::size_for(const std::vector<std::string>& bases, std::size_t capacity) {
  return sizeof(Header) + names_size(bases) + capacity * record_size(bases.size());
}

bool CounterImage::initialise(std::span<std::uint8_t> bytes, const std::vector<std::string>& bases,
                              std::uint32_t device) {
  const std::size_t fixed = size_for(bases, 0);
  if (bytes.size() < fixed) return false;
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
  Header header{};
  std::copy(std::begin(kImageMagic), std::end(kImageMagic), std::begin(header.magic));
  header.size = bytes.size();
  header.device = device;
  header.bases = static_cast<std::uint32_t>(bases.size());
  header.names = static_cast<std::uint32_t>(names_size(bases));
  header.capacity = static_cast<std::uint32_t>((bytes.size() - fixed) / record_size(bases.size()));
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::size_t at = sizeof(header);
  for (const std::string& base : bases) {
    std::memcpy(bytes.data() + at, base.c_str(), base.size() + 1);
    at += base.size() + 1;
  }
  return true;
}

std::optional<CounterImage> CounterImage::open(std::uint8_t* bytes, std::size_t size) {
  if (bytes == nullptr || size < sizeof(Header)) return std::nullopt;
  const Header header = header_at(bytes);
  const std::size_t fixed = sizeof(Header) + header.names;
  if (std::memcmp(header.magic, kImageMagic, sizeof(kImageMagic)) != 0 || header.size != size || fixed > size ||
      header.filled > header.capacity || fixed + header.capacity * record_size(header.bases) > size) {
    return std::nullopt;
  }
  std::string names(header.names, '\0');
  std::memcpy(names.data(), bytes + sizeof(Header), names.size());
  std::string_view rest = names;
  std::vector<std::string> bases;
  for (std::uint32_t i = 0; i < header.bases; ++i) {
    const std::size_t end = rest.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    bases.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return CounterImage(bytes, std::move(bases));
}

std::uint32_t CounterImage::device() const {
  return header_at(bytes_).device;
}

std::size_t CounterImage::capacity() const {
  return header_at(bytes_).capacity;
}

std::size_t CounterImage::filled() const {
  return header_at(bytes_).filled;
}

std::size_t CounterImage::offset(std::size_t record) const {
  return sizeof(Header) + names_size(bases_) + record * record_size(bases_.size());
}

CounterImage::Record CounterImage::record(std::size_t at) const {
  Record record;
  std::memcpy(&record, bytes_ + offset(at), sizeof(record));
  return record;
}

double CounterImage::amount(std::size_t at, std::size_t base) const {
  double value = 0;
  std::memcpy(&value, bytes_ + offset(at) + sizeof(Record) + base * sizeof(double), sizeof(value));
  return value;
}

void CounterImage::append(const Record& record, const std::vector<double>& amounts) {
  std::uint64_t filled_now = filled();
  std::memcpy(bytes_ + offset(filled_now), &record, sizeof(record));
  std::memcpy(bytes_ + offset(filled_now) + sizeof(record), amounts.data(), amounts.size() * sizeof(double));
  ++filled_now;
  std::memcpy(bytes_ + kFilledAt, &filled_now, sizeof(filled_now));
}

void CounterImage::clear() {
  const std::uint64_t none = 0;
  std::memcpy(bytes_ + kFilledAt, &none, sizeof(none));
}

}  // namespace ridge::collectors::fake
