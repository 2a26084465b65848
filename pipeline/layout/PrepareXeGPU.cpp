//===- PrepareXeGPU.cpp - Normalization of XeGPU programs -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/Passes.h"

#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/common/PassTarget.h"
#include "pipeline/layout/UnfoldDescriptors.h"
#include "pipeline/layout/XeGPUForms.h"
#include "pipeline/layout/XeGPUOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace aircc::layout {

#define GEN_PASS_DEF_PREPAREXEGPU
#include "pipeline/layout/Passes.h.inc"

static bool isXeGPU(Operation *op) {
  return isa_and_nonnull<xegpu::XeGPUDialect>(op->getDialect());
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

/// Moves the anchor `anchor` of `op` from the other places where it can be
/// written to its attribute.
static LogicalResult unifyAnchor(Operation *op, const XeGPUAnchor &anchor) {
  auto current = anchor.getLayout(op);
  auto take = [&](Attribute layout, const Twine &where) -> LogicalResult {
    if (!layout)
      return success();
    if (current && current != layout)
      return op->emitOpError("has the ")
             << anchor.name << " " << current << ", but " << where << " "
             << layout << "; omit one of them";
    current = dyn_cast<xegpu::DistributeLayoutAttr>(layout);
    if (!current)
      return op->emitOpError("requires an XeGPU layout, but ")
             << where << " " << layout;
    op->setAttr(anchor.name, current);
    return success();
  };
  std::string old = ("anchor_" + anchor.name).str();
  std::string temporary = "layout_result_0";
  if (failed(take(op->getAttr(old), "'" + old + "' is")) ||
      failed(take(anchor.value && anchor.value.getDefiningOp() == op
                      ? op->getAttr(temporary)
                      : Attribute(),
                  "'" + temporary + "' is")))
    return failure();
  op->removeAttr(old);
  op->removeAttr(temporary);
  for (Value operand : op->getOperands())
    if (auto desc = dyn_cast<xegpu::TensorDescType>(operand.getType()))
      if (failed(take(desc.getLayout(), "its descriptor's layout is")))
        return failure();
  return success();
}

/// Replaces `value` with a value that has `layout`, in `use` or, if that is
/// null, in all uses.
static void pin(Value value, xegpu::DistributeLayoutAttr layout,
                OpOperand *use) {
  OpBuilder builder(value.getContext());
  if (use)
    builder.setInsertionPoint(use->getOwner());
  else
    builder.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  auto type = cast<VectorType>(value.getType());
  // xegpu.convert_layout does not support vectors of indices, so cast them to
  // i64.
  bool isIndex = type.getElementType().isIndex();
  Value source = value;
  Operation *first = nullptr;
  if (isIndex) {
    source = arith::IndexCastOp::create(
        builder, loc, type.clone(builder.getI64Type()), value);
    first = source.getDefiningOp();
  }
  Value pinned = xegpu::ConvertLayoutOp::create(builder, loc, source.getType(),
                                                source, layout, layout);
  if (!first)
    first = pinned.getDefiningOp();
  if (isIndex)
    pinned = arith::IndexCastOp::create(builder, loc, type, pinned);
  if (use)
    return use->set(pinned);
  value.replaceAllUsesExcept(pinned, first);
}

/// Applies layouts that are specified for the operands and results of `op`.
static LogicalResult pinVectors(Operation *op) {
  SmallVector<std::pair<NamedAttribute, xegpu::DistributeLayoutAttr>> layouts;
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    auto layout = dyn_cast<xegpu::DistributeLayoutAttr>(attribute.getValue());
    StringRef name = attribute.getName();
    if (layout && (name.starts_with("layout_result_") ||
                   name.starts_with("layout_operand_")))
      layouts.emplace_back(attribute, layout);
  }
  for (auto [attribute, layout] : layouts) {
    StringRef name = attribute.getName();
    bool isResult = name.consume_front("layout_result_");
    if (!isResult)
      name.consume_front("layout_operand_");
    unsigned number = 0;
    if (name.getAsInteger(10, number) ||
        number >= (isResult ? op->getNumResults() : op->getNumOperands()))
      return op->emitOpError("has the attribute '")
             << attribute.getName().getValue() << "', but it has no such "
             << (isResult ? "result" : "operand");
    Value value =
        isResult ? Value(op->getResult(number)) : op->getOperand(number);
    op->removeAttr(attribute.getName());
    if (!isa<VectorType>(value.getType()))
      continue; // All lanes have scalars and descriptors.
    pin(value, layout, isResult ? nullptr : &op->getOpOperand(number));
  }
  return success();
}

