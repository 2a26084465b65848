//===- ControlOps.cpp - SOPP: ends, barriers, waits, messages, hints ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The instructions of the CDNA3 ISA guide, "SOPP Instructions", and those of
// other families that operate on caches, which have no effect here.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/CodeObject.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/Hostcall.h"
#include "simulator/exec/LaunchState.h"
#include "simulator/exec/RelativeRegisters.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/memory/MemoryAccess.h"
#include "simulator/exec/scalar/ControlTable.h"

#include <chrono>

using namespace aircc::sim;

uint64_t aircc::sim::realTime() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() / 10;
}

static Handler controlHandler(const InstructionRecord &record) {
  switch (record.table) {
  case InstructionTable::Branch:
    return branchHandlers()[record.index];
  case InstructionTable::Registers:
    return registerHandlers()[record.index];
  case InstructionTable::Barrier:
    return barrierHandlers()[record.index];
  default:
    return controlHandlers()[record.index];
  }
}

bool aircc::sim::bindControl(BindContext &context,
                             const InstructionRecord &record,
                             const DecodedInstruction &inst, Op &op) {
  op.handler = controlHandler(record);
  op.flags = relativeFlags(record);
  const uint32_t raw = inst.words[0] & 0xffff;
  // The immediate is the instruction's low 16 bits.
  op.imm = raw;
  if (record.counter == CounterClass::Packed)
    op.imm = context.chip.waitFields(raw).loads;
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
  switch (record.shape) {
  case ShapeOfControl::None:
    break;
  case ShapeOfControl::Dest:
    good = dest(0, ValueType::B64);
    break;
  case ShapeOfControl::Source:
    good = source(0, ValueType::B64);
    break;
  case ShapeOfControl::DestSource:
    good = dest(0, ValueType::B64) && source(1, ValueType::B64);
    break;
  case ShapeOfControl::DestRaw:
    good = dest(0, ValueType::B32);
    break;
  case ShapeOfControl::SetReg:
    good = source(1, ValueType::B32);
    break;
  case ShapeOfControl::Source32:
    // The indexing mode is the second source field, bits 15:8.
    good = source(0, ValueType::B32);
    op.imm = raw >> 8 & 15;
    break;
  case ShapeOfControl::Sources:
    good = source(0, ValueType::B64) && source(1, ValueType::B64, 1);
    break;
  case ShapeOfControl::Sources32:
    good = source(0, ValueType::B32) && source(1, ValueType::B32, 1);
    break;
  case ShapeOfControl::Dest32:
    good = dest(0, ValueType::B32);
    break;
  case ShapeOfControl::Move32:
    good = dest(0, ValueType::B32) && source(1, ValueType::B32);
    break;
  }
  return context.understood(good);
}

namespace {

bool runNothing(Wave &, const Op &) { return false; }

bool runEnd(Wave &wave, const Op &) {
  completeLdsDma(wave, 0);
  wave.status = WaveStatus::Ended;
  return true;
}

/// Dynamic VGPR allocation always succeeds, because all registers exist.
bool runAllocVgpr(Wave &wave, const Op &) {
  wave.scc = true;
  return false;
}
bool runHalt(Wave &, const Op &op) {
  if (op.imm & 1)
    throw Fault("the wave halts itself, and nothing can resume it");
  return false;
}
bool runSendHalt(Wave &, const Op &) {
  throw Fault("the wave halts itself, and nothing can resume it");
}
bool runKill(Wave &wave, const Op &op) {
  if (!(op.imm & 1))
    return false;
  return runEnd(wave, op);
}
bool runCodeEnd(Wave &, const Op &) {
  throw Fault("execution ran into the padding after the code");
}

bool runBarrier(Wave &wave, const Op &) {
  // The last running wave of a workgroup does not wait.
  if (wave.group->running == 1)
    return false;
  wave.status = WaveStatus::AtBarrier;
  return true;
}
bool runYield(Wave &, const Op &) { return true; }

/// Handles s_waitcnt, whose VMCNT each generation encodes differently.
bool runWaitcnt(Wave &wave, const Op &op) {
  if (!wave.pendingLds.empty())
    completeLdsDma(wave, op.imm);
  return false;
}

/// The variable in which compiled programs store the address of the message of
/// a failed assertion (pipeline/codegen/common/LowerAsserts.cpp).
constexpr const char *kAssertion = "__aircc_assertion";

bool runTrap(Wave &wave, const Op &op) {
  std::string assertion = wave.launch->request->object->textAt(kAssertion);
  if (!assertion.empty())
    throw Fault("the kernel trapped because an assertion failed: " + assertion);
  throw Fault(op.imm == 2
                  ? std::string("the kernel trapped (an abort, a failed assert "
                                "or unreachable code)")
                  : "the kernel trapped with code " + std::to_string(op.imm));
}

/// Among the messages without an answer, only the interrupt has an effect: it
/// notifies the host about a hostcall. The low bits are the message's number.
bool runSendMessage(Wave &wave, const Op &op) {
  constexpr uint64_t kInterrupt = 1;
  if ((op.imm & 15) == kInterrupt && wave.group->hostcalls)
    wave.group->hostcalls->serve(wave.group->number, *wave.launch->output);
  return false;
}

/// Handles a message with an answer. The only one for programs is the time
/// (code 131, MSG_RTN_GET_REALTIME); the others are for a runtime.
bool runSendReturn(Wave &wave, const Op &op) {
  if ((op.inst->words[0] & 0xff) != 131)
    throw Fault("the message of '" + op.inst->text() + "' has no receiver");
  if (op.dst.dwords == 2)
    wave.setScalar64(op.dst.reg, realTime());
  else
    wave.setScalar(op.dst.reg, static_cast<uint32_t>(realTime()));
  return false;
}

// clang-format off
constexpr Handler kHandlers[] = {
#include "simulator/isa/tables/Control.def"
};

} // namespace

llvm::ArrayRef<Handler> aircc::sim::controlHandlers() { return kHandlers; }
