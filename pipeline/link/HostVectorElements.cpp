//===- HostVectorElements.cpp - Elements of vectors of host code ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Creates the elements of an op's result as scalars, for the loops that
// LoopHostVectors creates.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/HostVectorElements.h"

#include "dialects/layout/LayoutOps.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/Utils/VectorUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace aircc {

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

static Value add(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

static Value below(OpBuilder &b, Location loc, Value index, Value bound) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index, bound);
}

/// Returns the conjunction of two conditions, either of which may be null.
static Value both(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(b, loc, lhs, rhs);
}

/// Returns the element of `from` at the row-major position that `at` has in
/// `shape`.
static SmallVector<Value> reshaped(OpBuilder &b, Location loc, ValueRange at,
                                   ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> from) {
  Value linear = constant(b, loc, 0);
  for (auto [index, size] : llvm::zip_equal(at, shape))
    linear =
        add(b, loc,
            b.createOrFold<arith::MulIOp>(loc, linear, constant(b, loc, size)),
            index);
  SmallVector<Value> result(from.size());
  for (int64_t i = static_cast<int64_t>(from.size()) - 1; i >= 0; --i) {
    Value size = constant(b, loc, from[i]);
    result[i] = b.createOrFold<arith::RemUIOp>(loc, linear, size);
    linear = b.createOrFold<arith::DivUIOp>(loc, linear, size);
  }
  return result;
}

/// Returns the value of `make` if `condition` holds, otherwise `other`.
static Value conditional(OpBuilder &b, Location loc, Value condition,
                         function_ref<Value(OpBuilder &)> make,
                         function_ref<Value(OpBuilder &)> other) {
  if (!condition)
    return make(b);
  auto branch = [&](function_ref<Value(OpBuilder &)> part) {
    return [&loc, part](OpBuilder &inner, Location) {
      scf::YieldOp::create(inner, loc, part(inner));
    };
  };
  return scf::IfOp::create(b, loc, condition, branch(make), branch(other))
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

bool HostVectors::isView(Operation *op) {
  if (auto extract = dyn_cast_or_null<vector::ExtractOp>(op))
    return isa<VectorType>(extract.getResult().getType());
  return isa_and_nonnull<
      layout::ToLayoutOp, vector::BroadcastOp, vector::TransposeOp,
      vector::ShapeCastOp, vector::CreateMaskOp, vector::ConstantMaskOp,
      vector::StepOp, vector::ExtractStridedSliceOp, ub::PoisonOp>(op);
}

Value HostVectors::elementOfView(OpBuilder &b, Value vector, ValueRange at) {
  Operation *op = vector.getDefiningOp();
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case(
          [&](layout::ToLayoutOp op) { return element(b, op.getInput(), at); })
      .Case([&](vector::BroadcastOp op) {
        auto from = dyn_cast<VectorType>(op.getSourceType());
        if (!from)
          return op.getSource();
        SmallVector<Value> place(at.take_back(from.getRank()));
        for (auto [index, size] : llvm::zip_equal(place, from.getShape()))
          if (size == 1)
            index = constant(b, loc, 0);
        return element(b, op.getSource(), place);
      })
      .Case([&](vector::TransposeOp op) {
        SmallVector<Value> place(at.size());
        for (auto [i, from] : llvm::enumerate(op.getPermutation()))
          place[from] = at[i];
        return element(b, op.getVector(), place);
      })
      .Case([&](vector::ShapeCastOp op) {
        return element(b, op.getSource(),
                       reshaped(b, loc, at, op.getResultVectorType().getShape(),
                                op.getSourceVectorType().getShape()));
      })
      .Case([&](vector::CreateMaskOp op) {
        Value all;
        for (auto [index, bound] : llvm::zip_equal(at, op.getOperands()))
          all = both(b, loc, all, below(b, loc, index, bound));
        return all;
      })
      .Case([&](vector::ConstantMaskOp op) {
        Value all;
        for (auto [index, bound] : llvm::zip_equal(at, op.getMaskDimSizes()))
          all =
              both(b, loc, all, below(b, loc, index, constant(b, loc, bound)));
        return all;
      })
      .Case([&](vector::StepOp) { return at.front(); })
      .Case([&](vector::ExtractStridedSliceOp op) {
        SmallVector<Value> place(at);
        for (auto [index, offset] :
             llvm::zip(place, op.getOffsets().getAsValueRange<IntegerAttr>()))
          index = add(b, loc, index, constant(b, loc, offset.getSExtValue()));
        return element(b, op.getSource(), place);
      })
      .Case([&](vector::ExtractOp op) {
        SmallVector<Value> place =
            getValueOrCreateConstantIndexOp(b, loc, op.getMixedPosition());
        llvm::append_range(place, at);
        return element(b, op.getSource(), place);
      })
      .Case([&](ub::PoisonOp op) -> Value {
        return ub::PoisonOp::create(b, loc, getElementTypeOrSelf(op.getType()));
      })
      .Default([](Operation *) -> Value { llvm_unreachable("no view"); });
}

Value HostVectors::element(OpBuilder &b, Value vector, ValueRange at) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return vector;
  Location loc = vector.getLoc();
  SplatElementsAttr splat;
  if (matchPattern(vector, m_Constant(&splat)))
    return arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(splat.getSplatValue<Attribute>()));
  Value buffer = buffers.lookup(vector);
  if (!buffer && isView(vector.getDefiningOp()))
    return elementOfView(b, vector, at);
  return load(b, loc, buffer ? buffer : bufferOf(vector), at,
              type.getElementType());
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// Sets `place` to the memory indices of the element at `at` of a transfer's
/// vector. Returns whether they are in bounds, or null if they certainly are.
static Value placeInMemory(OpBuilder &b, VectorTransferOpInterface transfer,
                           ValueRange at, SmallVector<Value> &place) {
  Location loc = transfer.getLoc();
  place = transfer.getIndices();
  SmallVector<bool> inBounds = transfer.getInBoundsValues();
  Value inside;
  for (auto [i, expr] :
       llvm::enumerate(transfer.getPermutationMap().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    Value &index = place[dim.getPosition()];
    index = add(b, loc, index, at[i]);
    if (inBounds[i])
      continue;
    Value extent =
        memref::DimOp::create(b, loc, transfer.getBase(), dim.getPosition());
    inside = both(b, loc, inside,
                  arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        index, extent));
  }
  return inside;
}

