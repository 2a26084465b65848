//===- CrossLaneOps.cpp - Instructions that move data between lanes -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// v_readlane, v_writelane, v_readfirstlane, v_permlane*, v_swap, v_movrel. They
// see lanes that EXEC has off. CDNA3, RDNA3 and RDNA4 ISA guides.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/RelativeRegisters.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/vector/LaneLevel.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;
using llvm::StringRef;

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

/// v_permlane16_swap: odd rows of the first with even rows of the second;
/// v_permlane32_swap: the upper half of the first with the lower of the second.
bool runPermlaneSwap(Wave &wave, const Op &op) {
  uint32_t *a = wave.row(op.dst.reg), *b = wave.row(op.src[0].reg);
  const unsigned span = static_cast<unsigned>(op.imm);
  const uint64_t exec = wave.exec();
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    if (lane & span)
      continue;
    // a of lane + span and b of lane change places.
    uint32_t upper = a[lane + span], lower = b[lane];
    if (exec >> (lane + span) & 1)
      a[lane + span] = lower;
    if (exec >> lane & 1)
      b[lane] = upper;
  }
  return false;
}

enum PermlaneFlags : uint32_t { kAcrossRows = 1, kVariable = 2 };

/// v_permlane16, v_permlanex16: in each row of 16, lane i reads the lane that
/// nibble i of the selectors (or the selecting register) names, in its own row
/// or the other row of its 32. op_sel[0]: fetch from inactive lanes, op_sel[1]:
/// an inactive source gives zero rather than leaving the lane alone.
bool runPermlane(Wave &wave, const Op &op) {
  const uint32_t *src = wave.row(op.src[0].reg);
  uint32_t *old = wave.row(op.dst.reg);
  uint64_t select = 0;
  if (!(op.flags & kVariable))
    select = (readScalar(wave, op.src[1]) & 0xffffffff) |
             readScalar(wave, op.src[2]) << 32;
  const bool fetchInactive = op.inst->mods.opSel[0];
  const bool bound = op.inst->mods.opSel[1];
  const uint64_t exec = wave.exec();
  uint32_t *out = wave.temp[3];
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    unsigned nibble = op.flags & kVariable ? wave.row(op.src[1].reg)[lane] & 15
                                           : select >> (4 * (lane & 15)) & 15;
    unsigned from = (lane & ~15u) | nibble;
    if (op.flags & kAcrossRows)
      from ^= 16;
    bool valid = fetchInactive || (exec >> from & 1);
    out[lane] = valid ? src[from] : bound ? 0 : old[lane];
  }
  writeActive(wave, op.dst.reg, out);
  return false;
}

/// v_permlane64: the two halves of a wave64 change places.
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

/// V_MOVRELS, V_MOVRELD, V_MOVRELSD: V_MOV with M0 added to the number of
/// source or destination.
bool runMovRel(Wave &wave, const Op &op) {
  Op moved = op;
  moved.flags = 0;
  moved.kernel = static_cast<const LaneEntry *>(op.table)->kernel;
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

/// V_SWAP_B16: halves of registers, high ones by op_sel.
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

/// V_MQSAD_U32_U8: masked sums of absolute differences of four windows of S0,
/// one byte further each, against the bytes of S1, added to S2's dwords. A byte
/// of S1 that is zero masks its difference.
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

} // namespace

bool aircc::sim::bindCrossLane(BindContext &context, StringRef name,
                               const AsmInst &inst, Op &op) {
  const auto &operands = inst.operands;
  auto dest = [&](Operand::Kind kind) {
    return !operands.empty() &&
           bindDest(context, operands[0], ValueType::B32, op.dst) &&
           op.dst.kind == kind;
  };
  auto source = [&](size_t i) {
    return i + 1 < operands.size() + 0 &&
           bindSource(context, operands[i + 1], ValueType::B32, op.src[i]);
  };
  auto scalarSource = [&](size_t i) {
    return source(i) && op.src[i].kind != Operand::Kind::Vector;
  };
  auto vectorSource = [&](size_t i) {
    return source(i) && op.src[i].kind == Operand::Kind::Vector;
  };
  auto understood = [&](bool good) { return context.understood(good); };
  if (name == "v_movrels_b32" || name == "v_movreld_b32" ||
      name == "v_movrelsd_b32" || name == "v_movrelsd_2_b32") {
    if (!bindVector(context, "v_mov_b32", inst, op))
      return false;
    op.flags = name == "v_movrels_b32"   ? uint32_t(kRelativeSource)
               : name == "v_movreld_b32" ? uint32_t(kRelativeDest)
               : name == "v_movrelsd_b32"
                   ? kRelativeSource | kRelativeDest
                   : kRelativeSource | kRelativeDest | kRelativeTwo;
    op.kernel = nullptr; // Nothing else takes it for a plain V_MOV.
    op.handler = runMovRel;
    return true;
  }
  if (inst.mods.dpp != DppKind::None || inst.mods.sdwa)
    return false;

  if (name == "v_swaprel_b32") {
    op.handler = runSwapRel;
    op.flags = kRelativeSource | kRelativeDest | kRelativeTwo;
    return understood(dest(Operand::Kind::Vector) && vectorSource(0));
  }
  if (name == "v_swap_b16") {
    op.handler = runSwap16;
    return understood(dest(Operand::Kind::Vector) && vectorSource(0));
  }
  if (name == "v_mqsad_u32_u8") {
    op.handler = runMaskedQuadSad;
    op.srcCount = 3;
    return understood(dest(Operand::Kind::Vector) && source(0) && source(1) &&
                      source(2));
  }
  if (name == "v_readfirstlane_b32") {
    op.handler = runReadFirstLane;
    return understood(dest(Operand::Kind::Scalar) && source(0));
  }
  if (name == "v_readlane_b32") {
    op.handler = runReadLane;
    return understood(dest(Operand::Kind::Scalar) && vectorSource(0) &&
                      scalarSource(1));
  }
  if (name == "v_writelane_b32") {
    op.handler = runWriteLane;
    return understood(dest(Operand::Kind::Vector) && scalarSource(0) &&
                      scalarSource(1));
  }
  if (name == "v_swap_b32") {
    op.handler = runSwap;
    return understood(dest(Operand::Kind::Vector) && vectorSource(0));
  }
  if (name == "v_permlane16_swap_b32" || name == "v_permlane32_swap_b32") {
    op.handler = runPermlaneSwap;
    op.imm = name == "v_permlane16_swap_b32" ? 16 : 32;
    return understood(dest(Operand::Kind::Vector) && vectorSource(0));
  }
  if (name == "v_permlane16_b32" || name == "v_permlanex16_b32") {
    op.handler = runPermlane;
    op.flags = name == "v_permlanex16_b32" ? uint32_t(kAcrossRows) : 0;
    return understood(dest(Operand::Kind::Vector) && vectorSource(0) &&
                      scalarSource(1) && scalarSource(2));
  }
  if (name == "v_permlane16_var_b32" || name == "v_permlanex16_var_b32") {
    op.handler = runPermlane;
    op.flags = kVariable |
               (name == "v_permlanex16_var_b32" ? uint32_t(kAcrossRows) : 0);
    return understood(dest(Operand::Kind::Vector) && vectorSource(0) &&
                      vectorSource(1));
  }
  if (name == "v_permlane64_b32") {
    op.handler = runPermlane64;
    return understood(dest(Operand::Kind::Vector) && vectorSource(0));
  }
  return false;
}
