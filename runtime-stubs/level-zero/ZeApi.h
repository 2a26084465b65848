//===- ZeApi.h - The subset of Level Zero in use ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Declares Level Zero's entry points, structures and constants as in the oneAPI
// Level Zero specification (core API, 1.6 and later). The entry points are
// looked up at run time, so that neither building aircc nor starting a compiled
// program requires Level Zero.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_LEVELZERO_ZEAPI_H
#define AIRCC_RUNTIME_LEVELZERO_ZEAPI_H

#include "runtime-stubs/Device.h"
#include "runtime-stubs/mgpu/Failure.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace aircc::rt::ze {

using Result = uint32_t; ///< ze_result_t, an enum; 0 is ZE_RESULT_SUCCESS.
using DriverHandle = void *;
using DeviceHandle = void *;
using ContextHandle = void *;
using CommandListHandle = void *;
using EventPoolHandle = void *;
using EventHandle = void *;
using ModuleHandle = void *;
using BuildLogHandle = void *;
using KernelHandle = void *;

constexpr Result success = 0;
constexpr Result notReady = 1;
constexpr uint64_t forever = ~uint64_t(0);

constexpr uint32_t makeVersion(uint32_t major, uint32_t minor) {
  return major << 16 | minor;
}

/// ze_structure_type_t. Every structure begins with its type number.
enum StructureType : uint32_t {
  deviceComputePropertiesType = 0x4,
  commandQueueGroupPropertiesType = 0x6,
  deviceMemoryAccessPropertiesType = 0x8,
  contextDescType = 0xd,
  commandQueueDescType = 0xe,
  eventPoolDescType = 0x10,
  eventDescType = 0x11,
  deviceMemAllocDescType = 0x15,
  hostMemAllocDescType = 0x16,
  memoryAllocationPropertiesType = 0x17,
  moduleDescType = 0x1b,
  modulePropertiesType = 0x1c,
  kernelDescType = 0x1d,
  kernelPropertiesType = 0x1e,
  deviceIpVersionType = 0x1000f,
  relaxedAllocationLimitsType = 0x20001,
  /// ze_device_properties_t with the timer resolution in cycles per second.
  deviceProperties12Type = 0x20006,
  initDriverTypeDescType = 0x20021,
  externalMemmapSysmemType = 0x20037,
};

constexpr uint32_t initFlagGpuOnly = 1;
constexpr uint32_t initDriverTypeFlagGpu = 1;
constexpr uint32_t deviceTypeGpu = 1;
constexpr uint32_t queueGroupFlagCompute = 1;
constexpr uint32_t queueFlagInOrder = 2;
constexpr uint32_t queueModeAsynchronous = 2;
constexpr uint32_t memoryAccessReadWrite = 1;
constexpr uint32_t memoryTypeDevice = 2;
constexpr uint32_t memoryTypeShared = 3;
constexpr uint32_t relaxedLimitsMaxSize = 1;
constexpr uint32_t eventPoolFlagHostVisible = 1;
constexpr uint32_t eventScopeDevice = 2;
constexpr uint32_t eventScopeHost = 4;
constexpr uint32_t moduleFormatSpirv = 0;
constexpr uint32_t moduleFormatNative = 1;
constexpr uint32_t modulePropertyImports = 1;
/// Host, device and shared memory.
constexpr uint32_t kernelIndirectAccessAll = 7;

