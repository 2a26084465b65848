//===- PackFloats.cpp - 4-bit floats share bytes in memory ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/PackedElements.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_PACKFLOATS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// The number of floats in a byte.
constexpr int64_t kPacking = 2;
constexpr unsigned kBits = 4;

RankedTensorType getFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<Float4E2M1FNType>(tensor.getElementType()) ? tensor
                                                                  : nullptr;
}

bool hasWholeBytes(RankedTensorType type) {
  return type.getRank() > 0 && !type.isDynamicDim(type.getRank() - 1) &&
         type.getShape().back() % kPacking == 0;
}

/// Returns the type of the bytes of a tensor of small floats; returns other
/// types unchanged.
Type getPackedType(Type type) {
  RankedTensorType tensor = getFloatTensor(type);
  if (!tensor)
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  shape.back() /= kPacking;
  return RankedTensorType::get(shape, IntegerType::get(type.getContext(), 8));
}

/// Returns whether `op` gets the size of a dimension that the tensor `floats`
/// and the tensor of its bytes have in common.
bool isEqualSize(Operation *op, RankedTensorType floats) {
  auto dim = dyn_cast<tensor::DimOp>(op);
  std::optional<int64_t> index =
      dim ? dim.getConstantIndex() : std::optional<int64_t>();
  return index && *index + 1 < floats.getRank();
}

/// Returns the groups for adding a last dimension, the position of a float in
/// its byte, to a tensor of `rank` dimensions.
SmallVector<ReassociationIndices> getGroups(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim)
    groups.push_back({dim});
  groups.back().push_back(rank);
  return groups;
}

SmallVector<utils::IteratorType> getParallel(int64_t count) {
  return SmallVector<utils::IteratorType>(count, utils::IteratorType::parallel);
}

/// Returns the floats, of type `type`, in the tensor `bytes`.
Value unpack(OpBuilder &b, Location loc, Value bytes, RankedTensorType type) {
  int64_t rank = type.getRank();
  Type element = type.getElementType();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, bytes);
  sizes.push_back(b.getIndexAttr(kPacking));
  Value empty = tensor::EmptyOp::create(b, loc, sizes, element);
  AffineMap all = b.getMultiDimIdentityMap(rank + 1);
  auto op = linalg::GenericOp::create(
      b, loc, empty.getType(), bytes, empty,
      ArrayRef<AffineMap>{all.dropResult(rank), all}, getParallel(rank + 1),
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        linalg::YieldOp::create(
            nested, loc,
            createPackedElement(nested, loc, arguments[0], element, rank));
      });
  return tensor::CollapseShapeOp::create(b, loc, type, op.getResult(0),
                                         getGroups(rank));
}

/// Returns the bytes of the tensor `floats`.
Value pack(OpBuilder &b, Location loc, Value floats) {
  RankedTensorType type = getFloatTensor(floats.getType());
  int64_t rank = type.getRank();
  auto packed = cast<RankedTensorType>(getPackedType(type));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, floats);
  sizes.back() = b.getIndexAttr(packed.getShape().back());
  SmallVector<OpFoldResult> pairSizes = sizes;
  pairSizes.push_back(b.getIndexAttr(kPacking));
  SmallVector<int64_t> pairShape(packed.getShape());
  pairShape.push_back(kPacking);
  Value pairs = tensor::ExpandShapeOp::create(
      b, loc, type.clone(pairShape), floats, getGroups(rank), pairSizes);
  auto slice = [&](int64_t index) -> Value {
    SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0)),
        strides(rank + 1, b.getIndexAttr(1)), shape = sizes;
    offsets.push_back(b.getIndexAttr(index));
    shape.push_back(b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, loc, type.clone(packed.getShape()),
                                          pairs, offsets, shape, strides);
  };
  Value empty = tensor::EmptyOp::create(b, loc, sizes, packed.getElementType());
  AffineMap map = b.getMultiDimIdentityMap(rank);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), ValueRange{slice(0), slice(1)}, empty,
             ArrayRef<AffineMap>{map, map, map}, getParallel(rank),
             [&](OpBuilder &nested, Location, ValueRange arguments) {
               auto extend = [&](Value value) -> Value {
                 Value bits = arith::BitcastOp::create(
                     nested, loc, nested.getIntegerType(kBits), value);
                 return arith::ExtUIOp::create(nested, loc,
                                               packed.getElementType(), bits);
               };
               Value low = extend(arguments[0]), high = extend(arguments[1]);
               Value amount = arith::ConstantIntOp::create(
                   nested, loc, packed.getElementType(), kBits);
               Value shifted = arith::ShLIOp::create(nested, loc, high, amount);
               Value byte = arith::OrIOp::create(nested, loc, low, shifted);
               linalg::YieldOp::create(nested, loc, byte);
             })
      .getResult(0);
}

