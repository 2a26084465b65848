//===- HazardsRdna.cpp - What gfx11 and gfx12 do not wait for -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// From gfx10 on, the hardware resolves dependences. Of the exceptions, the ISA
// guides only describe the one for WMMA ("Dependency Delay: WMMA", RDNA3
// guide). The others are taken from LLVM's GCNHazardRecognizer and
// AMDGPUWaitSGPRHazards:
//
//  - An instruction reads the result of a transcendental instruction with at
//    most five vector instructions in between, at most one of them
//    transcendental (gfx11.0).
//  - In wave64, an instruction reads two registers, one of which was written
//    shortly before and one shortly after a scalar instruction changed EXEC
//    (gfx11).
//  - In wave64, a scalar that was used as a mask is written, then read (gfx11).
//  - A scalar that vector instructions have read is written, then read (gfx12).
//  - A matrix instruction reads as A, B or index the result of the vector
//    instruction immediately before it (gfx11, gfx12).
//  - v_permlane comes after v_cmpx (gfx11).
//  - lds_direct_load (ds_direct_load) writes a register that an earlier
//    instruction still uses (gfx11, gfx12). wait_vdst (wait_va_vdst) is the
//    number of preceding vector instructions that may be outstanding. Memory
//    instructions have read their registers after a later vector instruction, a
//    wait for all counters, or a wait with vm_vsrc (bits 4-2) at 0; gfx12 also
//    has wait_vm_vsrc.
//
// s_waitcnt_depctr (s_wait_alu on gfx12) resolves them with the right field at
// 0: va_vdst in bits 15-12, va_sdst in 11-9, va_vcc in 1, sa_sdst in 0.
//
//===----------------------------------------------------------------------===//

#include "simulator/check/hazards/Hazards.h"
#include "simulator/isa/RegisterNames.h"

#include "simulator/isa/InstructionRecord.h"

#include "llvm/ADT/STLExtras.h"

#include <climits>

using namespace aircc::sim;

namespace {

bool overlap(const RegRange &a, const RegRange &b) {
  return a.vector == b.vector && a.first < b.first + b.count &&
         b.first < a.first + a.count;
}
bool writesVector(const Op &op, const RegRange &range) {
  return llvm::any_of(op.info->writes, [&](const RegRange &written) {
    return overlap(written, range);
  });
}
/// Returns whether the scalar needs no check, because the hardware orders its
/// accesses.
bool isOrdered(unsigned reg) { return reg >= kM0; }

} // namespace

void Hazards::checkTransUse(Wave &wave, IssueHistory &issued, const Op &op) {
  constexpr unsigned kMostVectors = 5, kMostTrans = 1;
  unsigned vectors = 0, trans = 0;
  for (unsigned back = 1; vectors <= kMostVectors && trans <= kMostTrans;
       ++back) {
    const IssueHistory::Entry *past = issued.last(back);
    if (!past)
      return;
    if (!(past->facts->roles & kIsVector))
      continue;
    ++vectors;
    if (!(past->facts->roles & kIsTrans))
      continue;
    ++trans;
    for (const RegRange &range : op.info->reads) {
      if (!range.vector || !writesVector(*past->op, range))
        continue;
      if (reports.isNew(FaultKind::WaitStates, op, past->op))
        reports.add(FaultKind::WaitStates, wave, op, 0,
                    registerName(true, range.first) +
                        " is read that a transcendental instruction wrote",
                    {"after " + reports.describe(*past->op),
                     "six vector instructions, or s_waitcnt_depctr "
                     "depctr_va_vdst(0), must be between them"},
                    past->op);
      return;
    }
  }
}

void Hazards::checkPartialForwarding(Wave &wave, IssueHistory &issued,
                                     const Op &op) {
  constexpr unsigned kMostAround = 2, kMostAfter = 4;
  // Distances in vector instructions: of the last write after the last scalar
  // write of EXEC, of that write of EXEC, and of the last write before it.
  unsigned after = UINT_MAX, exec = UINT_MAX, before = UINT_MAX;
  const Op *first = nullptr;
  llvm::SmallVector<RegRange, 4> open;
  for (const RegRange &range : op.info->reads)
    if (range.vector && llvm::none_of(open, [&](const RegRange &other) {
          return other.first == range.first && other.count == range.count;
        }))
      open.push_back(range);
  if (open.size() < 2)
    return;
  unsigned vectors = 0;
  for (unsigned back = 1; vectors <= kMostAround + kMostAfter + 2; ++back) {
    const IssueHistory::Entry *past = issued.last(back);
    if (!past)
      return;
    if (!(past->facts->roles & kIsVector)) {
      if (after != UINT_MAX && exec == UINT_MAX)
        exec = vectors;
      continue;
    }
    const size_t found = llvm::count_if(open, [&](const RegRange &range) {
      return writesVector(*past->op, range);
    });
    if (found) {
      unsigned &distance = exec == UINT_MAX ? after : before;
      distance = std::min(distance, vectors);
      first = past->op;
      llvm::erase_if(open, [&](const RegRange &range) {
        return writesVector(*past->op, range);
      });
    }
    if (after > kMostAfter && vectors > kMostAfter)
      return;
    if (before != UINT_MAX)
      break;
    ++vectors;
  }
  if (before == UINT_MAX || after > kMostAfter ||
      (exec - after - 1) + (before - exec) > kMostAround ||
      !reports.isNew(FaultKind::WaitStates, op, first))
    return;
  reports.add(FaultKind::WaitStates, wave, op, 0,
              "registers are read that were written right before and right "
              "after a change of EXEC",
              {"after " + reports.describe(*first),
               "s_waitcnt_depctr depctr_va_vdst(0) must be between them"},
              first);
}

