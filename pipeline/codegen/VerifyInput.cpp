//===- VerifyInput.cpp - What earlier stages should have lowered ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "dialects/kernel/Attributions.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_VERIFYINPUT
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// Returns whether some code of the program runs on the device, or will after
/// its mapped loops are outlined.
bool hasKernel(ModuleOp module) {
  auto isKernel = [](Operation *op) {
    return isa<gpu::GPUModuleOp, gpu::BinaryOp, gpu::LaunchOp,
               gpu::LaunchFuncOp>(op) ||
           (isa<scf::ParallelOp>(op) && op->hasAttr("mapping"));
  };
  return module
      .walk([&](Operation *op) {
        return isKernel(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Warns about computations that run on the host although they were probably
/// meant for the device, because they would be slow for no visible reason.
void warnWithoutKernel(ModuleOp module) {
  if (hasKernel(module))
    return;
  module.walk([](Operation *op) {
    if (isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp, linalg::CopyOp>(op))
      op->emitWarning(
          "this op runs on the host, and the program has no kernel; to run the "
          "op on the device, put it into an air.launch, or set the attribute "
          "'air.offload' on it or its function");
    else if (isa<scf::ParallelOp, scf::ForallOp>(op))
      op->emitWarning(
          "this loop runs on the host, and the program has no kernel; to run "
          "the loop on the device, put it into an air.launch or a gpu.launch");
    else
      return WalkResult::advance();
    // One warning is sufficient.
    return WalkResult::interrupt();
  });
}

/// Returns whether the dialect is one that only backends use.
bool isBackendDialect(StringRef name) {
  return name == "llvm" || name == "rocdl" || name == "xevm";
}

/// Lists the parts of the op (name, types, attributes, attributions) that
/// belong to a backend.
std::string describeBackendParts(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator separator;
  auto addAttributes = [&](ArrayRef<NamedAttribute> attributes) {
    for (NamedAttribute attribute : attributes)
      if (StringRef name = attribute.getName();
          isBackendDialect(name.split('.').first))
        os << separator << "attribute '" << name << "'";
  };
  if (isBackendDialect(op->getName().getDialectNamespace()))
    os << separator << "op '" << op->getName() << "'";
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (isBackendDialect(type.getDialect().getNamespace()))
      os << separator << "type '" << type << "'";
  addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  if (auto function = dyn_cast<gpu::GPUFuncOp>(op))
    if (auto attributions = function.getWorkgroupAttribAttrs())
      for (auto attributes : attributions->getAsRange<DictionaryAttr>())
        addAttributes(attributes.getValue());
  return text;
}

/// Rejects sizes of groups of operands or results on ops that have no groups,
/// because conversions copy them to LLVM ops, which misinterpret them as their
/// own and crash.
LogicalResult checkGroupSizes(Operation *op) {
  for (StringRef name : {"operandSegmentSizes", "resultSegmentSizes"})
    if (op->getDiscardableAttr(name))
      return op->emitOpError("cannot have the attribute '")
             << name << "', because its operands and results form no groups";
  return success();
}

LogicalResult checkAlignments(gpu::GPUFuncOp kernel) {
  for (unsigned i = 0, end = kernel.getNumWorkgroupAttributions(); i < end;
       ++i) {
    Attribute given =
        kernel.getWorkgroupAttributionAttr(i, aircc::kernel::kAlignmentAttr);
    auto alignment = dyn_cast_or_null<IntegerAttr>(given);
    if (given && (!alignment || !alignment.getType().isInteger(64) ||
                  !llvm::isPowerOf2_64(alignment.getInt())))
      return kernel.emitOpError("expects '")
             << aircc::kernel::kAlignmentAttr
             << "' to be an i64 that is a power of two, but got " << given;
  }
  return success();
}

LogicalResult checkPortable(Operation *op) {
  std::string parts = describeBackendParts(op);
  if (parts.empty())
    return success();
  return op->emitOpError("depends on a backend before stage 'codegen': ")
         << parts;
}

struct VerifyInput : aircc::impl::VerifyInputBase<VerifyInput> {
  using VerifyInputBase::VerifyInputBase;

  void runOnOperation() override {
    bool failedAny = false;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      failedAny |= failed(checkGroupSizes(op));
      if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op))
        failedAny |= failed(checkAlignments(kernel));
      if (portableKernels && op->getParentOfType<gpu::GPUModuleOp>())
        failedAny |= failed(checkPortable(op));
      // Compare the name, because this stage does not depend on that dialect.
      if (op->getName().getDialectNamespace() != "air")
        return WalkResult::advance();
      op->emitOpError("must be lowered before stage 'codegen'; run stage "
                      "'hierarchy' first");
      failedAny = true;
      return WalkResult::skip();
    });
    if (failedAny)
      return signalPassFailure();
    warnWithoutKernel(getOperation());
  }
};

} // namespace
