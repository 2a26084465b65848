//===- BuildMatmulKernels.cpp - Matmuls to kernels ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/BufferAccesses.h"
#include "pipeline/hierarchy/launch/WrapLaunch.h"
#include "pipeline/hierarchy/tiles/MatmulKernel.h"
#include "pipeline/hierarchy/tiles/MatmulLaunch.h"
#include "pipeline/hierarchy/tiles/ScaledFactor.h"
#include "pipeline/hierarchy/tiles/TilePasses.h"

#include "dialects/air/AIROps.h"
#include "dialects/layout/LayoutDialect.h"
#include "pipeline/common/PassTarget.h"
#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/common/kernels/Work.h"
#include "pipeline/strategy/Tuning.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"

#include "llvm/ADT/ScopeExit.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_BUILDMATMULKERNELS
#include "pipeline/hierarchy/tiles/TilePasses.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// The limit of hipDeviceProp_t::maxGridSize along y and z on AMD GPUs.
constexpr int64_t kMaxGridZ = 65535;

std::string getTypeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Returns the type in which matrix instructions sum products of the elements
/// of A and B, for results of type `c`.
Type chooseAccumulator(const TargetProfile &profile, Type a, Type b, Type c) {
  if (!c.isIntOrFloat())
    return c;
  std::string name = getTypeName(c);
  if (strategy::chooseAccumulator(profile, getTypeName(a), getTypeName(b), name,
                                  c.getIntOrFloatBitWidth()) == name)
    return c;
  return isa<FloatType>(c) ? Type(Float32Type::get(c.getContext()))
                           : Type(IntegerType::get(c.getContext(), 32));
}

MatmulProblem describe(const Matmul &matmul) {
  MatmulProblem problem;
  problem.m = matmul.c.getSize(matmul.getRows());
  problem.n = matmul.c.getSize(matmul.getColumns());
  problem.k = matmul.a.getSize(matmul.getDepth());
  problem.matrices = 1;
  for (unsigned dim : matmul.c.outer) {
    std::optional<int64_t> size = matmul.c.getSize(dim);
    if (problem.matrices && size)
      *problem.matrices *= *size;
    else
      problem.matrices = std::nullopt;
  }
  auto describeType = [](Type type, std::string &name, int64_t &bits) {
    name = getTypeName(type);
    bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  };
  auto getElement = [](const MatmulMatrix &matrix) {
    return getMemRefType(matrix.memref).getElementType();
  };
  describeType(getElement(matmul.a), problem.a.type, problem.a.bits);
  describeType(getElement(matmul.b), problem.b.type, problem.b.bits);
  describeType(matmul.accumulator, problem.cType, problem.cBits);
  problem.a.alongK = matmul.aAlongK;
  problem.b.alongK = matmul.bAlongK;
  problem.a.isComputed = matmul.a.producer != nullptr;
  problem.b.isComputed = matmul.b.producer != nullptr;
  return problem;
}

/// Returns the product of the small floats from which the factors are computed,
/// for a matrix instruction that multiplies by their scales. Returns nullopt if
/// the factors have other forms or the target has no such instruction.
std::optional<MatmulProblem> describeScaled(const Matmul &matmul,
                                            MatmulProblem problem,
                                            const TargetProfile &profile) {
  std::optional<ScaledProducer> a, b;
  if (matmul.aAlongK && matmul.bAlongK) {
    a = matchScaledProducer(matmul.a);
    b = matchScaledProducer(matmul.b);
  }
  if (!a || !b || a->block != b->block)
    return std::nullopt;
  auto describeFactor = [](const ScaledProducer &producer) {
    strategy::MatmulOperand operand;
    operand.type = getTypeName(producer.type);
    operand.bits = producer.type.getIntOrFloatBitWidth();
    operand.alongK = true;
    return operand;
  };
  problem.a = describeFactor(*a);
  problem.b = describeFactor(*b);
  problem.scaleBlock = a->block;
  if (strategy::findMatrixInstructions(
          profile, {problem.a.type, problem.b.type, problem.cType}, a->block)
          .empty())
    return std::nullopt;
  return problem;
}

