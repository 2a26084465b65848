//===- UndefinedBits.cpp - Undefined bits through an operation ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/UndefinedBits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

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

/// Returns the bits of the first source, shifted left by the second one's
/// amount.
static uint64_t shiftLeft(const Bits &v, const Bits &by, unsigned width) {
  const unsigned amountMask = width == 64 ? 63 : width == 16 ? 15 : 31;
  if (by.undefined & amountMask)
    return lowBits(width);
  return v.undefined << (by.value & amountMask);
}

static uint64_t shiftRight(const Bits &v, const Bits &by, unsigned width,
                           bool isSigned) {
  const uint64_t all = lowBits(width);
  const unsigned amountMask = width == 64 ? 63 : width == 16 ? 15 : 31;
  if (by.undefined & amountMask)
    return all;
  const unsigned amount = by.value & amountMask;
  uint64_t u = (v.undefined & all) >> amount;
  if (isSigned && v.undefined >> (width - 1) & 1)
    u |= all & ~(all >> amount);
  return u;
}

/// Returns s[2].value bits of s[0], starting at bit s[1].value.
static uint64_t extractField(const Bits *s, bool isSigned, uint64_t all) {
  if ((s[1].undefined | s[2].undefined) & 31)
    return all;
  const unsigned bits = s[2].value & 31;
  uint64_t u =
      (s[0].undefined & 0xffffffff) >> (s[1].value & 31) & lowBits(bits);
  if (isSigned && bits && u >> (bits - 1) & 1)
    u |= all & ~lowBits(bits);
  return u;
}

/// In v_perm_b32, each byte of s[2] selects a byte. Bytes 0 to 3 are those of
/// the second source, and 4 to 7 those of the first; 8 to 11 repeat a sign, and
/// the others are constants.
static uint64_t permuteBytes(const Bits *s, uint64_t all) {
  if (s[2].undefined)
    return all;
  const uint64_t from = (s[1].undefined & 0xffffffff) | s[0].undefined << 32;
  uint64_t u = 0;
  for (unsigned b = 0; b < 4; ++b) {
    const unsigned selector = s[2].value >> 8 * b & 0xff;
    uint64_t part = 0;
    if (selector < 8)
      part = from >> 8 * selector & 0xff;
    else if (selector < 12)
      part = from >> (16 * (selector - 8) + 15) & 1 ? 0xff : 0;
    u |= part << 8 * b;
  }
  return u;
}

/// Returns a dword of the concatenation of s[0] and s[1], starting at bit s[2]
/// * `unit`.
static uint64_t alignFrom(const Bits *s, unsigned mask, unsigned unit,
                          uint64_t all) {
  if (s[2].undefined & mask)
    return all;
  const unsigned amount = (s[2].value & mask) * unit;
  const uint64_t from = (s[1].undefined & 0xffffffff) | s[0].undefined << 32;
  return from >> amount & 0xffffffff;
}

/// Returns the index of the lowest (highest) set bit. It is defined if no bit
/// below (above) the lowest (highest) bit known to be set is undefined.
static uint64_t findFirst(const Bits &v, bool isHigh, uint64_t all) {
  const auto u = static_cast<uint32_t>(v.undefined);
  const uint32_t ones = static_cast<uint32_t>(v.value) & ~u;
  if (isHigh)
    return ones > u ? 0 : all;
  return ones && llvm::countr_zero(ones) < llvm::countr_zero(u) ? 0 : all;
}

/// Returns all bits of each half or word that has an undefined bit if the
/// operation computes the parts separately, otherwise all bits.
static uint64_t wholeParts(uint64_t any, unsigned count, ValueType dst,
                           const Operand *operands) {
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
  return lowBits(typeBits(dst));
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
    const Bits first{(s[0].value | s[1].value), orBits(s[0], s[1])};
    return orBits(first, s[2]) & all;
  }
  case AndOr: {
    const Bits first{s[0].value & s[1].value, andBits(s[0], s[1])};
    return orBits(first, s[2]) & all;
  }
  case Select:
    if (!(s[2].undefined & 1))
      return s[s[2].value & 1].undefined & all;
    return (s[0].undefined | s[1].undefined | (s[0].value ^ s[1].value)) & all;
  case BitSelect: {
    const Bits one{s[0].value & s[1].value, andBits(s[0], s[1])};
    const Bits inverse{~s[0].value, s[0].undefined};
    const Bits two{inverse.value & s[2].value, andBits(inverse, s[2])};
    return orBits(one, two) & all;
  }
  case ShiftLeft:
    return shiftLeft(s[1], s[0], width) & all;
  case ShiftRight:
  case ShiftRightSigned:
    return shiftRight(s[1], s[0], width, kind == ShiftRightSigned);
  case ShiftLeftOr: {
    const Bits first{s[0].value << (s[1].value & 31),
                     shiftLeft(s[0], s[1], width)};
    return orBits(first, s[2]) & all;
  }
  case ShiftLeftAdd:
    return upwards(shiftLeft(s[0], s[1], width) | s[2].undefined) & all;
  case AddShiftLeft: {
    const Bits sum{0, upwards(s[0].undefined | s[1].undefined)};
    return shiftLeft(sum, s[2], width) & all;
  }
  case Sum:
    return upwards(any) & all;
  case Sum24: {
    uint64_t low = (s[0].undefined | s[1].undefined) & 0xffffff;
    if (count > 2)
      low |= s[2].undefined;
    return upwards(low) & all;
  }
  case Extract:
  case ExtractSigned:
    return extractField(s, kind == ExtractSigned, all);
  case Permute:
    return permuteBytes(s, all);
  case AlignBit:
    return alignFrom(s, /*mask=*/31, /*unit=*/1, all);
  case AlignByte:
    return alignFrom(s, /*mask=*/3, /*unit=*/8, all);
  case FirstLow:
  case FirstHigh:
    return findFirst(s[0], kind == FirstHigh, all);
  case Reverse:
    return llvm::reverseBits(static_cast<uint32_t>(s[0].undefined));
  case Pack:
    return (s[0].undefined & 0xffff ? 0xffff : 0) |
           (s[1].undefined & 0xffff ? 0xffff0000 : 0);
  case ConvertPair:
    return (s[0].undefined ? 0xffff : 0) | (s[1].undefined ? 0xffff0000 : 0);
  case Byte0:
  case Byte1:
  case Byte2:
  case Byte3: {
    const unsigned byte =
        llvm::to_underlying(kind) - llvm::to_underlying(Byte0);
    return s[0].undefined >> 8 * byte & 0xff ? all : 0;
  }
  default: // Any; the others do not occur in vector arithmetic.
    return wholeParts(any, count, dst, operands);
  }
}
