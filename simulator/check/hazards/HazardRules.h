//===- HazardRules.h - Required wait states ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The hardware does not resolve the dependences of some pairs of instructions.
// Code must have a number of wait states between them: s_nop, or other
// instructions, each of which is one wait state. This is the table of these
// pairs by chip.
//
// The sources are "Manually Inserted Wait States (NOPs)" and "Dependency
// Resolution: Required Independent Instructions" in the CDNA 2, CDNA 3 and CDNA
// 4 ISA guides. For cases that the guides omit, LLVM's hazard recognizer
// (GCNHazardRecognizer), which agrees with the guides elsewhere, is the source.
// LLVM never uses VCCZ and EXECZ as data, so their rules are from the guides
// alone.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_HAZARDS_HAZARDRULES_H
#define AIRCC_SIMULATOR_CHECK_HAZARDS_HAZARDRULES_H

#include "simulator/exec/OpInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace aircc::sim {

struct MatrixOp;

/// The roles of an instruction in the rules, as a bit set.
enum HazardRole : uint32_t {
  kIsVector = 1u << 0, ///< On the vector ALU, including matrix instructions.
  kIsMatrix = 1u << 1, ///< MFMA, SMFMAC, WMMA, SWMMAC
  kIsTrans = 1u << 2,  ///< Transcendental.
  kIsDot = 1u << 3,    ///< v_dot*
  kIsDpp = 1u << 4,
  kIsReadLane = 1u << 5,   ///< v_readlane, v_readfirstlane
  kIsLaneAccess = 1u << 6, ///< Both of these, and v_writelane.
  kIsPermlane = 1u << 7,   ///< v_permlane*
  kIsDivFmas = 1u << 8,
  kIsFma64 = 1u << 9,        ///< v_fma_f64, v_fmac_f64
  kIsCompareExec = 1u << 10, ///< v_cmpx_*
  kWritesPart = 1u << 11,    ///< A part of a register: SDWA, op_sel, fp8, fp4.
  kIsMemory = 1u << 12,      ///< Vector memory, without LDS.
  kIsLds = 1u << 13,
  kIsWideStore = 1u << 14, ///< More than 64 bits per lane, without a scalar
                           ///< offset.
  kIsScalar = 1u << 15,    ///< On the scalar ALU.
  kIsSetReg = 1u << 16,
  kIsGetReg = 1u << 17,
  kTakesM0 = 1u << 18,        ///< Reads M0 late: LDS DMA, s_movrel, ...
  kIsDoubleMatrix = 1u << 19, ///< f64 MFMA.
  kReadsZeroFlag = 1u << 20,  ///< VCCZ or EXECZ as data.
  kIsOffsetStore = 1u << 21,  ///< kIsWideStore, with a scalar offset.
};

/// The dependence between the first and the second instruction of a rule.
enum class HazardDependence : uint8_t {
  Nothing,     ///< The rule applies without a dependence.
  ScalarRead,  ///< The second reads a scalar (or VCC) that the first writes.
  LaneNumber,  ///< The second reads it as the number of a lane.
  VectorRead,  ///< The second reads a VGPR that the first writes.
  VectorUse,   ///< The second reads or writes a VGPR that the first writes.
  StoreData,   ///< The second writes a VGPR of the first's data.
  Exec,        ///< The first writes EXEC.
  Vcc,         ///< The first writes VCC.
  M0,          ///< The first writes M0.
  HardwareReg, ///< Both access the same hardware register.
  Dot,         ///< VectorUse; with the same opcode only by its A and B.
  ZeroFlag, ///< The second reads VCCZ or EXECZ of a mask that the first writes.
};

/// A placeholder for the chip's HazardFigures::wideStoreStates.
constexpr uint8_t kWideStoreStates = UINT8_MAX;

/// `states` wait states must be between an instruction that has the role
/// `first` (and none of `notFirst`) and one that has any of the roles `second`
/// (and none of `notSecond`).
struct HazardRule {
  uint32_t first, notFirst, second, notSecond;
  HazardDependence dependence;
  uint8_t states;
  const char *text; ///< "{register} is … after …" (Hazards.cpp).
  /// If not 0, the rule only applies with an instruction of these roles between
  /// the two.
  uint32_t across = 0;
};

