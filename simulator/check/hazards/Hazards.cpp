//===- Hazards.cpp - Detection of missing wait states ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/hazards/Hazards.h"
#include "simulator/isa/RegisterNames.h"

#include "simulator/exec/CodeObject.h"

#include "llvm/ADT/STLExtras.h"

using namespace aircc::sim;

static bool overlap(const RegRange &a, const RegRange &b) {
  return a.vector == b.vector && a.first < b.first + b.count &&
         b.first < a.first + a.count;
}

void Hazards::begin(const LaunchState &launch) {
  state = &launch;
  const Chip &chip = *launch.chip;
  wave32 = launch.kernel->wave32;
  countsStates = chip.countsWaitStates;
  rules = hazardRules(chip);
  facts.clear();
}

const HazardFacts &Hazards::factsOf(const Op &op) {
  const uint32_t index = op.info->index;
  if (index >= facts.size())
    facts.resize(index + 256);
  std::unique_ptr<HazardFacts> &entry = facts[index];
  if (entry)
    return *entry;
  entry = std::make_unique<HazardFacts>(
      hazardFacts(*state->chip, wave32, op, rules));
  entry->rdna = rdnaHazards(op, *entry);
  return *entry;
}

void Hazards::checkCdna(Wave &wave, IssueHistory &issued, const Op &op,
                        const HazardFacts &known) {
  if (issued.states < issued.quietFrom || known.looksBack)
    checkWaitStates(wave, issued, op, known);
  if (known.matrix)
    addMatrix(issued, op, known);
  issued.add(op, known);
  for (uint32_t rest = known.firstOf; rest; rest &= rest - 1)
    issued.lastFirst[llvm::countr_zero(rest)] = issued.states + 1;
  issued.states += known.states;
  if (known.lasts)
    issued.quietFrom = std::max(issued.quietFrom, issued.states + known.lasts);
}

void Hazards::addMatrix(IssueHistory &issued, const Op &op,
                        const HazardFacts &known) {
  if (issued.states >= issued.matrixFrom)
    issued.matrixRegisters.reset();
  for (const RegRange *range : {&known.matrixD, &known.matrixC})
    for (unsigned i = 0; i < range->count; ++i)
      issued.matrixRegisters.set(range->first + i);
  issued.addMatrix(op, known);
  issued.matrixFrom = issued.states + known.states + kMostHazardStates;
}

void Hazards::checkWaitStates(Wave &wave, IssueHistory &issued, const Op &op,
                              const HazardFacts &known) {
  for (uint8_t index : known.secondOf)
    if (const uint32_t after = issued.lastFirst[firstRuleBit(rules, index)];
        after && issued.states - after < rules[index].states)
      checkRule(wave, issued, op, known, index);
  if (issued.states < issued.matrixFrom)
    checkMatrix(wave, issued, op, known);
}

void Hazards::checkRule(Wave &wave, IssueHistory &issued, const Op &op,
                        const HazardFacts &known, unsigned index) {
  const HazardRule &rule = rules[index];
  const uint32_t firstBit = 1u << firstRuleBit(rules, index);
  uint32_t passed = 0; // The roles of the instructions in between.
  for (unsigned back = 1;; ++back) {
    const IssueHistory::Entry *past = issued.last(back);
    if (!past)
      return;
    const unsigned between = issued.states - past->state - 1;
    if (between >= rule.states)
      return;
    const bool isAcross = (passed & rule.across) == rule.across;
    passed |= past->facts->roles;
    std::string what;
    if (!isAcross || !(past->facts->firstOf & firstBit) ||
        past->facts->roles & rule.notFirst ||
        !dependsOn(*past->op, *past->facts, op, known, rule.dependence, what))
      continue;
    report(wave, op, *past->op, std::string(rule.text) + what, between,
           rule.states);
    return;
  }
}

