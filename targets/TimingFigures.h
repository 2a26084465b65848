//===- TimingFigures.h - Figures of the timing model ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The numbers with which the timing model of the simulated device computes the
// time of a kernel. The profiles state the source of each one. Cycles are those
// of the shader clock. A "unit" runs a workgroup and has LDS: it is a compute
// unit in CDNA and a workgroup processor (WGP) in RDNA.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_TIMINGFIGURES_H
#define AIRCC_TARGETS_TIMINGFIGURES_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace aircc {

struct TimingFigures {
  // Clock frequencies in MHz, without and with matrix instructions in progress.
  int64_t clock = 0, matrixClock = 0;

  // Issue and arithmetic
  int64_t cusPerUnit = 1;
  int64_t simds = 4;        ///< Per unit.
  int64_t wavesPerSimd = 8; ///< The maximum number of resident waves.
  int64_t vgprsPerSimd = 0; ///< Registers of one lane, for all waves together.
  int64_t issueCycles = 0;  ///< Between two instructions of a wave.
  int64_t vectorCycles = 0; ///< How long a vector instruction occupies its
                            ///< SIMD.
  int64_t vectorLatency = 0;
  int64_t transcendentalCycles = 0, transcendentalLatency = 0;
  int64_t scalarLatency = 0;
  int64_t branchCycles = 0;  ///< From a taken branch to its target.
  int64_t barrierCycles = 0; ///< From the last arrival to the next instruction.
  /// The number of cycles from the end of a matrix instruction until other
  /// instructions may read its result.
  int64_t matrixLatency = 0;
  /// The operations per cycle of a compute unit's matrix instructions, for each
  /// type of factors. "f8" is any 8-bit float.
  std::map<std::string, int64_t> matrixOps;

  /// Returns the figure of `matrixOps` for a type in MLIR's notation, if there
  /// is one.
  std::optional<int64_t> findMatrixOps(std::string_view type) const {
    auto it = matrixOps.find(type.starts_with("f8") ? "f8" : std::string(type));
    if (it == matrixOps.end())
      return std::nullopt;
    return it->second;
  }

  // LDS. A port serves `simds / ldsPorts` SIMDs.
  int64_t ldsPorts = 0;
  int64_t ldsLatency = 0;
  int64_t ldsBytesPerCycle = 0; ///< Of reads, per port.
  /// The number of cycles that a write occupies a port beyond those of a read
  /// of its size.
  int64_t ldsWriteCycles = 0;

  // Scalar and instruction caches
  int64_t scalarCacheLatency = 0, scalarMissLatency = 0;
  int64_t scalarCacheKiB = 0;

  // The vector cache of a unit
  int64_t vectorCacheKiB = 0;
  int64_t vectorCacheLatency = 0, vectorCacheBytesPerCycle = 0;

  // The L2 cache of an XCD
  int64_t l2KiB = 0, l2Line = 0, l2Latency = 0;
  int64_t l2BytesPerCycle = 0, l2WriteBytesPerCycle = 0;

  // The last-level cache (AMD Infinity Cache, MALL) and device memory
  int64_t lastLevelMiB = 0, lastLevelLatency = 0, lastLevelGBps = 0;
  int64_t memoryLatency = 0, memoryGBps = 0;

  // Launches
  int64_t launchNanoseconds = 0;
  int64_t workgroupCycles = 0; ///< Between workgroups that an XCD starts.

  // The limits in the profile
  int64_t xcds = 1;
  int64_t cus = 0; ///< On the whole device.
  int64_t ldsBytes = 0;
  int64_t ldsBanks = 32;
};

} // namespace aircc

#endif // AIRCC_TARGETS_TIMINGFIGURES_H
