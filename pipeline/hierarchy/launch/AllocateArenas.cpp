//===- AllocateArenas.cpp - Allocate the arenas of a launch ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/launch/HostValues.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_ALLOCATEARENAS
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

constexpr gpu::Dimension kDims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                    gpu::Dimension::z};

/// Returns the number of this workgroup in the grid, x fastest.
Value createWorkgroupNumber(OpBuilder &b, Location loc) {
  Value number;
  for (gpu::Dimension dim : llvm::reverse(kDims)) {
    Value id = gpu::BlockIdOp::create(b, loc, b.getIndexType(), dim);
    if (!number) {
      number = id;
      continue;
    }
    Value size = gpu::GridDimOp::create(b, loc, b.getIndexType(), dim);
    number = arith::AddIOp::create(
        b, loc, arith::MulIOp::create(b, loc, number, size), id);
  }
  return number;
}

/// Converts a launch size, which may be an i32 or i64, to an index.
Value toIndex(OpBuilder &b, Location loc, Value size) {
  if (size.getType().isIndex())
    return size;
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), size);
}

/// Returns the number of workgroups of a launch.
Value createWorkgroupCount(OpBuilder &b, gpu::LaunchFuncOp launch) {
  Location loc = launch.getLoc();
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  Value count = toIndex(b, loc, grid.x);
  for (Value size : {grid.y, grid.z})
    count = b.createOrFold<arith::MulIOp>(loc, count, toIndex(b, loc, size));
  return count;
}

/// Passes an allocation of `bytes` bytes for each workgroup to the kernel of
/// `launch`.
void addAllocation(gpu::LaunchFuncOp launch, Value bytes) {
  OpBuilder b(launch);
  Location loc = launch.getLoc();
  Value own = computeOnHost(bytes, launch, b);
  Value total =
      b.createOrFold<arith::MulIOp>(loc, createWorkgroupCount(b, launch), own);
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
  auto alloc = gpu::AllocOp::create(b, loc, type, /*asyncToken=*/Type(),
                                    /*asyncDependencies=*/ValueRange(), total,
                                    /*symbolOperands=*/ValueRange());
  launch.getKernelOperandsMutable().append(alloc.getMemref());
  b.setInsertionPointAfter(launch);
  Value token = launch.getAsyncToken();
  auto dealloc = gpu::DeallocOp::create(
      b, loc, token ? token.getType() : Type(),
      token ? ValueRange(token) : ValueRange(), alloc.getMemref());
  if (token)
    token.replaceAllUsesExcept(dealloc.getAsyncToken(), dealloc);
}

struct AllocateArenasPass
    : hierarchy::impl::AllocateArenasBase<AllocateArenasPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    llvm::MapVector<Operation *, SmallVector<gpu::LaunchFuncOp>> launches;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (Operation *kernel =
              symbols.lookupNearestSymbolFrom(launch, launch.getKernel()))
        launches[kernel].push_back(launch);
    });
    for (auto gpuModule : getOperation().getOps<gpu::GPUModuleOp>())
      for (auto kernel : gpuModule.getOps<gpu::GPUFuncOp>())
        if (failed(allocate(kernel, launches.lookup(kernel))))
          return signalPassFailure();
  }

  LogicalResult allocate(gpu::GPUFuncOp kernel,
                         ArrayRef<gpu::LaunchFuncOp> launches) {
    // Ops with the same number are the same arena.
    llvm::MapVector<int64_t, SmallVector<kernel::ArenaOp>> arenas;
    kernel.walk([&](kernel::ArenaOp arena) {
      arenas[arena.getNumber()].push_back(arena);
    });
    for (auto &[number, ops] : arenas) {
      kernel::ArenaOp first = ops.front();
      if (!isKnownToHost(first.getBytes()))
        return first.emitOpError("has a size that the host cannot compute; "
                                 "compute it from constants and the arguments "
                                 "of the kernel");
      for (gpu::LaunchFuncOp launch : launches)
        addAllocation(launch, first.getBytes());
      unsigned index = kernel.getNumArguments();
      // A function of builtin types can have any number of arguments.
      (void)kernel.insertArgument(index, first.getMemory().getType(),
                                  DictionaryAttr::get(&getContext()),
                                  first.getLoc());
      for (kernel::ArenaOp arena : ops)
        replace(arena, kernel.getArgument(index));
    }
    return success();
  }

  /// Replaces `arena` with the workgroup's part of `parts`.
  void replace(kernel::ArenaOp arena, Value parts) {
    OpBuilder b(arena);
    Location loc = arena.getLoc();
    Value begin = arith::MulIOp::create(b, loc, createWorkgroupNumber(b, loc),
                                        arena.getBytes());
    Value part = memref::ViewOp::create(b, loc, arena.getMemory().getType(),
                                        parts, begin, arena.getBytes());
    arena.replaceAllUsesWith(part);
    arena.erase();
  }
};

} // namespace
