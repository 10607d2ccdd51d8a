// Graphs of kernels, and the calls that switch a profiler.
#include <memory>

#include "collectors/fake/driver.h"
#include "collectors/fake/export.h"

namespace ridge::collectors::fake {
namespace {

/// CUDA_KERNEL_NODE_PARAMS_v2
struct KernelNode {
  Function* function;
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
  void** parameters;
  void** extra;
  void* kernel;
  void* context;
};

bool is_graph(const Graph* graph) {
  const std::lock_guard lock(machine()->mutex);
  for (const auto& one : machine()->graphs) {
    if (one.get() == graph) return true;
  }
  return false;
}

/// With the machine's mutex held.
Graph& new_graph(Machine& here) {
  here.graphs.push_back(std::make_unique<Graph>());
  here.graphs.back()->id = here.next_graph++;
  return *here.graphs.back();
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT int cuGraphCreate(Graph** graph, unsigned flags) {
  int result = 0;
  if (!ready(result)) return result;
  if (graph == nullptr || flags != 0) return kCudaInvalidValue;
  const std::lock_guard lock(machine()->mutex);
  *graph = &new_graph(*machine());
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuGraphAddKernelNode_v2(GraphNode** node, Graph* graph, GraphNode* const* /*after*/,
                                              std::size_t /*count*/, const KernelNode* kernel) {
  int result = 0;
  if (!ready(result)) return result;
  if (!is_graph(graph)) return kCudaInvalidHandle;
  if (node == nullptr || kernel == nullptr || kernel->function == nullptr) return kCudaInvalidValue;
  Machine& here = *machine();
  const std::lock_guard lock(here.mutex);
  graph->nodes.push_back(std::make_unique<GraphNode>());
  **graph->nodes.rbegin() = {here.next_node++,
                             {kernel->function->kernel,
                              {kernel->grid_x, kernel->grid_y, kernel->grid_z},
                              {kernel->block_x, kernel->block_y, kernel->block_z},
                              kernel->shared}};
  *node = graph->nodes.back().get();
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuGraphInstantiateWithFlags(Graph** executable, Graph* graph, unsigned long long /*flags*/) {
  int result = 0;
  if (!ready(result)) return result;
  if (!is_graph(graph)) return kCudaInvalidHandle;
  if (executable == nullptr) return kCudaInvalidValue;
  Machine& here = *machine();
  const std::lock_guard lock(here.mutex);
  Graph& copy = new_graph(here);
  for (const auto& node : graph->nodes) {
    copy.nodes.push_back(std::make_unique<GraphNode>(GraphNode{here.next_node++, node->configuration}));
  }
  *executable = &copy;
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuGraphLaunch(Graph* executable, Stream* stream) {
  int result = 0;
  if (!ready(result)) return result;
  if (!is_graph(executable)) return kCudaInvalidHandle;
  const abi::GraphLaunchParams params{executable, reinterpret_cast<abi::Stream>(stream)};
  ApiCall call(abi::kDomainDriver, abi::kCuGraphLaunch, "cuGraphLaunch", &params);
  for (const auto& node : executable->nodes) {
    result = launch(node->configuration, stream, call.correlation(), {node->id, executable->id});
    if (result != kCudaSuccess) break;
  }
  return call.done(result);
}

RIDGE_FAKE_EXPORT int cuGraphExecDestroy(Graph* executable) {
  return executable == nullptr ? kCudaInvalidHandle : kCudaSuccess;
}
RIDGE_FAKE_EXPORT int cuGraphDestroy(Graph* graph) {
  return graph == nullptr ? kCudaInvalidHandle : kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuProfilerStart() {
  int result = 0;
  if (!ready(result)) return result;
  ApiCall call(abi::kDomainDriver, abi::kCuProfilerStart, "cuProfilerStart");
  return call.done(kCudaSuccess);
}
RIDGE_FAKE_EXPORT int cuProfilerStop() {
  int result = 0;
  if (!ready(result)) return result;
  ApiCall call(abi::kDomainDriver, abi::kCuProfilerStop, "cuProfilerStop");
  return call.done(kCudaSuccess);
}

// What stands for the CUDA runtime, which reaches its callbacks by a table of the driver that only it knows: a program
// brackets its calls with these two.

RIDGE_FAKE_EXPORT void* ridge_fake_runtime_enter(std::uint32_t cbid, const char* name, const char* symbol) {
  return new ApiCall(  // allow(new): released by ridge_fake_runtime_exit
      abi::kDomainRuntime, cbid, name, nullptr, symbol);
}
RIDGE_FAKE_EXPORT void ridge_fake_runtime_exit(void* call, int result) {
  const std::unique_ptr<ApiCall> ended(static_cast<ApiCall*>(call));
  ended->done(result);
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