void Hazards::checkMatrixInput(Wave &wave, IssueHistory &issued, const Op &op,
                               const HazardFacts &known) {
  const IssueHistory::Entry &past = issued.lastVector;
  if (!past.op || !past.facts->matrix)
    return;
  for (const RegRange &range : known.matrixInputs) {
    if (!overlap(range, past.facts->matrixD))
      continue;
    if (reports.isNew(FaultKind::WaitStates, op, past.op))
      reports.add(
          FaultKind::WaitStates, wave, op, 0,
          registerName(true, std::max(range.first, past.facts->matrixD.first)) +
              " is read that the matrix instruction before writes",
          {"after " + reports.describe(*past.op),
           "a vector instruction (v_nop) must be between them"},
          past.op);
    return;
  }
}

void Hazards::checkLdsDirect(Wave &wave, IssueHistory &issued, const Op &op) {
  // wait_vdst (wait_va_vdst), and gfx12's wait_vm_vsrc, where 0 waits.
  constexpr unsigned kMostVectors = 15;
  const uint32_t word = op.inst->words[0];
  const unsigned allowed = word >> 16 & 15;
  const bool waitsForMemory = state->chip->directLoadWaits && !(word >> 23 & 1);
  const RegRange range{true, RegRange::Value, op.dst.reg, 1};
  auto uses = [&](const Op &past) {
    return writesVector(past, range) ||
           llvm::any_of(past.info->reads, [&](const RegRange &read) {
             return overlap(read, range);
           });
  };
  auto tell = [&](const Op &past, const char *wait) {
    if (reports.isNew(FaultKind::WaitStates, op, &past))
      reports.add(FaultKind::WaitStates, wave, op, 0,
                  registerName(true, range.first) +
                      " is written straight from LDS while it is in use",
                  {"after " + reports.describe(past), wait}, &past);
  };
  unsigned vectors = 0;
  bool trans = false;
  for (unsigned back = 1; vectors < kMostVectors; ++back) {
    const IssueHistory::Entry *past = issued.last(back);
    if (!past)
      break;
    if (!(past->facts->roles & kIsVector))
      continue;
    // Transcendental instructions complete out of order, so none may be
    // outstanding.
    trans |= (past->facts->roles & kIsTrans) != 0;
    if (uses(*past->op)) {
      if (allowed > (trans ? 0 : vectors))
        tell(*past->op, "it waits for too few vector instructions");
      break;
    }
    ++vectors;
  }
  for (unsigned i = 0; !waitsForMemory && i < issued.memoryEnd; ++i)
    if (uses(*issued.memory[i]))
      tell(*issued.memory[i],
           "it, or depctr_vm_vsrc(0), must wait for memory instructions to "
           "have read their registers");
  if (waitsForMemory)
    issued.memoryEnd = 0;
}

void Hazards::checkPermlane(Wave &wave, IssueHistory &issued, const Op &op) {
  const IssueHistory::Entry &past = issued.lastNonNopVector;
  if (!past.op || !(past.facts->roles & kIsCompareExec) ||
      !reports.isNew(FaultKind::WaitStates, op, past.op))
    return;
  reports.add(FaultKind::WaitStates, wave, op, 0,
              "v_permlane follows a comparison that wrote EXEC",
              {"after " + reports.describe(*past.op),
               "a vector instruction other than v_nop must be between them"},
              past.op);
}

/// Returns whether a vector instruction reads the scalars of a range as a mask,
/// either as the last operand or as implicit VCC.
static bool isMask(const Op &op, const RegRange &range) {
  if (!op.record)
    return false;
  if (op.record->has(trait::ReadsVcc))
    return range.first == kVcc;
  if (!op.record->has(trait::TakesMask))
    return false;
  const auto &operands = op.inst->operands;
  return !operands.empty() &&
         operands.back().kind == DecodedOperand::Kind::Scalar &&
         operands.back().reg == range.first;
}