/// Returns the position in the mask of a transfer, the dimensions of which are
/// the memory dimensions that the map names.
static SmallVector<Value> placeInMask(AffineMap map, ValueRange at) {
  SmallVector<Value> place;
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    if (auto position =
            map.getResultPosition(getAffineDimExpr(i, map.getContext())))
      place.push_back(at[*position]);
  return place;
}

/// Returns whether the memory of a transfer has the element type of the vector.
static bool isPlain(VectorTransferOpInterface op) {
  auto memory = dyn_cast<MemRefType>(op.getShapedType());
  return memory &&
         memory.getElementType() == op.getVectorType().getElementType();
}

HostVectors::ElementMaker HostVectors::readingOf(vector::TransferReadOp op,
                                                 Value mask) {
  if (!isPlain(op))
    return {};
  if (!mask)
    mask = op.getMask();
  return [this, op, mask](OpBuilder &b, ValueRange at) mutable {
    Location loc = op.getLoc();
    SmallVector<Value> place;
    Value there = placeInMemory(b, op, at, place);
    if (mask)
      there = both(b, loc, there,
                   element(b, mask, placeInMask(op.getPermutationMap(), at)));
    return conditional(
        b, loc, there,
        [&](OpBuilder &inner) -> Value {
          return memref::LoadOp::create(inner, loc, op.getBase(), place);
        },
        [&](OpBuilder &) -> Value { return op.getPadding(); });
  };
}

/// Iterates over the dimensions of `sizes`, starting with `init`.
static Value
accumulate(OpBuilder &b, Location loc, ArrayRef<int64_t> sizes, Value init,
           function_ref<Value(OpBuilder &, ValueRange, Value)> step) {
  SmallVector<Value> zeros, ends, ones;
  for (int64_t size : sizes) {
    zeros.push_back(constant(b, loc, 0));
    ends.push_back(constant(b, loc, size));
    ones.push_back(constant(b, loc, 1));
  }
  return scf::buildLoopNest(b, loc, zeros, ends, ones, init,
                            [&](OpBuilder &inner, Location, ValueRange at,
                                ValueRange sums) -> scf::ValueVector {
                              return {step(inner, at, sums.front())};
                            })
      .results.front();
}

HostVectors::ElementMaker
HostVectors::reductionOf(vector::MultiDimReductionOp op, Value mask) {
  return [this, op, mask](OpBuilder &b, ValueRange at) mutable {
    Location loc = op.getLoc();
    SmallVector<bool> reduced = op.getReductionMask();
    SmallVector<int64_t> sizes;
    for (auto [size, isReduced] :
         llvm::zip_equal(op.getSourceVectorType().getShape(), reduced))
      if (isReduced)
        sizes.push_back(size);
    return accumulate(
        b, loc, sizes, element(b, op.getAcc(), at),
        [&](OpBuilder &inner, ValueRange along, Value sum) {
          SmallVector<Value> place;
          size_t next = 0, kept = 0;
          for (bool isReduced : reduced)
            place.push_back(isReduced ? along[next++] : at[kept++]);
          Value on = mask ? element(inner, mask, place) : Value();
          Value value = element(inner, op.getSource(), place);
          return vector::makeArithReduction(inner, loc, op.getKind(), value,
                                            sum, {}, on);
        });
  };
}

