//===- XeGPUBlocks.cpp - Distribute block accesses ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Loads, stores and prefetches of tiles that a tensor_desc describes. A wave
// uses block accesses if they support its layout; otherwise, each lane accesses
// its elements one by one. In both cases, elements outside the described memory
// are read as 0 and not written.
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/LaneOps.h"
#include "dialects/layout/LayoutDialect.h"
#include "dialects/layout/LayoutValues.h"
#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/memory/BlockAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

namespace {
/// The memory that a tensor_desc describes.
struct Descriptor {
  /// Its sizes are the bounds of the accesses.
  Value memref;
  /// The start of the tile: an index for each dimension of the memref.
  SmallVector<Value> offsets;
};
} // namespace

/// Adds `offsets` to the last `indices`.
static void addOffsets(Distributor &d, SmallVectorImpl<Value> &indices,
                       ArrayRef<OpFoldResult> offsets) {
  size_t first = indices.size() - std::min(indices.size(), offsets.size());
  for (auto [i, offset] : llvm::enumerate(offsets)) {
    std::optional<int64_t> constant = getConstantIntValue(offset);
    Value &index = indices[first + i];
    if (constant && *constant == 0)
      continue;
    Value by = getValueOrCreateConstantIndexOp(d.b, d.loc, offset);
    std::optional<int64_t> own = getConstantIntValue(index);
    index = own && *own == 0 ? by : LaneIds::sum(d.b, d.loc, index, by);
  }
}

/// Folds constant sizes or strides, because block accesses require a known
/// stride of 1.
static SmallVector<OpFoldResult>
foldConstants(SmallVector<OpFoldResult> values) {
  (void)foldDynamicIndexList(values, /*onlyNonNegative=*/true);
  return values;
}

/// Creates a memref for the address that is the source of `op`.
static FailureOr<Value> createMemRefAt(Distributor &d,
                                       xegpu::CreateNdDescOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  if (!op.getSourceType().isInteger(64))
    return op.emitOpError("has a source of type ")
           << op.getSourceType()
           << "; it must be a memref or a 64-bit integer address in global "
              "memory";
  SmallVector<OpFoldResult> sizes = foldConstants(op.getMixedSizes()),
                            strides = foldConstants(op.getMixedStrides());
  assert(!sizes.empty() && sizes.size() == strides.size() &&
         "a descriptor of an address has a shape and strides");
  SmallVector<Value> dynamic;
  SmallVector<int64_t> staticSizes, staticStrides;
  dispatchIndexOpFoldResults(sizes, dynamic, staticSizes);
  dispatchIndexOpFoldResults(strides, dynamic, staticStrides);
  Type element = op.getElementType();
  if (isa<FloatTF32Type>(element))
    element = b.getF32Type();
  auto type = MemRefType::get(
      staticSizes, element, StridedLayoutAttr::get(context, 0, staticStrides),
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Global));

  Value address = op.getSource();
  if (!address.getType().isSignlessInteger())
    address =
        UnrealizedConversionCastOp::create(b, loc, b.getI64Type(), address)
            .getResult(0);
  return kernel::MemRefAtOp::create(
             b, loc, type, address,
             ValueRange(dynamic).take_front(type.getNumDynamicDims()),
             ValueRange(dynamic).drop_front(type.getNumDynamicDims()))
      .getResult();
}

/// Returns the memref of a create_nd_tdesc, with its sizes and strides.
static FailureOr<Value> getMemRef(Distributor &d, xegpu::CreateNdDescOp op) {
  OpBuilder &b = d.b;
  Location loc = op.getLoc();
  auto type = dyn_cast<MemRefType>(op.getSourceType());
  if (!type)
    return createMemRefAt(d, op);
  if (!op.getConstShapeAttr() && op.getShape().empty())
    return op.getSource();
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<OpFoldResult> mixedSizes = foldConstants(op.getMixedSizes()),
                            mixedStrides = foldConstants(op.getMixedStrides());
  SmallVector<Value> dynamic;
  SmallVector<int64_t> sizes, newStrides;
  dispatchIndexOpFoldResults(mixedSizes, dynamic, sizes);
  dispatchIndexOpFoldResults(mixedStrides, dynamic, newStrides);
  auto described = MemRefType::get(
      sizes, type.getElementType(),
      StridedLayoutAttr::get(op.getContext(), offset, newStrides),
      type.getMemorySpace());
  OpFoldResult start = b.getIndexAttr(offset);
  if (ShapedType::isDynamic(offset))
    start = memref::ExtractStridedMetadataOp::create(b, loc, op.getSource())
                .getOffset();
  return memref::ReinterpretCastOp::create(b, loc, described, op.getSource(),
                                           start, mixedSizes, mixedStrides)
      .getResult();
}

