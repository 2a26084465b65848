//===- AIRInterfaces.cpp - Interfaces of the AIR dialect's ops ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIRInterfaces.h"

using namespace mlir;
using namespace aircc::air;

#include "dialects/air/AIRInterfaces.cpp.inc"

std::optional<SmallVector<int64_t>> AccessPattern::getStaticSizes() const {
  if (!sizes.empty()) {
    SmallVector<int64_t> result;
    for (OpFoldResult size : sizes)
      result.push_back(
          getConstantIntValue(size).value_or(ShapedType::kDynamic));
    return result;
  }
  auto type = dyn_cast_or_null<MemRefType>(getType());
  if (!type)
    return std::nullopt;
  return SmallVector<int64_t>(type.getShape());
}

std::optional<int64_t> AccessPattern::getNumElements() const {
  std::optional<SmallVector<int64_t>> extents = getStaticSizes();
  if (!extents || ShapedType::isDynamicShape(*extents))
    return std::nullopt;
  int64_t count = 1;
  for (int64_t extent : *extents)
    if (llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  return count;
}

bool AccessPattern::operator==(const AccessPattern &rhs) const {
  return memref == rhs.memref &&
         isEqualConstantIntOrValueArray(offsets, rhs.offsets) &&
         isEqualConstantIntOrValueArray(sizes, rhs.sizes) &&
         isEqualConstantIntOrValueArray(strides, rhs.strides);
}

LogicalResult aircc::air::detail::verifyHierarchyOp(Operation *op) {
  auto hierarchy = cast<HierarchyInterface>(op);
  unsigned numDims = hierarchy.getNumDims();
  OperandRange kernelOperands = hierarchy.getKernelOperands();
  Block *body = hierarchy.getBodyBlock();

  unsigned expected = 2 * numDims + kernelOperands.size();
  if (body->getNumArguments() != expected)
    return op->emitOpError("expects ")
           << expected << " block arguments (" << numDims << " ids, " << numDims
           << " sizes and " << kernelOperands.size()
           << " kernel arguments), but its body has "
           << body->getNumArguments();
  for (BlockArgument arg : body->getArguments().take_front(2 * numDims))
    if (!arg.getType().isIndex())
      return op->emitOpError("expects block argument ")
             << arg.getArgNumber() << " ("
             << (arg.getArgNumber() < numDims ? "an id" : "a size")
             << ") to have type 'index', but got " << arg.getType();
  for (auto [operand, arg] :
       llvm::zip_equal(kernelOperands, hierarchy.getKernelArguments()))
    if (operand.getType() != arg.getType())
      return op->emitOpError("expects block argument ")
             << arg.getArgNumber()
             << " to have the type of its kernel operand, " << operand.getType()
             << ", but got " << arg.getType();
  return success();
}
