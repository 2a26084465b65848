//===- DecodeOperands.cpp - Registers and constants of an MCInst ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/DecodeTables.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"

using namespace aircc::sim;
using llvm::StringRef;

namespace {

/// Modifier bits of a source (SISrcMods in LLVM's SIDefines.h).
enum SourceModifiers : int64_t { kNeg = 1, kAbs = 2, kSext = 16 };

struct NamedRegister {
  const char *name; ///< LLVM's name, without a suffix for a generation.
  DecodedOperand::Kind kind;
  uint16_t reg;
  uint8_t dwords;
};

constexpr uint16_t special(SpecialValue value) {
  return static_cast<uint16_t>(value);
}

// clang-format off
const NamedRegister kNamed[] = {
    {"VCC", DecodedOperand::Kind::Scalar, kVcc, 2},
    {"VCC_LO", DecodedOperand::Kind::Scalar, kVcc, 1},
    {"VCC_HI", DecodedOperand::Kind::Scalar, kVcc + 1, 1},
    {"EXEC", DecodedOperand::Kind::Scalar, kExec, 2},
    {"EXEC_LO", DecodedOperand::Kind::Scalar, kExec, 1},
    {"EXEC_HI", DecodedOperand::Kind::Scalar, kExec + 1, 1},
    {"M0", DecodedOperand::Kind::Scalar, kM0, 1},
    {"SGPR_NULL", DecodedOperand::Kind::Scalar, kNull, 1},
    {"SGPR_NULL64", DecodedOperand::Kind::Scalar, kNull, 1},
    {"FLAT_SCR", DecodedOperand::Kind::Scalar, kFlatScratch, 2},
    {"FLAT_SCR_LO", DecodedOperand::Kind::Scalar, kFlatScratch, 1},
    {"FLAT_SCR_HI", DecodedOperand::Kind::Scalar, kFlatScratch + 1, 1},
    {"XNACK_MASK", DecodedOperand::Kind::Scalar, kXnackMask, 2},
    {"XNACK_MASK_LO", DecodedOperand::Kind::Scalar, kXnackMask, 1},
    {"XNACK_MASK_HI", DecodedOperand::Kind::Scalar, kXnackMask + 1, 1},
    {"SRC_SCC", DecodedOperand::Kind::Special, special(SpecialValue::Scc), 2},
    {"SRC_VCCZ", DecodedOperand::Kind::Special, special(SpecialValue::Vccz), 2},
    {"SRC_EXECZ", DecodedOperand::Kind::Special, special(SpecialValue::Execz), 2},
    {"SRC_SHARED_BASE", DecodedOperand::Kind::Special,
     special(SpecialValue::SharedBase), 2},
    {"SRC_SHARED_LIMIT", DecodedOperand::Kind::Special,
     special(SpecialValue::SharedLimit), 2},
    {"SRC_PRIVATE_BASE", DecodedOperand::Kind::Special,
     special(SpecialValue::PrivateBase), 2},
    {"SRC_PRIVATE_LIMIT", DecodedOperand::Kind::Special,
     special(SpecialValue::PrivateLimit), 2},
};
// clang-format on

/// "VGPR4", "VGPR4_VGPR5_…", "VGPR4_LO16", "TTMP0_TTMP1_gfx9plus" and so on.
bool numberedRegister(StringRef name, DecodedOperand &op) {
  using Kind = DecodedOperand::Kind;
  struct File {
    const char *name;
    Kind kind;
    uint16_t first;
  };
  static const File kFiles[] = {{"VGPR", Kind::Vector, 0},
                                {"AGPR", Kind::Vector, kFirstAgprRow},
                                {"SGPR", Kind::Scalar, 0},
                                {"TTMP", Kind::Scalar, kTtmp0}};
  for (const File &file : kFiles) {
    if (!name.starts_with(file.name))
      continue;
    const size_t lastAt = name.rfind(file.name);
    StringRef first = name.drop_front(strlen(file.name));
    StringRef last = name.drop_front(lastAt + strlen(file.name));
    unsigned low = 0, high = 0;
    if (first.consumeInteger(10, low) || last.consumeInteger(10, high))
      return false;
    op.kind = file.kind;
    op.reg = file.first + low;
    op.dwords = high - low + 1;
    op.half = last == "_LO16" || last == "_HI16";
    op.high = last == "_HI16";
    return true;
  }
  return false;
}

/// LLVM has one register per encoding where a register's number depends on the
/// generation, with a suffix for the generations.
StringRef withoutGeneration(StringRef name) {
  for (StringRef generation :
       {"_vi", "_gfx9plus", "_gfxpre11", "_gfx11plus", "_ci"})
    if (name.consume_back(generation))
      break;
  return name;
}

bool namedRegister(StringRef name, DecodedOperand &op) {
  name = withoutGeneration(name);
  // Reads of the low half of an aperture register return the whole register.
  if (name.starts_with("SRC_"))
    name.consume_back("_LO");
  for (const NamedRegister &entry : kNamed)
    if (name == entry.name) {
      op.kind = entry.kind;
      op.reg = entry.reg;
      op.dwords = entry.dwords;
      return true;
    }
  return false;
}

DecodedOperand integer(int64_t value, bool literal) {
  DecodedOperand op;
  op.kind = DecodedOperand::Kind::Integer;
  op.value = value;
  op.literal = literal;
  return op;
}

bool isInlineInteger(int64_t value) { return value >= -16 && value <= 64; }

/// The floating-point inline constants of one width: 0.5, 1, 2 and 4 with
/// either sign, and 1/2π.
struct FloatConstants {
  uint64_t half, one, two, four, inverse, sign;
};
constexpr FloatConstants kFloat16 = {0x3800, 0x3c00, 0x4000,
                                     0x4400, 0x3118, 0x8000};
constexpr FloatConstants kBfloat16 = {0x3f00, 0x3f80, 0x4000,
                                      0x4080, 0x3e22, 0x8000};
constexpr FloatConstants kFloat32 = {0x3f000000, 0x3f800000, 0x40000000,
                                     0x40800000, 0x3e22f983, 0x80000000};
constexpr FloatConstants kFloat64 = {0x3fe0000000000000, 0x3ff0000000000000,
                                     0x4000000000000000, 0x4010000000000000,
                                     0x3fc45f306dc9c882, 0x8000000000000000};

/// 1/2π as the assembly syntax rounds it.
constexpr double kInverse = 0.15915494, kInverse64 = 0.15915494309189532;

bool isInlineFloat(uint64_t bits, const FloatConstants &constants,
                   DecodedOperand &op) {
  const uint64_t magnitude = bits & ~constants.sign;
  if (bits == constants.inverse)
    op.number = &constants == &kFloat64 ? kInverse64 : kInverse;
  else if (magnitude == constants.half)
    op.number = 0.5;
  else if (magnitude == constants.one)
    op.number = 1;
  else if (magnitude == constants.two)
    op.number = 2;
  else if (magnitude == constants.four)
    op.number = 4;
  else
    return false;
  op.kind = DecodedOperand::Kind::Float;
  if (bits & constants.sign)
    op.number = -op.number;
  return true;
}

DecodedOperand constant16(uint64_t bits, const FloatConstants *floats) {
  DecodedOperand op;
  const int64_t asSigned = static_cast<int16_t>(bits);
  if (isInlineInteger(asSigned))
    return integer(asSigned, false);
  if (floats && isInlineFloat(bits & 0xffff, *floats, op))
    return op;
  return integer(bits & 0xffff, true);
}

DecodedOperand constant32(uint64_t bits) {
  DecodedOperand op;
  bits &= 0xffffffff;
  const int64_t asSigned = static_cast<int32_t>(bits);
  if (isInlineInteger(asSigned))
    return integer(asSigned, false);
  if (isInlineFloat(bits, kFloat32, op))
    return op;
  return integer(bits, true);
}

/// An inline constant is a 16-bit value; a literal has 32 bits.
DecodedOperand constantPacked(uint64_t bits, const FloatConstants &floats) {
  DecodedOperand op;
  bits &= 0xffffffff;
  const int64_t asSigned = static_cast<int32_t>(bits);
  if (isInlineInteger(asSigned))
    return integer(asSigned, false);
  if (bits <= 0xffff && isInlineFloat(bits, floats, op))
    return op;
  return integer(bits, true);
}

DecodedOperand constant64(uint64_t bits, bool isFloat) {
  DecodedOperand op;
  if (isInlineInteger(static_cast<int64_t>(bits)))
    return integer(bits, false);
  if (isInlineFloat(bits, kFloat64, op))
    return op;
  // A 32-bit literal provides the high half of an f64.
  return integer(isFloat ? bits >> 32 : bits, true);
}

} // namespace

