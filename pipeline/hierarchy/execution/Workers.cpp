//===- Workers.cpp - Workers of a scope -----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/execution/Workers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace aircc::hierarchy {

Operation *getKernel(Operation *op) {
  while (op && !isa<FunctionOpInterface>(op))
    op = op->getParentOp();
  return op;
}

int64_t getWaveSize(Operation *op) {
  Operation *kernel = getKernel(op);
  auto size = kernel
                  ? kernel->getAttrOfType<IntegerAttr>(
                        kernel::KernelDialect::WaveSizeAttrHelper::getNameStr())
                  : IntegerAttr();
  return size ? size.getInt() : 64;
}

std::optional<int64_t> getKnownBlockDim(Operation *at, unsigned dim) {
  auto func = dyn_cast_or_null<gpu::GPUFuncOp>(getKernel(at));
  if (!func)
    return std::nullopt;
  if (std::optional<ArrayRef<int32_t>> size = func.getKnownBlockSize())
    return (*size)[dim];
  return std::nullopt;
}

static const gpu::Dimension kDims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                       gpu::Dimension::z};

Value getBlockDim(OpBuilder &b, Location loc, unsigned dim) {
  Operation *at = b.getInsertionBlock()->getParentOp();
  if (std::optional<int64_t> known = getKnownBlockDim(at, dim))
    return arith::ConstantIndexOp::create(b, loc, *known);
  return gpu::BlockDimOp::create(b, loc, b.getIndexType(), kDims[dim]);
}

std::optional<int64_t> getWorkerCount(Operation *at, Scope scope) {
  if (scope == Scope::Wave)
    return getWaveSize(at);
  int64_t count = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::optional<int64_t> size = getKnownBlockDim(at, dim);
    if (!size)
      return std::nullopt;
    count *= *size;
  }
  return count;
}

Workers getWorkers(OpBuilder &b, Location loc, Scope scope) {
  Operation *at = b.getInsertionBlock()->getParentOp();
  if (scope == Scope::Wave)
    return {gpu::LaneIdOp::create(b, loc, /*upper_bound=*/nullptr),
            arith::ConstantIndexOp::create(b, loc, getWaveSize(at))};
  Value id, count;
  for (int dim = 2; dim >= 0; --dim) {
    std::optional<int64_t> known = getKnownBlockDim(at, dim);
    if (known == 1)
      continue;
    Value size = getBlockDim(b, loc, dim);
    Value tid = gpu::ThreadIdOp::create(b, loc, b.getIndexType(), kDims[dim]);
    id = id ? arith::AddIOp::create(
                  b, loc, arith::MulIOp::create(b, loc, id, size), tid)
            : tid;
    count = count ? arith::MulIOp::create(b, loc, count, size) : size;
  }
  if (!id)
    return {arith::ConstantIndexOp::create(b, loc, 0),
            arith::ConstantIndexOp::create(b, loc, 1)};
  return {id, count};
}

/// Returns the coordinate of a wave in the block, computed from its id, which
/// increases along x first.
static Value createWaveCoordinate(OpBuilder &b, Location loc, unsigned dim) {
  Operation *at = b.getInsertionBlock()->getParentOp();
  auto waves = [&](unsigned along) -> Value {
    Value size = getBlockDim(b, loc, along);
    if (along != 0)
      return size;
    return b.createOrFold<arith::DivUIOp>(
        loc, size, arith::ConstantIndexOp::create(b, loc, getWaveSize(at)));
  };
  Value id = gpu::SubgroupIdOp::create(b, loc, /*upper_bound=*/nullptr);
  for (unsigned inner = 0; inner < dim; ++inner)
    id = b.createOrFold<arith::DivUIOp>(loc, id, waves(inner));
  bool isLast = true;
  for (unsigned outer = dim + 1; outer < 3; ++outer)
    isLast &= getKnownBlockDim(at, outer) == 1;
  return isLast ? id : b.createOrFold<arith::RemUIOp>(loc, id, waves(dim));
}

Value createPeId(OpBuilder &b, Location loc, unsigned dim) {
  Operation *at = b.getInsertionBlock()->getParentOp();
  Operation *kernel = getKernel(at);
  bool peIsLane =
      kernel &&
      kernel->hasAttr(kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr());
  std::optional<int64_t> known = getKnownBlockDim(at, dim);
  if (known && *known == (dim == 0 && !peIsLane ? getWaveSize(at) : 1))
    return arith::ConstantIndexOp::create(b, loc, 0);
  if (!peIsLane && kernel &&
      kernel->hasAttr(
          kernel::KernelDialect::HasWaveIdsAttrHelper::getNameStr()))
    return createWaveCoordinate(b, loc, dim);
  Value id = gpu::ThreadIdOp::create(b, loc, b.getIndexType(), kDims[dim]);
  if (peIsLane)
    return id;
  if (dim == 0)
    id = arith::DivUIOp::create(
        b, loc, id, arith::ConstantIndexOp::create(b, loc, getWaveSize(at)));
  // A wave never spans two rows, so the value is uniform across the wave. The
  // broadcast lets values computed from it stay in scalar registers.
  return gpu::SubgroupBroadcastOp::create(
      b, loc, id.getType(), id, /*lane=*/Value(),
      gpu::BroadcastType::first_active_lane);
}

Value createCeilDiv(OpBuilder &builder, Location loc, Value a, Value b) {
  if (matchPattern(b, m_One()))
    return a;
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value rest = builder.createOrFold<arith::SubIOp>(loc, b, one);
  Value sum = builder.createOrFold<arith::AddIOp>(loc, a, rest);
  return builder.createOrFold<arith::DivUIOp>(loc, sum, b);
}

LogicalResult checkSameForWorkers(Operation *op, Scope scope,
                                  const Uniformity &uniformity, StringRef what,
                                  ArrayRef<Operation *> sameWorker) {
  if (scope == Scope::Lane)
    return success();
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  Scope needed = scope == Scope::Wave ? Scope::Wave : Scope::Workgroup;
  for (Value value : values)
    if (uniformity.getUniformScope(value) < needed &&
        !llvm::is_contained(sameWorker, value.getDefiningOp())) {
      InFlightDiagnostic diag =
          op->emitOpError(what)
          << ' ' << stringifyScope(scope)
          << ", but uses a value that differs between its "
          << (scope == Scope::Wave ? "lanes" : "PEs or lanes")
          << "; move it into a herd, or into code that uses the lane id";
      diag.attachNote(value.getLoc()) << "the value is defined here";
      return diag;
    }
  return success();
}

} // namespace aircc::hierarchy
