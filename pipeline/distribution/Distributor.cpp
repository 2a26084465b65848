//===- Distributor.cpp - Map vectors to distributed vectors ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Distributor.h"

#include "dialects/layout/LayoutDialect.h"
#include "dialects/layout/LayoutOps.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/distribution/Patterns.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

Distributor::Distributor(gpu::GPUFuncOp func, const DistributionTarget &target)
    : target(target), func(func), b(func.getContext()), loc(func.getLoc()),
      ids(func, target), ldsBuffer(func, ids, target) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const NestedLayout *Distributor::getLayout(Value value) const {
  auto it = layouts.find(value);
  return it == layouts.end() ? nullptr : &it->second;
}

void Distributor::setLayout(Value value, const NestedLayout &layout) {
  layouts.try_emplace(value, layout);
}

Value Distributor::getDistributed(Value value) const {
  if (!isUndistributed(value))
    return value;
  Value distributed = distributedValues.lookup(value);
  assert(distributed && "a definition must be distributed before its "
                        "uses");
  return distributed;
}

SmallVector<Value> Distributor::getDistributed(ValueRange values) const {
  return llvm::map_to_vector(values,
                             [&](Value v) { return getDistributed(v); });
}

void Distributor::setDistributed(Value undistributed, Value distributed) {
  assert(distributed.getType() == getDistributedType(undistributed) &&
         "distributed vector of another type");
  distributedValues[undistributed] = distributed;
}

VectorType Distributor::getDistributedType(VectorType undistributed,
                                           const NestedLayout &layout) const {
  // Registers hold tf32 as f32.
  Type element = undistributed.getElementType();
  if (isa<FloatTF32Type>(element))
    element = Float32Type::get(element.getContext());
  return VectorType::get(layout.distributedShape(), element);
}

Type Distributor::getDistributedType(Value value) const {
  if (const NestedLayout *layout = getLayout(value))
    return getDistributedType(cast<VectorType>(value.getType()), *layout);
  return value.getType();
}

bool Distributor::hasUndistributedVectors(Operation *op) const {
  // A masked op is distributed with its mask, which may lack a layout.
  if (auto masking = dyn_cast<vector::MaskOp>(op))
    if (Operation *masked = masking.getMaskableOp();
        masked && hasUndistributedVectors(masked))
      return true;
  auto undistributed = [&](Value value) { return isUndistributed(value); };
  return llvm::any_of(op->getOperands(), undistributed) ||
         llvm::any_of(op->getResults(), undistributed) ||
         (isa<xegpu::PrefetchNdOp>(op) &&
          op->hasAttr(layout::LayoutDialect::ScopeAttrHelper::getNameStr())) ||
         (isa<vector::PrintOp>(op) &&
          (op->hasAttr(layout::LayoutDialect::ScopeAttrHelper::getNameStr()) ||
           func->hasAttr(
               layout::LayoutDialect::ScopeAttrHelper::getNameStr())));
}

void Distributor::replace(Operation *op, ValueRange values) {
  for (auto [result, distributed] : llvm::zip_equal(op->getResults(), values)) {
    if (isUndistributed(result))
      setDistributed(result, distributed);
    else
      result.replaceAllUsesWith(distributed);
  }
  erase(op);
}

bool Distributor::isWaveScope(Operation *op) const {
  std::optional<layout::Scope> scope = layout::getScope(op);
  if (!scope)
    scope = layout::getScope(func);
  return scope == layout::Scope::Wave;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

SmallVector<Value> Distributor::getElements(Value vector) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return {vector};
  if (auto op = vector.getDefiningOp<vector::FromElementsOp>())
    return SmallVector<Value>(op.getElements());
  if (auto op = vector.getDefiningOp<vector::ShapeCastOp>())
    return getElements(op.getSource());
  if (auto op = vector.getDefiningOp<vector::BroadcastOp>())
    if (!isa<VectorType>(op.getSourceType()))
      return SmallVector<Value>(type.getNumElements(), op.getSource());
  Operation *&op = elementsOf[vector];
  if (!op) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(vector);
    op = vector::ToElementsOp::create(b, vector.getLoc(), vector);
  }
  return SmallVector<Value>(op->getResults());
}

/// Returns whether `vector` consists of whole words, because a transposing read
/// returned it or its bytes were permuted as words.
static bool consistsOfWords(Value vector) {
  if (vector.getDefiningOp<amdgpu::TransposeLoadOp>())
    return true;
  auto cast = vector.getDefiningOp<vector::BitCastOp>();
  return cast && cast.getSourceVectorType().getRank() == 1 &&
         cast.getSourceVectorType().getElementType().isSignlessInteger(32);
}

