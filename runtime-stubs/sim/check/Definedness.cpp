//===- Definedness.cpp - Values that were never written -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/check/Definedness.h"

#include "runtime-stubs/sim/Atomics.h"
#include "runtime-stubs/sim/Bind.h"
#include "runtime-stubs/sim/MemoryAccess.h"
#include "runtime-stubs/sim/lanes/Dpp.h"
#include "runtime-stubs/sim/lanes/LaneLevel.h"
#include "runtime-stubs/sim/matrix/Matrix.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

using namespace aircc::sim;
using llvm::StringRef;

namespace {

/// How undefined bits of the sources become those of the result.
enum TransferKind : uint8_t {
  kAny, ///< One undefined bit makes the result undefined.
  kMove,
  kBits, ///< The same bit of any source (xor, bitop3).
  kAnd,
  kOr,
  kOr3,
  kAndOr,
  kSelect, ///< v_cndmask
  kBitSelect,
  kShiftLeft, ///< (amount, value), as the "rev" forms
  kShiftRight,
  kShiftRightSigned,
  kShiftLeftOr,  ///< (value << amount) | other
  kShiftLeftAdd, ///< (value << amount) + other
  kAddShiftLeft, ///< (value + value) << amount
  kSum,          ///< Undefined from the lowest undefined bit on.
  kSum24,        ///< The same of the low 24 bits.
  kExtract,
  kExtractSigned,
  kPermute,
  kAlignBit,
  kAlignByte,
  kReverse,
  kFirstLow,  ///< v_ffbl: a one below all undefined bits decides.
  kFirstHigh, ///< v_ffbh_u32: a one above them.
  kPack,      ///< Low half from the first, high half from the second.
  kPackedMove,
  kByte0,
  kByte1,
  kByte2,
  kByte3,
};

TransferKind findKind(StringRef name) {
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
      .Case("v_cvt_f32_ubyte0", kByte0)
      .Case("v_cvt_f32_ubyte1", kByte1)
      .Case("v_cvt_f32_ubyte2", kByte2)
      .Case("v_cvt_f32_ubyte3", kByte3)
      .Default(kAny);
}

/// A value and its undefined bits.
struct Bits {
  uint64_t value = 0, undefined = 0;
};

uint64_t lowBits(unsigned count) {
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

/// From the lowest set bit on.
uint64_t upwards(uint64_t v) { return v | (0 - v); }

unsigned typeBits(ValueType type) {
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

bool isPacked16(ValueType type) {
  return type == ValueType::PkB16 || type == ValueType::PkF16 ||
         type == ValueType::PkBF16;
}
bool isPacked32(ValueType type) {
  return type == ValueType::PkF32 || type == ValueType::PkB32;
}

uint64_t andBits(const Bits &a, const Bits &b) {
  return (a.undefined | b.undefined) & (a.value | a.undefined) &
         (b.value | b.undefined);
}
uint64_t orBits(const Bits &a, const Bits &b) {
  return (a.undefined | b.undefined) & (~a.value | a.undefined) &
         (~b.value | b.undefined);
}

/// The undefined bits of a result of `width` bits.
uint64_t transfer(TransferKind kind, const Bits *s, unsigned count,
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

uint64_t sdwaPart(uint64_t v, SdwaSel sel) {
  unsigned n = static_cast<unsigned>(sel);
  if (sel == SdwaSel::Dword)
    return v;
  return n < 4 ? v >> 8 * n & 0xff : v >> 16 * (n - 4) & 0xffff;
}

uint64_t scalarPair(const WaveShadow &shadow, unsigned reg) {
  return shadow.scalars[reg] | uint64_t(shadow.scalars[reg + 1]) << 32;
}

} // namespace

/// What an operation makes of one destination.
struct Definedness::Result {
  Operand dst, dst2;
  bool execDest = false;
  uint64_t writable = 0;
  uint64_t mask = 0, mask2 = 0; ///< Undefined lanes of masks.
  uint64_t lanes = 0;           ///< For which `bits` holds something.
  uint64_t bits[kRowLanes];
  Origin origin;
};

void Definedness::beginWave(const Wave &wave, WaveShadow &s,
                            const Kernel &kernel) {
  const uint64_t all = wave.laneMask();
  std::fill(std::begin(s.lanes), std::end(s.lanes), all);
  std::fill_n(s.bits.get(), size_t(kVectorRows) * kRowLanes, ~0u);
  std::fill(std::begin(s.rowOrigin), std::end(s.rowOrigin), Origin());
  std::fill(std::begin(s.scalarOrigin), std::end(s.scalarOrigin), Origin());
  // What the launch has set up differs from what it fills registers with.
  for (unsigned reg = 0; reg < 4 && reg < kernel.vgprCount; ++reg)
    for (uint64_t rest = all; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      if (wave.rows[reg * kRowLanes + lane] != kUnwritten)
        s.setBits(reg, lane, 0);
    }
  for (unsigned reg = 0; reg < kShadowScalars; ++reg)
    s.scalars[reg] = wave.scalars[reg] == kUnwritten ? ~0u : 0;
  s.scalars[kExec] = s.scalars[kExec + 1] = s.scalars[kNull] = 0;
  s.scc = false;
  s.scratch.assign(size_t(wave.scratchBytes) * wave.lanes, 0xff);
}

unsigned Definedness::kindOf(const Op &op) {
  const uint32_t index = op.info->index;
  if (index >= kinds.size())
    kinds.resize(index + 256, 0);
  if (!kinds[index])
    kinds[index] = 1 + findKind(canonicalMnemonic(op.inst->mnemonic));
  return kinds[index] - 1;
}

void Definedness::report(const Wave &wave, const Op &op, uint64_t lanes,
                         const std::string &what, const Origin &origin) {
  if (!reports.isNew(FaultKind::Uninitialised, op))
    return;
  std::string note;
  if (origin.kind == Origin::Lds)
    note = "the value was read from LDS that nothing wrote, at " +
           reports.describe(*origin.op);
  else if (origin.kind == Origin::Scratch)
    note = "the value was read from scratch that nothing wrote, at " +
           reports.describe(*origin.op);
  else
    note = "the value comes from a register that nothing wrote";
  reports.add(FaultKind::Uninitialised, wave, op, lanes, what, {note});
}

void Definedness::before(Wave &wave, WaveShadow &s, const Op &op) {
  switch (op.info->opClass) {
  case OpClass::VectorAlu:
  case OpClass::Transcendental:
  case OpClass::Dual:
    return vector(wave, s, op);
  case OpClass::ScalarAlu:
    return scalar(wave, s, op);
  case OpClass::Matrix:
    return matrix(wave, s, op);
  case OpClass::LdsPermute:
    return permute(wave, s, op);
  case OpClass::ScalarMemory:
  case OpClass::Lds:
  case OpClass::Flat:
  case OpClass::Global:
  case OpClass::Scratch:
  case OpClass::Buffer:
    return memory(wave, s, op);
  case OpClass::Branch:
    return branch(wave, s, op);
  default:
    return;
  }
}

void Definedness::vector(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  const bool dual = info.opClass == OpClass::Dual;
  if (!op.kernel && !dual)
    return crossLane(wave, s, op);
  const uint64_t exec = wave.exec();
  uint64_t any = 0;
  uint32_t scalars = info.readsScc && s.scc;
  for (const RegRange &range : info.reads) {
    if (range.vector)
      for (unsigned k = 0; k < range.count; ++k)
        any |= s.lanes[range.first + k];
    else
      for (unsigned k = 0; k < range.count; ++k)
        scalars |= s.scalars[range.first + k];
  }
  const bool dpp = op.mods->dpp != DppKind::None;
  if (!dual && op.dst.kind == Operand::Kind::Vector &&
      (op.dst.opSel || dpp || op.mods->sdwa))
    any |= s.lanes[op.dst.reg];
  if (!dpp)
    any &= exec;
  if (!any && !scalars && !wave.registerIndexing) {
    for (const RegRange &range : info.writes) {
      if (range.vector)
        for (unsigned k = 0; k < range.count; ++k)
          s.define(range.first + k, exec);
      else
        for (unsigned k = 0; k < range.count; ++k)
          s.scalars[range.first + k] = 0;
    }
    return;
  }
  if (dual) {
    const Op *pair = static_cast<const Op *>(op.table);
    Result x, y;
    vectorSlow(wave, s, pair[0], x);
    vectorSlow(wave, s, pair[1], y);
    commit(wave, s, pair[0], x);
    commit(wave, s, pair[1], y);
    return;
  }
  Result result;
  if (wave.registerIndexing) {
    // As the executor moves the register numbers: M0[15:12] says which.
    Op moved = op;
    const uint32_t m0 = wave.scalars[kM0];
    for (unsigned i = 0; i < 3; ++i)
      if ((m0 >> (12 + i) & 1) && moved.src[i].kind == Operand::Kind::Vector)
        moved.src[i].reg += m0 & 0xff;
    if ((m0 >> 15 & 1) && moved.dst.kind == Operand::Kind::Vector)
      moved.dst.reg += m0 & 0xff;
    vectorSlow(wave, s, moved, result);
  } else {
    vectorSlow(wave, s, op, result);
  }
  commit(wave, s, op, result);
}

void Definedness::vectorSlow(Wave &wave, WaveShadow &s, const Op &op,
                             Result &r) {
  const AsmModifiers &mods = *op.mods;
  const auto *entry = static_cast<const LaneEntry *>(op.table);
  const TransferKind kind = static_cast<TransferKind>(kindOf(op));
  const uint64_t exec = wave.exec();
  r.dst = op.dst;
  r.dst2 = op.dst2;
  r.execDest = entry->flags & kExecDest;
  r.writable = exec;
  const unsigned count = std::min<unsigned>(op.srcCount, 3);
  uint64_t scalarValue[3] = {}, scalarUndefined[3] = {};
  for (unsigned i = 0; i < count; ++i) {
    const Operand &from = op.src[i];
    if (from.kind == Operand::Kind::Constant) {
      scalarValue[i] = from.constant;
    } else if (from.kind == Operand::Kind::Special) {
      scalarValue[i] = readScalar(wave, from);
      if (static_cast<SpecialValue>(from.reg) == SpecialValue::Scc)
        scalarUndefined[i] = s.scc;
    } else if (from.kind == Operand::Kind::Scalar) {
      const bool pair = from.dwords == 2 || from.type == ValueType::Mask;
      scalarValue[i] = pair ? wave.scalar64(from.reg) : wave.scalars[from.reg];
      scalarUndefined[i] = pair ? scalarPair(s, from.reg) : s.scalars[from.reg];
      if (scalarUndefined[i])
        r.origin = s.scalarOrigin[from.reg];
    }
  }
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    Bits in[3];
    for (unsigned i = 0; i < count; ++i) {
      const Operand &from = op.src[i];
      Bits &b = in[i];
      if (from.kind == Operand::Kind::Vector) {
        int source = lane;
        if (i == 0 && mods.dpp != DppKind::None) {
          source = dppSource(mods, lane, wave.lanes);
          bool valid =
              source >= 0 && (mods.fetchInactive || (exec >> source & 1));
          if ((!valid && !mods.boundCtrl) ||
              !(mods.rowMask >> (lane / 16 & 3) & 1) ||
              !(mods.bankMask >> (lane / 4 & 3) & 1))
            r.writable &= ~(uint64_t(1) << lane);
          if (!valid)
            source = -1;
        }
        if (source >= 0) {
          b.value = wave.row(from.reg)[source];
          b.undefined = s.row(from.reg)[source];
          if (from.dwords == 2) {
            b.value |= uint64_t(wave.row(from.reg + 1)[source]) << 32;
            b.undefined |= uint64_t(s.row(from.reg + 1)[source]) << 32;
          }
          if (b.undefined)
            r.origin = s.rowOrigin[from.dwords == 2 && !uint32_t(b.undefined)
                                       ? from.reg + 1
                                       : from.reg];
        }
      } else {
        b.value = scalarValue[i];
        b.undefined = scalarUndefined[i];
      }
      // The part of it that is read.
      if (from.type == ValueType::Mask) {
        b.value = b.value >> lane & 1;
        b.undefined = b.undefined >> lane & 1;
      } else if (mods.sdwa && i < 2 && mods.srcSel[i] != SdwaSel::Dword) {
        b.value = sdwaPart(b.value, mods.srcSel[i]);
        b.undefined = sdwaPart(b.undefined, mods.srcSel[i]);
        if (from.sext && b.undefined)
          b.undefined = 0xffffffff;
      } else if (isPacked16(from.type)) {
        auto pick = [&](uint64_t v) {
          return (from.opSel & 1 ? v >> 16 : v & 0xffff) |
                 (from.opSel & 2 ? v & 0xffff0000 : v << 16 & 0xffff0000);
        };
        b.value = pick(b.value);
        b.undefined = pick(b.undefined);
      } else if (isPacked32(from.type)) {
        auto pick = [&](uint64_t v) {
          return (from.opSel & 1 ? v >> 32 : v & 0xffffffff) |
                 (from.opSel & 2 ? v & 0xffffffff00000000 : v << 32);
        };
        b.value = pick(b.value);
        b.undefined = pick(b.undefined);
      } else if (typeBits(from.type) == 16 || from.widen ||
                 (from.type == ValueType::Mix && from.opSel & 2)) {
        unsigned shift = from.opSel & 1 ? 16 : 0;
        b.value = b.value >> shift & 0xffff;
        b.undefined = b.undefined >> shift & 0xffff;
      }
    }
    uint64_t u = transfer(kind, in, count, op.dst.type, op.src);
    uint64_t any = in[0].undefined | in[1].undefined | in[2].undefined;
    if (entry->flags & kVccSource && scalarPair(s, kVcc) >> lane & 1)
      u = any = lowBits(typeBits(op.dst.type));
    if (op.dst.type == ValueType::Mask) {
      r.mask |= uint64_t(any != 0) << lane;
    } else {
      r.bits[lane] = u;
      r.lanes |= uint64_t(1) << lane;
    }
    r.mask2 |= uint64_t(any != 0) << lane;
  }
}

void Definedness::writeScalar(Wave &wave, WaveShadow &s, const Op &op,
                              unsigned reg, unsigned dwords, uint64_t undefined,
                              const Origin &origin) {
  if (reg == kNull)
    return;
  if (reg == kExec || reg == kExec + 1) {
    undefined &= reg == kExec ? wave.laneMask() : wave.laneMask() >> 32;
    if (undefined)
      report(wave, op, undefined, "EXEC depends on it", origin);
    return;
  }
  for (unsigned k = 0; k < dwords; ++k) {
    s.scalars[reg + k] = static_cast<uint32_t>(undefined >> 32 * k);
    if (s.scalars[reg + k])
      s.scalarOrigin[reg + k] = origin;
  }
}

void Definedness::commit(Wave &wave, WaveShadow &s, const Op &op,
                         const Result &r) {
  const unsigned maskDwords = wave.lanes == 64 ? 2 : 1;
  if (r.dst.type == ValueType::Mask) {
    if (r.dst.kind == Operand::Kind::Scalar)
      writeScalar(wave, s, op, r.dst.reg, maskDwords, r.mask, r.origin);
    if (r.execDest)
      writeScalar(wave, s, op, kExec, maskDwords, r.mask, r.origin);
    return;
  }
  const AsmModifiers &mods = *op.mods;
  for (uint64_t rest = r.lanes & r.writable; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    uint64_t u = r.bits[lane];
    const uint32_t old = s.row(r.dst.reg)[lane];
    if (mods.sdwa && mods.dstSel != SdwaSel::Dword) {
      unsigned sel = static_cast<unsigned>(mods.dstSel);
      unsigned shift = sel < 4 ? 8 * sel : 16 * (sel - 4);
      uint32_t part = (sel < 4 ? 0xffu : 0xffffu) << shift;
      u = u << shift & part;
      if (mods.dstUnused == SdwaUnused::Preserve)
        u |= old & ~part;
      else if (mods.dstUnused == SdwaUnused::Sext && u)
        u |= ~uint64_t(0) << shift & 0xffffffff;
    } else if (r.dst.opSel & 1) {
      u = u << 16 | (old & 0xffff);
    } else if (r.dst.opSel & 2) {
      u = (u & 0xffff) | (old & 0xffff0000);
    }
    for (unsigned k = 0; k < r.dst.dwords; ++k)
      s.setBits(r.dst.reg + k, lane, static_cast<uint32_t>(u >> 32 * k));
  }
  for (unsigned k = 0; k < r.dst.dwords; ++k)
    if (s.lanes[r.dst.reg + k] & r.lanes)
      s.rowOrigin[r.dst.reg + k] = r.origin;
  if (r.dst2.kind == Operand::Kind::Scalar)
    writeScalar(wave, s, op, r.dst2.reg, maskDwords, r.mask2, r.origin);
}

/// v_readlane, v_permlane* and their like (CrossLaneOps.cpp).
void Definedness::crossLane(Wave &wave, WaveShadow &s, const Op &op) {
  StringRef name = op.inst->mnemonic;
  const uint64_t exec = wave.exec();
  const Operand &from = op.src[0];
  auto undefinedScalar = [&](const Operand &operand) -> uint32_t {
    return operand.kind == Operand::Kind::Scalar ? s.scalars[operand.reg] : 0;
  };
  if (name.starts_with("v_readfirstlane") || name.starts_with("v_readlane")) {
    unsigned lane = exec ? llvm::countr_zero(exec) : 0;
    uint32_t undefined = undefinedScalar(from);
    Origin origin = s.scalarOrigin[kVcc];
    if (name.starts_with("v_readlane"))
      lane =
          static_cast<unsigned>(readScalar(wave, op.src[1])) & (wave.lanes - 1);
    if (from.kind == Operand::Kind::Vector) {
      undefined = s.row(from.reg)[lane];
      origin = s.rowOrigin[from.reg];
    } else if (undefined) {
      origin = s.scalarOrigin[from.reg];
    }
    return writeScalar(wave, s, op, op.dst.reg, 1, undefined, origin);
  }
  if (name.starts_with("v_writelane")) {
    unsigned lane =
        static_cast<unsigned>(readScalar(wave, op.src[1])) & (wave.lanes - 1);
    uint32_t undefined = undefinedScalar(from);
    s.setBits(op.dst.reg, lane, undefined);
    if (undefined)
      s.rowOrigin[op.dst.reg] = s.scalarOrigin[from.reg];
    return;
  }
  unsigned source = from.reg, dest = op.dst.reg;
  if (name.starts_with("v_movrel")) {
    source += op.imm & 1 ? wave.scalars[kM0] : 0;
    dest += op.imm & 2 ? wave.scalars[kM0] : 0;
    if (source >= kVectorRows || dest >= kVectorRows)
      return;
    const bool isVector = from.kind == Operand::Kind::Vector;
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      s.setBits(dest, lane,
                isVector ? s.row(source)[lane] : undefinedScalar(from));
    }
    s.rowOrigin[dest] = isVector ? s.rowOrigin[source] : Origin();
    return;
  }
  if (!(s.lanes[source] | s.lanes[dest]))
    return;
  // The others only move bits: the undefined bits move in the same way. Where
  // a vector selects the lanes, it must not be the undefined bits that select.
  if (name.contains("_var_")) {
    for (uint64_t rest = exec; rest; rest &= rest - 1)
      s.setBits(dest, llvm::countr_zero(rest), s.lanes[source] ? ~0u : 0);
    s.rowOrigin[dest] = s.rowOrigin[source];
    return;
  }
  uint32_t *rows = wave.rows;
  wave.rows = s.bits.get();
  op.handler(wave, op);
  wave.rows = rows;
  auto refresh = [&](unsigned row) {
    s.lanes[row] = 0;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      s.lanes[row] |= uint64_t(s.row(row)[lane] != 0) << lane;
  };
  refresh(dest);
  refresh(source);
  if (s.lanes[dest])
    s.rowOrigin[dest] = s.rowOrigin[source];
}

void Definedness::matrix(Wave &wave, WaveShadow &s, const Op &op) {
  const auto &matrix = *static_cast<const MatrixOp *>(op.table);
  const uint64_t all = wave.laneMask();
  auto undefinedOf = [&](unsigned reg, unsigned count, Origin &origin) {
    uint64_t any = 0;
    for (unsigned k = 0; k < count; ++k)
      if (s.lanes[reg + k]) {
        any |= s.lanes[reg + k];
        origin = s.rowOrigin[reg + k];
      }
    return any;
  };
  // An undefined element of A, B, the index or a scale makes all undefined: a
  // bound from above. C and D lie in the same places.
  Origin origin;
  const unsigned inputs = matrix.isSparse() ? 3 : 2;
  uint64_t any = 0;
  for (unsigned i = 0; i < inputs; ++i)
    any |= undefinedOf(op.src[i].reg, op.src[i].dwords, origin);
  if (matrix.scaled) {
    any |= undefinedOf(op.src[3].reg, 1, origin);
    any |= undefinedOf(static_cast<unsigned>(op.imm), 1, origin);
  }
  const unsigned count = op.dst.dwords;
  if (any) {
    for (unsigned k = 0; k < count; ++k) {
      s.lanes[op.dst.reg + k] = all;
      std::fill_n(s.row(op.dst.reg + k), wave.lanes, ~0u);
      s.rowOrigin[op.dst.reg + k] = origin;
    }
    return;
  }
  if (matrix.isSparse())
    return; // Accumulates in place.
  if (op.src[2].kind != Operand::Kind::Vector) {
    for (unsigned k = 0; k < count; ++k)
      s.define(op.dst.reg + k, all);
    return;
  }
  if (op.src[2].reg == op.dst.reg)
    return;
  // Registers may overlap: all of C is read first.
  Origin fromC;
  if (!undefinedOf(op.src[2].reg, count, fromC)) {
    for (unsigned k = 0; k < count; ++k)
      s.define(op.dst.reg + k, all);
    return;
  }
  std::vector<uint32_t> copy(s.row(op.src[2].reg),
                             s.row(op.src[2].reg) + size_t(count) * kRowLanes);
  for (unsigned k = 0; k < count; ++k) {
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      s.setBits(op.dst.reg + k, lane, copy[k * kRowLanes + lane] ? ~0u : 0);
    s.rowOrigin[op.dst.reg + k] = fromC;
  }
}

void Definedness::scalar(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  uint32_t any = info.readsScc && s.scc;
  for (const RegRange &range : info.reads)
    for (unsigned k = 0; k < range.count; ++k)
      any |= s.scalars[range.first + k];
  if (any)
    return scalarSlow(wave, s, op);
  for (const RegRange &range : info.writes)
    for (unsigned k = 0; k < range.count; ++k)
      s.scalars[range.first + k] = 0;
  if (info.writesScc)
    s.scc = false;
}

void Definedness::scalarSlow(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  StringRef name = canonicalMnemonic(op.inst->mnemonic);
  Origin origin = info.readsScc && s.scc ? s.sccOrigin : Origin();
  Bits in[3];
  unsigned widthIn = 32;
  auto load = [&](const Operand &operand, Bits &b) {
    switch (operand.kind) {
    case Operand::Kind::Scalar:
      b.value = operand.dwords == 2 ? wave.scalar64(operand.reg)
                                    : wave.scalars[operand.reg];
      b.undefined = operand.dwords == 2 ? scalarPair(s, operand.reg)
                                        : s.scalars[operand.reg];
      if (b.undefined)
        origin = s.scalarOrigin[uint32_t(b.undefined) ? operand.reg
                                                      : operand.reg + 1];
      break;
    case Operand::Kind::Constant:
      b.value = operand.constant;
      break;
    case Operand::Kind::Special:
      b.value = readScalar(wave, operand);
      if (static_cast<SpecialValue>(operand.reg) == SpecialValue::Scc)
        b.undefined = s.scc;
      break;
    default:
      break;
    }
    if (operand.dwords == 2)
      widthIn = 64;
  };
  for (unsigned i = 0; i < 3; ++i)
    load(op.src[i], in[i]);
  // The destination is a source too.
  const bool inPlace =
      name.starts_with("s_addk_") || name.starts_with("s_mulk_") ||
      name.starts_with("s_cmov") || name.starts_with("s_bitset") ||
      name.starts_with("s_cmpk_");
  Bits old;
  if (inPlace)
    load(op.dst, old);
  const uint64_t any =
      in[0].undefined | in[1].undefined | in[2].undefined | old.undefined;
  const bool sccWas = info.readsScc && s.scc;
  const unsigned width = op.dst.dwords == 2 ? 64 : 32;
  const uint64_t all = lowBits(width);
  const uint64_t exec = wave.exec();
  uint64_t u = any || sccWas ? all : 0;
  bool sccUndefined = any || sccWas;
  // Whether SCC only says that the result is not zero, and the result.
  bool sccNotZero = false;
  uint64_t result = 0;
  auto logic = [&](uint64_t undefined, uint64_t value) {
    u = undefined & all;
    result = value & all;
    sccNotZero = true;
  };
  auto inverted = [](const Bits &b) { return Bits{~b.value, b.undefined}; };
  const unsigned amountMask = width == 64 ? 63 : 31;
  StringRef stem =
      name.drop_back(name.ends_with("_b32") || name.ends_with("_b64") ? 4 : 0);

  if (info.writesExec &&
      (name.contains("_saveexec_") || name.contains("_wrexec_"))) {
    Bits a = in[0], e{exec, 0};
    if (name.contains("andn1") || name.contains("orn1") ||
        name.contains("not0"))
      a = inverted(a);
    if (name.contains("andn2") || name.contains("orn2") ||
        name.contains("not1"))
      e = inverted(e);
    uint64_t next =
        name.starts_with("s_and") || name.starts_with("s_nand") ? andBits(a, e)
        : name.starts_with("s_or") || name.starts_with("s_nor") ? orBits(a, e)
                                                                : a.undefined;
    writeScalar(wave, s, op, kExec, width / 32, next, origin);
    writeScalar(wave, s, op, op.dst.reg, width / 32,
                name.contains("_wrexec_") ? next : 0, origin);
    s.scc = false;
    return;
  }
  if (stem == "s_mov" || stem == "s_not")
    logic(in[0].undefined, stem == "s_not" ? ~in[0].value : in[0].value);
  else if (stem == "s_and" || stem == "s_nand")
    logic(andBits(in[0], in[1]), stem == "s_and"
                                     ? in[0].value & in[1].value
                                     : ~(in[0].value & in[1].value));
  else if (stem == "s_andn2")
    logic(andBits(in[0], inverted(in[1])), in[0].value & ~in[1].value);
  else if (stem == "s_or" || stem == "s_nor")
    logic(orBits(in[0], in[1]), stem == "s_or" ? in[0].value | in[1].value
                                               : ~(in[0].value | in[1].value));
  else if (stem == "s_orn2")
    logic(orBits(in[0], inverted(in[1])), in[0].value | ~in[1].value);
  else if (stem == "s_xor" || stem == "s_xnor")
    logic(any, stem == "s_xor" ? in[0].value ^ in[1].value
                               : ~(in[0].value ^ in[1].value));
  else if (stem == "s_lshl" && !(in[1].undefined & amountMask))
    logic(in[0].undefined << (in[1].value & amountMask),
          in[0].value << (in[1].value & amountMask));
  else if (stem == "s_lshr" && !(in[1].undefined & amountMask))
    logic((in[0].undefined & all) >> (in[1].value & amountMask),
          (in[0].value & all) >> (in[1].value & amountMask));
  else if (name.starts_with("s_bfe_") && !in[1].undefined) {
    const uint64_t offset = in[1].value & amountMask;
    const unsigned bits = in[1].value >> 16 & 127;
    uint64_t part = (in[0].undefined & all) >> offset & lowBits(bits);
    if (name.starts_with("s_bfe_i") && part)
      part = upwards(part);
    logic(part, (in[0].value & all) >> offset & lowBits(bits));
  } else if (name.starts_with("s_pack_")) {
    const uint32_t a = static_cast<uint32_t>(in[0].undefined),
                   b = static_cast<uint32_t>(in[1].undefined);
    u = (name[7] == 'l' ? a & 0xffff : a >> 16) |
        (name[8] == 'l' ? b << 16 : b & 0xffff0000);
  } else if (name.starts_with("s_cselect")) {
    u = s.scc ? (any | (in[0].value ^ in[1].value)) & all
              : in[wave.scc ? 0 : 1].undefined & all;
  } else if (name.starts_with("s_cmov")) {
    u = s.scc ? all : wave.scc ? in[0].undefined & all : old.undefined & all;
  } else if (name == "s_cmp_eq_u32" || name == "s_cmp_lg_u32" ||
             name == "s_cmp_eq_i32" || name == "s_cmp_lg_i32" ||
             name == "s_cmp_eq_u64" || name == "s_cmp_lg_u64") {
    // Decided when a defined bit differs.
    sccUndefined = !((in[0].value ^ in[1].value) & ~any & lowBits(widthIn));
  } else if (name.starts_with("s_bitcmp")) {
    const unsigned bit = in[1].value & (widthIn - 1);
    sccUndefined = in[1].undefined || (in[0].undefined >> bit & 1);
  } else if (name.starts_with("s_add") || name.starts_with("s_sub") ||
             name.starts_with("s_mul_i32") || name.starts_with("s_mul_u64") ||
             name.starts_with("s_mulk")) {
    u = sccWas ? all : upwards(any) & all;
  } else if (name.starts_with("s_sext_i32_i8") ||
             name.starts_with("s_sext_i32_i16")) {
    u = upwards(in[0].undefined & lowBits(name.ends_with("i8") ? 8 : 16)) & all;
  }
  if (info.writesScc) {
    if (sccNotZero)
      sccUndefined = u && !(result & ~u);
    s.scc = sccUndefined;
    s.sccOrigin = origin;
  }
  for (const RegRange &range : info.writes)
    writeScalar(wave, s, op, range.first, range.count, u, origin);
}

/// ds_swizzle, ds_permute, ds_bpermute.
void Definedness::permute(Wave &wave, WaveShadow &s, const Op &op) {
  StringRef name = op.inst->mnemonic;
  const uint64_t exec = wave.exec();
  if (name.starts_with("ds_swizzle")) {
    if (!s.lanes[op.src[0].reg] && !s.lanes[op.dst.reg])
      return;
    uint32_t *rows = wave.rows;
    wave.rows = s.bits.get();
    op.handler(wave, op);
    wave.rows = rows;
    s.lanes[op.dst.reg] = 0;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      s.lanes[op.dst.reg] |= uint64_t(s.row(op.dst.reg)[lane] != 0) << lane;
    s.rowOrigin[op.dst.reg] = s.rowOrigin[op.src[0].reg];
    return;
  }
  const unsigned address = op.src[0].reg, data = op.src[1].reg;
  const bool forward = name.starts_with("ds_permute");
  const uint32_t *at = wave.row(address);
  uint32_t out[kRowLanes] = {};
  if (s.lanes[address] & exec) {
    report(wave, op, s.lanes[address] & exec,
           "the lane to exchange with depends on it", s.rowOrigin[address]);
    s.define(address, exec);
  }
  const Origin origin = s.rowOrigin[data];
  if (s.lanes[data])
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      unsigned other = (at[lane] + static_cast<uint32_t>(op.imm)) / 4;
      other = op.flags ? (other & 31) | (lane & 32) : other & (wave.lanes - 1);
      const unsigned from = forward ? lane : other, to = forward ? other : lane;
      if (exec >> from & 1 || (!forward && op.width & 1))
        out[to] = s.row(data)[from];
    }
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    s.setBits(op.dst.reg, lane, out[lane]);
  }
  if (s.lanes[op.dst.reg])
    s.rowOrigin[op.dst.reg] = origin;
}

