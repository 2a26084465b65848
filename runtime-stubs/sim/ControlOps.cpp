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
#include "runtime-stubs/sim/CodeObject.h"
#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/Hostcall.h"
#include "runtime-stubs/sim/Launch.h"
#include "runtime-stubs/sim/MemoryAccess.h"
#include "runtime-stubs/sim/Mode.h"
#include "runtime-stubs/sim/Wave.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <chrono>

using namespace aircc::sim;
using llvm::StringRef;

namespace {

bool runNothing(Wave &, const Op &) { return false; }

/// Real time in ticks of 100 MHz.
uint64_t realTime() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() / 10;
}

/// How S_MOVREL* use M0; in the entries' flags.
enum RelativeFlags : uint32_t {
  kRelativeSource = 1,
  kRelativeDest = 2,
  kRelativeTwo = 4, ///< M0[9:0] for the source, M0[25:16] for the destination.
};

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

/// The debugger's conditions, which no user code sees set.
bool runNever(Wave &, const Op &) { return false; }

// Branches of diverging waves with a stack in SGPRs, gfx9: 4 SGPRs an entry,
// PC and EXEC; MODE.CSP (31:29) counts entries.
uint32_t branchStack(const Wave &wave) { return wave.mode >> 29; }
void setBranchStack(Wave &wave, uint32_t entries) {
  setMode(wave, (wave.mode & 0x1fffffff) | entries << 29);
}
/// One way at once when all lanes go it; else the way of fewer lanes first.
bool fork(Wave &wave, uint64_t pass, uint64_t target, uint64_t fallThrough) {
  const uint64_t exec = wave.exec();
  pass &= exec;
  const uint64_t fail = exec & ~pass;
  uint64_t to = fallThrough;
  if (pass == exec) {
    to = target;
  } else if (fail != exec) {
    bool failFirst = llvm::popcount(fail) < llvm::popcount(pass);
    uint32_t entry = branchStack(wave);
    wave.setScalar64(entry * 4, failFirst ? target : fallThrough);
    wave.setScalar64(entry * 4 + 2, failFirst ? pass : fail);
    setBranchStack(wave, (entry + 1) & 7);
    wave.setExec(failFirst ? fail : pass);
    to = failFirst ? fallThrough : target;
  }
  if (to != fallThrough)
    wave.pc = wave.launch->program->lookup(to);
  return false;
}
bool runForkTo(Wave &wave, const Op &op) {
  return fork(wave, readScalar(wave, op.src[0]), readScalar(wave, op.src[1]),
              nextAddress(op));
}
bool runForkBy(Wave &wave, const Op &op) {
  // `imm` is the target of all branches that are relative.
  return fork(wave, readScalar(wave, op.src[0]), op.imm, nextAddress(op));
}
bool runJoin(Wave &wave, const Op &op) {
  uint32_t entries = branchStack(wave);
  if (entries == (readScalar(wave, op.src[0]) & 7))
    return false;
  entries = (entries - 1) & 7;
  setBranchStack(wave, entries);
  wave.setExec(wave.scalar64(entries * 4 + 2));
  wave.pc = wave.launch->program->lookup(wave.scalar64(entries * 4));
  return false;
}

// A loop whose body runs for the low half of a wave64, then for the high one
// (gfx11).
bool runSubvectorBegin(Wave &wave, const Op &op) {
  uint32_t low = wave.scalars[kExec], high = wave.scalars[kExec + 1];
  if (!low && !high) {
    wave.pc = wave.launch->program->lookup(nextAddress(op) +
                                           static_cast<int16_t>(op.imm) * 4);
  } else if (!low) {
    wave.setScalar(op.dst.reg, low);
  } else {
    wave.setScalar(op.dst.reg, high);
    wave.setScalar(kExec + 1, 0);
  }
  return false;
}
bool runSubvectorEnd(Wave &wave, const Op &op) {
  uint32_t saved = wave.scalars[op.dst.reg];
  if (wave.scalars[kExec + 1]) {
    wave.setScalar(kExec, saved);
  } else if (saved) {
    wave.setScalar(kExec + 1, saved);
    wave.setScalar(op.dst.reg, wave.scalars[kExec]);
    wave.setScalar(kExec, 0);
    wave.pc = wave.launch->program->lookup(nextAddress(op) +
                                           static_cast<int16_t>(op.imm) * 4);
  }
  return false;
}

