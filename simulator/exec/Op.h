//===- Op.h - One pre-decoded operation -------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The executor runs an array of operations per function. Everything that is
// known before execution is resolved here, so that executing an operation takes
// one indirect call, plus one call to its lane kernel for vector arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_OP_H
#define AIRCC_SIMULATOR_EXEC_OP_H

#include "simulator/isa/InstructionFacts.h"
#include "simulator/isa/Modifiers.h"

#include <cstdint>

namespace aircc::sim {

struct Wave;
struct Op;
struct DecodedInstruction;
struct OpInfo;
struct InstructionRecord;

/// Executes one operation for a wave. `wave.pc` already points to the next one.
/// Returns true if the wave must stop for now, because it ended, waits at a
/// barrier, or yields.
using Handler = bool (*)(Wave &wave, const Op &op);

/// Computes one vector operation for all lanes, including those that EXEC
/// disables. The pointers are to the rows of the destinations and sources; a
/// 64-bit value takes two consecutive rows. `lanes` is a multiple of 32.
/// Destinations may be the same rows as sources.
using LaneKernel = void (*)(uint32_t *d, uint32_t *d2, const uint32_t *a,
                            const uint32_t *b, const uint32_t *c,
                            unsigned lanes);

struct Operand {
  enum class Kind : uint8_t { None, Vector, Scalar, Constant, Special };
  Kind kind = Kind::None;
  ValueType type = ValueType::None;
  uint8_t dwords = 1;
  bool neg = false, abs = false, sext = false;
  bool widen = false;             ///< Half a register, read as 32 bits.
  uint8_t opSel = 0;              ///< Bit 0 is op_sel, bit 1 is op_sel_hi.
  uint8_t negLo = 0, negHi = 0;   ///< For VOP3P.
  uint16_t reg = 0;               ///< The row, ScalarReg or SpecialValue.
  const uint32_t *rows = nullptr; ///< The rows of a constant, with every lane
                                  ///< filled.
  uint64_t constant = 0;          ///< The bits of a constant.
};

/// The part of MODE that governs an operation.
enum class FloatClass : uint8_t { None, Single, Double16_64 };

struct Op {
  Handler handler = nullptr;
  LaneKernel kernel = nullptr;
  FloatClass floatClass = FloatClass::None;
  uint8_t srcCount = 0;
  uint8_t width = 0;  ///< Bytes per lane (memory), or a table index (MFMA).
  uint32_t flags = 0; ///< Each family defines these.
  Operand dst, dst2, src[4];
  int64_t imm = 0;             ///< The offset, immediate or branch
                               ///< displacement.
  const Op *target = nullptr;  ///< The branch target in the same function.
  const void *table = nullptr; ///< Data for the handler.
  /// The record of the instruction, or null for VOPD and for instructions that
  /// are not implemented.
  const InstructionRecord *record = nullptr;
  const DecodedInstruction *inst = nullptr;
  const InstructionModifiers *mods = nullptr; ///< The modifiers of `inst`.
  const OpInfo *info = nullptr;               ///< For observers (OpInfo.h).
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_OP_H
