//===- TargetProfile.h - A target profile as plain data ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A target profile is a JSON file, and this header is its C++ form. It is plain
// data without MLIR, so that all parts of the pipeline can take their
// parameters from it and none needs to know a chip by name.
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

/// The code generator of a target.
enum class Backend { ROCDL, XeVM };

/// The kinds of 8-bit floats that the chip supports. The two families have
/// different bit patterns, so confusing them produces wrong results.
enum class Fp8Kind {
  None, ///< No fp8 instructions.
  FNUZ, ///< f8E4M3FNUZ and f8E5M2FNUZ.
  OCP,  ///< f8E4M3FN and f8E5M2 (Open Compute Project).
};

/// Limits of a workgroup, a compute unit and a device. Sizes are in bytes.
struct TargetLimits {
  int64_t ldsBytes = 0;            ///< LDS (SLM) that a workgroup may use.
  int64_t ldsBanks = 32;           ///< LDS banks, four bytes wide.
  int64_t threadsPerWorkgroup = 0; ///< Lanes that a workgroup may have.
  int64_t wavesPerCU = 0;          ///< Waves resident on a compute unit.
  int64_t vgprs = 0;               ///< Vector registers that a lane may use.
  /// The same in the large register file of Intel GPUs, which kernels that
  /// multiply matrices use if their workgroups have at most half of the
  /// threads; 0 if there is none.
  int64_t largeVgprs = 0;
  int64_t xcds = 1; ///< Accelerator complex dies (1 without chiplets).
  int64_t cus = 0;  ///< Compute units on the whole device.
};

/// Parameters with which the compiler compares tiles and distributions. The
/// profile states the source of each one.
struct CostModel {
  int64_t accessBits = 0;   ///< Bits of a lane's widest access.
  int64_t tileRowBytes = 0; ///< Bytes along K for tiles that fill cache lines.
  int64_t simdsPerCU = 0;   ///< SIMDs that run the waves of a workgroup.
  /// The number of multiply-adds in the time it takes to load a row of A, or a
  /// column of B, into the registers of the waves that multiply it.
  int64_t tileRowCost = 0;
  /// The additional cost for each further wave that reads the same row itself.
  int64_t waveRowCost = 0;
  int64_t reservedVgprs = 0; ///< Registers for addresses and loop state.
  int64_t usableVgprs = 0;   ///< Per mille that values may use without spills.
  /// The number of registers that count for each register of an accumulator
  /// with 64-bit elements.
  int64_t doubleAccumulatorVgprs = 0;
  /// Denominators: the accumulator of a block, and each of its operands, may
  /// use at most 1/N of the registers.
  int64_t accumulatorVgprShare = 0, operandVgprShare = 0;
  int64_t prefetchSteps = 0; ///< Steps along K between a prefetch and its use.
};

/// The layout of a matrix instruction's operand in the registers of a wave, as
/// a nested layout without its subgroup and batch levels. Dimension i has outer
/// * thread * element elements, with element innermost. The lanes with `(lane /
/// threadStrides[i]) % threadTile[i] == t` hold thread position t. If there are
/// more lanes than the tiles use, the others hold copies.
struct OperandLayout {
  std::string type; ///< The MLIR element type, such as "f16" or "f8E4M3FNUZ".
  std::vector<int64_t> outerTile;
  std::vector<int64_t> threadTile;
  std::vector<int64_t> elementTile;
  std::vector<int64_t> threadStrides;
  /// For A and B, lane i of each row of 16 lanes passes the registers of lane
  /// `lanePermutation[i]` in its row to the instruction. If empty, it passes
  /// its own.
  std::vector<int64_t> lanePermutation;
};

