#include "collectors/wire/codec.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace ridge::collectors::wire {
namespace {

// The members of every struct in their order on the wire: what the writer and the reader both walk through.
template <class A>
void fields(A& a, Hello& m) {
  a(m.protocol, m.process, m.parent, m.program, m.cupti, m.cupti_version, m.driver_version, m.now);
}
template <class A>
void fields(A& a, DeviceFound& m) {
  a(m.device, m.name, m.chip, m.address, m.uuid, m.capability, m.attributes, m.memory);
}
template <class A>
void fields(A& a, ContextMade& m) {
  a(m.context, m.device);
}
template <class A>
void fields(A& a, Text& m) {
  a(m.id, m.text);
}
template <class A>
void fields(A& a, Shape& m) {
  a(m.id, m.grid, m.block, m.cluster, m.registers, m.shared_static, m.shared_dynamic);
}
template <class A>
void fields(A& a, Launch& m) {
  a(m.kernel, m.shape, m.device, m.context, m.stream, m.correlation, m.graph_node, m.start, m.end);
}
template <class A>
void fields(A& a, Launches& m) {
  a(m.items);
}
template <class A>
void fields(A& a, Copy& m) {
  a(m.set, m.from, m.to, m.device, m.context, m.other_device, m.stream, m.bytes, m.correlation, m.start, m.end);
}
template <class A>
void fields(A& a, Copies& m) {
  a(m.items);
}
template <class A>
void fields(A& a, Event& m) {
  a(m.kind, m.name, m.thread, m.device, m.context, m.correlation, m.stream, m.bytes, m.start, m.end);
}
template <class A>
void fields(A& a, Events& m) {
  a(m.items);
}
template <class A>
void fields(A& a, ThreadTime& m) {
  a(m.thread, m.from, m.to, m.on_cpu);
}
template <class A>
void fields(A& a, CounterImage& m) {
  a(m.recipe, m.kernel, m.grid, m.block, m.shared_dynamic, m.device, m.context, m.correlation, m.stream, m.began,
    m.ended, m.image);
}
template <class A>
void fields(A& a, Problem& m) {
  a(m.stage, m.code, m.text, m.kernel);
}
template <class A>
void fields(A& a, Dropped& m) {
  a(m.what, m.count);
}
template <class A>
void fields(A& a, LeaseWanted& m) {
  a(m.wanted);
}
template <class A>
void fields(A& a, CounterProgress& m) {
  a(m.seen, m.measured, m.failed, m.collectives, m.cooperative, m.over_budget, m.in_graphs, m.filtered, m.spent);
}
template <class A>
void fields(A& a, CaptureSwitch& m) {
  a(m.on, m.at);
}
template <class A>
void fields(A& a, RangeMeasured& m) {
  a(m.id, m.name, m.thread, m.device, m.start, m.end, m.kernels_known, m.launches, m.kernel_nanoseconds, m.image);
}
template <class A>
void fields(A& a, Goodbye& m) {
  a(m.launches_seen);
}
template <class A>
void fields(A& a, Settings& m) {
  a(m.timing, m.api, m.counters, m.wait_for_sampler, m.from_start, m.delay, m.duration, m.kernel_filter, m.skip,
    m.count, m.range, m.devices, m.samples_per_shape, m.budget);
}
template <class A>
void fields(A& a, CounterSetup& m) {
  a(m.recipe, m.device, m.passes, m.metrics, m.config_image, m.name_hint);
}
template <class A>
void fields(A& a, Decide& m) {
  a(m.kernel, m.grid, m.block, m.shared_dynamic, m.recipe);
}
template <class A>
void fields(A& a, Lease& m) {
  a(m.granted);
}
template <class A>
void fields(A&, Ready&) {}
template <class A>
void fields(A& a, RangeValues& m) {
  a(m.id, m.have, m.dram_read, m.dram_write, m.warp_instructions);
}
template <class A>
void fields(A&, Stop&) {}

/// The largest enumerator of each enumeration on the wire.
constexpr MemoryKind last(MemoryKind) {
  return MemoryKind::kManaged;
}
constexpr EventKind last(EventKind) {
  return EventKind::kPageFault;
}
constexpr Stage last(Stage) {
  return Stage::kMeasuredRange;
}
constexpr Loss last(Loss) {
  return Loss::kUnknownRecords;
}

class Writer {
 public:
  explicit Writer(std::string& bytes) : bytes_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (put(values), ...);
  }

