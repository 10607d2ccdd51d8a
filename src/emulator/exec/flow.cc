#include "emulator/exec/flow.h"

#include <algorithm>

namespace ridge::emulator {
namespace {

struct Block : FlowBlock {
  std::vector<std::uint32_t> previous;
  std::uint32_t meets = kNowhere;  ///< immediate post-dominator, a block
  std::uint32_t order = kNowhere;  ///< in a post-order from the exit; higher is nearer to it
};

// Post-dominators by the iterative method of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001) on
// the reversed graph. Block number blocks.size() - 1 is an exit, to which one of the final blocks leads at a time.
class Meeting {
 public:
  explicit Meeting(const std::vector<FlowItem>& items) : items_(items) {
    for (FlowBlock& each : flow_blocks(items)) {
      blocks_.emplace_back();
      static_cast<FlowBlock&>(blocks_.back()) = std::move(each);
    }
    blocks_.emplace_back();
    for (std::uint32_t i = 0; i < way_out(); ++i) {
      for (const std::uint32_t next : blocks_[i].next) blocks_[next].previous.push_back(i);
    }
  }

  // The last end is the one that lanes are expected at; the others are left out, as nobody waits for lanes that end.
  // What cannot reach it meets on the way to the end before it, and so on.
  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> result(items_.size(), kNowhere);
    const std::vector<std::uint32_t> ends = reachable_ends();
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      if (!is_open(result)) break;
      forget();
      link(*end, way_out());
      number();
      settle();
      take(result);
      blocks_[*end].next.pop_back();
      blocks_[way_out()].previous.clear();
    }
    return result;
  }

 private:
  [[nodiscard]] std::uint32_t way_out() const { return static_cast<std::uint32_t>(blocks_.size() - 1); }

  void link(std::uint32_t from, std::uint32_t to) {
    auto& next = blocks_[from].next;
    if (std::find(next.begin(), next.end(), to) != next.end()) return;
    next.push_back(to);
    blocks_[to].previous.push_back(from);
  }

  [[nodiscard]] std::vector<std::uint32_t> reachable_ends() const {
    std::vector<bool> seen(blocks_.size(), false);
    std::vector<std::uint32_t> stack = {0}, ends;
    seen[0] = true;
    while (!stack.empty()) {
      const std::uint32_t block = stack.back();
      stack.pop_back();
      const FlowItem& item = items_[blocks_[block].last];
      if (item.ends && !item.falls_through) ends.push_back(block);
      for (const std::uint32_t next : blocks_[block].next) {
        if (!seen[next]) stack.push_back(next);
        seen[next] = true;
      }
    }
    std::sort(ends.begin(), ends.end());
    return ends;
  }

  // Whether some branch has no meeting point yet.
  [[nodiscard]] bool is_open(const std::vector<std::uint32_t>& result) const {
    return std::any_of(blocks_.begin(), blocks_.end(),
                       [&](const Block& each) { return each.next.size() > 1 && result[each.last] == kNowhere; });
  }

  void forget() {
    post_order_.clear();
    for (Block& each : blocks_) each.meets = each.order = kNowhere;
  }

  void take(std::vector<std::uint32_t>& result) const {
    for (std::size_t i = 0; i + 1 < blocks_.size(); ++i) {
      const Block& block = blocks_[i];
      if (block.next.size() < 2 || block.meets == kNowhere || block.meets == way_out()) continue;
      if (result[block.last] == kNowhere) result[block.last] = blocks_[block.meets].first;
    }
  }

  // Depth first from the exit against the edges, without recursion: functions of generated code are long.
  void number() {
    struct Visit {
      std::uint32_t block = 0;
      std::size_t edge = 0;
    };
    std::vector<bool> seen(blocks_.size(), false);
    std::vector<Visit> stack = {{way_out(), 0}};
    seen[way_out()] = true;
    while (!stack.empty()) {
      Visit& top = stack.back();
      const auto& edges = blocks_[top.block].previous;
      if (top.edge == edges.size()) {
        blocks_[top.block].order = static_cast<std::uint32_t>(post_order_.size());
        post_order_.push_back(top.block);
        stack.pop_back();
        continue;
      }
      const std::uint32_t next = edges[top.edge++];
      if (!seen[next]) {
        seen[next] = true;
        stack.push_back({next, 0});
      }
    }
  }

  std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      while (blocks_[a].order < blocks_[b].order) a = blocks_[a].meets;
      while (blocks_[b].order < blocks_[a].order) b = blocks_[b].meets;
    }
    return a;
  }

  void settle() {
    blocks_[way_out()].meets = way_out();
    for (bool changed = true; changed;) {
      changed = false;
      for (auto block = post_order_.rbegin() + 1; block != post_order_.rend(); ++block) {
        std::uint32_t meets = kNowhere;
        for (const std::uint32_t next : blocks_[*block].next) {
          if (blocks_[next].meets == kNowhere) continue;
          meets = meets == kNowhere ? next : common(next, meets);
        }
        changed = changed || blocks_[*block].meets != meets;
        blocks_[*block].meets = meets;
      }
    }
  }

  const std::vector<FlowItem>& items_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> post_order_;
};

}  // namespace

std::vector<FlowBlock> flow_blocks(const std::vector<FlowItem>& items) {
  std::vector<bool> leads(items.size() + 1, false);
  leads[0] = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (const std::uint32_t target : items[i].targets) leads[target] = true;
    if (!items[i].targets.empty() || !items[i].falls_through) leads[i + 1] = true;
  }
  std::vector<FlowBlock> blocks;
  std::vector<std::uint32_t> block_of(items.size());
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    if (leads[i]) blocks.push_back({i, i, {}});
    blocks.back().last = i;
    block_of[i] = static_cast<std::uint32_t>(blocks.size() - 1);
  }
  for (FlowBlock& block : blocks) {
    const auto link = [&](std::uint32_t item) {
      const std::uint32_t to = block_of[item];
      if (std::find(block.next.begin(), block.next.end(), to) == block.next.end()) block.next.push_back(to);
    };
    const FlowItem& item = items[block.last];
    for (const std::uint32_t target : item.targets) link(target);
    if (item.falls_through && block.last + 1 < items.size()) link(block.last + 1);
  }
  return blocks;
}

std::vector<std::uint32_t> meeting_points(const std::vector<FlowItem>& items) {
  if (items.empty()) return {};
  return Meeting(items).run();
}

}  // namespace ridge::emulator
