//===- CrossLaneOps.cpp - Instructions that move data between lanes -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// v_readlane, v_writelane, v_readfirstlane, v_permlane*, v_swap and v_movrel.
// They also access lanes that EXEC disables. CDNA3, RDNA3 and RDNA4 ISA guides.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/RelativeRegisters.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/vector/LaneLevel.h"
#include "simulator/isa/InstructionTables.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

namespace {

bool runReadFirstLane(Wave &wave, const Op &op) {
  uint64_t exec = wave.exec();
  unsigned lane = exec ? llvm::countr_zero(exec) : 0;
  uint32_t value = op.src[0].kind == Operand::Kind::Vector
                       ? wave.row(op.src[0].reg)[lane]
                       : static_cast<uint32_t>(readScalar(wave, op.src[0]));
  wave.setScalar(op.dst.reg, value);
  return false;
}

bool runReadLane(Wave &wave, const Op &op) {
  unsigned lane =
      static_cast<unsigned>(readScalar(wave, op.src[1])) & (wave.lanes - 1);
  wave.setScalar(op.dst.reg, wave.row(op.src[0].reg)[lane]);
  return false;
}

bool runWriteLane(Wave &wave, const Op &op) {
  unsigned lane =
      static_cast<unsigned>(readScalar(wave, op.src[1])) & (wave.lanes - 1);
  wave.row(op.dst.reg)[lane] =
      static_cast<uint32_t>(readScalar(wave, op.src[0]));
  return false;
}

void writeActive(Wave &wave, unsigned reg, const uint32_t *values) {
  uint32_t *row = wave.row(reg);
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    row[lane] = values[lane];
  }
}

bool runSwap(Wave &wave, const Op &op) {
  uint32_t *a = wave.row(op.dst.reg), *b = wave.row(op.src[0].reg);
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    std::swap(a[lane], b[lane]);
  }
  return false;
}

/// Executes v_permlane16_swap, which swaps odd rows of the first operand with
/// even rows of the second, and v_permlane32_swap, which swaps the upper half
/// of the first with the lower half of the second.
template <unsigned Span> bool runPermlaneSwap(Wave &wave, const Op &op) {
  uint32_t *a = wave.row(op.dst.reg), *b = wave.row(op.src[0].reg);
  const uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    if (lane & Span)
      continue;
    // Swaps a of lane + Span and b of lane.
    uint32_t upper = a[lane + Span], lower = b[lane];
    if (exec >> (lane + Span) & 1)
      a[lane + Span] = lower;
    if (exec >> lane & 1)
      b[lane] = upper;
  }
  return false;
}

/// Executes v_permlane16 and v_permlanex16. In each row of 16, lane i reads the
/// lane that nibble i of the selectors (or the selecting register) names, in
/// its own row or the other row of its 32. op_sel[0] fetches from inactive
/// lanes. With op_sel[1], an inactive source gives zero instead of leaving the
/// lane unchanged.
template <bool AcrossRows, bool Variable>
bool runPermlane(Wave &wave, const Op &op) {
  const uint32_t *src = wave.row(op.src[0].reg);
  uint32_t *old = wave.row(op.dst.reg);
  uint64_t select = 0;
  if (!Variable)
    select = (readScalar(wave, op.src[1]) & 0xffffffff) |
             readScalar(wave, op.src[2]) << 32;
  const bool fetchInactive = op.inst->mods.opSel[0];
  const bool bound = op.inst->mods.opSel[1];
  const uint64_t exec = wave.exec();
  uint32_t *out = wave.temp[3];
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    unsigned nibble = Variable ? wave.row(op.src[1].reg)[lane] & 15
                               : select >> (4 * (lane & 15)) & 15;
    unsigned from = (lane & ~15u) | nibble;
    if (AcrossRows)
      from ^= 16;
    bool valid = fetchInactive || (exec >> from & 1);
    out[lane] = valid ? src[from] : bound ? 0 : old[lane];
  }
  writeActive(wave, op.dst.reg, out);
  return false;
}

/// Executes v_permlane64, which swaps the two halves of a wave64.
bool runPermlane64(Wave &wave, const Op &op) {
  const uint32_t *src = wave.row(op.src[0].reg);
  uint32_t *out = wave.temp[3];
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    out[lane] = wave.lanes == 64 ? src[lane ^ 32] : src[lane];
  writeActive(wave, op.dst.reg, out);
  return false;
}

unsigned relative(Wave &wave, const Op &op, unsigned reg, bool source) {
  reg = relativeRegister(wave, op, reg, source);
  if (reg >= kVectorRows)
    throw Fault("relative register number out of range");
  return reg;
}

/// Executes V_MOVRELS, V_MOVRELD and V_MOVRELSD, a V_MOV with M0 added to the
/// number of the source or destination.
bool runMovRel(Wave &wave, const Op &op) {
  Op moved = op;
  moved.flags = 0;
  moved.kernel = *static_cast<const LaneKernel *>(op.table);
  if (moved.src[0].kind == Operand::Kind::Vector)
    moved.src[0].reg = relative(wave, op, op.src[0].reg, true);
  moved.dst.reg = relative(wave, op, op.dst.reg, false);
  return wave.level->general(wave, moved);
}

