// A message is data, not prose: a catalogue id and named arguments. Renderers turn it into a sentence in the reader's
// language (render/text/messages.cc holds every id in English and Chinese).
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ridge {

/// How a renderer scales and labels a number.
enum class Unit : unsigned char {
  kNone,  ///< a plain number
  kCount,
  kBytes,
  kFlops,
  kSeconds,
  kHertz,
  kBytesPerSecond,
  kFlopsPerSecond,
  kFlopsPerByte,
  kRatio,   ///< 0..1, shown as per cent
  kFactor,  ///< shown as 1.28x
  kPerCycle,
};

struct Argument {
  std::string name;
  std::variant<double, std::string> value;
  Unit unit = Unit::kNone;
};

struct Message {
  std::string id;
  std::vector<Argument> arguments;

  Message() = default;
  explicit Message(std::string id_, std::vector<Argument> arguments_ = {})
      : id(std::move(id_)), arguments(std::move(arguments_)) {}
};

}  // namespace ridge
