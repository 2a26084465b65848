//===- HazardRules.cpp - Required wait states -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/hazards/HazardRules.h"

#include "simulator/exec/matrix/Matrix.h"
#include "simulator/isa/InstructionRecord.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

using namespace aircc::sim;

namespace {
struct ChipRule {
  HazardRule rule;
  /// The property that a chip must have for the rule to apply. If null, the
  /// rule applies to all chips.
  bool HazardFigures::*property = nullptr;
};
using Dependence = HazardDependence;

constexpr ChipRule kRules[] = {
    {{kIsVector, 0, kIsMemory, 0, Dependence::ScalarRead, 5,
      "a vector memory instruction reads a scalar that a vector instruction "
      "wrote"}},
    {{kIsVector, 0, kIsLaneAccess, 0, Dependence::LaneNumber, 4,
      "a lane is chosen by a scalar that a vector instruction wrote"}},
    {{kIsVector, 0, kIsDivFmas, 0, Dependence::Vcc, 4,
      "v_div_fmas reads VCC that a vector instruction wrote"}},
    {{kIsVector, 0, kIsDpp, 0, Dependence::VectorRead, 2,
      "a DPP instruction reads a register that a vector instruction wrote"}},
    {{kIsVector, 0, kIsDpp, 0, Dependence::Exec, 5,
      "a DPP instruction follows a vector instruction that wrote EXEC"}},
    {{kIsSetReg, 0, kIsGetReg, 0, Dependence::HardwareReg, 2,
      "a hardware register is read that s_setreg wrote"}},
    {{kIsSetReg, 0, kIsSetReg, 0, Dependence::HardwareReg, 2,
      "a hardware register is written that s_setreg wrote"}},
    {{kIsScalar, 0, kTakesM0, 0, Dependence::M0, 1,
      "M0 is used that a scalar instruction wrote"}},
    {{kIsWideStore, 0, kIsVector, 0, Dependence::StoreData, kWideStoreStates,
      "the data of a store of more than 64 bits is overwritten"}},
    // According to the guides, a store with a scalar offset needs no wait
    // state, because the offset takes the time of one. On gfx942 and gfx950, it
    // needs one (llvm/llvm-project#197267).
    {{kIsOffsetStore, 0, kIsVector, 0, Dependence::StoreData, 1,
      "the data of a store of more than 64 bits is overwritten"},
     &HazardFigures::readsOffsetStoresLate},
    {{kIsVector, kIsMatrix, kIsMatrix, 0, Dependence::Exec, 4,
      "a matrix instruction follows a vector instruction that wrote EXEC"}},
    {{kIsVector, kIsMatrix | kIsDot, kIsMatrix, 0, Dependence::VectorRead, 2,
      "a matrix instruction reads a register that a vector instruction wrote"}},
    {{kIsDoubleMatrix, 0, kIsFma64, 0, Dependence::Nothing, 2,
      "v_fma_f64 follows a matrix instruction of f64"}},
    {{kIsDot, 0, kIsVector | kIsMemory | kIsLds, kIsMatrix, Dependence::Dot, 3,
      "a register is used that a dot instruction wrote"}},
    {{kIsVector, 0, kReadsZeroFlag, 0, Dependence::ZeroFlag, 5,
      "VCCZ or EXECZ is read as data after a vector instruction wrote VCC or "
      "EXEC"}},
    // On these chips, the hardware does not wait on its own if an f64 matrix
    // instruction is between the two.
    {{kIsVector, 0, kIsMemory | kIsLds, 0, Dependence::VectorRead, 2,
      "a memory instruction reads a register that a vector instruction wrote "
      "before a matrix instruction of f64",
      kIsDoubleMatrix},
     &HazardFigures::doubleHidesWrites},
    {{kIsTrans, 0, kIsVector, kIsTrans, Dependence::VectorRead, 1,
      "a register is read that a transcendental instruction wrote"},
     &HazardFigures::waitsLess},
    {{kWritesPart, 0, kIsVector, 0, Dependence::VectorUse, 1,
      "a register is used of which a vector instruction wrote a part"},
     &HazardFigures::waitsLess},
    {{kIsVector, 0, kIsVector, 0, Dependence::ScalarRead, 2,
      "a vector instruction reads a scalar that a vector instruction wrote"},
     &HazardFigures::waitsLess},
    {{kIsVector, 0, kIsReadLane, 0, Dependence::VectorRead, 1,
      "a lane is read of a register that a vector instruction wrote"},
     &HazardFigures::waitsLess},
    {{kIsVector, 0, kIsLaneAccess, 0, Dependence::Exec, 4,
      "a lane is accessed after a vector instruction wrote EXEC"},
     &HazardFigures::waitsLess},
    {{kIsVector, 0, kIsPermlane, 0, Dependence::VectorRead, 2,
      "v_permlane reads a register that a vector instruction wrote"},
     &HazardFigures::hasPermlaneStates},
    {{kIsCompareExec, 0, kIsPermlane, 0, Dependence::Nothing, 4,
      "v_permlane follows a comparison that wrote EXEC"},
     &HazardFigures::hasPermlaneStates},
};
} // namespace

