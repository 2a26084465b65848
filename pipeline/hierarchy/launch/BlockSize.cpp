//===- BlockSize.cpp - Choose the block size of a launch ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/launch/BlockSize.h"
#include "pipeline/analysis/ExecutionModel.h"
#include "pipeline/hierarchy/execution/UpperBound.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

/// The number of threads in a workgroup without herds that has distributable
/// work.
static constexpr int64_t kDefaultThreads = 256;

/// A workgroup loops over rows that have more elements than this. Few such
/// workgroups have more threads, so that enough accesses are in flight.
static constexpr int64_t kLongRow = 8192, kThreadsOfLongRow = 1024;
static constexpr int64_t kFewWorkgroups = 512;

Value hierarchy::getHostValue(Value value, gpu::LaunchOp launch, OpBuilder &b) {
  if (value.getParentRegion()->isProperAncestor(&launch.getBody()))
    return value;
  // The region of the air.launch that is being converted is detached, and its
  // ids exist only in the kernel.
  if (!launch.getBody().isAncestor(value.getParentRegion()))
    return {};
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    gpu::KernelDim3 grid = launch.getGridSize();
    gpu::KernelDim3 sizes = launch.getGridSizeOperandValues();
    if (arg == grid.x)
      return sizes.x;
    if (arg == grid.y)
      return sizes.y;
    if (arg == grid.z)
      return sizes.z;
    return {};
  }
  Operation *def = value.getDefiningOp();
  if (!isPure(def) || def->getNumRegions() || namesLanes(def) ||
      isa<gpu::BlockIdOp>(def))
    return {};
  IRMapping mapping;
  for (Value operand : def->getOperands()) {
    Value outside = getHostValue(operand, launch, b);
    if (!outside)
      return {};
    mapping.map(operand, outside);
  }
  Operation *clone = b.clone(*def, mapping);
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

