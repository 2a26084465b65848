//===- SetKernelAttributes.cpp - Launch sizes as kernel attributes --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <array>
#include <optional>

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_SETKERNELATTRIBUTES
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

using Size3 = std::array<int32_t, 3>;

/// A launch size when all three figures are constants that fit.
std::optional<Size3> getConstantSize(gpu::KernelDim3 dims) {
  Size3 size;
  const Value values[] = {dims.x, dims.y, dims.z};
  for (auto [known, value] : llvm::zip_equal(size, values)) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant || *constant < 1 || *constant > INT32_MAX)
      return std::nullopt;
    known = static_cast<int32_t>(*constant);
  }
  return size;
}

/// What all launches of one kernel agree on.
struct KnownSize {
  bool seen = false;
  std::optional<Size3> size;

  void meet(std::optional<Size3> other) {
    if (!seen)
      size = other;
    else if (size != other)
      size = std::nullopt;
    seen = true;
  }
};

std::string print(ArrayRef<int32_t> size) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(size, os, " x ");
  return text;
}

struct SetKernelAttributes
    : aircc::impl::SetKernelAttributesBase<SetKernelAttributes> {
  using SetKernelAttributesBase::SetKernelAttributesBase;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    struct Known {
      KnownSize block, grid;
    };
    llvm::MapVector<Operation *, Known> kernels;
    WalkResult result = getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernel());
      std::optional<Size3> block =
          getConstantSize(launch.getBlockSizeOperandValues());
      if (block && failed(checkBlock(launch, *block, kernel)))
        return WalkResult::interrupt();
      if (!kernel)
        return WalkResult::advance();
      Known &known = kernels[kernel];
      known.block.meet(block);
      known.grid.meet(getConstantSize(launch.getGridSizeOperandValues()));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();

    for (auto &[op, known] : kernels) {
      auto kernel = cast<gpu::GPUFuncOp>(op);
      if (!kernel.getKnownBlockSizeAttr() && known.block.size)
        kernel.setKnownBlockSize(ArrayRef<int32_t>(*known.block.size));
      if (!kernel.getKnownGridSizeAttr() && known.grid.size)
        kernel.setKnownGridSize(ArrayRef<int32_t>(*known.grid.size));
    }

    auto *rocdl = getContext().getOrLoadDialect<ROCDL::ROCDLDialect>();
    auto flatSize = rocdl->getFlatWorkGroupSizeAttrHelper();
    auto maxFlatSize = rocdl->getMaxFlatWorkGroupSizeAttrHelper();
    for (auto gpuModule : getOperation().getOps<gpu::GPUModuleOp>())
      for (auto kernel : gpuModule.getOps<gpu::GPUFuncOp>())
        if (kernel.isKernel() && !kernel.getKnownBlockSizeAttr() &&
            !flatSize.isAttrPresent(kernel) &&
            !maxFlatSize.isAttrPresent(kernel))
          flatSize.setAttr(
              kernel, StringAttr::get(&getContext(), "1," + Twine(maxThreads)));
  }

  LogicalResult checkBlock(gpu::LaunchFuncOp launch, const Size3 &block,
                           gpu::GPUFuncOp kernel) {
    int64_t threads = int64_t(block[0]) * block[1] * block[2];
    if (threads > maxThreads)
      return launch.emitError("a workgroup of ")
             << print(block) << " is " << threads
             << " threads; the target allows " << maxThreads.getValue();
    if (!kernel || !kernel.getKnownBlockSize())
      return success();
    ArrayRef<int32_t> known = *kernel.getKnownBlockSize();
    if (known == ArrayRef<int32_t>(block))
      return success();
    InFlightDiagnostic diag =
        launch.emitOpError("launches workgroups of ")
        << print(block) << " threads, but the kernel states " << print(known);
    diag.attachNote(kernel.getLoc()) << "known_block_size is stated here";
    return diag;
  }
};

} // namespace