/// Returns the vectors whose elements, in order, are all of `elements`,
/// provided that they consist of whole words.
static SmallVector<Value> getWordVectors(ValueRange elements) {
  SmallVector<Value> vectors;
  while (!elements.empty()) {
    auto all = elements.front().getDefiningOp<vector::ToElementsOp>();
    if (!all || !consistsOfWords(all.getSource()) ||
        elements.size() < all->getNumResults() ||
        elements.take_front(all->getNumResults()) != all->getResults())
      return {};
    vectors.push_back(all.getSource());
    elements = elements.drop_front(all->getNumResults());
  }
  return vectors;
}

Value Distributor::joinWords(VectorType type, ValueRange elements) {
  SmallVector<Value> vectors = getWordVectors(elements);
  if (vectors.empty() || type.getRank() != 1)
    return {};
  Location loc = elements.front().getLoc();
  SmallVector<Value> words;
  for (Value vector : vectors) {
    auto from = cast<VectorType>(vector.getType());
    auto to = VectorType::get(
        {from.getNumElements() * from.getElementTypeBitWidth() / 32},
        b.getI32Type());
    Value cast = vector::BitCastOp::create(b, loc, to, vector);
    llvm::append_range(
        words, vector::ToElementsOp::create(b, loc, cast)->getResults());
  }
  Value all = vector::FromElementsOp::create(
      b, loc,
      VectorType::get({static_cast<int64_t>(words.size())}, b.getI32Type()),
      words);
  return vector::BitCastOp::create(b, loc, type, all);
}

Value Distributor::assemble(VectorType type, ValueRange elements) {
  Location loc = elements.front().getLoc();
  auto source = elements.front().getDefiningOp<vector::ToElementsOp>();
  if (source && source->getResults() == elements) {
    Value vector = source.getSource();
    if (vector.getType() == type)
      return vector;
    return vector::ShapeCastOp::create(b, loc, type, vector);
  }
  if (Value joined = joinWords(type, elements))
    return joined;
  if (llvm::all_equal(elements))
    return vector::BroadcastOp::create(b, loc, type, elements.front());
  return vector::FromElementsOp::create(b, loc, type, elements);
}

Value Distributor::assembleDistributed(Value value, ValueRange elements) {
  if (auto type = dyn_cast<VectorType>(getDistributedType(value)))
    return assemble(type, elements);
  return elements.front();
}

Value Distributor::pick(Value vector, ArrayRef<int64_t> registers,
                        VectorType type) {
  SmallVector<Value> all = getElements(vector);
  return assemble(type, llvm::map_to_vector(
                            registers, [&](int64_t reg) { return all[reg]; }));
}

Value Distributor::coordinate(const DimTiles &dim, int64_t k) {
  return LaneIds::add(b, loc, ids.base(dim), dim.coordinate(0, 0, k));
}

Value Distributor::getConstantTable(DenseElementsAttr elements) {
  auto module = func->getParentOfType<gpu::GPUModuleOp>();
  auto type =
      MemRefType::get(elements.getType().getShape(), elements.getElementType());
  // The value of a global is a tensor.
  elements = elements.reshape(
      RankedTensorType::get(type.getShape(), type.getElementType()));
  memref::GlobalOp table;
  for (auto global : module.getOps<memref::GlobalOp>())
    if (global.getConstant() && global.getType() == type &&
        global.getInitialValue() == Attribute(elements))
      table = global;
  if (!table) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    std::string name;
    int64_t number = 0;
    do
      name = "__layout_constant_" + std::to_string(number++);
    while (SymbolTable::lookupSymbolIn(module, name));
    table = memref::GlobalOp::create(b, func.getLoc(), name,
                                     b.getStringAttr("private"), type, elements,
                                     /*constant=*/true, IntegerAttr());
  }
  return memref::GetGlobalOp::create(b, func.getLoc(), type,
                                     table.getSymName());
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

