//===- SeparateTransfers.cpp - Separate LDS reads from transfers ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_SEPARATETRANSFERS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// AMDGPU's address space for LDS.
constexpr unsigned kLDSAddressSpace = 3;

bool isInLDS(Value pointer) {
  auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
  return type && type.getAddressSpace() == kLDSAddressSpace;
}

ArrayAttr append(ArrayAttr scopes, Attribute scope) {
  SmallVector<Attribute> all;
  if (scopes)
    all.append(scopes.begin(), scopes.end());
  all.push_back(scope);
  return ArrayAttr::get(scope.getContext(), all);
}

struct SeparateTransfers
    : aircc::impl::SeparateTransfersBase<SeparateTransfers> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->removeAttr(aircc::layout::LayoutDialect::
                                   PlacedWaitsAttrHelper::getNameStr()))
        separate(function);
  }

  void separate(LLVM::LLVMFuncOp function) {
    Builder b(&getContext());
    auto domain = LLVM::AliasScopeDomainAttr::get(
        &getContext(), b.getStringAttr("transfers to LDS"));
    auto scope = LLVM::AliasScopeAttr::get(domain);
    function.walk([&](LLVM::AliasAnalysisOpInterface op) {
      if (isa<ROCDL::LoadToLDSOp, ROCDL::GlobalLoadLDSOp,
              ROCDL::RawPtrBufferLoadLdsOp>(op.getOperation()))
        op.setAliasScopes(append(op.getAliasScopesOrNull(), scope));
      else if (llvm::any_of(op.getAccessedOperands(), isInLDS))
        op.setNoAliasScopes(append(op.getNoAliasScopesOrNull(), scope));
    });
  }
};

} // namespace
