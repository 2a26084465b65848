//===- UnknownDialects.cpp - Uses of unregistered dialects ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/input/UnknownDialects.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

/// Returns the unregistered dialect of a type or an attribute in `op`; "" if
/// there is none. Opaque types and attributes belong to unregistered dialects.
static StringRef findUnknownPart(Operation *op) {
  StringRef found;
  AttrTypeWalker walker;
  walker.addWalk([&](OpaqueType type) {
    found = type.getDialectNamespace();
    return WalkResult::interrupt();
  });
  walker.addWalk([&](OpaqueAttr attr) {
    found = attr.getDialectNamespace();
    return WalkResult::interrupt();
  });
  auto stops = [&](auto part) { return walker.walk(part).wasInterrupted(); };
  if (stops(Attribute(op->getAttrDictionary())) ||
      llvm::any_of(op->getOperandTypes(), stops) ||
      llvm::any_of(op->getResultTypes(), stops))
    return found;
  return "";
}

LogicalResult aircc::checkDialects(Operation *root) {
  static constexpr StringLiteral kAdvice =
      ", which aircc does not have; programs consist of AIR and of the "
      "dialects "
      "of MLIR itself";
  bool ok = true;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->isRegistered()) {
      op->emitError("'") << op->getName() << "' is an op of the dialect '"
                         << op->getName().getDialectNamespace() << "'"
                         << kAdvice;
      ok = false;
      return;
    }
    StringRef dialect = findUnknownPart(op);
    if (dialect.empty())
      return;
    op->emitOpError("has a type or an attribute of the dialect '")
        << dialect << "'" << kAdvice;
    ok = false;
  });
  return success(ok);
}
