//===- Modules.cpp - Code on Level Zero -----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/Modules.h"
#include "runtime-stubs/level-zero/NativeKernels.h"
#include "runtime-stubs/support/CodeObject.h"

#include <algorithm>
#include <cstdlib>

using namespace aircc::rt;
using namespace aircc::rt::ze;

static uint64_t lanesOf(Dim3 block) {
  return uint64_t(block.x) * block.y * block.z;
}

static std::string formatDim(Dim3 dim) {
  return std::to_string(dim.x) + " x " + std::to_string(dim.y) + " x " +
         std::to_string(dim.z);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// Returns the flags for the driver's compiler. Buffers may be larger than 4
/// GiB, so the compiler must not assume smaller ones. Matrix products need many
/// registers: lanes get twice as many registers if the workgroups are small
/// enough for half the number of threads.
std::string
Module::chooseBuildFlags(const std::vector<std::string> &imports) const {
  if (const char *set = std::getenv("AIRCC_LEVEL_ZERO_BUILD_FLAGS"))
    return set;
  std::string flags = "-ze-opt-greater-than-4GB-buffer-required";
  const bool multipliesMatrices =
      std::any_of(imports.begin(), imports.end(), [](const std::string &name) {
        return name.find("_matrix_mad_") != std::string::npos;
      });
  const uint64_t lanes = gpu.compute.maxTotalGroupSize / 2;
  const bool isSmall = std::all_of(
      descriptions.begin(), descriptions.end(), [&](const SpirvKernel &kernel) {
        return kernel.requiredWorkgroupSize &&
               lanesOf(*kernel.requiredWorkgroupSize) <= lanes;
      });
  if (multipliesMatrices && isSmall)
    flags += " -ze-opt-large-register-file";
  return flags;
}

Status Module::load(std::string_view image) {
  switch (classifyImage(image)) {
  case ImageKind::SPIRV: {
    std::vector<std::string> imports;
    if (Status s = readSpirvKernels(image, descriptions, &imports); !s.ok())
      return s;
    return build(image, moduleFormatSpirv, chooseBuildFlags(imports));
  }
  case ImageKind::ELF:
    if (Status s = readNativeKernels(image, descriptions); !s.ok())
      return s;
    return build(image, moduleFormatNative, "");
  default:
    return Status::failure("the code is neither SPIR-V nor an ELF file");
  }
}

/// Appends the build log of the driver's compiler to a failure and releases the
/// log.
Status Module::withLog(Status status, BuildLogHandle log) {
  if (!log)
    return status;
  std::string text;
  size_t bytes = 0;
  if (!status.ok() &&
      api.ModuleBuildLogGetString(log, &bytes, nullptr) == success &&
      bytes > 0) {
    text.resize(bytes);
    if (api.ModuleBuildLogGetString(log, &bytes, text.data()) != success)
      text.clear();
    // The text ends with a zero byte, usually after a newline.
    text.resize(std::min(text.size(), text.find('\0')));
    text.resize(text.find_last_not_of(" \n\r\t") + 1);
  }
  Status released = ZE_CALL(ModuleBuildLogDestroy, log);
  if (status.ok())
    return released;
  if (text.empty())
    return status;
  return Status::failure(status.message() + "; the build log says:\n" + text);
}

Status Module::build(std::string_view image, uint32_t format,
                     const std::string &flags) {
  ModuleDesc desc;
  desc.format = format;
  desc.inputSize = image.size();
  desc.input = reinterpret_cast<const uint8_t *>(image.data());
  desc.buildFlags = flags.c_str();
  BuildLogHandle log = nullptr;
  ModuleHandle made = nullptr;
  Status status = withLog(ZE_CALL(ModuleCreate, gpu.driver->context, gpu.handle,
                                  &desc, &made, &log),
                          log);
  if (!status.ok())
    return flags.empty() ? status
                         : Status::failure(status.message() +
                                           "\n(build flags: " + flags + ")");
  handle = made;
  return requireLinked();
}

/// Fails if functions are unresolved. The compiler treats unknown functions as
/// imports from another module, but there is no other module.
Status Module::requireLinked() {
  ModuleProperties properties;
  if (Status s = ZE_CALL(ModuleGetProperties, handle, &properties); !s.ok())
    return s;
  if (!(properties.flags & modulePropertyImports))
    return Status::success();
  BuildLogHandle log = nullptr;
  return withLog(ZE_CALL(ModuleDynamicLink, 1, &handle, &log), log);
}

Status Module::getKernel(const char *name, Kernel *&kernel) {
  if (auto it = kernels.find(std::string_view(name)); it != kernels.end()) {
    kernel = it->second.get();
    return Status::success();
  }
  auto made = std::make_unique<Kernel>();
  made->gpu = &gpu;
  KernelDesc desc;
  desc.name = name;
  if (Status s = ZE_CALL(KernelCreate, handle, &desc, &made->handle); !s.ok())
    return s;
  auto described = std::find_if(
      descriptions.begin(), descriptions.end(),
      [&](const SpirvKernel &known) { return known.name == name; });
  if (described == descriptions.end())
    return Status::failure("the code does not describe the arguments of this "
                           "kernel");
  made->description = *described;
  if (Status s = ZE_CALL(KernelGetProperties, made->handle, &made->properties);
      !s.ok())
    return s;
  // Kernels may load pointers from memory or receive them inside other
  // arguments.
  if (Status s = ZE_CALL(KernelSetIndirectAccess, made->handle,
                         kernelIndirectAccessAll);
      !s.ok())
    return s;
  kernel = made.get();
  kernels.emplace(name, std::move(made));
  return Status::success();
}

Status Module::unload() {
  for (auto &[name, kernel] : kernels)
    if (Status s = ZE_CALL(KernelDestroy, kernel->handle); !s.ok())
      return s;
  kernels.clear();
  return ZE_CALL(ModuleDestroy, handle);
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

static Status checkSizes(const Kernel &kernel, Dim3 grid, Dim3 block,
                         uint32_t dynamicSharedBytes) {
  const DeviceComputeProperties &limits = kernel.gpu->compute;
  const uint32_t groups[] = {grid.x, grid.y, grid.z};
  const uint32_t lanes[] = {block.x, block.y, block.z};
  for (unsigned i = 0; i < 3; ++i) {
    const std::string dimension(1, static_cast<char>('x' + i));
    if (groups[i] > limits.maxGroupCount[i])
      return Status::failure("a grid of " + std::to_string(groups[i]) +
                             " workgroups in " + dimension +
                             "; the device takes at most " +
                             std::to_string(limits.maxGroupCount[i]));
    if (lanes[i] > limits.maxGroupSize[i])
      return Status::failure("a block of " + std::to_string(lanes[i]) +
                             " lanes in " + dimension +
                             "; the device takes at most " +
                             std::to_string(limits.maxGroupSize[i]));
  }
  if (lanesOf(block) > limits.maxTotalGroupSize)
    return Status::failure("a block of " + std::to_string(lanesOf(block)) +
                           " lanes; the device takes at most " +
                           std::to_string(limits.maxTotalGroupSize));
  const uint32_t *required = kernel.properties.requiredGroupSize;
  const Dim3 size = {required[0], required[1], required[2]};
  if (size.x != 0 &&
      (size.x != block.x || size.y != block.y || size.z != block.z))
    return Status::failure("a block of " + formatDim(block) +
                           " lanes; the kernel was compiled for " +
                           formatDim(size));
  const uint64_t shared =
      uint64_t(kernel.properties.localMemSize) + dynamicSharedBytes;
  if (shared > limits.maxSharedLocalMemory)
    return Status::failure(
        std::to_string(shared) +
        " bytes of shared memory (static and dynamic); the device has " +
        std::to_string(limits.maxSharedLocalMemory) + " for a workgroup");
  return Status::success();
}

/// Sets the arguments. A pointer to workgroup memory gets the dynamic size of
/// the launch and consumes no parameter.
static Status setArguments(const Api &api, Kernel &kernel,
                           const LaunchParams &launch) {
  const std::vector<SpirvArgument> &arguments = kernel.description.arguments;
  const auto shared = static_cast<size_t>(std::count_if(
      arguments.begin(), arguments.end(),
      [](const SpirvArgument &argument) { return argument.workgroupPointer; }));
  if (shared > 1)
    return Status::failure("the kernel has " + std::to_string(shared) +
                           " arguments that point to shared memory, but a "
                           "launch can specify the size of only one");
  if (shared == 0 && launch.dynamicSharedBytes != 0)
    return Status::failure("the launch specifies dynamic shared memory, but "
                           "the kernel has no argument that points to it");
  if (shared == 1 && launch.dynamicSharedBytes == 0)
    return Status::failure("the kernel has an argument that points to shared "
                           "memory, but the launch specifies no size for it");
  if (launch.paramCount != arguments.size() - shared)
    return Status::failure(
        "the kernel takes " + std::to_string(arguments.size() - shared) +
        " arguments, but got " + std::to_string(launch.paramCount));
  size_t next = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool isShared = arguments[i].workgroupPointer;
    const void *value = isShared ? nullptr : launch.params[next++];
    const size_t bytes =
        isShared ? launch.dynamicSharedBytes : arguments[i].bytes;
    // Native code omits unused arguments.
    if (bytes == 0)
      continue;
    if (Status s = ZE_CALL(KernelSetArgumentValue, kernel.handle,
                           static_cast<uint32_t>(i), bytes, value);
        !s.ok())
      return s;
  }
  return Status::success();
}

Status aircc::rt::ze::appendLaunch(const Api &api, Kernel &kernel,
                                   CommandListHandle list,
                                   const LaunchParams &launch) {
  const Dim3 &block = launch.block;
  if (Status s =
          checkSizes(kernel, launch.grid, block, launch.dynamicSharedBytes);
      !s.ok())
    return s;
  if (Status s =
          ZE_CALL(KernelSetGroupSize, kernel.handle, block.x, block.y, block.z);
      !s.ok())
    return s;
  if (Status s = setArguments(api, kernel, launch); !s.ok())
    return s;
  const GroupCount groups = {launch.grid.x, launch.grid.y, launch.grid.z};
  return ZE_CALL(CommandListAppendLaunchKernel, list, kernel.handle, &groups,
                 nullptr, 0, nullptr);
}