/// Returns an entry for a product in the list for a search. Unknown sizes are
/// omitted.
DictionaryAttr listProduct(OpBuilder &b, const MatmulProblem &problem) {
  auto describeFactor = [&](const strategy::MatmulOperand &operand) {
    return b.getDictionaryAttr(
        {b.getNamedAttr("type", b.getStringAttr(operand.type)),
         b.getNamedAttr("bits", b.getI64IntegerAttr(operand.bits)),
         b.getNamedAttr("along_k", b.getBoolAttr(operand.alongK)),
         b.getNamedAttr("computed", b.getBoolAttr(operand.isComputed))});
  };
  SmallVector<NamedAttribute> attributes = {
      b.getNamedAttr("a", describeFactor(problem.a)),
      b.getNamedAttr("b", describeFactor(problem.b)),
      b.getNamedAttr("c", b.getStringAttr(problem.cType)),
      b.getNamedAttr("c_bits", b.getI64IntegerAttr(problem.cBits))};
  for (auto [name, size] :
       {std::pair("m", problem.m), std::pair("n", problem.n),
        std::pair("k", problem.k), std::pair("matrices", problem.matrices)})
    if (size)
      attributes.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(*size)));
  return b.getDictionaryAttr(attributes);
}

/// Returns whether the dispatch stage formed the launch from several ops for
/// which there is no kernel, so that a single workgroup would compute all of
/// them.
bool isRegionWithoutKernel(air::LaunchOp launch) {
  return isInDispatchedFunction(launch) &&
         !launch.getBodyBlock()->getOps<memref::AllocOp>().empty() &&
         !matchMatmulLaunch(launch);
}

class BuildMatmulKernels
    : public hierarchy::impl::BuildMatmulKernelsBase<BuildMatmulKernels> {
public:
  using BuildMatmulKernelsBase::BuildMatmulKernelsBase;

  void setTarget(std::shared_ptr<const TargetProfile> known) {
    passTarget = PassTarget(std::move(known));
    target = passTarget.getOption();
  }

  void runOnOperation() final {
    if (failed(wrapOffloaded()))
      return signalPassFailure();
    for (air::LaunchOp launch : getSingleWorkgroupLaunches(getOperation()))
      if (isRegionWithoutKernel(launch))
        splitLaunch(launch);
    for (air::LaunchOp launch : getSingleWorkgroupLaunches(getOperation()))
      if (failed(lower(launch)))
        return signalPassFailure();
    if (listProducts)
      getOperation()->setAttr("tuning.products",
                              ArrayAttr::get(&getContext(), products));
  }

private:
  LogicalResult wrapOffloaded();
  LogicalResult lower(air::LaunchOp launch);
  void createKernel(air::LaunchOp launch, MatmulLaunch &match,
                    const MatmulTiling &tiling, const MatmulProblem &problem,
                    const TargetProfile &profile);
  LogicalResult readChoices(Operation *op, MatmulChoices &choices);

  PassTarget passTarget;
  SmallVector<Attribute> products;
};

/// Warns about each `air.offload` that has no op among `offloaded`.
static void warnAboutUnusedOffloads(ModuleOp module,
                                    ArrayRef<linalg::LinalgOp> offloaded) {
  SmallPtrSet<Operation *, 8> active;
  for (linalg::LinalgOp op : offloaded) {
    active.insert(op);
    active.insert(op->getParentOfType<FunctionOpInterface>());
  }
  module->walk([&](Operation *op) {
    if (!op->hasAttr(air::AIRDialect::OffloadAttrHelper::getNameStr()) ||
        active.contains(op))
      return;
    InFlightDiagnostic warning =
        op->emitWarning() << "'"
                          << air::AIRDialect::OffloadAttrHelper::getNameStr()
                          << "' has no effect here: ";
    if (isa<FunctionOpInterface>(op))
      warning
          << "the function contains no linalg op outside kernels; write device "
             "code as linalg ops on memrefs, or put it into an air.launch";
    else if (isa<linalg::LinalgOp>(op))
      warning << "the op is already in a kernel";
    else
      warning << "it applies only to linalg ops and to functions that contain "
                 "linalg ops; put other code into an air.launch";
  });
}

/// Returns whether `op` computes the initial value of the subsequent `matmul`,
/// so that one kernel can compute both.
static bool isInitialValue(linalg::LinalgOp op, linalg::LinalgOp matmul) {
  if (op->getNextNode() != matmul || op.getNumDpsInits() != 1 ||
      op.getDpsInits()[0] != matmul.getDpsInits()[0] || !matchMatmul(matmul))
    return false;
  if (isa<linalg::FillOp>(op.getOperation()))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!isInDispatchedFunction(op) ||
      !(generic ? isElementwiseOnTiles(generic)
                : isa<linalg::CopyOp>(op.getOperation())))
    return false;
  // Workgroups compute the initial value of their tile after others have stored
  // results, so its inputs must not be in the same memory.
  Value written = getRootBuffer(op.getDpsInits()[0]);
  return llvm::all_of(op.getDpsInputs(), [&](Value input) {
    return !isa<MemRefType>(input.getType()) ||
           isSeparateBuffer(written, getRootBuffer(input));
  });
}

