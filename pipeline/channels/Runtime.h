//===- Runtime.h - Calls to the runtime from host code ----------*- C++ -*-===//
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

/// Builds calls to the functions in runtime-stubs/include/aircc/mgpu.h. If the
/// program declares a function, its declaration is used.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module) : module(module) {}

  /// Calls `name`. The returned value is null if `result` is null. Emits an
  /// error at the program's declaration of the function if its type differs.
  mlir::FailureOr<mlir::Value> call(mlir::OpBuilder &b, mlir::Location loc,
                                    llvm::StringRef name, mlir::Type result,
                                    mlir::ValueRange operands);

  /// Returns the address of `text` with a terminating zero byte.
  mlir::Value getString(mlir::OpBuilder &b, mlir::Location loc,
                        llvm::StringRef text);

  /// Returns the rank of this process, as an index.
  mlir::FailureOr<mlir::Value> getRank(mlir::OpBuilder &b, mlir::Location loc);

  /// Returns the base addresses of the heaps of all ranks of the world:
  /// memref<?xindex>.
  mlir::FailureOr<mlir::Value> getHeapBases(mlir::OpBuilder &b,
                                            mlir::Location loc);

  /// The shape of a channel's message rings: their number, the slots of each,
  /// and the lines of a slot.
  struct RingShape {
    int64_t rings, depth, lines;
  };
  /// Returns the addresses at which kernels find the rings of a channel on each
  /// rank, a memref<?xindex>, given the address of this rank's rings, an
  /// !llvm.ptr.
  mlir::FailureOr<mlir::Value> getChannelBases(mlir::OpBuilder &b,
                                               mlir::Location loc,
                                               mlir::Value pointer,
                                               RingShape shape);

  /// The rank and the heap bases, by the outermost kernel op before which they
  /// were computed. See getRankContext.
  llvm::DenseMap<mlir::Operation *, std::pair<mlir::Value, mlir::Value>>
      kernelContexts;

private:
  /// Calls a function that returns one address for each rank of the world.
  mlir::FailureOr<mlir::Value> getTableOfRanks(mlir::OpBuilder &b,
                                               mlir::Location loc,
                                               llvm::StringRef function,
                                               mlir::ValueRange arguments);

  mlir::ModuleOp module;
};

/// Creates a memref with identity layout whose first element is at `pointer`
/// (!llvm.ptr). `sizes` holds the sizes of all dimensions (index).
mlir::Value createMemref(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::MemRefType type, mlir::Value pointer,
                         mlir::ValueRange sizes);

/// Returns the aligned pointer of a memref (!llvm.ptr), without its offset.
mlir::Value getAlignedPointer(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::Value memref);

/// Returns "name at file:line:column", for use in runtime messages.
std::string describe(mlir::Operation *op);

} // namespace aircc::channels

#endif // AIRCC_PIPELINE_CHANNELS_RUNTIME_H
