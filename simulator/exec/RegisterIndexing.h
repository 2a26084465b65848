//===- RegisterIndexing.h - VGPR numbers moved by M0 ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// gfx9's VGPR indexing (s_set_gpr_idx_on) adds M0[7:0] to the numbers of the
// architectural VGPRs that M0[15:12] selects (src0, src1, src2, destination),
// in every VALU instruction (CDNA3 ISA guide, 6.6).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_REGISTERINDEXING_H
#define AIRCC_SIMULATOR_EXEC_REGISTERINDEXING_H

#include "simulator/exec/OpInfo.h"
#include "simulator/exec/Wave.h"

namespace aircc::sim {

/// Returns whether register indexing applies to `op` when it is on.
inline bool isIndexable(const Op &op) {
  return op.info->isVectorAlu() || op.info->opClass == OpClass::Matrix;
}

/// Returns `op` with its register numbers shifted by the wave's M0. Faults if
/// they are out of range, or if the ISA does not define indexing for `op`.
Op indexedOp(const Wave &wave, const Op &op);

/// Returns the description of `indexed`, the result of indexedOp for `op`.
OpInfo indexedInfo(const Op &op, const Op &indexed);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_REGISTERINDEXING_H
