// The driver's calls that the fake program makes, found at run time as a program's CUDA runtime finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ridge::collectors::fake {

/// CUDA_KERNEL_NODE_PARAMS_v2
struct KernelNodeParams {
  void* function;
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
  void** parameters;
  void** extra;
  void* kernel;
  void* context;
};

struct CudaCalls {
  int (*init)(unsigned) = nullptr;
  int (*error_name)(int, const char**) = nullptr;
  int (*retain_context)(void**, int) = nullptr;
  int (*set_context)(void*) = nullptr;
  int (*synchronise)() = nullptr;
  int (*synchronise_stream)(void*) = nullptr;
  int (*create_stream)(void**, unsigned) = nullptr;
  int (*load_module)(void**, const void*) = nullptr;
  int (*find_function)(void**, void*, const char*) = nullptr;
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                void**) = nullptr;
  int (*launch_cooperative)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                            void**) = nullptr;
  int (*allocate)(unsigned long long*, std::size_t) = nullptr;
  int (*copy_in)(unsigned long long, const void*, std::size_t, void*) = nullptr;
  int (*copy_out)(void*, unsigned long long, std::size_t, void*) = nullptr;
  int (*copy)(unsigned long long, unsigned long long, std::size_t, void*) = nullptr;
  int (*set)(unsigned long long, unsigned char, std::size_t, void*) = nullptr;
  int (*create_graph)(void**, unsigned) = nullptr;
  int (*add_node)(void**, void*, void* const*, std::size_t, const KernelNodeParams*) = nullptr;
  int (*instantiate)(void**, void*, unsigned long long) = nullptr;
  int (*launch_graph)(void*, void*) = nullptr;
  int (*profiler_start)() = nullptr;
  int (*profiler_stop)() = nullptr;
  // What stands for the runtime: only the fake driver has them.
  void* (*runtime_enter)(std::uint32_t, const char*, const char*) = nullptr;
  void (*runtime_exit)(void*, int) = nullptr;

  /// Empty, or what is missing.
  [[nodiscard]] std::string open();
};

/// NVTX's ranges of the default domain, as its header-only library makes them: nothing, unless a tool is named.
void nvtx_push(const char* name);
void nvtx_pop();

}  // namespace ridge::collectors::fake
