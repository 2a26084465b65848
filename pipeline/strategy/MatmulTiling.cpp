//===- MatmulTiling.cpp - Tiles of a matmul kernel ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/MatmulTiling.h"

#include "pipeline/strategy/CostModel.h"
#include "pipeline/strategy/Tuning.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace aircc::layout;

namespace aircc::strategy {

/// The numbers of rows and columns that the tile of C of a wave may have.
static constexpr int64_t kWaveTileSizes[] = {128, 64, 32, 16};

/// The number of bits in a scale, which is an f8E8M0FNU.
static constexpr int64_t kScaleBits = 8;

/// The number of lanes in a workgroup without matrix instructions, and the
/// number of bits of a factor's row that a lane reads at once.
static constexpr int64_t kVectorThreads = 256, kVectorBits = 256;

/// Xe loads blocks of a matrix from memory in the layouts of the instructions;
/// other targets stage tiles in LDS.
static bool isStaged(const TargetProfile &profile) {
  return profile.backend != Backend::XeVM;
}

/// Returns why no instruction multiplies the types in tiles of the given sizes.
/// The error names the sizes or, if they are not the reason, the accumulator
/// types that the target supports.
static Error getInstructionError(const MatrixTypes &types,
                                 const TargetProfile &profile, int64_t waveM,
                                 int64_t waveN, int64_t tileK) {
  std::vector<std::string> sums =
      getAccumulatorTypes(profile, types.a, types.b);
  std::string message =
      "no matrix instruction of " + profile.name + " multiplies " + types.str();
  if (llvm::is_contained(sums, types.c))
    message += " in tiles that divide " + std::to_string(waveM) + "x" +
               std::to_string(waveN) + "x" + std::to_string(tileK) +
               ", the tile of a wave";
  else if (!sums.empty())
    message += "; there are instructions with results of type " +
               llvm::join(sums, ", ");
  return Error{message};
}

/// Returns why the tile exceeds the workgroup's limits, if it does.
static std::optional<Error> checkLimits(const MatmulTiling &tiling,
                                        const TargetProfile &profile) {
  const MatmulSpec &spec = tiling.spec;
  auto text = [](int64_t n) { return std::to_string(n); };
  int64_t threads = spec.getNumWaves() * profile.waveSize;
  if (threads > profile.limits.threadsPerWorkgroup)
    return Error{text(threads) +
                 " threads exceed the maximum size of a workgroup (" +
                 text(profile.limits.threadsPerWorkgroup) + ")"};
  int64_t lds = spec.isStaged ? tiling.getLDSBytes() : 0;
  if (lds > profile.limits.ldsBytes)
    return Error{"the buffers of " + text(spec.tileM) + "x" + text(spec.tileN) +
                 "x" + text(spec.tileK) + " take " + text(lds) +
                 " bytes of LDS, but there are only " +
                 text(profile.limits.ldsBytes)};
  return std::nullopt;
}

/// Returns whether to transpose tiles of B when they are copied to LDS, so that
/// waves read them without moving bytes between registers. For 16-bit elements,
/// this is faster even if tiles can be copied directly.
static bool transposesB(const MatmulProblem &problem, const MatmulSpec &spec,
                        const TargetProfile &profile) {
  int64_t bits = problem.b.bits;
  return spec.isStaged && profile.waveSize == 64 && problem.a.alongK &&
         !problem.b.alongK && !isReadTransposed(problem.b, profile) &&
         (hasWideDma(profile) ? bits == 16 : bits <= 16) &&
         getTransposingCopy({spec.tileK, spec.tileN}, problem.b.bits,
                            spec.getNumWaves(), profile);
}

/// Determines whether a staged tile can be copied directly to LDS. Otherwise,
/// returns the number of registers per lane for the copy.
static Result<int64_t> planCopy(bool &isDirect, const MatmulOperand &operand,
                                const Ints &shape, int64_t waves,
                                const TargetProfile &profile) {
  int64_t bits = operand.getMemoryBits();
  Result<TileCopy> copy = getTileCopy(shape, bits, waves, profile);
  if (!copy)
    return Error{copy.message()};
  isDirect = hasWideDma(profile) && !operand.isComputed &&
             copy->width == profile.costModel.accessBits;
  return isDirect ? 0 : getRegisters(copy->layout.numRegisters(), bits);
}

/// Does the same for the tiles of scales of A and B, which have few elements
/// along K and are copied with narrow loads.
static Result<int64_t> planScaleCopies(MatmulTiling &tiling,
                                       const TargetProfile &profile) {
  const MatmulSpec &spec = tiling.spec;
  bool &isDirect = tiling.isDirectScales = true;
  int64_t registers = 0;
  for (int64_t across : {spec.tileM, spec.tileN}) {
    Ints shape = spec.getScaleShape(across, tiling.tilesPerIteration);
    isDirect &=
        bool(getDirectCopy(shape, kScaleBits, spec.getNumWaves(), profile));
    Result<TileCopy> copy =
        getTileCopy(shape, kScaleBits, spec.getNumWaves(), profile);
    if (!copy)
      return Error{copy.message()};
    registers += getRegisters(copy->layout.numRegisters(), kScaleBits);
  }
  return isDirect ? 0 : registers;
}

/// Determines how A and B are copied to LDS, and the number of registers per
/// lane: for the tile of C, one tile each of A and B, and tiles that are copied
/// through registers.
static std::optional<Error> planRegisters(MatmulTiling &tiling, int64_t cBits,
                                          const TargetProfile &profile) {
  const MatmulSpec &spec = tiling.spec;
  Result<MatmulLayouts> layouts = getMatmulLayouts(spec, profile);
  if (!layouts)
    return Error{layouts.message()};
  int64_t sums = getRegisters(layouts->c.numRegisters(), cBits);
  if (cBits == 64)
    sums *= profile.costModel.doubleAccumulatorVgprs;
  // Small elements of factors whose rows are across K are rearranged after they
  // are read. If tiles are not staged, the block loads rearrange B instead.
  auto getFactor = [&](const NestedLayout &layout, const MatmulOperand &factor,
                       bool isRearranged) {
    return getRegisters(layout.numRegisters(), factor.bits) *
           (factor.alongK || factor.bits >= 32 || !isRearranged ||
                    isReadTransposed(factor, profile)
                ? 1
                : 2);
  };
  int64_t needed = sums + getFactor(layouts->a, spec.a, true) +
                   getFactor(layouts->b, spec.b, spec.isStaged) +
                   profile.costModel.reservedVgprs;
  if (spec.isStaged) {
    Result<int64_t> copyA = planCopy(tiling.isDirectA, spec.a,
                                     spec.getMemoryShape(spec.a, spec.tileM),
                                     spec.getNumWaves(), profile);
    if (!copyA)
      return Error{"A: " + copyA.message()};
    Result<int64_t> copyB = planCopy(tiling.isDirectB, spec.b,
                                     spec.getMemoryShape(spec.b, spec.tileN),
                                     spec.getNumWaves(), profile);
    if (!copyB)
      return Error{"B: " + copyB.message()};
    tiling.isDirectB &= !spec.transposesB;
    needed += *copyA + *copyB;
  }
  if (spec.scaleBlock) {
    Result<int64_t> copies = planScaleCopies(tiling, profile);
    if (!copies)
      return Error{"scales: " + copies.message()};
    needed += *copies +
              getRegisters(layouts->scalesA.numRegisters(), kScaleBits) +
              getRegisters(layouts->scalesB.numRegisters(), kScaleBits);
  }
  int64_t usable = getUsableVgprs(
      profile, spec.getNumWaves() * profile.waveSize, spec.isStaged);
  if (needed > usable) {
    auto text = [](int64_t n) { return std::to_string(n); };
    return Error{"a wave's " + text(spec.tileM / spec.wavesM) + "x" +
                 text(spec.tileN / spec.wavesN) + "x" + text(spec.tileK) +
                 " tile takes about " + text(needed) +
                 " registers, but there are only " + text(usable)};
  }
  tiling.registers = needed;
  return std::nullopt;
}

/// Returns the number of parts along K in which waves read a tile, if the
/// instruction permits it. There are two if the tile can be read without moving
/// bytes between registers, and if waves have 64 lanes, because their matrix
/// instructions leave time to issue the reads.
static int64_t getParts(const MatmulSpec &spec, const TargetProfile &profile) {
  auto isReadWhole = [&](const MatmulOperand &operand) {
    return operand.alongK || isReadTransposed(operand, profile);
  };
  return spec.isStaged && profile.waveSize == 64 && isReadWhole(spec.a) &&
                 isReadWhole(spec.b)
             ? 2
             : 1;
}

/// Returns the number of elements along K of tiles whose rows fill cache lines.
static int64_t getRowElements(const MatmulProblem &problem,
                              const TargetProfile &profile) {
  return profile.costModel.tileRowBytes * 8 /
         std::max<int64_t>({problem.a.bits, problem.b.bits, 1});
}

/// Returns whether all tiles of A and B can be copied directly to LDS, because
/// even the last ones are full.
static bool isAllDirect(const MatmulTiling &tiling,
                        const MatmulProblem &problem) {
  auto isWhole = [](std::optional<int64_t> size, int64_t tile) {
    return size && *size > 0 && *size % tile == 0;
  };
  const MatmulSpec &spec = tiling.spec;
  return tiling.isDirectA && tiling.isDirectB &&
         (!spec.scaleBlock || tiling.isDirectScales) &&
         isWhole(problem.k, spec.tileK) &&
         (problem.a.alongK || isWhole(problem.m, spec.tileM)) &&
         (problem.b.alongK || isWhole(problem.n, spec.tileN));
}

/// Returns the number of tiles along K whose scales are copied together. A lane
/// loads as much at once for a line of data as for a few bytes of scales, so
/// the scales of a row should fill its access.
static int64_t countScaleTiles(const MatmulTiling &tiling,
                               const MatmulProblem &problem,
                               const TargetProfile &profile) {
  const MatmulSpec &spec = tiling.spec;
  int64_t width = profile.costModel.accessBits;
  int64_t tiles = width / (spec.tileK / spec.scaleBlock * kScaleBits);
  // The loop with parts is the one that multiplies several tiles. With two
  // buffers, it waits for all transfers at once, and the buffer of each of an
  // even number of tiles is known.
  if (tiles < 2 || tiles % 2 != 0 || tiling.parts < 2 || tiling.buffers != 2 ||
      !isAllDirect(tiling, problem) || *problem.k % (tiles * spec.tileK) != 0)
    return 1;
  for (int64_t across : {spec.tileM, spec.tileN}) {
    Result<TileCopy> copy =
        getDirectCopy(spec.getScaleShape(across, tiles), kScaleBits,
                      spec.getNumWaves(), profile);
    if (!copy || copy->width != width)
      return 1;
  }
  MatmulTiling together = tiling;
  together.tilesPerIteration = tiles;
  return checkLimits(together, profile) ? 1 : tiles;
}

/// Returns the tiling for the given tiles, or why there is none.
static Result<MatmulTiling> tile(const MatmulProblem &problem,
                                 const TargetProfile &profile,
                                 const TileShape &shape, int64_t tileK,
                                 int64_t buffers) {
  int64_t waveM = shape.tileM / shape.wavesM,
          waveN = shape.tileN / shape.wavesN;
  MatrixTypes types{problem.a.type, problem.b.type, problem.cType};
  MatmulTiling tiling;
  tiling.spec = {nullptr,   shape.tileM,  shape.tileN,
                 tileK,     shape.wavesM, shape.wavesN,
                 problem.a, problem.b,    isStaged(profile)};
  tiling.spec.scaleBlock = problem.scaleBlock;
  tiling.buffers = buffers;
  tiling.spec.transposesB = transposesB(problem, tiling.spec, profile);
  tiling.spec.b.alongK |= tiling.spec.transposesB;
  tiling.parts = getParts(tiling.spec, profile);
  if (!tiling.spec.isStaged)
    tiling.tilesPerIteration =
        std::max<int64_t>(getRowElements(problem, profile) / tileK, 1);
  // Staged tiles are gathered for wide accesses, for which small instructions
  // leave the most freedom. Blocks are not gathered, and on Xe an instruction
  // with few rows takes as long as one with many. Transposed tiles in flight
  // leave no registers for large instructions.
  const MatrixInstruction *instruction = chooseMatrixInstruction(
      profile, {types, problem.scaleBlock}, waveM, waveN, tileK,
      tiling.spec.transposesB ? 1 : tiling.parts,
      isStaged(profile) ? InstructionPreference::Small
                        : InstructionPreference::Large);
  if (!instruction)
    return getInstructionError(types, profile, waveM, waveN, tileK);
  tiling.spec.instruction = instruction;
  if (tileK % (tiling.parts * instruction->k))
    tiling.parts = 1;
  if (std::optional<Error> error = checkLimits(tiling, profile))
    return *error;
  if (std::optional<Error> error =
          planRegisters(tiling, problem.cBits, profile))
    return *error;
  if (problem.scaleBlock)
    tiling.tilesPerIteration = countScaleTiles(tiling, problem, profile);
  return tiling;
}

/// Returns candidates for the waves along M and N. A staging kernel has as many
/// waves as a compute unit has SIMDs.
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

/// Returns the tiling of this shape with the longest tile along K that fits,
/// and with one more buffer if that does not reduce occupancy.
static Result<MatmulTiling> tileLongest(const MatmulProblem &problem,
                                        const TargetProfile &profile,
                                        const MatmulChoices &choices,
                                        const TileShape &shape) {
  int64_t rowElements = getRowElements(problem, profile);
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
                            " bytes holds no elements of these types"};
}

