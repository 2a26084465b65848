//===- MatrixKernels.cpp - Executes a plan, at one level ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Compiled once for each level of the host's vector instructions, without
// contraction of multiplications and additions (MatrixKernels.h). Only the
// level's table may have external linkage, and no inline function of another
// header may be called.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/matrix/MatrixFused.h"

#define LEVEL_STRING_(x) #x
#define LEVEL_STRING(x) LEVEL_STRING_(x)

namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL {
extern const MatrixLevel matrixLevel;

namespace {

/// Sets, for each sixteen lanes of B, which sixteen lanes they read, as
/// selected by blgp (AMD's matrix instruction calculator).
void pickGroups(unsigned blgp, uint8_t *groups) {
  constexpr uint8_t kPatterns[8][4] = {
      {0, 1, 2, 3}, // unchanged
      {0, 1, 0, 1}, // the first 32 lanes for all
      {2, 3, 2, 3}, // the second 32 lanes for all
      {1, 2, 3, 0}, // rotated down by sixteen lanes
      {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};
  for (unsigned g = 0; g < 4; ++g)
    groups[g] = kPatterns[blgp][g];
}

Form formOf(MatrixArithmetic arithmetic) {
  switch (arithmetic) {
  case MatrixArithmetic::FlushTree2:
  case MatrixArithmetic::FlushTree4:
    return Form::Flushed;
  case MatrixArithmetic::Fused:
  case MatrixArithmetic::FusedPaired:
    return Form::Split;
  case MatrixArithmetic::Integer:
    return Form::Integer;
  default:
    return Form::Value;
  }
}

/// Multiplies each 32 elements along K of a row by their E8M0 scale. The scale
/// is in lane (k / 32) * size + row, in the byte that op_sel selects.
void applyScales(Decoded &decoded, const InputLayout &layout, unsigned size,
                 unsigned k, const uint32_t *lanes, uint32_t constant,
                 unsigned byte) {
  int32_t most = -127, least = 127;
  for (unsigned n = 0; n < k; ++n) {
    const unsigned first = n / 32 * size;
    for (unsigned i = 0; i < size; ++i) {
      uint32_t word = lanes ? lanes[first + i] : constant;
      int32_t scale = word >> (8 * byte) & 255;
      unsigned at = layout.offset[n] + i;
      if (scale == 255) {
        decoded.floats[at] = asFloat(kDefaultNaN);
        decoded.special = true;
      } else {
        decoded.ints[at] += scale - 127;
        most = larger(most, scale - 127);
        least = smaller(least, scale - 127);
      }
    }
  }
  decoded.largest += most;
  decoded.smallest += least;
}

/// For a sparse form, finds the position of the row of B for each stored
/// element of each row of A. Two bits per stored element specify its position
/// among four elements along K. They are in the index register of the lane that
/// holds the element, in the order of its elements.
void findSparseRows(const MatrixPlan &plan, const InputLayout &a,
                    const InputLayout &b, const uint32_t *index, unsigned set,
                    uint16_t *rows) {
  unsigned shift = set * 2 * a.laneElements;
  for (unsigned k = 0; k < plan.storedK; ++k) {
    unsigned element = a.offset[k] / kLanes, lane = a.offset[k] % kLanes;
    for (unsigned i = 0; i < plan.m; ++i) {
      unsigned place = index[lane + i] >> (shift + 2 * element) & 3;
      rows[i * kMaxK + k] = b.offset[k / 2 * 4 + place];
    }
  }
}

/// Copies A of the 4x4 forms to all 64 lanes, as [k * 4 + row][lane], because
/// their sixteen blocks are side by side in the lanes of B and D.
void broadcastA(const Decoded &a, const uint16_t *offset, unsigned k,
                const uint8_t *aBlock, Decoded &out, uint16_t *outOffset) {
  for (unsigned n = 0; n < k; ++n) {
    outOffset[n] = n * 4 * kLanes;
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned l = 0; l < kLanes; ++l) {
        unsigned from = offset[n] + aBlock[l / 4] * 4 + i;
        unsigned to = outOffset[n] + i * kLanes + l;
        out.floats[to] = a.floats[from];
        out.ints[to] = a.ints[from];
      }
    }
  }
  out.special = a.special;
  out.largest = a.largest;
}

bool isHalf(MatrixType type) {
  return type == MatrixType::F16 || type == MatrixType::BF16;
}

/// Returns the registers from which C is read, or null if it is a constant.
const uint32_t *rowsOfC(const MatrixPlan &plan, const MatrixOperands &o) {
  // A sparse form adds to D.
  return plan.storedK != plan.k ? o.d : o.c;
}

/// Returns whether the sums can be computed in the registers of D, because they
/// have the layout of the accumulator and C is not in other registers there.
bool accumulatesInD(const MatrixPlan &plan, const MatrixModifiers &mods,
                    const MatrixOperands &o) {
  if (isHalf(plan.cType) || o.rowStride != kLanes ||
      (plan.cType != MatrixType::I32 && ((mods.negHi | mods.negLo) & 4)))
    return false;
  const uint32_t *c = rowsOfC(plan, o);
  const unsigned words = plan.cRegs * kLanes;
  return !c || c == o.d || c + words <= o.d || o.d + words <= c;
}

/// Copies C to the registers of D, in which the sums are then computed.
void loadCToD(const MatrixPlan &plan, const MatrixOperands &o) {
  const uint32_t *c = rowsOfC(plan, o);
  if (c == o.d)
    return;
  for (unsigned r = 0; r < plan.cRegs; ++r)
    for (unsigned l = 0; l < plan.waveSize; ++l)
      o.d[r * kLanes + l] =
          c ? c[r * kLanes + l] : static_cast<uint32_t>(o.cConstant);
}

/// Loads C of f16 and bf16 as rows of the accumulator.
void loadHalfC(const MatrixPlan &plan, const MatrixModifiers &mods,
               const MatrixOperands &o, uint32_t mask, uint32_t flip,
               float *accumulator) {
  const uint32_t *from = rowsOfC(plan, o);
  for (unsigned r = 0; r < plan.m * plan.blocks; ++r) {
    unsigned at = plan.cRegister[r];
    unsigned reg = plan.halfSelect ? at : at / 2;
    unsigned shift = (plan.halfSelect ? mods.opSel >> 2 & 1 : at & 1) * 16;
    for (unsigned j = 0; j < plan.n; ++j) {
      uint32_t bits = from
                          ? from[reg * o.rowStride + plan.cLane[r] + j] >> shift
                          : static_cast<uint32_t>(o.cConstant);
      bits &= 0xffff;
      float value = plan.cType == MatrixType::F16 ? halfToFloat(bits)
                                                  : asFloat(bits << 16);
      accumulator[r * 16 + j] = asFloat((asBits(value) & mask) ^ flip);
    }
  }
}

/// Loads C of f32 and i32 as registers of 64 lanes, and C of f16 and bf16 as
/// rows.
void loadC(const MatrixPlan &plan, const MatrixModifiers &mods,
           const MatrixOperands &o, float *accumulator) {
  uint32_t absolute = plan.cType != MatrixType::I32 && mods.negHi & 4;
  uint32_t negate = plan.cType != MatrixType::I32 && mods.negLo & 4;
  uint32_t mask = absolute ? 0x7fffffff : ~0u, flip = negate ? 0x80000000 : 0;
  if (isHalf(plan.cType))
    return loadHalfC(plan, mods, o, mask, flip, accumulator);
  const uint32_t *from = rowsOfC(plan, o);
  for (unsigned r = 0; r < plan.cRegs; ++r)
    for (unsigned l = 0; l < plan.waveSize; ++l) {
      uint32_t bits =
          from ? from[r * o.rowStride + l] : static_cast<uint32_t>(o.cConstant);
      accumulator[r * kLanes + l] = asFloat((bits & mask) ^ flip);
    }
}

void storeD(const MatrixPlan &plan, const MatrixModifiers &mods,
            const MatrixOperands &o, const float *accumulator) {
  if (!isHalf(plan.cType)) {
    for (unsigned r = 0; r < plan.cRegs; ++r)
      __builtin_memcpy(o.d + r * o.rowStride, accumulator + r * kLanes,
                       plan.waveSize * sizeof(float));
    return;
  }
  // The other half of a register keeps its value.
  for (unsigned r = 0; r < plan.m; ++r) {
    unsigned at = plan.cRegister[r];
    unsigned reg = plan.halfSelect ? at : at / 2;
    unsigned shift = (plan.halfSelect ? mods.opSel >> 2 & 1 : at & 1) * 16;
    for (unsigned j = 0; j < plan.n; ++j) {
      float value = accumulator[r * 16 + j];
      uint32_t bits = plan.cType == MatrixType::F16 ? floatToHalf(value)
                                                    : floatToBFloat(value);
      uint32_t &to = o.d[reg * o.rowStride + plan.cLane[r] + j];
      to = (to & ~(0xffffu << shift)) | bits << shift;
    }
  }
}

/// Executes an f64 instruction, where A and B have a register pair with one
/// element per lane.
void executeF64(const MatrixPlan &plan, const MatrixModifiers &mods,
                const MatrixOperands &o, const uint8_t *aBlock) {
  uint64_t negate[3];
  for (unsigned n = 0; n < 3; ++n)
    negate[n] = plan.f64Negation && mods.blgp >> n & 1 ? 1ull << 63 : 0;
  double a[kLanes], b[kLanes], c[4 * kLanes];
  auto load = [&](const uint32_t *rows, unsigned lane, uint64_t sign) {
    uint64_t bits = rows[lane] | static_cast<uint64_t>(rows[o.rowStride + lane])
                                     << 32;
    return __builtin_bit_cast(double, bits ^ sign);
  };
  for (unsigned l = 0; l < kLanes; ++l) {
    a[l] = load(o.a, l, negate[0]);
    b[l] = load(o.b, l, negate[1]);
    for (unsigned r = 0; r < plan.cRegs / 2u; ++r)
      c[r * kLanes + l] =
          o.c ? load(o.c + 2 * r * o.rowStride, l, negate[2])
              : __builtin_bit_cast(double, o.cConstant ^ negate[2]);
  }
  for (unsigned block = 0; block < plan.blocks; ++block) {
    for (unsigned i = 0; i < plan.m; ++i) {
      unsigned r = block * plan.m + i;
      double *row = c + plan.cRegister[r] / 2 * kLanes + plan.cLane[r];
      for (unsigned k = 0; k < plan.k; ++k) {
        double left = a[plan.a.offset[k] + aBlock[block] * plan.m + i];
        const double *right = b + plan.b.offset[k] + block * plan.n;
        for (unsigned j = 0; j < plan.n; ++j)
          row[j] = __builtin_fma(left, right[j], row[j]);
      }
    }
  }
  for (unsigned r = 0; r < plan.cRegs / 2u; ++r)
    for (unsigned l = 0; l < kLanes; ++l) {
      double value = c[r * kLanes + l];
      uint64_t bits = value == value ? __builtin_bit_cast(uint64_t, value)
                                     : 0x7ff8000000000000ull;
      o.d[2 * r * o.rowStride + l] = static_cast<uint32_t>(bits);
      o.d[(2 * r + 1) * o.rowStride + l] = static_cast<uint32_t>(bits >> 32);
    }
}

/// Returns the number of lanes that hold all elements of a matrix with `size`
/// rows or columns.
unsigned lanesUsed(const MatrixPlan &plan, const InputLayout &layout,
                   unsigned size, unsigned k) {
  return layout.laneElements == k ? size * plan.blocks : plan.waveSize;
}

/// Decodes A and B with their scales.
void decodeInputs(const MatrixPlan &plan, const MatrixInputs &in,
                  const MatrixModifiers &mods, const MatrixOperands &o,
                  Form form, Decoded &a, Decoded &b) {
  auto flips = [&](unsigned operand) -> unsigned {
    return plan.negatable
               ? (mods.negLo >> operand & 1) | (mods.negHi >> operand & 1) << 1
               : 0;
  };
  auto isSigned = [&](MatrixType type, unsigned operand) {
    return type == MatrixType::I8 || mods.negLo >> operand & 1;
  };
  Source source{o.a,
                o.rowStride,
                lanesUsed(plan, *in.aLayout, plan.m, plan.storedK),
                {0, 1, 2, 3}};
  decode(source,
         {in.aType, in.aFormat, in.aLayout->laneElements, form, flips(0),
          isSigned(in.aType, 0)},
         a);
  source.rows = o.b;
  source.lanes = lanesUsed(plan, *in.bLayout, plan.n, plan.k);
  if (plan.lanePatterns)
    pickGroups(mods.blgp, source.groups);
  decode(source,
         {in.bType, in.bFormat, in.bLayout->laneElements, form, flips(1),
          isSigned(in.bType, 1)},
         b);
  if (!plan.scaled)
    return;
  auto byte = [&](unsigned operand) {
    return (mods.opSel >> operand & 1) | (mods.opSelHi >> operand & 1) << 1;
  };
  applyScales(a, *in.aLayout, plan.m, plan.k, o.aScale, o.aScaleConstant,
              byte(0));
  applyScales(b, *in.bLayout, plan.n, plan.k, o.bScale, o.bScaleConstant,
              byte(1));
}

/// Returns the magnitude of the largest element of C as bits, where any NaN is
/// above infinity.
int32_t largestMagnitudeOfC(const MatrixPlan &plan, const MatrixOperands &o) {
  const uint32_t *c = rowsOfC(plan, o);
  if (!c)
    return static_cast<int32_t>(o.cConstant & 0x7fffffff);
  // The parts are independent of each other, which lets the processor overlap
  // them.
  Ints parts[2] = {};
  for (unsigned r = 0; r < plan.cRegs; ++r)
    for (unsigned l = 0; l < plan.waveSize; l += 2 * kWidth)
      for (unsigned n = 0; n < 2; ++n) {
        Ints magnitude;
        __builtin_memcpy(&magnitude, c + r * o.rowStride + l + n * kWidth,
                         sizeof magnitude);
        magnitude &= 0x7fffffff;
        parts[n] = magnitude > parts[n] ? magnitude : parts[n];
      }
  const Ints most = parts[0] > parts[1] ? parts[0] : parts[1];
  int32_t largest = 0;
  for (unsigned l = 0; l < kWidth; ++l)
    largest = larger<int32_t>(largest, most[l]);
  return largest;
}

/// Decodes A and B of fused sums. Returns whether they satisfy the conditions
/// of MatrixFused.h; otherwise, they have Form::Split.
bool decodeFused(const MatrixPlan &plan, const MatrixInputs &in,
                 const MatrixModifiers &mods, const MatrixOperands &o,
                 int32_t largestC, Decoded &a, Decoded &b) {
  constexpr int32_t kInfinity = 0x7f800000;
  // Scales change exponents, so whether f8 and smaller formats are in range is
  // only known after applying them.
  const bool isWide = !in.aFormat;
  decodeInputs(plan, in, mods, o, isWide ? Form::Scaled : Form::Split, a, b);
  const bool inRange = exponentsFit(a, b) && largestC <= kInfinity;
  if (isWide && !inRange) {
    a.reset();
    b.reset();
    decodeInputs(plan, in, mods, o, Form::Split, a, b);
  } else if (inRange && !isWide) {
    scaleSplit(a, in.aLayout->laneElements, plan.waveSize);
    scaleSplit(b, in.bLayout->laneElements, plan.waveSize);
  }
  return inRange;
}

/// Executes SMFMAC and SWMMAC.
void multiplySparse(const MatrixPlan &plan, const MatrixInputs &in,
                    const MatrixModifiers &mods, const MatrixOperands &o,
                    Job job) {
  // SMFMAC with cbsz uses the first set of indices and ignores abid.
  unsigned set = plan.family == MatrixFamily::SWMMAC ? mods.indexKey
                 : mods.cbsz                         ? 0
                                                     : mods.abid;
  uint16_t sparseRows[32 * kMaxK];
  findSparseRows(plan, *in.aLayout, *in.bLayout, o.index, set, sparseRows);
  job.bOffset = sparseRows;
  job.bRowStride = kMaxK;
  multiply(plan, job);
}

/// Executes the 4x4 forms.
void multiplyBroadcast(const MatrixPlan &plan, Job job) {
  Decoded wide;
  uint16_t broadcastOffset[16] = {};
  const uint8_t first[1] = {0};
  broadcastA(*job.a, job.aOffset, job.k, job.aBlock, wide, broadcastOffset);
  job.a = &wide;
  job.aOffset = broadcastOffset;
  job.aBlock = first;
  job.aRowStride = kLanes;
  job.blocks = 1;
  job.columns = kLanes;
  multiply(plan, job);
}

void execute(const MatrixPlan &plan, const MatrixInputs &in,
             const MatrixModifiers &mods, const MatrixOperands &o) {
  // With cbsz, all blocks of a set of 2^cbsz blocks use the A of block number
  // abid of the set.
  bool broadcasts =
      plan.family == MatrixFamily::MFMA && plan.aType != MatrixType::F8F6F4;
  uint8_t aBlock[16];
  for (unsigned block = 0; block < plan.blocks; ++block)
    aBlock[block] =
        broadcasts ? (block >> mods.cbsz << mods.cbsz) + mods.abid : 0;
  if (plan.arithmetic == MatrixArithmetic::FmaF64)
    return executeF64(plan, mods, o, aBlock);

  Decoded a, b;
  const Form form = formOf(plan.arithmetic);
  const bool isSparse = plan.storedK != plan.k;
  int32_t largestC = 0;
  bool inRange = false;
  if (form == Form::Split && !isSparse && plan.m != 4) {
    largestC = largestMagnitudeOfC(plan, o);
    inRange = decodeFused(plan, in, mods, o, largestC, a, b);
  } else {
    decodeInputs(plan, in, mods, o, form, a, b);
  }

  // A and B are not read after this, so D may be written.
  alignas(64) float accumulator[32 * kLanes];
  const bool inD = accumulatesInD(plan, mods, o);
  if (inD)
    loadCToD(plan, o);
  else
    loadC(plan, mods, o, accumulator);

  Job job;
  job.rows = plan.m;
  job.columns = plan.n;
  job.blocks = plan.blocks;
  job.k = plan.storedK;
  job.a = &a;
  job.b = &b;
  job.aOffset = in.aLayout->offset;
  job.bOffset = in.bLayout->offset;
  job.bRowStride = 0;
  job.aBlock = aBlock;
  job.aRowStride = 1;
  job.aBlockStride = plan.m;
  job.bBlockStride = plan.n;
  job.accumulator = inD ? reinterpret_cast<float *>(o.d) : accumulator;
  job.rowOffset = plan.rowOffset;
  job.group = plan.group;
  job.saturate = mods.clamp;
  if (isSparse)
    multiplySparse(plan, in, mods, o, job);
  else if (plan.m == 4)
    multiplyBroadcast(plan, job);
  else if (inRange)
    multiplyFusedValues(plan, job, (largestC >> 23) - 127);
  else
    multiply(plan, job);
  if (!inD)
    storeD(plan, mods, o, accumulator);
}

} // namespace

const MatrixLevel matrixLevel = {LEVEL_STRING(AIRCC_MATRIX_LEVEL), execute};

} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL
