//===- RegisterOps.cpp - Hardware registers, MODE, indices ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reference: CDNA3 ISA guide, "Hardware Registers" (s_getreg, s_setreg), "SOP1"
// (s_movrel*), "SOPP" (s_set_gpr_idx_*) and "SMEM" (s_memtime).
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/CodeObject.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchState.h"
#include "simulator/exec/Mode.h"
#include "simulator/exec/RelativeRegisters.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/scalar/ControlTable.h"

#include <algorithm>

using namespace aircc::sim;

namespace {

/// Handles scalar registers indexed by M0: S_MOVRELS, S_MOVRELD, S_MOVRELSD_2.
bool runScalarMoveRelative(Wave &wave, const Op &op) {
  const uint32_t from = relativeRegister(wave, op, op.src[0].reg, true),
                 to = relativeRegister(wave, op, op.dst.reg, false);
  if (std::max(from, to) + op.dst.dwords > kScalarRegs)
    throw Fault("relative register number out of range");
  uint64_t value;
  if (op.src[0].kind == Operand::Kind::Scalar)
    value = op.dst.dwords == 2 ? wave.scalar64(from) : wave.scalars[from];
  else
    value = readScalar(wave, op.src[0]);
  if (op.dst.dwords == 2)
    wave.setScalar64(to, value);
  else
    wave.setScalar(to, static_cast<uint32_t>(value));
  return false;
}

/// While MODE.VSKIP is set, vector instructions are skipped (gfx9).
bool runSetVskip(Wave &wave, const Op &op) {
  bool skip =
      readScalar(wave, op.src[0]) >> (readScalar(wave, op.src[1]) & 31) & 1;
  setMode(wave, (wave.mode & ~kModeVskip) | (skip ? kModeVskip : 0));
  return false;
}

// The numbers of the hardware registers.
enum HardwareReg : unsigned {
  kRegMode = 1,
  kRegStatus = 2,
  kRegTrapStatus = 3,
  kRegHwId = 4,
  kRegGprAlloc = 5,
  kRegLdsAlloc = 6,
  kRegIbStatus = 7,
  kRegIbStatus2 = 8, ///< gfx9: PC_LO in the trap handler.
  kRegShMemBases = 15,
  kRegTbaLo = 16, ///< gfx12: PERF_SNAPSHOT_DATA1 and the exception flags.
  kRegTbaHi = 17,
  kRegTmaLo = 18,
  kRegTmaHi = 19,
  kRegXccId = 20, ///< gfx9; later FLAT_SCR_LO, SCRATCH_BASE_LO.
  kRegScratchHi = 21,
  kRegHwId1 = 23,
  kRegHwId2 = 24,
  kRegPopsPacker = 25,
  kRegSchedMode = 26,
  kRegIbStatus2New = 28,
  kRegShaderCycles = 29,
  kRegShaderCyclesHi = 30,
  kRegDvgprAllocLo = 31,
};

uint32_t readHardware(Wave &wave, unsigned reg, const Op &op) {
  switch (reg) {
  case kRegMode:
    return wave.mode;
  case kRegStatus:
    return wave.scc | (wave.exec() == 0) << 9 | (wave.vcc() == 0) << 10;
  case kRegTrapStatus:
  case kRegIbStatus:
  case kRegIbStatus2:
  case kRegTbaLo:
  case kRegTbaHi:
  case kRegTmaLo:
  case kRegTmaHi:
  case kRegPopsPacker:
  case kRegSchedMode:
  case kRegIbStatus2New:
  case kRegDvgprAllocLo:
    // There are no exceptions, there is no trap handler, and nothing is in
    // flight.
    return 0;
  case kRegGprAlloc:
    // VGPR_SIZE, in bits 13:8 (gfx9) or 19:12, is the number of blocks minus
    // one.
    return (wave.launch->kernel->vgprCount / 8 - 1)
           << wave.launch->chip->vgprSizeBit;
  case kRegLdsAlloc:
    // LDS_SIZE, in bits 20:12, is in units of 128 dwords.
    return (wave.launch->ldsBytes + 511) / 512 << 12;
  case kRegHwId:
  case kRegHwId1:
    // There is one simulated compute unit and SIMD; the wave slot counts.
    return wave.index & 15;
  case kRegHwId2:
    return 0;
  case kRegXccId:
    return wave.launch->chip->hasXccId
               ? 0
               : static_cast<uint32_t>(wave.scratchBase);
  case kRegScratchHi:
    return static_cast<uint32_t>(wave.scratchBase >> 32);
  case kRegShaderCyclesHi:
    return static_cast<uint32_t>(wave.executed >> 20);
  case kRegShMemBases:
    return static_cast<uint32_t>(kPrivateAperture >> 48) |
           static_cast<uint32_t>(kSharedAperture >> 48) << 16;
  case kRegShaderCycles:
    return static_cast<uint32_t>(wave.executed) & 0xfffff;
  }
  throw Fault("hardware register " + std::to_string(reg) + " of '" +
              op.inst->text() + "' is not implemented");
}

bool runGetReg(Wave &wave, const Op &op) {
  unsigned raw = static_cast<unsigned>(op.imm);
  unsigned offset = raw >> 6 & 31, size = (raw >> 11 & 31) + 1;
  uint64_t value = readHardware(wave, raw & 63, op);
  wave.setScalar(
      op.dst.reg,
      static_cast<uint32_t>(value >> offset & ((uint64_t(1) << size) - 1)));
  return false;
}
bool runSetReg(Wave &wave, const Op &op) {
  unsigned raw = static_cast<unsigned>(op.imm);
  unsigned offset = raw >> 6 & 31, size = (raw >> 11 & 31) + 1;
  if ((raw & 63) != kRegMode)
    throw Fault("writing the hardware register of '" + op.inst->text() +
                "' is not implemented");
  uint32_t mask = static_cast<uint32_t>(((uint64_t(1) << size) - 1) << offset);
  uint32_t value = static_cast<uint32_t>(readScalar(wave, op.src[0])) << offset;
  setMode(wave, (wave.mode & ~mask) | (value & mask));
  return false;
}
bool runRoundMode(Wave &wave, const Op &op) {
  setMode(wave, (wave.mode & ~0xfu) | (op.imm & 0xf));
  return false;
}
bool runDenormMode(Wave &wave, const Op &op) {
  setMode(wave, (wave.mode & ~0xf0u) | (op.imm & 0xf) << 4);
  return false;
}

// Handles VGPR indexing on gfx9: M0[7:0] is the index, and M0[15:12] selects
// the operands.
bool runGprIndexOn(Wave &wave, const Op &op) {
  uint32_t index = static_cast<uint32_t>(readScalar(wave, op.src[0]));
  wave.scalars[kM0] =
      (wave.scalars[kM0] & 0xffff0f00) | (index & 0xff) | (op.imm & 15) << 12;
  setRegisterIndexing(wave, true);
  return false;
}
bool runGprIndexOff(Wave &wave, const Op &) {
  setRegisterIndexing(wave, false);
  return false;
}
bool runGprIndexIdx(Wave &wave, const Op &op) {
  uint32_t index = static_cast<uint32_t>(readScalar(wave, op.src[0]));
  wave.scalars[kM0] = (wave.scalars[kM0] & 0xffffff00) | (index & 0xff);
  return false;
}
bool runGprIndexMode(Wave &wave, const Op &op) {
  wave.scalars[kM0] = (wave.scalars[kM0] & 0xffff0fff) | (op.imm & 15) << 12;
  return false;
}

bool runRealTime(Wave &wave, const Op &op) {
  wave.setScalar64(op.dst.reg, realTime());
  return false;
}
/// Returns a counter of executed instructions.
bool runMemTime(Wave &wave, const Op &op) {
  wave.setScalar64(op.dst.reg, wave.executed);
  return false;
}

// clang-format off
constexpr Handler kHandlers[] = {
#include "simulator/isa/tables/Registers.def"
};

} // namespace

llvm::ArrayRef<Handler> aircc::sim::registerHandlers() { return kHandlers; }