struct InitDriverTypeDesc {
  uint32_t stype = initDriverTypeDescType;
  const void *next = nullptr;
  uint32_t flags = initDriverTypeFlagGpu;
};
struct ExtensionProperties {
  char name[256];
  uint32_t version;
};
struct DeviceIpVersion {
  uint32_t stype = deviceIpVersionType;
  const void *next = nullptr;
  uint32_t ipVersion = 0;
};
struct DeviceProperties {
  uint32_t stype = deviceProperties12Type;
  void *next = nullptr;
  uint32_t type = 0;
  uint32_t vendorId = 0;
  uint32_t deviceId = 0;
  uint32_t flags = 0;
  uint32_t subdeviceId = 0;
  uint32_t coreClockRate = 0;
  uint64_t maxMemAllocSize = 0;
  uint32_t maxHardwareContexts = 0;
  uint32_t maxCommandQueuePriority = 0;
  uint32_t numThreadsPerEU = 0;
  uint32_t physicalEUSimdWidth = 0;
  uint32_t numEUsPerSubslice = 0;
  uint32_t numSubslicesPerSlice = 0;
  uint32_t numSlices = 0;
  uint64_t timerResolution = 0; ///< In cycles per second.
  uint32_t timestampValidBits = 0;
  uint32_t kernelTimestampValidBits = 0;
  uint8_t uuid[16] = {};
  char name[256] = {};
};
struct DeviceComputeProperties {
  uint32_t stype = deviceComputePropertiesType;
  void *next = nullptr;
  uint32_t maxTotalGroupSize = 0;
  uint32_t maxGroupSize[3] = {};
  uint32_t maxGroupCount[3] = {};
  uint32_t maxSharedLocalMemory = 0;
  uint32_t numSubGroupSizes = 0;
  uint32_t subGroupSizes[8] = {};
};
struct CommandQueueGroupProperties {
  uint32_t stype = commandQueueGroupPropertiesType;
  void *next = nullptr;
  uint32_t flags = 0;
  size_t maxMemoryFillPatternSize = 0;
  uint32_t numQueues = 0;
};
struct DeviceMemoryAccessProperties {
  uint32_t stype = deviceMemoryAccessPropertiesType;
  void *next = nullptr;
  uint32_t host = 0;
  uint32_t device = 0;
  uint32_t sharedSingleDevice = 0;
  uint32_t sharedCrossDevice = 0;
  uint32_t sharedSystem = 0;
};
struct ContextDesc {
  uint32_t stype = contextDescType;
  const void *next = nullptr;
  uint32_t flags = 0;
};
struct CommandQueueDesc {
  uint32_t stype = commandQueueDescType;
  const void *next = nullptr;
  uint32_t ordinal = 0;
  uint32_t index = 0;
  uint32_t flags = 0;
  uint32_t mode = queueModeAsynchronous;
  uint32_t priority = 0; // Normal priority.
};
struct EventPoolDesc {
  uint32_t stype = eventPoolDescType;
  const void *next = nullptr;
  uint32_t flags = eventPoolFlagHostVisible;
  uint32_t count = 0;
};
struct EventDesc {
  uint32_t stype = eventDescType;
  const void *next = nullptr;
  uint32_t index = 0;
  uint32_t signal = eventScopeHost; // Flushes memory for the host.
  uint32_t wait = eventScopeDevice;
};
struct MemoryAllocationProperties {
  uint32_t stype = memoryAllocationPropertiesType;
  void *next = nullptr;
  uint32_t type = 0; ///< One of memoryType….
  uint64_t id = 0;
  uint64_t pageSize = 0;
};
struct DeviceMemAllocDesc {
  uint32_t stype = deviceMemAllocDescType;
  const void *next = nullptr;
  uint32_t flags = 0;
  uint32_t ordinal = 0;
};
struct HostMemAllocDesc {
  uint32_t stype = hostMemAllocDescType;
  const void *next = nullptr;
  uint32_t flags = 0;
};
/// Removes the limit of maxMemAllocSize.
struct RelaxedAllocationLimits {
  uint32_t stype = relaxedAllocationLimitsType;
  const void *next = nullptr;
  uint32_t flags = relaxedLimitsMaxSize;
};
/// Existing process memory, in whole pages, for zeMemAllocHost.
struct ExternalMemmapSysmem {
  uint32_t stype = externalMemmapSysmemType;
  const void *next = nullptr;
  void *systemMemory = nullptr;
  uint64_t size = 0;
};
struct ModuleDesc {
  uint32_t stype = moduleDescType;
  const void *next = nullptr;
  uint32_t format = moduleFormatSpirv;
  size_t inputSize = 0;
  const uint8_t *input = nullptr;
  const char *buildFlags = nullptr;
  const void *constants = nullptr;
};
struct ModuleProperties {
  uint32_t stype = modulePropertiesType;
  void *next = nullptr;
  uint32_t flags = 0;
};
struct KernelDesc {
  uint32_t stype = kernelDescType;
  const void *next = nullptr;
  uint32_t flags = 0;
  const char *name = nullptr;
};
struct KernelProperties {
  uint32_t stype = kernelPropertiesType;
  void *next = nullptr;
  uint32_t numKernelArgs = 0;
  uint32_t requiredGroupSize[3] = {};
  uint32_t requiredNumSubGroups = 0;
  uint32_t requiredSubgroupSize = 0;
  uint32_t maxSubgroupSize = 0;
  uint32_t maxNumSubgroups = 0;
  uint32_t localMemSize = 0;
  uint32_t privateMemSize = 0;
  uint32_t spillMemSize = 0;
  uint8_t uuid[32] = {};
};
struct GroupCount {
  uint32_t x, y, z;
};