/// A matrix instruction, executed by one wave: C += A * B, where A is m x k, B
/// is k x n and C is m x n.
struct MatrixInstruction {
  std::string name; ///< The name, with its types if it has several.
  std::string op;   ///< The op in the backend's dialect, such as
                    ///< "mfma.f32.16x16x16f16".
  int64_t m = 0, n = 0, k = 0;
  OperandLayout a, b, c;
  /// For instructions that scale blocks of A and B along K, the layouts of the
  /// scales, which are m x (k / block) and (k / block) x n.
  std::optional<OperandLayout> scaleA, scaleB;

  bool isScaled() const { return scaleA.has_value(); }
  /// Returns the number of elements of A along K per scale.
  int64_t getScaleBlock() const {
    return isScaled() ? k / (scaleA->outerTile[1] * scaleA->threadTile[1] *
                             scaleA->elementTile[1])
                      : 1;
  }
};

/// A factor of a tuned product: its element type, whether its rows are along K,
/// and whether the kernel computes its elements from other values.
struct TunedFactor {
  std::string type;
  bool alongK = false, isComputed = false;

  bool operator==(const TunedFactor &) const = default;
};

/// The key of a tuned product: `matrices` products of m x k and k x n matrices
/// on a target.
struct TunedProductKey {
  std::string chip;
  int64_t waveSize = 0, cus = 0;
  int64_t m = 0, n = 0, k = 0, matrices = 1;
  TunedFactor a, b;
  std::string c; ///< The type of the sums.

  bool operator==(const TunedProductKey &) const = default;
};

/// Choices for the kernel of a product that `aircc tune` found to be fast. They
/// replace the choices of the strategies.
struct TunedProduct {
  TunedProductKey key;
  int64_t tileM = 0, tileN = 0, tileK = 0, wavesM = 0, wavesN = 0;
  int64_t buffers = 0;
  /// The number of parts of equal depth along K for which the kernel computes
  /// separate products. Another kernel adds these.
  int64_t splits = 1;
};

/// A stage of the profile's pipeline with its options.
struct StageSpec {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;
};

/// Parameters for building the host part of a program.
struct HostSpec {
  std::string triple;
  std::string cc;                     ///< The C compiler driver used as the
                                      ///< linker.
  std::vector<std::string> linkFlags; ///< Additional flags for that driver.
};

/// A resolved profile, with `extends` applied and validated against the schema.
struct TargetProfile {
  std::string name;
  std::string description; ///< One line for listings.
  std::string vendor;
  Backend backend = Backend::ROCDL;
  std::string triple;
  std::string chip;
  std::string features; ///< LLVM subtarget features, "+a,-b".
  unsigned codeObjectVersion = 0;
  unsigned waveSize = 0; ///< Lanes in a wave (subgroup on Intel).
  /// Whether the user, rather than the profile, selected `waveSize`.
  bool hasSelectedWaveSize = false;
  Fp8Kind fp8 = Fp8Kind::None; ///< In JSON, "fp8": "none" | "fnuz" | "ocp".
  bool bf16Conversion = false; ///< Whether an instruction rounds f32 to bf16.
  TargetLimits limits;
  CostModel costModel;
  /// The bits per lane of a direct-to-LDS load, narrowest first.
  std::vector<unsigned> dmaWidths;
  /// The element sizes in bits that 64-bit reads from LDS can transpose within
  /// groups of 16 lanes.
  std::vector<unsigned> ldsTransposeBits;
  /// Sorted by name.
  std::vector<MatrixInstruction> matrixInstructions;
  std::vector<StageSpec> pipeline;
  /// Device libraries in link order, without ".bc".
  std::vector<std::string> deviceLibs;
  HostSpec host;
  /// Runtime devices that can execute code for this target, in order of
  /// preference.
  std::vector<std::string> runtimeDevices;
  std::vector<TunedProduct> tuning;
  /// All files of the profile: the profile itself, its bases, and `tuningFile`.
  std::vector<std::string> files;
  /// The file selected by the user from which `tuning` comes. Empty if it comes
  /// from the profile.
  std::string tuningFile;
};

} // namespace aircc

#endif // AIRCC_TARGETS_TARGETPROFILE_H
