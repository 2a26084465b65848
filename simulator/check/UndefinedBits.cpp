//===- UndefinedBits.cpp - Undefined bits through an operation ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/UndefinedBits.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

uint64_t aircc::sim::lowBits(unsigned count) {
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

uint64_t aircc::sim::upwards(uint64_t v) { return v | (0 - v); }

unsigned aircc::sim::typeBits(ValueType type) {
  switch (type) {
  case ValueType::B64:
  case ValueType::F64:
  case ValueType::PkF32:
  case ValueType::PkB32:
    return 64;
  case ValueType::B16:
  case ValueType::F16:
  case ValueType::BF16:
    return 16;
  case ValueType::Mask:
    return 1;
  default:
    return 32;
  }
}

bool aircc::sim::isPacked16(ValueType type) {
  return type == ValueType::PkB16 || type == ValueType::PkF16 ||
         type == ValueType::PkBF16;
}
bool aircc::sim::isPacked32(ValueType type) {
  return type == ValueType::PkF32 || type == ValueType::PkB32;
}

uint64_t aircc::sim::andBits(const Bits &a, const Bits &b) {
  return (a.undefined | b.undefined) & (a.value | a.undefined) &
         (b.value | b.undefined);
}
uint64_t aircc::sim::orBits(const Bits &a, const Bits &b) {
  return (a.undefined | b.undefined) & (~a.value | a.undefined) &
         (~b.value | b.undefined);
}

uint64_t aircc::sim::transfer(TransferKind kind, const Bits *s, unsigned count,
                              ValueType dst, const Operand *operands) {
  const unsigned width = typeBits(dst);
  const uint64_t all = lowBits(width);
  uint64_t any = 0;
  for (unsigned i = 0; i < count; ++i)
    any |= s[i].undefined;
  if (!any)
    return 0;
  const unsigned amountMask = width == 64 ? 63 : width == 16 ? 15 : 31;
  auto shiftLeft = [&](const Bits &v, const Bits &by) {
    return by.undefined & amountMask ? all
                                     : v.undefined << (by.value & amountMask);
  };
  using enum TransferKind;
  switch (kind) {
  case Move:
    return s[0].undefined & all;
  case PackedMove:
    return (s[0].undefined & 0xffffffff) | s[1].undefined << 32;
  case Bitwise:
    return any & all;
  case And:
    return andBits(s[0], s[1]) & all;
  case Or:
    return orBits(s[0], s[1]) & all;
  case Or3: {
    Bits first{(s[0].value | s[1].value), orBits(s[0], s[1])};
    return orBits(first, s[2]) & all;
  }
  case AndOr: {
    Bits first{s[0].value & s[1].value, andBits(s[0], s[1])};
    return orBits(first, s[2]) & all;
  }
  case Select:
    if (!(s[2].undefined & 1))
      return s[s[2].value & 1].undefined & all;
    return (s[0].undefined | s[1].undefined | (s[0].value ^ s[1].value)) & all;
  case BitSelect: {
    Bits one{s[0].value & s[1].value, andBits(s[0], s[1])};
    Bits inverse{~s[0].value, s[0].undefined};
    Bits two{inverse.value & s[2].value, andBits(inverse, s[2])};
    return orBits(one, two) & all;
  }
  case ShiftLeft:
    return shiftLeft(s[1], s[0]) & all;
  case ShiftRight:
    return s[0].undefined & amountMask
               ? all
               : (s[1].undefined & all) >> (s[0].value & amountMask);
  case ShiftRightSigned: {
    if (s[0].undefined & amountMask)
      return all;
    unsigned by = s[0].value & amountMask;
    uint64_t u = (s[1].undefined & all) >> by;
    if (s[1].undefined >> (width - 1) & 1)
      u |= all & ~(all >> by);
    return u;
  }
  case ShiftLeftOr: {
    Bits first{s[0].value << (s[1].value & 31), shiftLeft(s[0], s[1])};
    return orBits(first, s[2]) & all;
  }
  case ShiftLeftAdd:
    return upwards(shiftLeft(s[0], s[1]) | s[2].undefined) & all;
  case AddShiftLeft:
    return shiftLeft(Bits{0, upwards(s[0].undefined | s[1].undefined)}, s[2]) &
           all;
  case Sum:
    return upwards(any) & all;
  case Sum24: {
    uint64_t low = (s[0].undefined | s[1].undefined) & 0xffffff;
    if (count > 2)
      low |= s[2].undefined;
    return upwards(low) & all;
  }
  case Extract:
  case ExtractSigned: {
    if ((s[1].undefined | s[2].undefined) & 31)
      return all;
    unsigned bits = s[2].value & 31;
    uint64_t u =
        (s[0].undefined & 0xffffffff) >> (s[1].value & 31) & lowBits(bits);
    if (kind == ExtractSigned && bits && u >> (bits - 1) & 1)
      u |= all & ~lowBits(bits);
    return u;
  }
  case Permute: {
    if (s[2].undefined)
      return all;
    // Bytes 0 to 3 are the second source's, 4 to 7 the first's; 8 to 11 repeat
    // a sign, the others are constants.
    uint64_t from = (s[1].undefined & 0xffffffff) | s[0].undefined << 32;
    uint64_t u = 0;
    for (unsigned b = 0; b < 4; ++b) {
      unsigned selector = s[2].value >> 8 * b & 0xff;
      uint64_t part = 0;
      if (selector < 8)
        part = from >> 8 * selector & 0xff;
      else if (selector < 12)
        part = from >> (16 * (selector - 8) + 15) & 1 ? 0xff : 0;
      u |= part << 8 * b;
    }
    return u;
  }
  case AlignBit:
  case AlignByte: {
    unsigned mask = kind == AlignBit ? 31 : 3;
    if (s[2].undefined & mask)
      return all;
    unsigned by = (s[2].value & mask) * (kind == AlignBit ? 1 : 8);
    uint64_t from = (s[1].undefined & 0xffffffff) | s[0].undefined << 32;
    return from >> by & 0xffffffff;
  }
  case FirstLow: {
    uint32_t u = static_cast<uint32_t>(s[0].undefined);
    uint32_t ones = static_cast<uint32_t>(s[0].value) & ~u;
    return ones && llvm::countr_zero(ones) < llvm::countr_zero(u) ? 0 : all;
  }
  case FirstHigh: {
    uint32_t u = static_cast<uint32_t>(s[0].undefined);
    return (static_cast<uint32_t>(s[0].value) & ~u) > u ? 0 : all;
  }
  case Reverse: {
    uint64_t u = 0;
    for (unsigned b = 0; b < 32; ++b)
      u |= (s[0].undefined >> b & 1) << (31 - b);
    return u;
  }
  case Pack:
    return (s[0].undefined & 0xffff ? 0xffff : 0) |
           (s[1].undefined & 0xffff ? 0xffff0000 : 0);
  case ConvertPair:
    return (s[0].undefined ? 0xffff : 0) | (s[1].undefined ? 0xffff0000 : 0);
  case Byte0:
  case Byte1:
  case Byte2:
  case Byte3:
    return s[0].undefined >> 8 * (static_cast<unsigned>(kind) -
                                  static_cast<unsigned>(Byte0)) &
                   0xff
               ? all
               : 0;
  default: // Any; the others are not of vector arithmetic.
    break;
  }
  // Packed operations work on each part by itself.
  bool halves = isPacked16(dst), words = isPacked32(dst);
  for (unsigned i = 0; i < count; ++i) {
    halves &= isPacked16(operands[i].type);
    words &= isPacked32(operands[i].type);
  }
  if (halves)
    return (any & 0xffff ? 0xffff : 0) | (any & 0xffff0000 ? 0xffff0000 : 0);
  if (words)
    return (any & 0xffffffff ? 0xffffffff : 0) |
           (any >> 32 ? 0xffffffff00000000 : 0);
  return all;
}
