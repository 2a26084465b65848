//===- AsyncDma.h - One transfer straight to LDS ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave's direct-to-LDS load puts its lanes' pieces side by side, so what a
// lane moves follows from where its piece lands: the plan (planAsyncDma) gives
// the place in the tile as it lies in LDS; the swizzle, its own inverse, turns
// that into the element that belongs there; and that element's index is what
// the lane reads from.
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

/// Bytes that a buffer's descriptor can count here: offsets are 32 bits wide.
inline constexpr int64_t kMaxBufferBytes = (int64_t(1) << 31) - 1;

inline bool isFatBuffer(mlir::MemRefType type) {
  auto space = mlir::dyn_cast_or_null<mlir::amdgpu::AddressSpaceAttr>(
      type.getMemorySpace());
  return space && space.getValue() == mlir::amdgpu::AddressSpace::FatRawBuffer;
}

/// One async_dma on its way to loads.
class AsyncDma {
public:
  AsyncDma(layout::AsyncDmaOp op, TileLanes &lanes,
           llvm::ArrayRef<int64_t> widths)
      : op(op), lanes(lanes), widths(widths), tile(op.getTileType()),
        elementBits(tile.getElementType().isIntOrFloat()
                        ? tile.getElementTypeBitWidth()
                        : 0) {}

  /// Replaces the op. Errors at the op.
  mlir::LogicalResult lower();
  /// The loads that every wave has made for it; 0 if not all make as many.
  int64_t getLoads() const { return loads; }

private:
  mlir::LogicalResult inspect();
  void findSwizzle();
  /// Why no load fits. With `mayCopy`, because of the target, or of how the
  /// source lies: that is often not the program's choice.
  struct Reasons {
    std::string text;
    bool mayCopy = false;
  };
  mlir::FailureOr<layout::AsyncDmaPlan> choosePlan(Reasons &reasons);
  /// Why a plan that deals the tile out does not do for this op; empty if it
  /// does.
  std::string findSourceObstacle(const layout::AsyncDmaPlan &plan);
  std::string findDestObstacle(const layout::AsyncDmaPlan &plan);
  std::string findSwizzleObstacle();
  void emitLoads(const layout::AsyncDmaPlan &plan);
  void emitCopy();
  void emitOffsetCheck();

  /// The element of the tile that is stored where position `place` of it lies.
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
  /// Size of a dimension of the source.
  mlir::Value sourceSize(mlir::OpBuilder &b, unsigned dim) {
    return b.createOrFold<mlir::memref::DimOp>(op.getLoc(), op.getSource(),
                                               dim);
  }
  bool isGathered(unsigned sourceDim) {
    return mlir::isa<mlir::VectorType>(
        op.getSourceIndices()[sourceDim].getType());
  }
  /// The dimension of the tile that runs along one of the source, or -1.
  int64_t getTileDim(unsigned sourceDim) {
    for (int64_t d = 0; d < tile.getRank(); ++d)
      if (op.getSourceDim(d) == sourceDim)
        return d;
    return -1;
  }

  /// A dimension along which an index leaves any buffer that the source may be
  /// a part of, or -1: its stride is known.
  int64_t getOutOfBoundsDim() const {
    for (int64_t dim = sourceStrides.size() - 1; dim >= 0; --dim)
      if (!mlir::ShapedType::isDynamic(sourceStrides[dim]) &&
          sourceStrides[dim] > 0)
        return dim;
    return -1;
  }

  /// What lanes read from, and how.
  struct Source {
    mlir::Value memref;
    /// Added to the tile's coordinates, or the vector of places; null for 0.
    llvm::SmallVector<mlir::Value> start;
    /// For each dimension, an index at and beyond which nothing is read.
    llvm::SmallVector<mlir::Value> outOfBounds;
  };
  Source prepareSource(mlir::OpBuilder &b, bool needsBounds);
  mlir::Value createBuffer(mlir::OpBuilder &b, const Source &source,
                           llvm::ArrayRef<mlir::OpFoldResult> extents);
  /// The indices of the element of the tile at `at`; `inside` becomes whether
  /// it lies in the source (null: surely).
  llvm::SmallVector<mlir::Value>
  getSourceIndices(mlir::OpBuilder &b, const Source &source,
                   llvm::ArrayRef<mlir::Value> at, mlir::Value &inside);

  layout::AsyncDmaOp op;
  TileLanes &lanes;
  const llvm::ArrayRef<int64_t> widths;
  const mlir::VectorType tile;
  const int64_t elementBits;

  /// The destination without its hint.
  mlir::Value dest;
  std::optional<layout::XorShuffle> swizzle;
  /// In a swizzled buffer, what the tile's first element surely is a multiple
  /// of.
  int64_t firstDivisor = 0;
  llvm::SmallVector<int64_t> sourceStrides, destStrides;
  int64_t sourceOffset = 0, destOffset = 0;
  int64_t loads = 0;
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_ASYNC_ASYNCDMA_H
