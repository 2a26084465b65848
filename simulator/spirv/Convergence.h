//===- Convergence.h - What lanes do together -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_CONVERGENCE_H
#define AIRCC_SIMULATOR_SPIRV_CONVERGENCE_H

#include "simulator/spirv/Lane.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstring>

namespace aircc::sim::spirv {

/// The execution of a collective operation by the lanes that have arrived.
struct Convergence {
  const CollectiveSite &site;
  Workgroup &group;
  /// The lanes of the subgroup or workgroup, with null for lanes that do not
  /// participate.
  llvm::ArrayRef<Lane *> lanes;

  const uint8_t *operand(const Lane *lane, unsigned n) const {
    return lane->record + site.operands[n].offset;
  }
  /// Returns an operand, truncated or zero-extended to T.
  template <typename T> T read(const Lane *lane, unsigned n) const {
    const uint8_t *at = operand(lane, n);
    switch (site.operands[n].bytes) {
    case 1:
      return static_cast<T>(readAs<uint8_t>(at));
    case 2:
      return static_cast<T>(readAs<uint16_t>(at));
    case 4:
      return static_cast<T>(readAs<uint32_t>(at));
    case 8:
      return static_cast<T>(readAs<uint64_t>(at));
    default:
      T v{};
      std::memcpy(&v, at, std::min<size_t>(sizeof(T), site.operands[n].bytes));
      return v;
    }
  }
  uint8_t *result(const Lane *lane) const {
    return lane->record + site.result.offset;
  }
  /// Returns the first participating lane.
  Lane *first() const {
    for (Lane *lane : lanes)
      if (lane)
        return lane;
    return nullptr;
  }

private:
  template <typename T> static T readAs(const uint8_t *at) {
    T v;
    std::memcpy(&v, at, sizeof(v));
    return v;
  }
};

// Operations on values (GroupOps.cpp)
void runBarrier(Convergence &);
void runBroadcast(Convergence &);      ///< value, lane
void runBroadcastFirst(Convergence &); ///< value
void runShuffle(Convergence &);        ///< value, lane
void runShuffleXor(Convergence &);     ///< value, mask
void runShuffleUp(Convergence &);      ///< value, distance
void runShuffleDown(Convergence &);    ///< value, distance
void runShuffleIntel(Convergence &);   ///< two values, distance
void runQuad(Convergence &);           ///< value, lane of the quad
void runReduce(Convergence &);         ///< value
void runVote(Convergence &);           ///< predicate
void runAllEqual(Convergence &);       ///< value
void runBallot(Convergence &);         ///< predicate
void runElect(Convergence &);

// Blocks of memory (BlockIO.cpp)
void runBlock2D(
    Convergence &); ///< base, width, height, pitch, position, registers
void runBlockLinear(Convergence &); ///< address[, value]

// Products of matrices (Dpas.cpp)
void runDpas(Convergence &); ///< A, B, C

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_CONVERGENCE_H
