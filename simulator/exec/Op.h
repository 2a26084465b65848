//===- Op.h - One pre-decoded operation -------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The executor runs an array of operations per function. Everything that is
// known before execution is resolved here: running an operation is one indirect
// call, plus one to its lane kernel for vector arithmetic.
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

/// Runs one operation for a wave; `wave.pc` already points to the next one.
/// Returns true if the wave must stop for now: it ended, waits at a barrier, or
/// yields.
using Handler = bool (*)(Wave &wave, const Op &op);

/// Computes one vector operation for all lanes, including those that EXEC
/// disables. The pointers are to the rows of the destinations and sources; a
/// 64-bit value is two consecutive rows. `lanes` is a multiple of 32.
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
  uint8_t opSel = 0;              ///< bit 0: op_sel, bit 1: op_sel_hi
  uint8_t negLo = 0, negHi = 0;   ///< VOP3P
  uint16_t reg = 0;               ///< row, ScalarReg or SpecialValue
  const uint32_t *rows = nullptr; ///< Constant: its rows, every lane filled
  uint64_t constant = 0;          ///< Constant: its bits
};

/// Which part of MODE governs an operation.
enum class FloatClass : uint8_t { None, Single, Double16_64 };

struct Op {
  Handler handler = nullptr;
  LaneKernel kernel = nullptr;
  FloatClass floatClass = FloatClass::None;
  uint8_t srcCount = 0;
  uint8_t width = 0;  ///< Memory: bytes a lane. MFMA: a table index.
  uint32_t flags = 0; ///< Defined by the family.
  Operand dst, dst2, src[4];
  int64_t imm = 0;             ///< Offset, immediate or branch displacement.
  const Op *target = nullptr;  ///< Branch target in the same function.
  const void *table = nullptr; ///< Data of the handler.
  /// Of the instruction; null for VOPD and for instructions that are not
  /// implemented.
  const InstructionRecord *record = nullptr;
  const DecodedInstruction *inst = nullptr;
  const InstructionModifiers *mods = nullptr; ///< Of `inst`.
  const OpInfo *info = nullptr;               ///< For observers: OpInfo.h.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_OP_H