Value Distributor::select(Location loc, Type type, Value condition,
                          function_ref<Value()> createThen,
                          function_ref<Value()> createElse) {
  auto branch = scf::IfOp::create(b, loc, type, condition, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  auto fill = [&](Block *block, function_ref<Value()> value) {
    b.setInsertionPointToStart(block);
    scf::YieldOp::create(b, loc, value());
  };
  fill(branch.thenBlock(), createThen);
  fill(branch.elseBlock(), createElse);
  return branch.getResult(0);
}

void Distributor::enterFirstHolder(Location loc, const NestedLayout &layout,
                                   int64_t numWaves) {
  if (Value first = ids.isFirstHolder(layout, numWaves)) {
    auto branch = scf::IfOp::create(b, loc, first, /*withElse=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult Distributor::readLayouts() {
  // Look up the layout of each value; the layout of an iteration argument is an
  // attribute of the loop.
  auto read = [&](Value value, Operation *op) -> LogicalResult {
    layout::NestedLayoutAttr attr = layout::getLayout(value);
    if (!attr)
      return success();
    NestedLayout layout = attr.getLayout();
    auto type = dyn_cast<VectorType>(value.getType());
    if (!type || type.isScalable() ||
        ArrayRef<int64_t>(layout.shape()) != type.getShape())
      return op->emitOpError("has a value of type ")
             << value.getType() << ", but a layout of shape "
             << layout::shapeText(layout.shape());
    int64_t waves = getNumWaves(op);
    if (waves == 0)
      return func.emitOpError(
                 "has workgroup-level vectors, so it must have a "
                 "'known_block_size' that is a multiple of the wave size of ")
             << target.waveSize << " lanes";
    if (auto error = layout.misfit(waves, target.waveSize))
      return op->emitOpError("has an invalid layout: ") << error->message;
    setLayout(value, layout);
    return success();
  };
  WalkResult result = func.walk([&](Operation *op) {
    for (Value value : op->getResults())
      if (failed(read(value, op)))
        return WalkResult::interrupt();
    if (op != func)
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value value : block.getArguments())
            if (failed(read(value, op)))
              return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Distributor::distribute(Operation *op) {
  for (auto *pattern :
       {distributeControlFlow, distributeMask, distributeConversion,
        distributeConstant, distributeTransfer, distributeContract,
        distributeScaledContract, distributeReduction, distributeScan,
        distributeShape, distributeSlice, distributeGather, distributePrint,
        distributeXeGPUBlock, distributeXeGPUScatter, distributeXeGPUMatrix,
        distributeElementwise})
    if (Distributed done = pattern(*this, op))
      return *done;
  return op->emitOpError(
      "operates on an undistributed vector, but cannot be distributed; use ops "
      "of the dialects 'arith', 'math' and 'vector' on vectors of fixed size");
}

LogicalResult Distributor::distributeBlock(Block &block) {
  // New ops are inserted before the current op.
  for (Operation &op : llvm::make_early_inc_range(block)) {
    b.setInsertionPoint(&op);
    loc = op.getLoc();
    // LowerAsyncDma lowers it, and needs the gathered indices in every lane.
    if (auto dma = dyn_cast<layout::AsyncDmaOp>(op)) {
      for (OpOperand &operand : op.getOpOperands())
        if (isUndistributed(operand.get())) {
          Value distributed = getDistributed(operand.get());
          if (distributed.getType() != operand.get().getType())
            return op.emitOpError("uses indices that are distributed over "
                                  "lanes, but each lane needs all of them");
          operand.set(distributed);
        }
      continue;
    }
    if (hasUndistributedVectors(&op)) {
      if (failed(distribute(&op)))
        return failure();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (failed(distributeBlock(inner)))
          return failure();
  }
  return success();
}

/// Prefetches of tiles have no vector operands or results, but may be the only
/// ops to distribute.
static bool hasTilePrefetches(gpu::GPUFuncOp func) {
  return func
      .walk([](Operation *op) {
        return op->hasAttr(
                   layout::LayoutDialect::AccessAttrHelper::getNameStr())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult Distributor::run() {
  if (failed(readLayouts()))
    return failure();
  if (layouts.empty() && !hasTilePrefetches(func))
    return success();
  for (Block &block : func.getBody())
    if (failed(distributeBlock(block)))
      return failure();
  for (Operation *op : dead)
    op->dropAllDefinedValueUses();
  // Ops that were nested in another op precede it.
  for (Operation *op : dead)
    op->erase();
  for (BlockArgument argument : deadArguments)
    argument.getOwner()->eraseArgument(argument.getArgNumber());
  // The lowering of layout.async_dma needs its scope.
  Attribute scope =
      func->getAttr(layout::LayoutDialect::ScopeAttrHelper::getNameStr());
  func.walk([&](Operation *op) {
    if (!isa<layout::AsyncDmaOp>(op))
      layout::dropLayoutAttrs(op);
    else if (scope &&
             !op->hasAttr(layout::LayoutDialect::ScopeAttrHelper::getNameStr()))
      op->setAttr(layout::LayoutDialect::ScopeAttrHelper::getNameStr(), scope);
  });
  ldsBuffer.finish();

  // Remove unused extracted elements, and merge indices of several accesses.
  IRRewriter rewriter(func.getContext());
  DominanceInfo dominance(func);
  eliminateCommonSubExpressions(rewriter, dominance, func);
  return success();
}

} // namespace aircc::distribution
