//===- CreateSizeFunctions.cpp - Sizes from sizes of arguments ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_CREATESIZEFUNCTIONS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns whether a loop starts with a tensor whose static size was cast away.
/// Upstream restores such a size for all iterations, although later ones may
/// have other sizes.
bool startsWithCast(scf::ForOp loop) {
  return llvm::any_of(loop.getInitArgs(), [](Value init) {
    return init.getDefiningOp<tensor::CastOp>() != nullptr;
  });
}

/// The size of the result of a structured op is that of its initial value.
struct ResolveDimOfInit : OpRewritePattern<tensor::DimOp> {
  ResolveDimOfInit(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const final {
    auto result = dyn_cast<OpResult>(op.getSource());
    if (!result)
      return failure();
    auto producer = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    if (!producer)
      return failure();
    Value init = producer.getTiedOpOperand(result)->get();
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().set(init); });
    return success();
  }
};

/// The size of a result of a branch is one of two sizes.
struct ResolveDimOfIf : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const final {
    auto branch = op.getSource().getDefiningOp<scf::IfOp>();
    std::optional<int64_t> dim = op.getConstantIndex();
    if (!branch || !dim)
      return failure();
    unsigned number = cast<OpResult>(op.getSource()).getResultNumber();
    std::pair<Value, Value> yields = {branch.thenYield().getOperand(number),
                                      branch.elseYield().getOperand(number)};
    OpFoldResult yes = findSize(branch, yields.first, *dim, rewriter),
                 no = findSize(branch, yields.second, *dim, rewriter);
    if (!yes || !no)
      return failure();
    Location loc = op.getLoc();
    rewriter.replaceOpWithNewOp<arith::SelectOp>(
        op, branch.getCondition(),
        getValueOrCreateConstantIndexOp(rewriter, loc, yes),
        getValueOrCreateConstantIndexOp(rewriter, loc, no));
    return success();
  }

private:
  /// Returns the size of `tensor` if it is known outside `branch`; otherwise,
  /// returns null.
  static OpFoldResult findSize(scf::IfOp branch, Value tensor, int64_t dim,
                               PatternRewriter &rewriter) {
    auto isOutside = [&](Value value) {
      return !branch->isAncestor(value.getParentBlock()->getParentOp());
    };
    while (!isOutside(tensor)) {
      Operation *producer = tensor.getDefiningOp();
      if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(producer)) {
        OpFoldResult size = empty.getMixedSizes()[dim];
        auto value = dyn_cast<Value>(size);
        return !value || isOutside(value) ? size : OpFoldResult();
      }
      auto structured = dyn_cast_or_null<DestinationStyleOpInterface>(producer);
      if (!structured)
        return {};
      tensor = structured.getTiedOpOperand(cast<OpResult>(tensor))->get();
    }
    return tensor::getMixedSize(rewriter, branch.getLoc(), tensor, dim);
  }
};

/// Expresses sizes of results in terms of sizes of operands, and erases ops
/// that become unused.
void simplify(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  memref::populateResolveShapedTypeResultDimsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, context);
  patterns.add<ResolveDimOfInit, ResolveDimOfIf>(context);
  bool castsSizes = false;
  function.walk([&](scf::ForOp loop) { castsSizes |= startsWithCast(loop); });
  if (!castsSizes)
    scf::ForOp::getCanonicalizationPatterns(patterns, context);
  scf::ForallOp::getCanonicalizationPatterns(patterns, context);
  (void)applyPatternsGreedily(function, std::move(patterns));
  // Merges equal sizes.
  IRRewriter rewriter(context);
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
}

/// The values of a function that depend only on sizes of its arguments and on
/// scalar arguments.
class SizeValues {
public:
  bool contains(Value value) {
    auto [known, isNew] = memo.try_emplace(value, false);
    if (!isNew)
      return known->second;
    bool result = compute(value);
    return memo[value] = result;
  }

  /// Returns the argument and dimension whose size `value` is, or (-1, -1).
  static std::pair<int64_t, int64_t> getDim(Value value) {
    auto dim = value.getDefiningOp<tensor::DimOp>();
    if (!dim || !dim.getConstantIndex())
      return {-1, -1};
    auto argument = dyn_cast<BlockArgument>(dim.getSource());
    if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      return {-1, -1};
    return {argument.getArgNumber(), *dim.getConstantIndex()};
  }

private:
  bool compute(Value value) {
    if (!value.getType().isIntOrIndex())
      return false;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return isa<func::FuncOp>(argument.getOwner()->getParentOp());
    Operation *op = value.getDefiningOp();
    if (isa<tensor::DimOp>(op))
      return getDim(value).first >= 0;
    return isa<arith::ArithDialect, affine::AffineDialect>(op->getDialect()) &&
           op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return contains(operand); });
  }

  llvm::DenseMap<Value, bool> memo;
};

/// Builds functions that compute sizes from the sizes of memrefs and write them
/// to memory.
class SizeFunctionBuilder {
public:
  /// Creates a function next to `source`, with the same arguments, that
  /// computes `sizes`, which are values of `source`.
  func::FuncOp create(func::FuncOp source, ArrayRef<Value> sizes);

private:
  Value clone(Value value);

  IRMapping mapping;
  OpBuilder b{static_cast<MLIRContext *>(nullptr)};
};

Value SizeFunctionBuilder::clone(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value copy =
        memref::DimOp::create(b, op->getLoc(), mapping.lookup(dim.getSource()),
                              *dim.getConstantIndex());
    mapping.map(value, copy);
    return copy;
  }
  for (Value operand : op->getOperands())
    (void)clone(operand);
  b.clone(*op, mapping);
  return mapping.lookup(value);
}