std::vector<HazardRule> aircc::sim::hazardRules(const Chip &chip) {
  // From gfx10 on, the hardware resolves all of these itself.
  if (!chip.countsWaitStates)
    return {};
  std::vector<HazardRule> rules;
  for (const auto &[rule, property] : kRules) {
    if (property && !(chip.hazards.*property))
      continue;
    rules.push_back(rule);
    if (rule.states == kWideStoreStates)
      rules.back().states = chip.hazards.wideStoreStates;
  }
  return rules;
}

/// Returns whether the result is shifted before it is written to a part of a
/// register. The next instruction would read it unshifted.
static bool writesPart(const DecodedInstruction &inst,
                       const InstructionRecord *record) {
  const InstructionModifiers &mods = inst.mods;
  if (mods.sdwa)
    return mods.dstSel != SdwaSel::Dword;
  // The bit of op_sel after those of the sources belongs to the destination.
  const size_t sources = inst.operands.size() - 1;
  if (mods.hasOpSel && sources < mods.opSel.size() && mods.opSel[sources])
    return true;
  // Conversions to fp8 select a byte with two bits.
  if (!record)
    return false;
  if (record->has(trait::ChoosesDestByte) && (mods.opSel[2] || mods.opSel[3]))
    return true;
  return record->has(trait::WritesPart);
}

static bool isZeroFlag(const DecodedOperand &operand) {
  return operand.kind == DecodedOperand::Kind::Special &&
         (static_cast<SpecialValue>(operand.reg) == SpecialValue::Vccz ||
          static_cast<SpecialValue>(operand.reg) == SpecialValue::Execz);
}

static uint32_t vectorRoles(const Op &op) {
  const DecodedInstruction &inst = *op.inst;
  uint32_t roles = kIsVector;
  if (op.info->opClass == OpClass::Transcendental)
    roles |= kIsTrans;
  if (inst.mods.dpp != DppKind::None)
    roles |= kIsDpp;
  // VOPD has no record, and its halves have none of these roles.
  if (const InstructionRecord *record = op.record) {
    static constexpr std::pair<Traits, uint32_t> kRoles[] = {
        {trait::Dot, kIsDot},
        {trait::ReadsLane, kIsReadLane | kIsLaneAccess},
        {trait::ChoosesLane, kIsLaneAccess},
        {trait::Permlane, kIsPermlane},
        {trait::ReadsVcc, kIsDivFmas},
        {trait::Fma64, kIsFma64},
        {trait::WritesExec, kIsCompareExec},
    };
    for (auto [trait, role] : kRoles)
      if (record->has(trait))
        roles |= role;
  }
  if (writesPart(inst, op.record))
    roles |= kWritesPart;
  for (const DecodedOperand &operand : inst.operands)
    if (isZeroFlag(operand))
      roles |= kReadsZeroFlag;
  return roles;
}

static uint32_t memoryRoles(const Op &op) {
  const OpInfo &info = *op.info;
  const bool takesM0 = info.toLds || op.record->has(trait::TakesM0Late);
  if (info.opClass == OpClass::Lds || info.opClass == OpClass::LdsPermute)
    return kIsLds | (takesM0 ? kTakesM0 : 0);
  uint32_t roles = kIsMemory | (takesM0 ? kTakesM0 : 0);
  const auto &operands = op.inst->operands;
  const bool hasScalarOffset =
      info.opClass == OpClass::Buffer && !operands.empty() &&
      operands.back().kind == DecodedOperand::Kind::Scalar;
  for (const RegRange &range : info.reads)
    if (range.vector && range.role == RegRange::Data && range.count > 2)
      roles |= hasScalarOffset ? kIsOffsetStore : kIsWideStore;
  return roles;
}

static bool writesScalar(const OpInfo &info, unsigned reg) {
  return llvm::any_of(info.writes, [&](const RegRange &range) {
    return !range.vector && range.first <= reg &&
           reg < range.first + range.count;
  });
}

