// How much of its shared memory a block really uses: of the first place for a block that this worker hears of, one
// block after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/exec/listener.h"

namespace ridge::emulator {

class SharedTouch final : public Listener {
 public:
  void access(const Where& where, const Access& access) override;
  void shared_written(const Where& where, std::uint64_t offset, std::uint64_t bytes) override;
  void block_begins(const Where& where, std::uint32_t shared_bytes) override;
  void block_ends(const Where& where) override;

  /// Bytes, in words of four, of the block that touched most.
  [[nodiscard]] std::uint64_t most() const { return most_; }

 private:
  [[nodiscard]] bool watches(const Where& where) const {
    return sm_ && *sm_ == where.sm && resident_ == where.resident;
  }
  void mark(const std::uint64_t* offsets, std::uint32_t lanes, std::uint32_t bytes);
  void mark(std::uint64_t offset, std::uint64_t bytes);

  std::optional<std::uint32_t> sm_;
  std::uint32_t resident_ = 0;
  std::vector<bool> touched_;  ///< by word
  std::uint64_t words_ = 0, most_ = 0;
};

}  // namespace ridge::emulator
