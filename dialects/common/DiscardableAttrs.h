//===- DiscardableAttrs.h - Checks of discardable attributes ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Dialects define in ODS the discardable attributes through which passes
// communicate, and verify them on each op that carries one. These checks are
// shared by the dialects.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_COMMON_DISCARDABLEATTRS_H
#define AIRCC_DIALECTS_COMMON_DISCARDABLEATTRS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <utility>

namespace aircc {

/// Returns the name in `known` that is closest to `name`, or an empty string if
/// none is similar.
inline llvm::StringRef findSimilarName(llvm::StringRef name,
                                       llvm::ArrayRef<llvm::StringRef> known) {
  constexpr unsigned kMaxEdits = 2;
  llvm::StringRef best;
  unsigned bestDistance = kMaxEdits + 1;
  for (llvm::StringRef candidate : known) {
    unsigned distance = name.edit_distance(candidate, true, kMaxEdits);
    if (distance >= bestDistance)
      continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/// Reports an attribute that its dialect does not define.
inline llvm::LogicalResult
refuseUnknownAttribute(mlir::Operation *op, llvm::StringRef name,
                       llvm::ArrayRef<llvm::StringRef> known) {
  mlir::InFlightDiagnostic diag = op->emitOpError("has the attribute '")
                                  << name << "', but the "
                                  << name.split('.').first
                                  << " dialect defines no such attribute";
  if (llvm::StringRef similar = findSimilarName(name, known); !similar.empty())
    diag << "; did you mean '" << similar << "'?";
  return diag;
}

/// Reports an attribute on a kind of op that cannot have it.
inline llvm::LogicalResult refuseOp(mlir::Operation *op, llvm::StringRef name,
                                    llvm::StringRef owners) {
  return op->emitOpError("cannot have the attribute '")
         << name << "', which is only allowed on " << owners;
}

/// Reports an attribute with a value other than `expected`.
inline llvm::LogicalResult refuseValue(mlir::Operation *op,
                                       mlir::NamedAttribute attribute,
                                       llvm::StringRef expected) {
  return op->emitOpError("expects '")
         << attribute.getName().getValue() << "' to be " << expected
         << ", but got " << attribute.getValue();
}

/// Verifies an attribute that has no value beyond its presence.
inline llvm::LogicalResult verifyUnit(mlir::Operation *op,
                                      mlir::NamedAttribute attribute) {
  if (llvm::isa<mlir::UnitAttr>(attribute.getValue()))
    return llvm::success();
  return refuseValue(op, attribute, "a unit attribute");
}

/// The name of an attribute, from the helper that ODS generates, and its
/// verifier.
using AttrVerifier =
    std::pair<llvm::StringLiteral,
              llvm::LogicalResult (*)(mlir::Operation *, mlir::NamedAttribute)>;

/// Calls the verifier of the attribute if it is in `verifiers`; otherwise calls
/// `onUnknown` with the names of the known attributes.
inline llvm::LogicalResult verifyDiscardableAttr(
    mlir::Operation *op, mlir::NamedAttribute attribute,
    llvm::ArrayRef<AttrVerifier> verifiers,
    llvm::function_ref<llvm::LogicalResult(llvm::ArrayRef<llvm::StringRef>)>
        onUnknown) {
  llvm::SmallVector<llvm::StringRef> known;
  for (const auto &[name, verify] : verifiers) {
    if (attribute.getName() == name)
      return verify(op, attribute);
    known.push_back(name);
  }
  return onUnknown(known);
}

} // namespace aircc

#endif // AIRCC_DIALECTS_COMMON_DISCARDABLEATTRS_H
