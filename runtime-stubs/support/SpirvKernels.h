//===- SpirvKernels.h - The kernels of a SPIR-V module ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch gives a pointer to each argument, and no sizes; SPIR-V has no
// metadata that lists them. So they are read from the types of the entry
// points' functions: the SPIR-V specification, "Binary Form" for the words of
// an instruction, and the OpenCL SPIR-V environment specification for what the
// types of kernel arguments mean.
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
  /// What the argument's value takes, and what it is aligned to: pointers as
  /// the module's addressing model says, vectors of 3 as those of 4, structures
  /// and arrays as in C. An argument that is passed by value through a pointer
  /// (FuncParamAttr ByVal) has the size of what is pointed to.
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  /// A pointer to memory that the workgroup shares: a launch gives no value but
  /// a size for it.
  bool workgroupPointer = false;
};

struct SpirvKernel {
  std::string name;
  std::vector<SpirvArgument> arguments;
  /// In lanes, where the kernel was compiled for one size only.
  std::optional<Dim3> requiredWorkgroupSize;
  /// Lanes; 0 where any size does.
  uint32_t requiredSubgroupSize = 0;
  /// What the kernel's variables that the workgroup shares take together, those
  /// of functions that it calls included. May be more than is used, as literals
  /// in the code are not told from identifiers; never less.
  uint64_t sharedBytes = 0;
};

/// Reads the kernels of `module`, in the order of their entry points, and into
/// `imports`, where it is given, the names of what it takes from elsewhere: the
/// functions that the device's compiler has to know. Fails on what is not a
/// SPIR-V module of OpenCL kernels, in this machine's byte order and with
/// physical addresses, and on arguments without a size (images, samplers and
/// the like).
Status readSpirvKernels(std::string_view module,
                        std::vector<SpirvKernel> &kernels,
                        std::vector<std::string> *imports = nullptr);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_SPIRVKERNELS_H
