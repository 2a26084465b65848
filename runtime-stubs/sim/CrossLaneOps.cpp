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

#include "runtime-stubs/sim/Bind.h"
#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/Wave.h"

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

/// v_movrels, v_movreld: M0 added to the number of source or destination.
bool runMovRel(Wave &wave, const Op &op) {
  uint32_t index = wave.scalars[kM0];
  unsigned from = op.src[0].reg + (op.imm & 1 ? index : 0);
  unsigned to = op.dst.reg + (op.imm & 2 ? index : 0);
  if (from >= kVectorRows || to >= kVectorRows)
    throw Fault("relative register number out of range");
  if (op.src[0].kind == Operand::Kind::Vector) {
    writeActive(wave, to, wave.row(from));
  } else {
    for (unsigned i = 0; i < kRowLanes; ++i)
      wave.temp[3][i] = static_cast<uint32_t>(readScalar(wave, op.src[0]));
    writeActive(wave, to, wave.temp[3]);
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
  auto understood = [&](bool good) {
    return good ? true : context.refuse("its operands are not understood");
  };
  if (inst.mods.dpp != DppKind::None || inst.mods.sdwa)
    return false;

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
  if (name == "v_movrels_b32" || name == "v_movreld_b32" ||
      name == "v_movrelsd_b32") {
    op.handler = runMovRel;
    op.imm = name == "v_movrels_b32" ? 1 : name == "v_movreld_b32" ? 2 : 3;
    return understood(dest(Operand::Kind::Vector) && source(0));
  }
  return false;
}
