//===- OpcodeForm.cpp - Roles of an opcode's operands ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/FormBuilder.h"

#include "llvm/ADT/StringExtras.h"

using namespace aircc::sim;
using llvm::ArrayRef;
using llvm::StringRef;

bool OpcodeForm::has(Field field) const {
  return llvm::any_of(
      fields, [&](const FieldSlot &slot) { return slot.field == field; });
}

namespace {

/// AMDGPU::OperandType of LLVM 22, starting at MCOI::OPERAND_FIRST_TARGET.
enum OperandType : unsigned {
  kImmInt32 = llvm::MCOI::OPERAND_FIRST_TARGET,
  kImmInt64,
  kImmInt16,
  kImmFloat32,
  kImmFloat64,
  kImmBfloat16,
  kImmFloat16,
  kImmPackedBfloat16,
  kImmPackedFloat16,
  kImmPackedFloat16Splat,
  kImmPackedInt16,
  kImmPackedFloat16NoInline,
  kImmPackedInt32,
  kImmPackedFloat32,
  kInlineInt16,
  kInlineInt32,
  kInlineInt64,
  kInlineBfloat16,
  kInlineFloat16,
  kInlineFloat32,
  kInlineFloat64,
  kInlinePackedInt16,
  kInlinePackedBfloat16,
  kInlinePackedFloat16,
  kSplitBarrier,
  kLiteral32,
  kLiteral16,
  kLiteral64,
  kAccInt32,
  kAccFloat32,
  kAccFloat64,
  kAccPair64,
  kInputModifiers,
};

ConstantType constantType(unsigned type) {
  switch (type) {
  case kImmInt16:
  case kInlineInt16:
    return ConstantType::Int16;
  case kImmFloat16:
  case kInlineFloat16:
    return ConstantType::Float16;
  case kImmBfloat16:
  case kInlineBfloat16:
    return ConstantType::Bfloat16;
  case kImmInt64:
  case kInlineInt64:
    return ConstantType::Int64;
  case kImmFloat64:
  case kInlineFloat64:
  case kAccFloat64:
    return ConstantType::Float64;
  case kImmPackedInt16:
  case kInlinePackedInt16:
    return ConstantType::PackedInt16;
  case kImmPackedFloat16Splat:
    return ConstantType::PackedFloat16Splat;
  case kImmPackedFloat16:
  case kImmPackedFloat16NoInline:
  case kInlinePackedFloat16:
    return ConstantType::PackedFloat16;
  case kImmPackedBfloat16:
  case kInlinePackedBfloat16:
    return ConstantType::PackedBfloat16;
  case kImmInt32:
  case kImmFloat32:
  case kImmPackedInt32:
  case kImmPackedFloat32:
  case kInlineInt32:
  case kInlineFloat32:
  case kAccInt32:
  case kAccFloat32:
  case kSplitBarrier:
    return ConstantType::Bits32;
  case kLiteral32:
  case kLiteral16:
  case kLiteral64:
    return ConstantType::Literal;
  default:
    return ConstantType::Other;
  }
}

bool isInteger(unsigned type) {
  return type == kImmInt32 || type == kImmInt64 || type == kImmInt16 ||
         type == kInlineInt32 || type == kInlineInt64 || type == kInlineInt16;
}

} // namespace

