//===- LaneRun.cpp - Running a lane kernel under EXEC ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/LaneMemory.h"
#include "simulator/exec/vector/LaneSupport.h"
#include "simulator/exec/vector/OperandParts.h"
#include "simulator/isa/InstructionRecord.h"

#include <iterator>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace aircc::sim {
namespace {

// Masks. Here and below, `lanes` is the number of lanes of the wave.

void expandMask(u64 mask, u32 *row, unsigned lanes) {
#if defined(__AVX512F__)
  for (unsigned i = 0; i < lanes; i += 16)
    _mm512_storeu_si512(row + i, _mm512_maskz_set1_epi32(
                                     static_cast<__mmask16>(mask >> i), -1));
#elif defined(__AVX2__)
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  for (unsigned i = 0; i < lanes; i += 8) {
    const __m256i part = _mm256_set1_epi32(static_cast<i32>(mask >> i));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(row + i),
                        _mm256_cmpeq_epi32(_mm256_and_si256(part, bits), bits));
  }
#else
  LANE_LOOP(row[i] = 0u - static_cast<u32>(mask >> i & 1))
#endif
}

u64 packMask(const u32 *row, unsigned lanes) {
  u64 mask = 0;
#if defined(__AVX512F__)
  for (unsigned i = 0; i < lanes; i += 16) {
    __m512i v = _mm512_loadu_si512(row + i);
    mask |= static_cast<u64>(_mm512_test_epi32_mask(v, v)) << i;
  }
#elif defined(__AVX2__)
  for (unsigned i = 0; i < lanes; i += 8)
    mask |= static_cast<u64>(static_cast<u8>(_mm256_movemask_ps(
                _mm256_loadu_ps(reinterpret_cast<const float *>(row + i)))))
            << i;
#else
  for (unsigned i = 0; i < lanes; ++i)
    mask |= static_cast<u64>(row[i] & 1) << i;
#endif
  return mask;
}

void blend(u32 *dst, const u32 *src, const u32 *mask, unsigned lanes) {
  LANE_LOOP(dst[i] = (src[i] & mask[i]) | (dst[i] & ~mask[i]))
}

void fill(u32 *row, u32 value, unsigned lanes) { LANE_LOOP(row[i] = value) }

void copyRows(u32 *to, const u32 *from, unsigned rows, unsigned lanes) {
  for (unsigned r = 0; r < rows; ++r)
    std::memcpy(to + r * kRowLanes, from + r * kRowLanes, lanes * sizeof(u32));
}

LANE_INLINE const u32 *execRows(Wave &wave) {
  u64 exec = wave.exec();
  if (wave.execRowsFor != exec) {
    expandMask(exec, wave.execRows, wave.lanes);
    wave.execRowsFor = exec;
  }
  return wave.execRows;
}

LANE_INLINE void broadcast(u32 *rows, u64 value, unsigned dwords,
                           unsigned lanes) {
  fill(rows, static_cast<u32>(value), lanes);
  if (dwords == 2)
    fill(rows + kRowLanes, static_cast<u32>(value >> 32), lanes);
}

/// Returns the value of an operand that is not a vector register.
LANE_INLINE u64 uniformValue(const Wave &wave, const Operand &operand) {
  if (operand.kind != Operand::Kind::Scalar)
    return readScalar(wave, operand);
  return operand.dwords == 2 ? wave.scalar64(operand.reg)
                             : wave.scalars[operand.reg];
}

/// Returns the rows of an operand without modifiers.
template <bool IsScalar>
LANE_INLINE const u32 *source(Wave &wave, const Op &op, unsigned index) {
  const Operand &operand = op.src[index];
  if constexpr (IsScalar) {
    broadcast(wave.temp[index], uniformValue(wave, operand), operand.dwords,
              wave.lanes);
    return wave.temp[index];
  } else {
    return operand.rows ? operand.rows : wave.row(operand.reg);
  }
}

// Plain operations, where bit i of Scalars says that source i is a scalar.

/// Executes an operation if some lanes are inactive. Not inlined, for a small
/// stack frame in the common case.
__attribute__((noinline)) bool runMasked(Wave &wave, const Op &op, const u32 *a,
                                         const u32 *b, const u32 *c) {
  if (wave.exec() == 0)
    return false;
  op.kernel(wave.temp[3], nullptr, a, b, c, wave.lanes);
  const u32 *mask = execRows(wave);
  u32 *d = wave.row(op.dst.reg);
  for (unsigned r = 0; r < op.dst.dwords; ++r)
    blend(d + r * kRowLanes, wave.temp[3] + r * kRowLanes, mask, wave.lanes);
  return false;
}

