//===- DeviceFunctions.cpp - Calls of OpenCL functions --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/DeviceFunctions.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace aircc {

static LLVM::LLVMFuncOp declare(gpu::GPUModuleOp module, Location loc,
                                StringRef name, LLVM::LLVMFunctionType type,
                                FunctionEffects effects) {
  if (auto present = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return present;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(b, loc, name, type);
  function.setCConv(LLVM::cconv::CConv::SPIR_FUNC);
  function.setConvergent(effects.isConvergent);
  function.setNoUnwind(true);
  function.setWillReturn(true);
  if (effects.isPure)
    function.setMemoryEffectsAttr(b.getAttr<LLVM::MemoryEffectsAttr>(
        LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
        LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
        LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef));
  return function;
}

Value callDeviceFunction(OpBuilder &b, Location loc, gpu::GPUModuleOp module,
                         StringRef name, Type result, ValueRange args,
                         FunctionEffects effects) {
  Type returned = result ? result : LLVM::LLVMVoidType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      returned, llvm::to_vector_of<Type>(args.getTypes()));
  LLVM::LLVMFuncOp function = declare(module, loc, name, type, effects);
  auto call = LLVM::CallOp::create(b, loc, function, args);
  call.setCConv(function.getCConv());
  call.setConvergent(effects.isConvergent);
  call.setNoUnwind(true);
  call.setWillReturn(true);
  if (effects.isPure)
    call.setMemoryEffectsAttr(function.getMemoryEffectsAttr());
  return result ? call.getResult() : Value();
}

} // namespace aircc
