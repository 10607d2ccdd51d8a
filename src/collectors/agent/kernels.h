// The kernels that a process has shown so far, and the numbers that names and shapes have on the wire.
//
// A name or a shape is sent before the first message that refers to it; one that the full queue refused is tried again
// at the next use. Everything may be called from any thread. Facts stay where they are for the life of the book.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "collectors/agent/names.h"
#include "collectors/agent/outbox.h"

namespace ridge::collectors::agent {

struct KernelFacts {
  std::atomic<wire::TextId> id = 0;  ///< 0: could not be sent yet
  std::string symbol, demangled, plain;
  bool wanted = true;  ///< by the kernel filter
  bool collective = false;
  [[nodiscard]] bool matches(const Pattern& pattern) const {
    return pattern.matches(symbol) || pattern.matches(plain) || pattern.matches(demangled);
  }
};

/// Texts other than kernels too: calls, ranges.
class TextBook {
 public:
  explicit TextBook(Outbox& outbox) : outbox_(outbox) {}
  /// 0: empty, or could not be sent.
  wire::TextId id(std::string_view text);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  Outbox& outbox_;
  std::mutex mutex_;
  std::unordered_map<std::string, wire::TextId, Hash, std::equal_to<>> ids_;
};

class KernelBook {
 public:
  /// `filter` empty: every kernel is wanted.
  KernelBook(TextBook& texts, const std::string& filter);
  /// Null symbols are the empty name.
  const KernelFacts& find(const char* symbol);
  [[nodiscard]] bool filter_is_valid() const { return filter_text_.empty() || filter_.valid(); }

 private:
  TextBook& texts_;
  const std::string filter_text_;
  const Pattern filter_;
  std::mutex mutex_;
  std::deque<KernelFacts> facts_;
  std::unordered_map<std::string_view, KernelFacts*> by_symbol_;  // keys point into facts_
};

class ShapeBook {
 public:
  explicit ShapeBook(Outbox& outbox) : outbox_(outbox) {}
  /// The number of a shape; shape.id is ignored. 0: could not be sent.
  std::uint32_t id(const wire::Shape& shape);

 private:
  Outbox& outbox_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> ids_;  // by the bytes of the shape
};

}  // namespace ridge::collectors::agent
