//===- MatmulTiling.cpp - How a matmul is dealt to workgroups -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/MatmulTiling.h"

#include "dialects/layout/algebra/AsyncDma.h"
#include "dialects/layout/algebra/MatrixLayout.h"
#include "dialects/layout/algebra/Transforms.h"
#include "dialects/layout/algebra/XorShuffle.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>

using namespace aircc::layout;

namespace aircc::hierarchy {

namespace {

/// Bits that a lane reads or writes at once.
constexpr int64_t kAccessBits = 128;
/// Bytes of a tile's row along K: a cache line.
constexpr int64_t kRowBytes = 128;
/// What a step along K costs beside the multiplications, in multiplications
/// for each row and column: staging and reading a row takes as long as so many.
constexpr int64_t kRowCost = 48;
/// What reading one of them from the cache once more costs a wave.
constexpr int64_t kWaveRowCost = 4;
/// Sizes that are not known count as this.
constexpr int64_t kLikelySize = 4096;
/// Units of a compute unit that each have registers for waves of their own.
constexpr int64_t kSIMDs = 4;
/// Registers for addresses and all that is not an operand; those of a machine
/// whose waves share addresses.
constexpr int64_t kOtherRegisters = 40, kOtherRegistersDirect = 16;

/// Blocks of a matrix in memory are loaded into the instructions' layouts.
bool readsDirectly(const TargetProfile &profile) {
  return profile.backend == Backend::XeVM;
}

const MatrixInstruction *findInstruction(const MatmulProblem &problem,
                                         const TargetProfile &profile,
                                         int64_t m, int64_t n, int64_t k) {
  const MatrixInstruction *best = nullptr;
  for (const MatrixInstruction &candidate : profile.matrixInstructions) {
    if (candidate.isScaled() || candidate.a.type != problem.a.type ||
        candidate.b.type != problem.b.type ||
        candidate.c.type != problem.cType || m % candidate.m ||
        n % candidate.n || k % candidate.k)
      continue;
    // Small tiles leave the most freedom, long ones read the most at once. On
    // Intel's, an instruction of few rows is one of many that does little.
    int64_t size = candidate.m * candidate.n,
            bestSize = best ? best->m * best->n : size;
    bool better = readsDirectly(profile) ? size > bestSize : size < bestSize;
    if (!best || better || (size == bestSize && candidate.k > best->k))
      best = &candidate;
  }
  return best;
}

/// What to say where there is no instruction: `sizes`, if there is one of other
/// sizes, or the types into which the target multiplies these.
std::string getOtherSums(const MatmulProblem &problem,
                         const TargetProfile &profile, std::string sizes) {
  std::set<std::string> sums;
  for (const MatrixInstruction &other : profile.matrixInstructions)
    if (!other.isScaled() && other.a.type == problem.a.type &&
        other.b.type == problem.b.type)
      sums.insert(other.c.type);
  if (sums.count(problem.cType))
    return sizes;
  if (sums.empty())
    return "";
  return "; there are ones into " + llvm::join(sums, ", ");
}

Result<NestedLayout> layoutOf(const OperandLayout &operand) {
  return NestedLayout::get(
      NestedParams::ofInstruction(operand.outerTile, operand.threadTile,
                                  operand.elementTile, operand.threadStrides));
}

/// Lets a lane hold neighbours along dimension `dim`, up to `most`, that it
/// held in different batches.
NestedLayout gather(const NestedLayout &layout, int64_t dim, int64_t most) {
  std::vector<DimTiles> dims = layout.dims();
  DimTiles &d = dims[dim];
  while (d.thread > 1 && d.batch % 2 == 0 && d.element * 2 <= most) {
    d.batch /= 2;
    d.element *= 2;
  }
  return *NestedLayout::ofDims(std::move(dims));
}

/// Lets a lane read several neighbours of A and B at once.
void widenAccesses(ContractLayouts &layouts, const MatmulProblem &problem) {
  auto piece = [](int64_t bits) {
    return std::max<int64_t>(kAccessBits / bits, 1);
  };
  layouts.a = gather(layouts.a, 1, piece(problem.a.bits));
  layouts.b = gather(layouts.b, 0, piece(problem.a.bits));
  if (!problem.b.alongK && layouts.b.dim(1).element == 1 &&
      layouts.c.dim(1).element == 1) {
    layouts.b = gather(layouts.b, 1, piece(problem.b.bits));
    layouts.c = gather(layouts.c, 1, layouts.b.dim(1).element);
  }
}

Result<MatmulStaging> stage(const MatmulOperand &operand, Ints shape,
                            const TargetProfile &profile, int64_t waves,
                            const NestedLayout &layout) {
  if (readsDirectly(profile))
    return MatmulStaging{shape, 1, 1, 0, NestedLayout(), false, layout};
  int64_t piece = std::max<int64_t>(kAccessBits / operand.bits, 1);
  AsyncDmaRequest request;
  request.shape = shape;
  request.elementBits = operand.bits;
  request.waveSize = profile.waveSize;
  request.waves = waves;
  request.allowSurplusWaves = false;
  for (int64_t width = kAccessBits; width >= operand.bits; width /= 2)
    request.widths.push_back(width);
  Result<AsyncDmaPlan> copy = planAsyncDma(request);
  if (!copy)
    return Error{copy.message()};
  bool isDirect = std::find(profile.dmaWidths.begin(), profile.dmaWidths.end(),
                            unsigned(kAccessBits)) != profile.dmaWidths.end() &&
                  copy->width == kAccessBits;

  // Lanes that read down a column of rows must find them in different banks:
  // rows that share a line of all banks, and the lines, are told apart.
  int64_t bankLine = profile.limits.ldsBanks * 32 / operand.bits;
  int64_t row = shape[1], access = std::min(piece, row), turns = 0;
  // Lanes side by side read so many elements of a row.
  int64_t part = layout.dim(1).element * layout.dim(1).thread;
  if (operand.alongK) {
    row = std::max(row, std::min(bankLine, product(shape)));
    // As many lanes as pieces make a line read one column together, from rows
    // next to each other.
    turns = std::max<int64_t>(bankLine / access * shape[1] / row, 1);
  } else if (part % bankLine == 0) {
    access = row;
  } else if (int64_t own = layout.dim(0).element;
             own > 1 && bankLine % part == 0 && part >= piece &&
             shape[0] % (own * bankLine / part) == 0) {
    // The lanes behind them read as many rows further down as one has, and take
    // the other parts of the line: rows of one lane are permuted alike, so that
    // constants tell them apart.
    row *= own;
    access = part;
    turns = bankLine / part;
  }
  if (turns >= row / access)
    turns = 0;
  if (!XorShuffle::get(row, access, turns)) {
    row = access = shape[1];
    turns = 0;
  }
  return MatmulStaging{shape,        row,      access, turns,
                       copy->layout, isDirect, layout};
}

/// Registers of a lane: the tile of C, an operand each, and what is on its way
/// through registers.
int64_t countRegisters(const MatmulTiling &tiling, const MatmulProblem &problem,
                       bool isDirect) {
  auto registers = [](const NestedLayout &layout, int64_t bits) {
    return (layout.numRegisters() * bits + 31) / 32;
  };
  int64_t sums = registers(tiling.c, problem.cBits);
  // Pairs of registers leave the allocator less room.
  if (problem.cBits == 64)
    sums *= 2;
  int64_t needed = sums + registers(tiling.a.operand, problem.a.bits) +
                   registers(tiling.b.operand, problem.b.bits);
  if (isDirect)
    return needed + kOtherRegistersDirect;
  if (!tiling.a.isDirect)
    needed += registers(tiling.a.copy, problem.a.bits);
  if (!tiling.b.isDirect)
    needed += registers(tiling.b.copy, problem.b.bits);
  return needed + kOtherRegisters;
}

/// The tiling with given tiles, or why there is none.
Result<MatmulTiling> tile(const MatmulProblem &problem,
                          const TargetProfile &profile, int64_t waveM,
                          int64_t waveN, int64_t tileK, int64_t wavesM,
                          int64_t wavesN, int64_t buffers) {
  MatmulTiling tiling;
  tiling.tileM = waveM * wavesM;
  tiling.tileN = waveN * wavesN;
  tiling.tileK = tileK;
  tiling.wavesM = wavesM;
  tiling.wavesN = wavesN;
  tiling.buffers = buffers;
  auto text = [](int64_t n) { return std::to_string(n); };
  tiling.instruction = findInstruction(problem, profile, waveM, waveN, tileK);
  if (!tiling.instruction)
    return Error{
        "no matrix instruction of " + profile.name + " multiplies " +
        problem.a.type + " by " + problem.b.type + " into " + problem.cType +
        getOtherSums(problem, profile,
                     " in tiles that " + text(waveM) + "x" + text(waveN) + "x" +
                         text(tileK) + " of a wave is made of")};
  int64_t threads = wavesM * wavesN * profile.waveSize;
  if (threads > profile.limits.threadsPerWorkgroup)
    return Error{text(threads) + " threads are more than a workgroup has (" +
                 text(profile.limits.threadsPerWorkgroup) + ")"};
  bool isDirect = readsDirectly(profile);
  int64_t lds = isDirect ? 0 : tiling.getLDSBytes(problem);
  if (lds > profile.limits.ldsBytes)
    return Error{"the buffers of " + text(tiling.tileM) + "x" +
                 text(tiling.tileN) + "x" + text(tileK) + " take " + text(lds) +
                 " bytes of LDS, and there are " +
                 text(profile.limits.ldsBytes)};

  Result<NestedLayout> a = layoutOf(tiling.instruction->a),
                       b = layoutOf(tiling.instruction->b),
                       c = layoutOf(tiling.instruction->c);
  for (const Result<NestedLayout> *operand : {&a, &b, &c})
    if (!*operand)
      return Error{operand->message()};
  Result<ContractLayouts> layouts = contractLayouts(
      {*a, *b, *c}, tiling.tileM, tiling.tileN, tileK, wavesM, wavesN);
  if (!layouts)
    return Error{layouts.message()};
  if (!isDirect)
    widenAccesses(*layouts, problem);
  if (!problem.a.alongK)
    layouts->a = *permute(layouts->a, Ints{1, 0});
  if (problem.b.alongK)
    layouts->b = *permute(layouts->b, Ints{1, 0});
  tiling.c = layouts->c;

  Result<MatmulStaging> stagedA = stage(
      problem.a,
      problem.a.alongK ? Ints{tiling.tileM, tileK} : Ints{tileK, tiling.tileM},
      profile, tiling.getNumWaves(), layouts->a);
  if (!stagedA)
    return Error{"A: " + stagedA.message()};
  Result<MatmulStaging> stagedB = stage(
      problem.b,
      problem.b.alongK ? Ints{tiling.tileN, tileK} : Ints{tileK, tiling.tileN},
      profile, tiling.getNumWaves(), layouts->b);
  if (!stagedB)
    return Error{"B: " + stagedB.message()};
  tiling.a = *stagedA;
  tiling.b = *stagedB;

  int64_t needed = countRegisters(tiling, problem, isDirect);
  int64_t available = profile.limits.vgprs;
  // Staging kernels share the files of four SIMDs between their waves.
  if (!isDirect)
    available =
        std::min<int64_t>(available, available * profile.waveSize * kSIMDs /
                                         std::max<int64_t>(threads, 1));
  // A file that is full to the brim is one in which values are moved about.
  available = isDirect ? available * 7 / 8 : available * 4 / 5;
  if (needed > available)
    return Error{"a wave's " + text(waveM) + "x" + text(waveN) + "x" +
                 text(tileK) + " takes about " + text(needed) +
                 " registers, and there are " + text(available)};
  tiling.registers = needed;
  return tiling;
}

int64_t estimate(const MatmulTiling &tiling, const MatmulProblem &problem,
                 const TargetProfile &profile) {
  int64_t m = problem.m.value_or(kLikelySize),
          n = problem.n.value_or(kLikelySize);
  int64_t tiles = ((m + tiling.tileM - 1) / tiling.tileM) *
                  ((n + tiling.tileN - 1) / tiling.tileN);
  int64_t cus = std::max<int64_t>(profile.limits.cus, 1);
  int64_t cost =
      tiling.tileM * tiling.tileN + kRowCost * (tiling.tileM + tiling.tileN);
  // Waves that read for themselves each take the rows and columns of theirs.
  if (readsDirectly(profile))
    cost += kWaveRowCost *
            (tiling.wavesN * tiling.tileM + tiling.wavesM * tiling.tileN);
  return (tiles + cus - 1) / cus * cost;
}

/// Along M and N; a staging kernel has as many as a compute unit has SIMDs.
std::vector<std::pair<int64_t, int64_t>>
getWaves(const TargetProfile &profile, const MatmulChoices &choices) {
  if (choices.wavesM || choices.wavesN || !readsDirectly(profile))
    return {{choices.wavesM ? choices.wavesM : 2,
             choices.wavesN ? choices.wavesN : 2}};
  return {{8, 4}, {4, 8}, {4, 4}, {4, 2}, {2, 4}, {2, 2}, {2, 1}, {1, 1}};
}

/// How many workgroups a compute unit has room for.
int64_t countWorkgroups(const MatmulTiling &tiling,
                        const MatmulProblem &problem,
                        const TargetProfile &profile) {
  int64_t waves = profile.limits.vgprs / tiling.registers * kSIMDs;
  return std::min(profile.limits.ldsBytes / tiling.getLDSBytes(problem),
                  std::max<int64_t>(waves / tiling.getNumWaves(), 1));
}

/// Whether all of A and B goes straight to LDS: also their ends are whole
/// tiles.
bool isAllDirect(const MatmulTiling &tiling, const MatmulProblem &problem) {
  auto isWhole = [](std::optional<int64_t> size, int64_t tile) {
    return size && *size > 0 && *size % tile == 0;
  };
  return tiling.a.isDirect && tiling.b.isDirect &&
         isWhole(problem.k, tiling.tileK) &&
         (problem.a.alongK || isWhole(problem.m, tiling.tileM)) &&
         (problem.b.alongK || isWhole(problem.n, tiling.tileN));
}

} // namespace

Result<MatmulTiling> chooseMatmulTiling(const MatmulProblem &problem,
                                        const TargetProfile &profile,
                                        const MatmulChoices &choices) {
  int64_t buffers = choices.buffers ? choices.buffers : 2;
  int64_t rowElements =
      kRowBytes * 8 / std::max<int64_t>({problem.a.bits, problem.b.bits, 1});
  std::vector<int64_t> tilesK;
  if (choices.tileK)
    tilesK = {choices.tileK};
  else
    tilesK = {rowElements, rowElements / 2, rowElements / 4};
  std::optional<MatmulTiling> best;
  int64_t bestCost = 0;
  std::string firstError;
  auto consider = [&](int64_t waveM, int64_t waveN, int64_t wavesM,
                      int64_t wavesN) {
    for (int64_t tileK : tilesK) {
      Result<MatmulTiling> tiling =
          tile(problem, profile, waveM, waveN, tileK, wavesM, wavesN, buffers);
      if (!tiling) {
        if (firstError.empty())
          firstError = tiling.message();
        continue;
      }
      // A further buffer lets tiles be under way for two steps.
      if (!choices.buffers && isAllDirect(*tiling, problem)) {
        Result<MatmulTiling> longer = tile(problem, profile, waveM, waveN,
                                           tileK, wavesM, wavesN, buffers + 1);
        if (longer && countWorkgroups(*longer, problem, profile) ==
                          countWorkgroups(*tiling, problem, profile))
          tiling = longer;
      }
      int64_t cost = estimate(*tiling, problem, profile);
      if (!best || cost < bestCost) {
        best = *tiling;
        bestCost = cost;
      }
      // Shorter rows are for where longer ones do not fit.
      return;
    }
  };
  for (auto [wavesM, wavesN] : getWaves(profile, choices))
    for (int64_t waveM : {128, 64, 32, 16})
      for (int64_t waveN : {128, 64, 32, 16}) {
        if (choices.tileM && choices.tileM != waveM * wavesM)
          continue;
        if (choices.tileN && choices.tileN != waveN * wavesN)
          continue;
        consider(waveM, waveN, wavesM, wavesN);
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

} // namespace aircc::hierarchy
