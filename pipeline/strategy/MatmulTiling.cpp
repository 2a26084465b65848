//===- MatmulTiling.cpp - Tiles of a matmul kernel ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/MatmulTiling.h"

#include "pipeline/strategy/CostModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace aircc::layout;

namespace aircc::strategy {

/// Numbers of rows and columns that the tile of C of a wave may have.
static constexpr int64_t kWaveTileSizes[] = {128, 64, 32, 16};

/// Xe loads blocks of a matrix from memory in the layouts of the instructions;
/// other targets stage tiles in LDS.
static bool isStaged(const TargetProfile &profile) {
  return profile.backend != Backend::XeVM;
}

/// Why no instruction multiplies the types in tiles of the given sizes: names
/// the sizes, or else the accumulator types that the target supports.
static Error getInstructionError(const MatrixTypes &types,
                                 const TargetProfile &profile, int64_t waveM,
                                 int64_t waveN, int64_t tileK) {
  std::vector<std::string> sums =
      getAccumulatorTypes(profile, types.a, types.b);
  std::string message =
      "no matrix instruction of " + profile.name + " multiplies " + types.str();
  if (llvm::is_contained(sums, types.c))
    message += " in tiles that " + std::to_string(waveM) + "x" +
               std::to_string(waveN) + "x" + std::to_string(tileK) +
               " of a wave is made of";
  else if (!sums.empty())
    message += "; there are ones into " + llvm::join(sums, ", ");
  return Error{message};
}

/// Why the tile exceeds the workgroup's limits, if it does.
static std::optional<Error> checkLimits(const MatmulTiling &tiling,
                                        const TargetProfile &profile) {
  const MatmulSpec &spec = tiling.spec;
  auto text = [](int64_t n) { return std::to_string(n); };
  int64_t threads = spec.getNumWaves() * profile.waveSize;
  if (threads > profile.limits.threadsPerWorkgroup)
    return Error{text(threads) + " threads are more than a workgroup has (" +
                 text(profile.limits.threadsPerWorkgroup) + ")"};
  int64_t lds = spec.isStaged ? tiling.getLDSBytes() : 0;
  if (lds > profile.limits.ldsBytes)
    return Error{"the buffers of " + text(spec.tileM) + "x" + text(spec.tileN) +
                 "x" + text(spec.tileK) + " take " + text(lds) +
                 " bytes of LDS, and there are " +
                 text(profile.limits.ldsBytes)};
  return std::nullopt;
}

/// Whether to transpose tiles of B when they are copied to LDS, so that waves
/// read them without moving bytes between registers. What goes straight to LDS
/// stays as it is.
static bool transposesB(const MatmulProblem &problem, const MatmulSpec &spec,
                        const TargetProfile &profile) {
  return spec.isStaged && !hasWideDma(profile) && profile.waveSize == 64 &&
         problem.a.alongK && !problem.b.alongK && problem.b.bits <= 16 &&
         getTransposingCopy({spec.tileK, spec.tileN}, problem.b.bits,
                            spec.getNumWaves(), profile);
}

/// Determines whether a staged tile can be moved directly to LDS. Returns the
/// number of registers of a lane for the copy otherwise.
static Result<int64_t> planCopy(bool &isDirect, const MatmulOperand &operand,
                                const Ints &shape, int64_t waves,
                                const TargetProfile &profile) {
  Result<TileCopy> copy = getTileCopy(shape, operand.bits, waves, profile);
  if (!copy)
    return Error{copy.message()};
  isDirect = hasWideDma(profile) && copy->width == profile.costModel.accessBits;
  return isDirect ? 0 : getRegisters(copy->layout.numRegisters(), operand.bits);
}

/// Determines how A and B are moved to LDS, and the registers of a lane: for
/// the tile of C, one tile each of A and B, and tiles that are copied through
/// registers.
static std::optional<Error> planRegisters(MatmulTiling &tiling, int64_t cBits,
                                          const TargetProfile &profile) {
  const MatmulSpec &spec = tiling.spec;
  Result<MatmulLayouts> layouts = getMatmulLayouts(spec, profile);
  if (!layouts)
    return Error{layouts.message()};
  int64_t sums = getRegisters(layouts->c.numRegisters(), cBits);
  if (cBits == 64)
    sums *= profile.costModel.doubleAccumulatorVgprs;
  int64_t needed = sums + getRegisters(layouts->a.numRegisters(), spec.a.bits) +
                   getRegisters(layouts->b.numRegisters(), spec.b.bits) +
                   profile.costModel.reservedVgprs;
  if (spec.isStaged) {
    Result<int64_t> copyA = planCopy(tiling.isDirectA, spec.a, spec.getShapeA(),
                                     spec.getNumWaves(), profile);
    if (!copyA)
      return Error{"A: " + copyA.message()};
    Result<int64_t> copyB = planCopy(tiling.isDirectB, spec.b, spec.getShapeB(),
                                     spec.getNumWaves(), profile);
    if (!copyB)
      return Error{"B: " + copyB.message()};
    needed += *copyA + *copyB;
  }
  int64_t usable = getUsableVgprs(
      profile, spec.getNumWaves() * profile.waveSize, spec.isStaged);
  if (needed > usable) {
    auto text = [](int64_t n) { return std::to_string(n); };
    return Error{"a wave's " + text(spec.tileM / spec.wavesM) + "x" +
                 text(spec.tileN / spec.wavesN) + "x" + text(spec.tileK) +
                 " takes about " + text(needed) + " registers, and there are " +
                 text(usable)};
  }
  tiling.registers = needed;
  return std::nullopt;
}

/// The parts along K in which waves read a tile. It has to be read without
/// moving bytes between registers, and matrix instructions of 64 lanes leave
/// time to issue the reads. What goes straight to LDS needs no such time.
static int64_t getParts(const MatmulSpec &spec, const TargetProfile &profile) {
  bool isDivisible = spec.tileK % (2 * spec.instruction->k) == 0;
  return isStaged(profile) && !hasWideDma(profile) && profile.waveSize == 64 &&
                 spec.a.alongK && spec.b.alongK && isDivisible
             ? 2
             : 1;
}

/// The tiling for the given tiles, or why there is none.
static Result<MatmulTiling> tile(const MatmulProblem &problem,
                                 const TargetProfile &profile,
                                 const TileShape &shape, int64_t tileK,
                                 int64_t buffers) {
  int64_t waveM = shape.tileM / shape.wavesM,
          waveN = shape.tileN / shape.wavesN;
  MatrixTypes types{problem.a.type, problem.b.type, problem.cType};
  // Staged tiles are gathered for wide accesses; small instructions leave most
  // freedom for that. Blocks are not gathered, and on Xe an instruction with
  // few rows does little of the work of one with many.
  const MatrixInstruction *instruction =
      chooseMatrixInstruction(profile, types, waveM, waveN, tileK,
                              isStaged(profile) ? InstructionPreference::Small
                                                : InstructionPreference::Large);
  if (!instruction)
    return getInstructionError(types, profile, waveM, waveN, tileK);
  MatmulTiling tiling;
  tiling.spec = {instruction, shape.tileM,  shape.tileN,
                 tileK,       shape.wavesM, shape.wavesN,
                 problem.a,   problem.b,    isStaged(profile)};
  tiling.buffers = buffers;
  tiling.spec.transposesB = transposesB(problem, tiling.spec, profile);
  tiling.spec.b.alongK |= tiling.spec.transposesB;
  tiling.parts = getParts(tiling.spec, profile);
  if (std::optional<Error> error = checkLimits(tiling, profile))
    return *error;
  if (std::optional<Error> error =
          planRegisters(tiling, problem.cBits, profile))
    return *error;
  return tiling;
}

/// Candidates for the waves along M and N; a staging kernel has as many waves
/// as a compute unit has SIMDs.
static std::vector<std::pair<int64_t, int64_t>>
getWaves(const TargetProfile &profile, const MatmulChoices &choices) {
  if (choices.wavesM || choices.wavesN || isStaged(profile)) {
    int64_t simds = profile.costModel.simdsPerCU;
    int64_t along = int64_t(1) << (llvm::Log2_64(simds) / 2);
    bool isChosen = choices.wavesM || choices.wavesN;
    return {{choices.wavesM ? choices.wavesM
             : isChosen     ? 2
                            : along,
             choices.wavesN ? choices.wavesN
             : isChosen     ? 2
                            : simds / along}};
  }
  return {{8, 4}, {4, 8}, {4, 4}, {4, 2}, {2, 4}, {2, 2}, {2, 1}, {1, 1}};
}

/// Whether all of A and B can be moved directly to LDS, that is, also their
/// ends are whole tiles.
static bool isAllDirect(const MatmulTiling &tiling,
                        const MatmulProblem &problem) {
  auto isWhole = [](std::optional<int64_t> size, int64_t tile) {
    return size && *size > 0 && *size % tile == 0;
  };
  const MatmulSpec &spec = tiling.spec;
  return tiling.isDirectA && tiling.isDirectB &&
         isWhole(problem.k, spec.tileK) &&
         (problem.a.alongK || isWhole(problem.m, spec.tileM)) &&
         (problem.b.alongK || isWhole(problem.n, spec.tileN));
}

/// The tiling of this shape with the longest tile along K that fits, and with
/// one more buffer if that does not reduce occupancy.
static Result<MatmulTiling> tileLongest(const MatmulProblem &problem,
                                        const TargetProfile &profile,
                                        const MatmulChoices &choices,
                                        const TileShape &shape) {
  int64_t rowElements = profile.costModel.tileRowBytes * 8 /
                        std::max<int64_t>({problem.a.bits, problem.b.bits, 1});
  std::vector<int64_t> tilesK{rowElements, rowElements / 2, rowElements / 4};
  if (choices.tileK)
    tilesK = {choices.tileK};
  int64_t buffers = choices.buffers ? choices.buffers : 2;
  std::optional<Error> firstError;
  for (int64_t tileK : tilesK) {
    if (tileK < 1)
      continue;
    Result<MatmulTiling> tiling = tile(problem, profile, shape, tileK, buffers);
    if (!tiling) {
      if (!firstError)
        firstError = Error{tiling.message()};
      continue;
    }
    if (choices.buffers || !isAllDirect(*tiling, problem))
      return tiling;
    // With one more buffer, tiles are in flight for two steps.
    Result<MatmulTiling> more =
        tile(problem, profile, shape, tileK, buffers + 1);
    auto count = [&](const MatmulTiling &t) {
      return countWorkgroups(profile, t.spec.getNumWaves(), t.registers,
                             t.getLDSBytes());
    };
    return more && count(*more) == count(*tiling) ? more : tiling;
  }
  return firstError ? *firstError
                    : Error{"a row of " +
                            std::to_string(profile.costModel.tileRowBytes) +
                            " bytes has no element of these types"};
}

Result<MatmulTiling> chooseMatmulTiling(const MatmulProblem &problem,
                                        const TargetProfile &profile,
                                        const MatmulChoices &choices) {
  std::optional<MatmulTiling> best;
  int64_t bestCost = 0;
  std::string firstError;
  for (auto [wavesM, wavesN] : getWaves(profile, choices))
    for (int64_t waveM : kWaveTileSizes)
      for (int64_t waveN : kWaveTileSizes) {
        TileShape shape{waveM * wavesM, waveN * wavesN, wavesM, wavesN};
        if ((choices.tileM && choices.tileM != shape.tileM) ||
            (choices.tileN && choices.tileN != shape.tileN))
          continue;
        Result<MatmulTiling> tiling =
            tileLongest(problem, profile, choices, shape);
        if (!tiling) {
          if (firstError.empty())
            firstError = tiling.message();
          continue;
        }
        int64_t cost = estimateGridCost(shape, problem.m, problem.n, profile);
        if (!best || cost < bestCost) {
          best = *tiling;
          bestCost = cost;
        }
      }
  if (best)
    return *best;
  if (firstError.empty())
    firstError = "a tile of " + std::to_string(choices.tileM) + "x" +
                 std::to_string(choices.tileN) +
                 " is not made of waves' of 16, "
                 "32, 64 or 128 rows and columns";
  return Error{firstError};
}

} // namespace aircc::strategy