/// The register without generation suffix, which LLVM's register classes
/// contain.
unsigned InstructionDecoder::pseudoOf(unsigned reg) const {
  StringRef name = tables->mc->registers->getName(reg),
            base = withoutGeneration(name);
  if (base == name)
    return reg;
  auto [entry, isNew] = tables->pseudoOf.try_emplace(reg, reg);
  if (isNew)
    for (unsigned other = 1; other < tables->mc->registers->getNumRegs();
         ++other)
      if (base == tables->mc->registers->getName(other))
        entry->second = other;
  return entry->second;
}

DecodedOperand InstructionDecoder::registerOf(unsigned reg,
                                              const OperandSlot &slot,
                                              std::string &problem) const {
  DecodedOperand op;
  StringRef name = tables->mc->registers->getName(reg);
  const bool known = numberedRegister(name, op) || namedRegister(name, op);
  if (!problem.empty())
    return op;
  // Every operand can be null or a special value.
  const bool isValue =
      op.kind == DecodedOperand::Kind::Special ||
      (op.kind == DecodedOperand::Kind::Scalar && op.reg == kNull);
  // LLVM also decodes misaligned tuples and registers of the wrong file.
  if (!known)
    problem = "register " + name.str();
  else if (slot.classId >= 0 && !isValue &&
           !tables->mc->registers->getRegClass(slot.classId)
                .contains(pseudoOf(reg)))
    problem = "an operand that cannot be " + name.str();
  return op;
}

