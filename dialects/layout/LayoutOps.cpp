//===- LayoutOps.cpp - The ops of the layout dialect ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace aircc::layout;

//===----------------------------------------------------------------------===//
// layout.to_layout
//===----------------------------------------------------------------------===//

static std::string shapeOf(ArrayRef<int64_t> shape) {
  return shapeText(Ints(shape.begin(), shape.end()));
}

LogicalResult ToLayoutOp::verify() {
  auto type = cast<VectorType>(getInput().getType());
  if (type.isScalable())
    return emitOpError("has a scalable vector, ")
           << type << ", but layouts have fixed shapes";
  SmallVector<int64_t> shape = getLayout().getUndistributedShape();
  if (ArrayRef<int64_t>(shape) != type.getShape())
    return emitOpError("has a layout of shape ")
           << shapeOf(shape) << " for a vector of shape "
           << shapeOf(type.getShape());
  return success();
}

OpFoldResult ToLayoutOp::fold(FoldAdaptor) {
  // Remove a repeated to_layout.
  if (auto other = getInput().getDefiningOp<ToLayoutOp>())
    if (other.getLayout() == getLayout() &&
        other.getSharedMemoryConversion() == getSharedMemoryConversion())
      return getInput();
  return {};
}

//===----------------------------------------------------------------------===//
// layout.scaled_contract
//===----------------------------------------------------------------------===//

LogicalResult ScaledContractOp::verify() {
  auto shape = [](Value value) {
    return cast<VectorType>(value.getType()).getShape();
  };
  ArrayRef<int64_t> lhs = shape(getLhs()), rhs = shape(getRhs());
  ArrayRef<int64_t> lhsScales = shape(getLhsScales()),
                    rhsScales = shape(getRhsScales());
  ArrayRef<int64_t> acc = shape(getAcc());
  if (lhs[1] != rhs[1])
    return emitOpError("has ")
           << lhs[1] << " columns in its left-hand side, but " << rhs[1]
           << " in its right-hand side";
  if (acc[0] != lhs[0] || acc[1] != rhs[0])
    return emitOpError("has an accumulator of shape ")
           << shapeOf(acc) << ", but the product has shape "
           << shapeOf({lhs[0], rhs[0]});
  if (lhsScales[0] != lhs[0] || rhsScales[0] != rhs[0] ||
      lhsScales[1] != rhsScales[1] || lhs[1] % lhsScales[1])
    return emitOpError("has scales of shapes ")
           << shapeOf(lhsScales) << " and " << shapeOf(rhsScales)
           << ", which do not divide operands of shapes " << shapeOf(lhs)
           << " and " << shapeOf(rhs) << " into whole blocks";
  return success();
}

//===----------------------------------------------------------------------===//
// layout.async_dma
//===----------------------------------------------------------------------===//

/// Parses the types of source indices, `[vector<16xindex>, index]`. They are
/// omitted if all are index.
static ParseResult
parseIndexTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types,
                ArrayRef<OpAsmParser::UnresolvedOperand> operands) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLSquare())) {
    types.assign(operands.size(), parser.getBuilder().getIndexType());
    return success();
  }
  if (parser.parseTypeList(types) || parser.parseRSquare())
    return failure();
  if (types.size() != operands.size())
    return parser.emitError(loc)
           << "expected " << operands.size() << " source index types, but got "
           << types.size();
  return success();
}

static void printIndexTypes(OpAsmPrinter &printer, Operation *, TypeRange types,
                            OperandRange) {
  if (llvm::all_of(types, [](Type type) { return type.isIndex(); }))
    return;
  printer << '[';
  llvm::interleaveComma(types, printer);
  printer << ']';
}

AffineMap AsyncDmaOp::getMap() {
  if (auto map = getPermutationMap())
    return *map;
  return AffineMap::getMultiDimIdentityMap(getSourceType().getRank(),
                                           getContext());
}

bool AsyncDmaOp::isGather() {
  return llvm::any_of(getSourceIndices().getTypes(), llvm::IsaPred<VectorType>);
}

void AsyncDmaOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDestMutable(),
                       SideEffects::DefaultResource::get());
}