HostVectors::ElementMaker HostVectors::productOf(vector::ContractionOp op,
                                                 Value mask) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return {};
  return [this, op, mask, maps](OpBuilder &b, ValueRange at) mutable {
    Location loc = op.getLoc();
    SmallVector<int64_t> sizes;
    op.getIterationBounds(sizes);
    SmallVector<int64_t> along;
    for (auto [i, size] : llvm::enumerate(sizes))
      if (!maps[2].isFunctionOfDim(i))
        along.push_back(size);
    return accumulate(
        b, loc, along, element(b, op.getAcc(), at),
        [&](OpBuilder &inner, ValueRange reduced, Value sum) {
          SmallVector<Value> point;
          size_t next = 0;
          for (unsigned i = 0; i < sizes.size(); ++i) {
            std::optional<unsigned> kept =
                maps[2].getResultPosition(getAffineDimExpr(i, op.getContext()));
            point.push_back(kept ? at[*kept] : reduced[next++]);
          }
          auto factor = [&](Value vector, AffineMap map) {
            SmallVector<Value> place;
            for (AffineExpr expr : map.getResults())
              place.push_back(point[cast<AffineDimExpr>(expr).getPosition()]);
            Value value = element(inner, vector, place);
            if (value.getType() == sum.getType())
              return value;
            if (isa<FloatType>(value.getType()))
              return arith::ExtFOp::create(inner, loc, sum.getType(), value)
                  .getResult();
            return arith::ExtSIOp::create(inner, loc, sum.getType(), value)
                .getResult();
          };
          Value lhs = factor(op.getLhs(), maps[0]);
          Value rhs = factor(op.getRhs(), maps[1]);
          Value product =
              isa<FloatType>(sum.getType())
                  ? arith::MulFOp::create(inner, loc, lhs, rhs).getResult()
                  : arith::MulIOp::create(inner, loc, lhs, rhs).getResult();
          Value on = mask ? element(inner, mask, point) : Value();
          return vector::makeArithReduction(inner, loc, op.getKind(), product,
                                            sum, {}, on);
        });
  };
}

HostVectors::ElementMaker HostVectors::elementwiseOf(Operation *op, Value mask,
                                                     Value passThru) {
  return [this, op, mask, passThru](OpBuilder &b, ValueRange at) {
    Location loc = op->getLoc();
    auto compute = [&](OpBuilder &inner) {
      IRMapping scalars;
      for (Value operand : op->getOperands())
        scalars.map(operand, element(inner, operand, at));
      Operation *scalar = inner.clone(*op, scalars);
      for (OpResult result : scalar->getResults())
        result.setType(getElementTypeOrSelf(result.getType()));
      return scalar->getResult(0);
    };
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    return conditional(b, loc, mask ? element(b, mask, at) : Value(), compute,
                       [&](OpBuilder &inner) -> Value {
                         if (passThru)
                           return element(inner, passThru, at);
                         return ub::PoisonOp::create(inner, loc, type);
                       });
  };
}

HostVectors::ElementMaker HostVectors::gatherOf(vector::GatherOp op,
                                                Value mask) {
  auto memory = dyn_cast<MemRefType>(op.getBase().getType());
  if (!memory || mask ||
      memory.getElementType() != op.getVectorType().getElementType())
    return {};
  return [this, op](OpBuilder &b, ValueRange at) mutable {
    Location loc = op.getLoc();
    return conditional(
        b, loc, element(b, op.getMask(), at),
        [&](OpBuilder &inner) -> Value {
          Value index = element(inner, op.getIndices(), at);
          if (!index.getType().isIndex())
            index = arith::IndexCastOp::create(inner, loc, inner.getIndexType(),
                                               index);
          SmallVector<Value> place(op.getOffsets());
          place.back() = add(inner, loc, place.back(), index);
          return memref::LoadOp::create(inner, loc, op.getBase(), place);
        },
        [&](OpBuilder &inner) { return element(inner, op.getPassThru(), at); });
  };
}

HostVectors::ElementMaker HostVectors::reductionOf(vector::ReductionOp op,
                                                   Value mask) {
  if (mask && !op.getAcc())
    return {};
  return [this, op, mask](OpBuilder &b, ValueRange) mutable {
    Location loc = op.getLoc();
    int64_t size = op.getSourceVectorType().getNumElements();
    // Without an initial value, start with the first element.
    Value first = op.getAcc();
    int64_t begin = first ? 0 : 1;
    if (!first)
      first = element(b, op.getVector(), constant(b, loc, 0));
    return accumulate(b, loc, size - begin, first,
                      [&](OpBuilder &inner, ValueRange at, Value sum) {
                        Value place = add(inner, loc, at.front(),
                                          constant(inner, loc, begin));
                        Value on = mask ? element(inner, mask, place) : Value();
                        return vector::makeArithReduction(
                            inner, loc, op.getKind(),
                            element(inner, op.getVector(), place), sum, {}, on);
                      });
  };
}