FormBuilder::FormBuilder(const llvm::MCInstrDesc &desc, StringRef name,
                         StringRef printed, const llvm::MCInstrInfo &instrs,
                         const llvm::MCRegisterInfo &registers, unsigned hwMode)
    : desc(desc), name(name), registers(registers) {
  form.tsFlags = desc.TSFlags;
  StringRef word = printed.trim().split(' ').first;
  for (StringRef suffix : {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"})
    if (word.consume_back(suffix))
      break;
  form.mnemonic = word.str();

  int modifiers = -1;
  for (auto [i, info] : llvm::enumerate(desc.operands())) {
    const int classId = instrs.getOpRegClassID(info, hwMode);
    if (info.OperandType == kInputModifiers) {
      modifiers = i;
      continue;
    }
    const bool literal =
        info.OperandType >= kLiteral32 && info.OperandType <= kLiteral64;
    if (classId < 0 && !literal) {
      immediates.push_back(i);
      continue;
    }
    if (classId >= 0 && registers.getRegClass(classId).getSizeInBits() == 16)
      hasHalves = true;
    OperandSlot slot;
    slot.index = i;
    slot.modifiers = modifiers;
    slot.type = constantType(info.OperandType);
    slot.classId = classId;
    slot.sextOnly = isIntegerSource(info.OperandType);
    // op_sel has a bit for a tied source if the source has modifiers.
    const bool tied = desc.getOperandConstraint(i, llvm::MCOI::TIED_TO) >= 0 ||
                      isOldDestination(slot);
    if (i >= desc.getNumDefs() && (!tied || modifiers >= 0) && form.sources < 3)
      form.sourceModifiers[form.sources++] = modifiers;
    modifiers = -1;
    if (!tied)
      values.push_back(slot);
  }
}

bool FormBuilder::isVector(const OperandSlot &slot) const {
  if (slot.classId < 0)
    return false;
  const llvm::MCRegisterClass &regs = registers.getRegClass(slot.classId);
  StringRef first = registers.getName(regs.getRegister(0));
  return first.starts_with("VGPR") || first.starts_with("AGPR");
}

/// Whether the operand is the old value of a destination that the instruction
/// preserves in part. LLVM ties most of these operands, but not the ones here.
bool FormBuilder::isOldDestination(const OperandSlot &slot) const {
  if (slot.modifiers >= 0)
    return false;
  if (is(flags::kFlat))
    return !immediates.empty();
  if (!is(flags::kDpp))
    return false;
  if (name.contains("_MIX"))
    return !immediates.empty();
  if (name.starts_with("V_FMAC"))
    return form.sources == 0 && slot.index == desc.getNumDefs();
  return form.sources == 2 && (name.starts_with("V_CVT_PK_BF8_F32") ||
                               name.starts_with("V_CVT_PK_FP8_F32") ||
                               name.starts_with("V_CVT_SR_"));
}

/// Whether the next source has no neg and abs. DPP operands have no types; the
/// last part of the name is the type of the sources.
bool FormBuilder::isIntegerSource(unsigned type) const {
  if (name.contains("CNDMASK"))
    return false;
  if (isInteger(type) || name.starts_with("V_CVT_PK_F32_") ||
      (form.sources == 1 &&
       (name.starts_with("V_LDEXP") || name.contains("_CLASS_F32"))))
    return true;
  StringRef last = StringRef(form.mnemonic).rsplit('_').second;
  return is(flags::kDpp) && last.size() > 1 && llvm::isDigit(last[1]) &&
         StringRef("biu").contains(last[0]);
}

void FormBuilder::add(OperandSlot::Source source) {
  OperandSlot slot;
  slot.source = source;
  form.operands.push_back(slot);
}

void FormBuilder::addAll() { llvm::append_range(form.operands, values); }

void FormBuilder::immediateOperand(size_t n) {
  if (n >= immediates.size())
    return;
  OperandSlot slot;
  slot.index = immediates[n];
  slot.type = constantType(desc.operands()[immediates[n]].OperandType);
  form.operands.push_back(slot);
}

OpcodeForm FormBuilder::build() {
  if (name.starts_with("V_DUAL_"))
    buildDual();
  else if (is(flags::kSop1 | flags::kSop2 | flags::kSopc | flags::kSopk |
              flags::kSopp))
    buildScalar();
  else if (is(flags::kSmem))
    buildScalarMemory();
  else if (is(flags::kDs))
    buildDs();
  else if (is(flags::kFlat))
    buildFlat();
  else if (is(flags::kMubuf | flags::kMtbuf))
    buildBuffer();
  else if (is(flags::kVop1 | flags::kVop2 | flags::kVopc | flags::kVop3 |
              flags::kVop3p | flags::kSdwa | flags::kDpp))
    buildVop();
  else if (is(flags::kLdsDirect))
    addAll();
  return std::move(form);
}

/// SOP1, SOP2, SOPC, SOPK, SOPP: in LLVM's order, a 16-bit immediate last. The
/// immediate of s_setreg is the destination and therefore first.
void FormBuilder::buildScalar() {
  if (name.starts_with("S_SETREG_IMM32")) {
    immediateOperand(1);
    immediateOperand(0);
    return;
  }
  const bool first = name.starts_with("S_SETREG");
  if (first)
    immediateOperand(0);
  addAll();
  if (name.contains("_M0_"))
    add(OperandSlot::Source::M0);
  if (!first)
    for (size_t n = 0; n < immediates.size(); ++n)
      immediateOperand(n);
}

/// Data, base and offset: a register, an immediate, or both.
void FormBuilder::buildScalarMemory() {
  if (name.contains("_PREFETCH_")) {
    const bool relative = values.size() < 2;
    if (!relative)
      form.operands.push_back(values[0]);
    immediateOperand(0);
    form.operands.push_back(values.back());
    immediateOperand(1);
    return;
  }
  size_t next = 0;
  if (name.starts_with("S_ATC_PROBE"))
    immediateOperand(next++);
  addAll();
  if (name.contains("_IMM")) {
    if (name.contains("SGPR"))
      field(next++, Field::Offset);
    else
      immediateOperand(next++);
  }
  field(next, Field::CachePolicy);
}

/// Destination, address, data, scalar base. SCRATCH and GLOBAL have "off" in
/// place of a missing address or base.
void FormBuilder::buildFlat() {
  const OperandSlot *base = nullptr;
  llvm::SmallVector<const OperandSlot *, 3> vectors;
  const size_t defs = desc.getNumDefs();
  for (auto [n, slot] : llvm::enumerate(values)) {
    if (n < defs)
      form.operands.push_back(slot);
    else if (isVector(slot))
      vectors.push_back(&slot);
    else
      base = &slot;
  }
  const bool scratch = is(flags::kScratch), global = is(flags::kGlobal);
  const bool store = scratch && desc.mayStore() && !desc.mayLoad() && !defs;
  const OperandSlot *data = nullptr, *address = nullptr;
  if (store) {
    data = vectors.empty() ? nullptr : vectors[0];
    address = vectors.size() > 1 ? vectors[1] : nullptr;
  } else {
    address = vectors.empty() ? nullptr : vectors[0];
    data = vectors.size() > 1 ? vectors[1] : nullptr;
  }
  const bool hasPlace = immediates.size() > 1;
  // Stores with addtid have no address operand.
  if (name.contains("_ADDTID") && !defs)
    std::swap(address, data);
  if (address)
    form.operands.push_back(*address);
  else if (scratch)
    add(OperandSlot::Source::Off);
  if (data)
    form.operands.push_back(*data);
  if (base)
    form.operands.push_back(*base);
  else if (hasPlace && (scratch || global))
    add(OperandSlot::Source::Off);
  if (hasPlace)
    fieldsInOrder({Field::FlatOffset, Field::CachePolicy});
  else
    field(0, Field::CachePolicy);
  form.lds =
      name.contains("_LDS_") && !StringRef(form.mnemonic).contains("_lds_");
}

/// MUBUF and MTBUF: data, address or "off", resource, offset.
void FormBuilder::buildBuffer() {
  const bool both = name.contains("_BOTHEN");
  form.offen = both || name.contains("_OFFEN");
  form.idxen = both || name.contains("_IDXEN");
  form.tfe = name.contains("_TFE_");
  form.lds = name.contains("_LDS_");
  if (values.size() >= 2) {
    for (auto [n, slot] : llvm::enumerate(values)) {
      if (n + 2 == values.size() && !form.offen && !form.idxen &&
          !name.contains("_STORE_LDS"))
        add(OperandSlot::Source::Off);
      form.operands.push_back(slot);
    }
  }
  if (name.starts_with("BUFFER_WBL2_gfx90a"))
    return; // It ignores the cache policy.
  if (immediates.size() == 1)
    return field(0, Field::CachePolicy);
  if (is(flags::kMtbuf))
    return fieldsInOrder({Field::Offset, Field::Format, Field::CachePolicy});
  fieldsInOrder({Field::Offset, Field::CachePolicy});
}

void FormBuilder::buildDs() {
  addAll();
  form.gds = is(flags::kGws) || name.starts_with("DS_ORDERED") ||
             name.contains("_GS_REG_");
  if (immediates.size() >= 3)
    fieldsInOrder({Field::Offset0, Field::Offset1, Field::Gds});
  else
    fieldsInOrder({Field::Offset, Field::Gds});
}

OpcodeForm aircc::sim::makeForm(const llvm::MCInstrDesc &desc, StringRef name,
                                StringRef printed,
                                const llvm::MCInstrInfo &instrs,
                                const llvm::MCRegisterInfo &registers,
                                unsigned hwMode) {
  return FormBuilder(desc, name, printed, instrs, registers, hwMode).build();
}
