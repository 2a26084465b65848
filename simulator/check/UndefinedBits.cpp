//===- UndefinedBits.cpp - Undefined bits through an operation ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/UndefinedBits.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

using namespace aircc::sim;
using llvm::StringRef;

TransferKind aircc::sim::findTransferKind(StringRef name) {
  return llvm::StringSwitch<TransferKind>(name)
      .Cases({"v_mov_b32", "v_mov_b64", "v_mov_b16", "v_accvgpr_read_b32",
              "v_accvgpr_write_b32", "v_accvgpr_mov_b32", "v_not_b32",
              "v_not_b16"},
             kMove)
      .Cases({"v_pk_mov_b32"}, kPackedMove)
      .Cases({"v_xor_b32", "v_xnor_b32", "v_xor3_b32", "v_bitop3_b32",
              "v_xor_b16", "v_bitop3_b16"},
             kBits)
      .Cases({"v_and_b32", "v_and_b16"}, kAnd)
      .Cases({"v_or_b32", "v_or_b16"}, kOr)
      .Case("v_or3_b32", kOr3)
      .Case("v_and_or_b32", kAndOr)
      .Cases({"v_cndmask_b32", "v_cndmask_b16"}, kSelect)
      .Case("v_bfi_b32", kBitSelect)
      .Cases({"v_lshlrev_b32", "v_lshlrev_b16", "v_lshlrev_b64"}, kShiftLeft)
      .Cases({"v_lshrrev_b32", "v_lshrrev_b16", "v_lshrrev_b64"}, kShiftRight)
      .Cases({"v_ashrrev_i32", "v_ashrrev_i16", "v_ashrrev_i64"},
             kShiftRightSigned)
      .Case("v_lshl_or_b32", kShiftLeftOr)
      .Cases({"v_lshl_add_u32", "v_lshl_add_u64"}, kShiftLeftAdd)
      .Case("v_add_lshl_u32", kAddShiftLeft)
      .Cases({"v_add_u32", "v_sub_u32", "v_subrev_u32", "v_add3_u32",
              "v_mul_lo_u32", "v_xad_u32", "v_add_u16"},
             kSum)
      .Cases({"v_sub_u16", "v_subrev_u16", "v_mul_lo_u16", "v_mad_u16",
              "v_add_nc_u64", "v_sub_nc_u64", "v_add_co_u32", "v_sub_co_u32",
              "v_addc_co_u32"},
             kSum)
      .Cases({"v_mad_u64_u32", "v_mad_i64_i32"}, kSum)
      .Cases(
          {"v_mul_u32_u24", "v_mul_i32_i24", "v_mad_u32_u24", "v_mad_i32_i24"},
          kSum24)
      .Case("v_bfe_u32", kExtract)
      .Case("v_bfe_i32", kExtractSigned)
      .Case("v_perm_b32", kPermute)
      .Case("v_alignbit_b32", kAlignBit)
      .Case("v_alignbyte_b32", kAlignByte)
      .Case("v_bfrev_b32", kReverse)
      .Case("v_ffbl_b32", kFirstLow)
      .Case("v_ffbh_u32", kFirstHigh)
      .Case("v_pack_b32_f16", kPack)
      .Cases({"v_cvt_pkrtz_f16_f32", "v_cvt_pk_bf16_f32", "v_cvt_pk_f16_f32",
              "v_cvt_pk_i16_f32", "v_cvt_pk_u16_f32", "v_cvt_pk_u16_u32",
              "v_cvt_pk_i16_i32"},
             kConvertPair)
      .Cases({"v_cvt_pknorm_i16_f32", "v_cvt_pknorm_u16_f32",
              "v_cvt_pknorm_i16_f16", "v_cvt_pknorm_u16_f16"},
             kConvertPair)
      .Case("v_cvt_f32_ubyte0", kByte0)
      .Case("v_cvt_f32_ubyte1", kByte1)
      .Case("v_cvt_f32_ubyte2", kByte2)
      .Case("v_cvt_f32_ubyte3", kByte3)
      .Default(kAny);
}

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
  switch (kind) {
  case kMove:
    return s[0].undefined & all;
  case kPackedMove:
    return (s[0].undefined & 0xffffffff) | s[1].undefined << 32;
  case kBits:
    return any & all;
  case kAnd:
    return andBits(s[0], s[1]) & all;
  case kOr:
    return orBits(s[0], s[1]) & all;
  case kOr3: {
    Bits first{(s[0].value | s[1].value), orBits(s[0], s[1])};
    return orBits(first, s[2]) & all;
  }
  case kAndOr: {
    Bits first{s[0].value & s[1].value, andBits(s[0], s[1])};
    return orBits(first, s[2]) & all;
  }
  case kSelect:
    if (!(s[2].undefined & 1))
      return s[s[2].value & 1].undefined & all;
    return (s[0].undefined | s[1].undefined | (s[0].value ^ s[1].value)) & all;
  case kBitSelect: {
    Bits one{s[0].value & s[1].value, andBits(s[0], s[1])};
    Bits inverse{~s[0].value, s[0].undefined};
    Bits two{inverse.value & s[2].value, andBits(inverse, s[2])};
    return orBits(one, two) & all;
  }
  case kShiftLeft:
    return shiftLeft(s[1], s[0]) & all;
  case kShiftRight:
    return s[0].undefined & amountMask
               ? all
               : (s[1].undefined & all) >> (s[0].value & amountMask);
  case kShiftRightSigned: {
    if (s[0].undefined & amountMask)
      return all;
    unsigned by = s[0].value & amountMask;
    uint64_t u = (s[1].undefined & all) >> by;
    if (s[1].undefined >> (width - 1) & 1)
      u |= all & ~(all >> by);
    return u;
  }
  case kShiftLeftOr: {
    Bits first{s[0].value << (s[1].value & 31), shiftLeft(s[0], s[1])};
    return orBits(first, s[2]) & all;
  }
  case kShiftLeftAdd:
    return upwards(shiftLeft(s[0], s[1]) | s[2].undefined) & all;
  case kAddShiftLeft:
    return shiftLeft(Bits{0, upwards(s[0].undefined | s[1].undefined)}, s[2]) &
           all;
  case kSum:
    return upwards(any) & all;
  case kSum24: {
    uint64_t low = (s[0].undefined | s[1].undefined) & 0xffffff;
    if (count > 2)
      low |= s[2].undefined;
    return upwards(low) & all;
  }
  case kExtract:
  case kExtractSigned: {
    if ((s[1].undefined | s[2].undefined) & 31)
      return all;
    unsigned bits = s[2].value & 31;
    uint64_t u =
        (s[0].undefined & 0xffffffff) >> (s[1].value & 31) & lowBits(bits);
    if (kind == kExtractSigned && bits && u >> (bits - 1) & 1)
      u |= all & ~lowBits(bits);
    return u;
  }
  case kPermute: {
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
  case kAlignBit:
  case kAlignByte: {
    unsigned mask = kind == kAlignBit ? 31 : 3;
    if (s[2].undefined & mask)
      return all;
    unsigned by = (s[2].value & mask) * (kind == kAlignBit ? 1 : 8);
    uint64_t from = (s[1].undefined & 0xffffffff) | s[0].undefined << 32;
    return from >> by & 0xffffffff;
  }
  case kFirstLow: {
    uint32_t u = static_cast<uint32_t>(s[0].undefined);
    uint32_t ones = static_cast<uint32_t>(s[0].value) & ~u;
    return ones && llvm::countr_zero(ones) < llvm::countr_zero(u) ? 0 : all;
  }
  case kFirstHigh: {
    uint32_t u = static_cast<uint32_t>(s[0].undefined);
    return (static_cast<uint32_t>(s[0].value) & ~u) > u ? 0 : all;
  }
  case kReverse: {
    uint64_t u = 0;
    for (unsigned b = 0; b < 32; ++b)
      u |= (s[0].undefined >> b & 1) << (31 - b);
    return u;
  }
  case kPack:
    return (s[0].undefined & 0xffff ? 0xffff : 0) |
           (s[1].undefined & 0xffff ? 0xffff0000 : 0);
  case kConvertPair:
    return (s[0].undefined ? 0xffff : 0) | (s[1].undefined ? 0xffff0000 : 0);
  case kByte0:
  case kByte1:
  case kByte2:
  case kByte3:
    return s[0].undefined >> 8 * (kind - kByte0) & 0xff ? all : 0;
  case kAny:
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