/// Reports a read of scalar `reg`, which was written after a vector instruction
/// had read it.
void Hazards::reportScalarRead(Wave &wave, const IssueHistory &issued,
                               const Op &op, unsigned reg,
                               bool isWrittenByScalar) {
  const Op *writer = issued.scalarWriter[reg];
  if (!reports.isNew(FaultKind::WaitStates, op, writer))
    return;
  const bool followsReads = state->chip->hasScalarReadHazards;
  const bool isVcc = reg == kVcc || reg == kVcc + 1;
  const std::string field = isWrittenByScalar ? "sa_sdst"
                            : isVcc           ? "va_vcc"
                                              : "va_sdst";
  reports.add(FaultKind::WaitStates, wave, op, 0,
              registerName(false, reg) +
                  " is read, which was written after a vector instruction had "
                  "read it" +
                  (followsReads ? "" : " as a mask"),
              {"after " + reports.describe(*writer),
               std::string(followsReads ? "s_wait_alu" : "s_waitcnt_depctr") +
                   " depctr_" + field + "(0) must be between them"},
              writer);
}

void Hazards::checkScalarReads(Wave &wave, IssueHistory &issued, const Op &op,
                               bool isVector) {
  const bool followsReads = state->chip->hasScalarReadHazards;
  auto &byScalar = issued.writtenByScalar, &byVector = issued.writtenByVector;
  for (const RegRange &range : op.info->reads) {
    if (range.vector || isOrdered(range.first))
      continue;
    // A scalar instruction that reads VCC waits for vector instructions that
    // write VCC; one that reads another scalar waits for those that write any
    // scalar except VCC.
    if (followsReads && !isVector) {
      const bool vcc[2] = {byVector[kVcc], byVector[kVcc + 1]};
      if (range.first == kVcc) {
        byVector.reset(kVcc).reset(kVcc + 1);
      } else {
        byVector.reset();
        byVector.set(kVcc, vcc[0]).set(kVcc + 1, vcc[1]);
      }
    }
    // gfx12 tracks pairs of scalars.
    const unsigned pair = followsReads ? range.first & ~1u : range.first;
    if (followsReads && !issued.readByVector[pair]) {
      if (isVector)
        issued.readByVector.set(pair);
      continue;
    }
    for (unsigned reg = range.first; reg < range.first + range.count; ++reg) {
      if (!byScalar[reg] && !(isVector && byVector[reg]))
        continue;
      const bool isWrittenByScalar = byScalar[reg];
      byScalar.reset(reg);
      byVector.reset(reg);
      reportScalarRead(wave, issued, op, reg, isWrittenByScalar);
    }
  }
}

void Hazards::recordScalarWrites(IssueHistory &issued, const Op &op,
                                 bool isVector) {
  const bool followsReads = state->chip->hasScalarReadHazards;
  for (const RegRange &range : op.info->writes) {
    if (range.vector || isOrdered(range.first))
      continue;
    const unsigned pair = range.first & ~1u;
    for (unsigned reg = range.first; reg < range.first + range.count; ++reg) {
      issued.writtenByScalar.reset(reg);
      issued.writtenByVector.reset(reg);
      if (!issued.readByVector[followsReads ? pair : reg])
        continue;
      (isVector ? issued.writtenByVector : issued.writtenByScalar).set(reg);
      issued.scalarWriter[reg] = &op;
      if (!followsReads)
        issued.readByVector.reset(reg);
    }
  }
}

/// Forgets the hazards of the scalars that an instruction outside both ALUs
/// writes, such as a load, because users of these scalars wait for its counter.
static void clearLoadedScalars(IssueHistory &issued, const OpInfo &info,
                               bool followsReads) {
  for (const RegRange &range : info.writes)
    for (unsigned i = 0; !range.vector && i < range.count; ++i) {
      issued.writtenByScalar.reset(range.first + i);
      issued.writtenByVector.reset(range.first + i);
      if (!followsReads)
        issued.readByVector.reset(range.first + i);
    }
}

/// Returns whether a branch jumps to an address in scalars: a call or a return.
static bool isIndirectBranch(const OpInfo &info) {
  return info.opClass == OpClass::Branch &&
         llvm::any_of(info.reads, [](const RegRange &range) {
           return !range.vector && range.role == RegRange::Value &&
                  range.first != kVcc;
         });
}

