// For tests: an outbox that keeps what it is given.
#pragma once

#include <vector>

#include "collectors/agent/outbox.h"

namespace ridge::collectors::agent {

class KeepsAll : public Outbox {
 public:
  bool send(const wire::Message& message, Weight weight) override {
    static_cast<void>(weight);
    messages.push_back(message);
    return true;
  }
  /// Those of one kind, in order.
  template <class Message>
  [[nodiscard]] std::vector<Message> all() const {
    std::vector<Message> found;
    for (const auto& message : messages) {
      if (const auto* one = std::get_if<Message>(&message)) found.push_back(*one);
    }
    return found;
  }
  std::vector<wire::Message> messages;
};

}  // namespace ridge::collectors::agent
