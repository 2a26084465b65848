//===- VectorScopes.h - Scopes of undistributed vectors ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_VECTORSCOPES_H
#define AIRCC_PIPELINE_LAYOUT_VECTORSCOPES_H

#include "dialects/layout/LayoutDialect.h"
#include "pipeline/analysis/UndistributedVectors.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc {
struct TargetProfile;
} // namespace aircc

namespace aircc::layout {

/// The workers that hold an undistributed vector together.
struct Workgroup {
  int64_t waves = 1; ///< 1 for vectors of a wave.
  int64_t lanes = 64;
  /// The size of the LDS through which they exchange elements; 0 if unknown.
  int64_t ldsBytes = 0;
  /// Whether a wave accesses memory in blocks, with adjacent lanes along a row
  /// and rows in the registers of a lane.
  bool blockIO = false;
};

/// Returns whether `function` may have undistributed vectors. This check is
/// cheap.
bool mayHaveUndistributedVectors(mlir::gpu::GPUFuncOp function);

/// The undistributed vectors of a kernel. The vectors of an op belong together,
/// and so do those that control flow connects; `layout.scope` on one op applies
/// to all of them. Vectors that no scope reaches belong to single lanes. A
/// constant that several ops share is duplicated if their scopes differ.
class VectorScopes {
public:
  /// Creates the vectors. Fails after an error if two scopes conflict, if a
  /// vector is scalable, or if the size of the workgroup is unknown or not a
  /// multiple of the wave size.
  static mlir::FailureOr<VectorScopes> get(mlir::gpu::GPUFuncOp function,
                                           const TargetProfile &profile);

  bool empty() const { return scopes.empty(); }
  /// Returns the scope of a vector; nullopt if it belongs to a single lane.
  std::optional<Scope> getScope(mlir::Value value) const {
    auto it = scopes.find(value);
    if (it == scopes.end())
      return std::nullopt;
    return it->second;
  }
  bool contains(mlir::Value value) const { return scopes.contains(value); }
  /// Adds `value` to the undistributed vectors.
  void add(mlir::Value value, Scope scope) { scopes[value] = scope; }
  /// Returns the scope of an op with undistributed vectors as operands or
  /// results.
  std::optional<Scope> getScope(mlir::Operation *op) const;

  Workgroup getWorkgroup(Scope scope) const {
    Workgroup result = workgroup;
    if (scope == Scope::Wave) {
      result.ldsBytes /= result.waves;
      result.waves = 1;
    }
    return result;
  }

private:
  /// Adds `value` if it has a scope. Fails after an error if it is scalable.
  mlir::LogicalResult tryAdd(mlir::Value value, std::optional<Scope> scope);

  llvm::DenseMap<mlir::Value, Scope> scopes;
  Workgroup workgroup;
};

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_VECTORSCOPES_H
