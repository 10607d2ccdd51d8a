// The state of the driver in this process: contexts, streams, functions, graphs, events, and when their work runs.
//
// Handles that a program holds are pointers to these structs; they live for ever, so a stale handle is harmless.
// Everything is guarded by Machine::mutex, which is never held while somebody else's code is called.
//
// Not here: the calls themselves (driver_*.cc), what CUPTI makes of them (activity.h, callbacks.h, replay.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "collectors/fake/timeline.h"
#include "collectors/fake/worklog.h"
#include "collectors/fake/world.h"

namespace ridge::collectors::fake {

// CUresult
inline constexpr int kCudaSuccess = 0;
inline constexpr int kCudaInvalidValue = 1;
inline constexpr int kCudaNotInitialised = 3;
inline constexpr int kCudaNoDevice = 100;
inline constexpr int kCudaInvalidDevice = 101;
inline constexpr int kCudaInvalidContext = 201;
inline constexpr int kCudaInvalidHandle = 400;
inline constexpr int kCudaNotFound = 500;
inline constexpr int kCudaNotReady = 600;
inline constexpr int kCudaNotSupported = 801;

struct Context {
  std::uint32_t uid = 0, device = 0;
  std::uint32_t holders = 0;  ///< of a primary context
};

struct Stream {
  std::uint32_t id = 0;
  Context* context = nullptr;
};

/// A kernel that a module was asked for.
struct Function {
  std::size_t kernel = 0;
};

struct Event {
  std::uint64_t moment = 0;  ///< when what it was recorded behind is done; 0: not recorded
};

/// How a kernel is launched.
struct Configuration {
  std::size_t kernel = 0;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared = 0;
  [[nodiscard]] std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  [[nodiscard]] std::uint64_t block_size() const { return std::uint64_t{block[0]} * block[1] * block[2]; }
};

struct GraphNode {
  std::uint64_t id = 0;
  Configuration configuration;
};

/// A graph, and what is made of one to be launched: the same here.
struct Graph {
  std::uint32_t id = 0;
  std::vector<std::unique_ptr<GraphNode>> nodes;
};

struct Machine {
  explicit Machine(const World& of) : world(&of), work(of.directory) {}

  const World* world;
  std::mutex mutex;
  bool initialised = false;
  Timeline timeline;
  WorkWriter work;
  std::vector<std::unique_ptr<Context>> contexts;
  std::vector<Context*> primary;  ///< of each device
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::unique_ptr<Graph>> graphs;
  std::vector<std::unique_ptr<Event>> events;
  std::uint32_t next_context = 1, next_stream = 13, next_graph = 1;  ///< 7 is a context's default stream
  std::uint64_t next_node = 1;
  std::uint64_t next_address = 0x7f00'0000'0000;
};

/// nullptr: there is no fake GPU.
[[nodiscard]] Machine* machine();
/// The machine, if cuInit has succeeded.
[[nodiscard]] Machine* initialised();

/// The context of this thread; nullptr: none.
[[nodiscard]] Context*& current_context();
[[nodiscard]] const Device& device_of(const Machine& machine, const Context& context);

inline constexpr std::uint32_t kDefaultStream = 7;
[[nodiscard]] inline std::uint32_t stream_id(const Stream* stream) {
  // Null and the two special handles of the driver are the default stream.
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 ? kDefaultStream : stream->id;
}
/// Streams of different contexts have different places on the timeline.
[[nodiscard]] inline std::uint64_t lane(const Context& context, const Stream* stream) {
  return (std::uint64_t{context.uid} << 32U) + stream_id(stream);
}

}  // namespace ridge::collectors::fake