/// Returns the cost of transposing factors in waves that read them from memory,
/// in the unit of estimateTileCost. Loads transpose words of B, which takes one
/// message for every 16 columns. Waves rearrange the halves of words of A.
static int64_t estimateTransposition(const MatmulProblem &problem,
                                     const TileShape &tile,
                                     const TargetProfile &profile) {
  if (isStaged(profile))
    return 0;
  constexpr int64_t kColumnCost = 1, kRowCost = 8;
  return (problem.b.alongK ? kColumnCost * tile.wavesM * tile.tileN : 0) +
         (problem.a.alongK ? 0 : kRowCost * tile.wavesN * tile.tileM);
}

Result<MatmulTiling> chooseMatmulTiling(const MatmulProblem &problem,
                                        const TargetProfile &profile,
                                        const MatmulChoices &choices) {
  if (problem.scaleBlock && !(problem.a.alongK && problem.b.alongK))
    return Error{"blocks that share a scale must be along the rows of A and "
                 "along the columns of B in memory"};
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
        int64_t cost =
            estimateGridCost(shape, problem.m, problem.n, profile,
                             estimateTransposition(problem, shape, profile));
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
                 " cannot be divided into tiles of waves with 16, 32, 64 or "
                 "128 rows and columns";
  return Error{firstError};
}

