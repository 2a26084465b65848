//===- Definedness.h - Values that were never written -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows undefined bits through registers, LDS and scratch, and reports them
// where they decide something: an address, a branch, EXEC, what is stored to
// global memory or given to an atomic. Moving and combining them is no fault:
// compilers copy and spill registers of which only a part was written.
//
// Logical operations, shifts, byte selections and moves between lanes are
// followed bit by bit; sums and products make undefined all bits above the
// lowest undefined one; everything else makes its whole result undefined.
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

  /// What hardware sets up is defined, everything else is not.
  void beginWave(const Wave &wave, WaveShadow &shadow, const Kernel &kernel);

  void before(Wave &wave, WaveShadow &shadow, const Op &op,
              const TouchedRegisters &touched);
  void access(Wave &wave, WaveShadow &shadow, LdsShadow &lds, const Op &op,
              const MemoryAccess &access, const AccessFootprint &footprint,
              const TouchedRegisters &touched);

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
