//===- AsyncDma.h - Lower a direct transfer to LDS --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A direct load to LDS writes the data of a wave's lanes to consecutive
// addresses, so the destination determines what each lane loads. The plan
// (planAsyncDma) gives the position in the tile as stored in LDS; the swizzle,
// which is its own inverse, gives the element that is stored there; and the
// lane loads that element from the source.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_ASYNC_ASYNCDMA_H
#define AIRCC_PIPELINE_DISTRIBUTION_ASYNC_ASYNCDMA_H

#include "pipeline/distribution/TileLanes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/algebra/AsyncDma.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace aircc::distribution {

/// The largest buffer that a descriptor supports, given that offsets are 32
/// bits wide.
inline constexpr int64_t kMaxBufferBytes = (int64_t(1) << 31) - 1;

inline bool isFatBuffer(mlir::MemRefType type) {
  auto space = mlir::dyn_cast_or_null<mlir::amdgpu::AddressSpaceAttr>(
      type.getMemorySpace());
  return space && space.getValue() == mlir::amdgpu::AddressSpace::FatRawBuffer;
}

/// Lowers one layout.async_dma to loads.
class AsyncDma {
public:
  AsyncDma(layout::AsyncDmaOp op, TileLanes &lanes,
           llvm::ArrayRef<int64_t> widths)
      : op(op), lanes(lanes), widths(widths), tile(op.getTileType()),
        elementBits(tile.getElementType().isIntOrFloat()
                        ? tile.getElementTypeBitWidth()
                        : 0) {}

  /// Replaces the op, or emits an error at it.
  mlir::LogicalResult lower();
  /// Returns the number of loads of each wave; 0 if it differs between waves.
  int64_t getLoads() const { return loads; }

private:
  mlir::LogicalResult inspect();
  void findSwizzle();
  /// Why no direct load fits. `mayCopy` is set if the reason is the target or
  /// the layout of the source, which the program often cannot choose.
  struct Reasons {
    std::string text;
    bool mayCopy = false;
  };
  mlir::FailureOr<layout::AsyncDmaPlan> choosePlan(Reasons &reasons);
  /// Returns why a plan does not work for this op; an empty string if it does.
  std::string findSourceObstacle(const layout::AsyncDmaPlan &plan);
  std::string findDestObstacle(const layout::AsyncDmaPlan &plan);
  std::string findSwizzleObstacle();
  void emitLoads(const layout::AsyncDmaPlan &plan);
  void emitCopy();
  void emitOffsetCheck();

  /// Returns the coordinates of the element that is stored at `position` of the
  /// tile.
  llvm::SmallVector<mlir::Value>
  unswizzle(mlir::OpBuilder &b, llvm::ArrayRef<mlir::Value> position);
  llvm::SmallVector<mlir::Value> unswizzle(mlir::OpBuilder &b,
                                           mlir::Value linear);

  mlir::Value constant(mlir::OpBuilder &b, int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, op.getLoc(), value);
  }
  mlir::Value add(mlir::OpBuilder &b, mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::AddIOp>(op.getLoc(), x, y);
  }
  mlir::Value add(mlir::OpBuilder &b, mlir::Value x, int64_t y) {
    return y == 0 ? x : add(b, x, constant(b, y));
  }
  mlir::Value mul(mlir::OpBuilder &b, mlir::Value x, int64_t y) {
    return y == 1 ? x
                  : b.createOrFold<mlir::arith::MulIOp>(op.getLoc(), x,
                                                        constant(b, y));
  }
  /// Returns the size of a dimension of the source.
  mlir::Value sourceSize(mlir::OpBuilder &b, unsigned dim) {
    return b.createOrFold<mlir::memref::DimOp>(op.getLoc(), op.getSource(),
                                               dim);
  }
  bool isGathered(unsigned sourceDim) {
    return mlir::isa<mlir::VectorType>(
        op.getSourceIndices()[sourceDim].getType());
  }
  /// Returns the dimension of the tile along a dimension of the source, or -1.
  int64_t getTileDim(unsigned sourceDim) {
    for (int64_t d = 0; d < tile.getRank(); ++d)
      if (op.getSourceDim(d) == sourceDim)
        return d;
    return -1;
  }

  /// Returns a dimension with a known stride along which an index can exceed
  /// any buffer that contains the source; -1 if there is none.
  int64_t getOutOfBoundsDim() const {
    for (int64_t dim = sourceStrides.size() - 1; dim >= 0; --dim)
      if (!mlir::ShapedType::isDynamic(sourceStrides[dim]) &&
          sourceStrides[dim] > 0)
        return dim;
    return -1;
  }

  /// The memref from which lanes load, and how they do so.
  struct Source {
    mlir::Value memref;
    /// The offsets of the tile, or the vector of gathered indices; null for 0.
    llvm::SmallVector<mlir::Value> start;
    /// For each dimension, an index that is out of bounds.
    llvm::SmallVector<mlir::Value> outOfBounds;
  };
  Source prepareSource(mlir::OpBuilder &b, bool needsBounds);
  mlir::Value createBuffer(mlir::OpBuilder &b, const Source &source,
                           llvm::ArrayRef<mlir::OpFoldResult> extents);
  /// Returns the indices of the element of the tile at `at`. Sets `inside` to
  /// an i1 that specifies whether they are in bounds, or to null if they always
  /// are.
  llvm::SmallVector<mlir::Value>
  getSourceIndices(mlir::OpBuilder &b, const Source &source,
                   llvm::ArrayRef<mlir::Value> at, mlir::Value &inside);

  layout::AsyncDmaOp op;
  TileLanes &lanes;
  const llvm::ArrayRef<int64_t> widths;
  const mlir::VectorType tile;
  const int64_t elementBits;

  /// The destination without layout.swizzle_hint.
  mlir::Value dest;
  std::optional<layout::XorShuffle> swizzle;
  /// A known divisor of the offset of the tile in its swizzled buffer.
  int64_t firstDivisor = 0;
  llvm::SmallVector<int64_t> sourceStrides, destStrides;
  int64_t sourceOffset = 0, destOffset = 0;
  int64_t loads = 0;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_ASYNC_ASYNCDMA_H
