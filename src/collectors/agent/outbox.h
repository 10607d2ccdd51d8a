// Where the parts of the agent put what the collector is to know.
#pragma once

#include "collectors/wire/messages.h"

namespace ridge::collectors::agent {

/// Bulk is dropped, and counted, when the collector does not keep up. What other messages refer to is dropped later.
enum class Weight : unsigned char { kBulk, kNeeded };

class Outbox {
 public:
  virtual ~Outbox() = default;
  /// Never blocks on the collector. False: dropped. Any thread.
  virtual bool send(const wire::Message& message, Weight weight) = 0;
};

}  // namespace ridge::collectors::agent