/// Scalar registers by M0: S_MOVRELS, S_MOVRELD, S_MOVRELSD_2.
bool runScalarMoveRelative(Wave &wave, const Op &op) {
  uint32_t m0 = wave.scalars[kM0];
  uint32_t from = op.src[0].reg, to = op.dst.reg;
  if (op.flags & kRelativeSource)
    from += op.flags & kRelativeTwo ? m0 & 0x3ff : m0;
  if (op.flags & kRelativeDest)
    to += op.flags & kRelativeTwo ? m0 >> 16 & 0x3ff : m0;
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

/// While MODE.VSKIP is set vector instructions do nothing (gfx9).
bool runSetVskip(Wave &wave, const Op &op) {
  bool skip =
      readScalar(wave, op.src[0]) >> (readScalar(wave, op.src[1]) & 31) & 1;
  setMode(wave, (wave.mode & ~kModeVskip) | (skip ? kModeVskip : 0));
  return false;
}

/// A number of VGPRs of this wave's own: all are there.
bool runAllocVgpr(Wave &wave, const Op &) {
  wave.scc = true;
  return false;
}
bool runHalt(Wave &, const Op &op) {
  if (op.imm & 1)
    throw Fault("the wave halts itself, which nobody ends");
  return false;
}
bool runSendHalt(Wave &, const Op &) {
  throw Fault("the wave halts itself, which nobody ends");
}
bool runKill(Wave &wave, const Op &op) {
  if (!(op.imm & 1))
    return false;
  return runEnd(wave, op);
}
bool runCodeEnd(Wave &, const Op &) {
  throw Fault("execution ran into the padding behind the code");
}

bool runBarrier(Wave &wave, const Op &) {
  // A workgroup of one wave has nothing to wait for.
  if (wave.group->running == 1)
    return false;
  wave.status = WaveStatus::AtBarrier;
  return true;
}
bool runYield(Wave &, const Op &) { return true; }

/// VMCNT of s_waitcnt, as each generation encodes it.
bool runWaitcnt(Wave &wave, const Op &op) {
  if (!wave.pendingLds.empty())
    landLds(wave, op.imm);
  return false;
}

/// Where compiled programs leave the address of the message of an assertion
/// that failed (pipeline/codegen/LowerAsserts.cpp).
constexpr const char *kAssertion = "__aircc_assertion";

bool runTrap(Wave &wave, const Op &op) {
  std::string assertion = wave.launch->request->object->textAt(kAssertion);
  if (!assertion.empty())
    throw Fault("the kernel trapped, for an assertion failed: " + assertion);
  throw Fault(op.imm == 2
                  ? std::string("the kernel trapped (an abort, a failed assert "
                                "or unreachable code)")
                  : "the kernel trapped with code " + std::to_string(op.imm));
}

/// Of the messages without an answer, the interrupt is how a wave rings when it
/// asks the host for something (the low bits are the message's number).
bool runSendMessage(Wave &wave, const Op &op) {
  constexpr uint64_t kInterrupt = 1;
  if ((op.imm & 15) == kInterrupt && wave.group->hostcalls)
    wave.group->hostcalls->serve(wave.group->number, *wave.launch->output);
  return false;
}

/// A message that is answered. Of the answers a program can use, there is the
/// time (code 131, MSG_RTN_GET_REALTIME); the others are a runtime's.
bool runSendReturn(Wave &wave, const Op &op) {
  if ((op.inst->words[0] & 0xff) != 131)
    throw Fault("the message of '" + op.inst->text + "' has no receiver");
  if (op.dst.dwords == 2)
    wave.setScalar64(op.dst.reg, realTime());
  else
    wave.setScalar(op.dst.reg, static_cast<uint32_t>(realTime()));
  return false;
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
    // No exceptions, no trap handler, nothing in flight.
    return 0;
  case kRegGprAlloc:
    // VGPR_SIZE in bits 13:8 (gfx9) or 19:12: blocks less one.
    return wave.launch->chip->isGfx9()
               ? (wave.launch->kernel->vgprCount / 8 - 1) << 8
               : (wave.launch->kernel->vgprCount / 8 - 1) << 12;
  case kRegLdsAlloc:
    // LDS_SIZE in bits 20:12, in units of 128 dwords.
    return (wave.launch->ldsBytes + 511) / 512 << 12;
  case kRegHwId:
  case kRegHwId1:
    // One simulated compute unit and SIMD; the wave slot counts.
    return wave.index & 15;
  case kRegHwId2:
    return 0;
  case kRegXccId:
    return wave.launch->chip->isGfx9()
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

bool runRealTime(Wave &wave, const Op &op) {
  wave.setScalar64(op.dst.reg, realTime());
  return false;
}
/// A counter of executed instructions.
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
  Sources,    ///< two 64-bit sources
  Sources32,  ///< two 32-bit sources
  Dest32,     ///< one 32-bit destination, then an immediate
  Move32,     ///< 32-bit destination and source
};

struct ControlEntry {
  const char *name;
  Handler handler;
  Shape shape;
  uint32_t flags = 0;
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
    {"s_cbranch_cdbgsys", runNever, Shape::None},
    {"s_cbranch_cdbguser", runNever, Shape::None},
    {"s_cbranch_cdbgsys_or_user", runNever, Shape::None},
    {"s_cbranch_cdbgsys_and_user", runNever, Shape::None},
    {"s_cbranch_g_fork", runForkTo, Shape::Sources},
    {"s_cbranch_i_fork", runForkBy, Shape::Source},
    {"s_cbranch_join", runJoin, Shape::Source32},
    {"s_subvector_loop_begin", runSubvectorBegin, Shape::Dest32},
    {"s_subvector_loop_end", runSubvectorEnd, Shape::Dest32},
    {"s_movrels_b32", runScalarMoveRelative, Shape::Move32, kRelativeSource},
    {"s_movrels_b64", runScalarMoveRelative, Shape::DestSource,
     kRelativeSource},
    {"s_movreld_b32", runScalarMoveRelative, Shape::Move32, kRelativeDest},
    {"s_movreld_b64", runScalarMoveRelative, Shape::DestSource, kRelativeDest},
    {"s_movrelsd_2_b32", runScalarMoveRelative, Shape::Move32,
     kRelativeSource | kRelativeDest | kRelativeTwo},
    {"s_setvskip", runSetVskip, Shape::Sources32},
    {"s_alloc_vgpr", runAllocVgpr, Shape::Source32},
    {"s_sethalt", runHalt, Shape::None},
    {"s_sendmsghalt", runSendHalt, Shape::None},
    {"s_setkill", runKill, Shape::None},
    {"s_code_end", runCodeEnd, Shape::None},
    {"s_endpgm_ordered_ps_done", runEnd, Shape::None},
    {"s_sendmsg_rtn_b32", runSendReturn, Shape::Dest32},
    {"s_sendmsg_rtn_b64", runSendReturn, Shape::Dest},
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
    {"s_sendmsg", runSendMessage, Shape::None},
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
    {"s_buffer_prefetch_data", runNothing, Shape::None},
    {"s_atc_probe", runNothing, Shape::None},
    {"s_atc_probe_buffer", runNothing, Shape::None},
    {"s_dcache_discard", runNothing, Shape::None},
    {"s_dcache_discard_x2", runNothing, Shape::None},
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
    {"v_pipeflush", runNothing, Shape::None},
    {"v_clrexcp", runNothing, Shape::None},
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
  op.flags = entry->flags;
  const uint32_t raw = inst.words[0] & 0xffff;
  op.imm = raw;
  auto dest = [&](size_t i, ValueType type) {
    return i < inst.operands.size() &&
           bindDest(context, inst.operands[i], type, op.dst) &&
           op.dst.kind == Operand::Kind::Scalar;
  };
  auto source = [&](size_t i, ValueType type, unsigned to = 0) {
    return i < inst.operands.size() &&
           bindSource(context, inst.operands[i], type, op.src[to]) &&
           op.src[to].kind != Operand::Kind::Vector;
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
  case Shape::Sources:
    good = source(0, ValueType::B64) && source(1, ValueType::B64, 1);
    break;
  case Shape::Sources32:
    good = source(0, ValueType::B32) && source(1, ValueType::B32, 1);
    break;
  case Shape::Dest32:
    good = dest(0, ValueType::B32);
    break;
  case Shape::Move32:
    good = dest(0, ValueType::B32) && source(1, ValueType::B32);
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
