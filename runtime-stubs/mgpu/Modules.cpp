//===- Modules.cpp - Device code that is loaded on first use --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Modules.h"
#include "runtime-stubs/support/CodeObject.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace aircc::rt;

namespace {
/// All modules. Programs register their modules in global constructors and
/// unregister them in global destructors.
struct Registry {
  std::mutex mutex;
  std::set<const Module *> modules;
};
Registry &registry() {
  static Registry *registry = new Registry;
  return *registry;
}
} // namespace

Module::Module(std::string_view image) : image(image) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  registry().modules.insert(this);
}

Module::~Module() {
  std::lock_guard<std::mutex> lock(registry().mutex);
  registry().modules.erase(this);
}

bool aircc::rt::mayHaveCodeFor(std::string_view architecture) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  const std::set<const Module *> &modules = registry().modules;
  return modules.empty() ||
         std::any_of(modules.begin(), modules.end(), [&](const Module *module) {
           return mayHoldCodeFor(module->image, architecture);
         });
}

/// Loads the module on device `index`. The caller must hold the mutex.
Status Module::load(Device &device, int index, ModuleHandle &handle) {
  if (auto it = loaded.find(index); it != loaded.end()) {
    handle = it->second.handle;
    return Status::success();
  }
  std::string_view code;
  if (Status status = selectCodeObject(device, image, code); !status.ok())
    return status;

  // Code objects are mapped in place and have 64-bit fields, but the entries of
  // a bundle may be unaligned.
  Loaded entry;
  const void *data = code.data();
  if (reinterpret_cast<uintptr_t>(data) % alignof(uint64_t) != 0) {
    size_t units =
        (code.size() + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t);
    entry.aligned = std::make_unique<std::max_align_t[]>(units);
    std::memcpy(entry.aligned.get(), code.data(), code.size());
    data = entry.aligned.get();
  }
  if (Status status = device.loadModule(data, code.size(), entry.handle);
      !status.ok())
    return status;
  handle = entry.handle;
  loaded.emplace(index, std::move(entry));
  return Status::success();
}

Status Module::getFunction(Device &device, int index, const char *name,
                           Function *&function) {
  Function *found = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = functions.find(std::string_view(name));
    if (it == functions.end())
      it = functions.emplace(name, std::make_unique<Function>(*this, name))
               .first;
    found = it->second.get();
  }
  FunctionHandle handle = nullptr;
  if (Status status = found->resolve(device, index, handle); !status.ok())
    return status;
  function = found;
  return Status::success();
}

Status Function::resolve(Device &device, int index, FunctionHandle &handle) {
  std::lock_guard<std::mutex> lock(module.mutex);
  if (auto it = handles.find(index); it != handles.end()) {
    handle = it->second;
    return Status::success();
  }
  ModuleHandle loaded = nullptr;
  if (Status status = module.load(device, index, loaded); !status.ok())
    return status;
  if (Status status = device.getFunction(loaded, name.c_str(), handle);
      !status.ok())
    return status;
  handles.emplace(index, handle);
  return Status::success();
}

Status Module::unload(Device &device) {
  std::lock_guard<std::mutex> lock(mutex);
  functions.clear();
  for (auto &[index, entry] : loaded)
    if (Status status = device.unloadModule(entry.handle); !status.ok())
      return status;
  loaded.clear();
  return Status::success();
}