// X(name without "ze", parameter types)
#define AIRCC_ZE_FUNCTIONS(X)                                                  \
  X(DriverGetApiVersion, (DriverHandle driver, uint32_t *version))             \
  X(DriverGetExtensionProperties,                                              \
    (DriverHandle driver, uint32_t *count, ExtensionProperties *properties))   \
  X(DeviceGet, (DriverHandle driver, uint32_t *count, DeviceHandle *devices))  \
  X(DeviceGetProperties, (DeviceHandle device, DeviceProperties * properties)) \
  X(DeviceGetComputeProperties,                                                \
    (DeviceHandle device, DeviceComputeProperties * properties))               \
  X(DeviceGetMemoryAccessProperties,                                           \
    (DeviceHandle device, DeviceMemoryAccessProperties * properties))          \
  X(DeviceGetCommandQueueGroupProperties,                                      \
    (DeviceHandle device, uint32_t *count,                                     \
     CommandQueueGroupProperties *properties))                                 \
  X(ContextCreate,                                                             \
    (DriverHandle driver, const ContextDesc *desc, ContextHandle *context))    \
  X(ContextDestroy, (ContextHandle context))                                   \
  X(CommandListCreateImmediate,                                                \
    (ContextHandle context, DeviceHandle device, const CommandQueueDesc *desc, \
     CommandListHandle *list))                                                 \
  X(CommandListDestroy, (CommandListHandle list))                              \
  X(CommandListHostSynchronize, (CommandListHandle list, uint64_t timeout))    \
  X(CommandListAppendBarrier, (CommandListHandle list, EventHandle signal,     \
                               uint32_t waitCount, EventHandle *waits))        \
  X(CommandListAppendMemoryCopy,                                               \
    (CommandListHandle list, void *dst, const void *src, size_t bytes,         \
     EventHandle signal, uint32_t waitCount, EventHandle *waits))              \
  X(CommandListAppendMemoryFill,                                               \
    (CommandListHandle list, void *dst, const void *pattern,                   \
     size_t patternBytes, size_t bytes, EventHandle signal,                    \
     uint32_t waitCount, EventHandle *waits))                                  \
  X(CommandListAppendSignalEvent, (CommandListHandle list, EventHandle event)) \
  X(CommandListAppendWaitOnEvents,                                             \
    (CommandListHandle list, uint32_t count, EventHandle *events))             \
  X(CommandListAppendWriteGlobalTimestamp,                                     \
    (CommandListHandle list, uint64_t *dst, EventHandle signal,                \
     uint32_t waitCount, EventHandle *waits))                                  \
  X(CommandListAppendLaunchKernel,                                             \
    (CommandListHandle list, KernelHandle kernel, const GroupCount *groups,    \
     EventHandle signal, uint32_t waitCount, EventHandle *waits))              \
  X(EventPoolCreate,                                                           \
    (ContextHandle context, const EventPoolDesc *desc, uint32_t deviceCount,   \
     DeviceHandle *devices, EventPoolHandle *pool))                            \
  X(EventPoolDestroy, (EventPoolHandle pool))                                  \
  X(EventCreate,                                                               \
    (EventPoolHandle pool, const EventDesc *desc, EventHandle *event))         \
  X(EventDestroy, (EventHandle event))                                         \
  X(EventHostSynchronize, (EventHandle event, uint64_t timeout))               \
  X(EventHostReset, (EventHandle event))                                       \
  X(EventQueryStatus, (EventHandle event))                                     \
  X(MemGetAllocProperties,                                                     \
    (ContextHandle context, const void *pointer,                               \
     MemoryAllocationProperties *properties, DeviceHandle *device))            \
  X(MemAllocDevice,                                                            \
    (ContextHandle context, const DeviceMemAllocDesc *desc, size_t bytes,      \
     size_t alignment, DeviceHandle device, void **pointer))                   \
  X(MemAllocHost, (ContextHandle context, const HostMemAllocDesc *desc,        \
                   size_t bytes, size_t alignment, void **pointer))            \
  X(MemAllocShared,                                                            \
    (ContextHandle context, const DeviceMemAllocDesc *onDevice,                \
     const HostMemAllocDesc *onHost, size_t bytes, size_t alignment,           \
     DeviceHandle device, void **pointer))                                     \
  X(MemFree, (ContextHandle context, void *pointer))                           \
  X(ModuleCreate,                                                              \
    (ContextHandle context, DeviceHandle device, const ModuleDesc *desc,       \
     ModuleHandle *module, BuildLogHandle *log))                               \
  X(ModuleDestroy, (ModuleHandle module))                                      \
  X(ModuleDynamicLink,                                                         \
    (uint32_t count, ModuleHandle *modules, BuildLogHandle *log))              \
  X(ModuleGetProperties, (ModuleHandle module, ModuleProperties * properties)) \
  X(ModuleBuildLogGetString, (BuildLogHandle log, size_t *bytes, char *text))  \
  X(ModuleBuildLogDestroy, (BuildLogHandle log))                               \
  X(KernelCreate,                                                              \
    (ModuleHandle module, const KernelDesc *desc, KernelHandle *kernel))       \
  X(KernelDestroy, (KernelHandle kernel))                                      \
  X(KernelGetProperties, (KernelHandle kernel, KernelProperties * properties)) \
  X(KernelSetIndirectAccess, (KernelHandle kernel, uint32_t flags))            \
  X(KernelSetGroupSize,                                                        \
    (KernelHandle kernel, uint32_t x, uint32_t y, uint32_t z))                 \
  X(KernelSetArgumentValue,                                                    \
    (KernelHandle kernel, uint32_t index, size_t bytes, const void *value))

