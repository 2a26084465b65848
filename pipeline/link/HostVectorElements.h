//===- HostVectorElements.h - Large vectors of host code --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_HOSTVECTORELEMENTS_H
#define AIRCC_PIPELINE_LINK_HOSTVECTORELEMENTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <functional>
#include <optional>

namespace aircc {

/// The large vectors of a host function. Its regions have one block each.
class HostVectors {
public:
  /// Large vectors are those with more than `most` elements.
  HostVectors(mlir::func::FuncOp function, int64_t most)
      : function(function), most(most) {}

  bool isLarge(mlir::Type type) const;
  void run();

private:
  /// Creates the element at these indices.
  using ElementMaker =
      std::function<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;
  /// An op that writes the elements of a vector of this shape.
  struct Writing {
    llvm::SmallVector<int64_t> shape;
    std::function<void(mlir::OpBuilder &, mlir::ValueRange)> write;
  };

  mlir::Value newBuffer(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::VectorType type);
  void fill(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer,
            const ElementMaker &make);
  mlir::Value load(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer,
                   mlir::ValueRange at, mlir::Type type);
  /// Returns the memory of a vector, filled after its definition.
  mlir::Value bufferOf(mlir::Value vector);
  mlir::Value readWhole(mlir::OpBuilder &b, mlir::Value vector);

  /// Returns an element of any vector.
  mlir::Value element(mlir::OpBuilder &b, mlir::Value vector,
                      mlir::ValueRange at);
  /// Returns whether each element of the op's result is an element of an
  /// operand, or is computed from its position, so that no memory is needed.
  static bool isView(mlir::Operation *op);
  mlir::Value elementOfView(mlir::OpBuilder &b, mlir::Value vector,
                            mlir::ValueRange at);
  /// Returns a function that creates the elements of the op's result; null if
  /// the op is not supported.
  ElementMaker computationOf(mlir::Operation *op, mlir::Value mask = {},
                             mlir::Value passThru = {});
  ElementMaker readingOf(mlir::vector::TransferReadOp op, mlir::Value mask);
  ElementMaker productOf(mlir::vector::ContractionOp op, mlir::Value mask);
  ElementMaker reductionOf(mlir::vector::MultiDimReductionOp op,
                           mlir::Value mask);
  ElementMaker reductionOf(mlir::vector::ReductionOp op, mlir::Value mask);
  ElementMaker gatherOf(mlir::vector::GatherOp op, mlir::Value mask);
  ElementMaker elementwiseOf(mlir::Operation *op, mlir::Value mask,
                             mlir::Value passThru);
  std::optional<Writing> writingOf(mlir::Operation *op, mlir::Value mask = {});

  bool concerns(mlir::Operation *op);
  bool rewrite(mlir::Operation *op);
  void rewriteLoop(mlir::scf::ForOp loop);
  void replaceOperands(mlir::Operation *op);
  void processBlock(mlir::Block &block);

  mlir::func::FuncOp function;
  int64_t most;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::SetVector<mlir::Operation *> dead;
  llvm::SmallVector<mlir::memref::AllocOp> allocated;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_HOSTVECTORELEMENTS_H
