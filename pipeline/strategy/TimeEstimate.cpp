//===- TimeEstimate.cpp - The time of a matmul kernel ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A step along K takes as long as the slowest of three activities of the unit:
// multiplying, transferring tiles through LDS, and receiving tiles from the L2
// cache. Workgroups on the same unit overlap their other work. Short steps are
// limited by the latency of the tiles in flight, which are for later steps.
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/TimeEstimate.h"

#include "pipeline/strategy/CostModel.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace aircc::strategy {

/// The number of bytes in a lane's widest memory access.
static constexpr int64_t kAccessBytes = 16;
/// The number of instructions in a step other than accesses and matrix
/// instructions, for counters and addresses: for each memory access, and for
/// the step.
static constexpr int64_t kAddressInstructions = 3, kLoopInstructions = 12;
/// The number of instructions for each register of a tile that is transposed
/// while it is copied to LDS: for 8-bit elements, and for wider ones.
static constexpr int64_t kTransposeBytes = 8, kTransposeWords = 2;

/// Returns the number of operations per cycle of a unit's matrix instructions
/// for the types.
static double getMatrixOps(const MatmulProblem &problem,
                           const TimingFigures &figures) {
  auto find = [&](llvm::StringRef type) {
    return figures.findMatrixOps(type).value_or(0);
  };
  // The wider factor determines the rate.
  int64_t ops = std::min(find(problem.a.type), find(problem.b.type));
  if (!ops)
    ops = find("f16");
  return double(std::max<int64_t>(ops, 1)) * figures.cusPerUnit;
}

namespace {

/// A kernel on one unit.
struct UnitLoad {
  const MatmulProblem &problem;
  const MatmulSpec &spec;
  const TimingFigures &figures;
  int64_t resident; ///< The number of concurrent workgroups.
  int64_t buffers;

  double bytesOfStep() const {
    return double(spec.tileK) *
           (spec.tileM * problem.a.bits + spec.tileN * problem.b.bits) / 8;
  }

  /// Returns the cycles that the unit takes to multiply the tiles of a step of
  /// one workgroup.
  double multiply() const {
    return 2.0 * spec.tileM * spec.tileN * spec.tileK /
           getMatrixOps(problem, figures);
  }

  /// Returns the cycles that LDS takes to write the tiles once, and to read the
  /// rows of each wave.
  double moveInLds() const {
    if (!spec.isStaged)
      return 0;
    double read = double(spec.tileK) *
                  (spec.wavesN * spec.tileM * problem.a.bits +
                   spec.wavesM * spec.tileN * problem.b.bits) /
                  8;
    double writes =
        bytesOfStep() / (kAccessBytes * 64) * figures.ldsWriteCycles;
    return ((read + bytesOfStep()) / figures.ldsBytesPerCycle + writes) /
           figures.ldsPorts;
  }

  double receive() const {
    return bytesOfStep() / figures.vectorCacheBytesPerCycle;
  }

  /// Returns the number of instructions of a wave that transpose its part of a
  /// tile.
  double transpose(bool isTransposed, int64_t across, int64_t bits) const {
    double registers = double(spec.tileK) * across * bits / 32 / 64;
    return isTransposed ? registers / spec.getNumWaves() *
                              (bits == 8 ? kTransposeBytes : kTransposeWords)
                        : 0;
  }

  /// Returns the cycles that one SIMD takes to issue instructions that do not
  /// overlap matrix instructions.
  double issue() const {
    double accesses = bytesOfStep() / (kAccessBytes * 64) / spec.getNumWaves();
    double waves =
        std::max<double>(1, double(spec.getNumWaves()) / figures.simds);
    return waves * figures.issueCycles *
           (accesses * kAddressInstructions + kLoopInstructions +
            transpose(spec.transposesA, spec.tileM, problem.a.bits) +
            transpose(spec.transposesB, spec.tileN, problem.b.bits));
  }

  /// Returns the cycles from the request of a tile until its elements are in
  /// registers.
  double wait() const {
    return figures.memoryLatency + figures.ldsLatency + figures.barrierCycles +
           issue();
  }

  /// Returns the cycles that a step of all resident workgroups takes.
  double step() const {
    double alone = issue() + figures.barrierCycles;
    double busy = resident * std::max({multiply(), moveInLds(), receive()});
    int64_t inFlight = std::max<int64_t>(buffers - 1, 1);
    return std::max(busy + alone / resident, wait() / inFlight);
  }
};

} // namespace

