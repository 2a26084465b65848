//===- GlobalReads.h - A log of reads of global memory ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Kernels only read most of their global memory, and reads do not race.
// Therefore, plain reads of pages that the launch has not written are only
// logged. The first write or atomic on a logged page adds the log to the
// histories; later accesses to a written page use its histories directly.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_GLOBALREADS_H
#define AIRCC_SIMULATOR_CHECK_GLOBALREADS_H

#include "simulator/check/RaceDetector.h"
#include "simulator/check/VectorClock.h"

#include <vector>

namespace aircc::sim {

class GlobalReads {
public:
  GlobalReads(AccessHistories &histories, PagedCells &pages)
      : histories(histories), pages(pages) {}
  void begin(uint32_t newAgentsPerGroup) { agentsPerGroup = newAgentsPerGroup; }

  /// Logs a plain read of pages without writes and returns true. Otherwise,
  /// marks the pages as written and adds logged reads of them to the histories;
  /// the caller must check and update the histories. `clock` is that of the
  /// reading wave.
  bool record(const PastAccess &access, const AccessFootprint &footprint,
              const SharedWaveClock &clock);

private:
  struct Entry {
    PastAccess access;
    uint32_t bytes;
    uint64_t lanes;
    uint64_t low, stride; ///< As in AccessFootprint, for strided footprints.
    /// The index of the first active lane in `offsets`, or SIZE_MAX if strided.
    size_t offsets;
    size_t clock; ///< The index in `clocks`.
  };
  void log(const PastAccess &access, const AccessFootprint &footprint,
           const SharedWaveClock &clock);
  void addToHistories();
  void addToHistories(const Entry &entry);

  AccessHistories &histories;
  PagedCells &pages;
  uint32_t agentsPerGroup = 1;
  std::vector<Entry> entries;
  std::vector<uint32_t> offsets; ///< The offsets of addresses from Entry::low.
  std::vector<SharedWaveClock> clocks;
  std::vector<PagedCells::Page *> loggedPages;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_GLOBALREADS_H
