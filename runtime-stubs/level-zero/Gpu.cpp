//===- Gpu.cpp - The drivers and GPUs of Level Zero -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/Gpu.h"
#include "runtime-stubs/level-zero/Chips.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

using namespace aircc::rt;
using namespace aircc::rt::ze;

/// The first version of the API with zeCommandListHostSynchronize.
static constexpr uint32_t oldestVersion = makeVersion(1, 6);
/// Drivers since this version support in-order command lists. For older
/// drivers, barriers enforce the order.
static constexpr uint32_t inOrderVersion = makeVersion(1, 9);

/// Calls `call(&count, null)` for the number of items, then `call(&count,
/// items)` for the items.
template <typename T, typename Call>
static Status list(std::vector<T> &items, Call call) {
  uint32_t count = 0;
  if (Status s = call(&count, nullptr); !s.ok())
    return s;
  items.resize(count);
  if (count == 0)
    return Status::success();
  Status s = call(&count, items.data());
  items.resize(count);
  return s;
}

static Status listDrivers(const Api &api, std::vector<DriverHandle> &handles) {
  if (api.InitDrivers) {
    InitDriverTypeDesc desc;
    Status status = list(handles, [&](uint32_t *count, DriverHandle *items) {
      return ZE_CALL(InitDrivers, count, items, &desc);
    });
    // The loader may support a function even if no driver does.
    if (status.ok() || !api.Init || !api.DriverGet)
      return status;
  }
  if (Status s = ZE_CALL(Init, initFlagGpuOnly); !s.ok())
    return s;
  return list(handles, [&](uint32_t *count, DriverHandle *items) {
    return ZE_CALL(DriverGet, count, items);
  });
}

static Status openDriver(const Api &api, Driver &driver) {
  uint32_t version = 0;
  if (Status s = ZE_CALL(DriverGetApiVersion, driver.handle, &version); !s.ok())
    return s;
  if (version < oldestVersion)
    return Status::failure(
        "the driver has version " + std::to_string(version >> 16) + "." +
        std::to_string(version & 0xffff) +
        " of Level Zero, but 1.6 or later is required; install a newer driver");
  driver.inOrderLists = version >= inOrderVersion;

  std::vector<ExtensionProperties> extensions;
  if (Status s = list(extensions,
                      [&](uint32_t *count, ExtensionProperties *items) {
                        return ZE_CALL(DriverGetExtensionProperties,
                                       driver.handle, count, items);
                      });
      !s.ok())
    return s;
  for (const ExtensionProperties &extension : extensions) {
    const std::string_view name = extension.name;
    driver.importsMemory |= name == "ZE_extension_external_memmap_sysmem";
    driver.tellsIpVersion |= name == "ZE_extension_device_ip_version";
  }
  return Status::success();
}

/// Finds the engines that run kernels; all of them can also copy and fill.
static Status findQueues(const Api &api, Gpu &gpu) {
  std::vector<CommandQueueGroupProperties> groups;
  if (Status s = list(groups,
                      [&](uint32_t *count, CommandQueueGroupProperties *items) {
                        return ZE_CALL(DeviceGetCommandQueueGroupProperties,
                                       gpu.handle, count, items);
                      });
      !s.ok())
    return s;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (!(groups[i].flags & queueGroupFlagCompute) || !groups[i].numQueues)
      continue;
    gpu.queueGroup = static_cast<uint32_t>(i);
    gpu.queueCount = groups[i].numQueues;
    gpu.maxFillPattern = groups[i].maxMemoryFillPatternSize;
    return Status::success();
  }
  return Status::failure("the device " + gpu.describe() +
                         " has no command queue that runs kernels");
}

static Status readProperties(const Api &api, Gpu &gpu) {
  DeviceIpVersion version;
  gpu.properties = DeviceProperties();
  if (gpu.driver->tellsIpVersion)
    gpu.properties.next = &version;
  if (Status s = ZE_CALL(DeviceGetProperties, gpu.handle, &gpu.properties);
      !s.ok())
    return s;
  gpu.properties.next = nullptr;
  gpu.ipVersion = version.ipVersion;
  const char *named = std::getenv("AIRCC_LEVEL_ZERO_CHIP");
  gpu.chip = named && *named ? std::string_view(named)
                             : chipOfIpVersion(gpu.ipVersion);
  return Status::success();
}

static Status openGpu(const Api &api, Gpu &gpu) {
  if (Status s = ZE_CALL(DeviceGetComputeProperties, gpu.handle, &gpu.compute);
      !s.ok())
    return s;
  DeviceMemoryAccessProperties access;
  if (Status s = ZE_CALL(DeviceGetMemoryAccessProperties, gpu.handle, &access);
      !s.ok())
    return s;
  gpu.reachesSystemMemory = access.sharedSystem & memoryAccessReadWrite;
  if (Status s = findQueues(api, gpu); !s.ok())
    return s;
  gpu.streams = std::make_unique<StreamSet>(api, gpu);
  return gpu.streams->open();
}

std::string Gpu::describe() const {
  const std::string name(properties.name,
                         strnlen(properties.name, sizeof(properties.name)));
  if (!chip.empty())
    return name + ", " + chip;
  char id[sizeof("0x00000000")];
  std::snprintf(id, sizeof(id), "0x%04x", properties.deviceId);
  return name + ", device ID " + id +
         (ipVersion ? ", IP version " + formatIpVersion(ipVersion) : "") +
         ", of a chip unknown to this runtime; set AIRCC_LEVEL_ZERO_CHIP to "
         "name it";
}

Status aircc::rt::ze::openGpus(const Api &api,
                               std::vector<std::unique_ptr<Driver>> &drivers,
                               std::vector<std::unique_ptr<Gpu>> &gpus) {
  std::vector<DriverHandle> handles;
  if (Status s = listDrivers(api, handles); !s.ok())
    return s;
  for (DriverHandle handle : handles) {
    auto driver = std::make_unique<Driver>();
    driver->handle = handle;
    std::vector<DeviceHandle> devices;
    if (Status s = list(devices,
                        [&](uint32_t *count, DeviceHandle *items) {
                          return ZE_CALL(DeviceGet, handle, count, items);
                        });
        !s.ok())
      return s;
    if (devices.empty())
      continue;
    if (Status s = openDriver(api, *driver); !s.ok())
      return s;
    std::vector<std::unique_ptr<Gpu>> found;
    for (DeviceHandle device : devices) {
      auto gpu = std::make_unique<Gpu>();
      gpu->driver = driver.get();
      gpu->handle = device;
      if (Status s = readProperties(api, *gpu); !s.ok())
        return s;
      if (gpu->properties.type == deviceTypeGpu)
        found.push_back(std::move(gpu));
    }
    if (found.empty())
      continue;
    ContextDesc desc;
    if (Status s = ZE_CALL(ContextCreate, handle, &desc, &driver->context);
        !s.ok())
      return s;
    driver->signals = std::make_unique<SignalPool>(api, driver->context);
    for (std::unique_ptr<Gpu> &gpu : found) {
      if (Status s = openGpu(api, *gpu); !s.ok())
        return s;
      gpus.push_back(std::move(gpu));
    }
    drivers.push_back(std::move(driver));
  }
  return gpus.empty() ? Status::failure("Level Zero sees no GPU")
                      : Status::success();
}
