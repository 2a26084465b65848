//===- FakeLevelZero.cpp - A Level Zero loader for tests ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/fakes/FakeLevelZero.h"
#include "test/runtime/fakes/FakeLevelZeroState.h"

using namespace fakes::levelzero;

namespace {

/// The program or the runtime must release every object that was created.
struct TearDown {
  ~TearDown() {
    state().log.tornDown = true;
    bool leaks = false;
    for (auto &[handle, object] : state().objects)
      if (std::strcmp(object->kind, "driver") != 0 &&
          std::strcmp(object->kind, "device") != 0) {
        std::fprintf(stderr, "fake Level Zero: %s was not destroyed\n",
                     object->name.c_str());
        leaks = true;
      }
    if (leaks)
      std::abort();
  }
} tearDown;

ze::Result allocate(Call &call, void *handle, size_t bytes, size_t alignment,
                    void **pointer, uint32_t kind = 1, void *device = nullptr) {
  auto *context = state().find<Context>(handle);
  call.arg(bytes).arg(alignment);
  if (!context)
    return call.done(invalidNullHandle);
  if (bytes == 0)
    return call.done(invalidSize);
  if (alignment & (alignment - 1))
    return call.done(unsupportedAlignment);
  if (call.failing())
    return call.done();
  alignment = std::max<size_t>(alignment, 16);
  *pointer = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment *
                                               alignment);
  // Do not let code depend on fresh memory being zero.
  std::memset(*pointer, 0xa5, bytes);
  context->memory[reinterpret_cast<uintptr_t>(*pointer)] = bytes;
  context->kinds[reinterpret_cast<uintptr_t>(*pointer)] = {kind, device};
  ++context->children;
  return call.done();
}

template <typename T>
ze::Result giveList(Call &call, const std::vector<T> &all, uint32_t *count,
                    T *items) {
  if (!count)
    return call.done(invalidNullPointer);
  if (items) {
    *count = std::min<uint32_t>(*count, static_cast<uint32_t>(all.size()));
    std::copy_n(all.begin(), *count, items);
  } else {
    *count = static_cast<uint32_t>(all.size());
  }
  return call.done();
}

ze::Result giveDrivers(Call &call, uint32_t *count, ze::DriverHandle *handles) {
  std::vector<ze::DriverHandle> all(state().drivers.begin(),
                                    state().drivers.end());
  return giveList(call, all, count, handles);
}

} // namespace

