//===- OpRules.cpp - The possible layouts of an op ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/OpRules.h"

#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace aircc::layout {

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

unsigned getElementBits(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isIntOrFloat())
    return element.getIntOrFloatBitWidth();
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getElementBits(complex.getElementType());
  return 64;
}

SmallVector<int64_t> shapeOf(Value value) {
  if (auto type = dyn_cast<VectorType>(value.getType()))
    return llvm::to_vector(type.getShape());
  return {};
}

int64_t countValues(Layout layout) {
  int64_t count = 1;
  for (int64_t size : layout.getDistributedShape())
    count *= size;
  return count;
}

double getRegisters(Type elementType, Layout layout) {
  return countValues(layout) *
         std::max(1.0, getElementBits(elementType) / 32.0);
}

double getConversionCost(const ConversionCost &cost, Type type,
                         const Workgroup &workgroup) {
  unsigned bits = getElementBits(type);
  double words = std::max(1.0, bits / 32.0);
  double pieces = 1;
  if (auto vector = dyn_cast<VectorType>(type); vector && workgroup.ldsBytes)
    pieces = std::max(1.0, std::ceil(vector.getNumElements() * (bits / 8.0) /
                                     workgroup.ldsBytes));
  switch (cost.kind) {
  case ConversionKind::Identity:
    return 0;
  case ConversionKind::WithinLane:
    return 1 + words * cost.registers;
  case ConversionKind::WithinWave:
    // There is one shuffle for each register; the source registers remain live
    // meanwhile.
    return 8 + words * (8 * pieces * cost.registers + cost.sourceRegisters);
  case ConversionKind::AcrossWaves:
    // The cost is that of barriers, a store to LDS and a load from LDS.
    return 200 * pieces +
           16 * words * (cost.sourceRegisters + pieces * cost.registers);
  }
  llvm_unreachable("no such kind");
}

Layout getReplicated(MLIRContext *context, ArrayRef<int64_t> shape) {
  std::vector<DimTiles> dims(shape.size());
  for (auto [dim, size] : llvm::zip_equal(dims, shape))
    dim.element = size;
  return NestedLayoutAttr::get(context, *NestedLayout::ofDims(dims));
}

Layout getSideBySide(MLIRContext *context, ArrayRef<int64_t> shape,
                     ArrayRef<int64_t> order, unsigned elementBits,
                     const Workgroup &workgroup) {
  std::vector<DimTiles> dims(shape.size());
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  if (!order.empty()) {
    // Pieces are whole bytes, at most one access, and short enough for all
    // lanes to have one.
    int64_t &piece = dims[order[0]].element;
    int64_t least = elementBits < 8 ? 8 / std::max(1u, elementBits) : 1;
    if (elementBits == 1)
      least = 1;
    int64_t share = elements / (workgroup.lanes * workgroup.waves);
    while (piece * 2 * elementBits <= 128 &&
           shape[order[0]] % (piece * 2) == 0 &&
           (piece < least || piece * 2 <= share))
      piece *= 2;
  }
  int64_t lanes = workgroup.lanes, stride = 1;
  for (int64_t d : order) {
    dims[d].thread = std::gcd(shape[d] / dims[d].element, lanes);
    dims[d].threadStride = stride;
    stride *= dims[d].thread;
    lanes /= dims[d].thread;
  }
  int64_t waves = workgroup.waves;
  for (int64_t d : llvm::reverse(order)) {
    dims[d].subgroup =
        std::gcd(shape[d] / dims[d].element / dims[d].thread, waves);
    waves /= dims[d].subgroup;
  }
  stride = 1;
  for (int64_t d : order) {
    dims[d].subgroupStride = stride;
    stride *= dims[d].subgroup;
  }
  for (size_t d = 0; d < dims.size(); ++d)
    dims[d].batch =
        shape[d] / (dims[d].element * dims[d].thread * dims[d].subgroup);
  return NestedLayoutAttr::get(context, *NestedLayout::ofDims(std::move(dims)));
}

double OpRule::getCost(Operation *op, Layout key, const Workgroup &) const {
  double words = 1;
  for (Type type : op->getResultTypes())
    words = std::max(words, getElementBits(type) / 32.0);
  return words * countValues(key);
}

//===----------------------------------------------------------------------===//
// Ops whose vectors all have the same layout
//===----------------------------------------------------------------------===//

SmallVector<int64_t> SameLayoutRule::getKeyShape(Operation *op) const {
  for (Type type : op->getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      return llvm::to_vector(vector.getShape());
  for (Type type : op->getOperandTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      return llvm::to_vector(vector.getShape());
  return {};
}

std::optional<OpLayouts> SameLayoutRule::expand(Operation *op,
                                                Layout key) const {
  OpLayouts layouts(op);
  for (auto [layout, type] :
       llvm::zip_equal(layouts.operands, op->getOperandTypes()))
    if (isa<VectorType>(type))
      layout = key;
  for (auto [layout, type] :
       llvm::zip_equal(layouts.results, op->getResultTypes()))
    if (isa<VectorType>(type))
      layout = key;
  layouts.mask = key;
  return layouts;
}

bool isRematerializable(Operation *op) {
  return isa<arith::ConstantOp, ub::PoisonOp, vector::StepOp,
             vector::ConstantMaskOp, vector::CreateMaskOp, vector::BroadcastOp,
             vector::FromElementsOp>(op);
}

const OpRule *findRule(Operation *op) {
  static const SameLayoutRule same;
  // Stage hierarchy uses this predicate to decide which vectors remain
  // undistributed, so a rule for another op would never be used.
  if (!supportsUndistributedVectors(op))
    return nullptr;
  if (const OpRule *rule = findShapeRule(op))
    return rule;
  if (const OpRule *rule = findContractRule(op))
    return rule;
  if (const OpRule *rule = findXeGPURule(op))
    return rule;
  if (const OpRule *rule = findMemoryRule(op))
    return rule;
  // These ops support vectors of any shape.
  return &same;
}

} // namespace aircc::layout
