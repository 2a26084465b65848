//===- Modules.h - Device code that is loaded on first use ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Programs register their device code in global constructors. Opening a device
// there would slow down the start of every program, and a failure would
// terminate programs that never use the device. Therefore, a module only
// records its image. The first request for one of its kernels loads it on the
// calling thread's current device. Every other device that uses the module
// loads it separately.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_MODULES_H
#define AIRCC_RUNTIME_MGPU_MODULES_H

#include "runtime-stubs/Device.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace aircc::rt {

class Module;

/// Returns whether the program has registered code for `architecture`, as
/// spelled in triples ("amdgcn", "spirv64"), code of unknown architecture, or
/// no code at all.
bool mayHaveCodeFor(std::string_view architecture);

/// A kernel of a module. mgpuModuleGetFunction returns a pointer to one.
class Function {
public:
  Function(Module &module, std::string name)
      : module(module), name(std::move(name)) {}

  const std::string &getName() const { return name; }

  /// Returns the kernel handle for device `index`, the calling thread's current
  /// device. Loads the module there if necessary.
  Status resolve(Device &device, int index, FunctionHandle &handle);

private:
  Module &module;
  std::string name;
  std::map<int, FunctionHandle>
      handles; // By device index. The module guards this.
};

/// A module. mgpuModuleLoad returns a pointer to one. All members are
/// thread-safe.
class Module {
public:
  /// `image` must outlive this object.
  explicit Module(std::string_view image);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// Returns the kernel `name`, resolved for the current device `index`.
  Status getFunction(Device &device, int index, const char *name,
                     Function *&function);
  /// Unloads the module from every device on which it is loaded.
  Status unload(Device &device);

private:
  friend class Function;
  friend bool mayHaveCodeFor(std::string_view architecture);

  struct Loaded {
    ModuleHandle handle = nullptr;
    std::unique_ptr<std::max_align_t[]> aligned; // A copy, if the image is not
                                                 // aligned.
  };

  Status load(Device &device, int index, ModuleHandle &handle);

  std::string_view image;
  std::mutex mutex;
  std::map<int, Loaded> loaded; // By device index.
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_MODULES_H
