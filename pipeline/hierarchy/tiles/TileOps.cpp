//===- TileOps.cpp - Parts of kernels on undistributed vectors ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/tiles/TileOps.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/layout/LayoutDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

gpu::LaunchOp
hierarchy::createWorkgroupLaunch(OpBuilder &b, Location loc,
                                 gpu::KernelDim3 grid, int64_t threads,
                                 StringRef name, TypeRange buffers,
                                 function_ref<void(gpu::LaunchOp)> build) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value x = arith::ConstantIndexOp::create(b, loc, threads);
  auto launch = gpu::LaunchOp::create(
      b, loc, grid.x, grid.y, grid.z, x, one, one,
      /*dynamicSharedMemorySize=*/Value(), /*asyncTokenType=*/Type(),
      /*asyncDependencies=*/ValueRange(), /*workgroupAttributions=*/buffers);
  launch->setAttr(
      layout::LayoutDialect::ScopeAttrHelper::getNameStr(),
      layout::ScopeAttr::get(b.getContext(), layout::Scope::Workgroup));
  launch->setAttr(kernel::KernelDialect::NameAttrHelper::getNameStr(),
                  b.getStringAttr(name));
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToEnd(&launch.getBody().front());
  auto terminator = gpu::TerminatorOp::create(b, loc);
  b.setInsertionPoint(terminator);
  build(launch);
  return launch;
}

vector::ContractionOp hierarchy::createProduct(OpBuilder &b, Location loc,
                                               Factor lhs, Factor rhs,
                                               Value sums) {
  AffineExpr dm, dn, dk;
  bindDims(b.getContext(), dm, dn, dk);
  auto map = [&](AffineExpr x, AffineExpr y) {
    return AffineMap::get(3, 0, {x, y}, b.getContext());
  };
  SmallVector<AffineMap> maps{lhs.isAlongK ? map(dm, dk) : map(dk, dm),
                              rhs.isAlongK ? map(dn, dk) : map(dk, dn),
                              map(dm, dn)};
  SmallVector<Attribute> iterators;
  for (vector::IteratorType kind :
       {vector::IteratorType::parallel, vector::IteratorType::parallel,
        vector::IteratorType::reduction})
    iterators.push_back(vector::IteratorTypeAttr::get(b.getContext(), kind));
  return vector::ContractionOp::create(b, loc, lhs.value, rhs.value, sums,
                                       b.getAffineMapArrayAttr(maps),
                                       b.getArrayAttr(iterators));
}

Value hierarchy::convertElements(OpBuilder &b, Location loc, Value value,
                                 Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type to = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    to = vector.clone(element);
  unsigned bits = element.getIntOrFloatBitWidth();
  bool widens = from.getIntOrFloatBitWidth() < bits;
  if (!isa<FloatType>(element))
    return widens ? arith::ExtSIOp::create(b, loc, to, value).getResult()
                  : arith::TruncIOp::create(b, loc, to, value).getResult();
  if (widens)
    return arith::ExtFOp::create(b, loc, to, value);
  // Conversions between formats of the same width go through a wider one.
  if (from.getIntOrFloatBitWidth() == bits)
    value = convertElements(b, loc, value, b.getF32Type());
  return arith::TruncFOp::create(b, loc, to, value);
}

OpOperand *hierarchy::findInput(linalg::GenericOp op, Value value) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() == value)
      return input;
  llvm_unreachable("the op must use the value");
}