/// Returns a copy as a `linalg.generic`; returns other ops unchanged.
static linalg::LinalgOp generalizeCopy(linalg::LinalgOp op) {
  auto copy = dyn_cast<linalg::CopyOp>(op.getOperation());
  if (!copy)
    return op;
  IRRewriter rewriter(copy);
  SmallVector<air::WorkAttr> works = getWorks(copy);
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, copy);
  assert(succeeded(generic) && "a copy is elementwise");
  if (!works.empty())
    (*generic)->setDiscardableAttr(
        air::AIRDialect::WorkAttrHelper::getNameStr(), works.front());
  return cast<linalg::LinalgOp>(generic->getOperation());
}

/// Wraps each linalg op with `air.offload`, on itself or on its function, in a
/// launch, together with a preceding op that computes its initial value.
LogicalResult BuildMatmulKernels::wrapOffloaded() {
  SmallVector<linalg::LinalgOp> ops;
  WalkResult result = getOperation().walk([&](linalg::LinalgOp op) {
    if (op->getParentOfType<air::HierarchyInterface>() ||
        op->getParentOfType<gpu::LaunchOp>() ||
        op->getParentOfType<gpu::GPUModuleOp>())
      return WalkResult::advance();
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!op->hasAttr(air::AIRDialect::OffloadAttrHelper::getNameStr()) &&
        !(function &&
          function->hasAttr(air::AIRDialect::OffloadAttrHelper::getNameStr())))
      return WalkResult::advance();
    if (!op.hasPureBufferSemantics()) {
      op->emitOpError("cannot be offloaded because it operates on tensors; "
                      "bufferize the program before stage 'hierarchy'");
      return WalkResult::interrupt();
    }
    ops.push_back(op);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  warnAboutUnusedOffloads(getOperation(), ops);
  for (size_t i = 0; i < ops.size(); ++i) {
    SmallVector<Operation *> group{ops[i]};
    if (i + 1 < ops.size() && isInitialValue(ops[i], ops[i + 1])) {
      group = {generalizeCopy(ops[i]), ops[i + 1]};
      ++i;
    }
    for (Operation *op : group)
      op->removeAttr(air::AIRDialect::OffloadAttrHelper::getNameStr());
    OpBuilder b(group.front());
    wrapInLaunch(b, group, ValueRange());
  }
  return success();
}

LogicalResult BuildMatmulKernels::readChoices(Operation *op,
                                              MatmulChoices &choices) {
  auto parse = [&](StringRef option, StringRef text,
                   ArrayRef<int64_t *> into) -> LogicalResult {
    if (text.empty())
      return success();
    SmallVector<StringRef> parts;
    text.split(parts, 'x');
    bool ok = parts.size() == into.size();
    for (auto [part, number] : llvm::zip(parts, into))
      ok &= !part.getAsInteger(10, *number) && *number > 0;
    if (ok)
      return success();
    return op->emitOpError("expects option '")
           << option << "' to be " << into.size()
           << " positive integers separated by 'x', but got '" << text << "'";
  };
  if (buffers < 0 || buffers == 1 || buffers > 4)
    return op->emitOpError(
               "expects option 'matmul-buffers' to be 2 to 4, but got ")
           << buffers.getValue();
  choices.buffers = buffers;
  if (failed(parse("matmul-tile", tile,
                   {&choices.tileM, &choices.tileN, &choices.tileK})))
    return failure();
  return parse("matmul-waves", waves, {&choices.wavesM, &choices.wavesN});
}

/// Returns whether there are more matrices than workgroups along a dimension of
/// a grid.
static bool hasTooManyMatrices(const Matmul &matmul) {
  int64_t numMatrices = 1;
  for (unsigned dim : matmul.c.outer)
    numMatrices *= std::min(matmul.c.getSize(dim).value_or(1), kMaxGridZ + 1);
  if (numMatrices <= kMaxGridZ)
    return false;
  setMatrixReason(matmul.op, "it computes more matrices than a grid can have "
                             "workgroups along its third dimension");
  matmul.op->emitRemark(
      "is not compiled to a matmul kernel, because a grid has at most ")
      << kMaxGridZ
      << " workgroups along its third dimension, one for each matrix";
  return true;
}

/// Converts a launch that contains only a matmul into a kernel.
LogicalResult BuildMatmulKernels::lower(air::LaunchOp launch) {
  std::optional<MatmulLaunch> match = matchMatmulLaunch(launch);
  if (!match)
    return success();
  auto giveUp = [&] {
    if (!match->buffers.empty())
      splitLaunch(launch);
    return success();
  };
  Matmul &matmul = match->matmul;
  if (hasTooManyMatrices(matmul) ||
      ((!match->buffers.empty() || matmul.init) &&
       !isResultSeparate(launch, match->getResult(), match->getOps())))
    return giveUp();
  const TargetProfile *profile = passTarget.get(getArgument(), target, launch);
  if (!profile)
    return failure();
  MatmulChoices choices;
  if (failed(readChoices(matmul.op, choices)))
    return failure();
  auto getElement = [](const MatmulMatrix &matrix) {
    return getMemRefType(matrix.memref).getElementType();
  };
  matmul.accumulator =
      chooseAccumulator(*profile, getElement(matmul.a), getElement(matmul.b),
                        getElement(matmul.c));
  MatmulProblem problem = describe(matmul);
  bool chosen = !tile.empty() || !waves.empty() || buffers != 0;
  if (std::optional<MatmulProblem> scaled =
          describeScaled(matmul, problem, *profile)) {
    layout::Result<MatmulTiling> tiling =
        strategy::chooseMatmulTiling(*scaled, *profile, choices);
    if (tiling) {
      createKernel(launch, *match, *tiling, *scaled, *profile);
      return success();
    }
    if (chosen)
      return matmul.op->emitOpError(
                 "cannot be computed with the requested tile sizes: ")
             << tiling.message();
    matmul.op->emitRemark(
        "does not use a matrix instruction that multiplies by scales: ")
        << tiling.message();
  }
  std::optional<MatmulChoices> tuned;
  if (!chosen)
    tuned = strategy::findTunedChoices(problem, *profile);
  layout::Result<MatmulTiling> tiling =
      strategy::chooseMatmulTiling(problem, *profile, tuned.value_or(choices));
  if (tiling && listProducts) {
    OpBuilder b(launch);
    products.push_back(listProduct(b, problem));
  }
  if (!tiling) {
    if (tuned)
      return matmul.op->emitOpError("cannot be computed with the tile sizes in "
                                    "the profile's tuning: ")
             << tiling.message();
    if (chosen)
      return matmul.op->emitOpError(
                 "cannot be computed with the requested tile sizes: ")
             << tiling.message();
    // Other lowerings are slower, but possible.
    setMatrixReason(matmul.op, tiling.message());
    matmul.op->emitRemark("does not use matrix instructions: ")
        << tiling.message();
    // An in-place result may be in the same memory as a factor.
    std::optional<MatmulTiling> vectors;
    if (isInDispatchedFunction(launch) &&
        isResultSeparate(launch, match->getResult(), match->getOps()))
      vectors = strategy::chooseVectorTiling(problem, *profile);
    if (!vectors)
      return giveUp();
    createKernel(launch, *match, *vectors, problem, *profile);
    return success();
  }
  createKernel(launch, *match, *tiling, problem, *profile);
  return success();
}

void BuildMatmulKernels::createKernel(air::LaunchOp launch, MatmulLaunch &match,
                                      const MatmulTiling &tiling,
                                      const MatmulProblem &problem,
                                      const TargetProfile &profile) {
  // Build the kernel outside the launch, where the operands are defined.
  Location loc = launch.getLoc();
  unwrapMatmulLaunch(launch, match);
  OpBuilder b(match.getOps().back());
  llvm::scope_exit eraseDone([&] { match.erase(); });
  if (match.fill)
    match.matmul.fill = match.fill.getInputs()[0];
  Value result = match.getResult();
  MemRefType type = getMemRefType(result);
  if (llvm::is_contained(type.getShape(), 0))
    return;
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(memref::getMixedSize(b, loc, result, dim));
  createNonEmptyGuard(b, loc, sizes);
  if (problem.scaleBlock) {
    Matmul &matmul = match.matmul;
    matmul.scaledA =
        createScaledFactor(b, loc, matmul.a, *matchScaledProducer(matmul.a));
    matmul.scaledB =
        createScaledFactor(b, loc, matmul.b, *matchScaledProducer(matmul.b));
    setFactorTypes(matmul.op, matmul.scaledA->type, matmul.scaledB->type);
  }
  gpu::LaunchOp kernel =
      createMatmulKernel(b, match.matmul, tiling, problem, profile);
  moveWorks(match.getOps(), kernel);
}

} // namespace

std::unique_ptr<Pass> aircc::hierarchy::createBuildMatmulKernels(
    std::shared_ptr<const TargetProfile> profile,
    const BuildMatmulKernelsOptions &options) {
  auto pass = std::make_unique<BuildMatmulKernels>(options);
  pass->setTarget(std::move(profile));
  return pass;
}