static FailureOr<Descriptor> describe(Distributor &d, Operation *user,
                                      Value value) {
  if (auto update = value.getDefiningOp<xegpu::UpdateNdOffsetOp>()) {
    FailureOr<Descriptor> descriptor =
        describe(d, user, update.getTensorDesc());
    if (succeeded(descriptor))
      addOffsets(d, descriptor->offsets, update.getMixedOffsets());
    return descriptor;
  }
  auto create = value.getDefiningOp<xegpu::CreateNdDescOp>();
  if (!create)
    return user->emitOpError("has a tensor_desc that is not created by an "
                             "xegpu.create_nd_tdesc; run stage 'layout', which "
                             "moves descriptors out of loops and branches");
  FailureOr<Value> memory = getMemRef(d, create);
  if (failed(memory))
    return failure();
  Descriptor descriptor;
  descriptor.memref = *memory;
  descriptor.offsets.assign(cast<MemRefType>(memory->getType()).getRank(),
                            d.ids.constant(0));
  SmallVector<OpFoldResult> offsets = create.getMixedOffsets();
  assert(offsets.size() <= descriptor.offsets.size());
  // The offsets are either for the last dimensions of the memref or, if there
  // are fewer than the tile has, for the first.
  if (offsets.size() == descriptor.offsets.size() ||
      offsets.size() >= static_cast<size_t>(create.getType().getRank())) {
    addOffsets(d, descriptor.offsets, offsets);
  } else {
    for (auto [index, offset] : llvm::zip(descriptor.offsets, offsets))
      index = getValueOrCreateConstantIndexOp(d.b, d.loc, offset);
  }
  return descriptor;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Creates the access of an op to the tile that `desc` describes, for vectors
/// with layout `layout`. `transpose` permutes the dimensions of the tile unless
/// it is empty.
static FailureOr<MemoryAccess> createAccess(Distributor &d, Operation *op,
                                            Value desc,
                                            ArrayRef<OpFoldResult> offsets,
                                            ArrayRef<int64_t> transpose,
                                            const NestedLayout &layout) {
  auto type = cast<xegpu::TensorDescType>(desc.getType());
  FailureOr<Descriptor> descriptor = describe(d, op, desc);
  if (failed(descriptor))
    return failure();
  auto memory = cast<MemRefType>(descriptor->memref.getType());
  MemoryAccess access;
  access.op = op;
  access.memref = descriptor->memref;
  access.indices = descriptor->offsets;
  access.elementType = memory.getElementType();
  assert(offsets.size() <= access.indices.size());
  addOffsets(d, access.indices, offsets);
  Type element = type.getElementType();
  if (access.elementType != element &&
      !(isa<FloatTF32Type>(element) && access.elementType.isF32()))
    return op->emitOpError("has a tensor_desc of ")
           << element << " for memory of " << access.elementType
           << ", but the element types must match";
  int64_t rank = type.getRank(), memoryRank = memory.getRank();
  if (rank > memoryRank)
    return op->emitOpError("has a tile of ")
           << rank << " dimensions, but accesses memory of rank " << memoryRank;
  if (layout.rank() != rank)
    return op->emitOpError("has a vector of rank ")
           << layout.rank() << " for a tile of rank " << rank
           << ", but the ranks must match; leave packing to the compiler";
  SmallVector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (!transpose.empty())
    order.assign(transpose.begin(), transpose.end());
  // Dimension i of the vector is dimension order[i] of the tile.
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < rank; ++i) {
    exprs.push_back(
        getAffineDimExpr(memoryRank - rank + order[i], op->getContext()));
    if (layout.dim(i).size() != type.getDimSize(order[i]))
      return op->emitOpError(
          "has a vector whose shape differs from that of the tile");
  }
  access.map = AffineMap::get(memoryRank, 0, exprs, op->getContext());
  auto block = type.getEncodingOfType<xegpu::BlockTensorDescAttr>();
  bool unchecked = block && !block.getBoundaryCheck().getValue();
  for (int64_t i = 0; i < rank; ++i) {
    int64_t dim = memoryRank - rank + order[i];
    std::optional<int64_t> start = getConstantIntValue(access.indices[dim]);
    bool isInside = start && *start >= 0 && !memory.isDynamicDim(dim) &&
                    *start + layout.dim(i).size() <= memory.getDimSize(dim);
    access.inBounds.push_back(isInside || unchecked);
  }
  access.layout = layout;
  return access;
}

