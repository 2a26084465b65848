//===- OffloadOps.cpp - Structured ops on memrefs to the device -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"

#include "dialects/air/AIRDialect.h"
#include "dialects/air/AIROps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_OFFLOADOPS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

constexpr StringLiteral kOffloadName =
    air::AIRDialect::OffloadAttrHelper::getNameStr();

/// Returns the product of iteration counts; nullopt if one is unknown.
std::optional<int64_t> multiply(std::optional<int64_t> a,
                                std::optional<int64_t> b) {
  int64_t product = 0;
  if (!a || !b || *b < 0 || llvm::MulOverflow(*a, *b, product))
    return std::nullopt;
  return product;
}

/// Returns how often `op` is executed in each call of its function, as far as
/// loop bounds are constant.
int64_t countExecutions(Operation *op) {
  int64_t count = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    if (std::optional<APInt> trips = loop.getStaticTripCount())
      count = multiply(count, trips->getSExtValue()).value_or(count);
  return count;
}

/// Returns the number of iterations of the op's loops in each call of its
/// function; nullopt if sizes depend on arguments.
std::optional<int64_t> countIterations(linalg::LinalgOp op) {
  std::optional<int64_t> count = countExecutions(op);
  for (int64_t range : op.getStaticLoopRanges())
    count =
        multiply(count, ShapedType::isDynamic(range) ? std::nullopt
                                                     : std::optional(range));
  return count;
}

/// Returns whether the op may be in device code, or is in a kernel.
bool isOnDevice(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return op->hasAttr(kOffloadName) ||
         (function && function->hasAttr(kOffloadName)) ||
         op->getParentOfType<air::HierarchyInterface>() ||
         op->getParentOfType<gpu::LaunchOp>() ||
         op->getParentOfType<gpu::GPUModuleOp>() || dispatch::isInKernel(op);
}

class OffloadOps : public dispatch::impl::OffloadOpsBase<OffloadOps> {
public:
  using Base::Base;

  void runOnOperation() final {
    getOperation().walk([&](Operation *op) {
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      if (structured && structured.hasPureBufferSemantics() &&
          !op->getParentOfType<linalg::LinalgOp>() && !isOnDevice(op))
        return visit(structured);
      if (auto store = dyn_cast<memref::StoreOp>(op))
        visit(store);
    });
  }

private:
  void visit(linalg::LinalgOp op);
  void visit(memref::StoreOp store);
};

void OffloadOps::visit(linalg::LinalgOp op) {
  if (all) {
    op->setAttr(kOffloadName, UnitAttr::get(&getContext()));
    return;
  }
  std::optional<int64_t> count = countIterations(op);
  if (count && *count >= minIterations)
    op->emitRemark("runs on the host, where it takes ")
        << *count
        << " iterations; to run it on the device, set the attribute "
           "'air.offload' on it or its function, or use '--offload=all'";
}

/// Warns of loops that compute element by element in functions on tensors, such
/// as those of `tensor.scatter`. Other loops were written by the user.
void OffloadOps::visit(memref::StoreOp store) {
  auto function = store->getParentOfType<FunctionOpInterface>();
  if (!function || isOnDevice(store) ||
      store->getParentOfType<linalg::LinalgOp>() ||
      !function->hasAttr(
          air::AIRDialect::MergeLaunchesAttrHelper::getNameStr()))
    return;
  int64_t count = countExecutions(store);
  if (count >= minIterations)
    store->emitRemark("is executed ")
        << count
        << " times on the host, because it is in loops over single elements; "
           "to run it on the device, write them as an op on tensors, such as "
           "'linalg.generic'";
}

} // namespace
