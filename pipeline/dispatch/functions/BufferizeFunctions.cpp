//===- BufferizeFunctions.cpp - Functions on tensors to memrefs -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/functions/Donations.h"
#include "pipeline/dispatch/functions/EntryPoints.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_BUFFERIZEFUNCTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns whether a memref has, or may have, more than one element.
bool hasManyElements(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && (!type.hasStaticShape() || type.getNumElements() > 1);
}

/// Returns the buffer that `memref` is a view of.
Value getViewedBuffer(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// Returns whether the memref is a view of a global, which is in host memory.
bool isGlobal(Value memref) {
  return getViewedBuffer(memref).getDefiningOp<memref::GetGlobalOp>() !=
         nullptr;
}

/// Returns whether both are arguments of a function, one of which does not
/// overlap other memory.
bool areSeparateArguments(Value a, Value b) {
  auto isSeparate = [](Value value) {
    auto argument = cast<BlockArgument>(value);
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return function && function.getArgAttr(
                           argument.getArgNumber(),
                           air::AIRDialect::SeparateAttrHelper::getNameStr());
  };
  return a != b && isa<BlockArgument>(a) && isa<BlockArgument>(b) &&
         (isSeparate(a) || isSeparate(b));
}

/// Creates a copy of `memref` before `op`, in a new buffer of this type or with
/// identity layout.
Value copyBuffer(Operation *op, Value memref, MemRefType type) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  auto identity = MemRefType::get(type.getShape(), type.getElementType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, loc, memref, dim));
  Value copy = memref::AllocOp::create(b, loc, identity, sizes);
  memref::CopyOp::create(b, loc, memref, copy);
  if (identity == type)
    return copy;
  return memref::CastOp::create(b, loc, type, copy);
}

/// Kernels end with a copy of their result to memory that already contains it.
struct EraseSelfCopy : OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::CopyOp copy,
                                PatternRewriter &rewriter) const final {
    auto view = copy.getTarget().getDefiningOp<memref::SubViewOp>();
    if (!view || view.getSource() != copy.getSource() ||
        !llvm::all_of(view.getMixedOffsets(), isZeroInteger) ||
        !view.hasUnitStride())
      return failure();
    rewriter.eraseOp(copy);
    return success();
  }
};

/// Marks all arguments except donated ones as read-only, because a call must
/// not change the caller's memory.
void keepArguments(func::FuncOp function, const llvm::SmallBitVector &donated) {
  Builder b(function.getContext());
  for (BlockArgument argument : function.getArguments())
    if (isa<TensorType>(argument.getType()))
      function.setArgAttr(
          argument.getArgNumber(),
          bufferization::BufferizationDialect::kWritableAttrName,
          b.getBoolAttr(donated.test(argument.getArgNumber())));
  // This op writes to its destination even if that is read-only.
  function.walk([](bufferization::MaterializeInDestinationOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getDest().getType());
    if (!type)
      return;
    OpBuilder inner(op);
    op.getDestMutable().assign(bufferization::AllocTensorOp::create(
        inner, op.getLoc(), type, /*dynamicSizes=*/ValueRange(),
        /*copy=*/op.getDest()));
  });
}

/// Repeats a fill before each op that starts from its result, so that the op's
/// kernel can start from the value. Otherwise, bufferization would copy the
/// result for all but one of them.
void repeatFills(func::FuncOp function) {
  SmallVector<linalg::FillOp> fills;
  function.walk([&](linalg::FillOp fill) { fills.push_back(fill); });
  for (linalg::FillOp fill : fills) {
    auto empty = fill.getOutputs().front().getDefiningOp<tensor::EmptyOp>();
    if (!empty)
      continue;
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (!user || !user.isDpsInit(&use) || dispatch::isInKernel(user))
        continue;
      OpBuilder b(user);
      IRMapping mapping;
      b.clone(*empty, mapping);
      use.set(b.clone(*fill, mapping)->getResult(0));
    }
    if (fill->use_empty())
      fill->erase();
  }
}

class BufferizeFunctions
    : public dispatch::impl::BufferizeFunctionsBase<BufferizeFunctions> {
public:
  using Base::Base;

  void runOnOperation() final;

private:
  LogicalResult bufferize();
  LogicalResult freeBuffers(function_ref<void()> simplify);
  void copySlices(func::FuncOp function);
  void separateResults(func::FuncOp function);
  void keepResultsInArguments(dispatch::EntryPoint &entry);
  void offload(func::FuncOp function);
  void shareBuffers(func::FuncOp function);
  void allowMerging(func::FuncOp function);
};