/// Calls `body` with the access of each block and its first register. Vectors
/// of several adjacent blocks (array_length) have an additional dimension,
/// which must be within the lane.
static LogicalResult
forEachBlock(Distributor &d, Operation *op, Value desc,
             ArrayRef<OpFoldResult> offsets, ArrayRef<int64_t> transpose,
             const NestedLayout &layout,
             function_ref<void(MemoryAccess &, int64_t)> body) {
  auto type = cast<xegpu::TensorDescType>(desc.getType());
  auto block = type.getEncodingOfType<xegpu::BlockTensorDescAttr>();
  assert(!type.isScattered());
  int64_t count = block ? block.getArrayLength().getInt() : 1;
  if (count == 1) {
    FailureOr<MemoryAccess> access =
        createAccess(d, op, desc, offsets, transpose, layout);
    if (failed(access))
      return failure();
    body(*access, 0);
    return success();
  }
  if (layout.rank() != type.getRank() + 1 || layout.dim(0).size() != count ||
      layout.dim(0).values() != count)
    return op->emitOpError("has ")
           << count
           << " adjacent blocks, all of which must be in each lane, in the "
              "first dimension of the vector";
  std::vector<DimTiles> dims(layout.dims().begin() + 1, layout.dims().end());
  NestedLayout own = *NestedLayout::ofDims(dims);
  for (int64_t i = 0; i < count; ++i) {
    FailureOr<MemoryAccess> access =
        createAccess(d, op, desc, offsets, transpose, own);
    if (failed(access))
      return failure();
    access->indices.back() = LaneIds::add(
        d.b, op->getLoc(), access->indices.back(), i * type.getShape().back());
    body(*access, i * own.numRegisters());
  }
  return success();
}

/// Applies the program's inst_data as a limit of the instruction size. Layouts
/// that stage 'layout' wrote do not limit instructions.
static void
limitInstructionSize(Operation *op,
                     std::optional<xegpu::DistributeLayoutAttr> layout,
                     BlockOptions &options) {
  auto written = dyn_cast_or_null<xegpu::LayoutAttr>(layout ? Attribute(*layout)
                                                            : Attribute());
  auto defaults = op->getAttrOfType<ArrayAttr>(
      layout::LayoutDialect::DefaultsAttrHelper::getNameStr());
  bool isDefault =
      defaults && llvm::is_contained(defaults.getAsValueRange<StringAttr>(),
                                     StringRef("layout"));
  if (!written || isDefault || !written.getInstData())
    return;
  ArrayRef<int32_t> sizes = written.getInstData().asArrayRef();
  if (sizes.back() > 0)
    options.maxColumns = std::min<int64_t>(kMaxBlockColumns, sizes.back());
  if (sizes.size() > 1 && sizes[sizes.size() - 2] > 0)
    options.maxRows = std::min<int64_t>(kMaxBlockRows, sizes[sizes.size() - 2]);
}

static LogicalResult distributeLoad(Distributor &d, xegpu::LoadNdOp op) {
  const NestedLayout *layout = d.getLayout(op.getValue());
  assert(layout && "only ops on vectors with a layout are distributed");
  BlockOptions options;
  options.isRequested = true;
  options.packed = isRightFactor(op.getValue());
  if (!op.getTranspose())
    limitInstructionSize(op, op.getLayout(), options);
  options.hints = {op.getL1HintAttr(), op.getL2HintAttr(), op.getL3HintAttr()};
  auto type = cast<VectorType>(d.getDistributedType(op.getValue()));
  SmallVector<Value> elements;
  LogicalResult result =
      forEachBlock(d, op, op.getTensorDesc(), op.getMixedOffsets(),
                   op.getTranspose().value_or(ArrayRef<int64_t>()), *layout,
                   [&](MemoryAccess &access, int64_t) {
                     if (auto loaded = createBlockLoads(d, access, options)) {
                       llvm::append_range(elements, *loaded);
                       return;
                     }
                     Value zero = arith::ConstantOp::create(
                         d.b, op.getLoc(), d.b.getZeroAttr(access.elementType));
                     llvm::append_range(elements, createLoads(d, access, zero));
                   });
  if (failed(result))
    return failure();
  d.replace(op, d.assemble(type, elements));
  return success();
}