/// Bits of a register that a load of `format` writes.
static uint32_t writtenBits(const MemoryFormat &format) {
  switch (format.kind) {
  case MemoryFormat::D16:
  case MemoryFormat::D16Sext:
    return 0xffff;
  case MemoryFormat::D16Hi:
  case MemoryFormat::D16HiSext:
    return 0xffff0000;
  default:
    return ~0u;
  }
}

static bool hasFormat(const OpInfo &info) {
  return info.access != AccessKind::Atomic &&
         info.opClass != OpClass::ScalarMemory;
}

/// Compare-and-swap in LDS, which access() looks at.
static bool comparesLds(const Op &op) {
  return op.info->opClass == OpClass::Lds &&
         op.info->access == AccessKind::Atomic &&
         static_cast<const AtomicOp *>(op.table)->kind == AtomicKind::CmpSwap;
}

/// Atomics on a byte or a half of a dword are loops of compare-and-swap on the
/// whole of it: they give back the undefined bits beside it as they found them.
/// That is no use of them, and the comparison settles what they are.
void Definedness::compareAndSwap(Wave &wave, WaveShadow &s, LdsShadow &lds,
                                 const Op &op, const MemoryAccess &access) {
  const bool newFirst =
      llvm::StringRef(op.inst->mnemonic).starts_with("ds_cmpstore");
  const unsigned compare = op.src[newFirst ? 2 : 1].reg;
  const unsigned next = op.src[newFirst ? 1 : 2].reg;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t at = access.addresses[lane];
    if (at + access.bytes > wave.group->lds.size())
      return; // The executor faults.
    bool swaps = true;
    for (unsigned k = 0; k < access.bytes / 4; ++k) {
      uint32_t there;
      std::memcpy(&there, &wave.group->lds[at + 4 * k], 4);
      swaps &= there == wave.row(compare + k)[lane];
    }
    for (unsigned k = 0; k < access.bytes / 4; ++k) {
      uint32_t before, there;
      std::memcpy(&before, &lds.bits[at + 4 * k], 4);
      std::memcpy(&there, &wave.group->lds[at + 4 * k], 4);
      for (unsigned row : {compare + k, next + k})
        if (s.row(row)[lane] & ~before)
          report(wave, op, uint64_t(1) << lane, "an atomic operation takes it",
                 s.rowOrigin[row]);
      // Bits that stay as they are were not written: other lanes may have read
      // them before.
      const uint32_t changed = there ^ wave.row(next + k)[lane];
      if (swaps)
        lds.set(at + 4 * k, 4, before & (s.row(next + k)[lane] | ~changed));
      s.setBits(compare + k, lane, 0);
      s.setBits(next + k, lane, 0);
    }
  }
}

/// Addresses must be defined, and so must what atomics combine. What a load
/// brings is taken as defined here; access() knows better for LDS and scratch.
void Definedness::memory(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  const uint64_t exec = wave.exec();
  if (!exec && info.opClass != OpClass::ScalarMemory)
    return;
  for (const RegRange &range : info.reads) {
    const bool data = range.role == RegRange::Data;
    if (data && (info.access != AccessKind::Atomic || comparesLds(op)))
      continue;
    const char *what =
        data ? "an atomic operation takes it" : "an address depends on it";
    for (unsigned k = 0; k < range.count; ++k) {
      const unsigned reg = range.first + k;
      if (range.vector && s.lanes[reg] & exec) {
        report(wave, op, s.lanes[reg] & exec, what, s.rowOrigin[reg]);
        s.define(reg, exec);
      } else if (!range.vector && s.scalars[reg]) {
        report(wave, op, exec, what, s.scalarOrigin[reg]);
        s.scalars[reg] = 0;
      }
    }
  }
  for (const RegRange &range : info.writes) {
    if (!range.vector) {
      for (unsigned k = 0; k < range.count; ++k)
        s.scalars[range.first + k] = 0;
      continue;
    }
    uint32_t written = ~0u;
    if (hasFormat(info) && op.table)
      written = writtenBits(*static_cast<const MemoryFormat *>(op.table));
    for (unsigned k = 0; k < range.count; ++k) {
      const unsigned reg = range.first + k;
      if (written == ~0u) {
        s.define(reg, exec);
        continue;
      }
      for (uint64_t rest = exec & s.lanes[reg]; rest; rest &= rest - 1) {
        unsigned lane = llvm::countr_zero(rest);
        s.setBits(reg, lane, s.row(reg)[lane] & ~written);
      }
    }
  }
}