static LogicalResult verifyAsyncDmaMap(AsyncDmaOp op) {
  int64_t sourceRank = op.getSourceType().getRank();
  int64_t tileRank = op.getTileType().getRank();
  if (!op.getPermutationMap()) {
    if (sourceRank == tileRank)
      return success();
    return op.emitOpError(
               "needs a permutation_map because its source has rank ")
           << sourceRank << " and its tile has rank " << tileRank;
  }
  AffineMap map = *op.getPermutationMap();
  if (map.getNumDims() != sourceRank || map.getNumResults() != tileRank)
    return op.emitOpError("has a permutation_map from ")
           << map.getNumDims() << " to " << map.getNumResults()
           << " dimensions, but its source has rank " << sourceRank
           << " and its tile has rank " << tileRank;
  if (map.getNumSymbols() || !map.isProjectedPermutation())
    return op.emitOpError("expects its permutation_map to map each dimension "
                          "of the tile to a different dimension of the source");
  return success();
}

static LogicalResult verifyAsyncDmaIndices(AsyncDmaOp op) {
  AffineMap map = op.getMap();
  for (auto [dim, type] : llvm::enumerate(op.getSourceIndices().getTypes())) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      continue;
    auto position =
        map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
    if (!position)
      return op.emitOpError("has a vector of indices for dimension ")
             << dim
             << " of its source, but no dimension of its tile maps to it";
    int64_t size = op.getTileType().getDimSize(*position);
    if (vector.getDimSize(0) != size)
      return op.emitOpError("has ")
             << vector.getDimSize(0) << " indices for dimension " << dim
             << " of its source, but its tile has " << size
             << " elements along it";
  }
  return success();
}

LogicalResult AsyncDmaOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto dest = cast<MemRefType>(getDest().getType());
  VectorType tile = getTileType();
  if (static_cast<int64_t>(getSourceIndices().size()) != source.getRank())
    return emitOpError("expects one index for each of the ")
           << source.getRank() << " dimensions of its source, but got "
           << getSourceIndices().size();
  if (static_cast<int64_t>(getDestIndices().size()) != dest.getRank())
    return emitOpError("expects one index for each of the ")
           << dest.getRank() << " dimensions of its destination, but got "
           << getDestIndices().size();
  if (tile.getRank() != dest.getRank())
    return emitOpError("expects its tile to have the rank of its destination, ")
           << dest.getRank() << ", but got " << tile.getRank();
  if (source.getElementType() != tile.getElementType() ||
      dest.getElementType() != tile.getElementType())
    return emitOpError("copies elements of type ")
           << tile.getElementType() << " from a source of "
           << source.getElementType() << " to a destination of "
           << dest.getElementType();
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(dest))
    return emitOpError(
        "expects its destination to be in LDS, #gpu.address_space<workgroup>");
  for (auto [dim, sizes] :
       llvm::enumerate(llvm::zip_equal(tile.getShape(), dest.getShape()))) {
    auto [size, room] = sizes;
    if (!ShapedType::isDynamic(room) && size > room)
      return emitOpError("has a tile of ")
             << size << " elements along dimension " << dim
             << ", but its destination has only " << room;
  }
  if (failed(verifyAsyncDmaMap(*this)) || failed(verifyAsyncDmaIndices(*this)))
    return failure();
  if (auto inBounds = getInBounds())
    if (static_cast<int64_t>(inBounds->size()) != tile.getRank())
      return emitOpError("has in_bounds for ")
             << inBounds->size() << " dimensions, but its tile has "
             << tile.getRank();
  return success();
}

//===----------------------------------------------------------------------===//
// layout.swizzle_hint
//===----------------------------------------------------------------------===//

Value SwizzleHintOp::getViewSource() { return getSource(); }

LogicalResult SwizzleHintOp::verify() {
  auto type = dyn_cast<MemRefType>(getSource().getType());
  if (!type || !type.hasStaticShape())
    return emitOpError("expects a buffer with a static shape, but got ")
           << getSource().getType();
  if (!type.getLayout().isIdentity())
    return emitOpError("expects a buffer with an identity layout, but got ")
           << type;
  int64_t row = getSwizzle().getRowWidth();
  if (type.getNumElements() % row != 0)
    return emitOpError("has rows of ")
           << row << " elements, but its buffer of " << type.getNumElements()
           << " elements does not consist of whole rows";
  return success();
}

#define GET_OP_CLASSES
#include "dialects/layout/LayoutOps.cpp.inc"
