//===- Modules.h - Code on Level Zero ---------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_LEVELZERO_MODULES_H
#define AIRCC_RUNTIME_LEVELZERO_MODULES_H

#include "runtime-stubs/level-zero/Gpu.h"
#include "runtime-stubs/support/SpirvKernels.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace aircc::rt::ze {

struct Kernel {
  Gpu *gpu = nullptr;
  KernelHandle handle = nullptr;
  KernelProperties properties;
  SpirvKernel description; ///< Its arguments.
};

/// A module on one GPU, with the kernels requested so far.
class Module {
public:
  Module(const Api &api, Gpu &gpu) : api(api), gpu(gpu) {}

  Gpu &getGpu() { return gpu; }

  /// Loads SPIR-V, which the driver compiles, or an ELF file for the device.
  Status load(std::string_view image);
  Status getKernel(const char *name, Kernel *&kernel);
  /// Unloads the module. Must only be called when no kernel is running.
  Status unload();

private:
  Status build(std::string_view image, uint32_t format,
               const std::string &flags);
  Status requireLinked();
  Status withLog(Status status, BuildLogHandle log);
  std::string chooseBuildFlags(const std::vector<std::string> &imports) const;

  const Api &api;
  Gpu &gpu;
  ModuleHandle handle = nullptr;
  std::vector<SpirvKernel> descriptions;
  std::map<std::string, std::unique_ptr<Kernel>, std::less<>> kernels;
};

/// The parameters of Device::launch other than the kernel and the stream.
struct LaunchParams {
  Dim3 grid, block;
  uint32_t dynamicSharedBytes;
  void **params;
  size_t paramCount;
};

/// Checks a launch against the limits of the GPU and of the kernel, sets the
/// arguments and appends the launch to the list.
Status appendLaunch(const Api &api, Kernel &kernel, CommandListHandle list,
                    const LaunchParams &launch);

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_MODULES_H
