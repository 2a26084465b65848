//===- RoundEachOp.cpp - Make emulated float ops round their results ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_ROUNDEACHOP
#include "pipeline/common/Passes.h.inc"
} // namespace aircc

namespace {

struct RoundEachOp : aircc::impl::RoundEachOpBase<RoundEachOp> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto ext = dyn_cast<arith::ExtFOp>(op))
        drop(ext);
      else if (auto trunc = dyn_cast<arith::TruncFOp>(op))
        drop(trunc);
    });
  }

  template <typename CastOp> static void drop(CastOp op) {
    std::optional<arith::FastMathFlags> flags = op.getFastmath();
    if (!flags)
      return;
    auto kept = bitEnumClear(*flags, arith::FastMathFlags::contract);
    if (kept == arith::FastMathFlags::none)
      op.removeFastmathAttr();
    else
      op.setFastmath(kept);
  }
};

} // namespace
