//===- Combine.cpp - Combine over lanes and waves -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/exchange/Combine.h"

#include "pipeline/distribution/Patterns.h"
#include "pipeline/distribution/exchange/Exchange.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using aircc::layout::DimTiles;
using aircc::layout::NestedLayout;

namespace aircc::distribution {

Value Combiner::operator()(OpBuilder &b, Location loc, Value lhs,
                           Value rhs) const {
  return vector::makeArithReduction(b, loc, kind, lhs, rhs, flags);
}

FailureOr<Value> Combiner::identity(OpBuilder &b, Location loc,
                                    Type type) const {
  using Kind = vector::CombiningKind;
  TypedAttr value;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    auto get = [&](const APFloat &number) {
      value = FloatAttr::get(type, number);
    };
    switch (kind) {
    case Kind::ADD:
      // Use -0, because +0 would change a sum of -0 to +0.
      get(APFloat::getZero(semantics,
                           APFloat::semanticsHasZero(semantics) &&
                               APFloat::semanticsHasSignedRepr(semantics)));
      break;
    case Kind::MUL:
      get(APFloat::getOne(semantics));
      break;
    case Kind::MINIMUMF:
    case Kind::MAXIMUMF: {
      bool negative = kind == Kind::MAXIMUMF;
      get(APFloat::semanticsHasInf(semantics)
              ? APFloat::getInf(semantics, negative)
              : APFloat::getLargest(semantics, negative));
      break;
    }
    case Kind::MINNUMF:
    case Kind::MAXNUMF:
      get(APFloat::getNaN(semantics));
      break;
    default:
      return failure();
    }
  } else {
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    auto get = [&](const APInt &number) {
      value = IntegerAttr::get(type, number);
    };
    switch (kind) {
    case Kind::ADD:
    case Kind::OR:
    case Kind::XOR:
    case Kind::MAXUI:
      get(APInt::getZero(width));
      break;
    case Kind::MUL:
      get(APInt(width, 1));
      break;
    case Kind::AND:
    case Kind::MINUI:
      get(APInt::getAllOnes(width));
      break;
    case Kind::MINSI:
      get(APInt::getSignedMaxValue(width));
      break;
    case Kind::MAXSI:
      get(APInt::getSignedMinValue(width));
      break;
    default:
      return failure();
    }
  }
  return arith::ConstantOp::create(b, loc, value).getResult();
}

NestedLayout withLeadingDims(ArrayRef<DimTiles> dims,
                             const NestedLayout &layout) {
  std::vector<DimTiles> all(dims.begin(), dims.end());
  all.insert(all.end(), layout.dims().begin(), layout.dims().end());
  return *NestedLayout::ofDims(std::move(all));
}

/// Returns the operation of the target that reduces over the lanes of `dims`,
/// if there is one and these are all lanes of the wave. The order of such
/// operations is not specified, so sums are not computed by them.
static std::optional<gpu::AllReduceOperation>
findReduction(const Distributor &d, vector::CombiningKind kind, Type type,
              ArrayRef<DimTiles> dims) {
  using Kind = vector::CombiningKind;
  using Operation = gpu::AllReduceOperation;
  if (!d.target.isXe() || dims.size() != 1 ||
      dims[0].thread != d.target.waveSize)
    return std::nullopt;
  if (type.isF32())
    return kind == Kind::MAXNUMF   ? std::optional(Operation::MAXNUMF)
           : kind == Kind::MINNUMF ? std::optional(Operation::MINNUMF)
                                   : std::nullopt;
  if (!type.isInteger(32))
    return std::nullopt;
  switch (kind) {
  case Kind::MAXSI:
    return Operation::MAXSI;
  case Kind::MINSI:
    return Operation::MINSI;
  case Kind::MAXUI:
    return Operation::MAXUI;
  case Kind::MINUI:
    return Operation::MINUI;
  default:
    return std::nullopt;
  }
}

FailureOr<SmallVector<Value>> combineOverLanes(Distributor &d, Operation *op,
                                               const Combiner &combine,
                                               ValueRange partial,
                                               const NestedLayout &kept,
                                               ArrayRef<DimTiles> reduced) {
  OpBuilder &b = d.b;
  Location loc = op->getLoc();
  SmallVector<Value> values(partial);

  // Tiles whose size is a power of two are combined with xor shuffles, bit by
  // bit.
  SmallVector<DimTiles> byDigit;
  std::vector<DimTiles> rest;
  for (const DimTiles &dim : reduced) {
    DimTiles threads, waves;
    threads.thread = dim.thread;
    threads.threadStride = dim.threadStride;
    waves.subgroup = dim.subgroup;
    waves.subgroupStride = dim.subgroupStride;
    if (dim.thread > 1) {
      if (llvm::isPowerOf2_64(dim.thread) &&
          llvm::isPowerOf2_64(dim.threadStride))
        byDigit.push_back(threads);
      else
        rest.push_back(threads);
    }
    if (dim.subgroup > 1)
      rest.push_back(waves);
  }
  // Start with adjacent lanes.
  llvm::sort(byDigit, [](const DimTiles &lhs, const DimTiles &rhs) {
    return lhs.threadStride < rhs.threadStride;
  });
  if (auto kind =
          findReduction(d, combine.kind, values.front().getType(), byDigit)) {
    for (Value &value : values)
      value = gpu::SubgroupReduceOp::create(b, loc, value, *kind,
                                            /*uniform=*/true);
    byDigit.clear();
  }
  for (const DimTiles &dim : byDigit)
    for (int64_t distance = 1; distance < dim.thread; distance *= 2) {
      Value mask =
          arith::ConstantIntOp::create(b, loc, distance * dim.threadStride, 32);
      for (Value &value : values) {
        Value other = createShuffle(d, loc, value, mask, gpu::ShuffleMode::XOR);
        value = combine(b, loc, value, other);
      }
    }
  if (rest.empty())
    return values;

  // All lanes get all other partial results and combine them in order.
  std::vector<DimTiles> own = rest;
  int64_t parts = 1;
  for (DimTiles &dim : own) {
    int64_t size = dim.size();
    dim = DimTiles();
    dim.element = size;
    parts *= size;
  }
  NestedLayout from = withLeadingDims(rest, kept),
               to = withLeadingDims(own, kept);
  Type type = values.front().getType();
  auto shape = from.distributedShape();
  Value source = d.assemble(VectorType::get(shape, type), values);
  FailureOr<SmallVector<Value>> all = convertLayout(d, op, source, from, to);
  if (failed(all))
    return failure();
  size_t count = values.size();
  for (size_t i = 0; i < count; ++i) {
    values[i] = (*all)[i];
    for (int64_t part = 1; part < parts; ++part)
      values[i] = combine(b, loc, values[i], (*all)[part * count + i]);
  }
  return values;
}

} // namespace aircc::distribution
