//===- DirectMatmul.cpp - Matmul kernels without LDS ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each wave reads its tiles from memory into registers, in the layout of the
// matrix instruction. Several waves read the same tiles; they hit in the cache,
// because each wave prefetches a part of the tiles of later steps. Without LDS
// and barriers, waves do not wait for each other.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/MatmulKernel.h"

#include "dialects/layout/LayoutValues.h"

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
  Value createLoop(ArrayRef<Operand> operands, Value accumulators) final {
    auto loop =
        scf::ForOp::create(b, loc, constant(0), getDepth(), constant(getStep()),
                           ValueRange{accumulators});
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    for (const Operand &operand : operands)
      prefetch(operand, k);
    Value sums = loop.getRegionIterArgs()[0];
    for (int64_t tile = 0; tile < tiling.tilesPerIteration; ++tile)
      sums = multiplyTiles(operands, add(k, tile * spec.tileK), sums);
    scf::YieldOp::create(b, loc, sums);
    return loop.getResult(0);
  }

private:
  /// Returns the number of elements along K of an iteration.
  int64_t getStep() const { return tiling.tilesPerIteration * spec.tileK; }

  Value add(Value value, int64_t by) {
    return b.createOrFold<arith::AddIOp>(loc, value, constant(by));
  }

  /// Adds the product of the tiles at `k` to `sums`.
  Value multiplyTiles(ArrayRef<Operand> operands, Value k, Value sums) {
    SmallVector<ReadTile> tiles;
    for (const Operand &operand : operands)
      tiles.push_back(readTile(operand, k));
    SmallVector<Value> factors;
    for (ReadTile &tile : tiles)
      factors.push_back(finishTile(std::move(tile)));
    return multiply(factors, sums);
  }

  /// Prefetches the tiles of an iteration a few iterations after the one at
  /// `k`. Outside the matrix, this has no effect.
  void prefetch(const Operand &operand, Value k) {
    if (operand.matrix->producer || !spec.instruction)
      return;
    MemRefType type = getMemRefType(operand.memref);
    layout::Ints shape = operand.shape;
    shape[operand.alongK ? 1 : 0] *= tiling.tilesPerIteration;
    int64_t bits = type.getElementTypeBitWidth();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        type.getRank() != 2 ||
        !strategy::isBlockAddressable(type.getDimSize(1) * bits / 8) ||
        !strategy::getPrefetchBlock(shape, bits, spec.getNumWaves()))
      return;
    MLIRContext *context = b.getContext();
    auto cached =
        xegpu::CachePolicyAttr::get(context, xegpu::CachePolicy::CACHED);
    auto tileType = xegpu::TensorDescType::get(shape, type.getElementType(),
                                               /*array_length=*/1,
                                               /*boundary_check=*/true);
    Value matrix = xegpu::CreateNdDescOp::create(
        b, loc, tileType, cast<TypedValue<MemRefType>>(operand.memref));
    Value position = add(k, profile.costModel.prefetchSteps * getStep());
    auto op = xegpu::PrefetchNdOp::create(
        b, loc, matrix, getAsOpFoldResult(getIndices(operand, position)),
        cached, cached, nullptr,
        /*layout=*/nullptr);
    op->setAttr(layout::LayoutDialect::StrategyAttrHelper::getNameStr(),
                layout::TileTransferAttr::get(context, spec.getNumWaves(),
                                              /*transposed=*/false,
                                              /*gathered=*/false));
  }
};

} // namespace

std::unique_ptr<MatmulKernelBuilder> aircc::hierarchy::createDirectMatmul(
    OpBuilder &b, const Matmul &matmul, const MatmulTiling &tiling,
    const MatmulProblem &problem, const TargetProfile &profile) {
  return std::make_unique<DirectMatmul>(b, matmul, tiling, problem, profile);
}
