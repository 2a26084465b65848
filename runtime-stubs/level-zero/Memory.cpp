//===- Memory.cpp - Memory on Level Zero ----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/Memory.h"

#include <cstdint>
#include <unistd.h>

using namespace aircc::rt;
using namespace aircc::rt::ze;

/// Block loads require matrices to be aligned to 64 bytes.
static constexpr size_t allocationAlignment = 256;

/// Returns the range that contains `ptr`, or null.
const MemoryRange *Memory::find(const Ranges &ranges, const void *ptr) {
  auto it = ranges.upper_bound(ptr);
  if (it == ranges.begin())
    return nullptr;
  const MemoryRange &range = std::prev(it)->second;
  const auto offset = reinterpret_cast<uintptr_t>(ptr) -
                      reinterpret_cast<uintptr_t>(range.begin);
  return offset < range.bytes ? &range : nullptr;
}

Status Memory::allocate(Gpu &gpu, size_t bytes, bool hostShared, void *&ptr) {
  RelaxedAllocationLimits relaxed;
  DeviceMemAllocDesc onDevice;
  if (bytes > gpu.properties.maxMemAllocSize)
    onDevice.next = &relaxed;
  HostMemAllocDesc onHost;
  void *made = nullptr;
  Status status =
      hostShared
          ? ZE_CALL(MemAllocShared, gpu.driver->context, &onDevice, &onHost,
                    bytes, allocationAlignment, gpu.handle, &made)
          : ZE_CALL(MemAllocDevice, gpu.driver->context, &onDevice, bytes,
                    allocationAlignment, gpu.handle, &made);
  if (!status.ok())
    return status;
  allocations[made] = {gpu.driver, made, bytes};
  ptr = made;
  return status;
}

Status Memory::takeAllocation(void *ptr, MemoryRange &range) {
  auto it = allocations.find(ptr);
  if (it == allocations.end())
    return Status::failure("no memory was allocated at this address");
  range = it->second;
  allocations.erase(it);
  return Status::success();
}

Status Memory::registerHost(Gpu &gpu, void *ptr, size_t bytes) {
  if (!ptr || bytes == 0)
    return Status::failure("there is no memory to register");
  if (registered.count(ptr))
    return Status::failure("the memory is already registered");
  if (!gpu.reachesSystemMemory)
    if (Status s = importPages(*gpu.driver, ptr, bytes); !s.ok())
      return s;
  registered[ptr] = {nullptr, ptr, bytes};
  return Status::success();
}

Status Memory::importPages(Driver &driver, void *ptr, size_t bytes) {
  if (!driver.importsMemory)
    return Status::failure(
        "the device can only access memory that its driver allocated, and the "
        "driver cannot import other memory (it has no "
        "ZE_extension_external_memmap_sysmem); allocate the memory with "
        "gpu.alloc host_shared, or copy it");
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(ptr);
  const uintptr_t begin = address / page * page;
  const uintptr_t end = (address + bytes + page - 1) / page * page;
  for (auto &[key, range] : imported) {
    const auto at = reinterpret_cast<uintptr_t>(range.begin);
    if (at < end && begin < at + range.bytes)
      return Status::failure("pages of this memory are already registered "
                             "for adjacent memory; register both together");
  }
  ExternalMemmapSysmem memory;
  memory.systemMemory = reinterpret_cast<void *>(begin);
  memory.size = end - begin;
  HostMemAllocDesc desc;
  desc.next = &memory;
  void *mapped = nullptr;
  if (Status s = ZE_CALL(MemAllocHost, driver.context, &desc, end - begin,
                         size_t(page), &mapped);
      !s.ok())
    return s;
  imported[mapped] = {&driver, mapped, end - begin};
  return mapped == memory.systemMemory
             ? Status::success()
             : Status::failure("the driver maps the memory at another address");
}

Status Memory::takeRegistered(void *ptr, MemoryRange &range) {
  if (!registered.erase(ptr))
    return Status::failure("no memory is registered at this address");
  if (const MemoryRange *pages = find(imported, ptr)) {
    range = *pages;
    imported.erase(range.begin);
  }
  return Status::success();
}

Status Memory::checkKnown(const void *ptr) const {
  return find(registered, ptr) || find(allocations, ptr)
             ? Status::success()
             : Status::failure("the memory is not registered");
}

Status Memory::checkReachable(const void *ptr, const Gpu &gpu) const {
  if (!ptr)
    return Status::failure("there is no memory at null");
  const MemoryRange *range = find(allocations, ptr);
  if (!range || range->driver == gpu.driver)
    return Status::success();
  return Status::failure(
      "the memory and the stream belong to devices of different drivers");
}

Status Memory::freeAll() {
  for (Ranges *ranges : {&allocations, &imported}) {
    for (auto &[key, range] : *ranges)
      if (Status s = ZE_CALL(MemFree, range.driver->context, range.begin);
          !s.ok())
        return s;
    ranges->clear();
  }
  return Status::success();
}
