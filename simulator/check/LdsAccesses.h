//===- LdsAccesses.h - Past accesses of a workgroup's LDS -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Between two barriers, most waves only access parts of LDS that no other wave
// writes. Therefore, accesses are only logged at first, and are tracked more
// precisely if waves access the same range:
//
//  - First, the blocks (a 64th of LDS or less) that each wave has read and
//    written since the last barrier that ordered them.
//  - If waves access the same block, two bytes per cell: the wave that wrote it
//    and the wave that read it.
//  - If two waves access a cell and one of them writes, histories
//    (AccessHistory.h), which contain the order and the data of reports, until
//    a barrier has ordered all accesses.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_LDSACCESSES_H
#define AIRCC_SIMULATOR_CHECK_LDSACCESSES_H

#include "simulator/check/AccessHistory.h"
#include "simulator/check/Shadow.h"

#include "llvm/ADT/ArrayRef.h"

namespace aircc::sim {

class LdsAccesses {
public:
  void reset(uint64_t bytes, unsigned waves);
  /// Records an access. Returns true if it does not conflict with an access of
  /// another wave. Otherwise, the caller must check and update the histories.
  /// `dropsReads` is as in AccessHistories::next.
  bool record(unsigned wave, const PastAccess &access,
              const AccessFootprint &footprint, bool dropsReads);
  /// Does the same for a plain, in-bounds access that cannot conflict with any
  /// other wave. Returns false if record() must be called.
  bool recordQuickly(unsigned wave, const PastAccess &access,
                     const ShapedAccess &addresses) {
    if (waves == 1)
      return true;
    if (usesHistories || entries.size() + 1 >= kLogged)
      return false;
    const uint64_t now = blocksOf(addresses.low, addresses.high);
    if (mayConflict(wave, access, now))
      return false;
    last[wave][access.queue] = access.ticket;
    firstAgent = access.agent - wave;
    addBlocks(wave, access, now);
    entries.emplace_back(access, addresses);
    return true;
  }
  /// At a barrier, drops accesses that are ordered before all later ones, which
  /// are the operations of each wave up to its ticket in `known`.
  void dropOrdered(llvm::ArrayRef<Tickets> known);

  AccessHistories &histories() { return pastHistories; }
  CellTable &table() { return cells; }

private:
  /// Waves are numbered from 1 in their workgroup.
  struct Mark {
    uint8_t writer = 0; ///< With kAtomic set, only by atomics.
    uint8_t reader = 0; ///< By plain reads.
  };
  static constexpr uint8_t kAtomic = 0x80, kSeveral = 0xff;
  /// Sets of blocks, as bits.
  struct Blocks {
    uint64_t read = 0, written = 0;
  };
  /// Returns all blocks between the first and the last one of an access.
  uint64_t blocksOf(uint64_t low, uint64_t high) const {
    const uint64_t first = low >> blockShift, last = (high - 1) >> blockShift;
    return (~uint64_t(0) << first) & (~uint64_t(0) >> (63 - last));
  }
  void addBlocks(unsigned wave, const PastAccess &access, uint64_t now) {
    for (Blocks *past : {&blocks[wave], &whole})
      (access.isPlainRead() ? past->read : past->written) |= now;
  }
  struct Entry {
    PastAccess access;
    uint32_t bytes;
    bool dropsReads = false;
    const AddressShape *shape = nullptr; ///< Null if unknown.
    uint64_t first; ///< The address of the first active lane.
    // For accesses without a shape.
    uint64_t lanes, stride;
    /// The index of lane 0 in loggedAddresses, or SIZE_MAX if strided.
    size_t addresses;

    Entry(const PastAccess &access, const ShapedAccess &addresses)
        : access(access), bytes(addresses.bytes), shape(&addresses.shape),
          first(addresses.first) {}
    Entry(const PastAccess &access, const AccessFootprint &footprint)
        : access(access), bytes(footprint.bytes), shape(footprint.shape),
          first(footprint.addresses[footprint.firstLane()]),
          lanes(footprint.lanes), stride(footprint.stride),
          addresses(SIZE_MAX) {}
  };
  unsigned waveOf(const Entry &entry) const {
    return entry.access.agent - firstAgent;
  }
  /// Returns whether another wave has accessed the same blocks and may
  /// conflict.
  bool mayConflict(unsigned wave, const PastAccess &access,
                   uint64_t now) const {
    return conflicts(whole, access, now) &&
           conflictsWithOther(wave, access, now);
  }
  static bool conflicts(const Blocks &past, const PastAccess &access,
                        uint64_t now) {
    return (now & (access.isPlainRead() ? past.written
                                        : past.written | past.read)) != 0;
  }
  bool conflictsWithOther(unsigned wave, const PastAccess &access,
                          uint64_t now) const;
  void refine(const AccessFootprint &footprint);
  void markLog();
  bool mark(unsigned wave, const PastAccess &access,
            const AccessFootprint &footprint);
  template <class Marks>
  bool markLanes(uint8_t me, const PastAccess &access,
                 const AccessFootprint &footprint);
  bool markCell(Mark &mark, uint8_t me, const PastAccess &access);
  void log(unsigned wave, const PastAccess &access,
           const AccessFootprint &footprint, uint64_t now, bool dropsReads);
  static AccessFootprint unpack(const Entry &entry,
                                const std::vector<uint32_t> &from,
                                uint64_t (&addresses)[64]);
  void clear();
  void clearMarks();
  void replay();

  /// The maximum number of entries in the log before they are converted to
  /// histories.
  static constexpr size_t kLogged = 16384;

  uint64_t size = 0;
  unsigned waves = 0;
  uint32_t firstAgent = 0;    ///< The agent of wave 0.
  unsigned blockShift = 0;    ///< Log2 of the bytes of a block.
  std::vector<Blocks> blocks; ///< By wave.
  Blocks whole;               ///< The blocks of all waves.
  std::vector<Entry> entries;
  std::vector<uint32_t> loggedAddresses;
  size_t markedEntries = 0; ///< The number of entries that are in `marks`.
  unsigned shift = 2;       ///< Log2 of the bytes of a cell.
  std::vector<Mark> marks;
  uint64_t touchedBegin = 0, touchedEnd = 0; ///< The part of `marks` that is
                                             ///< set.
  bool usesHistories = false; ///< Whether two waves have accessed a cell.
  bool hasHistories = false;  ///< Whether histories have unordered accesses.
  /// The last operations of kLdsQueue and kDmaQueue, by wave.
  std::vector<Tickets> last;
  AccessHistories pastHistories;
  CellTable cells;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_LDSACCESSES_H