/// Estimates in units of the latency of a memory access. Within one latency, a
/// compute unit executes kLatencyCost multiply-adds or receives kLatencyBytes
/// bytes. The start and end of a loop along K take kLoopLatencies, and another
/// kernel takes kKernelLatencies.
static constexpr double kLatencyCost = 1 << 20, kLatencyBytes = 6 << 10,
                        kLoopLatencies = 2, kKernelLatencies = 8;
/// The second kernel has an operand for each product.
static constexpr int64_t kMaxSplits = 32;

/// Returns the time of the products, each split into `splits`, in latencies of
/// a memory access. The loads of one step along K are in flight during the
/// previous step.
static double estimateTime(const MatmulProblem &problem, int64_t matrices,
                           const MatmulTiling &tiling, int64_t splits,
                           const TargetProfile &profile) {
  const MatmulSpec &spec = tiling.spec;
  int64_t workgroups = matrices * llvm::divideCeil(*problem.m, spec.tileM) *
                       llvm::divideCeil(*problem.n, spec.tileN) * splits;
  int64_t cus = std::max<int64_t>(profile.limits.cus, 1);
  int64_t resident =
      std::max<int64_t>(countWorkgroups(profile, spec.getNumWaves(),
                                        tiling.registers, tiling.getLDSBytes()),
                        1);
  int64_t sharing =
      std::min<int64_t>(resident, llvm::divideCeil(workgroups, cus));
  double cost = estimateTileCost(
      {spec.tileM, spec.tileN, spec.wavesM, spec.wavesN}, profile.costModel);
  double step = std::max(1.0, cost * spec.tileK * sharing / kLatencyCost);
  double steps = llvm::divideCeil(*problem.k / splits, spec.tileK);
  double rounds = llvm::divideCeil(workgroups, cus * resident);
  double sums = double(*problem.m) * *problem.n * problem.cBits / 8;
  double bytes =
      double(*problem.k) *
          (*problem.m * problem.a.bits + *problem.n * problem.b.bits) / 8 +
      sums * (splits > 1 ? 2 * splits : 1);
  return rounds * (steps + kLoopLatencies) * step +
         matrices * bytes / (cus * kLatencyBytes) +
         (splits > 1 ? kKernelLatencies : 0);
}

