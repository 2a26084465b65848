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

namespace {
/// Finds types and attributes of unregistered dialects, which are opaque.
class UnknownParts {
public:
  UnknownParts() {
    walker.addWalk([&](OpaqueType type) {
      found = type.getDialectNamespace();
      return WalkResult::interrupt();
    });
    walker.addWalk([&](OpaqueAttr attr) {
      found = attr.getDialectNamespace();
      return WalkResult::interrupt();
    });
  }

  /// Returns whether `op` has a type or an attribute of an unregistered
  /// dialect.
  bool isIn(Operation *op) {
    auto stops = [&](auto part) { return walker.walk(part).wasInterrupted(); };
    return stops(Attribute(op->getAttrDictionary())) ||
           llvm::any_of(op->getOperandTypes(), stops) ||
           llvm::any_of(op->getResultTypes(), stops);
  }

  /// Returns the dialect that the first successful call of isIn has found.
  StringRef getDialect() const { return found; }

private:
  AttrTypeWalker walker; ///< Visits each type or attribute once.
  StringRef found;
};
} // namespace

LogicalResult aircc::checkDialects(Operation *root) {
  static constexpr StringLiteral kAdvice =
      ", which aircc does not support; programs may use AIR and the upstream "
      "MLIR dialects";
  bool ok = true;
  UnknownParts parts;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->isRegistered()) {
      op->emitError("'") << op->getName() << "' is an op of the dialect '"
                         << op->getName().getDialectNamespace() << "'"
                         << kAdvice;
      ok = false;
      return;
    }
    if (!parts.isIn(op))
      return;
    UnknownParts ofOp;
    (void)ofOp.isIn(op);
    op->emitOpError("has a type or an attribute of the dialect '")
        << ofOp.getDialect() << "'" << kAdvice;
    ok = false;
  });
  return success(ok);
}
