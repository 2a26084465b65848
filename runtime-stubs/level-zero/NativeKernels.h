//===- NativeKernels.h - The kernels of native Xe code ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Intel's offline compiler writes an ELF file ("zebin"). Its section .ze_info
// describes the kernels in YAML; see ZEInfo in the documentation of the compute
// runtime.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_LEVELZERO_NATIVEKERNELS_H
#define AIRCC_RUNTIME_LEVELZERO_NATIVEKERNELS_H

#include "runtime-stubs/support/SpirvKernels.h"

#include <string_view>
#include <vector>

namespace aircc::rt::ze {

/// Reads the kernels in `image`. Unused arguments are not described there and
/// get a size of 0.
Status readNativeKernels(std::string_view image,
                         std::vector<SpirvKernel> &kernels);

/// Reads the kernels from the text of .ze_info.
Status readZeInfo(std::string_view text, std::vector<SpirvKernel> &kernels);

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_NATIVEKERNELS_H
