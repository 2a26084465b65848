//===- CallMathFunctions.cpp - Lower math.fpowi to functions --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_CALLMATHFUNCTIONS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// The device libraries only have powers with a scalar i32 exponent.
bool needsFunction(math::FPowIOp op) {
  return !(op.getRhs().getType().isInteger(32) &&
           isa<Float16Type, Float32Type, Float64Type>(op.getType()));
}

struct CallMathFunctions
    : aircc::impl::CallMathFunctionsBase<CallMathFunctions> {
  void runOnOperation() override {
    gpu::GPUModuleOp device = getOperation();
    // Ops with the same type share a function.
    llvm::MapVector<FunctionType, SmallVector<math::FPowIOp>> kinds;
    device.walk([&](math::FPowIOp op) {
      if (needsFunction(op))
        kinds[FunctionType::get(&getContext(), op->getOperandTypes(),
                                op->getResultTypes())]
            .push_back(op);
    });
    if (kinds.empty())
      return;

    // Upstream's pass adds functions to a builtin.module. Run it on a temporary
    // one and move the functions to the gpu.module.
    OpBuilder b(device.getBodyRegion());
    b.setInsertionPointToStart(device.getBody());
    auto scratch = ModuleOp::create(b, device.getLoc());
    SmallVector<func::FuncOp> wrappers;
    for (auto &[type, ops] : kinds) {
      b.setInsertionPointToEnd(scratch.getBody());
      std::string name = "__air_math_" + std::to_string(wrappers.size());
      auto wrapper = func::FuncOp::create(b, ops.front()->getLoc(), name, type);
      wrapper.setPrivate();
      Block *body = wrapper.addEntryBlock();
      b.setInsertionPointToStart(body);
      Operation *op = b.clone(*ops.front().getOperation());
      op->setOperands(body->getArguments());
      func::ReturnOp::create(b, op->getLoc(), op->getResults());
      wrappers.push_back(wrapper);
    }
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addPass(createConvertMathToFuncs());
    if (failed(runPipeline(pm, scratch)))
      return signalPassFailure();

    SymbolTable symbols(device);
    for (Operation &function : llvm::make_early_inc_range(*scratch.getBody())) {
      function.remove();
      symbols.insert(&function);
    }
    scratch.erase();
    for (auto [kind, wrapper] : llvm::zip_equal(kinds, wrappers))
      for (math::FPowIOp op : kind.second) {
        b.setInsertionPoint(op);
        auto call =
            func::CallOp::create(b, op->getLoc(), wrapper, op->getOperands());
        op->replaceAllUsesWith(call);
        op->erase();
      }
  }
};

} // namespace