int64_t chooseSplits(const MatmulProblem &problem, int64_t matrices,
                     const MatmulTiling &tiling, const TargetProfile &profile,
                     llvm::function_ref<bool(int64_t)> isPossible) {
  if (!problem.m || !problem.n || !problem.k || !tiling.spec.isStaged)
    return 1;
  auto isExcluded = [&](int64_t splits) {
    return isPossible && splits > 1 && !isPossible(splits);
  };
  std::optional<int64_t> tuned = findTunedSplits(problem, profile);
  if (tuned && !isExcluded(*tuned))
    return *tuned;
  int64_t depth = *problem.k, tileK = tiling.spec.tileK;
  // The parts must have whole tiles or aligned rows if the entire product does.
  int64_t access = profile.costModel.accessBits /
                   std::max<int64_t>({problem.a.bits, problem.b.bits, 1});
  int64_t unit = depth % tileK == 0 ? tileK : depth % access == 0 ? access : 1;
  int64_t best = 1;
  double bestTime = estimateTime(problem, matrices, tiling, 1, profile);
  for (int64_t splits = 2; splits <= kMaxSplits; ++splits) {
    if (depth % (splits * unit) || depth / splits < tileK || isExcluded(splits))
      continue;
    double time = estimateTime(problem, matrices, tiling, splits, profile);
    if (time < bestTime) {
      best = splits;
      bestTime = time;
    }
  }
  return best;
}