DecodedOperand InstructionDecoder::constantOf(const llvm::MCOperand &from,
                                              const OperandSlot &slot,
                                              std::string &problem) const {
  if (from.isExpr()) {
    // LLVM decodes a literal with the value of an inline constant as an
    // expression.
    int64_t value = 0;
    if (!from.getExpr()->evaluateAsAbsolute(value) && problem.empty())
      problem = "an expression";
    if (slot.type == ConstantType::Float64)
      value = static_cast<int64_t>(static_cast<uint64_t>(value) >> 32);
    return integer(value, true);
  }
  const uint64_t bits = from.getImm();
  switch (slot.type) {
  case ConstantType::Other:
    if (slot.classId >= 0 && problem.empty())
      problem = "a constant where a register must be";
    return integer(bits, false);
  case ConstantType::Int16:
    return constant16(bits, nullptr);
  case ConstantType::Float16:
    return constant16(bits, &kFloat16);
  case ConstantType::Bfloat16:
    return constant16(bits, &kBfloat16);
  case ConstantType::PackedInt16:
  case ConstantType::Bits32:
    return constant32(bits);
  case ConstantType::PackedFloat16:
    return constantPacked(bits, kFloat16);
  case ConstantType::PackedBfloat16:
    return constantPacked(bits, kBfloat16);
  case ConstantType::PackedFloat16Splat:
    // gfx9: an inline constant in the low half, or a literal.
    if (chip.isIn(generations::Cdna))
      return constantPacked(bits, kFloat16);
    return (bits & 0xffff) == (bits >> 16 & 0xffff)
               ? constant16(bits, &kFloat16)
               : constant32(bits);
  case ConstantType::Literal:
    return integer(bits & 0xffffffff, true);
  case ConstantType::Int64:
    return constant64(bits, false);
  case ConstantType::Float64:
    return constant64(bits, true);
  }
  return integer(bits, false);
}

DecodedOperand InstructionDecoder::operandOf(const llvm::MCInst &inst,
                                             const OperandSlot &slot,
                                             std::string &problem) const {
  DecodedOperand op;
  switch (slot.source) {
  case OperandSlot::Source::Vcc:
    op.kind = DecodedOperand::Kind::Scalar;
    op.reg = kVcc;
    op.dwords = chip.isIn(generations::Rdna) && wave32 ? 1 : 2;
    return op;
  case OperandSlot::Source::M0:
    op.kind = DecodedOperand::Kind::Scalar;
    op.reg = kM0;
    return op;
  case OperandSlot::Source::Off:
    op.kind = DecodedOperand::Kind::Off;
    return op;
  case OperandSlot::Source::Operand:
    break;
  }
  const llvm::MCOperand &from = inst.getOperand(slot.index);
  if (from.isReg())
    op = registerOf(from.getReg(), slot, problem);
  else if (from.isImm() || from.isExpr())
    op = constantOf(from, slot, problem);
  else
    problem = "an operand without a meaning";
  if (slot.modifiers >= 0 && inst.getOperand(slot.modifiers).isImm()) {
    const int64_t bits = inst.getOperand(slot.modifiers).getImm();
    op.neg = !slot.sextOnly && bits & kNeg;
    op.abs = !slot.sextOnly && bits & kAbs;
    op.sext = slot.sextOnly && bits & kSext;
  }
  return op;
}
