//===- PeerMemory.h - Memory of other ranks ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each rank has addresses for the shared memory of every other rank. On the
// same node, the memory is mapped there, and kernels, the host and copies can
// access it. The addresses of memory on another node are only reserved: an
// access is a fault, and the runtime copies over the network.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_RANKS_PEERMEMORY_H
#define AIRCC_RUNTIME_RANKS_PEERMEMORY_H

#include "runtime-stubs/Device.h"

#include <functional>
#include <memory>
#include <vector>

namespace aircc::rt {

class Job;
struct SharedDescriptor;

class PeerMemory {
public:
  virtual ~PeerMemory() = default;
  virtual Status unmap(Device &device) = 0;
  /// Returns whether kernels can access the memory.
  virtual bool isMapped() const = 0;

  /// Returns whether this rank has allocated the part of its own memory that
  /// begins at `offset`.
  using IsAllocatedFn = std::function<bool(uint64_t offset, uint64_t bytes)>;

  /// Makes the memory that another rank shares available at `at`, which must be
  /// in a range reserved for shared memory. `isAllocated` says which parts may
  /// be copied although that rank may not have allocated them yet.
  static Status map(Device &device, Job &job, const SharedDescriptor &memory,
                    char *at, IsAllocatedFn isAllocated,
                    std::unique_ptr<PeerMemory> &peer);
};

struct CopyPiece {
  char *dst;
  const char *src;
  size_t bytes;
};

/// Copies between any two of host memory, device memory and memory of other
/// ranks. Stream-ordered. If memory on another node is involved, the copies are
/// complete when this returns.
Status copyMemory(Device &device, const std::vector<CopyPiece> &pieces,
                  StreamHandle stream);
/// Writes `value` `count` times.
Status fillMemory(Device &device, char *dst, uint32_t value,
                  unsigned valueBytes, size_t count, StreamHandle stream);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_RANKS_PEERMEMORY_H
