//===- Equivalence.cpp - Equality of ops with different names -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/Equivalence.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc {

DictionaryAttr getAttributesExceptName(Operation *op) {
  NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(op->getContext());
}

bool isEquivalentExceptName(Operation *a, Operation *b) {
  return getAttributesExceptName(a) == getAttributesExceptName(b) &&
         llvm::all_of_zip(a->getRegions(), b->getRegions(),
                          [](Region &x, Region &y) {
                            return OperationEquivalence::isRegionEquivalentTo(
                                &x, &y, OperationEquivalence::IgnoreLocations);
                          });
}

llvm::hash_code hashExceptNames(Operation *module, Operation *function) {
  llvm::hash_code hash = llvm::hash_combine(getAttributesExceptName(module));
  module->walk([&](Operation *op) {
    if (op == module)
      return;
    if (op == function)
      hash = llvm::hash_combine(hash, getAttributesExceptName(function));
    else
      hash = llvm::hash_combine(hash,
                                OperationEquivalence::computeHash(
                                    op, OperationEquivalence::ignoreHashValue,
                                    OperationEquivalence::ignoreHashValue,
                                    OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

} // namespace aircc
