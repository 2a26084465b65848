//===- LdsAccesses.h - Who accessed a workgroup's LDS -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between two barriers waves mostly keep to pieces of LDS that no other wave
// writes. So accesses are only logged at first, and what is known of them gets
// finer when waves come near each other:
//
//  - the range that each wave has read and written since what a barrier has put
//    in order;
//  - when these overlap, two bytes a piece: which wave wrote it, which read it;
//  - when two waves meet at a piece, and one of them writes, histories
//    (AccessHistory.h), which know what is ordered and what to report, until a
//    barrier has put all in order again.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_LDSACCESSES_H
#define AIRCC_SIMULATOR_CHECK_LDSACCESSES_H

#include "simulator/check/AccessHistory.h"
#include "simulator/check/Shadow.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>

namespace aircc::sim {

class LdsAccesses {
public:
  void reset(uint64_t bytes, unsigned waves);
  /// Whether `access` by a wave of the workgroup surely meets no other wave's
  /// that it conflicts with. If not, its way over the histories must tell.
  /// `dropsReads` is as in AccessHistories::next.
  bool record(unsigned wave, const PastAccess &access,
              const AccessFootprint &footprint, bool dropsReads);
  /// At a barrier: all waves know now of each one's operations up to these.
  void dropOrdered(llvm::ArrayRef<Tickets> known);

  AccessHistories &histories() { return pastHistories; }
  CellTable &table() { return cells; }

private:
  /// Waves are numbers in the workgroup + 1.
  struct Mark {
    uint8_t writer = 0; ///< With kAtomic: by atomics only.
    uint8_t reader = 0; ///< By plain reads.
  };
  static constexpr uint8_t kAtomic = 0x80, kSeveral = 0xff;
  struct Range {
    uint64_t begin = UINT64_MAX, end = 0;
    void add(uint64_t low, uint64_t high) {
      begin = std::min(begin, low);
      end = std::max(end, high);
    }
    bool intersects(const AccessFootprint &footprint) const {
      return begin < end && footprint.overlaps(begin, end);
    }
  };
  struct Ranges {
    Range read, written;
  };
  struct Entry {
    PastAccess access;
    uint32_t bytes;
    uint64_t lanes;
    uint64_t low, stride; ///< As in AccessFootprint, of strided footprints.
    /// Place in loggedAddresses, lane 0 first; SIZE_MAX: even.
    size_t addresses;
    bool dropsReads;
  };
  unsigned waveOf(const Entry &entry) const {
    return entry.access.agent - firstAgent;
  }
  bool mayConflict(unsigned wave, const PastAccess &access,
                   const AccessFootprint &footprint) const;
  void refine(const AccessFootprint &footprint);
  void markLog();
  bool mark(unsigned wave, const PastAccess &access,
            const AccessFootprint &footprint);
  template <class Pieces>
  bool markLanes(uint8_t me, const PastAccess &access,
                 const AccessFootprint &footprint);
  bool markPiece(Mark &mark, uint8_t me, const PastAccess &access);
  void log(unsigned wave, const PastAccess &access,
           const AccessFootprint &footprint, bool dropsReads);
  static AccessFootprint unpack(const Entry &entry,
                                const std::vector<uint32_t> &from,
                                uint64_t (&addresses)[64]);
  void clear();
  void clearMarks();
  void replay();

  uint64_t size = 0;
  unsigned waves = 0;
  uint32_t firstAgent = 0;    ///< That of wave 0.
  std::vector<Ranges> ranges; ///< By wave.
  Ranges whole;               ///< Of all waves.
  std::vector<Entry> entries;
  std::vector<uint32_t> loggedAddresses;
  size_t markedEntries = 0; ///< The first so many are in `marks`.
  unsigned shift = 2;       ///< Bytes of a piece, as a power of two.
  std::vector<Mark> marks;
  uint64_t touchedBegin = 0, touchedEnd = 0; ///< Of `marks`.
  bool usesHistories = false;                ///< Since two waves met.
  bool hasHistories = false; ///< A part of what is not ordered is there.
  /// By wave, the last operations that accessed LDS: queues kLdsQueue and
  /// kDmaQueue.
  std::vector<Tickets> last;
  AccessHistories pastHistories;
  CellTable cells;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_LDSACCESSES_H
