// A GPU through the CUDA driver, and the vendor's matrix library beside it.
#pragma once

#include <memory>

#include "device/device.h"

namespace ridge::collectors::cuda {

/// The device of that number as CUDA counts them. Not available: no driver, no device, a driver that does not fit the
/// kernel module; the error names what is missing.
[[nodiscard]] Result<std::unique_ptr<device::Device>> open_device(int number);

/// cuBLAS of CUDA 13 or 12, found by the loader or in the toolkit's usual place. Call after open_device, on the same
/// thread; not available: no library.
[[nodiscard]] Result<std::unique_ptr<device::Blas>> open_blas();

}  // namespace ridge::collectors::cuda