HostVectors::ElementMaker HostVectors::computationOf(Operation *op, Value mask,
                                                     Value passThru) {
  if (auto outer = dyn_cast<vector::MaskOp>(op)) {
    Operation *inner = outer.getMaskableOp();
    return inner ? computationOf(inner, outer.getMask(), outer.getPassthru())
                 : ElementMaker();
  }
  if (OpTrait::hasElementwiseMappableTraits(op) && op->getNumRegions() == 0) {
    return elementwiseOf(op, mask, passThru);
  }
  return llvm::TypeSwitch<Operation *, ElementMaker>(op)
      .Case([&](vector::TransferReadOp op) { return readingOf(op, mask); })
      .Case(
          [&](vector::MultiDimReductionOp op) { return reductionOf(op, mask); })
      .Case([&](vector::ContractionOp op) { return productOf(op, mask); })
      .Case([&](vector::LoadOp op) -> ElementMaker {
        if (op.getMemRefType().getElementType() !=
            op.getVectorType().getElementType())
          return {};
        return [op](OpBuilder &b, ValueRange at) mutable -> Value {
          SmallVector<Value> place(op.getIndices());
          size_t first = place.size() - at.size();
          for (auto [i, index] : llvm::enumerate(at))
            place[first + i] = add(b, op.getLoc(), place[first + i], index);
          return memref::LoadOp::create(b, op.getLoc(), op.getBase(), place);
        };
      })
      .Case([&](vector::FMAOp op) -> ElementMaker {
        return [this, op](OpBuilder &b, ValueRange at) mutable -> Value {
          return math::FmaOp::create(
              b, op.getLoc(), element(b, op.getLhs(), at),
              element(b, op.getRhs(), at), element(b, op.getAcc(), at));
        };
      })
      .Case([&](vector::GatherOp op) { return gatherOf(op, mask); })
      .Case([&](vector::ExtractOp op) -> ElementMaker {
        // A single element.
        return [this, op](OpBuilder &b, ValueRange) mutable {
          return element(b, op.getSource(),
                         getValueOrCreateConstantIndexOp(
                             b, op.getLoc(), op.getMixedPosition()));
        };
      })
      .Case([&](vector::ReductionOp op) { return reductionOf(op, mask); })
      .Default([](Operation *) { return ElementMaker(); });
}

std::optional<HostVectors::Writing> HostVectors::writingOf(Operation *op,
                                                           Value mask) {
  if (auto outer = dyn_cast<vector::MaskOp>(op)) {
    Operation *inner = outer.getMaskableOp();
    return inner && isa<vector::TransferWriteOp>(inner)
               ? writingOf(inner, outer.getMask())
               : std::nullopt;
  }
  if (auto store = dyn_cast<vector::StoreOp>(op)) {
    VectorType type = store.getVectorType();
    if (store.getMemRefType().getElementType() != type.getElementType())
      return std::nullopt;
    return Writing{llvm::to_vector(type.getShape()),
                   [this, store](OpBuilder &b, ValueRange at) mutable {
                     Location loc = store.getLoc();
                     SmallVector<Value> place(store.getIndices());
                     size_t first = place.size() - at.size();
                     for (auto [i, index] : llvm::enumerate(at))
                       place[first + i] = add(b, loc, place[first + i], index);
                     memref::StoreOp::create(
                         b, loc, element(b, store.getValueToStore(), at),
                         store.getBase(), place);
                   }};
  }
  auto write = dyn_cast<vector::TransferWriteOp>(op);
  if (!write || !isPlain(write))
    return std::nullopt;
  if (!mask)
    mask = write.getMask();
  return Writing{
      llvm::to_vector(write.getVectorType().getShape()),
      [this, write, mask](OpBuilder &b, ValueRange at) mutable {
        Location loc = write.getLoc();
        AffineMap map = write.getPermutationMap();
        SmallVector<Value> place;
        Value there = placeInMemory(b, write, at, place);
        if (mask)
          there = both(b, loc, there, element(b, mask, placeInMask(map, at)));
        OpBuilder::InsertionGuard guard(b);
        if (there) {
          auto branch = scf::IfOp::create(b, loc, there, /*withElse=*/false);
          b.setInsertionPointToStart(branch.thenBlock());
        }
        memref::StoreOp::create(b, loc, element(b, write.getVector(), at),
                                write.getBase(), place);
      }};
}

} // namespace aircc
