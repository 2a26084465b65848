//===- XeGPUScatter.cpp - Distribute scattered accesses -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane accesses the addresses of its elements unless they are masked off.
// Masked-off elements are read as 0.
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/BlockOps.h"
#include "dialects/kernel/LaneOps.h"
#include "dialects/layout/algebra/Transforms.h"
#include "pipeline/distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

namespace {

/// The memory of a scattered access: a one-dimensional memref, or an address.
class ScatteredMemory {
public:
  /// Emits an error if the source is neither.
  static FailureOr<ScatteredMemory> get(Distributor &d, Operation *op,
                                        Value source, Type elementType);

  /// Loads `count` elements starting at `index`, as a scalar or a vector.
  Value load(Value index, int64_t count) const;
  void store(Value index, Value value) const;
  /// Returns the address of element `index`, an i64.
  Value getAddress(Value index) const;
  Value getMemref() const { return memref; }
  /// Creates a memref of unknown size at the address.
  Value createMemRef() const;
  /// Creates a memref of `count` elements that starts at element `index` from
  /// the address.
  Value createChunk(Value index, int64_t count) const;

private:
  explicit ScatteredMemory(Distributor &d, Type elementType)
      : d(d), b(d.b), elementType(elementType) {}

  Distributor &d;
  OpBuilder &b;
  Type elementType;
  /// Either the memref,
  Value memref;
  /// or the address, an i64.
  Value address;
};

/// The indices of a scattered access, each of which refers to a chunk of
/// elements.
struct ScatteredIndices {
  SmallVector<Value> indices, mask;
  int64_t chunk = 1;
};

} // namespace

FailureOr<ScatteredMemory> ScatteredMemory::get(Distributor &d, Operation *op,
                                                Value source,
                                                Type elementType) {
  ScatteredMemory memory(d, elementType);
  if (auto type = dyn_cast<MemRefType>(source.getType())) {
    if (type.getElementType() != elementType || type.getRank() != 1)
      return op->emitOpError("accesses a ")
             << type << " as a row of " << elementType
             << "; the element types of memory and vector must match";
    memory.memref = source;
    return memory;
  }
  if (!source.getType().isInteger(64))
    return op->emitOpError("has a source of type ")
           << source.getType()
           << "; it must be a memref or a 64-bit integer address in global "
              "memory";
  memory.address = source;
  if (!source.getType().isSignlessInteger())
    memory.address = UnrealizedConversionCastOp::create(
                         d.b, op->getLoc(), d.b.getI64Type(), source)
                         .getResult(0);
  return memory;
}

Value ScatteredMemory::getAddress(Value index) const {
  Location loc = d.loc;
  Type i64 = b.getI64Type();
  int64_t bytes = std::max<int64_t>(elementType.getIntOrFloatBitWidth() / 8, 1);
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 64).getResult();
  };
  Value start = address;
  index = arith::IndexCastOp::create(b, loc, i64, index);
  if (memref) {
    start = arith::IndexCastOp::create(
        b, loc, i64,
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref));
    auto [strides, offset] =
        cast<MemRefType>(memref.getType()).getStridesAndOffset();
    if (offset != 0 || strides.back() != 1) {
      auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memref);
      index = arith::MulIOp::create(
          b, loc, index,
          arith::IndexCastOp::create(b, loc, i64, metadata.getStrides()[0]));
      index = arith::AddIOp::create(
          b, loc, index,
          arith::IndexCastOp::create(b, loc, i64, metadata.getOffset()));
    }
  }
  return arith::AddIOp::create(
      b, loc, start, arith::MulIOp::create(b, loc, index, constant(bytes)));
}

Value ScatteredMemory::createMemRef() const {
  auto type = MemRefType::get(
      {ShapedType::kDynamic}, elementType, MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Global));
  Value size = d.ids.constant(std::numeric_limits<int64_t>::max());
  return kernel::MemRefAtOp::create(b, d.loc, type, address, size,
                                    ValueRange());
}

Value ScatteredMemory::createChunk(Value index, int64_t count) const {
  auto type = MemRefType::get(
      {count}, elementType, MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Global));
  return kernel::MemRefAtOp::create(b, d.loc, type, getAddress(index),
                                    ValueRange(), ValueRange());
}

Value ScatteredMemory::load(Value index, int64_t count) const {
  Value buffer = memref;
  if (!buffer) {
    buffer = createChunk(index, count);
    index = d.ids.constant(0);
  }
  if (count == 1)
    return memref::LoadOp::create(b, d.loc, buffer, index);
  return vector::LoadOp::create(b, d.loc, VectorType::get({count}, elementType),
                                buffer, index);
}

void ScatteredMemory::store(Value index, Value value) const {
  Value buffer = memref;
  auto vectorType = dyn_cast<VectorType>(value.getType());
  if (!buffer) {
    buffer = createChunk(index, vectorType ? vectorType.getNumElements() : 1);
    index = d.ids.constant(0);
  }
  if (vectorType)
    vector::StoreOp::create(b, d.loc, value, buffer, index);
  else
    memref::StoreOp::create(b, d.loc, value, buffer, index);
}