/// Returns whether an instruction of these roles may be the first one of a
/// rule.
static bool mayBeFirst(const HazardRule &rule, uint32_t roles,
                       const OpInfo &info) {
  if ((roles & rule.first) != rule.first || roles & rule.notFirst)
    return false;
  auto writes = [&](bool vector) {
    return llvm::any_of(info.writes, [&](const RegRange &range) {
      return range.vector == vector;
    });
  };
  switch (rule.dependence) {
  case Dependence::ScalarRead:
  case Dependence::LaneNumber:
    return writes(/*vector=*/false);
  case Dependence::VectorRead:
  case Dependence::VectorUse:
  case Dependence::Dot:
    return writes(/*vector=*/true);
  case Dependence::Exec:
    return info.writesExec;
  case Dependence::Vcc:
    return writesScalar(info, kVcc) || writesScalar(info, kVcc + 1);
  case Dependence::M0:
    return writesScalar(info, kM0);
  case Dependence::ZeroFlag:
    return info.writesExec || writesScalar(info, kVcc) ||
           writesScalar(info, kVcc + 1);
  case Dependence::Nothing:
  case Dependence::StoreData:
  case Dependence::HardwareReg:
    return true;
  }
  return true;
}

/// Returns whether an instruction may be the second one of a rule.
static bool mayBeSecond(const HazardRule &rule, const HazardFacts &facts,
                        const OpInfo &info) {
  if (!(facts.roles & rule.second) || facts.roles & rule.notSecond)
    return false;
  auto reads = [&](bool vector) {
    return llvm::any_of(info.reads, [&](const RegRange &range) {
      return range.vector == vector;
    });
  };
  auto writesVector = [&] {
    return llvm::any_of(info.writes,
                        [](const RegRange &range) { return range.vector; });
  };
  switch (rule.dependence) {
  case Dependence::ScalarRead:
    return reads(/*vector=*/false);
  case Dependence::LaneNumber:
    return facts.laneNumber.count;
  case Dependence::VectorRead:
    return reads(/*vector=*/true);
  case Dependence::VectorUse:
  case Dependence::Dot:
    return reads(/*vector=*/true) || writesVector();
  case Dependence::StoreData:
    return writesVector();
  default:
    return true;
  }
}

/// Sets the facts about the rules that an instruction may be a part of.
static void ruleFacts(llvm::ArrayRef<HazardRule> rules, const OpInfo &info,
                      HazardFacts &facts) {
  assert(rules.size() <= kVectorWriteBit && "no bit for each rule");
  for (size_t i = 0; i < rules.size(); ++i) {
    const HazardRule &rule = rules[i];
    if (mayBeSecond(rule, facts, info)) {
      facts.secondOf.push_back(static_cast<uint8_t>(i));
      facts.looksBack |= isForVectorWrites(rule) && !rule.across;
    }
    if (!mayBeFirst(rule, facts.roles, info))
      continue;
    facts.firstOf |= 1u << firstRuleBit(rules, i);
    if (!isForVectorWrites(rule))
      facts.lasts = std::max(facts.lasts, rule.states);
  }
  if (facts.matrix)
    facts.lasts = kMostHazardStates;
}

static void matrixFacts(const MatrixOp &matrix, const Op &op,
                        HazardFacts &facts) {
  facts.matrix = &matrix;
  facts.passes = static_cast<uint8_t>(matrix.passes);
  // The published number is for the small formats; fp8 and bf8 take twice as
  // long.
  if (matrix.aType == MatrixType::F8F6F4 &&
      (op.inst->mods.cbsz < 2 || op.inst->mods.blgp < 2))
    facts.passes *= 2;
  if (matrix.aType == MatrixType::F64)
    facts.roles |= kIsDoubleMatrix;
  auto range = [&](size_t i) {
    RegRange result;
    const auto &operands = op.inst->operands;
    if (i < operands.size() && operands[i].kind == DecodedOperand::Kind::Vector)
      result = {true, RegRange::Value, operands[i].reg, operands[i].dwords};
    return result;
  };
  facts.matrixD = range(0);
  facts.matrixC = matrix.isSparse() ? facts.matrixD : range(3);
  for (size_t i = 1; i < op.inst->operands.size(); ++i)
    if (i != 3 || matrix.isSparse())
      if (RegRange input = range(i); input.count)
        facts.matrixInputs.push_back(input);
}

static HazardSpecial findSpecial(const Op &op) {
  if (!op.record)
    return HazardSpecial::None;
  const Encoding encoding = op.record->encoding;
  if (op.record->has(trait::Depctr))
    return HazardSpecial::WaitForAlu;
  // This is ds_nop.
  if (op.info->opClass == OpClass::Hint && encoding == Encoding::DS)
    return HazardSpecial::LdsNop;
  if (encoding == Encoding::LDSDIR)
    return HazardSpecial::LdsDirect;
  if (op.info->opClass == OpClass::Cache && encoding == Encoding::MUBUF)
    return HazardSpecial::Cache;
  return HazardSpecial::None;
}

