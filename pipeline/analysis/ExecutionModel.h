//===- ExecutionModel.h - Which workers execute an op -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The code of a segment is one program for the workgroup, the code of a herd is
// one program for each wave, and code with lane ops is a program for each lane.
// While the passes of stage hierarchy lower the first two kinds to the third,
// they keep the ops of a kernel and use these properties of each op:
//
//   scope   the program that an op belongs to; the attribute `kernel.scope`
//           on the kernel and on each herd determines it;
//   role    how the workers of the scope (the threads of the workgroup, or
//           the lanes of a wave) execute the op.
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

// The program that an op belongs to; see the kernel dialect.
using kernel::Scope;
using kernel::stringifyScope;

/// Returns the scope of `op`, from the innermost enclosing op with
/// `kernel.scope`; Lane if there is none (a kernel written for lanes).
Scope getScope(mlir::Operation *op);
/// Sets the scope of the op's regions.
void setScope(mlir::Operation *op, Scope scope);

/// Returns true if the meaning of `op` depends on lanes. This holds for thread
/// and lane ids, shuffles, matrix instructions and all other ops of a
/// target-specific dialect.
bool namesLanes(mlir::Operation *op);
/// Returns true if `test` holds for `root`, for an op below it, or for an op in
/// a function called there. Herds below `root` are visited only if `intoHerds`
/// is set.
bool codeHolds(mlir::Operation *root, bool intoHerds,
               llvm::function_ref<bool(mlir::Operation *)> test);
/// Returns true if code below `root`, or in functions that it calls, names
/// lanes. Herds below `root` are not visited, but `root` may be one.
bool codeNamesLanes(mlir::Operation *root);

/// How the workers of a scope execute an op.
enum class Role {
  /// No worker executes it: terminators, deallocations.
  Nothing,
  /// Every worker executes it with the same result. This is the role of pure
  /// ops and reads.
  AllWorkers,
  /// Each lane executes it separately, as written or after lowering.
  EachLane,
  /// The workers divide the work of transfers and parallel loops.
  Distributed,
  /// One worker executes it.
  SingleWorker,
  /// A herd.
  Herd,
  /// A barrier of the whole workgroup.
  Barrier,
  /// All workers execute the control flow; the ops in the regions have roles of
  /// their own.
  ControlFlow,
};

/// Returns the role of `op` in its scope.
Role getRole(mlir::Operation *op);

/// Returns the scope whose workers share an op of Role::Distributed or elect
/// the worker of Role::SingleWorker: the op's scope or, in a segment, the waves
/// or lanes if the op writes their private buffers.
Scope getWorkScope(mlir::Operation *op);

/// Calls `visit` for each op with a role, in program order. Descends into
/// Role::ControlFlow and, if `intoHerds` is set, into herds after visiting the
/// herd itself.
void forEachPart(mlir::Region &region, bool intoHerds,
                 llvm::function_ref<void(mlir::Operation *, Role)> visit);

/// Returns the kernels of a module that are not yet lane code.
llvm::SmallVector<mlir::gpu::GPUFuncOp>
getUnfinishedKernels(mlir::gpu::GPUModuleOp module);

/// Returns the number of lanes in a workgroup of the kernel around `op`, if it
/// is known.
std::optional<int64_t> getKnownWorkgroupLanes(mlir::Operation *op);

/// Returns true if the workgroup around `op` is known to consist of whole
/// waves, so that no wave has missing lanes.
bool hasWholeWaves(mlir::Operation *op, int64_t waveSize);

/// Returns true if the iterations of a loop are to be distributed over the
/// workers.
bool isSharedLoop(mlir::Operation *op);

/// Returns true if code below `op` writes several kinds of buffers: those of
/// the workgroup or in L3, those of waves, and those of lanes. Different
/// workers write each kind.
bool writesSeveralKinds(mlir::Operation *op);

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_EXECUTIONMODEL_H
