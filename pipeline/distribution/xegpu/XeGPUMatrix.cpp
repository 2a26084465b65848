//===- XeGPUMatrix.cpp - Distribute matrix accesses -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A mem_desc is a buffer with strides, or with strides of blocks. Lanes access
// contiguous elements together.
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"

#include "pipeline/distribution/memory/Divisibility.h"

using namespace mlir;
using aircc::layout::Ints;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

namespace {

class MatrixAccess {
public:
  MatrixAccess(Distributor &d, Operation *op, const NestedLayout &layout)
      : d(d), b(d.b), op(op), loc(op->getLoc()), layout(layout) {}

  LogicalResult prepare(Value descriptor, ArrayRef<OpFoldResult> offsets);
  SmallVector<Value> load();
  void store(ValueRange elements);

private:
  LogicalResult createBuffer(xegpu::CreateMemDescOp create);
  void findContiguousDim();
  /// Returns the registers of the contiguous range that starts with `reg`, in
  /// memory order, or an empty list if none starts there.
  SmallVector<int64_t> getRange(int64_t reg) const;
  Value createOffset(int64_t reg);

  Distributor &d;
  OpBuilder &b;
  Operation *op;
  Location loc;
  const NestedLayout &layout;
  xegpu::MemDescType type;
  /// A memref of one dimension with the element type of the descriptor.
  Value buffer;
  /// The coordinates of register 0 of the lane.
  SmallVector<Value> first;
  /// The dimension along which elements are contiguous, and how many of them a
  /// lane accesses at once.
  int64_t contiguousDim = -1, contiguousLength = 1;
};

} // namespace

LogicalResult MatrixAccess::createBuffer(xegpu::CreateMemDescOp create) {
  auto source = cast<MemRefType>(create.getSource().getType());
  Type element = type.getElementType();
  if (element.getIntOrFloatBitWidth() % 8 != 0)
    return op->emitOpError("has elements of ")
           << element << ", whose size is not a whole number of bytes";
  int64_t count = type.getNumElements();
  auto [strides, offset] = source.getStridesAndOffset();
  bool isPlain = source.getLayout().isIdentity();
  if (!isPlain)
    return create.emitOpError("requires a contiguous source, but got ")
           << source;
  auto flat = [&](Type elementType, int64_t size) {
    return MemRefType::get({size}, elementType, MemRefLayoutAttrInterface(),
                           source.getMemorySpace());
  };
  buffer = create.getSource();
  if (source.getRank() != 1) {
    auto flatType = flat(source.getElementType(), source.getNumElements());
    buffer = memref::CollapseShapeOp::create(
        b, loc, flatType, buffer, ArrayRef<ReassociationIndices>{{0, 1}});
  }
  if (source.getElementType() == element)
    return success();
  if (!source.getElementType().isInteger(8))
    return create.emitOpError("has a source with elements of type ")
           << source.getElementType() << " for a matrix of " << element
           << "; the source must have elements of type " << element << " or i8";
  buffer = memref::ViewOp::create(b, loc, flat(element, count), buffer,
                                  d.ids.constant(0), ValueRange());
  return success();
}

LogicalResult MatrixAccess::prepare(Value descriptor,
                                    ArrayRef<OpFoldResult> offsets) {
  type = cast<xegpu::MemDescType>(descriptor.getType());
  auto create = descriptor.getDefiningOp<xegpu::CreateMemDescOp>();
  if (!create)
    return op->emitOpError("has a mem_desc that is not created by an "
                           "xegpu.create_mem_desc in the kernel");
  int64_t rank = type.getRank();
  if (layout.rank() != rank || static_cast<int64_t>(offsets.size()) != rank)
    return op->emitOpError("has a vector of rank ")
           << layout.rank() << " for a matrix of rank " << rank;
  if (failed(createBuffer(create)))
    return failure();
  for (int64_t i = 0; i < rank; ++i) {
    Value index = getValueOrCreateConstantIndexOp(b, loc, offsets[i]);
    first.push_back(LaneIds::sum(b, loc, index, d.ids.base(layout.dim(i))));
  }
  findContiguousDim();
  return success();
}