template <unsigned Scalars> bool runPlain(Wave &wave, const Op &op) {
  const u32 *a = source<(Scalars & 1) != 0>(wave, op, 0);
  const u32 *b = source<(Scalars & 2) != 0>(wave, op, 1);
  const u32 *c = source<(Scalars & 4) != 0>(wave, op, 2);
  if (!wave.execFull)
    return runMasked(wave, op, a, b, c);
  op.kernel(wave.row(op.dst.reg), nullptr, a, b, c, wave.lanes);
  return false;
}

/// Returns the mask in an operand, as rows of the temporary `index`.
LANE_INLINE const u32 *maskRows(Wave &wave, const Op &op, unsigned index) {
  const Operand &operand = op.src[index];
  expandMask(operand.kind == Operand::Kind::Scalar ? wave.mask(operand.reg)
                                                   : readScalar(wave, operand),
             wave.temp[index], wave.lanes);
  return wave.temp[index];
}

/// Same as runPlain, but the last of three sources is a mask.
template <unsigned Scalars> bool runSelect(Wave &wave, const Op &op) {
  const u32 *a = source<(Scalars & 1) != 0>(wave, op, 0);
  const u32 *b = source<(Scalars & 2) != 0>(wave, op, 1);
  const u32 *c = maskRows(wave, op, 2);
  if (!wave.execFull)
    return runMasked(wave, op, a, b, c);
  op.kernel(wave.row(op.dst.reg), nullptr, a, b, c, wave.lanes);
  return false;
}

template <unsigned Scalars> bool runCompare(Wave &wave, const Op &op) {
  const u32 *a = source<(Scalars & 1) != 0>(wave, op, 0);
  const u32 *b = source<(Scalars & 2) != 0>(wave, op, 1);
  op.kernel(wave.temp[3], nullptr, a, b, nullptr, wave.lanes);
  wave.setMask(op.dst.reg, packMask(wave.temp[3], wave.lanes) & wave.exec());
  return false;
}

// The general handler

LANE_INLINE u32 sdwaExtract(u32 v, BitPart part, bool sext) {
  const u32 value = part.of(v);
  const unsigned above = 32 - part.width;
  return sext ? static_cast<u32>(static_cast<i32>(value << above) >> above)
              : value;
}

/// Applies neg and abs to the sign bit (or bits) of a value of type `type`, in
/// place.
void applySign(u32 *rows, const Operand &operand, unsigned lanes) {
  switch (operand.type) {
  case ValueType::F64:
  case ValueType::B64: {
    u32 *high = rows + kRowLanes;
    if (operand.abs)
      LANE_LOOP(high[i] &= 0x7fffffff)
    if (operand.neg)
      LANE_LOOP(high[i] ^= 0x80000000)
    return;
  }
  case ValueType::F16:
  case ValueType::BF16:
  case ValueType::B16:
    if (operand.abs)
      LANE_LOOP(rows[i] &= ~0x8000u)
    if (operand.neg)
      LANE_LOOP(rows[i] ^= 0x8000)
    return;
  default:
    if (operand.abs)
      LANE_LOOP(rows[i] &= 0x7fffffff)
    if (operand.neg)
      LANE_LOOP(rows[i] ^= 0x80000000)
    return;
  }
}

/// Applies VOP3P's selection and negation by half. `wide` selects whole rows.
void applyPacked(u32 *out, const u32 *in, const Operand &operand,
                 unsigned lanes) {
  if (operand.type == ValueType::PkF32 || operand.type == ValueType::PkB32) {
    u32 signLow = operand.negLo ? 0x80000000 : 0;
    u32 signHigh = operand.negHi ? 0x80000000 : 0;
    const u32 *a = in + (operand.opSel & 1 ? kRowLanes : 0);
    const u32 *b = in + (operand.opSel & 2 ? kRowLanes : 0);
    LANE_LOOP(out[i] = a[i] ^ signLow; out[i + kRowLanes] = b[i] ^ signHigh)
    return;
  }
  u32 sign = (operand.negLo ? 0x8000u : 0) | (operand.negHi ? 0x80000000 : 0);
  const unsigned opSel = operand.opSel;
  LANE_LOOP(out[i] = packedHalves(in[i], opSel) ^ sign)
}

