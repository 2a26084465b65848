//===- Memory.h - Memory on Level Zero --------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was allocated, and what memory of the process kernels were let at.
// Guarded by the device's mutex.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_LEVELZERO_MEMORY_H
#define AIRCC_RUNTIME_LEVELZERO_MEMORY_H

#include "runtime-stubs/level-zero/Gpu.h"

#include <cstddef>
#include <map>

namespace aircc::rt::ze {

/// Memory for zeMemFree. Without a driver there is nothing to free.
struct MemoryRange {
  Driver *driver = nullptr;
  void *begin = nullptr;
  size_t bytes = 0;
};

class Memory {
public:
  explicit Memory(const Api &api) : api(api) {}

  /// Memory of the GPU; with `hostShared`, that the host reaches as well.
  Status allocate(Gpu &gpu, size_t bytes, bool hostShared, void *&ptr);
  /// Takes an allocation from the list.
  Status takeAllocation(void *ptr, MemoryRange &range);

  /// Lets kernels at memory of the process under its own address: there is
  /// nothing to do where the GPU reaches all memory; else its pages are
  /// imported, where the driver can (ZE_extension_external_memmap_sysmem).
  Status registerHost(Gpu &gpu, void *ptr, size_t bytes);
  /// Takes registered memory from the list, and the pages that were imported.
  Status takeRegistered(void *ptr, MemoryRange &range);

  /// Fails for memory that was neither allocated nor registered.
  Status checkKnown(const void *ptr) const;
  /// Fails for memory of another driver than the GPU's.
  Status checkReachable(const void *ptr, const Gpu &gpu) const;

  /// Frees all that is left.
  Status freeAll();

private:
  using Ranges = std::map<const void *, MemoryRange>;
  static const MemoryRange *find(const Ranges &ranges, const void *ptr);
  Status importPages(Driver &driver, void *ptr, size_t bytes);

  const Api &api;
  Ranges allocations; // By their begin, as the others.
  Ranges imported;    // Whole pages.
  Ranges registered;  // As they were given; without a driver.
};

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_MEMORY_H