/// A conversion fixes the layout of its source and that of its result, so
/// replace it with two pins.
static void splitConversion(xegpu::ConvertLayoutOp convert) {
  xegpu::DistributeLayoutAttr target = convert.getTargetLayout();
  if (convert.getInputLayout() == target)
    return;
  pin(convert.getSource(), convert.getInputLayout(),
      &convert.getSourceMutable());
  convert.setInputLayoutAttr(target);
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

namespace {
/// The properties of a kernel that determine its level.
struct Signs {
  bool whole = false;    ///< Whether it has undistributed vectors of XeGPU.
  bool lanes = false;    ///< Whether it has single lanes' parts of tiles.
  bool fetches = false;  ///< Whether it has prefetches, which have no vector.
  bool layouts = false;  ///< Whether it has layouts.
  int64_t subgroups = 0; ///< The number of subgroups of the layouts.
  /// Whether it behaves differently in different subgroups.
  bool dependsOnSubgroupId = false;
};
} // namespace

static Signs readSigns(gpu::GPUFuncOp function) {
  Signs signs;
  auto see = [&](Attribute attribute) {
    auto layout = dyn_cast_or_null<xegpu::DistributeLayoutAttr>(attribute);
    if (!layout)
      return;
    if (auto slice = dyn_cast<xegpu::SliceAttr>(layout))
      layout = cast<xegpu::LayoutAttr>(slice.flatten().getParent());
    signs.layouts = true;
    if (layout.isForWorkgroup())
      signs.subgroups = std::max(signs.subgroups, layout.getNumSubgroups());
  };
  function.walk([&](Operation *op) {
    signs.dependsOnSubgroupId |=
        isa<gpu::SubgroupIdOp, gpu::ThreadIdOp, gpu::GlobalIdOp>(op);
    signs.whole |= isUndistributedXeGPUOp(op);
    signs.fetches |= isa<xegpu::PrefetchNdOp>(op);
    signs.lanes |= isa<xegpu::LoadNdOp, xegpu::StoreNdOp, xegpu::DpasOp,
                       xegpu::LoadGatherOp, xegpu::StoreScatterOp>(op) &&
                   !isUndistributedXeGPUOp(op);
    for (const XeGPUAnchor &anchor : getXeGPUAnchors(op))
      see(anchor.getLayout(op));
    if (auto convert = dyn_cast<xegpu::ConvertLayoutOp>(op))
      see(convert.getInputLayout());
    for (Type type : op->getOperandTypes())
      if (auto desc = dyn_cast<xegpu::TensorDescType>(type))
        see(desc.getLayout());
  });
  // If there are only prefetches, they access complete tiles.
  signs.whole |= signs.fetches && !signs.lanes;
  return signs;
}

/// Returns the scope of the vectors of `function`. Fails after an error if it
/// cannot be determined.
static FailureOr<Scope> findScope(gpu::GPUFuncOp function, const Signs &signs,
                                  int64_t lanes) {
  if (std::optional<Scope> written = layout::getScope(function))
    return *written;
  if (signs.subgroups > 0)
    return Scope::Workgroup;
  // Code of workgroup scope does not depend on the thread.
  if (signs.layouts || signs.dependsOnSubgroupId)
    return Scope::Wave;
  auto size = function.getKnownBlockSizeAttr();
  if (!size)
    return function.emitError(
        "must specify the scope of the vectors of its XeGPU ops; write layouts "
        "with sg_layout (workgroup) or without it (subgroup), or set "
        "known_block_size or layout.scope = #layout.scope<workgroup> or "
        "#layout.scope<wave> on the function");
  int64_t threads = 1;
  for (int32_t extent : size.asArrayRef())
    threads *= extent;
  return threads > lanes ? Scope::Workgroup : Scope::Wave;
}

/// Returns the block size on which all launches of `kernel` agree.
static std::optional<SmallVector<int32_t>>
getLaunchedSize(gpu::GPUFuncOp kernel, ModuleOp module) {
  std::optional<SmallVector<int32_t>> found;
  bool agree = true;
  module.walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelName() != kernel.getName() ||
        launch.getKernelModuleName() !=
            kernel->getParentOfType<gpu::GPUModuleOp>().getName())
      return;
    gpu::KernelDim3 size = launch.getBlockSizeOperandValues();
    SmallVector<int32_t> here;
    for (Value extent : {size.x, size.y, size.z})
      here.push_back(getConstantIntValue(extent).value_or(0));
    agree &= !llvm::is_contained(here, 0) && (!found || *found == here);
    found = here;
  });
  return agree ? found : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

