//===- MatrixKernels.cpp - Executes a plan, at one level ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled once for each level of the host's vector instructions, without
// contraction of multiplications and additions: see MatrixKernels.h. Nothing
// here may have external linkage but the level's table, and no inline function
// of another header may be called.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/matrix/MatrixFused.h"

#define LEVEL_STRING_(x) #x
#define LEVEL_STRING(x) LEVEL_STRING_(x)

namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL {
extern const MatrixLevel matrixLevel;

namespace {

/// What blgp makes each sixteen lanes of B read (AMD's matrix instruction
/// calculator).
void pickGroups(unsigned blgp, uint8_t *groups) {
  constexpr uint8_t kPatterns[8][4] = {
      {0, 1, 2, 3}, // as they are
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

unsigned bitsOf(MatrixType type) {
  switch (type) {
  case MatrixType::F32:
  case MatrixType::XF32:
    return 32;
  case MatrixType::F16:
  case MatrixType::BF16:
    return 16;
  case MatrixType::FP6:
  case MatrixType::BF6:
    return 6;
  case MatrixType::FP4:
  case MatrixType::IU4:
    return 4;
  default:
    return 8;
  }
}

/// Multiplies each 32 k of a row by its E8M0 scale: lane (k / 32) * size + row
/// holds it, in the byte that op_sel names.
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

/// For a sparse form, where the row of B for each stored k of each row of A is.
/// Two bits a stored element say which of its four k it stands for; they lie in
/// the index register of the lane that holds the element, in its order.
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

/// Spreads A of the 4x4 forms, whose sixteen blocks lie side by side in the
/// lanes of B and D, over the 64 lanes: [k * 4 + row][lane].
void spreadA(const Decoded &a, const uint16_t *offset, unsigned k,
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

/// C of f32 and i32 as registers of 64 lanes, of f16 and bf16 as rows.
void loadC(const MatrixPlan &plan, const MatrixModifiers &mods,
           const MatrixOperands &o, float *accumulator, uint16_t *rowOffset) {
  // A sparse form adds to D.
  const uint32_t *from = plan.storedK != plan.k ? o.d : o.c;
  bool half = plan.cType == MatrixType::F16 || plan.cType == MatrixType::BF16;
  unsigned rows = plan.m * plan.blocks, lanes = plan.waveSize;
  uint32_t absolute = plan.cType != MatrixType::I32 && mods.negHi & 4;
  uint32_t negate = plan.cType != MatrixType::I32 && mods.negLo & 4;
  uint32_t mask = absolute ? 0x7fffffff : ~0u, flip = negate ? 0x80000000 : 0;
  if (!half) {
    for (unsigned r = 0; r < rows; ++r)
      rowOffset[r] = plan.cRegister[r] * kLanes + plan.cLane[r];
    for (unsigned r = 0; r < plan.cRegs; ++r)
      for (unsigned l = 0; l < lanes; ++l) {
        uint32_t bits = from ? from[r * o.rowStride + l]
                             : static_cast<uint32_t>(o.cConstant);
        accumulator[r * kLanes + l] = asFloat((bits & mask) ^ flip);
      }
    return;
  }
  for (unsigned r = 0; r < rows; ++r) {
    rowOffset[r] = r * 16;
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

void storeD(const MatrixPlan &plan, const MatrixModifiers &mods,
            const MatrixOperands &o, const float *accumulator) {
  bool half = plan.cType == MatrixType::F16 || plan.cType == MatrixType::BF16;
  if (!half) {
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

/// f64: a register pair each, one element of A and of B a lane.
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

/// How many lanes hold all elements of a matrix of `size` rows or columns.
unsigned lanesUsed(const MatrixPlan &plan, const InputLayout &layout,
                   unsigned size, unsigned k) {
  return layout.laneElements == k ? size * plan.blocks : plan.waveSize;
}

/// A and B, with their scales.
void decodeInputs(const MatrixPlan &plan, const MatrixInputs &in,
                  const MatrixModifiers &mods, const MatrixOperands &o,
                  Form form, Decoded &a, Decoded &b) {
  auto flips = [&](unsigned operand) {
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
  decode(source, in.aType, in.aFormat, bitsOf(in.aType),
         in.aLayout->laneElements, form, flips(0), isSigned(in.aType, 0), a);
  source.rows = o.b;
  source.lanes = lanesUsed(plan, *in.bLayout, plan.n, plan.k);
  if (plan.lanePatterns)
    pickGroups(mods.blgp, source.groups);
  decode(source, in.bType, in.bFormat, bitsOf(in.bType),
         in.bLayout->laneElements, form, flips(1), isSigned(in.bType, 1), b);
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

bool holdsNaN(const float *registers, unsigned count) {
  Ints most{};
  for (unsigned l = 0; l < count * kLanes; l += kWidth) {
    Ints magnitude = (Ints)loadFloats(registers + l) & 0x7fffffff;
    most = magnitude > most ? magnitude : most;
  }
  return anyLane(most > 0x7f800000);
}

void execute(const MatrixPlan &plan, const MatrixInputs &in,
             const MatrixModifiers &mods, const MatrixOperands &o) {
  // cbsz: in each set of 2^cbsz blocks, that number abid of A serves all.
  bool broadcasts =
      plan.family == MatrixFamily::MFMA && plan.aType != MatrixType::F8F6F4;
  uint8_t aBlock[16];
  for (unsigned block = 0; block < plan.blocks; ++block)
    aBlock[block] =
        broadcasts ? (block >> mods.cbsz << mods.cbsz) + mods.abid : 0;
  if (plan.arithmetic == MatrixArithmetic::FmaF64)
    return executeF64(plan, mods, o, aBlock);

  Decoded a, b;
  const bool isDense = plan.storedK == plan.k && plan.m != 4;
  Form form = formOf(plan.arithmetic);
  // Values and exponents where they will do; what f8 and smaller formats hold
  // is scaled before that is known.
  const bool isFused = form == Form::Split && isDense;
  const bool isWide = isFused && !in.aFormat;
  decodeInputs(plan, in, mods, o, isWide ? Form::Scaled : form, a, b);

  alignas(64) float accumulator[32 * kLanes];
  uint16_t rowOffset[kMaxRows];
  loadC(plan, mods, o, accumulator, rowOffset);
  const bool inRange =
      isFused && exponentsFit(a, b) && !holdsNaN(accumulator, plan.cRegs);
  if (isWide && !inRange) {
    a = Decoded();
    b = Decoded();
    decodeInputs(plan, in, mods, o, Form::Split, a, b);
  } else if (inRange && !isWide) {
    scaleSplit(a, in.aLayout->laneElements, plan.waveSize);
    scaleSplit(b, in.bLayout->laneElements, plan.waveSize);
  }

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
  job.accumulator = accumulator;
  job.rowOffset = rowOffset;
  job.group = plan.group;
  job.saturate = mods.clamp;

  if (plan.storedK != plan.k) {
    // SMFMAC: with cbsz set, the first set of indices whatever abid says.
    unsigned set = plan.family == MatrixFamily::SWMMAC ? mods.indexKey
                   : mods.cbsz                         ? 0
                                                       : mods.abid;
    uint16_t sparseRows[32 * kMaxK];
    findSparseRows(plan, *in.aLayout, *in.bLayout, o.index, set, sparseRows);
    job.bOffset = sparseRows;
    job.bRowStride = kMaxK;
    multiply(plan, job);
  } else if (plan.m == 4) {
    Decoded spread;
    uint16_t spreadOffset[16] = {};
    const uint8_t first[1] = {0};
    spreadA(a, job.aOffset, job.k, aBlock, spread, spreadOffset);
    job.a = &spread;
    job.aOffset = spreadOffset;
    job.aBlock = first;
    job.aRowStride = kLanes;
    job.blocks = 1;
    job.columns = kLanes;
    multiply(plan, job);
  } else if (inRange) {
    multiplyFusedValues(plan, job);
  } else {
    multiply(plan, job);
  }
  storeD(plan, mods, o, accumulator);
}

} // namespace

const MatrixLevel matrixLevel = {LEVEL_STRING(AIRCC_MATRIX_LEVEL), execute};

} // namespace aircc::sim::matrixlevels::AIRCC_MATRIX_LEVEL