const u32 *prepareSource(Wave &wave, const Op &op, unsigned index,
                         u64 &writable) {
  const Operand &operand = op.src[index];
  const InstructionModifiers &mods = *op.mods;
  u32 *temp = wave.temp[index];
  const u32 *in;
  const unsigned lanes = wave.lanes;
  if (operand.type == ValueType::Mask)
    return maskRows(wave, op, index);
  if (operand.kind == Operand::Kind::Vector)
    in = wave.row(operand.reg);
  else if (operand.kind == Operand::Kind::Constant)
    in = operand.rows;
  else if (operand.kind == Operand::Kind::None)
    return nullptr;
  else {
    broadcast(temp, uniformValue(wave, operand), operand.dwords, lanes);
    in = temp;
  }
  const unsigned rows = operand.dwords;
  if (index == 0 && mods.dpp != DppKind::None) {
    u32 *out = wave.temp[4];
    const u64 exec = wave.exec();
    for (int lane = 0; lane < static_cast<int>(wave.lanes); ++lane) {
      const DppLane dpp = dppLane(mods, lane, wave.lanes, exec);
      if (!dpp.writes)
        writable &= ~(u64(1) << lane);
      for (unsigned r = 0; r < rows; ++r)
        out[r * kRowLanes + lane] =
            dpp.from >= 0 ? in[r * kRowLanes + dpp.from] : 0;
    }
    copyRows(temp, out, rows, lanes);
    in = temp;
  }
  if (mods.sdwa && index < 2 &&
      (mods.srcSel[index] != SdwaSel::Dword || operand.sext)) {
    const BitPart part = sdwaPart(mods.srcSel[index]);
    LANE_LOOP(temp[i] = sdwaExtract(in[i], part, operand.sext))
    in = temp;
  }
  switch (operand.type) {
  case ValueType::PkF16:
  case ValueType::PkBF16:
  case ValueType::PkB16:
    if (operand.opSel != 2 || operand.negLo || operand.negHi) {
      applyPacked(temp, in, operand, lanes);
      in = temp;
    }
    return in;
  case ValueType::PkF32:
  case ValueType::PkB32:
    if (operand.opSel != 2 || operand.negLo || operand.negHi) {
      u32 *out = in == temp ? wave.temp[4] : temp;
      applyPacked(out, in, operand, lanes);
      if (out != temp)
        copyRows(temp, out, 2, lanes);
      in = temp;
    }
    return in;
  case ValueType::Mix:
    if (const BitPart part = halfPart(operand); !part.isAll()) {
      LANE_LOOP(temp[i] = bitsOf(halfToFloat(part.of(in[i]))))
      in = temp;
    }
    break;
  case ValueType::F16:
  case ValueType::BF16:
  case ValueType::B16:
    // 16-bit kernels ignore the high half.
    if (operand.opSel & 1 || operand.widen) {
      const BitPart part = halfPart(operand);
      LANE_LOOP(temp[i] = part.of(in[i]))
      in = temp;
    }
    break;
  default:
    break;
  }
  if (operand.neg || operand.abs) {
    if (in != temp)
      copyRows(temp, in, rows, lanes);
    applySign(temp, operand, lanes);
    in = temp;
  }
  return in;
}

/// Applies a MODE other than HSA's default to sources: without IEEE, signaling
/// NaNs become quiet; with FP16_OVFL, values beyond an 8-bit format become its
/// limit.
void applyModeToSources(Wave &wave, const Op &op, const u32 **sources) {
  const bool quiets = !wave.ieee && (op.flags & kQuietsWithoutIeee);
  const u32 limits = kLimit448 | kLimit240 | kLimit57344;
  const bool limited = wave.fp16Saturates && (op.flags & limits);
  if (!quiets && !limited)
    return;
  const float limit = op.flags & kLimit448   ? 448.0f
                      : op.flags & kLimit240 ? 240.0f
                                             : 57344.0f;
  for (unsigned s = 0; s < op.srcCount; ++s) {
    u32 *temp = wave.temp[s];
    if (sources[s] != temp)
      std::memcpy(temp, sources[s], op.src[s].dwords * kRowLanes * 4);
    sources[s] = temp;
    for (unsigned i = 0; i < kRowLanes; ++i) {
      u32 v = temp[i];
      switch (op.src[s].type) {
      case ValueType::F32:
        if (quiets && (v & 0x7fffffff) > 0x7f800000)
          v |= 0x400000;
        if (limited && std::fabs(asF32(v)) < asF32(0x7f800000) &&
            std::fabs(asF32(v)) > limit)
          v = bitsOf(std::copysign(limit, asF32(v)));
        break;
      case ValueType::F16:
        if (quiets && (v & 0x7fff) > 0x7c00)
          v |= 0x200;
        break;
      case ValueType::PkF16:
        if (quiets && (v & 0x7fff) > 0x7c00)
          v |= 0x200;
        if (quiets && (v >> 16 & 0x7fff) > 0x7c00)
          v |= 0x2000000;
        break;
      case ValueType::F64: {
        u32 high = temp[i + kRowLanes], magnitude = high & 0x7fffffff;
        if (quiets &&
            (magnitude > 0x7ff00000 || (magnitude == 0x7ff00000 && v)))
          temp[i + kRowLanes] = high | 0x80000;
        break;
      }
      default:
        break;
      }
      temp[i] = v;
    }
  }
}