LogicalResult BufferizeFunctions::bufferize() {
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  options.unknownTypeConverterFn =
      [](TensorType type, Attribute space,
         const bufferization::BufferizationOptions &) {
        return bufferization::getMemRefTypeWithStaticIdentityLayout(type,
                                                                    space);
      };
  bufferization::BufferizationState state;
  return bufferization::runOneShotModuleBufferize(getOperation(), options,
                                                  state);
}

/// Returns canonicalizations of everything except loops over workgroups,
/// because those with one iteration would be inlined.
FrozenRewritePatternSet getSimplifications(MLIRContext *context) {
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (op.getStringRef() != scf::ForallOp::getOperationName())
      op.getCanonicalizationPatterns(patterns, context);
  patterns.add<EraseSelfCopy>(context);
  return std::move(patterns);
}

/// Upstream's buffer deallocation pipeline, with another canonicalizer.
LogicalResult BufferizeFunctions::freeBuffers(function_ref<void()> simplify) {
  OpPassManager own(ModuleOp::getOperationName());
  own.addPass(memref::createExpandReallocPass());
  own.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  if (failed(runPipeline(own, getOperation())))
    return failure();
  simplify();
  OpPassManager free(ModuleOp::getOperationName());
  free.addPass(bufferization::createBufferDeallocationSimplificationPass());
  free.addPass(bufferization::createLowerDeallocationsPass());
  free.addPass(createCSEPass());
  free.addPass(createConvertBufferizationToMemRefPass());
  if (failed(runPipeline(free, getOperation())))
    return failure();
  simplify();
  return success();
}

/// Upstream casts a slice to a memref with identity layout if strides of the
/// latter depend on a dynamic size, but the strides of the slice may differ
/// from these.
void BufferizeFunctions::copySlices(func::FuncOp function) {
  SmallVector<memref::CastOp> casts;
  function.walk([&](memref::CastOp op) {
    auto source = dyn_cast<MemRefType>(op.getSource().getType());
    auto type = dyn_cast<MemRefType>(op.getType());
    if (source && type && !source.getLayout().isIdentity() &&
        type.getLayout().isIdentity() && !dispatch::isInKernel(op))
      casts.push_back(op);
  });
  for (memref::CastOp op : casts) {
    op.replaceAllUsesWith(
        copyBuffer(op, op.getSource(), cast<MemRefType>(op.getType())));
    op.erase();
  }
}

/// Copies results of functions, branches and loop iterations if necessary. Each
/// result is freed separately, so results must not share memory and must not be
/// constants in host memory.
void BufferizeFunctions::separateResults(func::FuncOp function) {
  BufferOriginAnalysis origins(function);
  auto mayShare = [&](Value a, Value b) {
    a = getViewedBuffer(a);
    b = getViewedBuffer(b);
    // This pass separates the results of each function, so results of calls do
    // not share memory.
    if (a != b && a.getDefiningOp<func::CallOp>() &&
        b.getDefiningOp<func::CallOp>())
      return false;
    if (areSeparateArguments(a, b))
      return false;
    return origins.isSameAllocation(a, b).value_or(true);
  };
  function.walk([&](Operation *op) {
    // Loops yield their initial values if they have no iterations.
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      for (OpOperand &init : loop.getInitsMutable())
        if (auto type = dyn_cast<MemRefType>(init.get().getType());
            type && isGlobal(init.get()))
          init.set(copyBuffer(op, init.get(), type));
    if (!isa<func::ReturnOp, scf::YieldOp, scf::ConditionOp>(op))
      return;
    SmallVector<Value> yielded;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (!isa<MemRefType>(value.getType()))
        continue;
      if (isGlobal(value) || llvm::any_of(yielded, [&](Value other) {
            return mayShare(other, value);
          }))
        operand.set(copyBuffer(op, value, cast<MemRefType>(value.getType())));
      else
        yielded.push_back(value);
    }
  });
}

/// Removes results that are in the memory of donated arguments, so that they
/// are not copied.
void BufferizeFunctions::keepResultsInArguments(dispatch::EntryPoint &entry) {
  auto device = getOperation().lookupSymbol<func::FuncOp>(entry.device);
  entry.results = llvm::to_vector(device.getResultTypes());
  entry.donors = dispatch::takeDonors(device, entry.donated);
  for (unsigned argument : entry.donated.set_bits())
    if (!llvm::is_contained(entry.donors, argument))
      emitRemark(device.getArgument(argument).getLoc())
          << "argument " << argument << " of '" << entry.name.getValue()
          << "' is donated, but no result can be computed in its memory; this "
             "requires a result of the same type, each element of which "
             "depends only on the same element of the argument, and no later "
             "use of the argument";
}