bool runSwapRel(Wave &wave, const Op &op) {
  uint32_t *a = wave.row(relative(wave, op, op.dst.reg, false));
  uint32_t *b = wave.row(relative(wave, op, op.src[0].reg, true));
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    std::swap(a[lane], b[lane]);
  }
  return false;
}

/// Executes V_SWAP_B16, which swaps halves of registers (high ones by op_sel).
bool runSwap16(Wave &wave, const Op &op) {
  uint32_t *a = wave.row(op.dst.reg), *b = wave.row(op.src[0].reg);
  const unsigned atA = op.dst.opSel & 1 ? 16 : 0,
                 atB = op.src[0].opSel & 1 ? 16 : 0;
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t x = a[lane] >> atA & 0xffff, y = b[lane] >> atB & 0xffff;
    a[lane] = (a[lane] & ~(0xffffu << atA)) | y << atA;
    b[lane] = (b[lane] & ~(0xffffu << atB)) | x << atB;
  }
  return false;
}

/// Executes V_MQSAD_U32_U8, which adds masked sums of absolute differences of
/// four windows of S0, each one byte further, and the bytes of S1 to S2's
/// dwords. A byte of S1 that is zero masks its difference.
bool runMaskedQuadSad(Wave &wave, const Op &op) {
  auto dword = [&](unsigned source, unsigned k, unsigned lane) {
    const Operand &operand = op.src[source];
    if (operand.kind == Operand::Kind::Vector)
      return wave.row(operand.reg + k)[lane];
    if (operand.kind == Operand::Kind::Scalar)
      return wave.scalars[operand.reg + k];
    return k ? 0u : static_cast<uint32_t>(readScalar(wave, operand));
  };
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t window = dword(0, 0, lane) | uint64_t(dword(0, 1, lane)) << 32;
    uint32_t reference = dword(1, 0, lane);
    uint32_t out[4];
    for (unsigned i = 0; i < 4; ++i) {
      uint64_t sum = dword(2, i, lane);
      for (unsigned byte = 0; byte < 4; ++byte) {
        int x = static_cast<int>(window >> 8 * (i + byte) & 0xff);
        int y = static_cast<int>(reference >> 8 * byte & 0xff);
        if (y)
          sum += x > y ? x - y : y - x;
      }
      out[i] = op.inst->mods.clamp && sum > 0xffffffff
                   ? 0xffffffff
                   : static_cast<uint32_t>(sum);
    }
    for (unsigned i = 0; i < 4; ++i)
      wave.row(op.dst.reg + i)[lane] = out[i];
  }
  return false;
}

struct CrossLaneEntry {
  const char *kinds;
  Handler handler;
};
const CrossLaneEntry kEntries[] = {
#define CROSS_LANE(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, OPERANDS,   \
                   KINDS, ...)                                                 \
  {KINDS, __VA_ARGS__},
#include "simulator/isa/tables/CrossLane.def"
};

} // namespace

/// Binds V_MOVREL*, a V_MOV whose register numbers are computed when it is
/// executed.
bool aircc::sim::bindMoveRelative(BindContext &context,
                                  const InstructionRecord &record,
                                  const DecodedInstruction &inst, Op &op) {
  if (!bindVector(context, moveRecord(), inst, op))
    return false;
  op.flags = relativeFlags(record);
  auto kernel = std::make_shared<LaneKernel>(op.kernel);
  op.table = static_cast<const void *>(kernel.get());
  context.keep(std::move(kernel));
  // Other code must not treat the op as a plain V_MOV.
  op.kernel = nullptr;
  op.handler = runMovRel;
  return true;
}

bool aircc::sim::bindCrossLane(BindContext &context,
                               const InstructionRecord &record,
                               const DecodedInstruction &inst, Op &op) {
  if (inst.mods.dpp != DppKind::None || inst.mods.sdwa)
    return context.refuse("DPP and SDWA are not implemented for it");
  // These are the kinds of its operands: the destination, then the sources.
  const char *kinds = kEntries[record.index].kinds;
  const auto &operands = inst.operands;
  auto isKind = [](char kind, const Operand &operand) {
    return kind == '*' ||
           (kind == 'v') == (operand.kind == Operand::Kind::Vector);
  };
  bool good = !operands.empty() &&
              bindDest(context, operands[0], ValueType::B32, op.dst) &&
              isKind(kinds[0], op.dst);
  for (unsigned i = 0; good && kinds[i + 1]; ++i) {
    good = i + 1 < operands.size() &&
           bindSource(context, operands[i + 1], ValueType::B32, op.src[i]) &&
           isKind(kinds[i + 1], op.src[i]);
    op.srcCount = i + 1;
  }
  op.flags = relativeFlags(record);
  op.handler = kEntries[record.index].handler;
  return context.understood(good);
}