void MatrixAccess::findContiguousDim() {
  // Blocks do not change the dimension of stride 1.
  auto strides = llvm::map_to_vector(type.getStrideAttr(), [](Attribute attr) {
    return cast<IntegerAttr>(attr).getInt();
  });
  for (int64_t i = 0; i < layout.rank(); ++i)
    if (strides[i] == 1)
      contiguousDim = i;
  if (contiguousDim < 0)
    return;
  contiguousLength = layout.dim(contiguousDim).element;
  if (type.getBlockAttr().empty())
    return;
  // A range must stay within its block.
  int64_t block = type.getBlockShape()[contiguousDim];
  while (contiguousLength > 1 &&
         (block % contiguousLength != 0 ||
          !isKnownMultiple(first[contiguousDim], contiguousLength)))
    contiguousLength = contiguousLength % 2 == 0 ? contiguousLength / 2 : 1;
}

SmallVector<int64_t> MatrixAccess::getRange(int64_t reg) const {
  Ints shape = layout.distributedShape();
  Ints position = layout::delinearize(reg, shape);
  if (contiguousDim < 0)
    return {reg};
  if (position[contiguousDim] % contiguousLength != 0)
    return {};
  SmallVector<int64_t> registers;
  for (int64_t i = 0; i < contiguousLength; ++i, ++position[contiguousDim])
    registers.push_back(layout::linearize(position, shape));
  return registers;
}

Value MatrixAccess::createOffset(int64_t reg) {
  Ints position = layout::delinearize(reg, layout.distributedShape());
  SmallVector<OpFoldResult> coordinates;
  for (int64_t i = 0; i < layout.rank(); ++i)
    coordinates.push_back(OpFoldResult(LaneIds::add(
        b, loc, first[i], layout.dim(i).coordinate(0, 0, position[i]))));
  return type.getLinearOffsets(b, loc, coordinates);
}

SmallVector<Value> MatrixAccess::load() {
  SmallVector<Value> result(layout.numRegisters());
  Type element = type.getElementType();
  for (int64_t reg = 0, end = result.size(); reg < end; ++reg) {
    SmallVector<int64_t> range = getRange(reg);
    if (range.empty())
      continue;
    Value offset = createOffset(reg);
    SmallVector<Value> loaded;
    if (range.size() == 1)
      loaded.push_back(memref::LoadOp::create(b, loc, buffer, offset));
    else
      loaded = d.getElements(vector::LoadOp::create(
          b, loc,
          VectorType::get({static_cast<int64_t>(range.size())}, element),
          buffer, offset));
    for (auto [to, value] : llvm::zip_equal(range, loaded))
      result[to] = value;
  }
  return result;
}

void MatrixAccess::store(ValueRange elements) {
  for (int64_t reg = 0, end = elements.size(); reg < end; ++reg) {
    SmallVector<int64_t> range = getRange(reg);
    if (range.empty())
      continue;
    Value offset = createOffset(reg);
    SmallVector<Value> values = llvm::map_to_vector(
        range, [&](int64_t from) { return elements[from]; });
    if (values.size() == 1) {
      memref::StoreOp::create(b, loc, values.front(), buffer, offset);
      continue;
    }
    auto vectorType = VectorType::get({static_cast<int64_t>(values.size())},
                                      type.getElementType());
    vector::StoreOp::create(b, loc, d.assemble(vectorType, values), buffer,
                            offset);
  }
}

static LogicalResult distributeLoad(Distributor &d, xegpu::LoadMatrixOp op) {
  const NestedLayout *layout = d.getLayout(op.getRes());
  assert(layout && "only ops on vectors with a layout are distributed");
  MatrixAccess access(d, op, *layout);
  if (failed(access.prepare(op.getMemDesc(), op.getMixedOffsets())))
    return failure();
  d.replace(op, d.assembleDistributed(op.getRes(), access.load()));
  return success();
}

static LogicalResult distributeStore(Distributor &d, xegpu::StoreMatrixOp op) {
  const NestedLayout *layout = d.getLayout(op.getData());
  assert(layout && "only ops on vectors with a layout are distributed");
  SmallVector<Value> elements = d.getDistributedElements(op.getData());
  MatrixAccess access(d, op, *layout);
  if (failed(access.prepare(op.getMemDesc(), op.getMixedOffsets())))
    return failure();
  OpBuilder::InsertionGuard guard(d.b);
  d.enterFirstHolder(op.getLoc(), *layout, d.getNumWaves(op));
  access.store(elements);
  d.erase(op);
  return success();
}

Distributed distributeXeGPUMatrix(Distributor &d, Operation *op) {
  if (auto load = dyn_cast<xegpu::LoadMatrixOp>(op))
    return distributeLoad(d, load);
  if (auto store = dyn_cast<xegpu::StoreMatrixOp>(op))
    return distributeStore(d, store);
  return std::nullopt;
}

} // namespace aircc::distribution
