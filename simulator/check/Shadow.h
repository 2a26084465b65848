//===- Shadow.h - The checker's shadow of a wave ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// For each register, its undefined bits, their origin, and the load in flight
// that writes it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_SHADOW_H
#define AIRCC_SIMULATOR_CHECK_SHADOW_H

#include "simulator/check/AccessFootprint.h"
#include "simulator/check/RegisterSet.h"
#include "simulator/check/hazards/IssueHistory.h"
#include "simulator/exec/OpInfo.h"
#include "simulator/exec/Wave.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

namespace aircc::sim {

/// The queues of memory operations. Operations in a queue complete in order,
/// except for scalar loads. On gfx9, stores are in the queue of loads.
enum MemoryQueue : uint8_t {
  kLdsQueue,
  kLoadQueue,
  kStoreQueue,
  kScalarQueue,
  kExportQueue, ///< Direct loads from LDS.
  /// Writes of LDS by LDS DMA. Their tickets are those of kLoadQueue, but the
  /// cache of a compute unit does not order them.
  kDmaQueue,
  kQueues
};

using Tickets = std::array<uint32_t, kQueues>;

/// The origin of an undefined value: a register that was never written (`op` is
/// null), or a read of LDS or scratch.
struct Origin {
  const Op *op = nullptr;
  enum Kind : uint8_t { Register, Lds, Scratch } kind = Register;
};

/// The origins of stored undefined values, by dword. Other dwords with
/// undefined bits were never written.
using StoredOrigins = std::unordered_map<uint64_t, Origin>;

/// The undefined bits of a workgroup's LDS.
struct LdsShadow {
  std::vector<uint8_t> bits; ///< Of LDS, with padding for wide reads.
  /// The number of bytes with undefined bits. Most kernels soon have none.
  uint64_t undefinedBytes = 0;
  StoredOrigins origins;

  void reset(size_t bytes) {
    origins.clear();
    bits.assign(bytes + 16, 0xff);
    undefinedBytes = bytes;
  }
  /// Returns whether any accessed bit is undefined, or the access is out of
  /// bounds.
  bool anyUndefined(const AccessFootprint &footprint) const {
    if (footprint.high > bits.size() - 16)
      return true;
    return undefinedBytes && findUndefined(footprint);
  }
  bool findUndefined(const AccessFootprint &footprint) const;
  /// Sets the undefined bits of up to four bytes.
  void set(uint64_t address, unsigned bytes, uint32_t undefined) {
    for (unsigned k = 0; k < bytes; ++k) {
      uint8_t next = static_cast<uint8_t>(undefined >> 8 * k);
      uint8_t &byte = bits[address + k];
      undefinedBytes += int(next != 0) - int(byte != 0);
      byte = next;
    }
  }
};

struct WaveShadow {
  /// The registers that may have undefined bits.
  RegisterSet undefined;
  // Undefined bits. `lanes[row]` has the lanes with undefined bits. The bits of
  // a uniform row are not stored: either all of its bits are undefined because
  // it was never written, or none is.
  uint64_t lanes[kVectorRows];
  std::unique_ptr<uint32_t[]> bits{new uint32_t[kVectorRows * kRowLanes]};
  RegisterSet uniform;
  uint32_t scalars[kShadowScalars];
  bool scc = false;
  Origin rowOrigin[kVectorRows], scalarOrigin[kShadowScalars], sccOrigin;
  std::vector<uint8_t> scratch; ///< The undefined bits, lane after lane.
  StoredOrigins scratchOrigins;

  // The operation in flight that writes a register.
  struct Pending {
    const Op *op = nullptr;
    uint32_t ticket = 0;
    MemoryQueue queue = kLdsQueue;
  };
  bool anyPending = false;
  RegisterSet pending;
  Pending rowPending[kVectorRows], scalarPending[kShadowScalars];
  /// The numbers of operations issued and completed, by queue. The first ticket
  /// is 1.
  Tickets issued{}, done{};

  IssueHistory issue;

  uint64_t firstExec = 0; ///< EXEC at the start of the wave.
  unsigned barriers = 0;  ///< The number of barriers reached.
  bool ended = false;

  uint32_t *row(unsigned index) {
    uint32_t *all = &bits[index * kRowLanes];
    if (__builtin_expect(uniform.has(index), 0)) {
      std::fill_n(all, kRowLanes, lanes[index] ? ~0u : 0);
      rowOrigin[index] = Origin();
      uniform.set(index, false);
    }
    return all;
  }
  void define(unsigned index, uint64_t which) {
    uint64_t clear = lanes[index] & which;
    if (!clear)
      return;
    if (lanes[index] == clear) {
      lanes[index] = 0;
      uniform.set(index, true);
      return;
    }
    uint32_t *all = row(index);
    lanes[index] &= ~which;
    for (; clear; clear &= clear - 1)
      all[__builtin_ctzll(clear)] = 0;
  }
  uint32_t getBits(unsigned index, unsigned lane) {
    return lanes[index] >> lane & 1 ? row(index)[lane] : 0;
  }
  /// Returns the origin of the undefined bits of a row.
  Origin originOf(unsigned index) const {
    return uniform.has(index) ? Origin() : rowOrigin[index];
  }
  void setBits(unsigned index, unsigned lane, uint32_t undefined) {
    row(index)[lane] = undefined;
    if (undefined)
      lanes[index] |= uint64_t(1) << lane;
    else
      lanes[index] &= ~(uint64_t(1) << lane);
  }
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_SHADOW_H
