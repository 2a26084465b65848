//===- MissingResources.cpp - Constants that printing left out ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/input/MissingResources.h"

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

/// Returns whether any dense_resource in the context has no data.
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

/// Reports globals that are used although the program does not contain their
/// values.
static LogicalResult checkGlobals(ModuleOp module) {
  bool ok = true;
  for (auto global : module.getOps<ml_program::GlobalOp>())
    if (isa_and_nonnull<ml_program::ExternAttr>(global.getValueAttr()) &&
        !SymbolTable::symbolKnownUseEmpty(global, module)) {
      global.emitOpError("has no value in the program; use --constants-in to "
                         "supply values of globals");
      ok = false;
    }
  return success(ok);
}

LogicalResult aircc::checkResources(ModuleOp module) {
  bool ok = succeeded(checkGlobals(module));
  if (!lacksData(module.getContext()))
    return success(ok);
  module.walk([&](Operation *op) {
    AttrTypeWalker walker;
    walker.addWalk([&](DenseResourceElementsAttr attr) {
      if (attr.getRawHandle().getBlob())
        return WalkResult::advance();
      op->emitOpError("uses 'dense_resource<")
          << attr.getRawHandle().getKey()
          << ">', whose data is missing, because MLIR's printer elides long "
             "data; print with a larger "
             "--mlir-elide-resource-strings-if-larger, or use --constants-in "
             "to supply the data";
      ok = false;
      return WalkResult::interrupt();
    });
    walker.walk(Attribute(op->getAttrDictionary()));
  });
  return success(ok);
}
