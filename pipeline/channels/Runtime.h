//===- Runtime.h - Calls of the runtime from host code ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CHANNELS_RUNTIME_H
#define AIRCC_PIPELINE_CHANNELS_RUNTIME_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace aircc::channels {

/// Builds calls of the functions in runtime-stubs/mgpu/Mgpu.h. A function that
/// the program has declared itself is called by that declaration.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module) : module(module) {}

  /// Calls `name`; the result is null where `result` is. Fails at the program's
  /// own declaration of the function if it has other types.
  mlir::FailureOr<mlir::Value> call(mlir::OpBuilder &b, mlir::Location loc,
                                    llvm::StringRef name, mlir::Type result,
                                    mlir::ValueRange operands);

  /// The address of `text`, ended by a zero byte.
  mlir::Value getString(mlir::OpBuilder &b, mlir::Location loc,
                        llvm::StringRef text);

  /// The rank of this process, as an index.
  mlir::FailureOr<mlir::Value> getRank(mlir::OpBuilder &b, mlir::Location loc);

  /// The base addresses of all heaps: memref<?xindex>, one for each rank of the
  /// world.
  mlir::FailureOr<mlir::Value> getHeapBases(mlir::OpBuilder &b,
                                            mlir::Location loc);

  /// The rank and the heap bases that were made for a kernel, before its
  /// outermost op. See getRankContext.
  llvm::DenseMap<mlir::Operation *, std::pair<mlir::Value, mlir::Value>>
      kernelContexts;

private:
  mlir::ModuleOp module;
};

/// A memref of identity layout whose first element is at `pointer` (!llvm.ptr).
/// `sizes` are those of all dimensions (index).
mlir::Value createMemref(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::MemRefType type, mlir::Value pointer,
                         mlir::ValueRange sizes);

/// Where the aligned pointer of a memref points to: !llvm.ptr. The memref's
/// offset is not in it.
mlir::Value getAlignedPointer(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::Value memref);

/// "name at file:line:column", for messages of the runtime.
std::string describe(mlir::Operation *op);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_RUNTIME_H
