//===- OpTiming.cpp - Timing of one instruction ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/timing/OpTiming.h"

#include "simulator/exec/matrix/Matrix.h"
#include "simulator/isa/InstructionRecord.h"

#include <algorithm>

using namespace aircc;
using namespace aircc::sim;

static IssueClass issueClassOf(OpClass opClass) {
  switch (opClass) {
  case OpClass::ScalarAlu:
  case OpClass::ScalarMemory:
    return IssueClass::Scalar;
  case OpClass::Branch:
    return IssueClass::Branch;
  case OpClass::VectorAlu:
  case OpClass::Transcendental:
  case OpClass::Dual:
  case OpClass::Matrix:
    return IssueClass::Vector;
  case OpClass::Lds:
  case OpClass::LdsPermute:
    return IssueClass::Lds;
  case OpClass::Flat:
  case OpClass::Global:
  case OpClass::Scratch:
  case OpClass::Buffer:
    return IssueClass::VectorMemory;
  case OpClass::Unknown:
  case OpClass::Wait:
  case OpClass::Barrier:
  case OpClass::Signal:
  case OpClass::Cache:
  case OpClass::End:
  case OpClass::Hint:
    break;
  }
  return IssueClass::Internal;
}

/// Returns the cycles of a matrix instruction. The number of passes comes from
/// LLVM's scheduling model, which has half as many as it should for the f8f6f4
/// forms if A or B has 8 bits (CDNA 4 ISA guide, table 28: 8 and 16 passes).
static uint32_t matrixCyclesOf(const Op &op, const MatrixOp &matrix,
                               const Chip &chip) {
  const uint64_t macs = uint64_t(matrix.m) * matrix.n * matrix.k *
                        matrix.blocks / (matrix.isSparse() ? 2 : 1);
  if (unsigned rate = chip.issueFigures().matrixMacsPerCycle) {
    // This is the rate of 16-bit operands. According to AMD's matrix
    // instruction calculator, RDNA 3 has the same rate for 8 bits and twice
    // that for 4 bits, and RDNA 4 has twice and four times that rate, but takes
    // at least 8 cycles.
    const unsigned bits = matrixTypeBits(matrix.aType);
    const bool isRdna3 = chip.waits == WaitEncoding::Contiguous;
    unsigned factor = bits >= 16 ? 1 : 16 / bits;
    if (isRdna3)
      factor = std::max(factor / 2, 1u);
    return std::max<uint32_t>(static_cast<uint32_t>(macs / rate / factor), 8);
  }
  if (matrix.aType == MatrixType::F8F6F4 && op.mods) {
    auto has8Bits = [](int format) { return format < 2; };
    const bool isSlow = has8Bits(op.mods->cbsz) || has8Bits(op.mods->blgp);
    return static_cast<uint32_t>(macs / (isSlow ? 1024 : 2048));
  }
  return matrix.passes * 4;
}

static void describeMatrix(OpTiming &timing, const TimingFigures &figures,
                           const Chip &chip) {
  const Op &op = *timing.op;
  const auto &matrix = *static_cast<const MatrixOp *>(op.table);
  timing.isMatrix = true;
  timing.matrixCycles = matrixCyclesOf(op, matrix, chip);
  timing.vectorCycles = static_cast<uint32_t>(figures.issueCycles);
  // According to AMD's matrix instruction calculator, no vector instruction can
  // be executed at the same time.
  timing.excludesOther =
      matrix.aType == MatrixType::F64 ||
      (matrix.aType == MatrixType::F32 && !chip.hazards.f32OnMatrixUnit);
  if (timing.excludesOther)
    timing.vectorCycles = timing.matrixCycles;
  timing.latency =
      timing.matrixCycles + static_cast<uint32_t>(figures.matrixLatency);
  const Operand &c = matrix.isSparse() ? op.dst : op.src[2];
  if (c.kind == Operand::Kind::Vector)
    timing.accumulator = c.reg;
}

OpTiming aircc::sim::describeTiming(const Op &op, const TimingFigures &figures,
                                    const Chip &chip, unsigned wave) {
  OpTiming timing;
  timing.op = &op;
  timing.issueClass = issueClassOf(op.info->opClass);
  // RDNA issues a wave64 instruction twice.
  const unsigned passes =
      std::max<unsigned>(wave / chip.issueFigures().simdLanes, 1);
  const auto vector = static_cast<uint32_t>(
      figures.vectorCycles > 1 ? figures.vectorCycles : passes);
  switch (op.record ? op.record->cost() : CostClass::Vector) {
  case CostClass::Matrix:
    describeMatrix(timing, figures, chip);
    return timing;
  case CostClass::Vector:
    timing.vectorCycles = vector;
    timing.latency = static_cast<uint32_t>(figures.vectorLatency);
    // Packed f32 instructions do not run at the same time as the matrix pipe.
    timing.excludesOther = op.record && op.record->dst == ValueType::PkF32 &&
                           op.info->isVectorAlu();
    break;
  case CostClass::Double:
    timing.vectorCycles = vector * chip.issueFigures().doubleFactor;
    timing.latency = timing.vectorCycles +
                     static_cast<uint32_t>(figures.vectorLatency) - vector;
    break;
  case CostClass::Transcendental:
    timing.vectorCycles = static_cast<uint32_t>(figures.transcendentalCycles);
    timing.latency = static_cast<uint32_t>(figures.transcendentalLatency);
    break;
  case CostClass::Scalar:
    timing.latency = static_cast<uint32_t>(figures.scalarLatency);
    break;
  case CostClass::Free:
  case CostClass::Permute:
  case CostClass::Access:
    break;
  }
  if (timing.issueClass != IssueClass::Vector)
    timing.vectorCycles = 0;
  if (op.info->opClass == OpClass::Hint && op.record) {
    if (op.record->has(trait::Nop))
      timing.idleSlots = static_cast<uint32_t>(op.imm);
    if (op.record->has(trait::SetsPriority))
      timing.priority = static_cast<int32_t>(op.imm & 3);
  }
  return timing;
}
