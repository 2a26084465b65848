//===- MatmulKernel.h - The kernel of one matmul ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that multiplies matrices, as whole vectors of the workgroup with the
// layouts fixed where they matter. How tiles of A and B get to the registers is
// what kernels differ in: through LDS, or straight from memory.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_HIERARCHY_TILES_MATMULKERNEL_H
#define AIRCC_PIPELINE_HIERARCHY_TILES_MATMULKERNEL_H

#include "pipeline/hierarchy/tiles/MatchMatmul.h"
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

/// Creates the launch that computes `matmul`, at the builder's place, where the
/// operands are in sight.
mlir::gpu::LaunchOp createMatmulKernel(mlir::OpBuilder &b, const Matmul &matmul,
                                       const MatmulTiling &tiling,
                                       const MatmulProblem &problem,
                                       const TargetProfile &profile);

/// Builds a kernel; the classes derived from it build the loop along K.
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
  /// One of A and B in the kernel.
  struct Operand {
    mlir::Value memref;
    /// Of a tile in memory.
    layout::Ints shape;
    const strategy::MatmulOperand &type;
    bool isDirect; ///< Goes straight to LDS where tiles are whole.
    /// Where the workgroup's rows or columns begin, and whether they and the
    /// steps along K all lie inside.
    mlir::Value first;
    bool isFull, isFullK;
  };

  /// Types of the buffers in LDS that the kernel has.
  virtual llvm::SmallVector<mlir::Type> getBufferTypes() { return {}; }
  /// The loop along K, and what `sums` are after it.
  virtual mlir::Value createLoop(const Operand &lhs, const Operand &rhs,
                                 mlir::Value accumulators) = 0;

  /// How many steps there would be along K, were they of one element.
  mlir::Value getDepth(const Operand &lhs) {
    return getSizeOf(lhs.memref, lhs.type.alongK ? 1 : 0);
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
  mlir::VectorType getTileType(const Operand &operand);
  llvm::SmallVector<mlir::Value> getIndices(const Operand &operand,
                                            mlir::Value k);
  llvm::SmallVector<bool> getInBounds(const Operand &operand);
  mlir::Value read(mlir::Value memref, mlir::ValueRange indices,
                   mlir::VectorType type, llvm::ArrayRef<bool> inBounds,
                   mlir::AffineMap order = {});
  /// The tile of `operand` at `k` of the matrix in memory.
  mlir::Value readTile(const Operand &operand, mlir::Value k);
  /// `sums` plus the product of two tiles, by the tiling's instruction.
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs,
                       mlir::Value accumulators);

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
  mlir::Value createMatrix(const MatmulMatrix &matrix,
                           llvm::ArrayRef<mlir::Value> outerIds);
  mlir::Value readAccumulators(mlir::Value c, mlir::ValueRange place,
                               mlir::AffineMap order,
                               llvm::ArrayRef<bool> inBounds);
};

/// Tiles are staged in LDS, in one of several buffers, while others are
/// multiplied.
std::unique_ptr<MatmulKernelBuilder>
createStagedMatmul(mlir::OpBuilder &b, const Matmul &matmul,
                   const MatmulTiling &tiling, const MatmulProblem &problem,
                   const TargetProfile &profile);

/// Waves read what they multiply straight from memory, for targets that load
/// blocks of a matrix in one piece.
std::unique_ptr<MatmulKernelBuilder>
createDirectMatmul(mlir::OpBuilder &b, const Matmul &matmul,
                   const MatmulTiling &tiling, const MatmulProblem &problem,
                   const TargetProfile &profile);

} // namespace aircc::hierarchy

#endif // AIRCC_PIPELINE_HIERARCHY_TILES_MATMULKERNEL_H
