//===- DirectMatmul.cpp - Products straight from memory -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave reads the rows and columns that it multiplies into registers, in the
// layout of the matrix instruction. Several waves read the same ones; the cache
// has them by then. There is no LDS and no barrier, so waves need not wait for
// each other.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/MatmulKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

class DirectMatmul : public MatmulKernelBuilder {
public:
  using MatmulKernelBuilder::MatmulKernelBuilder;

protected:
  Value createLoop(const Operand &lhs, const Operand &rhs, Value sums) final {
    auto loop = scf::ForOp::create(b, loc, constant(0), getSizeOf(matmul.a, 1),
                                   constant(tiling.tileK), ValueRange{sums});
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    Value tileA = readTile(lhs, k, lhs.staging.operand);
    Value tileB = readTile(rhs, k, rhs.staging.operand);
    Value next = multiply(tileA, tileB, loop.getRegionIterArgs()[0]);
    scf::YieldOp::create(b, loc, next);
    return loop.getResult(0);
  }
};

} // namespace

std::unique_ptr<MatmulKernelBuilder>
aircc::hierarchy::createDirectMatmul(OpBuilder &b, const Matmul &matmul,
                                     const MatmulTiling &tiling,
                                     const MatmulProblem &problem) {
  return std::make_unique<DirectMatmul>(b, matmul, tiling, problem);
}