/// Returns the elements of a distributed operand with layout `layout`; a scalar
/// is used for all elements.
static FailureOr<SmallVector<Value>>
getOperandElements(Distributor &d, Operation *op, const char *name, Value value,
                   const NestedLayout &layout) {
  if (!isa<VectorType>(value.getType()))
    return SmallVector<Value>(layout.numRegisters(), value);
  const NestedLayout *own = d.getLayout(value);
  if (!own)
    return op->emitOpError("has a ") << name << " without a layout";
  if (*own != layout)
    return emitLayoutMismatch(op, name, *own, layout);
  return d.getDistributedElements(value);
}

/// Returns the indices of an access by vectors with layout `layout`. If the
/// vector has one more dimension than the offsets, its last dimension holds the
/// chunks.
static FailureOr<ScatteredIndices> getIndices(Distributor &d, Operation *op,
                                              Value offsets, Value mask,
                                              const NestedLayout &layout) {
  ScatteredIndices result;
  NestedLayout own = layout;
  auto type = dyn_cast_or_null<VectorType>(offsets.getType());
  if (type && type.getRank() + 1 == layout.rank()) {
    const layout::DimTiles &last = layout.dim(layout.rank() - 1);
    if (last.values() != last.size())
      return op->emitOpError(
          "has chunks that are distributed over lanes, but each chunk must be "
          "in one lane");
    result.chunk = last.size();
    own = *layout::project(layout, layout::Ints{layout.rank() - 1});
  }
  FailureOr<SmallVector<Value>> indices =
      getOperandElements(d, op, "vector of offsets", offsets, own);
  if (failed(indices))
    return failure();
  FailureOr<SmallVector<Value>> bits =
      getOperandElements(d, op, "mask", mask, own);
  if (failed(bits))
    return failure();
  result.indices = *indices;
  result.mask = *bits;
  for (Value &index : result.indices)
    if (!index.getType().isIndex())
      index = arith::IndexCastOp::create(d.b, d.loc, d.b.getIndexType(), index);
  return result;
}

/// Returns the source and the offsets of an op, from the op itself or from its
/// tensor_desc.
static FailureOr<std::pair<Value, Value>> getSource(Operation *op, Value source,
                                                    Value offsets) {
  if (offsets)
    return std::pair<Value, Value>(source, offsets);
  SmallVector<Value> updates;
  while (auto update = source.getDefiningOp<xegpu::UpdateOffsetOp>()) {
    updates.push_back(update.getOffsets());
    source = update.getTensorDesc();
  }
  auto create = source.getDefiningOp<xegpu::CreateDescOp>();
  if (!create || !updates.empty())
    return op->emitOpError(
        "has a tensor_desc that is not created by an xegpu.create_tdesc; run "
        "stage 'layout', which moves descriptors out of loops, branches and "
        "updates");
  return std::pair<Value, Value>(create.getSource(), create.getOffsets());
}

namespace {
/// A scattered access by vectors of one layout.
struct ScatteredAccess {
  NestedLayout layout;
  ScatteredMemory memory;
  ScatteredIndices lanes;
};
} // namespace

