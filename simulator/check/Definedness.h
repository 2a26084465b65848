//===- Definedness.h - Values that were never written -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Propagates undefined bits through registers, LDS and scratch, and reports
// them if an address, a branch, EXEC, a store to global memory or an atomic
// depends on them. Moving and combining undefined bits is legal, because
// compilers copy and spill partially written registers.
//
// The propagation is exact for logical operations, shifts, byte selections and
// moves between lanes. Sums and products make all bits from the lowest
// undefined one on undefined. Any other operation makes its whole result
// undefined.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_DEFINEDNESS_H
#define AIRCC_SIMULATOR_CHECK_DEFINEDNESS_H

#include "simulator/check/Reports.h"
#include "simulator/check/Shadow.h"
#include "simulator/exec/Observe.h"

namespace aircc::sim {

class Definedness {
public:
  explicit Definedness(Reports &reports) : reports(reports) {}

  /// Only the registers that hardware initializes are defined.
  void beginWave(const Wave &wave, WaveShadow &shadow, const Kernel &kernel);

  /// Called before an operation with an undefined register, or with registers
  /// that depend on M0.
  void before(Wave &wave, WaveShadow &shadow, const Op &op,
              const TouchedRegisters &touched) {
    follow(wave, shadow, op);
    refreshTouched(shadow, op, touched);
  }
  void access(Wave &wave, WaveShadow &shadow, LdsShadow &lds, const Op &op,
              const MemoryAccess &access, const AccessFootprint &footprint,
              const TouchedRegisters &touched) {
    if (access.space == MemorySpace::Scalar ||
        (access.space == MemorySpace::Global &&
         access.kind == AccessKind::Read))
      return;
    // Defined data and memory remain defined.
    if (!touched.intersects(shadow.undefined) &&
        (access.space == MemorySpace::Global ||
         (access.space == MemorySpace::Lds && !lds.anyUndefined(footprint))))
      return;
    followAccess(wave, shadow, lds, op, access);
    refreshTouched(shadow, op, touched);
  }

private:
  struct Result;
  void follow(Wave &, WaveShadow &, const Op &);
  void refreshTouched(WaveShadow &, const Op &, const TouchedRegisters &);
  struct StoredBits;
  void load(const Op &op, StoredBits stored);
  void storeGlobal(Wave &, WaveShadow &, const Op &, const MemoryAccess &);
  void followAccess(Wave &, WaveShadow &, LdsShadow &, const Op &,
                    const MemoryAccess &);
  void vector(Wave &, WaveShadow &, const Op &);
  void vectorSlow(Wave &, WaveShadow &, const Op &, Result &);
  void crossLane(Wave &, WaveShadow &, const Op &);
  void readLaneScalar(Wave &, WaveShadow &, const Op &);
  void moveUndefined(Wave &, WaveShadow &, const Op &, unsigned source,
                     unsigned dest);
  void scaledConversion(Wave &, WaveShadow &, const Op &);
  void matrix(Wave &, WaveShadow &, const Op &);
  void scalar(Wave &, WaveShadow &, const Op &);
  void moveRelative(Wave &wave, WaveShadow &s, const Op &op);
  void scalarSlow(Wave &, WaveShadow &, const Op &);
  void permute(Wave &, WaveShadow &, const Op &);
  void memory(Wave &, WaveShadow &, const Op &);
  void compareAndSwap(Wave &, WaveShadow &, LdsShadow &, const Op &,
                      const MemoryAccess &);
  void branch(Wave &, WaveShadow &, const Op &);
  void commit(Wave &, WaveShadow &, const Op &, const Result &);
  void writeScalar(Wave &, WaveShadow &, const Op &, unsigned reg,
                   unsigned dwords, uint64_t undefined, const Origin &);
  void report(const Wave &, const Op &, uint64_t lanes, const std::string &what,
              const Origin &);

  Reports &reports;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_DEFINEDNESS_H
