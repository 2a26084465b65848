//===- MissingResources.cpp - Constants that printing left out ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/input/MissingResources.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

/// Whether any dense_resource of the context has no data.
static bool lacksData(MLIRContext *context) {
  auto *builtin = context->getLoadedDialect<BuiltinDialect>();
  auto *resources =
      builtin->getRegisteredInterface<ResourceBlobManagerDialectInterface>();
  bool found = false;
  if (resources)
    resources->getBlobManager().getBlobMap([&](const auto &blobs) {
      found = llvm::any_of(
          blobs, [](const auto &entry) { return !entry.second.getBlob(); });
    });
  return found;
}

LogicalResult aircc::checkResources(ModuleOp module) {
  if (!lacksData(module.getContext()))
    return success();
  bool ok = true;
  module.walk([&](Operation *op) {
    AttrTypeWalker walker;
    walker.addWalk([&](DenseResourceElementsAttr attr) {
      if (attr.getRawHandle().getBlob())
        return WalkResult::advance();
      op->emitOpError("uses 'dense_resource<")
          << attr.getRawHandle().getKey()
          << ">', whose data is missing: printing leaves out long data; "
             "--mlir-elide-resource-strings-if-larger sets the limit";
      ok = false;
      return WalkResult::interrupt();
    });
    walker.walk(Attribute(op->getAttrDictionary()));
  });
  return success(ok);
}
