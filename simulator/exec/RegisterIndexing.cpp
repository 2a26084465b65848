//===- RegisterIndexing.cpp - VGPR numbers moved by M0 --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/RegisterIndexing.h"

#include "simulator/exec/CodeObject.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/LaunchState.h"
#include "simulator/exec/matrix/Matrix.h"
#include "simulator/isa/InstructionRecord.h"

#include <type_traits>

using namespace aircc::sim;

/// Returns whether the last source is the destination, as in v_mac.
static bool hasTiedSource(const Op &op) {
  return op.kernel && op.record->has(trait::Tied);
}

/// AccVGPRs are not indexed.
static bool isArchVgpr(const Operand &operand) {
  return operand.kind == Operand::Kind::Vector && operand.reg < kFirstAgprRow;
}

Op aircc::sim::indexedOp(const Wave &wave, const Op &op) {
  if (op.info->opClass == OpClass::Matrix &&
      static_cast<const MatrixOp *>(op.table)->scaled)
    throw Fault("register indexing (s_set_gpr_idx_on) of '" +
                op.inst->mnemonic + "' is not defined");
  const uint32_t m0 = wave.scalars[kM0], index = m0 & 0xff;
  const uint32_t vgprs = wave.launch->kernel->vgprCount;
  auto move = [&](Operand &operand, unsigned selectedBy) {
    if (!(m0 >> selectedBy & 1) || !isArchVgpr(operand))
      return;
    const uint32_t reg = operand.reg + index;
    if (reg + operand.dwords > vgprs)
      throw Fault("register indexing (s_set_gpr_idx_on) adds " +
                  std::to_string(index) + " to v" +
                  std::to_string(operand.reg) + ", but the kernel has " +
                  std::to_string(vgprs) + " VGPRs");
    operand.reg = static_cast<uint16_t>(reg);
  };
  constexpr unsigned kSource0 = 12, kDestination = 15;
  Op moved = op;
  const bool isTied = hasTiedSource(op);
  for (unsigned i = 0; i < 3; ++i)
    move(moved.src[i],
         isTied && i + 1u == op.srcCount ? kDestination : kSource0 + i);
  move(moved.dst, kDestination);
  return moved;
}

OpInfo aircc::sim::indexedInfo(const Op &op, const Op &indexed) {
  OpInfo info = *op.info;
  // Ranges are in the order of the operands.
  constexpr unsigned kSources = std::extent_v<decltype(Op::src)>;
  bool isUsed[kSources] = {};
  auto moveTo = [](RegRange &range, const Operand &from, const Operand &to) {
    range.first = static_cast<uint16_t>(range.first + to.reg - from.reg);
  };
  auto isFor = [](const RegRange &range, const Operand &operand) {
    return range.vector && operand.kind == Operand::Kind::Vector &&
           range.first == operand.reg;
  };
  for (RegRange &range : info.reads) {
    bool isSource = false;
    for (unsigned i = 0; i < kSources && !isSource; ++i)
      if (!isUsed[i] && isFor(range, op.src[i])) {
        isUsed[i] = isSource = true;
        moveTo(range, op.src[i], indexed.src[i]);
      }
    if (!isSource && isFor(range, op.dst))
      moveTo(range, op.dst, indexed.dst);
  }
  for (RegRange &range : info.writes) {
    if (isFor(range, op.dst))
      moveTo(range, op.dst, indexed.dst);
    else if (isFor(range, op.src[0])) // v_swap_b32
      moveTo(range, op.src[0], indexed.src[0]);
  }
  info.reads.push_back({false, RegRange::Value, kM0, 1});
  return info;
}