static LogicalResult distributeStore(Distributor &d, xegpu::StoreNdOp op) {
  const NestedLayout *layout = d.getLayout(op.getValue());
  assert(layout && "only ops on vectors with a layout are distributed");
  BlockOptions options;
  options.isRequested = true;
  options.hints = {op.getL1HintAttr(), op.getL2HintAttr(), op.getL3HintAttr()};
  limitInstructionSize(op, op.getLayout(), options);
  SmallVector<Value> elements = d.getDistributedElements(op.getValue());
  LogicalResult result =
      forEachBlock(d, op, op.getTensorDesc(), op.getMixedOffsets(), {}, *layout,
                   [&](MemoryAccess &access, int64_t first) {
                     ValueRange own = ValueRange(elements).slice(
                         first, access.layout.numRegisters());
                     if (!createBlockStores(d, access, own, options))
                       createStores(d, access, own);
                   });
  if (failed(result))
    return failure();
  d.erase(op);
  return success();
}

/// Returns the default distribution of a prefetch over waves: by rows first, so
/// that each wave has complete cache lines.
static NestedLayout getDefaultLayout(ArrayRef<int64_t> shape, int64_t waves) {
  std::vector<DimTiles> dims(shape.size());
  int64_t stride = 1;
  for (auto [dim, size] : llvm::zip_equal(dims, shape)) {
    dim.subgroup = std::gcd(size, waves);
    dim.subgroupStride = stride;
    dim.element = size / dim.subgroup;
    stride *= dim.subgroup;
    waves /= dim.subgroup;
  }
  return *NestedLayout::ofDims(dims);
}

static LogicalResult distributePrefetch(Distributor &d,
                                        xegpu::PrefetchNdOp op) {
  auto type = op.getTensorDescType();
  SmallVector<int64_t> shape(type.getShape());
  auto block = type.getEncodingOfType<xegpu::BlockTensorDescAttr>();
  int64_t count = block ? block.getArrayLength().getInt() : 1;
  NestedLayout layout = getDefaultLayout(shape, d.getNumWaves(op));
  if (auto attr = op->getAttrOfType<layout::NestedLayoutAttr>(
          layout::LayoutDialect::AccessAttrHelper::getNameStr())) {
    layout = attr.getLayout();
    if (ArrayRef<int64_t>(layout.shape()) != ArrayRef<int64_t>(shape))
      return op.emitOpError("has a '")
             << layout::LayoutDialect::AccessAttrHelper::getNameStr()
             << "' for the shape " << layout::shapeText(layout.shape());
    if (auto error = layout.misfit(d.getNumWaves(op), d.target.waveSize))
      return op.emitOpError("has an invalid layout: ") << error->message;
  }
  BlockOptions options;
  options.isRequested = true;
  options.hints = {op.getL1HintAttr(), op.getL2HintAttr(), op.getL3HintAttr()};
  limitInstructionSize(op, op.getLayout(), options);
  for (int64_t i = 0; i < count; ++i) {
    FailureOr<MemoryAccess> access = createAccess(
        d, op, op.getTensorDesc(), op.getMixedOffsets(), {}, layout);
    if (failed(access))
      return failure();
    access->indices.back() = LaneIds::add(
        d.b, op.getLoc(), access->indices.back(), i * shape.back());
    createBlockPrefetches(d, *access, options);
  }
  d.erase(op);
  return success();
}

Distributed distributeXeGPUBlock(Distributor &d, Operation *op) {
  if (!isa<xegpu::LoadNdOp, xegpu::StoreNdOp, xegpu::PrefetchNdOp>(op))
    return std::nullopt;
  if (!d.target.isXe())
    return op->emitOpError(
        "is only supported on Intel GPUs, but the target is not an Intel GPU");
  return llvm::TypeSwitch<Operation *, Distributed>(op)
      .Case([&](xegpu::LoadNdOp op) { return distributeLoad(d, op); })
      .Case([&](xegpu::StoreNdOp op) { return distributeStore(d, op); })
      .Case([&](xegpu::PrefetchNdOp op) { return distributePrefetch(d, op); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace aircc::distribution