 private:
  template <class T>
  void put(T& value) {
    if constexpr (std::is_enum_v<T>) {
      number(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_integral_v<T>) {
      number(value);
    } else {
      fields(*this, value);
    }
  }
  void put(std::string& text) {
    number(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  template <class T, std::size_t kSize>
  void put(std::array<T, kSize>& items) {
    for (T& item : items) put(item);
  }
  template <class T>
  void put(std::vector<T>& items) {
    number(static_cast<std::uint32_t>(items.size()));
    for (T& item : items) put(item);
  }
  template <class A, class B>
  void put(std::pair<A, B>& pair) {
    put(pair.first);
    put(pair.second);
  }
  template <class T>
  void number(T value) {
    static_assert(std::endian::native == std::endian::little, "both ends are one machine");
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::string& bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  [[nodiscard]] bool complete() const { return good_ && bytes_.empty(); }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      number(byte);
      if (byte > 1) good_ = false;
      value = byte == 1;
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> raw{};
      number(raw);
      if (raw > static_cast<std::underlying_type_t<T>>(last(value))) good_ = false;
      if (good_) value = static_cast<T>(raw);
    } else if constexpr (std::is_integral_v<T>) {
      number(value);
    } else {
      fields(*this, value);
    }
  }
  void get(std::string& text) {
    const std::uint32_t size = length(1);
    text.assign(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
  }
  template <class T, std::size_t kSize>
  void get(std::array<T, kSize>& items) {
    for (T& item : items) get(item);
  }
  /// Grows as items come: a length that lies costs nothing.
  template <class T>
  void get(std::vector<T>& items) {
    const std::uint32_t size = length(1);
    for (std::uint32_t i = 0; i < size && good_; ++i) get(items.emplace_back());
  }
  template <class A, class B>
  void get(std::pair<A, B>& pair) {
    get(pair.first);
    get(pair.second);
  }
  /// Of what takes at least `each` bytes an item.
  std::uint32_t length(std::size_t each) {
    std::uint32_t size = 0;
    number(size);
    if (size > bytes_.size() / each) good_ = false;
    return good_ ? size : 0;
  }
  template <class T>
  void number(T& value) {
    if (bytes_.size() < sizeof value) good_ = false;
    if (!good_) return;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
  }

  std::string_view bytes_;
  bool good_ = true;
};

template <std::size_t kKind = 0>
std::optional<Message> decode(std::size_t wanted, std::string_view body) {
  if constexpr (kKind == std::variant_size_v<Message>) {
    return std::nullopt;
  } else {
    if (wanted != kKind) return decode<kKind + 1>(wanted, body);
    std::variant_alternative_t<kKind, Message> message;
    Reader reader(body);
    fields(reader, message);
    if (!reader.complete()) return std::nullopt;
    return Message(std::move(message));
  }
}

}  // namespace

void encode(const Message& message, std::string& bytes) {
  const std::size_t begin = bytes.size();
  bytes.append(sizeof(std::uint32_t), '\0');
  bytes += static_cast<char>(message.index());
  Writer writer(bytes);
  // The writer only reads; fields() is one function for both directions, so it takes what it walks through as mutable.
  std::visit([&](const auto& m) { fields(writer, const_cast<std::remove_cvref_t<decltype(m)>&>(m)); }, message);
  const auto length = static_cast<std::uint32_t>(bytes.size() - begin - sizeof(std::uint32_t));
  std::memcpy(bytes.data() + begin, &length, sizeof length);
}

std::string encode(const Message& message) {
  std::string bytes;
  encode(message, bytes);
  return bytes;
}

void Decoder::feed(std::string_view bytes) {
  if (used_ > 0 && used_ >= bytes_.size() / 2) {
    bytes_.erase(0, used_);
    used_ = 0;
  }
  bytes_ += bytes;
}

std::optional<Message> Decoder::next() {
  std::uint32_t length = 0;
  if (damaged_ || pending() < sizeof length) return std::nullopt;
  std::memcpy(&length, bytes_.data() + used_, sizeof length);
  if (length == 0 || length > kLargestFrame) {
    damaged_ = true;
    return std::nullopt;
  }
  if (pending() - sizeof length < length) return std::nullopt;
  const std::string_view frame = std::string_view(bytes_).substr(used_ + sizeof length, length);
  std::optional<Message> message = decode(static_cast<unsigned char>(frame.front()), frame.substr(1));
  if (!message) damaged_ = true;
  used_ += sizeof length + length;
  return message;
}

}  // namespace ridge::collectors::wire
