//===- ControlOps.cpp - SOPP: ends, barriers, waits, messages, hints ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CDNA3 ISA guide, "SOPP Instructions"; and what instructions of other families
// do to caches, which here is nothing.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/CodeObject.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/Hostcall.h"
#include "simulator/exec/LaunchState.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/memory/MemoryAccess.h"
#include "simulator/exec/scalar/ControlTable.h"

#include <chrono>

using namespace aircc::sim;
using llvm::StringRef;

uint64_t aircc::sim::realTime() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() / 10;
}

ControlTable::ControlTable(llvm::ArrayRef<ControlEntry> entries) {
  for (const ControlEntry &entry : entries)
    index[entry.name] = &entry;
}

bool ControlTable::bind(BindContext &context, StringRef name,
                        const AsmInst &inst, Op &op) const {
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
  case ControlShape::None:
    break;
  case ControlShape::Dest:
    good = dest(0, ValueType::B64);
    break;
  case ControlShape::Source:
    good = source(0, ValueType::B64);
    break;
  case ControlShape::DestSource:
    good = dest(0, ValueType::B64) && source(1, ValueType::B64);
    break;
  case ControlShape::DestRaw:
    good = dest(0, ValueType::B32);
    break;
  case ControlShape::SetReg:
    good = source(1, ValueType::B32);
    break;
  case ControlShape::Source32:
    // The indexing mode is the second source field, bits 15:8.
    good = source(0, ValueType::B32);
    op.imm = raw >> 8 & 15;
    break;
  case ControlShape::Sources:
    good = source(0, ValueType::B64) && source(1, ValueType::B64, 1);
    break;
  case ControlShape::Sources32:
    good = source(0, ValueType::B32) && source(1, ValueType::B32, 1);
    break;
  case ControlShape::Dest32:
    good = dest(0, ValueType::B32);
    break;
  case ControlShape::Move32:
    good = dest(0, ValueType::B32) && source(1, ValueType::B32);
    break;
  }
  return context.understood(good);
}

namespace {

using Shape = ControlShape;

bool runNothing(Wave &, const Op &) { return false; }

bool runEnd(Wave &wave, const Op &) {
  landLds(wave, 0);
  wave.status = WaveStatus::Ended;
  return true;
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
/// that failed (pipeline/codegen/common/LowerAsserts.cpp).
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

// clang-format off
const ControlEntry kEntries[] = {
    {"s_endpgm", runEnd, Shape::None},
    {"s_endpgm_saved", runEnd, Shape::None},
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
  static const ControlTable table(kEntries);
  if (!table.bind(context, name, inst, op))
    return false;
  const uint32_t raw = inst.words[0] & 0xffff;
  if (name == "s_waitcnt")
    op.imm = context.chip.isGfx11Plus() ? raw >> 10 & 63
                                        : (raw & 15) | (raw >> 14 & 3) << 4;
  return true;
}
