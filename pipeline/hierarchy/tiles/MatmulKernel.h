//===- MatmulKernel.h - Build matmul kernels --------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Builds a kernel that multiplies matrices with workgroup-level vectors, with
// layouts where they matter. Tiles of A and B are loaded into registers through
// LDS or directly from memory.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_MATMULKERNEL_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_MATMULKERNEL_H

#include "pipeline/hierarchy/tiles/ComputedTile.h"
#include "pipeline/hierarchy/tiles/MatchMatmul.h"
#include "pipeline/hierarchy/tiles/TileEvaluator.h"
#include "pipeline/hierarchy/tiles/TileOps.h"
#include "pipeline/hierarchy/tiles/WindowTile.h"
#include "pipeline/strategy/MatmulTiling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

#include <memory>

namespace aircc::hierarchy {

using strategy::MatmulChoices;
using strategy::MatmulProblem;
using strategy::MatmulSpec;
using strategy::MatmulTiling;

/// Creates the launch that computes `matmul` at the insertion point.
mlir::gpu::LaunchOp createMatmulKernel(mlir::OpBuilder &b, const Matmul &matmul,
                                       const MatmulTiling &tiling,
                                       const MatmulProblem &problem,
                                       const TargetProfile &profile);

/// Builds a kernel; derived classes build the loop along K.
class MatmulKernelBuilder {
public:
  MatmulKernelBuilder(mlir::OpBuilder &b, const Matmul &matmul,
                      const MatmulTiling &tiling, const MatmulProblem &problem,
                      const TargetProfile &profile)
      : b(b), loc(matmul.op->getLoc()), matmul(matmul), tiling(tiling),
        spec(tiling.spec), problem(problem), profile(profile) {}
  virtual ~MatmulKernelBuilder() = default;

  mlir::gpu::LaunchOp create();

protected:
  /// The operand A or B in the kernel.
  struct Operand {
    mlir::Value memref;
    /// The shape of a tile in memory.
    layout::Ints shape;
    /// The number of positions along K that an element in memory covers: more
    /// than one if several numbers share a byte, and for scales of blocks.
    int64_t depthOfElement;
    bool alongK;
    bool isDirect; ///< Whether full tiles are loaded directly to LDS.
    /// The first row or column of the workgroup, and whether all tiles are full
    /// along rows or columns and along K.
    mlir::Value first;
    bool isFull, isFullK;
    const MatmulMatrix *matrix;
    /// Gathers the tiles of a window matrix; otherwise null.
    std::shared_ptr<WindowTile> windows;
  };
  /// A tile after reading: its elements or, if `computed` is set, the inputs
  /// from which it is computed.
  struct ReadTile {
    llvm::SmallVector<mlir::Value> elements;
    std::unique_ptr<ComputedTile> computed;
  };

  /// Returns the types of the LDS buffers of the kernel.
  virtual llvm::SmallVector<mlir::Type> getBufferTypes() { return {}; }
  /// Creates the loop along K and returns the accumulators after it. The
  /// operands are A and B, and possibly the scales of A and of B.
  virtual mlir::Value createLoop(llvm::ArrayRef<Operand> operands,
                                 mlir::Value accumulators) = 0;

  /// Returns the size of the matrices along K.
  mlir::Value getDepth() {
    return getSizeOf(matmul.a.memref, matmul.getDepth());
  }

  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, loc, value);
  }
  mlir::Value getSizeOf(mlir::Value memref, unsigned dim) {
    return b.createOrFold<mlir::memref::DimOp>(loc, memref, dim);
  }
  mlir::Value ceilDiv(mlir::Value value, int64_t by) {
    return b.createOrFold<mlir::arith::CeilDivUIOp>(loc, value, constant(by));
  }
  mlir::Value mul(mlir::Value value, int64_t by) {
    return b.createOrFold<mlir::arith::MulIOp>(loc, value, constant(by));
  }
  /// Returns the shape of the tile with the scales of `across` rows that are
  /// copied together.
  layout::Ints getScaleShape(int64_t across) {
    return spec.getScaleShape(across, tiling.tilesPerIteration);
  }
  mlir::VectorType getTileType(const Operand &operand);
  llvm::SmallVector<mlir::Value> getIndices(const Operand &operand,
                                            mlir::Value k);
  llvm::SmallVector<bool> getInBounds(const Operand &operand);
  mlir::Value read(mlir::Value memref, mlir::ValueRange indices,
                   mlir::VectorType type, llvm::ArrayRef<bool> inBounds,
                   mlir::AffineMap order = {});
  /// Reads the tile of `operand` at `k` from global memory.
  ReadTile readTile(const Operand &operand, mlir::Value k);
  /// Returns the tile, computing it first if necessary.
  mlir::Value finishTile(ReadTile tile);
  /// Adds the product of the tiles of the operands to `accumulators`, using the
  /// instruction of the tiling.
  mlir::Value multiply(mlir::ValueRange tiles, mlir::Value accumulators);

  mlir::OpBuilder &b;
  mlir::Location loc;
  const Matmul &matmul;
  const MatmulTiling &tiling;
  const MatmulSpec &spec;
  const MatmulProblem &problem;
  const TargetProfile &profile;
  mlir::gpu::LaunchOp launch;

private:
  void createBody();
  std::pair<mlir::Value, mlir::Value> createTileIds();
  llvm::SmallVector<mlir::Value> createOuterIds();
  size_t findOuter(unsigned dim);
  llvm::SmallVector<mlir::Value> getOuterLoops(const MatmulMatrix &matrix);
  llvm::SmallVector<Operand> createOperands();
  mlir::Value unpack(mlir::Value tile, mlir::FloatType type);
  void createWindowTile(Operand &operand);
  ComputedTile createComputedTile(const Operand &operand, mlir::Value k);
  mlir::Value createMatrix(const MatmulMatrix &matrix);
  mlir::Value convert(mlir::Value value, mlir::Type element) {
    return convertElements(b, loc, value, element);
  }
  mlir::Value fillAccumulators();
  mlir::Value getSizeOfC(unsigned dim);

  /// Returns the evaluator for ops whose loops index C by `mapOfC`.
  TileEvaluator getEvaluator(mlir::AffineMap mapOfC);

  /// The first row and column of the workgroup's tile of C, and whether all
  /// tiles are full along rows and along columns.
  mlir::Value row, column;
  bool fullRows = false, fullColumns = false;
  llvm::SmallVector<mlir::Value> outerIds;
};

/// Creates a builder of kernels that stage tiles in LDS, in one of several
/// buffers, while other tiles are multiplied.
std::unique_ptr<MatmulKernelBuilder>
createStagedMatmul(mlir::OpBuilder &b, const Matmul &matmul,
                   const MatmulTiling &tiling, const MatmulProblem &problem,
                   const TargetProfile &profile);

/// Creates a builder of kernels whose waves read tiles directly from memory,
/// for targets that load a block of a matrix with one instruction.
std::unique_ptr<MatmulKernelBuilder>
createDirectMatmul(mlir::OpBuilder &b, const Matmul &matmul,
                   const MatmulTiling &tiling, const MatmulProblem &problem,
                   const TargetProfile &profile);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_MATMULKERNEL_H