std::optional<MatmulTiling> chooseVectorTiling(const MatmulProblem &problem,
                                               const TargetProfile &profile) {
  auto isSupported = [](const std::string &type, int64_t bits) {
    // Narrower floating-point types only support conversions.
    return type.front() == 'i' ? bits >= 8 : bits >= 16;
  };
  int64_t waves = std::max<int64_t>(
      std::min(kVectorThreads, profile.limits.threadsPerWorkgroup) /
          profile.waveSize,
      1);
  if (!isSupported(problem.a.type, problem.a.bits) ||
      !isSupported(problem.b.type, problem.b.bits) ||
      !isSupported(problem.cType, problem.cBits))
    return std::nullopt;
  MatmulTiling tiling;
  tiling.spec.wavesM = 1;
  tiling.spec.wavesN = waves;
  tiling.spec.tileK = kVectorBits / std::max(problem.a.bits, problem.b.bits);
  tiling.spec.a = problem.a;
  tiling.spec.b = problem.b;
  tiling.spec.isStaged = false;
  int64_t bestCost = 0;
  for (int64_t size : {64, 32}) {
    int64_t cost =
        estimateGridCost({size, size, 1, waves}, problem.m, problem.n, profile);
    if (bestCost && cost >= bestCost)
      continue;
    bestCost = cost;
    tiling.spec.tileM = tiling.spec.tileN = size;
  }
  return tiling;
}

} // namespace aircc::strategy
