//===- NarrowVectorMemory.cpp - Vectors of odd-sized elements in memory ---===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A memref stores each element in whole bytes: i1 and i4 in one byte, i24 in
// four. LLVM packs the elements of a vector without padding, also in memory.
// Therefore, a vector of such elements is loaded and stored as a vector of the
// integers that memory contains.
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/VectorLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace {

/// Returns the integer type that memory contains for an element of `type`; null
/// if it is the element type itself.
IntegerType getStored(Type type) {
  if (!type.isIntOrFloat())
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  unsigned stored = std::max<unsigned>(8, llvm::PowerOf2Ceil(width));
  return width == stored ? IntegerType()
                         : IntegerType::get(type.getContext(), stored);
}

/// Fails if the op does not need to change. `value` is the type of the vector
/// that is loaded or stored.
FailureOr<IntegerType> match(Operation *op, Type value, Value memref,
                             PatternRewriter &b) {
  auto vector = dyn_cast<VectorType>(value);
  auto memory = dyn_cast<MemRefType>(memref.getType());
  IntegerType stored = vector ? getStored(vector.getElementType()) : nullptr;
  if (!stored || !memory || memory.getElementType() != vector.getElementType())
    return b.notifyMatchFailure(op, "the elements are not padded in memory");
  return stored;
}

/// Casts the memref to elements of type `stored`. LLVM does not distinguish the
/// two types, so the cast disappears in the conversion to LLVM.
Value castMemory(OpBuilder &b, Location loc, Value memref, Type stored) {
  auto type = cast<MemRefType>(memref.getType());
  MemRefType cast = MemRefType::Builder(type).setElementType(stored);
  return UnrealizedConversionCastOp::create(b, loc, cast, memref).getResult(0);
}

Type withElement(Value value, Type element) {
  return cast<VectorType>(value.getType()).clone(element);
}

Value widen(OpBuilder &b, Location loc, Value vector, IntegerType stored) {
  Type element = getElementTypeOrSelf(vector);
  if (isa<FloatType>(element))
    vector = arith::BitcastOp::create(
        b, loc,
        withElement(vector, b.getIntegerType(element.getIntOrFloatBitWidth())),
        vector);
  return arith::ExtUIOp::create(b, loc, withElement(vector, stored), vector);
}

Value narrow(OpBuilder &b, Location loc, Value vector, Type type) {
  Type element = getElementTypeOrSelf(type);
  Type integer = b.getIntegerType(element.getIntOrFloatBitWidth());
  vector =
      arith::TruncIOp::create(b, loc, withElement(vector, integer), vector);
  if (integer != element)
    vector = arith::BitcastOp::create(b, loc, type, vector);
  return vector;
}

/// Handles vector.load, maskedload and expandload, whose operand 0 is the
/// memory. The last operand of masked ops is the value of masked-off elements.
template <typename LoadOp> struct NarrowLoad : OpRewritePattern<LoadOp> {
  using OpRewritePattern<LoadOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(LoadOp op, PatternRewriter &b) const override {
    FailureOr<IntegerType> stored = match(op, op.getType(), op.getBase(), b);
    if (failed(stored))
      return failure();
    Location loc = op.getLoc();
    IRMapping map;
    map.map(op.getBase(), castMemory(b, loc, op.getBase(), *stored));
    if constexpr (!std::is_same_v<LoadOp, vector::LoadOp>)
      map.map(op.getPassThru(), widen(b, loc, op.getPassThru(), *stored));
    Operation *wide = b.clone(*op, map);
    wide->getResult(0).setType(withElement(op.getResult(), *stored));
    b.replaceOp(op, narrow(b, loc, wide->getResult(0), op.getType()));
    return success();
  }
};

/// Handles vector.store, maskedstore and compressstore.
template <typename StoreOp> struct NarrowStore : OpRewritePattern<StoreOp> {
  using OpRewritePattern<StoreOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(StoreOp op, PatternRewriter &b) const override {
    FailureOr<IntegerType> stored =
        match(op, op.getValueToStore().getType(), op.getBase(), b);
    if (failed(stored))
      return failure();
    Location loc = op.getLoc();
    Value wide = widen(b, loc, op.getValueToStore(), *stored);
    Value memory = castMemory(b, loc, op.getBase(), *stored);
    b.modifyOpInPlace(op, [&] {
      op.getValueToStoreMutable().assign(wide);
      op.getBaseMutable().assign(memory);
    });
    return success();
  }
};

} // namespace

void aircc::populateNarrowVectorMemoryPatterns(RewritePatternSet &patterns) {
  // Gathers and scatters address each element separately.
  patterns.add<NarrowLoad<vector::LoadOp>, NarrowLoad<vector::MaskedLoadOp>,
               NarrowLoad<vector::ExpandLoadOp>, NarrowStore<vector::StoreOp>,
               NarrowStore<vector::MaskedStoreOp>,
               NarrowStore<vector::CompressStoreOp>>(patterns.getContext());
}