HazardFacts aircc::sim::hazardFacts(const Chip &chip, bool wave32, const Op &op,
                                    llvm::ArrayRef<HazardRule> rules) {
  const DecodedInstruction &inst = *op.inst;
  const OpInfo &info = *op.info;
  auto has = [&](Traits traits) { return op.record && op.record->has(traits); };
  HazardFacts facts;
  facts.special = findSpecial(op);
  switch (info.opClass) {
  case OpClass::Matrix:
    facts.roles = kIsVector | kIsMatrix;
    if (const MatrixOp *matrix =
            findMatrixOp(op.record->index, chip.generation, wave32 ? 32 : 64))
      matrixFacts(*matrix, op, facts);
    break;
  case OpClass::VectorAlu:
  case OpClass::Transcendental:
  case OpClass::Dual:
    facts.roles = vectorRoles(op);
    break;
  case OpClass::Lds:
  case OpClass::LdsPermute:
  case OpClass::Flat:
  case OpClass::Global:
  case OpClass::Scratch:
  case OpClass::Buffer:
    facts.roles = memoryRoles(op);
    break;
  case OpClass::ScalarAlu:
    // v_s_* instructions use the vector ALU with scalar operands only.
    facts.roles = isVectorEncoding(op.record->encoding) ? kIsVector : kIsScalar;
    break;
  case OpClass::Hint:
    // These are v_nop and similar instructions.
    if (op.record->encoding == Encoding::VOP1)
      facts.roles = kIsVector;
    if (has(trait::Nop))
      facts.states = static_cast<uint8_t>((inst.words[0] & 15) + 1);
    break;
  default:
    break;
  }
  // memoryRoles() handles memory instructions.
  if (!(facts.roles & (kIsMemory | kIsLds)) && has(trait::TakesM0Late))
    facts.roles |= kTakesM0;
  if (has(trait::SetsRegister) || has(trait::GetsRegister)) {
    facts.roles |= has(trait::SetsRegister) ? kIsSetReg : kIsGetReg;
    facts.hardwareReg = inst.words[0] & 63;
  }
  if (facts.roles & kIsLaneAccess && inst.operands.size() > 2 &&
      inst.operands[2].kind == DecodedOperand::Kind::Scalar)
    facts.laneNumber = {false, RegRange::Value, inst.operands[2].reg, 1};
  ruleFacts(rules, info, facts);
  return facts;
}

/// Returns whether the timing of the matrix unit (XDL) applies to an
/// instruction. It does not apply to f64 instructions and, on gfx940, to f32
/// instructions.
static bool isXdl(const Chip &chip, const HazardFacts &facts) {
  return facts.matrix->aType != MatrixType::F64 &&
         (chip.hazards.f32OnMatrixUnit ||
          facts.matrix->aType != MatrixType::F32);
}

unsigned aircc::sim::statesAfterMatrix(const Chip &chip,
                                       const HazardFacts &first, MatrixUse use,
                                       const HazardFacts *second) {
  const bool isDouble = first.roles & kIsDoubleMatrix;
  const bool isSmallDouble = isDouble && first.matrix->m == 4;
  const bool xdl = isXdl(chip, first);
  const unsigned passes = first.passes;
  // gfx950 requires one more wait state after all matrix instructions except
  // the shortest.
  const HazardFigures &figures = chip.hazards;
  const unsigned extra = passes != 2 ? figures.longMatrixStates : 0;
  switch (use) {
  case MatrixUse::AsSameC:
    if (isSmallDouble && second->roles & kIsDoubleMatrix &&
        second->matrix->m == 4)
      return 4;
    return passes == 2 ? figures.shortSameCStates : 0;
  case MatrixUse::AsC:
    if (isDouble) {
      if (isXdl(chip, *second))
        return 0;
      return isSmallDouble ? 4 : figures.doubleCStates;
    }
    if (!figures.waitsLess)
      return passes + (second->roles & kIsDoubleMatrix ? 1 : 0);
    if (!xdl)
      return isXdl(chip, *second) ? 0 : passes;
    return passes + 1 +
           (isXdl(chip, *second) ? figures.longMatrixStates : extra);
  case MatrixUse::AsInput:
    if (isDouble)
      return isSmallDouble ? 6 : figures.doubleInputStates;
    break;
  case MatrixUse::VectorRead:
    if (isDouble)
      return isSmallDouble ? 6 : figures.doubleInputStates;
    break;
  case MatrixUse::MemoryRead:
    if (isDouble)
      return isSmallDouble ? 9 : 18;
    break;
  case MatrixUse::Write:
    if (isDouble)
      return isSmallDouble ? 6 : 11;
    break;
  }
  if (!figures.waitsLess)
    return passes + 3;
  return xdl ? passes + 3 + extra : passes + 2;
}

unsigned aircc::sim::statesAfterMatrixC(const Chip &chip,
                                        const HazardFacts &first) {
  return isXdl(chip, first) ? first.passes - 1 : 0;
}
