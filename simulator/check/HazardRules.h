//===- HazardRules.h - Wait states that code has to keep --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between some pairs of instructions hardware does not wait by itself: code has
// to keep so many wait states between them (s_nop, or other instructions, each
// of which is one). Which pairs, by chip, is here as data.
//
// Sources: "Manually Inserted Wait States (NOPs)" and "Dependency Resolution:
// Required Independent Instructions" of the CDNA 2, CDNA 3 and CDNA 4 ISA
// guides; what the guides leave out, from the behaviour of LLVM's hazard
// recogniser (GCNHazardRecognizer), whose figures are the same elsewhere. VCCZ
// and EXECZ as data, which LLVM never uses, from the guides alone.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_HAZARDRULES_H
#define AIRCC_SIMULATOR_CHECK_HAZARDRULES_H

#include "simulator/exec/OpInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace aircc::sim {

struct MatrixOp;

/// What an instruction is to the rules: any number of these.
enum HazardRole : uint32_t {
  kIsVector = 1u << 0, ///< On the vector ALU, matrix instructions too.
  kIsMatrix = 1u << 1, ///< MFMA, SMFMAC, WMMA, SWMMAC
  kIsTrans = 1u << 2,  ///< Transcendental.
  kIsDot = 1u << 3,    ///< v_dot*
  kIsDpp = 1u << 4,
  kIsReadLane = 1u << 5,   ///< v_readlane, v_readfirstlane
  kIsLaneAccess = 1u << 6, ///< Those and v_writelane.
  kIsPermlane = 1u << 7,   ///< v_permlane*
  kIsDivFmas = 1u << 8,
  kIsFma64 = 1u << 9,        ///< v_fma_f64, v_fmac_f64
  kIsCompareExec = 1u << 10, ///< v_cmpx_*
  kWritesPart = 1u << 11,    ///< A part of a register: SDWA, op_sel, fp8, fp4.
  kIsMemory = 1u << 12,      ///< Vector memory, without LDS.
  kIsLds = 1u << 13,
  kIsWideStore = 1u << 14, ///< Takes more than 64 bits of data a lane.
  kIsScalar = 1u << 15,    ///< On the scalar ALU.
  kIsSetReg = 1u << 16,
  kIsGetReg = 1u << 17,
  kTakesM0 = 1u << 18,        ///< Where M0 is read late: LDS DMA, s_movrel, …
  kIsDoubleMatrix = 1u << 19, ///< MFMA of f64.
  kReadsZeroFlag = 1u << 20,  ///< VCCZ or EXECZ as data.
};

/// Which registers of the two instructions must meet.
enum class HazardDependence : uint8_t {
  Nothing,     ///< None: the pair is enough.
  ScalarRead,  ///< A scalar (VCC too) that the first writes, the second reads.
  LaneNumber,  ///< Likewise, as the number of a lane.
  VectorRead,  ///< A VGPR that the first writes, the second reads.
  VectorUse,   ///< A VGPR that the first writes, the second reads or writes.
  StoreData,   ///< A VGPR of the first's data, the second writes.
  Exec,        ///< The first writes EXEC.
  Vcc,         ///< The first writes VCC.
  M0,          ///< The first writes M0.
  HardwareReg, ///< The same hardware register.
  Dot,         ///< VectorUse, unless by the same opcode, but for its A and B.
  ZeroFlag, ///< The first writes VCC or EXEC, the second reads VCCZ or EXECZ.
};

/// HazardRule::states of a store of more than 64 bits: as the chip has it.
constexpr uint8_t kWideStoreStates = UINT8_MAX;

/// `states` wait states must be between an instruction that has the role
/// `first` (and none of `notFirst`) and one that has any of the roles `second`
/// (and none of `notSecond`).
struct HazardRule {
  uint32_t first, notFirst, second, notSecond;
  HazardDependence dependence;
  uint8_t states;
  const char *text; ///< "{register} is … after …", see Hazards.cpp.
  /// Roles of one that stands between them; else they may come at once.
  uint32_t across = 0;
};

/// The rules of a chip, but for those of matrix instructions.
std::vector<HazardRule> hazardRules(const Chip &chip);

/// Instructions of gfx11 and gfx12 that change what is known, or have rules of
/// their own.
enum class HazardSpecial : uint8_t {
  None,
  WaitForAlu, ///< s_waitcnt_depctr, s_wait_alu
  LdsNop,     ///< ds_nop
  LdsDirect,  ///< lds_direct_load, ds_direct_load
  Cache,      ///< Cache operations that are buffer instructions.
};

/// What of one instruction the rules look at, found once.
struct HazardFacts {
  uint32_t roles = 0;
  HazardSpecial special = HazardSpecial::None;
  /// Wait states that it takes: one, or more for s_nop.
  uint8_t states = 1;
  uint8_t hardwareReg = 0; ///< Of s_setreg and s_getreg.
  /// For so many wait states after it any instruction may come too soon.
  uint8_t lasts = 0;
  /// May come too soon after any vector instruction.
  bool looksBack = false;
  /// Places in the list of rules of those that it is the second of.
  llvm::SmallVector<uint8_t, 8> secondOf;
  RegRange laneNumber; ///< Of v_readlane and v_writelane; count 0: none.
  const MatrixOp *matrix = nullptr;
  uint8_t passes = 0; ///< Of a matrix instruction, with its formats.
  /// Registers of a matrix instruction. C is D for sparse ones.
  RegRange matrixC, matrixD;
  llvm::SmallVector<RegRange, 4> matrixInputs; ///< A, B, index, scales.
};

HazardFacts hazardFacts(const Chip &chip, bool wave32, const Op &op,
                        llvm::ArrayRef<HazardRule> rules);

/// How a later instruction uses a register that a matrix instruction writes.
enum class MatrixUse : uint8_t {
  AsC,        ///< As C of a matrix instruction, another range of registers.
  AsSameC,    ///< As C of a matrix instruction, the very same registers.
  AsInput,    ///< As A or B (index, scale) of a matrix instruction.
  VectorRead, ///< Other vector instructions.
  MemoryRead, ///< Vector memory and LDS instructions.
  Write,      ///< Written by other than matrix instructions.
};

/// Wait states between an MFMA or SMFMAC and a use of what it writes; `second`
/// is the later matrix instruction, for the first three.
unsigned statesAfterMatrix(const Chip &chip, const HazardFacts &first,
                           MatrixUse use, const HazardFacts *second);

/// Wait states between an MFMA or SMFMAC and an instruction of another kind
/// that writes to the registers of its C.
unsigned statesAfterMatrixC(const Chip &chip, const HazardFacts &first);

/// The most that any rule asks for.
constexpr unsigned kMostHazardStates = 20;

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_HAZARDRULES_H
