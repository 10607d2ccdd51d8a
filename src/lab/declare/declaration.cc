#include "lab/declare/declaration.h"

#include <fmt/format.h>

namespace ridge::lab {

std::size_t element_size(ElementType type) {
  switch (type) {
    case ElementType::kBfloat16:
      return 2;
    case ElementType::kUint8:
      return 1;
    default:
      return 4;
  }
}

bool runs_on(const KernelDeclaration& kernel, int capability) {
  return kernel.only_capability ? capability == kernel.capability : capability >= kernel.capability;
}

std::string what_it_needs(const KernelDeclaration& kernel) {
  return fmt::format("compute capability {}.{}{}", kernel.capability / 10, kernel.capability % 10,
                     kernel.only_capability ? " exactly" : "");
}

std::vector<std::pair<std::string_view, std::string_view>> formulas(const WorkFormulas& work) {
  return {{"flops", work.flops},
          {"fp32_add", work.fp32_add},
          {"fp32_mul", work.fp32_mul},
          {"fp32_fma", work.fp32_fma},
          {"tensor", work.tensor},
          {"dram_read", work.dram_read},
          {"dram_write", work.dram_write},
          {"l2_read", work.l2_read},
          {"l2_write", work.l2_write},
          {"load_requests", work.load_requests},
          {"load_sectors", work.load_sectors},
          {"load_wavefronts", work.load_wavefronts},
          {"store_requests", work.store_requests},
          {"store_sectors", work.store_sectors},
          {"store_wavefronts", work.store_wavefronts},
          {"shared_loads", work.shared_loads},
          {"shared_load_wavefronts", work.shared_load_wavefronts},
          {"shared_stores", work.shared_stores},
          {"shared_store_wavefronts", work.shared_store_wavefronts},
          {"shared_atomic_wavefronts", work.shared_atomic_wavefronts},
          {"shared_tensor_wavefronts", work.shared_tensor_wavefronts},
          {"shared_idle_wavefronts", work.shared_idle_wavefronts},
          {"shuffles", work.shuffles},
          {"excess_sectors", work.excess_sectors},
          {"excess_wavefronts", work.excess_wavefronts},
          {"bulk_read", work.bulk_read},
          {"multicast", work.multicast}};
}

}  // namespace ridge::lab
