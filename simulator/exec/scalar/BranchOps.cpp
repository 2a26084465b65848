//===- BranchOps.cpp - Branches, calls and loops --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// References: CDNA3 ISA guide, "SOPP Instructions" (s_branch, s_cbranch_*) and
// "SOP1" (s_getpc, s_setpc, s_swappc); RDNA3 ISA guide, "SOPK"
// (s_subvector_loop_*).
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/LaunchState.h"
#include "simulator/exec/Mode.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/scalar/ControlTable.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

namespace {

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

/// The debugger's conditions are never set in user code.
bool runNever(Wave &, const Op &) { return false; }

// Branches of diverging waves have a stack in SGPRs on gfx9, with 4 SGPRs per
// entry: PC and EXEC. MODE.CSP (31:29) counts entries.
uint32_t branchStack(const Wave &wave) { return wave.mode >> 29; }
void setBranchStack(Wave &wave, uint32_t entries) {
  setMode(wave, (wave.mode & 0x1fffffff) | entries << 29);
}
/// Branches if all lanes agree. Otherwise, the side with fewer lanes is
/// executed first.
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

// Handles a loop that executes its body for the low half of a wave64, then for
// the high half (gfx11).
bool runSubvectorBegin(Wave &wave, const Op &op) {
  uint32_t low = wave.scalars[kExec], high = wave.scalars[kExec + 1];
  if (!low && !high)
    return jump(wave, op);
  if (!low) {
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
    return jump(wave, op);
  }
  return false;
}

// clang-format off
constexpr Handler kHandlers[] = {
#include "simulator/isa/tables/Branch.def"
};

} // namespace

llvm::ArrayRef<Handler> aircc::sim::branchHandlers() { return kHandlers; }