// Functions that not every version of the loader has. Since 1.10, InitDrivers
// replaces the other two.
#define AIRCC_ZE_OPTIONAL_FUNCTIONS(X)                                         \
  X(Init, (uint32_t flags))                                                    \
  X(DriverGet, (uint32_t *count, DriverHandle *drivers))                       \
  X(InitDrivers,                                                               \
    (uint32_t *count, DriverHandle *drivers, InitDriverTypeDesc *desc))

/// The loaded library.
struct Api {
  // NOLINTBEGIN(readability-identifier-naming): Level Zero's names
#define AIRCC_ZE_MEMBER(NAME, PARAMETERS) Result(*NAME) PARAMETERS = nullptr;
  AIRCC_ZE_FUNCTIONS(AIRCC_ZE_MEMBER)
  AIRCC_ZE_OPTIONAL_FUNCTIONS(AIRCC_ZE_MEMBER)
#undef AIRCC_ZE_MEMBER
  // NOLINTEND(readability-identifier-naming)

  /// Loads the file named by AIRCC_LEVEL_ZERO_LIBRARY, or libze_loader.so.1
  /// through the dynamic linker.
  Status load();

  /// Returns a failure such as "zeMemFree(0x12, 0x34) failed: ZE_RESULT_…
  /// (0x…): …".
  Status failure(const char *function, const std::string &arguments,
                 Result result) const;

  /// Calls `function`, whose name in messages is `name`, and converts its
  /// result to a Status.
  template <typename... Parameters, typename... Values>
  Status call(const char *name, Result (*function)(Parameters...),
              Values... values) const {
    return check(name, function(values...), values...);
  }
  /// Returns success, or the failure of a call with these arguments.
  template <typename... Values>
  Status check(const char *name, Result result, Values... values) const {
    if (result == success)
      return Status::success();
    std::string arguments;
    ((arguments += (arguments.empty() ? "" : ", ") + format(values)), ...);
    return failure(name, arguments, result);
  }

private:
  template <typename T> static std::string format(T value) {
    if constexpr (std::is_same_v<T, std::nullptr_t>)
      return "null";
    else if constexpr (std::is_pointer_v<T> && !std::is_same_v<T, const char *>)
      return formatValue(static_cast<const void *>(value));
    else
      return formatValue(value);
  }
};

// Calls a Level Zero function through `api`, which must be in scope.
#define ZE_CALL(NAME, ...) api.call("ze" #NAME, api.NAME, __VA_ARGS__)

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_ZEAPI_H
