//===- EntryPoints.h - Entry points of tensor functions ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A public function on tensors is called with ordinary host memory. It becomes
// two functions: the entry point, and a private function that operates on
// memory that the device can access. Other functions of the module also call
// the private function.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_FUNCTIONS_ENTRYPOINTS_H
#define AIRCC_PIPELINE_DISPATCH_FUNCTIONS_ENTRYPOINTS_H

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace aircc::dispatch {

/// A public function and the private one that does its work.
struct EntryPoint {
  /// `name` is the name in the program, which callers use. `symbol` is the
  /// symbol of the function that takes host memory, and `device` is that of the
  /// private function.
  mlir::StringAttr name, symbol, device;
  mlir::Location loc;
  /// Describes how the sizes of the results are computed; null for a function
  /// that computes sizes itself.
  air::EntryPointAttr attribute;
  /// The arguments whose memory the private function may overwrite.
  llvm::SmallBitVector donated;
  /// After bufferization: the types of all results, and for each result the
  /// argument in whose memory the private function leaves it, or -1.
  llvm::SmallVector<mlir::Type> results = {};
  llvm::SmallVector<int64_t> donors = {};
};

/// Makes each public function of `functions` that has a body private. All
/// functions with a body get new symbols, because their names may be names of C
/// or runtime functions, such as `memcpy`; uses are updated. The entry point of
/// a program keeps its name, because only the operating system calls it.
llvm::SmallVector<EntryPoint>
separateEntryPoints(mlir::ModuleOp module,
                    llvm::ArrayRef<mlir::func::FuncOp> functions);

/// Creates the public function, after bufferization. It takes the arguments of
/// the private function, followed by its results, as memrefs with identity
/// layout. Results that are not memrefs are written to memrefs of rank 0. The
/// device copies results if it `offloads`.
void createEntryPoint(mlir::ModuleOp module, const EntryPoint &entry,
                      bool offloads);

} // namespace aircc::dispatch

#endif // AIRCC_PIPELINE_DISPATCH_FUNCTIONS_ENTRYPOINTS_H
