//===- Bind.cpp - From decoded instructions to operands -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"

#include "simulator/exec/Program.h"

#include <cmath>
#include <cstring>

using namespace aircc::sim;

static bool takeRegister(const DecodedOperand *from, DecodedOperand::Kind kind,
                         Operand &to) {
  if (!from || from->kind != kind)
    return false;
  to.kind = kind == DecodedOperand::Kind::Vector ? Operand::Kind::Vector
                                                 : Operand::Kind::Scalar;
  to.reg = from->reg;
  to.dwords = from->dwords;
  return true;
}
bool OperandReader::vector(Operand &to) {
  return takeRegister(take(), DecodedOperand::Kind::Vector, to);
}
bool OperandReader::scalar(Operand &to) {
  return takeRegister(take(), DecodedOperand::Kind::Scalar, to);
}

unsigned aircc::sim::typeRows(ValueType type) {
  switch (type) {
  case ValueType::B64:
  case ValueType::F64:
  case ValueType::PkF32:
  case ValueType::PkB32:
    return 2;
  default:
    return 1;
  }
}

/// Returns the bits of a floating-point inline constant in an operand of type
/// `type` (CDNA3 ISA guide, "Scalar ALU operands": 240 to 248; in a packed
/// 16-bit operand, the constant is in the low half and the high half is zero).
static uint64_t inlineFloatBits(double value, ValueType type) {
  // 1/(2*pi) is printed in decimal, and its last bit differs between formats.
  bool inverse2Pi = std::fabs(std::fabs(value) - 0.15915494309189532) < 1e-6;
  switch (type) {
  case ValueType::F64:
  case ValueType::B64: {
    uint64_t bits;
    std::memcpy(&bits, &value, 8);
    return inverse2Pi ? 0x3fc45f306dc9c882 : bits;
  }
  case ValueType::F16:
  case ValueType::PkF16:
  case ValueType::B16: {
    if (inverse2Pi)
      return 0x3118;
    // All the others are powers of two from 0.5 to 4.
    int exponent;
    std::frexp(std::fabs(value), &exponent);
    return (std::signbit(value) ? 0x8000u : 0) | (exponent - 1 + 15) << 10;
  }
  case ValueType::BF16:
  case ValueType::PkBF16: {
    float narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, 4);
    return inverse2Pi ? 0x3e22 : bits >> 16;
  }
  default: {
    float narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, 4);
    return inverse2Pi ? 0x3e22f983 : bits;
  }
  }
}

bool aircc::sim::bindSource(BindContext &context, const DecodedOperand &from,
                            ValueType type, Operand &to) {
  to = Operand();
  to.type = type;
  to.neg = from.neg;
  to.abs = from.abs;
  to.sext = from.sext;
  to.dwords = typeRows(type);
  to.reg = from.reg;
  if (from.high)
    to.opSel |= 1;
  switch (from.kind) {
  case DecodedOperand::Kind::Vector:
    to.kind = Operand::Kind::Vector;
    return from.dwords >= to.dwords;
  case DecodedOperand::Kind::Scalar:
    if (from.reg == kNull) {
      to.kind = Operand::Kind::Constant;
      to.constant = 0;
      break;
    }
    to.kind = Operand::Kind::Scalar;
    return true;
  case DecodedOperand::Kind::Special:
    to.kind = Operand::Kind::Special;
    return true;
  case DecodedOperand::Kind::Integer:
    to.kind = Operand::Kind::Constant;
    // A 32-bit literal is the high half of a double.
    if (type == ValueType::F64 && from.literal)
      to.constant = static_cast<uint64_t>(from.value) << 32;
    else
      to.constant = from.value;
    break;
  case DecodedOperand::Kind::Float:
    to.kind = Operand::Kind::Constant;
    to.constant = inlineFloatBits(from.number, type);
    break;
  default:
    return false;
  }
  if (to.dwords == 1)
    to.constant &= 0xffffffff;
  // Packed f32 and packed dwords take a 32-bit constant for the low value.
  if (type == ValueType::PkF32 || type == ValueType::PkB32)
    to.constant &= 0xffffffff;
  to.rows = context.constants.get(to.constant, to.dwords == 2);
  return true;
}

bool aircc::sim::bindDest(BindContext &, const DecodedOperand &from,
                          ValueType type, Operand &to) {
  to = Operand();
  to.type = type;
  to.dwords = typeRows(type);
  to.reg = from.reg;
  if (from.high)
    to.opSel |= 1;
  if (from.kind == DecodedOperand::Kind::Vector)
    to.kind = Operand::Kind::Vector;
  else if (from.kind == DecodedOperand::Kind::Scalar)
    to.kind = Operand::Kind::Scalar;
  else
    return false;
  return true;
}
