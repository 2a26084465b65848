//===- Modules.h - Device code that is loaded when first used ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs register their device code in global constructors. Opening a device
// there would make every start of a program slow, and a failure would end
// programs that never use the device. So a module is only a record of its image
// until a kernel of it is asked for; then it is loaded for the calling thread's
// current device, and again for every other device on which it is used.
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

/// Whether the program has registered code for `architecture`, as triples spell
/// it ("amdgcn", "spirv64"), or code of which that cannot be told, or none.
bool mayHaveCodeFor(std::string_view architecture);

/// A kernel of a module. What mgpuModuleGetFunction returns points to one.
class Function {
public:
  Function(Module &module, std::string name)
      : module(module), name(std::move(name)) {}

  const std::string &getName() const { return name; }

  /// The device's handle of this kernel on its device `index`, which is the
  /// calling thread's current one. Loads the module there if need be.
  Status resolve(Device &device, int index, FunctionHandle &handle);

private:
  Module &module;
  std::string name;
  std::map<int, FunctionHandle>
      handles; // By device index; guarded by the module.
};

/// What mgpuModuleLoad returns points to one. All members are thread-safe.
class Module {
public:
  /// `image` must stay valid as long as this object.
  explicit Module(std::string_view image);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// The kernel called `name`, resolved for the current device `index`.
  Status getFunction(Device &device, int index, const char *name,
                     Function *&function);
  /// Unloads the module from every device that it was loaded on.
  Status unload(Device &device);

private:
  friend class Function;
  friend bool mayHaveCodeFor(std::string_view architecture);

  struct Loaded {
    ModuleHandle handle = nullptr;
    std::unique_ptr<std::max_align_t[]> aligned; // A copy, where one is needed.
  };

  Status load(Device &device, int index, ModuleHandle &handle);

  std::string_view image;
  std::mutex mutex;
  std::map<int, Loaded> loaded; // By device index.
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_MODULES_H