/// Marks the structured ops of `function` for the device. Copies between
/// buffers also become structured ops.
void BufferizeFunctions::offload(func::FuncOp function) {
  auto offloadName = air::AIRDialect::OffloadAttrHelper::getNameStr();
  SmallVector<memref::CopyOp> copies;
  function.walk([&](memref::CopyOp copy) {
    if (!dispatch::isInKernel(copy) &&
        isa<MemRefType>(copy.getSource().getType()) &&
        isa<MemRefType>(copy.getTarget().getType()) &&
        hasManyElements(copy.getTarget()) && !isGlobal(copy.getSource()) &&
        !isGlobal(copy.getTarget()))
      copies.push_back(copy);
  });
  for (memref::CopyOp copy : copies) {
    OpBuilder b(copy);
    linalg::CopyOp::create(b, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
    copy.erase();
  }
  function.walk([&](linalg::LinalgOp op) {
    if (op->getParentOfType<linalg::LinalgOp>() || dispatch::isInKernel(op))
      return;
    if (llvm::any_of(op->getOperands(), hasManyElements))
      op->setAttr(offloadName, UnitAttr::get(&getContext()));
  });
}

/// Makes buffers that both kernels and host code access accessible to both.
void BufferizeFunctions::shareBuffers(func::FuncOp function) {
  function.walk([](Operation *op) {
    OpBuilder b(op);
    if (dispatch::isInKernel(op))
      return;
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      auto shared = gpu::AllocOp::create(
          b, op->getLoc(), alloc.getType(), /*asyncToken=*/Type(),
          /*asyncDependencies=*/ValueRange(), alloc.getDynamicSizes(),
          /*symbolOperands=*/ValueRange(), /*hostShared=*/true);
      alloc.replaceAllUsesWith(shared.getMemref());
      alloc.erase();
    } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      gpu::DeallocOp::create(b, op->getLoc(), /*asyncToken=*/Type(),
                             /*asyncDependencies=*/ValueRange(),
                             dealloc.getMemref());
      dealloc.erase();
    }
  });
}

/// Allows later passes to merge the launches and the allocations of the
/// function, because the compiler, not the user, has formed them.
void BufferizeFunctions::allowMerging(func::FuncOp function) {
  for (StringRef name : {air::AIRDialect::MergeLaunchesAttrHelper::getNameStr(),
                         air::AIRDialect::PlanMemoryAttrHelper::getNameStr()})
    function->setAttr(name, UnitAttr::get(&getContext()));
}

void BufferizeFunctions::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<func::FuncOp> functions = dispatch::getTensorFunctions(module);
  if (functions.empty())
    return;
  SmallVector<dispatch::EntryPoint> entries =
      dispatch::separateEntryPoints(module, functions);
  // Bufferization may replace functions, but not their names.
  SmallVector<StringAttr> names;
  for (func::FuncOp function : dispatch::getTensorFunctions(module))
    names.push_back(function.getSymNameAttr());
  auto forEach = [&](void (BufferizeFunctions::*visit)(func::FuncOp)) {
    for (func::FuncOp function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (llvm::is_contained(names, function.getSymNameAttr()))
        (this->*visit)(function);
  };
  for (const dispatch::EntryPoint &entry : entries)
    keepArguments(module.lookupSymbol<func::FuncOp>(entry.device),
                  entry.donated);
  for (func::FuncOp function : functions)
    repeatFills(function);
  if (failed(bufferize()))
    return signalPassFailure();
  for (const dispatch::EntryPoint &entry : entries)
    for (unsigned argument : entry.donated.set_bits())
      module.lookupSymbol<func::FuncOp>(entry.device)
          .setArgAttr(argument,
                      air::AIRDialect::SeparateAttrHelper::getNameStr(),
                      UnitAttr::get(&getContext()));
  forEach(&BufferizeFunctions::copySlices);
  forEach(&BufferizeFunctions::separateResults);
  if (offloads)
    forEach(&BufferizeFunctions::offload);
  FrozenRewritePatternSet simplifications = getSimplifications(&getContext());
  auto simplify = [&] {
    (void)applyPatternsGreedily(getOperation(), simplifications);
  };
  simplify();
  for (dispatch::EntryPoint &entry : entries)
    keepResultsInArguments(entry);
  if (failed(freeBuffers(simplify)))
    return signalPassFailure();
  // The deallocation pipeline has added copies.
  if (offloads)
    forEach(&BufferizeFunctions::offload);
  for (const dispatch::EntryPoint &entry : entries) {
    dispatch::createEntryPoint(module, entry, offloads);
    names.push_back(entry.symbol);
    names.push_back(
        StringAttr::get(&getContext(), entry.device.getValue() + "_in_place"));
  }
  forEach(&BufferizeFunctions::shareBuffers);
  forEach(&BufferizeFunctions::allowMerging);
}

} // namespace
