//===- OperandParts.h - Lanes and bits that modifiers select ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The lanes and bits that DPP, SDWA and op_sel select: from which lane and
// which bits of a register a source is read, and to which bits of a register
// the result is written. Execution moves values accordingly, and the checker
// moves the state of their bits.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_VECTOR_OPERANDPARTS_H
#define AIRCC_SIMULATOR_EXEC_VECTOR_OPERANDPARTS_H

#include "simulator/exec/Wave.h"

namespace aircc::sim {

/// Returns the lane that DPP reads for `lane`, or -1 if there is none.
AIRCC_SIM_INLINE int dppSource(const InstructionModifiers &mods, int lane,
                               int lanes) {
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
    // 15 copies each row's last lane to the next row, and 31 copies lane 31 to
    // rows 2 and 3.
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

/// The effect of DPP on one lane.
struct DppLane {
  int from;    ///< The lane that is read, or -1 if there is none and it reads
               ///< zero.
  bool writes; ///< Whether the lane's result is written at all.
};
AIRCC_SIM_INLINE DppLane dppLane(const InstructionModifiers &mods, int lane,
                                 int lanes, uint64_t exec) {
  const int from = dppSource(mods, lane, lanes);
  const bool valid = from >= 0 && (mods.fetchInactive || (exec >> from & 1));
  return {valid ? from : -1, (valid || mods.boundCtrl) &&
                                 (mods.rowMask >> (lane / 16 & 3) & 1) &&
                                 (mods.bankMask >> (lane / 4 & 3) & 1)};
}

/// Bits of a dword.
struct BitPart {
  unsigned shift = 0, width = 32;
  AIRCC_SIM_INLINE uint32_t low() const {
    return width == 32 ? ~0u : (1u << width) - 1;
  }
  AIRCC_SIM_INLINE uint32_t mask() const { return low() << shift; }
  AIRCC_SIM_INLINE bool isAll() const { return width == 32; }
  AIRCC_SIM_INLINE uint32_t of(uint32_t v) const { return v >> shift & low(); }
};

AIRCC_SIM_INLINE BitPart sdwaPart(SdwaSel sel) {
  const unsigned n = static_cast<unsigned>(sel);
  if (sel == SdwaSel::Dword)
    return {};
  return n < 4 ? BitPart{8 * n, 8} : BitPart{16 * (n - 4), 16};
}

/// Returns the half of a register that a 16-bit source reads, or the whole
/// register for other sources.
AIRCC_SIM_INLINE BitPart halfPart(const Operand &operand) {
  switch (operand.type) {
  case ValueType::F16:
  case ValueType::BF16:
  case ValueType::B16:
    break;
  case ValueType::Mix:
    if (operand.opSel & 2)
      break;
    [[fallthrough]];
  default:
    if (!operand.widen)
      return {};
  }
  return {operand.opSel & 1 ? 16u : 0u, 16};
}

/// Returns the halves that VOP3P's op_sel and op_sel_hi select.
AIRCC_SIM_INLINE uint32_t packedHalves(uint32_t v, unsigned opSel) {
  return (opSel & 1 ? v >> 16 : v & 0xffff) |
         (opSel & 2 ? v & 0xffff0000 : v << 16);
}
/// Returns the same for two dwords.
AIRCC_SIM_INLINE uint64_t packedDwords(uint64_t v, unsigned opSel) {
  return (opSel & 1 ? v >> 32 : v & 0xffffffff) |
         (opSel & 2 ? v & 0xffffffff00000000 : v << 32);
}

/// The bits to which the result is written, and the effect on the register's
/// other bits.
struct ResultPart : BitPart {
  enum Rest : uint8_t {
    Zero,
    Keep, ///< They stay as they are.
    Sign, ///< Those above repeat the sign, and those below are zero.
  } rest = Zero;
};
AIRCC_SIM_INLINE ResultPart resultPart(const InstructionModifiers &mods,
                                       const Operand &dst) {
  if (mods.sdwa && mods.dstSel != SdwaSel::Dword)
    return {sdwaPart(mods.dstSel),
            mods.dstUnused == SdwaUnused::Preserve ? ResultPart::Keep
            : mods.dstUnused == SdwaUnused::Sext   ? ResultPart::Sign
                                                   : ResultPart::Zero};
  if (dst.opSel & 3)
    return {{dst.opSel & 1 ? 16u : 0u, 16}, ResultPart::Keep};
  return {};
}

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_VECTOR_OPERANDPARTS_H
