//===- TargetProfile.h - What a JSON target profile says --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target profile is one JSON file. This header is its C++ form: plain data,
// no MLIR in it, so that every folder of the pipeline can take its figures from
// here and none needs to know a chip by name.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_TARGETPROFILE_H
#define AIRCC_TARGETS_TARGETPROFILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aircc {

/// Which code generator a target uses.
enum class Backend { ROCDL, XeVM };

/// Which 8-bit float kinds the chip converts and multiplies. The bit patterns
/// of the two families differ, so taking one for the other gives wrong numbers.
enum class Fp8Kind {
  None, ///< No fp8 instructions at all.
  FNUZ, ///< f8E4M3FNUZ and f8E5M2FNUZ.
  OCP,  ///< f8E4M3FN and f8E5M2 (Open Compute Project).
};

/// What one workgroup, one compute unit and one device offer. Sizes in bytes.
struct TargetLimits {
  int64_t ldsBytes = 0;            ///< LDS (SLM) one workgroup may use.
  int64_t ldsBanks = 32;           ///< Banks of it, of four bytes each.
  int64_t threadsPerWorkgroup = 0; ///< Lanes one workgroup may have.
  int64_t wavesPerCU = 0;          ///< Waves resident on a compute unit.
  int64_t vgprs = 0;               ///< Vector registers one lane may use.
  int64_t xcds = 1; ///< Accelerator complex dies (1: no chiplets).
  int64_t cus = 0;  ///< Compute units of the whole device.
};

/// Figures by which the compiler compares tiles and distributions. Where each
/// one comes from is written beside it in the profile.
struct CostModel {
  int64_t accessBits = 0;   ///< Bits one lane moves by its widest access.
  int64_t tileRowBytes = 0; ///< Bytes along K of a tile that fills cache lines.
  int64_t simdsPerCU = 0;   ///< SIMDs that a workgroup's waves run on.
  /// Multiply-adds in the time that it takes to move one row of A, or column of
  /// B, to the registers of the waves that multiply it.
  int64_t tileRowCost = 0;
  /// What each further wave adds that reads the same row for itself.
  int64_t waveRowCost = 0;
  int64_t reservedVgprs = 0; ///< Registers of addresses and loop state.
  int64_t usableVgprs = 0;   ///< Per mille that values can fill without spills.
  /// How many registers each one counts of an accumulator of 64-bit elements.
  int64_t doubleAccumulatorVgprs = 0;
  /// A block's accumulator, and each of its operands, take at most one part in
  /// so many of the registers.
  int64_t accumulatorVgprShare = 0, operandVgprShare = 0;
  int64_t prefetchSteps = 0; ///< Steps along K that prefetches run before use.
};

/// How the elements of one operand of a matrix instruction lie in the registers
/// of a wave: a nested layout without its subgroup and batch levels. Dimension
/// i has outer * thread * element elements, element innermost; the lane that
/// holds thread position t of it is `(lane / threadStrides[i]) % threadTile[i]
/// == t`. Where more lanes exist than the tiles use, the others hold copies.
struct OperandLayout {
  std::string type; ///< MLIR element type, "f16", "i8", "f8E4M3FNUZ", …
  std::vector<int64_t> outerTile;
  std::vector<int64_t> threadTile;
  std::vector<int64_t> elementTile;
  std::vector<int64_t> threadStrides;
};

/// A matrix instruction: C += A * B with A m x k, B k x n, C m x n, by one
/// wave.
struct MatrixInstruction {
  std::string name; ///< Of the instruction, with its types where it has many.
  std::string op;   ///< Of the backend's dialect, "mfma.f32.16x16x16f16".
  int64_t m = 0, n = 0, k = 0;
  OperandLayout a, b, c;
  /// Of an instruction that scales blocks of A and B along K: the scales, m x
  /// (k / block) and (k / block) x n.
  std::optional<OperandLayout> scaleA, scaleB;

  bool isScaled() const { return scaleA.has_value(); }
  /// Elements of A along K that one scale is for.
  int64_t getScaleBlock() const {
    return isScaled() ? k / (scaleA->outerTile[1] * scaleA->threadTile[1] *
                             scaleA->elementTile[1])
                      : 1;
  }
};

/// One stage of the profile's pipeline, with its options.
struct StageSpec {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;
};

/// What the host side of a program is built with.
struct HostSpec {
  std::string triple;
  std::string cc;                     ///< C compiler driver used as linker.
  std::vector<std::string> linkFlags; ///< Further flags for that driver.
};

/// A resolved profile: `extends` applied, validated against the schema.
struct TargetProfile {
  std::string name;
  std::string description; ///< One line for listings.
  std::string vendor;
  Backend backend = Backend::ROCDL;
  std::string triple;
  std::string chip;
  std::string features; ///< LLVM subtarget features, "+a,-b".
  unsigned codeObjectVersion = 0;
  unsigned waveSize = 0;       ///< Lanes in a wave (subgroup on Intel).
  Fp8Kind fp8 = Fp8Kind::None; ///< JSON: "fp8": "none" | "fnuz" | "ocp".
  TargetLimits limits;
  CostModel costModel;
  /// Bits that one lane moves in one direct-to-LDS load, narrowest first.
  std::vector<unsigned> dmaWidths;
  /// Sorted by name.
  std::vector<MatrixInstruction> matrixInstructions;
  std::vector<StageSpec> pipeline;
  /// Device libraries to look for, in link order, without ".bc".
  std::vector<std::string> deviceLibs;
  HostSpec host;
  /// Devices of the runtime that can execute this target's code, best first.
  std::vector<std::string> runtimeDevices;
  /// Every file the profile came from: itself first, then what it extends.
  std::vector<std::string> files;
};

} // namespace aircc

#endif // AIRCC_TARGETS_TARGETPROFILE_H