/// Returns the access of an op that loads or stores `vector`, which messages
/// call `name`. `offsets` is null if `source` is a tensor_desc.
static FailureOr<ScatteredAccess>
getScatteredAccess(Distributor &d, Operation *op, const char *name,
                   Value vector, Value source, Value offsets, Value mask) {
  const NestedLayout *layout = d.getLayout(vector);
  if (!layout)
    return op->emitOpError("has a ") << name << " without a layout";
  auto described = getSource(op, source, offsets);
  if (failed(described))
    return failure();
  Type element = getElementTypeOrSelf(d.getDistributedType(vector));
  auto memory = ScatteredMemory::get(d, op, described->first, element);
  if (failed(memory))
    return failure();
  auto lanes = getIndices(d, op, described->second, mask, *layout);
  if (failed(lanes))
    return failure();
  return ScatteredAccess{*layout, *memory, *lanes};
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static LogicalResult distributeLoad(Distributor &d, xegpu::LoadGatherOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  FailureOr<ScatteredAccess> access =
      getScatteredAccess(d, op, "result", op.getValue(), op.getSource(),
                         op.getOffsets(), op.getMask());
  if (failed(access))
    return failure();
  auto type = cast<VectorType>(d.getDistributedType(op.getValue()));
  const ScatteredIndices &lanes = access->lanes;
  Type chunkType = type.getElementType();
  if (lanes.chunk > 1)
    chunkType = VectorType::get({lanes.chunk}, chunkType);
  SmallVector<Value> elements;
  for (auto [index, on] : llvm::zip_equal(lanes.indices, lanes.mask)) {
    Value loaded = d.select(
        loc, chunkType, on,
        [&, index = index] { return access->memory.load(index, lanes.chunk); },
        [&]() -> Value {
          return arith::ConstantOp::create(b, loc, b.getZeroAttr(chunkType));
        });
    llvm::append_range(elements, d.getElements(loaded));
  }
  d.replace(op, d.assemble(type, elements));
  return success();
}

static LogicalResult distributeStore(Distributor &d, xegpu::StoreScatterOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  FailureOr<ScatteredAccess> access =
      getScatteredAccess(d, op, "value", op.getValue(), op.getDest(),
                         op.getOffsets(), op.getMask());
  if (failed(access))
    return failure();
  const ScatteredIndices &lanes = access->lanes;
  SmallVector<Value> values = d.getDistributedElements(op.getValue());
  OpBuilder::InsertionGuard guard(b);
  d.enterFirstHolder(loc, access->layout, d.getNumWaves(op));
  for (size_t i = 0; i < lanes.indices.size(); ++i) {
    auto branch = scf::IfOp::create(b, loc, lanes.mask[i], /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    ArrayRef<Value> own =
        ArrayRef<Value>(values).slice(i * lanes.chunk, lanes.chunk);
    Value value = own.front();
    if (lanes.chunk > 1)
      value = d.assemble(VectorType::get({lanes.chunk}, value.getType()), own);
    access->memory.store(lanes.indices[i], value);
  }
  d.erase(op);
  return success();
}

static bool isInSLM(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt() == 3;
  if (auto own = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return own.getValue() == gpu::AddressSpace::Workgroup;
  auto own = dyn_cast_or_null<xegpu::MemorySpaceAttr>(space);
  return own && own.getValue() == xegpu::MemorySpace::SLM;
}

static LogicalResult distributePrefetch(Distributor &d, xegpu::PrefetchOp op) {
  auto source = getSource(op, op.getSource(), op.getOffsets());
  if (failed(source))
    return failure();
  const NestedLayout *layout = d.getLayout(source->second);
  auto type = dyn_cast<MemRefType>(source->first.getType());
  d.erase(op);
  // Prefetches are hints: dropping one is legal. SLM is not cached, and the
  // distance between elements of a bare pointer is unknown.
  if (!layout || !type || isInSLM(type))
    return success();
  auto memory =
      ScatteredMemory::get(d, op, source->first, type.getElementType());
  if (failed(memory))
    return failure();
  OpBuilder::InsertionGuard guard(d.b);
  d.enterFirstHolder(op.getLoc(), *layout, d.getNumWaves(op));
  for (Value index : d.getDistributedElements(source->second))
    kernel::PrefetchOp::create(d.b, op.getLoc(), memory->getAddress(index));
  return success();
}

static LogicalResult distributeAtomic(Distributor &d, xegpu::AtomicRMWOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  FailureOr<ScatteredAccess> access =
      getScatteredAccess(d, op, "value", op.getValue(), op.getTensorDesc(),
                         /*offsets=*/Value(), op.getMask());
  if (failed(access))
    return failure();
  const ScatteredIndices &lanes = access->lanes;
  if (lanes.chunk != 1)
    return op.emitOpError(
        "has chunks, but only single elements can be updated atomically");
  Value buffer = access->memory.getMemref();
  if (!buffer)
    buffer = access->memory.createMemRef();
  Value first = d.ids.isFirstHolder(access->layout, d.getNumWaves(op));
  if (first && !op.getResult().use_empty())
    return op.emitOpError(
        "has a result that several lanes hold, but only one of them performs "
        "the update; use a layout in which each element is in one lane");
  SmallVector<Value> values = d.getDistributedElements(op.getValue()), old;
  for (auto [value, index, on] :
       llvm::zip_equal(values, lanes.indices, lanes.mask)) {
    Type element = value.getType();
    auto update = [&, value = value, index = index]() -> Value {
      return memref::AtomicRMWOp::create(b, loc, op.getKind(), value, buffer,
                                         index);
    };
    auto zero = [&]() -> Value {
      return arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
    };
    old.push_back(
        d.select(loc, element, createAnd(b, loc, first, on), update, zero));
  }
  d.replace(op, d.assembleDistributed(op.getResult(), old));
  return success();
}

Distributed distributeXeGPUScatter(Distributor &d, Operation *op) {
  return llvm::TypeSwitch<Operation *, Distributed>(op)
      .Case([&](xegpu::LoadGatherOp op) { return distributeLoad(d, op); })
      .Case([&](xegpu::StoreScatterOp op) { return distributeStore(d, op); })
      .Case([&](xegpu::PrefetchOp op) { return distributePrefetch(d, op); })
      .Case([&](xegpu::AtomicRMWOp op) { return distributeAtomic(d, op); })
      // This op creates no code, because its users read its operands.
      .Case([&](xegpu::CreateDescOp op) {
        d.erase(op);
        return success();
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace aircc::distribution
