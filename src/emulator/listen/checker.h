// What a kernel does wrong with shared memory: reads of bytes that nobody wrote, and races between warps.
//
// A race: two warps of a block reach the same byte, at least one of them with a plain store, and nothing between the
// two orders them. Whatever could order them is taken to do so for the whole block: any barrier of the block or cluster
// (also one of some warps only), a fence, a volatile or acquiring access, a phase of an mbarrier that was seen to be
// over. What is reported is therefore wrong; what is not reported may be wrong all the same.
//
// Left out: lanes of one warp against one another, bulk copies against anything (mbarriers order them), other blocks of
// a cluster (once one reaches another's memory, no read counts as uninitialised), and blocks beyond the memory that a
// checker may take: it watches as many at a time as fit, and every block that follows in their places.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/exec/fault.h"
#include "emulator/exec/listener.h"

namespace ridge::emulator {

/// One worker's listener.
class Checker final : public Listener {
 public:
  static constexpr std::uint64_t kUsualBytes = 64 << 20;
  /// `most_bytes`: of its own memory, four for each byte of shared memory that it watches.
  explicit Checker(std::uint64_t most_bytes = kUsualBytes) : most_bytes_(most_bytes) {}

  void access(const Where& where, const Access& access) override;
  void shared_written(const Where& where, std::uint64_t offset, std::uint64_t bytes) override;
  void barrier(const Where& where, Mask lanes, std::uint32_t barrier) override;
  void ordered(const Where& where) override;
  void block_begins(const Where& where, std::uint32_t shared_bytes) override;
  void block_ends(const Where& where) override;

  /// One for each kind and instruction.
  [[nodiscard]] const std::vector<Fault>& findings() const { return findings_; }
  /// Blocks that were watched from their beginning to their end.
  [[nodiscard]] std::uint64_t watched() const { return watched_; }

 private:
  /// Of one byte: whether it was ever written, and who reached it since the block was last ordered.
  struct Cell {
    std::uint32_t written : 1, epoch : 19, writer : 6, reader : 6;
  };
  struct Shadow {
    std::vector<Cell> cells;
    std::uint32_t epoch = 1;
    bool live = false;
  };
  enum class Use : std::uint8_t { kRead, kAtomic, kWrite, kUnordered };

  [[nodiscard]] Shadow* find(const Where& where);
  void lanes(const Where& where, const Access& access, const std::uint64_t* offsets, Use use);
  void byte(const Where& where, const Access& access, Cell& cell, std::uint32_t lane, std::uint64_t offset, Use use);
  void report(FaultKind kind, const Where& where, const Access& access, std::uint32_t lane, std::uint64_t offset,
              std::string text);

  std::uint64_t most_bytes_, bytes_ = 0, watched_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<Shadow>> shadows_;
  std::uint64_t last_key_ = UINT64_MAX;
  Shadow* last_ = nullptr;
  bool reaches_others_ = false;
  std::set<std::pair<FaultKind, std::uint32_t>> known_;
  std::vector<Fault> findings_;
};

}  // namespace ridge::emulator