func::FuncOp SizeFunctionBuilder::create(func::FuncOp source,
                                         ArrayRef<Value> sizes) {
  b = OpBuilder(source);
  SmallVector<Type> types;
  for (Type type : source.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    types.push_back(
        tensor ? MemRefType::get(tensor.getShape(), tensor.getElementType())
               : type);
  }
  types.push_back(
      MemRefType::get({static_cast<int64_t>(sizes.size())}, b.getIndexType()));
  Location loc = source.getLoc();
  auto function = func::FuncOp::create(b, loc, source.getSymName(),
                                       b.getFunctionType(types, {}));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  mapping.map(source.getArguments(), body->getArguments().drop_back());
  for (auto [i, size] : llvm::enumerate(sizes)) {
    Value copy = clone(size);
    Value index = arith::ConstantIndexOp::create(b, loc, i);
    memref::StoreOp::create(b, loc, copy, body->getArguments().back(), index);
  }
  func::ReturnOp::create(b, loc);
  return function;
}

class CreateSizeFunctions
    : public dispatch::impl::CreateSizeFunctionsBase<CreateSizeFunctions> {
public:
  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      auto entry = function->getAttrOfType<air::EntryPointAttr>(
          air::AIRDialect::EntryPointAttrHelper::getNameStr());
      if (!entry)
        continue;
      FlatSymbolRefAttr sizes = entry.getResultSizes();
      FlatSymbolRefAttr checks = entry.getSizeChecks();
      bool needElements =
          sizes &&
          !lowerResultSizes(symbols.lookup<func::FuncOp>(sizes.getAttr()));
      if (checks &&
          !lowerSizeChecks(symbols.lookup<func::FuncOp>(checks.getAttr())))
        checks = nullptr;
      function->setAttr(air::AIRDialect::EntryPointAttrHelper::getNameStr(),
                        air::EntryPointAttr::get(&getContext(), nullptr,
                                                 nullptr, sizes, checks,
                                                 needElements, nullptr, nullptr,
                                                 /*donors=*/nullptr,
                                                 /*computesOnHost=*/true,
                                                 /*callerName=*/nullptr));
    }
  }

private:
  /// Returns false if the sizes depend on elements.
  bool lowerResultSizes(func::FuncOp function);
  /// Returns false if no check remains.
  bool lowerSizeChecks(func::FuncOp function);
};

/// Returns the sizes that a function returns.
SmallVector<Value> getSizes(func::FuncOp function) {
  return llvm::to_vector(function.front().getTerminator()->getOperands());
}

/// Makes `function` return the sizes as one tensor, so that it can be an entry
/// point.
void returnTensor(func::FuncOp function) {
  Operation *terminator = function.front().getTerminator();
  OpBuilder b(terminator);
  Value all = tensor::FromElementsOp::create(b, terminator->getLoc(),
                                             terminator->getOperands());
  terminator->setOperands(all);
  function.setFunctionType(
      b.getFunctionType(function.getArgumentTypes(), all.getType()));
}

bool CreateSizeFunctions::lowerResultSizes(func::FuncOp function) {
  simplify(function);
  SmallVector<Value> sizes = getSizes(function);
  SizeValues values;
  // Sizes that depend on elements are computed like any other tensor.
  if (!llvm::all_of(sizes, [&](Value size) { return values.contains(size); })) {
    returnTensor(function);
    return false;
  }
  SizeFunctionBuilder().create(function, sizes);
  function.erase();
  return true;
}

/// Returns whether a check of two sizes cannot fail.
bool alwaysHolds(air::SizeRelation relation, Value left, Value right) {
  if (left == right)
    return true;
  std::optional<int64_t> a = getConstantIntValue(left),
                         b = getConstantIntValue(right);
  switch (relation) {
  case air::SizeRelation::Equal:
    return a && b && *a == *b;
  case air::SizeRelation::AtLeast:
    return b && (*b <= 0 || (a && *a >= *b));
  case air::SizeRelation::Broadcast:
    return a == 1 || b == 1 || (a && b && *a == *b);
  }
  llvm_unreachable("unknown relation");
}

bool CreateSizeFunctions::lowerSizeChecks(func::FuncOp function) {
  simplify(function);
  SmallVector<Value> sizes = getSizes(function), kept;
  StringRef name = air::AIRDialect::SizeChecksAttrHelper::getNameStr();
  SmallVector<Attribute> checks;
  llvm::SmallDenseSet<std::tuple<int32_t, Value, Value>> seen;
  SizeValues values;
  auto all = function->getAttrOfType<ArrayAttr>(name);
  for (auto [i, check] :
       llvm::enumerate(all.getAsRange<air::SizeCheckAttr>())) {
    Value left = sizes[2 * i], right = sizes[2 * i + 1];
    if (alwaysHolds(check.getRelation(), left, right) ||
        !values.contains(left) || !values.contains(right) ||
        !seen.insert({int32_t(check.getRelation()), left, right}).second)
      continue;
    kept.append({left, right});
    auto [leftArgument, leftDim] = SizeValues::getDim(left);
    auto [rightArgument, rightDim] = SizeValues::getDim(right);
    checks.push_back(air::SizeCheckAttr::get(
        &getContext(), check.getRelation(), leftArgument, leftDim,
        rightArgument, rightDim, check.getRequiredBy()));
  }
  if (!checks.empty())
    SizeFunctionBuilder()
        .create(function, kept)
        ->setAttr(name, ArrayAttr::get(&getContext(), checks));
  function.erase();
  return !checks.empty();
}

} // namespace
