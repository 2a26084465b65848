//===- MatrixOps.cpp - MFMA, SMFMAC, WMMA, SWMMAC -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Finds the registers of matrix instructions and calls matrix/Matrix.h, which
// executes them. Results are available immediately. The checker reports missing
// wait states between dependent instructions, which the hardware needs.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/matrix/Matrix.h"

using namespace aircc::sim;

namespace {

/// Returns the modifiers in the assembly text.
MatrixModifiers modifiersOf(const MatrixOp &op,
                            const InstructionModifiers &mods) {
  auto bits = [](const std::array<uint8_t, 4> &list) {
    return static_cast<uint8_t>(list[0] | list[1] << 1 | list[2] << 2);
  };
  MatrixModifiers out;
  out.cbsz = mods.cbsz;
  out.abid = mods.abid;
  out.blgp = mods.blgp;
  out.opSel = bits(mods.opSel);
  // Only the scaled forms have op_sel_hi; in others, its bits are ones.
  out.opSelHi = op.scaled ? bits(mods.opSelHi) & 3 : 0;
  out.negLo = bits(mods.negLo);
  out.negHi = bits(mods.negHi);
  out.indexKey = mods.indexKey;
  out.clamp = mods.clamp;
  if (op.cType == MatrixType::F64) {
    // Handles a matrix instruction. For a scaled form, the scale of B is in
    // `imm`.
    out.blgp |= out.negLo;
    out.negLo = 0;
  }
  return out;
}

/// Returns how a constant C is read.
bool runMatrix(Wave &wave, const Op &op) {
  const auto &matrix = *static_cast<const MatrixOp *>(op.table);
  MatrixOperands operands;
  operands.rowStride = kRowLanes;
  operands.d = wave.row(op.dst.reg);
  operands.a = wave.row(op.src[0].reg);
  operands.b = wave.row(op.src[1].reg);
  if (matrix.isSparse())
    operands.index = wave.row(op.src[2].reg);
  else if (op.src[2].kind == Operand::Kind::Vector)
    operands.c = wave.row(op.src[2].reg);
  else
    operands.cConstant = op.src[2].constant;
  if (matrix.scaled) {
    operands.aScale = wave.row(op.src[3].reg);
    operands.bScale = wave.row(static_cast<unsigned>(op.imm));
  }
  executeMatrixOp(matrix, modifiersOf(matrix, op.inst->mods), operands);
  return false;
}

/// How a constant C is read.
ValueType constantType(MatrixType type) {
  switch (type) {
  case MatrixType::F64:
    return ValueType::F64;
  case MatrixType::F16:
    return ValueType::F16;
  case MatrixType::BF16:
    return ValueType::BF16;
  case MatrixType::I32:
    return ValueType::B32;
  default:
    return ValueType::F32;
  }
}

} // namespace

bool aircc::sim::bindMatrix(BindContext &context,
                            const InstructionRecord &record,
                            const DecodedInstruction &inst, Op &op) {
  const MatrixOp *matrix = findMatrixOp(record.index, context.chip.generation,
                                        context.wave32 ? 32 : 64);
  if (!matrix)
    return context.refuse("it does not support waves of this size");
  MatrixModifiers mods = modifiersOf(*matrix, inst.mods);
  if (std::string why = checkMatrixModifiers(*matrix, mods); !why.empty())
    return context.refuse(why);

  MatrixRegs regs = matrixRegs(*matrix, mods);
  const auto &operands = inst.operands;
  auto registers = [&](size_t i, unsigned count, Operand &to) {
    to.kind = Operand::Kind::Vector;
    to.reg = operands[i].reg;
    to.dwords = count;
    return operands[i].kind == DecodedOperand::Kind::Vector &&
           operands[i].dwords == count && !operands[i].neg && !operands[i].abs;
  };
  bool good = operands.size() == (matrix->scaled ? 6u : 4u) &&
              registers(0, regs.d, op.dst) && registers(1, regs.a, op.src[0]) &&
              registers(2, regs.b, op.src[1]);
  if (good && matrix->isSparse())
    good = registers(3, regs.index, op.src[2]);
  else if (good && operands[3].kind == DecodedOperand::Kind::Vector)
    good = registers(3, regs.c, op.src[2]);
  else if (good)
    good = bindSource(context, operands[3], constantType(matrix->cType),
                      op.src[2]) &&
           op.src[2].kind == Operand::Kind::Constant;
  if (good && matrix->scaled) {
    Operand bScale;
    good = registers(4, 1, op.src[3]) && registers(5, 1, bScale);
    op.imm = bScale.reg;
  }
  if (!good)
    return context.understood(false);
  op.table = matrix;
  op.handler = runMatrix;
  return true;
}
