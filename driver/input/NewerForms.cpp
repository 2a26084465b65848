//===- NewerForms.cpp - Ops in the syntax of a newer MLIR -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/input/NewerForms.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

namespace {
struct NewerOp {
  llvm::StringLiteral name, instead;
};
} // namespace

static constexpr NewerOp newerOps[] = {
    {"xegpu.dpas_mx", "xegpu.dpas, on factors that arith.scaling_extf has "
                      "widened to f16 or bf16"},
    {"xegpu.lane_shuffle", "gpu.shuffle"},
    {"xevm.mma_mx", "xevm.mma, on factors that arith.scaling_extf has widened "
                    "to f16 or bf16"},
    {"xevm.truncf", "arith.truncf"},
    {"xevm.extf", "arith.extf"},
};

void aircc::explainNewerOp(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  std::string text = diagnostic.str();
  for (const NewerOp &op : newerOps)
    if (StringRef(text).contains(("'" + op.name + "'").str()))
      diagnostic.attachNote() << "'" << op.name
                              << "' is an op of MLIR 23, and this is MLIR 22: "
                                 "use "
                              << op.instead;
}

/// Converts loads of several adjacent blocks: MLIR 23 stacks their rows in one
/// dimension, whereas MLIR 22 has a block dimension.
static void separateBlocks(xegpu::LoadNdOp load) {
  // The op has not been verified, so use nothing but its name.
  Operation *op = load;
  if (op->getNumOperands() == 0 || op->getNumResults() != 1)
    return;
  auto desc = dyn_cast<xegpu::TensorDescType>(op->getOperand(0).getType());
  auto result = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!desc || !result || desc.getRank() != 2)
    return;
  auto block = desc.getEncodingOfType<xegpu::BlockTensorDescAttr>();
  int64_t count = block ? block.getArrayLength().getInt() : 1;
  // The last dimension consists of packed rows.
  int64_t rank = load.getPacked() ? 3 : 2;
  if (count <= 1 || result.getRank() != rank ||
      result.getDimSize(0) % count != 0 ||
      result.getNumElements() !=
          count * desc.getDimSize(0) * desc.getDimSize(1))
    return;
  SmallVector<int64_t> shape(result.getShape());
  shape.front() /= count;
  shape.insert(shape.begin(), count);
  op->getResult(0).setType(VectorType::get(shape, result.getElementType()));
  // The program may have no other op of this dialect.
  op->getContext()->loadDialect<vector::VectorDialect>();
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  auto stacked =
      vector::ShapeCastOp::create(b, op->getLoc(), result, op->getResult(0));
  op->getResult(0).replaceAllUsesExcept(stacked, stacked);
}

void aircc::rewriteNewerForms(Operation *root) {
  SmallVector<xegpu::LoadNdOp> loads;
  root->walk([&](xegpu::LoadNdOp load) { loads.push_back(load); });
  llvm::for_each(loads, separateBlocks);
}
