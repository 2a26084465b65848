//===- Dpp.h - Which lane DPP reads -----------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_VECTOR_DPP_H
#define AIRCC_SIMULATOR_EXEC_VECTOR_DPP_H

#include "simulator/exec/Wave.h"

namespace aircc::sim {

/// The lane that DPP reads for `lane`, or -1 when there is none.
AIRCC_SIM_INLINE int dppSource(const AsmModifiers &mods, int lane, int lanes) {
  int row = lane & ~15, in = lane & 15, n = mods.dppAmount;
  switch (mods.dpp) {
  case DppKind::QuadPerm:
    return (lane & ~3) | mods.dppLanes[lane & 3];
  case DppKind::Dpp8:
    return (lane & ~7) | mods.dppLanes[lane & 7];
  case DppKind::RowShl:
    return in + n < 16 ? lane + n : -1;
  case DppKind::RowShr:
    return in - n >= 0 ? lane - n : -1;
  case DppKind::RowRor:
    return row | ((in - n) & 15);
  case DppKind::WaveShl:
    return lane + 1 < lanes ? lane + 1 : -1;
  case DppKind::WaveShr:
    return lane - 1;
  case DppKind::WaveRol:
    return (lane + 1) % lanes;
  case DppKind::WaveRor:
    return (lane + lanes - 1) % lanes;
  case DppKind::RowMirror:
    return row | (15 - in);
  case DppKind::RowHalfMirror:
    return (lane & ~7) | (7 - (lane & 7));
  case DppKind::RowBcast:
    // 15: each row's last lane to the next row; 31: lane 31 to rows 2 and 3.
    if (n == 15)
      return row == 0 ? -1 : row - 1;
    return lane >= 32 ? 31 : -1;
  case DppKind::RowNewBcast:
  case DppKind::RowShare:
    return row | n;
  case DppKind::RowXmask:
    return row | (in ^ n);
  case DppKind::None:
    break;
  }
  return lane;
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_VECTOR_DPP_H
