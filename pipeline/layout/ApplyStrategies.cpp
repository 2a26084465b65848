//===- ApplyStrategies.cpp - Layouts of kernels with chosen tiles ---------===//
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
#include "pipeline/layout/MatrixOp.h"
#include "pipeline/strategy/MatmulTiling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"

using namespace mlir;

namespace aircc::layout {

#define GEN_PASS_DEF_APPLYSTRATEGIES
#include "pipeline/layout/Passes.h.inc"

static std::string getTypeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(type);
  return name;
}

static int64_t getBits(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

/// Returns the operand that initializes a loop-carried argument.
static OpOperand *getInit(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : nullptr;
  return loop ? loop.getTiedLoopInit(argument) : nullptr;
}

/// Returns the read of factor `operand`, which may be in the previous iteration
/// and have another shape or order.
static vector::TransferReadOp findRead(Value operand) {
  while (OpOperand *init = getInit(operand))
    operand = init->get();
  while (isa_and_nonnull<vector::ShapeCastOp, vector::TransposeOp,
                         vector::BitCastOp>(operand.getDefiningOp())) {
    operand = operand.getDefiningOp()->getOperand(0);
    while (OpOperand *init = getInit(operand))
      operand = init->get();
  }
  return operand.getDefiningOp<vector::TransferReadOp>();
}

/// Returns the parameters of the layouts of `contract`. Fails after an error at
/// the op.
static FailureOr<strategy::MatmulSpec> getSpec(vector::ContractionOp contract,
                                               ContractionStrategyAttr attr,
                                               const TargetProfile &profile) {
  using Dims = SmallVector<int64_t>;
  std::optional<strategy::ContractionShape> shape;
  if (std::optional<MatrixOp> op = MatrixOp::get(contract))
    shape = getContractionShape(*op);
  auto isMatrix = [&](unsigned operand, int64_t first, int64_t last) {
    return shape->dims[operand] == Dims{first, last};
  };
  bool isMatmul =
      shape && shape->bounds.size() == 3 && isMatrix(2, shape->m, shape->n);
  if (!isMatmul)
    return contract.emitOpError("has a strategy, but is not a product of two "
                                "matrices with a single reduction dimension");
  const MatrixInstruction *instruction =
      strategy::findMatrixInstruction(profile, attr.getInstruction());
  if (!instruction || instruction->isScaled())
    return contract.emitOpError("names the matrix instruction '")
           << attr.getInstruction() << "', which " << profile.name
           << " does not have";
  strategy::MatrixTypes types{getTypeName(contract.getLhsType()),
                              getTypeName(contract.getRhsType()),
                              getTypeName(contract.getAccType())};
  strategy::MatrixTypes own{instruction->a.type, instruction->b.type,
                            instruction->c.type};
  if (types.str() != own.str())
    return contract.emitOpError("multiplies ")
           << types.str() << ", but its matrix instruction '"
           << instruction->name << "' multiplies " << own.str();
  strategy::MatmulSpec spec;
  spec.instruction = instruction;
  spec.tileM = shape->bounds[shape->m];
  spec.tileN = shape->bounds[shape->n];
  spec.tileK = shape->bounds[shape->k];
  spec.wavesM = attr.getWavesM();
  spec.wavesN = attr.getWavesN();
  spec.a = {types.a, getBits(contract.getLhsType()),
            isMatrix(0, shape->m, shape->k)};
  spec.b = {types.b, getBits(contract.getRhsType()),
            isMatrix(1, shape->n, shape->k)};
  spec.isStaged = attr.getPath() != OperandPath::Direct;
  spec.transposesB = attr.getPath() == OperandPath::Transposed;
  spec.transposesA = attr.getPath() == OperandPath::LeftTransposed;
  spec.keepsB = spec.transposesA || attr.getPath() == OperandPath::LeftStaged;
  // The rows of buffers along K determine the depth of tiles that are read in
  // parts.
  auto setDepth = [&](Value operand, bool alongK) {
    if (vector::TransferReadOp read = findRead(operand); read && alongK)
      spec.stagedK = ShapedType::getNumElements(
          cast<ShapedType>(read.getBase().getType()).getShape().drop_front());
  };
  setDepth(contract.getLhs(), spec.a.alongK);
  if (!spec.keepsB)
    setDepth(contract.getRhs(), spec.b.alongK);
  return spec;
}

/// Fixes the layout of `operand` at the op that uses it.
static void anchor(OpOperand &operand, const NestedLayout &layout) {
  Operation *user = operand.getOwner();
  OpBuilder b(user);
  operand.set(
      ToLayoutOp::create(b, user->getLoc(), operand.get(),
                         NestedLayoutAttr::get(b.getContext(), layout)));
}

/// Fixes the layout of an operand of the contraction, also where it enters the
/// loops around the contraction or the next iteration, so that it is read in
/// that layout instead of being converted.
static void anchorCarried(OpOperand &operand, const NestedLayout &layout) {
  Value value = operand.get();
  anchor(operand, layout);
  while (OpOperand *init = getInit(value)) {
    auto loop = cast<scf::ForOp>(init->getOwner());
    OpOperand *next = loop.getTiedLoopYieldedValue(cast<BlockArgument>(value));
    if (next->get().getDefiningOp<vector::TransferReadOp>())
      anchor(*next, layout);
    value = init->get();
    anchor(*init, layout);
  }
}

/// Fixes the layout of a factor of a scaled contraction, and that of the
/// elements in memory that hold its numbers.
static void anchorFactor(OpOperand &operand, const NestedLayout &layout,
                         const strategy::MatmulOperand &factor) {
  auto cast = operand.get().getDefiningOp<vector::BitCastOp>();
  if (!cast)
    return anchorCarried(operand, layout);
  anchor(operand, layout);
  anchorCarried(cast->getOpOperand(0), strategy::packLayout(layout, factor));
}

/// Swizzles the LDS buffer from which factor `operand` is read.
static LogicalResult swizzle(Operation *contract, Value operand,
                             const char *name,
                             const strategy::LdsSwizzle &swizzle) {
  vector::TransferReadOp read = findRead(operand);
  auto type = read ? dyn_cast<MemRefType>(read.getBase().getType()) : nullptr;
  if (!type || !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return contract->emitOpError("has a strategy for operands in LDS, but its ")
           << name << " is not read from LDS";
  Value buffer = read.getBase();
  auto attr =
      XorShuffleAttr::get(contract->getContext(), swizzle.row, swizzle.access,
                          swizzle.phases, swizzle.group);
  if (auto hint = buffer.getDefiningOp<SwizzleHintOp>()) {
    if (hint.getSwizzle() == attr)
      return success();
    InFlightDiagnostic error = contract->emitOpError("requires the swizzle ")
                               << attr << " for the buffer of its " << name
                               << ", but that has " << hint.getSwizzle();
    error.attachNote(hint.getLoc()) << "the buffer is swizzled here";
    return error;
  }
  OpBuilder b(contract->getContext());
  b.setInsertionPointAfterValue(buffer);
  auto hint = SwizzleHintOp::create(b, contract->getLoc(), buffer, attr);
  buffer.replaceAllUsesExcept(hint, hint);
  return success();
}

static LogicalResult apply(vector::ContractionOp contract,
                           ContractionStrategyAttr attr,
                           const TargetProfile &profile) {
  FailureOr<strategy::MatmulSpec> spec = getSpec(contract, attr, profile);
  if (failed(spec))
    return failure();
  Result<strategy::MatmulLayouts> layouts =
      strategy::getMatmulLayouts(*spec, profile);
  if (!layouts)
    return contract.emitOpError("cannot be computed with its strategy: ")
           << layouts.message();
  if (spec->isStaged && failed(swizzle(contract, contract.getLhs(),
                                       "left operand", layouts->swizzleA)))
    return failure();
  if (spec->isStaged && !spec->keepsB &&
      failed(swizzle(contract, contract.getRhs(), "right operand",
                     layouts->swizzleB)))
    return failure();
  anchorCarried(contract.getLhsMutable(), layouts->a);
  anchorCarried(contract.getRhsMutable(), layouts->b);
  anchorCarried(contract.getAccMutable(), layouts->c);
  contract->setAttr(
      LayoutDialect::MatrixInstructionAttrHelper::getNameStr(),
      StringAttr::get(contract.getContext(), attr.getInstruction()));
  return success();
}

static LogicalResult apply(ScaledContractOp contract,
                           ContractionStrategyAttr attr,
                           const TargetProfile &profile) {
  const MatrixInstruction *instruction =
      strategy::findMatrixInstruction(profile, attr.getInstruction());
  if (!instruction || !instruction->isScaled())
    return contract.emitOpError("names the matrix instruction '")
           << attr.getInstruction() << "', which " << profile.name
           << " does not have, or which takes no scales";
  strategy::MatmulSpec spec;
  spec.instruction = instruction;
  spec.tileM = contract.getLhs().getType().getDimSize(0);
  spec.tileN = contract.getRhs().getType().getDimSize(0);
  spec.tileK = contract.getLhs().getType().getDimSize(1);
  spec.wavesM = attr.getWavesM();
  spec.wavesN = attr.getWavesN();
  spec.a = {getTypeName(contract.getLhs().getType()),
            getBits(contract.getLhs().getType()), /*alongK=*/true};
  spec.b = {getTypeName(contract.getRhs().getType()),
            getBits(contract.getRhs().getType()), /*alongK=*/true};
  spec.isStaged = attr.getPath() == OperandPath::Staged;
  spec.scaleBlock = instruction->getScaleBlock();
  if (vector::TransferReadOp read = findRead(contract.getLhs()))
    spec.stagedK =
        cast<ShapedType>(read.getBase().getType()).getShape().back() *
        spec.a.getPacking();
  Result<strategy::MatmulLayouts> layouts =
      strategy::getMatmulLayouts(spec, profile);
  if (!layouts)
    return contract.emitOpError("cannot be computed with its strategy: ")
           << layouts.message();
  if (spec.isStaged && (failed(swizzle(contract, contract.getLhs(),
                                       "left operand", layouts->swizzleA)) ||
                        failed(swizzle(contract, contract.getRhs(),
                                       "right operand", layouts->swizzleB))))
    return failure();
  anchorFactor(contract.getLhsMutable(), layouts->a, spec.a);
  anchorFactor(contract.getRhsMutable(), layouts->b, spec.b);
  anchorCarried(contract.getLhsScalesMutable(), layouts->scalesA);
  anchorCarried(contract.getRhsScalesMutable(), layouts->scalesB);
  anchorCarried(contract.getAccMutable(), layouts->c);
  contract->setAttr(
      LayoutDialect::MatrixInstructionAttrHelper::getNameStr(),
      StringAttr::get(contract.getContext(), attr.getInstruction()));
  return success();
}

/// Fixes the layout of the tile that `op` reads or computes.
static LogicalResult apply(Operation *op, TileTransferAttr attr,
                           const TargetProfile &profile) {
  auto type = cast<VectorType>(op->getResult(0).getType());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t bits = getBits(type);
  if (!bits || type.isScalable())
    return op->emitOpError("has a strategy, but does not copy numeric elements "
                           "whose count is known at compile time");
  Ints sizes(shape.begin(), shape.end());
  Result<strategy::TileCopy> copy =
      attr.getTransposed()
          ? strategy::getTransposingCopy(sizes, bits, attr.getWaves(), profile,
                                         /*isNarrow=*/true)
      : attr.getGathered()
          ? strategy::getGatheringCopy(sizes, bits, attr.getWaves(), profile)
          : strategy::getTileCopy(sizes, bits, attr.getWaves(), profile);
  if (!copy)
    return op->emitOpError("cannot be copied with its strategy: ")
           << copy.message();
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  auto fixed =
      ToLayoutOp::create(b, op->getLoc(), op->getResult(0),
                         NestedLayoutAttr::get(b.getContext(), copy->layout));
  op->getResult(0).replaceAllUsesExcept(fixed, fixed);
  return success();
}

static LogicalResult apply(xegpu::PrefetchNdOp prefetch,
                           TileTransferAttr attr) {
  ArrayRef<int64_t> shape = prefetch.getTensorDescType().getShape();
  std::optional<Ints> block;
  if (shape.size() == 2)
    block = strategy::getPrefetchBlock(
        Ints(shape.begin(), shape.end()),
        getBits(prefetch.getTensorDescType().getElementType()),
        attr.getWaves());
  if (!block)
    return prefetch.emitOpError("cannot be split into a block for each of ")
           << attr.getWaves() << " waves";
  MLIRContext *context = prefetch.getContext();
  auto toAttr = [&](int64_t x, int64_t y) {
    return DenseI32ArrayAttr::get(
        context, {static_cast<int32_t>(x), static_cast<int32_t>(y)});
  };
  DenseI32ArrayAttr none;
  prefetch.setLayoutAttr(xegpu::LayoutAttr::get(
      context, toAttr(shape[0] / (*block)[0], shape[1] / (*block)[1]),
      toAttr((*block)[0], (*block)[1]), /*inst_data=*/none,
      /*lane_layout=*/none, /*lane_data=*/none, /*order=*/none));
  return success();
}

namespace {

class ApplyStrategies
    : public TargetedPass<impl::ApplyStrategiesBase<ApplyStrategies>> {
public:
  using TargetedPass::TargetedPass;

private:
  LogicalResult run(gpu::GPUFuncOp function) final {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (op->hasAttr(LayoutDialect::StrategyAttrHelper::getNameStr()))
        ops.push_back(op);
    });
    if (ops.empty())
      return success();
    const TargetProfile *profile =
        passTarget.get(getArgument(), target, function);
    if (!profile)
      return failure();
    for (Operation *op : ops) {
      Attribute attr =
          op->removeAttr(LayoutDialect::StrategyAttrHelper::getNameStr());
      LogicalResult result = failure();
      if (auto contract = dyn_cast<vector::ContractionOp>(op))
        result = apply(contract, cast<ContractionStrategyAttr>(attr), *profile);
      else if (auto scaled = dyn_cast<ScaledContractOp>(op))
        result = apply(scaled, cast<ContractionStrategyAttr>(attr), *profile);
      else if (auto prefetch = dyn_cast<xegpu::PrefetchNdOp>(op))
        result = apply(prefetch, cast<TileTransferAttr>(attr));
      else
        result = apply(op, cast<TileTransferAttr>(attr), *profile);
      if (failed(result))
        return failure();
    }
    return success();
  }
};

} // namespace

std::unique_ptr<Pass>
createApplyStrategies(std::shared_ptr<const TargetProfile> profile) {
  auto pass = std::make_unique<ApplyStrategies>();
  pass->setTarget(std::move(profile));
  return pass;
}

} // namespace aircc::layout
