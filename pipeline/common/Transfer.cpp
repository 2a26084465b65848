//===- Transfer.cpp - The addresses of a transfer -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Transfer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cstdlib>
#include <numeric>

using namespace mlir;

namespace aircc {

std::optional<int64_t> TransferSide::getExtent(const TransferDim &dim) {
  std::optional<int64_t> size = getConstantIntValue(dim.size);
  if (size)
    *size += dim.before + dim.after;
  return size;
}

std::optional<int64_t> TransferSide::getCount() const {
  int64_t count = 1;
  for (const TransferDim &dim : dims) {
    std::optional<int64_t> extent = getExtent(dim);
    if (!extent)
      return std::nullopt;
    count *= *extent;
  }
  return count;
}

int64_t TransferSide::getContiguousCount() const {
  const TransferDim &last = dims.back();
  std::optional<int64_t> size = getConstantIntValue(last.size);
  if (!size || getConstantIntValue(last.stride) != 1)
    return 1;
  return std::gcd(*size, std::gcd(last.before, last.after));
}

namespace {

/// The shape and strides of a memref, from its type or as values.
struct Metadata {
  Value base;
  OpFoldResult offset;
  SmallVector<OpFoldResult> sizes, strides;
};

Metadata createMetadata(OpBuilder &b, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto op = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  Metadata metadata;
  metadata.base = op.getBaseBuffer();
  metadata.offset = op.getConstifiedMixedOffset();
  metadata.sizes = op.getConstifiedMixedSizes();
  metadata.strides = op.getConstifiedMixedStrides();
  (void)type;
  return metadata;
}

Value asValue(OpBuilder &b, Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

/// Drops dimensions of size 1 and joins contiguous dimensions.
void simplify(SmallVector<TransferDim> &dims, OpBuilder &b) {
  SmallVector<TransferDim> simple;
  for (const TransferDim &dim : dims) {
    if (!dim.isPadded() && getConstantIntValue(dim.size) == 1)
      continue;
    if (!simple.empty()) {
      TransferDim &outer = simple.back();
      std::optional<int64_t> outerSize = getConstantIntValue(outer.size);
      std::optional<int64_t> outerStride = getConstantIntValue(outer.stride);
      std::optional<int64_t> size = getConstantIntValue(dim.size);
      std::optional<int64_t> stride = getConstantIntValue(dim.stride);
      if (!outer.isPadded() && !dim.isPadded() && outerSize && outerStride &&
          size && stride && *outerStride == *size * *stride) {
        outer.size = b.getIndexAttr(*outerSize * *size);
        outer.stride = dim.stride;
        continue;
      }
    }
    simple.push_back(dim);
  }
  if (simple.empty())
    simple.push_back({b.getIndexAttr(1), b.getIndexAttr(1)});
  dims = std::move(simple);
}

std::optional<int64_t> getProduct(ArrayRef<OpFoldResult> sizes) {
  int64_t product = 1;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> known = getConstantIntValue(size);
    if (!known)
      return std::nullopt;
    product *= *known;
  }
  return product;
}

/// Drops leading sizes of 1, down to `rank` sizes.
SmallVector<OpFoldResult> dropLeadingOnes(ArrayRef<OpFoldResult> sizes,
                                          size_t rank) {
  while (sizes.size() > rank && getConstantIntValue(sizes.front()) == 1)
    sizes = sizes.drop_front();
  return llvm::to_vector(sizes);
}

class TransferBuilder {
public:
  TransferBuilder(OpBuilder &b, air::TransferInterface op)
      : b(b), loc(op.getLoc()), op(op) {}

  FailureOr<Transfer> build();
  FailureOr<TransferSide> buildSide(const air::AccessPattern &pattern);

private:
  FailureOr<TransferSide> createSide(const air::AccessPattern &pattern,
                                     const Metadata &metadata,
                                     ArrayRef<OpFoldResult> otherSizes,
                                     StringRef name);
  LogicalResult checkBounds(MemRefType type, const TransferSide &side,
                            StringRef name);
  LogicalResult checkWritesOnce(const TransferSide &target,
                                ArrayRef<TransferDim> source = {});
  LogicalResult pad(SmallVector<TransferDim> &dims);
  Value createFlat(Value memref, const Metadata &metadata);
  void fillWhole(const air::AccessPattern &pattern, const Metadata &metadata,
                 ArrayRef<OpFoldResult> sizes,
                 SmallVectorImpl<OpFoldResult> &strides);

