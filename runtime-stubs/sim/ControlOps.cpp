//===- ControlOps.cpp - SOPP: control flow, barriers, hardware registers --===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CDNA3 ISA guide, "SOPP Instructions", "SOP1" (getpc, setpc, swappc) and
// "Hardware registers".
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/Bind.h"
#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/Launch.h"
#include "runtime-stubs/sim/MemoryAccess.h"
#include "runtime-stubs/sim/Mode.h"
#include "runtime-stubs/sim/Wave.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <chrono>

using namespace aircc::sim;
using llvm::StringRef;

namespace {

bool runNothing(Wave &, const Op &) { return false; }

bool runEnd(Wave &wave, const Op &) {
  landLds(wave, 0);
  wave.status = WaveStatus::Ended;
  return true;
}

bool jump(Wave &wave, const Op &op) {
  wave.pc = op.target ? op.target : wave.launch->program->lookup(op.imm);
  return false;
}

enum Condition : uint32_t { kScc0, kScc1, kVccz, kVccnz, kExecz, kExecnz };

template <Condition C> bool runBranchIf(Wave &wave, const Op &op) {
  bool taken = false;
  switch (C) {
  case kScc0:
    taken = !wave.scc;
    break;
  case kScc1:
    taken = wave.scc;
    break;
  case kVccz:
    taken = wave.vcc() == 0;
    break;
  case kVccnz:
    taken = wave.vcc() != 0;
    break;
  case kExecz:
    taken = wave.exec() == 0;
    break;
  case kExecnz:
    taken = wave.exec() != 0;
    break;
  }
  return taken ? jump(wave, op) : false;
}

uint64_t nextAddress(const Op &op) { return op.inst->address + op.inst->bytes; }

bool runGetPc(Wave &wave, const Op &op) {
  wave.setScalar64(op.dst.reg, nextAddress(op));
  return false;
}
bool runSetPc(Wave &wave, const Op &op) {
  wave.pc = wave.launch->program->lookup(readScalar(wave, op.src[0]));
  return false;
}
bool runSwapPc(Wave &wave, const Op &op) {
  uint64_t to = readScalar(wave, op.src[0]);
  wave.setScalar64(op.dst.reg, nextAddress(op));
  wave.pc = wave.launch->program->lookup(to);
  return false;
}
bool runCall(Wave &wave, const Op &op) {
  wave.setScalar64(op.dst.reg, nextAddress(op));
  return jump(wave, op);
}

bool runBarrier(Wave &wave, const Op &) {
  // A workgroup of one wave has nothing to wait for.
  if (wave.group->running == 1)
    return false;
  wave.status = WaveStatus::AtBarrier;
  return true;
}
/// gfx12: the wait half of a split barrier. The signal half only announces.
bool runYield(Wave &, const Op &) { return true; }

/// VMCNT of s_waitcnt, as each generation encodes it.
bool runWaitcnt(Wave &wave, const Op &op) {
  if (!wave.pendingLds.empty())
    landLds(wave, op.imm);
  return false;
}

bool runTrap(Wave &, const Op &op) {
  throw Fault(op.imm == 2
                  ? std::string("the kernel trapped (an abort, a failed assert "
                                "or unreachable code)")
                  : "the kernel trapped with code " + std::to_string(op.imm));
}

// Hardware registers.
enum HardwareReg : unsigned {
  kRegMode = 1,
  kRegStatus = 2,
  kRegTrapStatus = 3,
  kRegHwId = 4,
  kRegGprAlloc = 5,
  kRegLdsAlloc = 6,
  kRegIbStatus = 7,
  kRegShMemBases = 15,
  kRegXccId = 20,
  kRegHwId1 = 23,
  kRegHwId2 = 24,
  kRegShaderCycles = 29,
};

uint32_t readHardware(Wave &wave, unsigned reg, const Op &op) {
  switch (reg) {
  case kRegMode:
    return wave.mode;
  case kRegStatus:
    return wave.scc | (wave.exec() == 0) << 9 | (wave.vcc() == 0) << 10;
  case kRegTrapStatus:
  case kRegIbStatus:
  case kRegGprAlloc:
    return 0;
  case kRegLdsAlloc:
    // LDS_SIZE in bits 20:12, in units of 128 dwords.
    return (wave.launch->ldsBytes + 511) / 512 << 12;
  case kRegHwId:
  case kRegHwId1:
    // One simulated compute unit and SIMD; the wave slot counts.
    return wave.index & 15;
  case kRegHwId2:
  case kRegXccId:
    return 0;
  case kRegShMemBases:
    return static_cast<uint32_t>(kPrivateAperture >> 48) |
           static_cast<uint32_t>(kSharedAperture >> 48) << 16;
  case kRegShaderCycles:
    return static_cast<uint32_t>(wave.executed) & 0xfffff;
  }
  throw Fault("hardware register " + std::to_string(reg) + " of '" +
              op.inst->text + "' is not implemented");
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
    throw Fault("writing the hardware register of '" + op.inst->text +
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

// VGPR indexing of gfx9: M0[7:0] is the index, M0[15:12] says for what.
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

/// Real time in ticks of 100 MHz, and a counter of executed instructions.
bool runRealTime(Wave &wave, const Op &op) {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  wave.setScalar64(
      op.dst.reg,
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() / 10);
  return false;
}
bool runMemTime(Wave &wave, const Op &op) {
  wave.setScalar64(op.dst.reg, wave.executed);
  return false;
}

/// How SOPP and friends take their operands.
enum class Shape {
  None,       ///< the 16-bit immediate at most
  Dest,       ///< one 64-bit destination
  Source,     ///< one 64-bit source
  DestSource, ///< 64-bit destination and source
  DestRaw,    ///< 32-bit destination; the immediate says what
  SetReg,     ///< the immediate says what; a 32-bit source, perhaps a literal
  Source32,   ///< one 32-bit source, then an immediate
};

struct ControlEntry {
  const char *name;
  Handler handler;
  Shape shape;
};

// clang-format off
const ControlEntry kEntries[] = {
    {"s_endpgm", runEnd, Shape::None},
    {"s_endpgm_saved", runEnd, Shape::None},
    {"s_branch", jump, Shape::None},
    {"s_cbranch_scc0", runBranchIf<kScc0>, Shape::None},
    {"s_cbranch_scc1", runBranchIf<kScc1>, Shape::None},
    {"s_cbranch_vccz", runBranchIf<kVccz>, Shape::None},
    {"s_cbranch_vccnz", runBranchIf<kVccnz>, Shape::None},
    {"s_cbranch_execz", runBranchIf<kExecz>, Shape::None},
    {"s_cbranch_execnz", runBranchIf<kExecnz>, Shape::None},
    {"s_getpc_b64", runGetPc, Shape::Dest},
    {"s_setpc_b64", runSetPc, Shape::Source},
    {"s_swappc_b64", runSwapPc, Shape::DestSource},
    {"s_call_b64", runCall, Shape::Dest},
    {"s_barrier", runBarrier, Shape::None},
    {"s_waitcnt", runWaitcnt, Shape::None},
    {"s_trap", runTrap, Shape::None},
    {"s_getreg_b32", runGetReg, Shape::DestRaw},
    {"s_setreg_b32", runSetReg, Shape::SetReg},
    {"s_setreg_imm32_b32", runSetReg, Shape::SetReg},
    {"s_round_mode", runRoundMode, Shape::None},
    {"s_denorm_mode", runDenormMode, Shape::None},
    {"s_set_gpr_idx_on", runGprIndexOn, Shape::Source32},
    {"s_set_gpr_idx_off", runGprIndexOff, Shape::None},
    {"s_set_gpr_idx_idx", runGprIndexIdx, Shape::Source32},
    {"s_set_gpr_idx_mode", runGprIndexMode, Shape::None},
    {"s_memrealtime", runRealTime, Shape::Dest},
    {"s_memtime", runMemTime, Shape::Dest},
    // The wave gives its turn to others.
    {"s_sleep", runYield, Shape::None},
    {"s_sleep_var", runYield, Shape::None},
    {"s_wakeup", runNothing, Shape::None},
    // Ordering, caches and hints: the simulated memory is coherent and in
    // order, host atomics order it between threads.
    {"s_nop", runNothing, Shape::None},
    {"s_setprio", runNothing, Shape::None},
    {"s_sendmsg", runNothing, Shape::None},
    {"s_icache_inv", runNothing, Shape::None},
    {"s_dcache_inv", runNothing, Shape::None},
    {"s_dcache_inv_vol", runNothing, Shape::None},
    {"s_dcache_wb", runNothing, Shape::None},
    {"s_dcache_wb_vol", runNothing, Shape::None},
    {"s_gl1_inv", runNothing, Shape::None},
    {"s_waitcnt_vscnt", runNothing, Shape::None},
    {"s_waitcnt_vmcnt", runNothing, Shape::None},
    {"s_waitcnt_expcnt", runNothing, Shape::None},
    {"s_waitcnt_lgkmcnt", runNothing, Shape::None},
    {"s_waitcnt_depctr", runNothing, Shape::None},
    {"s_wait_alu", runNothing, Shape::None},
    {"s_wait_idle", runNothing, Shape::None},
    {"s_wait_event", runNothing, Shape::None},
    {"s_wait_loadcnt", runNothing, Shape::None},
    {"s_wait_storecnt", runNothing, Shape::None},
    {"s_wait_samplecnt", runNothing, Shape::None},
    {"s_wait_bvhcnt", runNothing, Shape::None},
    {"s_wait_kmcnt", runNothing, Shape::None},
    {"s_wait_dscnt", runNothing, Shape::None},
    {"s_wait_expcnt", runNothing, Shape::None},
    {"s_wait_loadcnt_dscnt", runNothing, Shape::None},
    {"s_wait_storecnt_dscnt", runNothing, Shape::None},
    {"s_delay_alu", runNothing, Shape::None},
    {"s_clause", runNothing, Shape::None},
    {"s_set_inst_prefetch_distance", runNothing, Shape::None},
    {"s_inst_prefetch", runNothing, Shape::None},
    {"s_prefetch_inst", runNothing, Shape::None},
    {"s_prefetch_inst_pc_rel", runNothing, Shape::None},
    {"s_prefetch_data", runNothing, Shape::None},
    {"s_prefetch_data_pc_rel", runNothing, Shape::None},
    {"s_version", runNothing, Shape::None},
    {"s_ttracedata", runNothing, Shape::None},
    {"s_ttracedata_imm", runNothing, Shape::None},
    {"s_incperflevel", runNothing, Shape::None},
    {"s_decperflevel", runNothing, Shape::None},
    {"buffer_wbl2", runNothing, Shape::None},
    {"buffer_inv", runNothing, Shape::None},
    {"buffer_invl2", runNothing, Shape::None},
    {"buffer_wbinvl1", runNothing, Shape::None},
    {"buffer_wbinvl1_vol", runNothing, Shape::None},
    {"buffer_gl0_inv", runNothing, Shape::None},
    {"buffer_gl1_inv", runNothing, Shape::None},
    {"global_inv", runNothing, Shape::None},
    {"global_wb", runNothing, Shape::None},
    {"global_wbinv", runNothing, Shape::None},
    {"v_nop", runNothing, Shape::None},
    {"v_clrexcp", runNothing, Shape::None},
    // gfx12 split barriers: all of the workgroup's waves meet at the wait.
    {"s_barrier_signal", runNothing, Shape::None},
    {"s_barrier_wait", runBarrier, Shape::None},
    {"ds_nop", runNothing, Shape::None},
};
// clang-format on

} // namespace

bool aircc::sim::bindControl(BindContext &context, StringRef name,
                             const AsmInst &inst, Op &op) {
  static const llvm::StringMap<const ControlEntry *> index = [] {
    llvm::StringMap<const ControlEntry *> made;
    for (const ControlEntry &entry : kEntries)
      made[entry.name] = &entry;
    return made;
  }();
  const ControlEntry *entry = index.lookup(name);
  if (!entry)
    return false;
  op.handler = entry->handler;
  const uint32_t raw = inst.words[0] & 0xffff;
  op.imm = raw;
  auto dest = [&](size_t i, ValueType type) {
    return i < inst.operands.size() &&
           bindDest(context, inst.operands[i], type, op.dst) &&
           op.dst.kind == Operand::Kind::Scalar;
  };
  auto source = [&](size_t i, ValueType type) {
    return i < inst.operands.size() &&
           bindSource(context, inst.operands[i], type, op.src[0]) &&
           op.src[0].kind != Operand::Kind::Vector;
  };
  bool good = true;
  switch (entry->shape) {
  case Shape::None:
    break;
  case Shape::Dest:
    good = dest(0, ValueType::B64);
    break;
  case Shape::Source:
    good = source(0, ValueType::B64);
    break;
  case Shape::DestSource:
    good = dest(0, ValueType::B64) && source(1, ValueType::B64);
    break;
  case Shape::DestRaw:
    good = dest(0, ValueType::B32);
    break;
  case Shape::SetReg:
    good = source(1, ValueType::B32);
    break;
  case Shape::Source32:
    // The indexing mode is the second source field, bits 15:8.
    good = source(0, ValueType::B32);
    op.imm = raw >> 8 & 15;
    break;
  }
  if (!good)
    return context.refuse("its operands are not understood");
  if (name == "s_waitcnt")
    op.imm = context.chip.isGfx11Plus() ? raw >> 10 & 63
                                        : (raw & 15) | (raw >> 14 & 3) << 4;
  if (name == "s_set_gpr_idx_mode")
    op.imm = raw & 15;
  return true;
}
