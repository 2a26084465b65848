//===- NarrowVectorMemory.cpp - Vectors of odd integers in memory ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memref gives each element whole bytes: one for i1 and i4, four for i24.
// LLVM packs the elements of a vector, bit by bit, also in memory. So what
// moves a vector of such elements between registers and memory does it as a
// vector of the integers that memory holds.
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

/// The integer that memory holds for an element of `type`; none where that is
/// the element itself.
IntegerType getStored(Type type) {
  if (!type.isIntOrFloat())
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  unsigned stored = std::max<unsigned>(8, llvm::PowerOf2Ceil(width));
  return width == stored ? IntegerType()
                         : IntegerType::get(type.getContext(), stored);
}

/// Fails where the op needs no change. `value` is what it moves.
FailureOr<IntegerType> match(Operation *op, Type value, Value memref,
                             PatternRewriter &b) {
  auto vector = dyn_cast<VectorType>(value);
  auto memory = dyn_cast<MemRefType>(memref.getType());
  IntegerType stored = vector ? getStored(vector.getElementType()) : nullptr;
  if (!stored || !memory || memory.getElementType() != vector.getElementType())
    return b.notifyMatchFailure(op, "moves elements as memory holds them");
  return stored;
}

/// The same memory with elements of `stored`. Both types are the same to LLVM,
/// so that the cast goes away with the conversion to it.
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

/// vector.load, maskedload and expandload: operand 0 is the memory. The masked
/// ones have the value of lanes that are off as the last operand.
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

/// vector.store, maskedstore and compressstore.
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
  // Gathers and scatters name each element's place.
  patterns.add<NarrowLoad<vector::LoadOp>, NarrowLoad<vector::MaskedLoadOp>,
               NarrowLoad<vector::ExpandLoadOp>, NarrowStore<vector::StoreOp>,
               NarrowStore<vector::MaskedStoreOp>,
               NarrowStore<vector::CompressStoreOp>>(patterns.getContext());
}
