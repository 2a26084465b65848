//===- WholeVectors.h - Which vectors lanes hold together -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_WHOLEVECTORS_H
#define AIRCC_PIPELINE_LAYOUT_WHOLEVECTORS_H

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

/// Who holds a whole vector together.
struct Workgroup {
  int64_t waves = 1; ///< 1 for vectors of a wave.
  int64_t lanes = 64;
  /// What they can exchange elements through; 0 where that is not known.
  int64_t ldsBytes = 0;
  /// Whether a wave moves blocks of memory as a whole, lanes side by side along
  /// a row, and rows in a lane's registers.
  bool blockIO = false;
};

/// Whether `function` has anything that makes vectors whole ones. Cheap.
bool mayHaveWholeVectors(mlir::gpu::GPUFuncOp function);

/// The whole vectors of a kernel. An op's vectors belong together, and so do
/// those that control flow connects; `layout.scope` on one op tells for all of
/// them. What no scope reaches is code of lanes. A constant that several share
/// is each one's own: it is made again where their scopes differ.
class WholeVectors {
public:
  /// Fails after an error: two scopes meet, a vector is scalable, the function
  /// does not say how large its workgroups are or they are not whole waves.
  static mlir::FailureOr<WholeVectors> get(mlir::gpu::GPUFuncOp function,
                                           const TargetProfile &profile);

  bool empty() const { return scopes.empty(); }
  /// The scope of a vector, nothing for one of a lane's own.
  std::optional<Scope> getScope(mlir::Value value) const {
    auto it = scopes.find(value);
    if (it == scopes.end())
      return std::nullopt;
    return it->second;
  }
  bool contains(mlir::Value value) const { return scopes.contains(value); }
  /// Counts `value` too among them.
  void add(mlir::Value value, Scope scope) { scopes[value] = scope; }
  /// The scope of an op with whole vectors among its operands and results.
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
  llvm::DenseMap<mlir::Value, Scope> scopes;
  Workgroup workgroup;
};

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_WHOLEVECTORS_H
