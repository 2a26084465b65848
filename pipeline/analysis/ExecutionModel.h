//===- ExecutionModel.h - Who runs which op of a kernel ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code of a segment is one program for the workgroup, code of a herd one
// program for each wave, and code that names lanes is a program for each lane.
// On the way from the first two to the third, the passes of stage hierarchy
// keep the ops of a kernel as they were written and agree here on what each of
// them is:
//
//   scope   whose program an op belongs to: `kernel.scope` on the kernel and on
//           each herd says it;
//   role    how the workers of the scope (the workgroup's threads, or the lanes
//           of a wave) carry the op out.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_EXECUTIONMODEL_H
#define AIRCC_PIPELINE_ANALYSIS_EXECUTIONMODEL_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace aircc {

// Whose program an op belongs to: see the description of the kernel dialect.
using kernel::Scope;
using kernel::stringifyScope;

/// The scope that `op` lies in, from the innermost enclosing op that says it;
/// Lane where none does (a kernel that was written as one).
Scope getScope(mlir::Operation *op);
/// The scope that the op's own regions have.
void setScope(mlir::Operation *op, Scope scope);

/// True if `op` itself cannot be understood without lanes: thread and lane ids,
/// shuffles, matrix instructions and whatever else a target's dialect has.
bool namesLanes(mlir::Operation *op);
/// True if `test` holds for `root`, an op below it, or one in a function that
/// is called from there. Herds below `root` are looked into only on request.
bool codeHolds(mlir::Operation *root, bool intoHerds,
               llvm::function_ref<bool(mlir::Operation *)> test);
/// True if code below `root` names lanes, in it or in a function that it calls.
/// Herds below `root` do not count, but `root` itself may be one.
bool codeNamesLanes(mlir::Operation *root);

/// How the workers of a scope carry out an op.
enum class Role {
  /// Nothing to do for anyone: terminators, deallocations.
  Nothing,
  /// Every worker, and all come to the same: pure ops and reads.
  Everyone,
  /// Each lane does its own: it was written so, or made so.
  EachLane,
  /// The workers share the work: transfers and parallel loops.
  Shared,
  /// One worker does it.
  Leader,
  /// A herd.
  Herd,
  /// A barrier of the whole workgroup.
  Barrier,
  /// All workers run the op's control flow, and its regions are looked into.
  Structure,
};

/// The role of `op` in the scope it lies in.
Role getRole(mlir::Operation *op);

/// Who shares an op of Role::Shared or leads one of Role::Leader: the op's
/// scope, but in a segment the waves or lanes where the op writes what is
/// theirs.
Scope getWorkScope(mlir::Operation *op);

/// Calls `visit` for each op that has a role of its own, in program order: into
/// Role::Structure, and, if `intoHerds`, into herds, after the op itself.
void forEachPart(mlir::Region &region, bool intoHerds,
                 llvm::function_ref<void(mlir::Operation *, Role)> visit);

/// The kernels of a module that are not code of lanes yet.
llvm::SmallVector<mlir::gpu::GPUFuncOp>
getUnfinishedKernels(mlir::gpu::GPUModuleOp module);

/// The lanes in a workgroup of the kernel around `op`, where that is stated.
std::optional<int64_t> getKnownWorkgroupLanes(mlir::Operation *op);

/// True if a loop's iterations are to be shared out among the workers.
bool isSharedLoop(mlir::Operation *op);

/// True if code below `op` writes buffers of more than one kind: those of the
/// workgroup or in L3, those of waves, those of lanes. Each has its workers.
bool writesSeveralKinds(mlir::Operation *op);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_EXECUTIONMODEL_H
