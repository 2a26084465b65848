//===- DirectMatmul.cpp - Products straight from memory -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave reads the rows and columns that it multiplies into registers, in the
// layout of the matrix instruction. Several waves read the same ones; the cache
// has them by then, because the workgroup asks for the tiles of later steps, of
// which each wave has a part. There is no LDS and no barrier, so waves need not
// wait for each other.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/MatmulKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

class DirectMatmul : public MatmulKernelBuilder {
public:
  using MatmulKernelBuilder::MatmulKernelBuilder;

protected:
  Value createLoop(const Operand &lhs, const Operand &rhs, Value sums) final {
    auto loop = scf::ForOp::create(b, loc, constant(0), getDepth(lhs),
                                   constant(spec.tileK), ValueRange{sums});
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    prefetch(lhs, k);
    prefetch(rhs, k);
    Value tileA = readTile(lhs, k, lhs.layout);
    Value tileB = readTile(rhs, k, rhs.layout);
    Value next = multiply(tileA, tileB, loop.getRegionIterArgs()[0]);
    scf::YieldOp::create(b, loc, next);
    return loop.getResult(0);
  }

private:
  /// Prefetches the tile some steps after `k`. It may lie outside of the
  /// matrix, where nothing is fetched.
  void prefetch(const Operand &operand, Value k) {
    MemRefType type = getMemRefType(operand.memref);
    ArrayRef<int64_t> tile = operand.shape;
    std::optional<SmallVector<int64_t>> part = getWavePart(type, tile);
    if (!part)
      return;
    MLIRContext *context = b.getContext();
    auto toAttr = [&](int64_t x, int64_t y) {
      return b.getDenseI32ArrayAttr(
          {static_cast<int32_t>(x), static_cast<int32_t>(y)});
    };
    DenseI32ArrayAttr none;
    auto parts = xegpu::LayoutAttr::get(
        context, toAttr(tile[0] / (*part)[0], tile[1] / (*part)[1]),
        toAttr((*part)[0], (*part)[1]), /*inst_data=*/none,
        /*lane_layout=*/none, /*lane_data=*/none, /*order=*/none);
    auto cached =
        xegpu::CachePolicyAttr::get(context, xegpu::CachePolicy::CACHED);
    auto tileType = xegpu::TensorDescType::get(tile, type.getElementType(),
                                               /*array_length=*/1,
                                               /*boundary_check=*/true);
    Value matrix = xegpu::CreateNdDescOp::create(
        b, loc, tileType, cast<TypedValue<MemRefType>>(operand.memref));
    Value ahead = arith::AddIOp::create(
        b, loc, k, constant(profile.costModel.prefetchSteps * spec.tileK));
    xegpu::PrefetchNdOp::create(b, loc, matrix,
                                getAsOpFoldResult(getIndices(operand, ahead)),
                                cached, cached, nullptr, parts);
  }

  /// What of a tile each wave asks for, as one block that the hardware takes;
  /// nothing where there is no such part, or no block of this matrix.
  std::optional<SmallVector<int64_t>> getWavePart(MemRefType type,
                                                  ArrayRef<int64_t> tile) {
    constexpr int64_t kMaxRows = 32, kRowBytes = 64, kPitchBytes = 16;
    int64_t bits = type.getElementTypeBitWidth();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() || bits < 8 ||
        type.getRank() != 2)
      return std::nullopt;
    int64_t pitch = type.getDimSize(1) * bits / 8;
    if (pitch < kRowBytes || pitch % kPitchBytes != 0)
      return std::nullopt;
    int64_t columns = std::min(tile[1], kRowBytes * 8 / bits);
    int64_t across = tile[1] / columns;
    if (tile[1] % columns != 0 || spec.getNumWaves() % across != 0)
      return std::nullopt;
    int64_t down = spec.getNumWaves() / across;
    int64_t rows = tile[0] / down;
    if (tile[0] % down != 0 || rows > kMaxRows || !llvm::isPowerOf2_64(rows) ||
        !llvm::isPowerOf2_64(columns))
      return std::nullopt;
    return SmallVector<int64_t>{rows, columns};
  }
};

} // namespace

std::unique_ptr<MatmulKernelBuilder> aircc::hierarchy::createDirectMatmul(
    OpBuilder &b, const Matmul &matmul, const MatmulTiling &tiling,
    const MatmulProblem &problem, const TargetProfile &profile) {
  return std::make_unique<DirectMatmul>(b, matmul, tiling, problem, profile);
}