/// Returns the bytes of a constant.
DenseElementsAttr packConstant(DenseElementsAttr floats) {
  auto type = cast<RankedTensorType>(getPackedType(floats.getType()));
  auto getBits = [](const APFloat &value) {
    return uint8_t(value.bitcastToAPInt().getZExtValue());
  };
  if (floats.isSplat()) {
    uint8_t bits = getBits(floats.getSplatValue<APFloat>());
    return DenseElementsAttr::get(type, uint8_t(bits | bits << kBits));
  }
  SmallVector<uint8_t> bytes;
  for (auto [index, value] : llvm::enumerate(floats.getValues<APFloat>()))
    if (index % kPacking)
      bytes.back() |= getBits(value) << kBits;
    else
      bytes.push_back(getBits(value));
  return DenseElementsAttr::get(type, ArrayRef<uint8_t>(bytes));
}

class PackFloats : public dispatch::impl::PackFloatsBase<PackFloats> {
public:
  void runOnOperation() final {
    SmallVector<func::FuncOp> functions =
        dispatch::getTensorFunctions(getOperation());
    for (func::FuncOp function : functions)
      if (failed(checkTypes(function)))
        return signalPassFailure();
    for (func::FuncOp function : functions)
      packFunction(function);
  }

private:
  static LogicalResult checkTypes(func::FuncOp function) {
    auto check = [&](const char *what, size_t index, Type type) {
      RankedTensorType tensor = getFloatTensor(type);
      if (!tensor || hasWholeBytes(tensor))
        return success();
      return LogicalResult(function.emitOpError("has the ")
                           << what << " #" << index << " of type " << tensor
                           << ", but two elements of "
                           << tensor.getElementType()
                           << " share a byte in memory, so the last dimension "
                              "must be static and even");
    };
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
      if (failed(check("argument", index, type)))
        return failure();
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      if (failed(check("result", index, type)))
        return failure();
    return success();
  }

  static void packFunction(func::FuncOp function) {
    FunctionType type = function.getFunctionType();
    auto packTypes = [](TypeRange types) {
      return llvm::map_to_vector(types, getPackedType);
    };
    function.setType(FunctionType::get(function.getContext(),
                                       packTypes(type.getInputs()),
                                       packTypes(type.getResults())));
    if (function.isExternal())
      return;
    OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
    for (BlockArgument argument : function.getArguments())
      if (RankedTensorType floats = getFloatTensor(argument.getType()))
        packValue(b, argument, floats);
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (isa<func::ReturnOp, func::CallOp, arith::ConstantOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      packOp(op);
  }

  /// Makes `value` a tensor of bytes, and lets its users unpack the floats.
  static void packValue(OpBuilder &b, Value value, RankedTensorType floats) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (!isEqualSize(use.getOwner(), floats))
        uses.push_back(&use);
    value.setType(getPackedType(floats));
    Value unpacked = unpack(b, value.getLoc(), value, floats);
    for (OpOperand *use : uses)
      use->set(unpacked);
  }

  static void packOp(Operation *op) {
    OpBuilder b(op);
    for (OpOperand &operand : op->getOpOperands())
      if (getFloatTensor(operand.get().getType()))
        operand.set(pack(b, op->getLoc(), operand.get()));
    b.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      RankedTensorType floats = getFloatTensor(result.getType());
      if (!floats)
        continue;
      if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
        auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
        if (!value || !hasWholeBytes(floats))
          continue;
        constant.setValueAttr(packConstant(value));
      }
      packValue(b, result, floats);
    }
  }
};

} // namespace
