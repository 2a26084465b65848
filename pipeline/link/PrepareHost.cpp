//===- PrepareHost.cpp - Entry points and tokens of the host program ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Passes.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_PREPAREHOST
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

namespace {

//===----------------------------------------------------------------------===//
// main
//===----------------------------------------------------------------------===//

/// Gives `main` the type that C requires, which returns an int.
LogicalResult prepareMain(func::FuncOp main) {
  if (main.isDeclaration())
    return success();
  FunctionType type = main.getFunctionType();
  MLIRContext *ctx = main.getContext();
  Type i32 = IntegerType::get(ctx, 32);
  bool argumentsFit = type.getNumInputs() == 0 ||
                      (type.getNumInputs() == 2 && type.getInput(0) == i32 &&
                       type.getInput(1) == LLVM::LLVMPointerType::get(ctx));
  bool resultFits =
      type.getNumResults() == 0 ||
      (type.getNumResults() == 1 &&
       (type.getResult(0).isInteger(32) || type.getResult(0).isInteger(64) ||
        type.getResult(0).isIndex()));
  if (!argumentsFit || !resultFits)
    return main.emitOpError("'main' has the type ")
           << type
           << "; the entry point of a program must take nothing or (i32, "
              "!llvm.ptr), and return nothing, i32, i64 or index";
  main.setPublic();
  if (type.getNumResults() == 1 && type.getResult(0) == i32)
    return success();
  main.walk([&](func::ReturnOp ret) {
    if (ret->getParentOp() != main)
      return;
    OpBuilder b(ret);
    Value status;
    if (ret.getNumOperands() == 0)
      status = arith::ConstantIntOp::create(b, ret.getLoc(), i32, 0);
    else if (ret.getOperand(0).getType().isIndex())
      status =
          arith::IndexCastOp::create(b, ret.getLoc(), i32, ret.getOperand(0));
    else
      status = arith::TruncIOp::create(b, ret.getLoc(), i32, ret.getOperand(0));
    ret->setOperands(status);
  });
  main.setFunctionType(FunctionType::get(ctx, type.getInputs(), {i32}));
  return success();
}

/// Rejects other calls to `main` in the module, because they would need the new
/// type.
LogicalResult checkNotCalled(func::FuncOp main, ModuleOp module) {
  std::optional<SymbolTable::UseRange> uses = main.getSymbolUses(module);
  if (!uses || uses->empty())
    return success();
  return uses->begin()->getUser()->emitOpError(
      "refers to 'main', which only the operating system may call");
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool isToken(Type type) { return isa<gpu::AsyncTokenType>(type); }

/// Recreates `op` without its token result.
void dropToken(Operation *op) {
  OpBuilder b(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (Type type : op->getResultTypes())
    if (!isToken(type))
      state.addTypes(type);
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *plain = b.create(state);
  unsigned next = 0;
  for (Value result : op->getResults())
    if (!isToken(result.getType()))
      result.replaceAllUsesWith(plain->getResult(next++));
  op->erase();
}

/// Replaces tokens with program order.
LogicalResult serializeTokens(ModuleOp module) {
  SmallVector<Operation *> asyncOps;
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (isa<gpu::AsyncOpInterface>(op)) {
      asyncOps.push_back(op);
      return WalkResult::advance();
    }
    bool carries = llvm::any_of(op->getOperandTypes(), isToken) ||
                   llvm::any_of(op->getResultTypes(), isToken);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        carries |= llvm::any_of(block.getArgumentTypes(), isToken);
    if (!carries)
      return WalkResult::advance();
    op->emitOpError(
        "cannot pass on a GPU token; tokens can only be passed directly "
        "between gpu ops, so wait for it with gpu.wait first");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();

  for (Operation *op : asyncOps) {
    auto asyncOp = cast<gpu::AsyncOpInterface>(op);
    // Visit dependencies first, so that no use of a token remains when its op
    // is erased.
    for (unsigned i = op->getNumOperands(); i-- > 0;)
      if (isToken(op->getOperand(i).getType())) {
        // Ops with operand segments store the number of dependencies.
        if (auto segments =
                op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes")) {
          SmallVector<int32_t> sizes(segments.asArrayRef());
          unsigned first = 0;
          for (int32_t &size : sizes) {
            if (i < first + size) {
              --size;
              break;
            }
            first += size;
          }
          op->eraseOperand(i);
          op->setAttr("operandSegmentSizes",
                      DenseI32ArrayAttr::get(op->getContext(), sizes));
        } else {
          op->eraseOperand(i);
        }
      }
    (void)asyncOp;
  }
  for (Operation *op : asyncOps) {
    if (isa<gpu::WaitOp>(op)) {
      // gpu-async-region waits in program order.
      op->erase();
      continue;
    }
    if (cast<gpu::AsyncOpInterface>(op).getAsyncToken())
      dropToken(op);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Narrow integers
//===----------------------------------------------------------------------===//

/// Returns "llvm.zeroext" or "llvm.signext" for types that C extends to a
/// register, as the header declares them; "" for others.
StringRef getExtension(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() >= 32)
    return "";
  return integer.getWidth() == 1 || integer.isUnsigned()
             ? LLVM::LLVMDialect::getZExtAttrName()
             : LLVM::LLVMDialect::getSExtAttrName();
}

/// Adds extensions, because C reads the whole register of a narrow integer, or
/// at least more than its bits. Several results are in memory, separately, and
/// need no extension.
void extendIntegers(func::FuncOp function) {
  auto unit = UnitAttr::get(function.getContext());
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (StringRef name = getExtension(type); !name.empty())
      function.setArgAttr(i, name, unit);
  if (function.getNumResults() == 1)
    if (StringRef name = getExtension(function.getResultTypes()[0]);
        !name.empty())
      function.setResultAttr(0, name, unit);
}

//===----------------------------------------------------------------------===//
// Visibility
//===----------------------------------------------------------------------===//

/// Sets the linkage. The lowering to the LLVM dialect ignores the visibility,
/// so without a linkage, private functions of two inputs would clash, or one
/// would replace the other.
void makeInternal(func::FuncOp function) {
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(function.getContext(), LLVM::Linkage::Internal));
}

//===----------------------------------------------------------------------===//
// Launch sizes
//===----------------------------------------------------------------------===//

/// The runtime takes sizes as intptr_t, but a launch may have them as i32 or
/// i64, which the lowering would pass unchanged.
void makeSizesIndices(gpu::LaunchFuncOp launch) {
  OpBuilder b(launch);
  for (OpOperand *size :
       {&launch.getGridSizeXMutable(), &launch.getGridSizeYMutable(),
        &launch.getGridSizeZMutable(), &launch.getBlockSizeXMutable(),
        &launch.getBlockSizeYMutable(), &launch.getBlockSizeZMutable()})
    if (size->get().getType().isInteger(32))
      size->set(arith::IndexCastUIOp::create(b, launch.getLoc(),
                                             b.getIndexType(), size->get()));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Rejects tensors, because all code here requires values in memory. Reports
/// only the first op, because the other errors would be consequences of it.
static LogicalResult checkBufferized(ModuleOp module) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  WalkResult result =
      module.getBodyRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (isa<gpu::GPUModuleOp>(op))
          return WalkResult::skip();
        bool hasTensors = llvm::any_of(op->getOperandTypes(), isTensor) ||
                          llvm::any_of(op->getResultTypes(), isTensor);
        if (auto function = dyn_cast<FunctionOpInterface>(op))
          hasTensors |= llvm::any_of(function.getArgumentTypes(), isTensor) ||
                        llvm::any_of(function.getResultTypes(), isTensor);
        if (!hasTensors)
          return WalkResult::advance();
        op->emitOpError("operates on tensors; bufferize the program first, for "
                        "example with 'aircc opt "
                        "--one-shot-bufferize=bufferize-function-boundaries'");
        return WalkResult::interrupt();
      });
  return failure(result.wasInterrupted());
}

/// Returns the functions that the runtime calls for entry points.
static llvm::SmallPtrSet<StringAttr, 8> getRuntimeCallees(ModuleOp module) {
  llvm::SmallPtrSet<StringAttr, 8> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (auto entry = function->getAttrOfType<aircc::air::EntryPointAttr>(
            aircc::air::AIRDialect::EntryPointAttrHelper::getNameStr()))
      for (FlatSymbolRefAttr callee :
           {entry.getResultSizes(), entry.getSizeChecks(), entry.getInPlace()})
        if (callee)
          names.insert(callee.getAttr());
  return names;
}

struct PrepareHost : aircc::impl::PrepareHostBase<PrepareHost> {
  using PrepareHostBase::PrepareHostBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkBufferized(module)))
      return signalPassFailure();
    if (auto main = module.lookupSymbol<func::FuncOp>("main"))
      if (failed(checkNotCalled(main, module)) || failed(prepareMain(main)))
        return signalPassFailure();
    if (failed(serializeTokens(module)))
      return signalPassFailure();
    module.walk(makeSizesIndices);
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isPrivate() && !function.isDeclaration())
        makeInternal(function);
      else
        extendIntegers(function);
      // Kernels have already been built.
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        function.removeArgAttr(
            i, aircc::air::AIRDialect::SeparateAttrHelper::getNameStr());
    }
    if (!cInterface)
      return;
    llvm::SmallPtrSet<StringAttr, 8> called = getRuntimeCallees(module);
    for (auto function : module.getOps<func::FuncOp>())
      if (called.contains(function.getSymNameAttr()) ||
          (function.isPublic() && !function.isDeclaration() &&
           function.getSymName() != "main"))
        function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                          UnitAttr::get(&getContext()));
  }
};

} // namespace