bool isInfinite(ValueType type, const u32 *row, unsigned i, unsigned half) {
  switch (type) {
  case ValueType::F32:
  case ValueType::Mix:
    return (row[i] & 0x7fffffff) == 0x7f800000;
  case ValueType::F16:
    return (row[i] & 0x7fff) == 0x7c00;
  case ValueType::PkF16:
    return (row[i] >> 16 * half & 0x7fff) == 0x7c00;
  case ValueType::F64:
    return (row[i + kRowLanes] & 0x7fffffff) == 0x7ff00000 && !row[i];
  default:
    return false;
  }
}

/// Applies FP16_OVFL: f16 infinities become the largest number unless an
/// operand is infinite.
void saturateHalves(u32 *rows, const Op &op, const u32 *const *sources) {
  const bool packed = op.dst.type == ValueType::PkF16;
  if ((op.dst.type != ValueType::F16 && !packed) || (op.flags & kTrueInfinity))
    return;
  for (unsigned i = 0; i < kRowLanes; ++i)
    for (unsigned half = 0; half < (packed ? 2u : 1u); ++half) {
      if ((rows[i] >> 16 * half & 0x7fff) != 0x7c00)
        continue;
      bool infinite = false;
      for (unsigned s = 0; s < op.srcCount; ++s)
        infinite |= isInfinite(op.src[s].type, sources[s], i, half);
      if (!infinite)
        rows[i] -= 1u << 16 * half; // 0x7bff
    }
}

/// Applies omod if MODE allows it (-0 becomes +0), then clamps to [0, 1]. NaN
/// clamps to 0 (MODE.DX10_CLAMP is set for all HSA kernels) or stays.
template <class E>
void finishFloat(u32 *rows, const InstructionModifiers &mods, bool keepsNan,
                 bool scales, unsigned lanes) {
  using T = typename E::T;
  const T factor = mods.omodMul == -2 ? T(0.5) : T(mods.omodMul);
  scales &= factor != T(1);
  for (unsigned i = 0; i < lanes; ++i) {
    T v = E::get(rows, i);
    if (scales)
      v = v * factor + T(0);
    if (mods.clamp && !(keepsNan && v != v))
      v = v > T(0) ? (v < T(1) ? v : T(1)) : T(0);
    E::put(rows, i, v);
  }
}

void finishResult(u32 *rows, const Op &op, const Wave &wave) {
  const InstructionModifiers &mods = *op.mods;
  const bool keepsNan = wave.keepsClampedNan;
  const unsigned lanes = wave.lanes;
  if (mods.omodMul == 1 && !mods.clamp)
    return;
  switch (op.dst.type) {
  case ValueType::F32:
    return finishFloat<F32>(rows, mods, keepsNan, wave.scalesSingle, lanes);
  case ValueType::F64:
    return finishFloat<F64>(rows, mods, keepsNan, wave.scalesDouble, lanes);
  case ValueType::F16:
    return finishFloat<F16>(rows, mods, keepsNan, wave.scalesDouble, lanes);
  case ValueType::PkF32:
    finishFloat<F32>(rows, mods, keepsNan, wave.scalesSingle, lanes);
    return finishFloat<F32>(rows + kRowLanes, mods, keepsNan, wave.scalesSingle,
                            lanes);
  case ValueType::PkF16: {
    const float factor = mods.omodMul == -2 ? 0.5f : mods.omodMul;
    for (unsigned i = 0; i < lanes; ++i) {
      // These are two F16 results.
      u32 halves[2] = {rows[i] & 0xffff, rows[i] >> 16};
      for (u32 &h : halves) {
        float v = halfToFloat(h);
        if (wave.scalesDouble && factor != 1)
          v = v * factor + 0.0f;
        if (mods.clamp && !(keepsNan && v != v))
          v = v > 0 ? (v < 1 ? v : 1.0f) : 0.0f;
        h = floatToHalf(v);
      }
      rows[i] = halves[0] | halves[1] << 16;
    }
    return;
  }
  default:
    return; // For integers, clamp has its own table entry.
  }
}