extern "C" {

const char *fakeLevelZeroTakeLog() { return state().log.take(); }

//===----------------------------------------------------------------------===//
// Drivers and devices
//===----------------------------------------------------------------------===//

ze::Result zeInit(uint32_t flags) {
  Call call("zeInit");
  call.arg(flags);
  state().initialized = true;
  return call.done(flags > 3 ? invalidEnumeration : ze::success);
}

ze::Result zeDriverGet(uint32_t *count, ze::DriverHandle *drivers) {
  Call call("zeDriverGet");
  if (!state().initialized)
    return call.done(uninitialized);
  return giveDrivers(call, count, drivers);
}

// Omitted in the variant that is too old to have it.
#ifndef FAKE_ZE_OLD
ze::Result zeInitDrivers(uint32_t *count, ze::DriverHandle *drivers,
                         ze::InitDriverTypeDesc *desc) {
  Call call("zeInitDrivers");
  if (!hasType(desc, 0x20021) || desc->flags == 0)
    return call.done(invalidEnumeration);
  call.arg(desc->flags);
  return giveDrivers(call, count, drivers);
}
#endif

ze::Result zeDriverGetApiVersion(ze::DriverHandle driver, uint32_t *version) {
  Call call("zeDriverGetApiVersion");
  call.handle(driver);
  auto parts = split(environment("FAKE_ZE_VERSION", "1.9"), '.');
  *version = std::stoul(parts[0]) << 16 | std::stoul(parts[1]);
  return call.done(state().find<Driver>(driver) ? ze::success
                                                : invalidNullHandle);
}

ze::Result zeDriverGetExtensionProperties(ze::DriverHandle driver,
                                          uint32_t *count,
                                          ze::ExtensionProperties *properties) {
  Call call("zeDriverGetExtensionProperties");
  call.handle(driver);
  std::vector<ze::ExtensionProperties> all;
  for (const std::string &name :
       split(environment("FAKE_ZE_EXTENSIONS",
                         "ZE_extension_device_ip_version,"
                         "ZE_extension_external_memmap_sysmem"),
             ',')) {
    all.push_back({});
    std::strcpy(all.back().name, name.c_str());
  }
  return giveList(call, all, count, properties);
}

ze::Result zeDeviceGet(ze::DriverHandle handle, uint32_t *count,
                       ze::DeviceHandle *devices) {
  Call call("zeDeviceGet");
  call.handle(handle);
  auto *driver = state().find<Driver>(handle);
  if (!driver)
    return call.done(invalidNullHandle);
  std::vector<ze::DeviceHandle> all(driver->devices.begin(),
                                    driver->devices.end());
  return giveList(call, all, count, devices);
}

ze::Result zeDeviceGetProperties(ze::DeviceHandle handle,
                                 ze::DeviceProperties *properties) {
  Call call("zeDeviceGetProperties");
  call.handle(handle);
  auto *device = state().find<Gpu>(handle);
  if (!device || !hasType(properties, 0x20006))
    return call.done(device ? invalidEnumeration : invalidNullHandle);
  const bool isGpu = device->version != "npu";
  properties->type = isGpu ? 1 : 5;
  properties->deviceId = 0xe20b;
  properties->maxMemAllocSize = uint64_t(4) << 30;
  properties->timerResolution = clockRate;
  properties->timestampValidBits = clockBits;
  std::strcpy(properties->name, "Fake Arc");
  auto *version = static_cast<ze::DeviceIpVersion *>(properties->next);
  if (version && !hasType(version, 0x1000f))
    return call.done(invalidEnumeration);
  if (version && isGpu) {
    auto parts = split(device->version, '.');
    version->ipVersion = std::stoul(parts[0]) << 22 |
                         std::stoul(parts[1]) << 14 | std::stoul(parts[2]);
  }
  return call.done();
}

ze::Result
zeDeviceGetComputeProperties(ze::DeviceHandle device,
                             ze::DeviceComputeProperties *properties) {
  Call call("zeDeviceGetComputeProperties");
  call.handle(device);
  if (!hasType(properties, 0x4))
    return call.done(invalidEnumeration);
  properties->maxTotalGroupSize = 1024;
  for (unsigned i = 0; i < 3; ++i) {
    properties->maxGroupSize[i] = 1024;
    properties->maxGroupCount[i] = i == 0 ? 0xffffffff : 65535;
  }
  properties->maxSharedLocalMemory = 65536;
  return call.done();
}

ze::Result zeDeviceGetMemoryAccessProperties(
    ze::DeviceHandle device, ze::DeviceMemoryAccessProperties *properties) {
  Call call("zeDeviceGetMemoryAccessProperties");
  call.handle(device);
  if (!hasType(properties, 0x8))
    return call.done(invalidEnumeration);
  properties->sharedSystem = std::getenv("FAKE_ZE_SYSTEM") ? 1 : 0;
  return call.done();
}

// Unlike on real GPUs, the copy group is first.
ze::Result zeDeviceGetCommandQueueGroupProperties(
    ze::DeviceHandle device, uint32_t *count,
    ze::CommandQueueGroupProperties *properties) {
  Call call("zeDeviceGetCommandQueueGroupProperties");
  call.handle(device);
  if (properties && !hasType(properties, 0x6))
    return call.done(invalidEnumeration);
  std::vector<ze::CommandQueueGroupProperties> all(2);
  all[0].flags = 2;
  all[0].numQueues = 1;
  all[1].flags = 3;
  all[1].numQueues = 2;
  all[1].maxMemoryFillPatternSize = 16;
  return giveList(call, all, count, properties);
}

ze::Result zeContextCreate(ze::DriverHandle driver, const ze::ContextDesc *desc,
                           ze::ContextHandle *context) {
  Call call("zeContextCreate");
  call.handle(driver);
  if (!hasType(desc, 0xd))
    return call.done(invalidEnumeration);
  if (!call.failing())
    *context = state().make<Context>(state().find<Driver>(driver));
  return call.done();
}

ze::Result zeContextDestroy(ze::ContextHandle context) {
  Call call("zeContextDestroy");
  return destroy<Context>(call, context);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

ze::Result zeMemAllocDevice(ze::ContextHandle context,
                            const ze::DeviceMemAllocDesc *desc, size_t bytes,
                            size_t alignment, ze::DeviceHandle device,
                            void **pointer) {
  Call call("zeMemAllocDevice");
  call.handle(device);
  if (!hasType(desc, 0x15))
    return call.done(invalidEnumeration);
  auto *relaxed = static_cast<const ze::RelaxedAllocationLimits *>(desc->next);
  if (relaxed) {
    call.arg(bytes).arg("relaxed");
    // Simulate a failure of allocations that need relaxed limits.
    return call.done(hasType(relaxed, 0x20001) && relaxed->flags == 1
                         ? 0x70000003
                         : invalidEnumeration);
  }
  return allocate(call, context, bytes, alignment, pointer, 2, device);
}

ze::Result zeMemAllocHost(ze::ContextHandle handle,
                          const ze::HostMemAllocDesc *desc, size_t bytes,
                          size_t alignment, void **pointer) {
  Call call("zeMemAllocHost");
  if (!hasType(desc, 0x16))
    return call.done(invalidEnumeration);
  auto *imported = static_cast<const ze::ExternalMemmapSysmem *>(desc->next);
  if (!imported)
    return allocate(call, handle, bytes, alignment, pointer);
  call.arg("import").arg(bytes).arg(alignment);
  const auto begin = reinterpret_cast<uintptr_t>(imported->systemMemory);
  auto *context = state().find<Context>(handle);
  if (!hasType(imported, 0x20037) || imported->size != bytes ||
      begin % 4096 != 0 || bytes % 4096 != 0)
    return call.done(invalidArgument);
  if (call.failing())
    return call.done();
  context->memory[begin] = bytes;
  context->imported.insert(begin);
  ++context->children;
  *pointer = imported->systemMemory;
  return call.done();
}

ze::Result zeMemAllocShared(ze::ContextHandle context,
                            const ze::DeviceMemAllocDesc *onDevice,
                            const ze::HostMemAllocDesc *onHost, size_t bytes,
                            size_t alignment, ze::DeviceHandle device,
                            void **pointer) {
  Call call("zeMemAllocShared");
  call.handle(device);
  if (!hasType(onDevice, 0x15) || !hasType(onHost, 0x16))
    return call.done(invalidEnumeration);
  return allocate(call, context, bytes, alignment, pointer, 3, device);
}

ze::Result zeMemGetAllocProperties(ze::ContextHandle handle,
                                   const void *pointer,
                                   ze::MemoryAllocationProperties *properties,
                                   ze::DeviceHandle *device) {
  Call call("zeMemGetAllocProperties");
  call.pointer(pointer);
  auto *context = state().find<Context>(handle);
  if (!context)
    return call.done(invalidNullHandle);
  if (!hasType(properties, 0x17))
    return call.done(invalidEnumeration);
  properties->type = 0;
  *device = nullptr;
  auto address = reinterpret_cast<uintptr_t>(pointer);
  auto it = context->memory.upper_bound(address);
  if (it != context->memory.begin() &&
      address - std::prev(it)->first < std::prev(it)->second) {
    auto kind = context->kinds.find(std::prev(it)->first);
    properties->type = kind == context->kinds.end() ? 1 : kind->second.first;
    if (kind != context->kinds.end())
      *device = kind->second.second;
  }
  return call.done();
}

ze::Result zeMemFree(ze::ContextHandle handle, void *pointer) {
  Call call("zeMemFree");
  call.pointer(pointer);
  auto *context = state().find<Context>(handle);
  const auto begin = reinterpret_cast<uintptr_t>(pointer);
  if (!context || !context->memory.count(begin))
    return call.done(invalidArgument);
  if (isBusy(context))
    return call.done(objectInUse);
  if (call.failing())
    return call.done();
  context->memory.erase(begin);
  --context->children;
  if (!context->imported.erase(begin))
    std::free(pointer);
  return call.done();
}

//===----------------------------------------------------------------------===//
// Modules and kernels
//===----------------------------------------------------------------------===//

ze::Result zeModuleCreate(ze::ContextHandle context, ze::DeviceHandle device,
                          const ze::ModuleDesc *desc, ze::ModuleHandle *module,
                          ze::BuildLogHandle *log) {
  Call call("zeModuleCreate");
  call.handle(device);
  if (!hasType(desc, 0x1b))
    return call.done(invalidEnumeration);
  call.arg(desc->format).arg(desc->inputSize).arg(desc->buildFlags);
  std::string image(reinterpret_cast<const char *>(desc->input),
                    desc->inputSize);
  const bool isElf = image.substr(0, 4) == "\x7f"
                                           "ELF";
  if (desc->format != (isElf ? 1u : 0u))
    return call.done(invalidArgument);
  if (const char *text = std::getenv("FAKE_ZE_BUILD_LOG")) {
    if (log)
      *log = state().make<BuildLog>(text);
    return call.done(buildFailure);
  }
  if (call.failing())
    return call.done();
  // An empty log is returned as well.
  if (log)
    *log = state().make<BuildLog>("");
  auto *made = state().make<Module>(state().find<Context>(context));
  made->image = std::move(image);
  made->hasImports = made->image.find("unknown") != std::string::npos;
  *module = made;
  return call.done();
}

ze::Result zeModuleDestroy(ze::ModuleHandle handle) {
  Call call("zeModuleDestroy");
  auto *module = state().find<Module>(handle);
  if (module && isBusy(module->parent))
    return call.done(objectInUse);
  return destroy<Module>(call, handle);
}

ze::Result zeModuleDynamicLink(uint32_t count, ze::ModuleHandle *modules,
                               ze::BuildLogHandle *log) {
  Call call("zeModuleDynamicLink");
  for (uint32_t i = 0; i < count; ++i)
    call.handle(modules[i]);
  *log = state().make<BuildLog>("undefined symbol: unknown");
  return call.done(linkFailure);
}

ze::Result zeModuleGetProperties(ze::ModuleHandle handle,
                                 ze::ModuleProperties *properties) {
  Call call("zeModuleGetProperties");
  call.handle(handle);
  auto *module = state().find<Module>(handle);
  if (!module || !hasType(properties, 0x1c))
    return call.done(invalidNullHandle);
  properties->flags = module->hasImports ? 1 : 0;
  return call.done();
}

ze::Result zeModuleBuildLogGetString(ze::BuildLogHandle handle, size_t *bytes,
                                     char *text) {
  Call call("zeModuleBuildLogGetString");
  auto *log = state().find<BuildLog>(handle);
  if (!log)
    return call.done(invalidNullHandle);
  if (text)
    std::memcpy(text, log->text.c_str(),
                std::min(*bytes, log->text.size() + 1));
  *bytes = log->text.size() + 1;
  return call.done();
}

ze::Result zeModuleBuildLogDestroy(ze::BuildLogHandle log) {
  Call call("zeModuleBuildLogDestroy");
  return destroy<BuildLog>(call, log);
}

ze::Result zeKernelCreate(ze::ModuleHandle handle, const ze::KernelDesc *desc,
                          ze::KernelHandle *kernel) {
  Call call("zeKernelCreate");
  auto *module = state().find<Module>(handle);
  if (!module || !hasType(desc, 0x1d))
    return call.done(invalidNullHandle);
  call.handle(handle).arg(desc->name);
  if (module->hasImports)
    return call.done(invalidModuleUnlinked);
  auto it = kernelKinds.find(desc->name);
  if (it == kernelKinds.end() ||
      module->image.find(desc->name) == std::string::npos)
    return call.done(invalidKernelName);
  if (!call.failing())
    *kernel = state().make<Kernel>(module, it->second, it->first);
  return call.done();
}

ze::Result zeKernelDestroy(ze::KernelHandle kernel) {
  Call call("zeKernelDestroy");
  return destroy<Kernel>(call, kernel);
}

ze::Result zeKernelGetProperties(ze::KernelHandle handle,
                                 ze::KernelProperties *properties) {
  Call call("zeKernelGetProperties");
  call.handle(handle);
  auto *kernel = state().find<Kernel>(handle);
  if (!kernel || !hasType(properties, 0x1e))
    return call.done(invalidNullHandle);
  properties->numKernelArgs =
      static_cast<uint32_t>(kernel->type.arguments.size());
  std::copy_n(kernel->type.groupSize, 3, properties->requiredGroupSize);
  properties->localMemSize = kernel->type.sharedBytes;
  return call.done();
}

ze::Result zeKernelSetIndirectAccess(ze::KernelHandle kernel, uint32_t flags) {
  Call call("zeKernelSetIndirectAccess");
  call.handle(kernel).arg(flags);
  return call.done(state().find<Kernel>(kernel) ? ze::success
                                                : invalidNullHandle);
}

ze::Result zeKernelSetGroupSize(ze::KernelHandle handle, uint32_t x, uint32_t y,
                                uint32_t z) {
  Call call("zeKernelSetGroupSize");
  auto *kernel = state().find<Kernel>(handle);
  if (!kernel)
    return call.done(invalidNullHandle);
  if (uint64_t(x) * y * z == 0 || uint64_t(x) * y * z > 1024)
    return call.done(invalidGroupSize);
  kernel->groupSize[0] = x;
  kernel->groupSize[1] = y;
  kernel->groupSize[2] = z;
  return call.failing() ? call.done() : ze::success; // Logged by the launch.
}

ze::Result zeKernelSetArgumentValue(ze::KernelHandle handle, uint32_t index,
                                    size_t bytes, const void *value) {
  Call call("zeKernelSetArgumentValue");
  call.handle(handle).arg(index).arg(bytes);
  auto *kernel = state().find<Kernel>(handle);
  if (!kernel)
    return call.done(invalidNullHandle);
  if (index >= kernel->type.arguments.size())
    return call.done(invalidArgumentIndex);
  const size_t expected = kernel->type.arguments[index];
  if (expected == local ? value != nullptr || bytes == 0 : bytes != expected)
    return call.done(invalidArgumentSize);
  kernel->values[index] =
      value ? std::string(static_cast<const char *>(value), bytes) : "";
  return call.done();
}

} // extern "C"
