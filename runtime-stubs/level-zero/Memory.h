//===- Memory.h - Memory on Level Zero --------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Allocations, and host memory that is accessible to kernels. The device's
// mutex guards all of this.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_LEVELZERO_MEMORY_H
#define AIRCC_RUNTIME_LEVELZERO_MEMORY_H

#include "runtime-stubs/level-zero/Gpu.h"

#include <cstddef>
#include <map>

namespace aircc::rt::ze {

/// Memory to free with zeMemFree. Without a driver, there is nothing to free.
struct MemoryRange {
  Driver *driver = nullptr;
  void *begin = nullptr;
  size_t bytes = 0;
};

class Memory {
public:
  explicit Memory(const Api &api) : api(api) {}

  /// Allocates memory on the GPU. With `hostShared`, the host can access it
  /// too.
  Status allocate(Gpu &gpu, size_t bytes, bool hostShared, void *&ptr);
  /// Removes an allocation from the list.
  Status takeAllocation(void *ptr, MemoryRange &range);

  /// Makes process memory accessible to kernels at its own address. If the GPU
  /// can access all memory, this does nothing. Otherwise, it imports the pages
  /// if the driver supports that (ZE_extension_external_memmap_sysmem).
  Status registerHost(Gpu &gpu, void *ptr, size_t bytes);
  /// Removes registered memory and its imported pages from the lists.
  Status takeRegistered(void *ptr, MemoryRange &range);

  /// Fails for memory that was neither allocated nor registered.
  Status checkKnown(const void *ptr) const;
  /// Fails for memory that belongs to a driver other than the GPU's.
  Status checkReachable(const void *ptr, const Gpu &gpu) const;

  /// Frees all remaining memory.
  Status freeAll();

private:
  using Ranges = std::map<const void *, MemoryRange>;
  static const MemoryRange *find(const Ranges &ranges, const void *ptr);
  Status importPages(Driver &driver, void *ptr, size_t bytes);

  const Api &api;
  Ranges allocations; // By start address, as are the others.
  Ranges imported;    // Whole pages.
  Ranges registered;  // As registered; without a driver.
};

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_MEMORY_H
