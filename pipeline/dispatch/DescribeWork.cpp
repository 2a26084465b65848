//===- DescribeWork.cpp - Describe structured ops for reports -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"

#include "pipeline/common/kernels/Work.h"

#include "dialects/air/TensorFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_DESCRIBEWORK
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

class DescribeWork : public dispatch::impl::DescribeWorkBase<DescribeWork> {
public:
  void runOnOperation() final {
    auto name = air::AIRDialect::WorkAttrHelper::getNameStr();
    auto offload = air::AIRDialect::OffloadAttrHelper::getNameStr();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      bool usesTensors = air::usesTensors(function);
      function.walk([&](linalg::LinalgOp op) {
        if (usesTensors || (op->hasAttr(offload) && !op->hasAttr(name)))
          setWork(op);
      });
    }
  }
};

} // namespace