/// Almost every vector instruction may be the first one of the rules for plain
/// writes to VGPRs, so these rules share a bit in HazardFacts::firstOf.
constexpr unsigned kVectorWriteBit = 31;
inline bool isForVectorWrites(const HazardRule &rule) {
  return rule.first == HazardRole::kIsVector &&
         rule.dependence == HazardDependence::VectorRead;
}
/// Returns the bit of rule number `index` in HazardFacts::firstOf.
inline unsigned firstRuleBit(llvm::ArrayRef<HazardRule> rules, size_t index) {
  return isForVectorWrites(rules[index]) ? kVectorWriteBit : index;
}

/// Returns the rules of a chip, except for those of matrix instructions.
std::vector<HazardRule> hazardRules(const Chip &chip);

/// Instructions of gfx11 and gfx12 that resolve hazards or have special rules.
enum class HazardSpecial : uint8_t {
  None,
  WaitForAlu, ///< s_waitcnt_depctr, s_wait_alu
  LdsNop,     ///< ds_nop
  LdsDirect,  ///< lds_direct_load, ds_direct_load
  Cache,      ///< Cache operations with the encoding of buffer instructions.
};

/// The requirements of gfx11 and gfx12 for most instructions.
enum class RdnaHazards : uint8_t {
  Any,    ///< All rules must be checked.
  None,   ///< It neither has nor causes hazards.
  Vector, ///< It may only use the result of a transcendental instruction.
  Memory, ///< It waits for the vector ALU.
};

/// The properties of an instruction that the rules use, computed once.
struct HazardFacts {
  uint32_t roles = 0;
  RdnaHazards rdna = RdnaHazards::Any;
  HazardSpecial special = HazardSpecial::None;
  /// The number of wait states that it provides: one, or more for s_nop.
  uint8_t states = 1;
  uint8_t hardwareReg = 0; ///< For s_setreg and s_getreg.
  /// The number of wait states after it during which the rules must be checked
  /// for every instruction.
  uint8_t lasts = 0;
  /// Whether the rules must be checked after any vector instruction.
  bool looksBack = false;
  /// The rules whose first instruction it may be, as a set of bits of
  /// firstRuleBit().
  uint32_t firstOf = 0;
  /// Indices of the rules whose second instruction it may be.
  llvm::SmallVector<uint8_t, 8> secondOf;
  RegRange laneNumber; ///< For v_readlane and v_writelane, otherwise empty.
  const MatrixOp *matrix = nullptr;
  uint8_t passes = 0; ///< For a matrix instruction with its formats.
  /// The registers of a matrix instruction. C of a sparse one is D.
  RegRange matrixC, matrixD;
  llvm::SmallVector<RegRange, 4> matrixInputs; ///< A, B, index, scales.
};

HazardFacts hazardFacts(const Chip &chip, bool wave32, const Op &op,
                        llvm::ArrayRef<HazardRule> rules);

/// How a later instruction uses a register that a matrix instruction writes.
enum class MatrixUse : uint8_t {
  AsC,        ///< As C of a matrix instruction, in another register range.
  AsSameC,    ///< As C of a matrix instruction, in the same register range.
  AsInput,    ///< As A or B (index, scale) of a matrix instruction.
  VectorRead, ///< By another vector instruction.
  MemoryRead, ///< By a vector memory or LDS instruction.
  Write,      ///< By an instruction that is not a matrix instruction.
};

/// Returns the number of wait states between an MFMA or SMFMAC and a use of its
/// result. `second` is the later matrix instruction, for the first three kinds
/// of use.
unsigned statesAfterMatrix(const Chip &chip, const HazardFacts &first,
                           MatrixUse use, const HazardFacts *second);

/// Returns the number of wait states between an MFMA or SMFMAC and another
/// instruction that writes the registers of its C.
unsigned statesAfterMatrixC(const Chip &chip, const HazardFacts &first);

/// The maximum number of wait states that any rule requires.
constexpr unsigned kMostHazardStates = 20;

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_HAZARDS_HAZARDRULES_H