/// Returns the latency of the first tiles, which nothing overlaps, and of the
/// results.
static double getStartCycles(const TimingFigures &figures) {
  return figures.memoryLatency + figures.ldsLatency + figures.l2Latency;
}

/// Returns the nanoseconds that memory takes to transfer the matrices. Rows or
/// columns that workgroups of an XCD multiply at the same time are read once.
static double estimateMemory(const MatmulProblem &problem, double matrices,
                             const MatmulSpec &spec, int64_t concurrent,
                             const TimingFigures &figures) {
  double m = double(*problem.m), n = double(*problem.n), k = double(*problem.k);
  double factors = k * (m * problem.a.bits + n * problem.b.bits) / 8;
  double results = m * n * problem.cBits / 8;
  double memory = matrices * (factors + results) / figures.memoryGBps;
  // Each XCD has its own L2 cache, which the last-level cache fills.
  double rows = llvm::divideCeil(*problem.m, spec.tileM);
  double columns = llvm::divideCeil(*problem.n, spec.tileN);
  double perXcd = std::max(1.0, double(concurrent) / figures.xcds);
  double rowsAtOnce = std::clamp(perXcd / columns, 1.0, rows);
  double columnsAtOnce = std::min(columns, perXcd);
  double fills = k / 8 *
                 (m * problem.a.bits * (columns / columnsAtOnce) +
                  n * problem.b.bits * (rows / rowsAtOnce));
  double lastLevel =
      figures.lastLevelGBps ? matrices * fills / figures.lastLevelGBps : 0;
  return std::max(memory, lastLevel);
}

/// Returns the nanoseconds that the kernel that adds the parts takes.
static double estimateSum(const MatmulProblem &problem, double matrices,
                          int64_t splits, const TimingFigures &figures) {
  double bytes = matrices * *problem.m * *problem.n * problem.cBits / 8;
  return figures.launchNanoseconds +
         2.0 * figures.memoryLatency * 1000 / figures.clock +
         bytes * (splits + 1) / figures.memoryGBps;
}

double estimateNanoseconds(const MatmulProblem &whole, int64_t matrices,
                           const MatmulTiling &tiling, int64_t splits,
                           const TargetProfile &profile,
                           const TimingFigures &figures) {
  MatmulProblem problem = whole;
  *problem.k /= splits;
  const MatmulSpec &spec = tiling.spec;
  int64_t units = std::max<int64_t>(figures.cus / figures.cusPerUnit, 1);
  int64_t workgroups = matrices * splits *
                       llvm::divideCeil(*problem.m, spec.tileM) *
                       llvm::divideCeil(*problem.n, spec.tileN);
  int64_t fits = std::max<int64_t>(
      countWorkgroups(profile, spec.getNumWaves(),
                      std::max<int64_t>(tiling.registers, 1),
                      std::max<int64_t>(tiling.getLDSBytes(), 1)),
      1);
  double steps = llvm::divideCeil(*problem.k, spec.tileK);
  // In each round, as many workgroups are executed as fit, or as remain.
  auto estimateRound = [&](int64_t resident) {
    UnitLoad load{problem, spec, figures, resident, tiling.buffers};
    return steps * load.step() + getStartCycles(figures);
  };
  int64_t rounds = workgroups / (units * fits);
  int64_t rest = llvm::divideCeil(workgroups - rounds * units * fits, units);
  double cycles = rounds * estimateRound(fits);
  if (rest)
    cycles += estimateRound(rest);
  int64_t resident =
      std::min<int64_t>(fits, llvm::divideCeil(workgroups, units));
  UnitLoad load{problem, spec, figures, resident, tiling.buffers};
  // The clock is lower while matrix pipes are busy.
  bool isMatrixBound = load.multiply() * 4 > load.step() / resident;
  double clock = isMatrixBound ? figures.matrixClock : figures.clock;
  double compute = cycles * 1000 / clock;
  double memory = estimateMemory(problem, double(matrices) * splits, spec,
                                 std::min(workgroups, units * fits), figures);
  return figures.launchNanoseconds + std::max(compute, memory) +
         (splits > 1 ? estimateSum(whole, matrices, splits, figures) : 0);
}

} // namespace aircc::strategy
