//===- Shadow.h - What the checker knows of a wave --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside each register: which of its bits were never written, where they come
// from, and whether a memory operation is still to deliver it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_SHADOW_H
#define AIRCC_SIMULATOR_CHECK_SHADOW_H

#include "simulator/check/AccessFootprint.h"
#include "simulator/check/IssueHistory.h"
#include "simulator/check/RegisterSet.h"
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

/// Queues in which memory operations complete in order: those of LDS, vector
/// loads (on gfx9 stores too), vector stores. Scalar loads complete in any
/// order.
enum MemoryQueue : uint8_t {
  kLdsQueue,
  kLoadQueue,
  kStoreQueue,
  kScalarQueue,
  kExportQueue, ///< Loads straight from LDS.
  /// Writes of LDS by loads straight to it. Their tickets are those of
  /// kLoadQueue, but a compute unit's cache does not order them.
  kDmaQueue,
  kQueues
};

using Tickets = std::array<uint32_t, kQueues>;

/// Where an undefined value comes from: a register that was never written
/// (`op` null), or a read of LDS or scratch.
struct Origin {
  const Op *op = nullptr;
  enum Kind : uint8_t { Register, Lds, Scratch } kind = Register;
};

/// Where undefined values come from that were stored, by dword. A dword that is
/// not here has undefined bits because nothing was written to it.
using StoredOrigins = std::unordered_map<uint64_t, Origin>;

/// Which bits of a workgroup's LDS were never written.
struct LdsShadow {
  std::vector<uint8_t> bits; ///< As LDS, and some more at the end.
  /// Bytes with such bits: none are left soon in most kernels.
  uint64_t undefinedBytes = 0;
  StoredOrigins origins;

  void reset(size_t bytes) {
    origins.clear();
    bits.assign(bytes + 16, 0xff);
    undefinedBytes = bytes;
  }
  /// Whether any bit of what lanes access is undefined, or outside.
  bool anyUndefined(const AccessFootprint &footprint) const;
  /// The undefined bits of up to four bytes become `undefined`.
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
  /// Registers that may have undefined bits. All others have none.
  RegisterSet undefined;
  // Undefined bits. `lanes[row]` has the lanes for which bits of the row are
  // not zero. Untouched rows have no bits yet: all of them are undefined.
  uint64_t lanes[kVectorRows];
  std::unique_ptr<uint32_t[]> bits{new uint32_t[kVectorRows * kRowLanes]};
  RegisterSet untouched;
  uint32_t scalars[kShadowScalars];
  bool scc = false;
  Origin rowOrigin[kVectorRows], scalarOrigin[kShadowScalars], sccOrigin;
  std::vector<uint8_t> scratch; ///< Lane after lane; a bit for each bit.
  StoredOrigins scratchOrigins;

  // Results in flight: by register, which operation of which queue brings it.
  struct Pending {
    const Op *op = nullptr;
    uint32_t ticket = 0;
    MemoryQueue queue = kLdsQueue;
  };
  bool anyPending = false;
  RegisterSet pending;
  Pending rowPending[kVectorRows], scalarPending[kShadowScalars];
  /// Operations issued and completed, by queue; tickets count from 1.
  Tickets issued{}, done{};

  IssueHistory issue;

  uint64_t firstExec = 0; ///< The lanes the wave began with.
  unsigned barriers = 0;  ///< Reached.
  bool ended = false;

  uint32_t *row(unsigned index) {
    uint32_t *all = &bits[index * kRowLanes];
    if (__builtin_expect(untouched.has(index), 0)) {
      std::fill_n(all, kRowLanes, ~0u);
      untouched.set(index, false);
    }
    return all;
  }
  void define(unsigned index, uint64_t which) {
    uint64_t clear = lanes[index] & which;
    if (!clear)
      return;
    lanes[index] &= ~which;
    if (!lanes[index]) {
      std::fill_n(&bits[index * kRowLanes], kRowLanes, 0);
      untouched.set(index, false);
      return;
    }
    uint32_t *all = row(index);
    for (; clear; clear &= clear - 1)
      all[__builtin_ctzll(clear)] = 0;
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
