//===- SpirvKernels.h - The kernels of a SPIR-V module ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A launch passes a pointer to each argument but no sizes, and SPIR-V has no
// metadata that lists the sizes. Therefore, they are derived from the types of
// the entry point functions. The SPIR-V specification describes the instruction
// words in "Binary Form", and the OpenCL SPIR-V environment specification
// describes the types of kernel arguments.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_SPIRVKERNELS_H
#define AIRCC_RUNTIME_SUPPORT_SPIRVKERNELS_H

#include "runtime-stubs/Device.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aircc::rt {

struct SpirvArgument {
  /// The size and alignment of the argument. Pointers have the size of the
  /// module's addressing model, vectors of 3 are laid out as vectors of 4, and
  /// structures and arrays are laid out as in C. An argument passed by value
  /// through a pointer (FuncParamAttr ByVal) has the size of the pointee.
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  /// Whether this is a pointer to workgroup memory. A launch provides the size
  /// of that memory instead of a value.
  bool workgroupPointer = false;
};

struct SpirvKernel {
  std::string name;
  std::vector<SpirvArgument> arguments;
  /// The size in lanes, if the kernel was compiled for a single size.
  std::optional<Dim3> requiredWorkgroupSize;
  /// The size in lanes, or 0 if any size is allowed.
  uint32_t requiredSubgroupSize = 0;
  /// The total size of the workgroup variables of the kernel, including those
  /// of the functions that it calls. This is an upper bound, because literals
  /// in the code cannot be distinguished from ids.
  uint64_t sharedBytes = 0;
};

/// Reads the kernels of `module` in the order of their entry points. If
/// `imports` is given, it receives the names of imported functions, which the
/// device's compiler must provide. Fails unless the module contains OpenCL
/// kernels, in the byte order of this machine and with physical addressing.
/// Also fails for arguments without a size (images, samplers and the like).
Status readSpirvKernels(std::string_view module,
                        std::vector<SpirvKernel> &kernels,
                        std::vector<std::string> *imports = nullptr);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_SPIRVKERNELS_H
