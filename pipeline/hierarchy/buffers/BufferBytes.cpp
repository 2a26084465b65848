//===- BufferBytes.cpp - Sizes of L1 and L2 buffers -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/buffers/BufferBytes.h"

#include "pipeline/hierarchy/execution/UpperBound.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc::hierarchy {

int64_t getElementBytes(Operation *alloc, Type element) {
  int64_t bytes = DataLayout::closest(alloc).getTypeSize(element);
  if (!isa<IntegerType>(element))
    return bytes;
  return bytes <= 8 ? int64_t(llvm::PowerOf2Ceil(bytes))
                    : int64_t(llvm::alignTo(bytes, 16));
}

layout::Result<int64_t> getBufferBytes(Operation *alloc) {
  auto type = cast<MemRefType>(alloc->getResult(0).getType());
  if (!isa<IntegerType, IndexType, FloatType, ComplexType, VectorType,
           DataLayoutTypeInterface>(type.getElementType()))
    return layout::Error{"has elements of unknown size on the device; use "
                         "numbers or vectors of numbers"};
  int64_t elements = 1;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return layout::Error{"has a layout that is not strided"};
  if (type.getLayout().isIdentity()) {
    unsigned dynamic = 0;
    for (int64_t size : type.getShape()) {
      if (ShapedType::isDynamic(size)) {
        Value operand = alloc->getOperand(dynamic++);
        std::optional<int64_t> bound = getUpperBound(operand);
        if (!bound)
          return layout::Error{
              "has a size without a known upper bound, which L1 and L2 buffers "
              "require at compile time; use a constant, or limit the size to a "
              "constant with arith.minui"};
        size = *bound;
      }
      elements *= std::max<int64_t>(size, 0);
    }
  } else {
    if (!type.hasStaticShape() || llvm::any_of(strides, ShapedType::isDynamic))
      return layout::Error{"has a dynamic shape and a layout; use a buffer "
                           "without a layout, and a view of it"};
    elements = offset + 1;
    for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
      elements += (size - 1) * stride;
  }
  return elements * getElementBytes(alloc, type.getElementType());
}

} // namespace aircc::hierarchy