  OpBuilder &b;
  Location loc;
  air::TransferInterface op;
};

Value TransferBuilder::createFlat(Value memref, const Metadata &metadata) {
  auto type = cast<MemRefType>(memref.getType());
  // The length of the flat view does not matter, because the accesses of the
  // transfer have been checked to be within the memref.
  auto flat =
      MemRefType::get({ShapedType::kDynamic}, type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  Value length = arith::ConstantIndexOp::create(
      b, loc, std::numeric_limits<int32_t>::max());
  return memref::ReinterpretCastOp::create(b, loc, flat, metadata.base, zero,
                                           ArrayRef<OpFoldResult>{length},
                                           ArrayRef<OpFoldResult>{one});
}

/// Sets offsets, sizes and strides of a side that has none. The side is the
/// whole memref in row-major order if the other side has the same number of
/// elements; otherwise, it is a box with the sizes of the other side. If the
/// number is known only at run time, the strides are selected at run time.
void TransferBuilder::fillWhole(const air::AccessPattern &pattern,
                                const Metadata &metadata,
                                ArrayRef<OpFoldResult> sizes,
                                SmallVectorImpl<OpFoldResult> &strides) {
  auto type = cast<MemRefType>(pattern.memref.getType());
  std::optional<int64_t> own = getProduct(metadata.sizes);
  if (!own || getProduct(sizes) || !type.getLayout().isIdentity())
    return;
  Value count = asValue(b, loc, sizes.front());
  for (OpFoldResult size : sizes.drop_front())
    count = b.createOrFold<arith::MulIOp>(loc, count, asValue(b, loc, size));
  Value isWhole = b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, count,
      arith::ConstantIndexOp::create(b, loc, *own));
  OpFoldResult dense = b.getIndexAttr(1);
  for (int64_t i = sizes.size() - 1; i > 0; --i) {
    dense = b.createOrFold<arith::MulIOp>(loc, asValue(b, loc, dense),
                                          asValue(b, loc, sizes[i]));
    OpFoldResult &stride = strides[i - 1];
    if (getConstantIntValue(dense) == getConstantIntValue(stride) &&
        getConstantIntValue(stride))
      continue;
    stride = b.createOrFold<arith::SelectOp>(
        loc, isWhole, asValue(b, loc, dense), asValue(b, loc, stride));
  }
}

/// Builds one side. `otherSizes` are the sizes of the other side, including its
/// padding.
FailureOr<TransferSide>
TransferBuilder::createSide(const air::AccessPattern &pattern,
                            const Metadata &metadata,
                            ArrayRef<OpFoldResult> otherSizes, StringRef name) {
  size_t rank = metadata.sizes.size();
  SmallVector<OpFoldResult> sizes = pattern.sizes;
  SmallVector<OpFoldResult> strides = pattern.strides;
  if (sizes.empty()) {
    std::optional<int64_t> own = getProduct(metadata.sizes);
    std::optional<int64_t> other = getProduct(otherSizes);
    bool isWhole =
        otherSizes.empty() || (pattern.offsets.empty() && own && own == other);
    sizes = isWhole ? metadata.sizes : dropLeadingOnes(otherSizes, rank);
    // A box with the other side's sizes cannot have more dimensions than this
    // side, but the transfer may still be of the whole memref.
    if (!isWhole && sizes.size() > rank && pattern.offsets.empty())
      sizes = metadata.sizes;
  }
  if (strides.empty()) {
    sizes = dropLeadingOnes(sizes, rank);
    if (sizes.size() > rank)
      return op->emitOpError("has ")
             << sizes.size() << " sizes, but no strides, for its " << name
             << " of rank " << rank << "; specify as many strides as sizes";
    strides = llvm::to_vector(
        ArrayRef<OpFoldResult>(metadata.strides).take_back(sizes.size()));
    if (pattern.sizes.empty() && pattern.offsets.empty())
      fillWhole(pattern, metadata, sizes, strides);
  }
  assert(strides.size() == sizes.size() && "the ops' verifiers compare them");

  ArrayRef<OpFoldResult> units;
  if (pattern.offsets.size() == rank)
    units = metadata.strides;
  else if (pattern.offsets.size() == strides.size())
    units = strides;
  else if (!pattern.offsets.empty())
    return op->emitOpError("has ")
           << pattern.offsets.size() << " offsets for its " << name
           << "; specify one for each of its " << rank
           << " dimensions, or one for each of the " << strides.size()
           << " strides";

  TransferSide side;
  side.flat = createFlat(pattern.memref, metadata);
  side.base = asValue(b, loc, metadata.offset);
  for (auto [offset, unit] : llvm::zip(pattern.offsets, units)) {
    if (getConstantIntValue(offset) == 0)
      continue;
    Value step = b.createOrFold<arith::MulIOp>(loc, asValue(b, loc, offset),
                                               asValue(b, loc, unit));
    side.base = b.createOrFold<arith::AddIOp>(loc, side.base, step);
  }
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    side.dims.push_back({size, stride});
  if (failed(
          checkBounds(cast<MemRefType>(pattern.memref.getType()), side, name)))
    return failure();
  return side;
}

/// Rejects accesses that are known to be outside the memref.
LogicalResult TransferBuilder::checkBounds(MemRefType type,
                                           const TransferSide &side,
                                           StringRef name) {
  std::optional<int64_t> first = getConstantIntValue(side.base);
  if (!first || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return success();
  int64_t last = *first;
  for (const TransferDim &dim : side.dims) {
    std::optional<int64_t> size = getConstantIntValue(dim.size);
    std::optional<int64_t> stride = getConstantIntValue(dim.stride);
    if (!size || !stride || *size == 0)
      return success();
    (*stride < 0 ? *first : last) += (*size - 1) * *stride;
  }
  if (*first >= 0 && last < type.getNumElements())
    return success();
  return op->emitOpError("accesses elements ")
         << *first << " to " << last << " of its " << name << ", which has "
         << type.getNumElements()
         << " elements; offsets, sizes and strides (in elements) must stay in "
            "bounds";
}

/// Returns whether two elements along the dimensions have the same address,
/// that is, whether i * a.stride == j * b.stride for some 0 < \|i\| < a.size
/// and 0 < \|j\| < b.size.
bool surelyOverlap(const TransferDim &a, const TransferDim &b) {
  std::optional<int64_t> sizeA = getConstantIntValue(a.size);
  std::optional<int64_t> sizeB = getConstantIntValue(b.size);
  std::optional<int64_t> strideA = getConstantIntValue(a.stride);
  std::optional<int64_t> strideB = getConstantIntValue(b.stride);
  if (!sizeA || !sizeB || !strideA || !strideB || *strideA == 0 ||
      *strideB == 0)
    return false;
  int64_t divisor = std::gcd(*strideA, *strideB);
  return std::abs(*strideB / divisor) < *sizeA &&
         std::abs(*strideA / divisor) < *sizeB;
}

/// Rejects a target in which several elements are certain to have the same
/// address, because lanes write them in an undefined order.
LogicalResult TransferBuilder::checkWritesOnce(const TransferSide &target,
                                               ArrayRef<TransferDim> source) {
  ArrayRef<TransferDim> dims = target.dims;
  if (llvm::any_of(dims, [](const TransferDim &dim) {
        return getConstantIntValue(dim.size) == 0;
      }))
    return success();
  constexpr llvm::StringLiteral kReason =
      ", so one element would be written several times, in an undefined order";
  for (auto [i, dim] : llvm::enumerate(dims)) {
    std::optional<int64_t> size = getConstantIntValue(dim.size);
    if (size == 1 || getConstantIntValue(dim.stride) != 0)
      continue;
    InFlightDiagnostic diag = op->emitOpError("has stride 0 in dimension ")
                              << i << " of its target, which has ";
    if (size)
      diag << "size " << *size;
    else
      diag << "a size known only at run time";
    return diag << kReason
                << "; on a GPU, only the source may have stride 0 (which "
                   "repeats elements)";
  }
  // If both sides overlap in the same way, each write stores the same value.
  auto isSame = [](const TransferDim &a, const TransferDim &b) {
    return a.size == b.size && a.stride == b.stride && !b.isPadded();
  };
  if (dims.size() == source.size() && llvm::all_of_zip(dims, source, isSame))
    return success();
  for (size_t i = 0; i < dims.size(); ++i)
    for (size_t j = i + 1; j < dims.size(); ++j)
      if (surelyOverlap(dims[i], dims[j]))
        return op->emitOpError("has strides that make dimensions ")
               << i << " and " << j << " of its target overlap" << kReason
               << "; on a GPU, only elements of the source may overlap";
  return success();
}

/// Adds the zeros of `pad_before` and `pad_after` around the source.
LogicalResult TransferBuilder::pad(SmallVector<TransferDim> &dims) {
  auto set = [&](std::optional<ArrayRef<int32_t>> widths, StringRef name,
                 int64_t TransferDim::*member) -> LogicalResult {
    if (!widths)
      return success();
    // The padding for an omitted leading dimension of size 1.
    ArrayRef<int32_t> rest = *widths;
    while (rest.size() > dims.size() && rest.front() == 0)
      rest = rest.drop_front();
    if (rest.size() > dims.size())
      return op->emitOpError("has ")
             << widths->size() << " entries in " << name << " for a source of "
             << dims.size() << " dimensions";
    if (widths->size() < dims.size())
      return op->emitOpError("has ")
             << widths->size() << " entries in " << name << " for a source of "
             << dims.size() << " dimensions; specify one for each";
    for (auto [dim, width] : llvm::zip_equal(dims, rest))
      dim.*member = width;
    return success();
  };
  if (failed(set(op.getPadBefore(), "pad_before", &TransferDim::before)))
    return failure();
  return set(op.getPadAfter(), "pad_after", &TransferDim::after);
}

FailureOr<Transfer> TransferBuilder::build() {
  air::AccessPattern dst = op.getTargetPattern();
  air::AccessPattern src = op.getSourcePattern();
  auto dstType = cast<MemRefType>(dst.memref.getType());
  auto srcType = cast<MemRefType>(src.memref.getType());
  if (dstType.getElementType() != srcType.getElementType())
    return op->emitOpError("copies elements of type ")
           << srcType.getElementType() << " into a memref of "
           << dstType.getElementType()
           << "; a transfer cannot convert elements";
  if (op.hasPadding() && !dstType.getElementType().isIntOrIndexOrFloat())
    return op->emitOpError("pads elements of type ")
           << dstType.getElementType()
           << ", but only integers and floats can be padded";
  SmallVector<int64_t> unused;
  int64_t unusedOffset;
  for (MemRefType type : {dstType, srcType})
    if (failed(type.getStridesAndOffset(unused, unusedOffset)))
      return op->emitOpError("has a memref of type ")
             << type << ", whose layout is not strided";

  Transfer transfer;
  transfer.elementType = dstType.getElementType();
  Metadata dstData = createMetadata(b, loc, dst.memref);
  Metadata srcData = createMetadata(b, loc, src.memref);

  FailureOr<TransferSide> source = createSide(
      src, srcData,
      op.hasPadding() ? ArrayRef<OpFoldResult>() : ArrayRef(dst.sizes),
      "source");
  if (failed(source) || failed(pad(source->dims)))
    return failure();
  transfer.src = *source;
  // The default sizes for a target that does not specify them.
  SmallVector<OpFoldResult> sourceSizes;
  if (!src.sizes.empty() || op.hasPadding())
    for (const TransferDim &dim : transfer.src.dims) {
      if (!dim.isPadded()) {
        sourceSizes.push_back(dim.size);
        continue;
      }
      if (std::optional<int64_t> extent = TransferSide::getExtent(dim)) {
        sourceSizes.push_back(b.getIndexAttr(*extent));
        continue;
      }
      Value zeros =
          arith::ConstantIndexOp::create(b, loc, dim.before + dim.after);
      sourceSizes.push_back(
          arith::AddIOp::create(b, loc, asValue(b, loc, dim.size), zeros)
              .getResult());
    }
  FailureOr<TransferSide> target =
      createSide(dst, dstData, sourceSizes, "target");
  if (failed(target))
    return failure();
  transfer.dst = *target;

  std::optional<int64_t> dstCount = transfer.dst.getCount();
  std::optional<int64_t> srcCount = transfer.src.getCount();
  if (dstCount && srcCount && *dstCount != *srcCount)
    return op->emitOpError("transfers ")
           << *srcCount << " elements (including padding) to a target of "
           << *dstCount << "; both sides must have the same number of elements";
  if (failed(checkWritesOnce(transfer.dst, transfer.src.dims)))
    return failure();
  simplify(transfer.dst.dims, b);
  simplify(transfer.src.dims, b);
  return transfer;
}

FailureOr<TransferSide>
TransferBuilder::buildSide(const air::AccessPattern &pattern) {
  auto type = dyn_cast<MemRefType>(pattern.memref.getType());
  if (!type)
    return op->emitOpError("takes an unranked memref; cast it to a ranked one "
                           "with memref.cast");
  SmallVector<int64_t> unused;
  int64_t unusedOffset;
  if (failed(type.getStridesAndOffset(unused, unusedOffset)))
    return op->emitOpError("has a memref of type ")
           << type << ", whose layout is not strided";
  if (pattern.sizes.empty() && !pattern.offsets.empty())
    return op->emitOpError("has offsets, but no sizes; specify one size for "
                           "each transferred dimension");
  FailureOr<TransferSide> side =
      createSide(pattern, createMetadata(b, loc, pattern.memref), {}, "memref");
  if (failed(side) || failed(pad(side->dims)))
    return failure();
  if (pattern.memref == op.getTargetPattern().memref &&
      failed(checkWritesOnce(*side)))
    return failure();
  simplify(side->dims, b);
  return side;
}

} // namespace

FailureOr<Transfer> createTransfer(OpBuilder &b, air::TransferInterface op) {
  return TransferBuilder(b, op).build();
}

FailureOr<TransferSide> createTransferSide(OpBuilder &b,
                                           air::TransferInterface op) {
  air::AccessPattern source = op.getSourcePattern();
  return TransferBuilder(b, op).buildSide(
      source.memref ? source : op.getTargetPattern());
}

} // namespace aircc