/// Keeps the parts of the register's old value that the result does not
/// replace.
void mergeResult(u32 *rows, const u32 *old, const Op &op, unsigned lanes) {
  const ResultPart part = resultPart(*op.mods, op.dst);
  if (part.isAll())
    return;
  const u32 mask = part.mask();
  const u32 kept = part.rest == ResultPart::Keep ? ~mask : 0;
  const unsigned end = part.shift + part.width;
  const u32 above = part.rest == ResultPart::Sign && end < 32 ? ~0u << end : 0;
  for (unsigned i = 0; i < lanes; ++i) {
    const u32 value = rows[i] << part.shift & mask;
    const u32 sign = value >> (end - 1) & 1;
    rows[i] = value | (old[i] & kept) | (sign ? above : 0);
  }
}

bool runGeneral(Wave &wave, const Op &op) {
  u64 exec = wave.exec();
  u64 writable = exec;
  const u32 *sources[3] = {nullptr, nullptr, nullptr};
  for (unsigned i = 0; i < op.srcCount; ++i)
    sources[i] = prepareSource(wave, op, i, writable);
  u32 *d = wave.temp[3];
  u32 *d2 = wave.temp[5];
  const InstructionRecord &record = *op.record;
  const unsigned lanes = wave.lanes;
  if (wave.specialMode)
    applyModeToSources(wave, op, sources);
  if (record.has(trait::ReadsVcc))
    expandMask(wave.vcc(), d2, lanes);
  if (record.hasAny(trait::TakesImmediate))
    fill(d2, static_cast<u32>(op.imm), lanes);
  op.kernel(d, d2, sources[0], sources[1], sources[2], lanes);
  if (op.dst.type == ValueType::Mask) {
    // With DPP, the bits of lanes that are not written are cleared.
    u64 mask = packMask(d, lanes) & writable;
    if (op.dst.kind == Operand::Kind::Scalar)
      wave.setMask(op.dst.reg, mask);
    if (record.has(trait::WritesExec))
      wave.setExec(mask);
    return false;
  }
  if (wave.fp16Saturates)
    saturateHalves(d, op, sources);
  finishResult(d, op, wave);
  u32 *old = wave.row(op.dst.reg);
  mergeResult(d, old, op, lanes);
  const u32 *mask;
  if (writable == exec) {
    mask = execRows(wave);
  } else {
    expandMask(writable, wave.temp[4], lanes);
    mask = wave.temp[4];
  }
  for (unsigned r = 0; r < op.dst.dwords; ++r)
    blend(old + r * kRowLanes, d + r * kRowLanes, mask, lanes);
  if (op.dst2.kind == Operand::Kind::Scalar)
    wave.setMask(op.dst2.reg, packMask(d2, lanes) & exec);
  return false;
}

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable floatTable();
LaneTable integerTable();
LaneTable compareTable();
LaneTable convertTable();
LaneTable packedTable();
LaneTable float8Table();
LaneTable specialTable();

#define AIRCC_SIM_STRING2(X) #X
#define AIRCC_SIM_STRING(X) AIRCC_SIM_STRING2(X)

const LaneLevel &laneLevel() {
  static const LaneTable tables[] = {
      compareTable(), convertTable(), float8Table(), floatTable(),
      integerTable(), packedTable(),  specialTable()};
  static const LaneLevel level = {
      AIRCC_SIM_STRING(AIRCC_SIM_LEVEL),
      tables,
      std::size(tables),
      {runPlain<0>, runPlain<1>, runPlain<2>, runPlain<3>, runPlain<4>,
       runPlain<5>, runPlain<6>, runPlain<7>},
      {runCompare<0>, runCompare<1>, runCompare<2>, runCompare<3>,
       runCompare<0>, runCompare<1>, runCompare<2>, runCompare<3>},
      {runSelect<0>, runSelect<1>, runSelect<2>, runSelect<3>},
      runGeneral,
      addresses64,
      addresses32,
      span,
      gather,
      scatter,
      ldsRead,
      ldsReadTwo,
      ldsWrite,
      gatherSmall,
      scatterSmall,
      ldsReadSmall,
      ldsWriteSmall,
  };
  return level;
}
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
