//===- SpirvKernels.h - The kernels of a SPIR-V module ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch passes a pointer to each argument but no sizes, and SPIR-V has no
// metadata that lists the sizes. They are therefore derived from the types of
// the entry point functions. References: the SPIR-V specification, "Binary
// Form", for the instruction words, and the OpenCL SPIR-V environment
// specification for the types of kernel arguments.
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
  /// Size and alignment of the argument: pointers follow the module's
  /// addressing model, vectors of 3 are laid out as vectors of 4, structures
  /// and arrays as in C. An argument passed by value through a pointer
  /// (FuncParamAttr ByVal) has the size of the pointee.
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  /// A pointer to workgroup memory: a launch provides its size instead of a
  /// value.
  bool workgroupPointer = false;
};

struct SpirvKernel {
  std::string name;
  std::vector<SpirvArgument> arguments;
  /// In lanes; set if the kernel was compiled for a single size.
  std::optional<Dim3> requiredWorkgroupSize;
  /// In lanes; 0 if any size is allowed.
  uint32_t requiredSubgroupSize = 0;
  /// Total size of the workgroup variables of the kernel, including those of
  /// the functions that it calls. It is an upper bound, because literals in the
  /// code cannot be distinguished from ids.
  uint64_t sharedBytes = 0;
};

/// Reads the kernels of `module` in the order of their entry points. If
/// `imports` is given, it receives the names of imported functions, which the
/// device's compiler must provide. Fails unless it is a SPIR-V module of OpenCL
/// kernels, in the byte order of this machine and with physical addressing.
/// Also fails on arguments without a size (images, samplers and the like).
Status readSpirvKernels(std::string_view module,
                        std::vector<SpirvKernel> &kernels,
                        std::vector<std::string> *imports = nullptr);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_SPIRVKERNELS_H