class PrepareXeGPU : public impl::PrepareXeGPUBase<PrepareXeGPU> {
public:
  using PrepareXeGPUBase::PrepareXeGPUBase;

  void setTarget(std::shared_ptr<const TargetProfile> profile) {
    passTarget = PassTarget(std::move(profile));
    this->target = passTarget.getOption();
  }

private:
  void runOnOperation() final {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      for (auto function : module.getOps<gpu::GPUFuncOp>())
        if (failed(run(function)))
          return signalPassFailure();
  }
  LogicalResult run(gpu::GPUFuncOp function);
  LogicalResult unifyAnchors(gpu::GPUFuncOp function);

  PassTarget passTarget;
};

} // namespace

LogicalResult PrepareXeGPU::unifyAnchors(gpu::GPUFuncOp function) {
  SmallVector<Operation *> all;
  function.walk([&](Operation *op) { all.push_back(op); });
  for (Operation *op : all) {
    SmallVector<XeGPUAnchor> anchors = getXeGPUAnchors(op);
    if (auto convert = dyn_cast<xegpu::ConvertLayoutOp>(op)) {
      splitConversion(convert);
      continue;
    }
    // Per-lane code has already been distributed.
    if (!anchors.empty() && !isUndistributedXeGPUOp(op) &&
        !isa<xegpu::PrefetchNdOp>(op))
      continue;
    for (const XeGPUAnchor &anchor : anchors) {
      if (failed(unifyAnchor(op, anchor)))
        return failure();
      if (remarks && anchor.getLayout(op))
        op->emitRemark("anchor: the user's ")
            << anchor.name << ", " << anchor.getLayout(op);
    }
    if (failed(pinVectors(op)))
      return failure();
  }
  return success();
}

LogicalResult PrepareXeGPU::run(gpu::GPUFuncOp function) {
  bool found = false;
  function.walk(
      [&](Operation *op) { found |= isXeGPU(op) && !isa<xegpu::FenceOp>(op); });
  if (!found)
    return success();
  const TargetProfile *profile =
      passTarget.get(getArgument(), target, function);
  if (!profile)
    return failure();
  auto takeLaunchedSize = [&] {
    if (!function.getKnownBlockSizeAttr())
      if (auto size = getLaunchedSize(function, getOperation()))
        function.setKnownBlockSize(*size);
  };
  if (hasNamedBarriers(function)) {
    takeLaunchedSize();
    if (failed(lowerNamedBarriers(function, profile->waveSize)))
      return failure();
  }
  if (failed(unifyAnchors(function)))
    return failure();
  unpackFactors(function);
  Signs signs = readSigns(function);
  if (!signs.whole)
    return failure(failed(unfoldDescriptors(function)) ||
                   failed(splitLaneBlocks(function, profile->waveSize)));
  copyVectorArguments(function);
  takeLaunchedSize();
  FailureOr<Scope> scope = findScope(function, signs, profile->waveSize);
  if (failed(scope))
    return failure();
  // Layouts specify all subgroups of the workgroup.
  if (!function.getKnownBlockSizeAttr() && signs.subgroups > 0)
    function.setKnownBlockSize(ArrayRef<int32_t>{
        static_cast<int32_t>(signs.subgroups * profile->waveSize), 1, 1});

  auto tag = ScopeAttr::get(&getContext(), *scope);
  function.walk([&](Operation *op) {
    // A prefetch has the level of the rest of the code.
    if ((isUndistributedXeGPUOp(op) ||
         isa<xegpu::PrefetchNdOp, xegpu::CreateDescOp>(op)) &&
        !layout::getScope(op))
      op->setAttr(LayoutDialect::ScopeAttrHelper::getNameStr(), tag);
  });
  return unfoldDescriptors(function);
}

std::unique_ptr<Pass>
createPrepareXeGPU(std::shared_ptr<const TargetProfile> profile, bool remarks) {
  auto pass = std::make_unique<PrepareXeGPU>(PrepareXeGPUOptions{"", remarks});
  pass->setTarget(std::move(profile));
  return pass;
}

} // namespace aircc::layout