/// Returns whether each of few workgroups reduces the elements of a long row.
static bool reducesLongRow(gpu::LaunchOp launch) {
  int64_t workgroups = 1;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z}) {
    std::optional<int64_t> known = getConstantIntValue(size);
    if (!known || *known > kFewWorkgroups)
      return false;
    workgroups *= *known;
  }
  if (workgroups > kFewWorkgroups)
    return false;
  return launch
      .walk([](linalg::GenericOp op) {
        if (op.getNumReductionLoops() == 0 ||
            linalg::isaContractionOpInterface(op) ||
            op.getIteratorTypesArray().back() != utils::IteratorType::reduction)
          return WalkResult::advance();
        int64_t size = op.getStaticLoopRanges().back();
        return !ShapedType::isDynamic(size) && size > kLongRow
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static int64_t numThreadsWithoutHerds(gpu::LaunchOp launch,
                                      const BlockLimits &limits) {
  bool shares =
      launch
          .walk([](Operation *op) {
            bool isShared =
                isa<air::DmaMemcpyNdOp, memref::CopyOp, scf::ParallelOp,
                    scf::ForallOp, affine::AffineParallelOp>(op) ||
                op->getName().getDialectNamespace() == "linalg";
            return isShared ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  if (!shares)
    return limits.peIsLane ? 1 : limits.waveSize;
  int64_t threads =
      std::min(reducesLongRow(launch) ? kThreadsOfLongRow : kDefaultThreads,
               limits.maxThreads);
  return threads / limits.waveSize * limits.waveSize;
}

/// Returns the number of points of a static shape, saturated at the largest
/// int64_t.
static int64_t countPoints(ArrayRef<int64_t> shape) {
  int64_t points = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(points, size, points))
      return std::numeric_limits<int64_t>::max();
  return points;
}

/// Returns whether the PEs of all herds are linearized into one row. A block
/// that covers herds of different shapes in every dimension may be far larger
/// than the largest of them; a row is not. However, code that reads thread ids
/// or block sizes expects the shape of the herd.
static bool shouldUseRow(gpu::LaunchOp launch, ArrayRef<air::HerdOp> herds) {
  SmallVector<SmallVector<int64_t>> shapes;
  SmallVector<int64_t> largest(3, 1);
  int64_t most = 1;
  for (air::HerdOp herd : herds) {
    SmallVector<int64_t> shape;
    for (Value size : herd.getSizeOperands())
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    shape.resize(3, 1);
    for (unsigned dim = 0; dim < 3; ++dim)
      largest[dim] = std::max(largest[dim], shape[dim]);
    if (llvm::none_of(shape, ShapedType::isDynamic))
      most = std::max(most, countPoints(shape));
    shapes.push_back(shape);
  }
  bool known = llvm::none_of(llvm::concat<int64_t>(shapes[0], largest),
                             ShapedType::isDynamic);
  for (auto &shape : shapes)
    known &= llvm::none_of(shape, ShapedType::isDynamic);
  if (known && countPoints(largest) <= most)
    return false;
  if (!known) {
    // Herds that are one-dimensional or have equal sizes do not need a row.
    bool flat = llvm::all_of(
        herds, [](air::HerdOp herd) { return herd.getNumDims() == 1; });
    air::HerdOp first = herds.front();
    bool same = llvm::all_of(herds, [&](air::HerdOp herd) {
      return llvm::equal(herd.getSizeOperands(), first.getSizeOperands());
    });
    if (flat || same)
      return false;
  }
  return !codeHolds(launch, /*intoHerds=*/true, [](Operation *op) {
    return isa<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::GlobalIdOp,
               gpu::SubgroupIdOp>(op);
  });
}

/// Checks a block of constant size against the limits of the target.
static LogicalResult checkBlockSize(ArrayRef<air::HerdOp> herds,
                                    ArrayRef<Value> block,
                                    const BlockLimits &limits) {
  SmallVector<int64_t> sizes;
  for (Value size : block) {
    std::optional<int64_t> known = getConstantIntValue(size);
    if (!known)
      return success();
    sizes.push_back(*known);
  }
  const int64_t threads =
      countPoints({countPoints(sizes), limits.peIsLane ? 1 : limits.waveSize});
  int64_t waves = llvm::divideCeil(threads, limits.waveSize);
  if (threads <= limits.maxThreads &&
      (!limits.maxWaves || waves <= limits.maxWaves))
    return success();
  // Report the largest herd.
  air::HerdOp largest = herds.front();
  int64_t most = 0;
  for (air::HerdOp herd : herds) {
    SmallVector<int64_t> shape;
    for (Value size : herd.getSizeOperands())
      shape.push_back(getConstantIntValue(size).value_or(1));
    if (int64_t points = countPoints(shape); points > most) {
      most = points;
      largest = herd;
    }
  }
  InFlightDiagnostic diag = largest.emitOpError("needs a workgroup of ");
  llvm::interleave(
      sizes, [&](int64_t s) { diag << s; }, [&] { diag << " x "; });
  if (limits.peIsLane) {
    diag << " = " << threads << " lanes, but the target allows at most "
         << limits.maxThreads
         << " threads in a workgroup; use a smaller herd and more workgroups";
    return diag;
  }
  diag << " PEs, each a wavefront of " << limits.waveSize
       << " lanes: " << threads << " threads in " << waves
       << " waves, but the target allows at most " << limits.maxThreads
       << " threads in a workgroup";
  if (limits.maxWaves)
    diag << " and " << limits.maxWaves << " waves on a compute unit";
  diag << "; use a smaller herd, or, if a PE is meant to be one lane, compile "
          "with --stage-option hierarchy.pe=lane";
  return diag;
}

LogicalResult hierarchy::setBlockSize(gpu::LaunchOp launch,
                                      ArrayRef<air::HerdOp> herds,
                                      const BlockLimits &limits) {
  OpBuilder b(launch);
  Location loc = launch.getLoc();
  auto setBlock = [&](ArrayRef<Value> sizes) {
    launch.getBlockSizeXMutable().assign(sizes[0]);
    launch.getBlockSizeYMutable().assign(sizes[1]);
    launch.getBlockSizeZMutable().assign(sizes[2]);
  };
  SmallVector<Value> block(3);
  SmallVector<int64_t> known(3, 1);
  bool inRow = !herds.empty() && shouldUseRow(launch, herds);
  if (inRow)
    launch->setAttr(kernel::KernelDialect::PesInRowAttrHelper::getNameStr(),
                    b.getUnitAttr());
  for (air::HerdOp herd : herds) {
    if (herd.getNumDims() > 3)
      return herd.emitOpError("has ") << herd.getNumDims()
                                      << " dimensions, but a workgroup has at "
                                         "most three; linearize some of them";
    // The sizes of the herd on the host, or upper bounds on them.
    SmallVector<Value> sizes;
    for (Value size : herd.getSizeOperands()) {
      std::optional<int64_t> constant = getConstantIntValue(size);
      if (constant && *constant < 0)
        return herd.emitOpError("has the negative size ") << *constant;
      Value outside = constant ? Value() : getHostValue(size, launch, b);
      if (!outside) {
        if (!constant)
          constant = getUpperBound(size);
        if (!constant)
          return herd.emitOpError(
              "has a size that is only known in the kernel and has no known "
              "upper bound; compute it from constants and values outside the "
              "air.launch, or limit it to a constant with arith.minui");
        outside = arith::ConstantIndexOp::create(b, loc, *constant);
      }
      sizes.push_back(outside);
    }
    if (inRow) {
      Value product;
      for (Value size : sizes)
        product =
            product ? b.createOrFold<arith::MulIOp>(loc, product, size) : size;
      sizes = {product};
    }
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (std::optional<int64_t> constant = getConstantIntValue(size))
        known[dim] = std::max(known[dim], *constant);
      else
        block[dim] = block[dim]
                         ? arith::MaxSIOp::create(b, loc, block[dim], size)
                         : size;
    }
  }
  for (unsigned dim = 0; dim < 3; ++dim) {
    Value least = arith::ConstantIndexOp::create(b, loc, known[dim]);
    block[dim] =
        block[dim] ? arith::MaxSIOp::create(b, loc, block[dim], least) : least;
  }
  if (herds.empty()) {
    block[0] = arith::ConstantIndexOp::create(
        b, loc, numThreadsWithoutHerds(launch, limits));
    setBlock(block);
    return success();
  }
  if (failed(checkBlockSize(herds, block, limits)))
    return failure();
  if (!limits.peIsLane)
    block[0] = b.createOrFold<arith::MulIOp>(
        loc, block[0], arith::ConstantIndexOp::create(b, loc, limits.waveSize));
  setBlock(block);
  return success();
}
