//===- SetKernelAttributes.cpp - Set launch sizes on kernels --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
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

/// The runtime function that checks the size of a launch.
constexpr StringLiteral kCheck = "mgpuCheckLaunchSize";

/// The attribute that LLVM's SPIR-V backend lowers to an execution mode.
constexpr StringLiteral kSubgroupSize = "intel_reqd_sub_group_size";

using Size3 = std::array<int32_t, 3>;

/// Returns a launch size if all three sizes are constants in range.
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

/// The sizes that all launches of a kernel have in common.
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
      if (launch.hasClusterSize()) {
        launch.emitOpError(
            "launches workgroups in clusters, which this backend does not "
            "support; launch without `clusters in`");
        return WalkResult::interrupt();
      }
      std::optional<Size3> block =
          getConstantSize(launch.getBlockSizeOperandValues());
      std::optional<Size3> grid =
          getConstantSize(launch.getGridSizeOperandValues());
      if (block && failed(checkLimit(launch, *block)))
        return WalkResult::interrupt();
      if (!kernel)
        return WalkResult::advance();
      if (failed(checkStated(launch, kernel, "known_block_size",
                             kernel.getKnownBlockSize(), block,
                             launch.getBlockSizeOperandValues())) ||
          failed(checkStated(launch, kernel, "known_grid_size",
                             kernel.getKnownGridSize(), grid,
                             launch.getGridSizeOperandValues())))
        return WalkResult::interrupt();
      Known &known = kernels[kernel];
      known.block.meet(block);
      known.grid.meet(grid);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();

    for (auto &[op, known] : kernels) {
      auto kernel = cast<gpu::GPUFuncOp>(op);
      if (!kernel.getKnownBlockSizeAttr() && known.block.size)
        kernel.setKnownBlockSize(ArrayRef<int32_t>(*known.block.size));
      // Code objects do not record the grid size that they require.
      if (!kernel.getKnownGridSizeAttr() && known.grid.size &&
          !hasExternalLaunches)
        kernel.setKnownGridSize(ArrayRef<int32_t>(*known.grid.size));
    }

    if (backend == aircc::Backend::XeVM) {
      if (failed(setSubgroupSizes()))
        signalPassFailure();
      return;
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

  /// Sets the subgroup size. All code that depends on the wave size was lowered
  /// for the target's size.
  LogicalResult setSubgroupSizes() {
    auto size = IntegerAttr::get(IntegerType::get(&getContext(), 32), waveSize);
    for (auto gpuModule : getOperation().getOps<gpu::GPUModuleOp>())
      for (auto function : gpuModule.getOps<FunctionOpInterface>()) {
        if (!gpu::GPUDialect::isKernel(function) && !isSpirKernel(function))
          continue;
        auto stated = function->getAttrOfType<IntegerAttr>(kSubgroupSize);
        if (stated && stated.getInt() != waveSize)
          return function->emitOpError("requires subgroups of ")
                 << stated.getInt()
                 << " lanes, but the target's subgroups have "
                 << waveSize.getValue() << "; use a profile with waveSize "
                 << stated.getInt();
        function->setAttr(kSubgroupSize, size);
      }
    return success();
  }

  static bool isSpirKernel(Operation *function) {
    auto lowered = dyn_cast<LLVM::LLVMFuncOp>(function);
    return lowered && lowered.getCConv() == LLVM::cconv::CConv::SPIR_KERNEL;
  }

  LogicalResult checkLimit(gpu::LaunchFuncOp launch, const Size3 &block) {
    int64_t threads = int64_t(block[0]) * block[1] * block[2];
    if (threads <= maxThreads)
      return success();
    return launch.emitError("a workgroup of ")
           << print(block) << " is " << threads
           << " threads, but the target allows only " << maxThreads.getValue();
  }

  /// Checks a launch of a kernel with a specified size, which is only correct
  /// for that size. If the size of the launch is not constant, the program
  /// checks it at run time.
  LogicalResult checkStated(gpu::LaunchFuncOp launch, gpu::GPUFuncOp kernel,
                            StringRef attribute,
                            std::optional<ArrayRef<int32_t>> stated,
                            const std::optional<Size3> &size,
                            gpu::KernelDim3 values) {
    if (!stated || (size && *stated == ArrayRef<int32_t>(*size)))
      return success();
    if (!size) {
      checkAtRunTime(launch, kernel, attribute, *stated, values);
      return success();
    }
    bool isBlock = attribute == "known_block_size";
    InFlightDiagnostic diag =
        launch.emitOpError("launches ")
        << (isBlock ? "workgroups" : "a grid") << " of " << print(*size)
        << (isBlock ? " threads" : " workgroups")
        << ", but the kernel specifies " << print(*stated);
    diag.attachNote(kernel.getLoc()) << attribute << " is specified here";
    return diag;
  }

  /// Inserts a call to the runtime's mgpuCheckLaunchSize before the launch.
  void checkAtRunTime(gpu::LaunchFuncOp launch, gpu::GPUFuncOp kernel,
                      StringRef attribute, ArrayRef<int32_t> stated,
                      gpu::KernelDim3 values) {
    OpBuilder b(launch);
    Location loc = launch.getLoc();
    Type index = b.getIndexType();
    SmallVector<Value> args = {getText(b, loc, kernel.getName()),
                               getText(b, loc, attribute)};
    for (Value value : {values.x, values.y, values.z})
      args.push_back(
          mlir::getValueOrCreateCastToIndexLike(b, loc, index, value));
    for (int32_t size : stated)
      args.push_back(arith::ConstantIndexOp::create(b, loc, size));
    if (!getOperation().lookupSymbol(kCheck)) {
      OpBuilder atStart = OpBuilder::atBlockBegin(getOperation().getBody());
      auto check = func::FuncOp::create(
          atStart, loc, kCheck,
          b.getFunctionType(ValueRange(args).getTypes(), {}));
      check.setPrivate();
    }
    func::CallOp::create(b, loc, kCheck, TypeRange(), args);
  }

  /// Returns the address of `text` as a C string.
  Value getText(OpBuilder &b, Location loc, StringRef text) {
    std::string name = ("launch_check_" + text).str();
    if (!getOperation().lookupSymbol<LLVM::GlobalOp>(name)) {
      OpBuilder atStart = OpBuilder::atBlockBegin(getOperation().getBody());
      std::string bytes = text.str() + '\0';
      auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
      LLVM::GlobalOp::create(atStart, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, name,
                             b.getStringAttr(bytes));
    }
    return LLVM::AddressOfOp::create(
        b, loc, LLVM::LLVMPointerType::get(b.getContext()), name);
  }
};

} // namespace