void Hazards::checkScalars(Wave &wave, IssueHistory &issued, const Op &op,
                           const HazardFacts &known) {
  const bool followsReads = state->chip->hasScalarReadHazards;
  const OpInfo &info = *op.info;
  if (followsReads && (info.opClass == OpClass::ScalarMemory ||
                       info.opClass == OpClass::Buffer)) {
    issued.writtenByScalar.reset();
    issued.writtenByVector.reset();
  }
  const bool isVector = known.roles & kIsVector;
  const bool isBranch = info.opClass == OpClass::Branch;
  if (!isVector && !isBranch && !(known.roles & kIsScalar))
    return clearLoadedScalars(issued, info, followsReads);
  checkScalarReads(wave, issued, op, isVector);
  if (isBranch) {
    // The scalars that a call writes are complete before the first instruction
    // of the callee. On gfx11, compilers insert waits function by function, so
    // clear the state between functions.
    if (!followsReads && isIndirectBranch(info)) {
      issued.readByVector.reset();
      issued.writtenByScalar.reset();
      issued.writtenByVector.reset();
    }
    return;
  }
  recordScalarWrites(issued, op, isVector);
  if (followsReads || !isVector)
    return;
  // The instruction's own mask counts only for the instructions after it.
  for (const RegRange &range : info.reads)
    if (!range.vector && !isOrdered(range.first) && isMask(op, range))
      for (unsigned reg = range.first; reg < range.first + range.count; ++reg)
        issued.readByVector.set(reg);
}

RdnaHazards Hazards::rdnaHazards(const Op &op, const HazardFacts &known) const {
  const Chip &chip = *state->chip;
  const OpInfo &info = *op.info;
  if (known.special != HazardSpecial::None || chip.hasScalarReadHazards ||
      !wave32)
    return RdnaHazards::Any;
  if (known.roles & kIsVector)
    return known.matrix || known.roles & (kIsTrans | kIsPermlane) ||
                   info.opClass == OpClass::Hint
               ? RdnaHazards::Any
               : RdnaHazards::Vector;
  if (known.roles & (kIsMemory | kIsLds))
    return RdnaHazards::Memory;
  return info.writesExec || info.opClass == OpClass::Wait ? RdnaHazards::Any
                                                          : RdnaHazards::None;
}

/// Checks an instruction on gfx11 or gfx12.
void Hazards::checkRdna(Wave &wave, IssueHistory &issued, const Op &op,
                        const HazardFacts &known) {
  const Chip &chip = *state->chip;
  const OpInfo &info = *op.info;
  if (known.special == HazardSpecial::WaitForAlu) {
    const uint32_t fields = op.inst->words[0];
    auto &byVector = issued.writtenByVector;
    if ((fields >> 12 & 15) == 0)
      issued.clear();
    if ((fields >> 2 & 7) == 0)
      issued.memoryEnd = 0;
    if ((fields & 1) == 0)
      issued.writtenByScalar.reset();
    const bool vcc[2] = {byVector[kVcc], byVector[kVcc + 1]};
    if ((fields >> 9 & 7) == 0)
      byVector.reset();
    for (unsigned i = 0; i < 2; ++i)
      byVector[kVcc + i] = vcc[i] && fields & 2;
    return;
  }
  if (known.special == HazardSpecial::LdsNop) {
    // On gfx12, this many of them complete all reads of scalars.
    if (++issued.dsNops >= (wave32 ? 4u : 8u))
      issued.readByVector.reset();
    return;
  }
  issued.dsNops = 0;
  if (info.opClass == OpClass::Wait &&
      (chip.waits == WaitEncoding::None || !(op.inst->words[0] & 0xffff)))
    issued.memoryEnd = 0;
  if (known.special == HazardSpecial::LdsDirect)
    return checkLdsDirect(wave, issued, op);
  // On gfx11, only masks of 64 lanes have this hazard.
  if (chip.hasScalarReadHazards || !wave32)
    checkScalars(wave, issued, op, known);
  if (known.roles & kIsVector) {
    if (chip.transUseHazard && issued.vectorsSinceTrans <= kTransDistance)
      checkTransUse(wave, issued, op);
    if (chip.hasMaskHazards && !wave32)
      checkPartialForwarding(wave, issued, op);
    if (known.matrix)
      checkMatrixInput(wave, issued, op, known);
    if (chip.compareExecHazard && known.roles & kIsPermlane)
      checkPermlane(wave, issued, op);
    const IssueHistory::Entry beforeNop = issued.lastNonNopVector;
    issued.addVector(op, known);
    if (info.opClass == OpClass::Hint)
      issued.lastNonNopVector = beforeNop;
    if (known.roles & kIsTrans)
      issued.vectorsSinceTrans = 0;
  } else if (known.special == HazardSpecial::Cache) {
    issued.clear(); // It waits for the vector ALU.
  } else if (known.roles & (kIsMemory | kIsLds)) {
    issued.addMemory(op);
  } else if (info.writesExec) {
    issued.add(op, known);
  }
}