/// Returns whether two instructions have the dependence of a rule. If so, sets
/// `what` to the register.
bool Hazards::dependsOn(const Op &first, const HazardFacts &firstFacts,
                        const Op &second, const HazardFacts &secondFacts,
                        HazardDependence dependence, std::string &what) const {
  const OpInfo &a = *first.info, &b = *second.info;
  auto writes = [&](const RegRange &range) {
    for (const RegRange &written : a.writes)
      if (overlap(written, range)) {
        what =
            " (" +
            registerName(range.vector, std::max(written.first, range.first)) +
            ")";
        return true;
      }
    return false;
  };
  auto writesAny = [&](llvm::ArrayRef<RegRange> ranges, bool vector) {
    return llvm::any_of(ranges, [&](const RegRange &range) {
      return range.vector == vector && writes(range);
    });
  };
  auto writesScalar = [&](ScalarReg reg, uint16_t count) {
    return writes({false, RegRange::Value, reg, count});
  };
  switch (dependence) {
  case HazardDependence::Nothing:
    return true;
  case HazardDependence::ScalarRead:
    return writesAny(b.reads, false);
  case HazardDependence::LaneNumber:
    return secondFacts.laneNumber.count && writes(secondFacts.laneNumber);
  case HazardDependence::VectorRead:
    return writesAny(b.reads, true);
  case HazardDependence::VectorUse:
    return writesAny(b.reads, true) || writesAny(b.writes, true);
  case HazardDependence::StoreData:
    for (const RegRange &data : a.reads)
      if (data.vector && data.role == RegRange::Data)
        for (const RegRange &written : b.writes)
          if (overlap(data, written)) {
            what = " (" +
                   registerName(true, std::max(data.first, written.first)) +
                   ")";
            return true;
          }
    return false;
  case HazardDependence::Exec:
    return a.writesExec;
  case HazardDependence::Vcc:
    return writesScalar(kVcc, 2);
  case HazardDependence::M0:
    return writesScalar(kM0, 1);
  case HazardDependence::HardwareReg:
    return firstFacts.hardwareReg == secondFacts.hardwareReg;
  case HazardDependence::ZeroFlag:
    return llvm::any_of(
        second.inst->operands, [&](const DecodedOperand &operand) {
          if (operand.kind != DecodedOperand::Kind::Special)
            return false;
          const auto value = static_cast<SpecialValue>(operand.reg);
          return (value == SpecialValue::Vccz && writesScalar(kVcc, 2)) ||
                 (value == SpecialValue::Execz && a.writesExec);
        });
  case HazardDependence::Dot: {
    if (first.inst->mnemonic != second.inst->mnemonic)
      return writesAny(b.reads, true) || writesAny(b.writes, true);
    // The same instruction may continue the sum.
    for (size_t i = 1; i < 3 && i < second.inst->operands.size(); ++i) {
      const DecodedOperand &operand = second.inst->operands[i];
      if (operand.kind == DecodedOperand::Kind::Vector &&
          writes({true, RegRange::Value, operand.reg, operand.dwords}))
        return true;
    }
    return false;
  }
  }
  return false;
}

void Hazards::checkMatrix(Wave &wave, IssueHistory &issued, const Op &op,
                          const HazardFacts &known) {
  if (known.matrix) {
    for (const RegRange &range : known.matrixInputs)
      checkMatrixUse(wave, issued, op, known, range, MatrixUse::AsInput);
    checkMatrixUse(wave, issued, op, known, known.matrixC, MatrixUse::AsC);
    return;
  }
  const bool isMemory = known.roles & (kIsMemory | kIsLds);
  if (!isMemory && !(known.roles & kIsVector))
    return;
  for (const RegRange &range : op.info->reads)
    if (range.vector)
      checkMatrixUse(wave, issued, op, known, range,
                     isMemory ? MatrixUse::MemoryRead : MatrixUse::VectorRead);
  for (const RegRange &range : op.info->writes)
    if (range.vector)
      checkMatrixUse(wave, issued, op, known, range, MatrixUse::Write);
}

void Hazards::checkMatrixUse(Wave &wave, IssueHistory &issued, const Op &op,
                             const HazardFacts &known, const RegRange &range,
                             MatrixUse use) {
  const Chip &chip = *state->chip;
  auto tell = [&](const IssueHistory::Entry &past, const RegRange &registers,
                  unsigned between, unsigned needed, const char *text) {
    if (between < needed)
      report(wave, op, *past.op,
             registerName(true, std::max(range.first, registers.first)) + text,
             between, needed);
  };
  bool isUsed = false;
  for (unsigned i = 0; i < range.count; ++i)
    isUsed |= issued.matrixRegisters[range.first + i];
  if (!isUsed)
    return;
  bool cDone = use != MatrixUse::Write, dDone = false;
  for (unsigned back = 1; !cDone || !dDone; ++back) {
    const IssueHistory::Entry *past = issued.lastMatrix(back);
    if (!past)
      return;
    const unsigned between = issued.states - past->state - 1;
    if (between >= kMostHazardStates)
      return;
    const HazardFacts &first = *past->facts;
    if (!dDone && overlap(first.matrixD, range)) {
      dDone = true;
      const bool isSame = first.matrixD.first == range.first &&
                          first.matrixD.count == range.count;
      const MatrixUse exact =
          use == MatrixUse::AsC && isSame ? MatrixUse::AsSameC : use;
      tell(*past, first.matrixD, between,
           statesAfterMatrix(chip, first, exact, &known),
           use == MatrixUse::Write
               ? " is written that a matrix instruction writes"
               : " is read that a matrix instruction writes");
    }
    if (!cDone && overlap(first.matrixC, range)) {
      cDone = true;
      tell(*past, first.matrixC, between, statesAfterMatrixC(chip, first),
           " is written that a matrix instruction reads as C");
    }
  }
}

void Hazards::report(Wave &wave, const Op &op, const Op &first,
                     const std::string &what, unsigned between,
                     unsigned needed) {
  if (!reports.isNew(FaultKind::WaitStates, op, &first))
    return;
  reports.add(FaultKind::WaitStates, wave, op, 0, what,
              {"after " + reports.describe(first),
               "wait states between them (s_nop, other instructions): " +
                   std::to_string(between) +
                   ", needed: " + std::to_string(needed)},
              &first);
}