void Definedness::access(Wave &wave, WaveShadow &s, LdsShadow &lds,
                         const Op &op, const MemoryAccess &access) {
  const OpInfo &info = *op.info;
  if (access.space == MemorySpace::Scalar)
    return;
  if (access.kind == AccessKind::Read && access.space == MemorySpace::Global)
    return;
  const unsigned dwords = access.bytes < 4 ? 1 : access.bytes / 4;
  const uint32_t narrow = access.bytes < 4 ? (1u << 8 * access.bytes) - 1 : ~0u;
  const unsigned dataRow =
      access.data ? static_cast<unsigned>((access.data - wave.rows) / kRowLanes)
                  : 0;

  if (access.space == MemorySpace::Global) {
    if (access.kind == AccessKind::Atomic)
      return; // memory() has looked at the data.
    for (unsigned k = 0; k < dwords; ++k) {
      const unsigned row = dataRow + k;
      uint64_t bad = 0;
      for (uint64_t rest = s.lanes[row] & access.lanes; rest;
           rest &= rest - 1) {
        unsigned lane = llvm::countr_zero(rest);
        uint32_t u = s.row(row)[lane] >> (access.dataHigh ? 16 : 0);
        bad |= uint64_t((u & narrow) != 0) << lane;
      }
      if (bad)
        report(wave, op, bad, "it is stored to global memory",
               s.rowOrigin[row]);
    }
    return;
  }

  const bool isLds = access.space == MemorySpace::Lds;
  if (comparesLds(op))
    return compareAndSwap(wave, s, lds, op, access);
  if (isLds && !lds.undefinedBytes) {
    uint64_t undefined = 0;
    if (access.kind == AccessKind::Write && !access.dma)
      for (unsigned k = 0; k < dwords; ++k)
        undefined |= s.lanes[dataRow + k];
    if (!(undefined & access.lanes))
      return;
  }
  std::vector<uint8_t> &memory = isLds ? lds.bits : s.scratch;
  /// The shadow of a lane's byte, or null when it is outside (the executor
  /// faults then).
  auto place = [&](unsigned lane) -> const uint8_t * {
    uint64_t at = access.addresses[lane];
    uint64_t end = isLds ? memory.size() - 16 : wave.scratchBytes;
    if (at + access.bytes > end || at + access.bytes < at)
      return nullptr;
    return &memory[isLds ? at : uint64_t(lane) * wave.scratchBytes + at];
  };
  auto set = [&](unsigned lane, unsigned offset, uint32_t undefined) {
    const unsigned bytes = std::min(4u, access.bytes - offset);
    if (isLds)
      lds.set(access.addresses[lane] + offset, bytes, undefined);
    else
      std::memcpy(&s.scratch[uint64_t(lane) * wave.scratchBytes +
                             access.addresses[lane] + offset],
                  &undefined, bytes);
  };
  auto define = [&] {
    for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
      const unsigned lane = llvm::countr_zero(rest);
      for (unsigned k = 0; place(lane) && k < access.bytes; k += 4)
        set(lane, k, 0);
    }
  };
  if (access.dma)
    return define();
  // What an atomic gives back, and what it leaves, is defined as far as what
  // was there.
  const bool reads = access.kind == AccessKind::Read ||
                     (access.kind == AccessKind::Atomic && info.returns);
  if (reads) {
    uint32_t any = 0;
    for (uint64_t rest = access.lanes; rest; rest &= rest - 1)
      if (const uint8_t *at = place(llvm::countr_zero(rest)))
        for (unsigned k = 0; k < access.bytes; k += 4) {
          uint32_t u = 0;
          std::memcpy(&u, at + k, std::min(4u, access.bytes - k));
          any |= u;
        }
    if (any && op.dst.kind == Operand::Kind::Vector) {
      const MemoryFormat *format =
          hasFormat(info) ? static_cast<const MemoryFormat *>(op.table)
                          : nullptr;
      const bool transposes = StringRef(op.inst->mnemonic).contains("_tr_");
      for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
        unsigned lane = llvm::countr_zero(rest);
        const uint8_t *at = place(lane);
        if (!at)
          continue;
        for (unsigned k = 0; k < dwords; ++k) {
          uint32_t u = 0;
          std::memcpy(&u, at + 4 * k, std::min(4u, access.bytes - 4 * k));
          const unsigned row = op.dst.reg + access.firstDword + k;
          if (transposes)
            u = ~0u; // Which lanes get it is not followed.
          uint32_t into = u;
          if (format && format->kind != MemoryFormat::Dwords && !transposes) {
            uint32_t written = writtenBits(*format);
            const bool sext = format->kind == MemoryFormat::Sext ||
                              format->kind == MemoryFormat::D16Sext ||
                              format->kind == MemoryFormat::D16HiSext;
            if (sext && u)
              u = static_cast<uint32_t>(upwards(u));
            if (written == 0xffff0000)
              u <<= 16;
            into = (s.row(row)[lane] & ~written) | (u & written);
          }
          s.setBits(row, lane, into);
          if (into)
            s.rowOrigin[row] = {&op, isLds ? Origin::Lds : Origin::Scratch};
        }
      }
    }
  }
  if (access.kind == AccessKind::Atomic) {
    // A swap leaves what it was given, which memory() has looked at; the others
    // leave as many undefined bits as they find.
    if (static_cast<const AtomicOp *>(op.table)->kind == AtomicKind::Swap)
      define();
    return;
  }
  if (access.kind != AccessKind::Write)
    return;
  for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    if (!place(lane))
      continue;
    for (unsigned k = 0; k < dwords; ++k)
      set(lane, 4 * k,
          s.lanes[dataRow + k] >> lane & 1
              ? s.row(dataRow + k)[lane] >> (access.dataHigh ? 16 : 0)
              : 0);
  }
}

void Definedness::branch(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  if (info.readsScc && s.scc) {
    report(wave, op, 0, "a branch depends on it", s.sccOrigin);
    s.scc = false;
  }
  for (const RegRange &range : info.reads) {
    uint64_t undefined = s.scalars[range.first];
    if (range.count > 1)
      undefined = scalarPair(s, range.first);
    if (!undefined)
      continue;
    if (range.first == kVcc) {
      // Not zero, whatever the undefined bits are.
      const uint64_t mask = wave.laneMask();
      if (wave.vcc() & ~undefined & mask || !(undefined & mask))
        continue;
      undefined &= mask;
    }
    report(wave, op, 0, "a branch depends on it", s.scalarOrigin[range.first]);
    for (unsigned k = 0; k < range.count; ++k)
      s.scalars[range.first + k] = 0;
  }
  for (const RegRange &range : info.writes)
    for (unsigned k = 0; k < range.count; ++k)
      s.scalars[range.first + k] = 0;
}
