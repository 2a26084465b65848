//===- LowerTransfers.cpp - Copies and fills of strided memory ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The runtime copies and fills contiguous ranges of bytes. The upstream
// lowering assumes that such a range starts at the aligned pointer of a memref,
// and ignores the layout of the destination. Therefore, this pass splits
// transfers of memory with a layout.
//
// The runtime fills memory with values of 16 or 32 bits. Other values are
// copied to the first element of a range, and from there in steps that double
// in length.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Passes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERTRANSFERS
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

namespace {

bool hasLayout(Value memref) {
  return !cast<MemRefType>(memref.getType()).getLayout().isIdentity();
}

/// Returns the number of outer dimensions of `type` that are not contiguous
/// with their inner dimensions, as far as the type shows. Returns nullopt for a
/// layout that is not strided.
std::optional<int64_t> countOuterDims(MemRefType type) {
  if (type.getLayout().isIdentity())
    return 0;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  int64_t size = 1, dim = type.getRank();
  for (; dim > 0 && strides[dim - 1] == size; --dim) {
    if (type.isDynamicDim(dim - 1))
      return dim - 1;
    size *= type.getDimSize(dim - 1);
  }
  return dim;
}

/// Splits one op on memory with a layout into ops on contiguous ranges.
class Splitter {
public:
  Splitter(Operation *op, const LLVMTypeConverter &converter)
      : op(op), converter(converter), b(op), loc(op->getLoc()) {}

  /// Calls `emit` at each point where a range is transferred, with the range of
  /// each of `sides` as a memref without a layout.
  LogicalResult split(ArrayRef<Value> sides,
                      function_ref<void(OpBuilder &, ValueRange)> emit) {
    int64_t outer = 0;
    for (Value side : sides) {
      auto type = cast<MemRefType>(side.getType());
      std::optional<int64_t> dims = countOuterDims(type);
      Type element = converter.convertType(type.getElementType());
      if (!dims || !element)
        return op->emitOpError("has an operand of type ")
               << type
               << "; only numeric or vector elements with an identity or "
                  "strided layout can be transferred";
      outer = std::max(outer, *dims);
    }
    // The sizes of the operands agree, so use those of the last one.
    SmallVector<Value> sizes;
    for (Value side : sides) {
      auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, side);
      strides.push_back(metadata.getStrides());
      positions.push_back(metadata.getOffset());
      pointers.push_back(
          memref::ExtractAlignedPointerAsIndexOp::create(b, loc, side));
      sizes = llvm::to_vector_of<Value>(metadata.getSizes());
    }
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    for (int64_t dim = 0; dim < outer; ++dim) {
      auto loop = scf::ForOp::create(b, loc, zero, sizes[dim], one);
      b.setInsertionPointToStart(loop.getBody());
      for (auto [position, stride] : llvm::zip(positions, strides)) {
        Value step =
            arith::MulIOp::create(b, loc, loop.getInductionVar(), stride[dim]);
        position = arith::AddIOp::create(b, loc, position, step);
      }
    }
    Value count = one;
    for (Value size : ArrayRef(sizes).drop_front(outer))
      count = arith::MulIOp::create(b, loc, count, size);
    SmallVector<Value> ranges;
    for (auto [side, pointer, position] : llvm::zip(sides, pointers, positions))
      ranges.push_back(makeRange(cast<MemRefType>(side.getType()), pointer,
                                 position, count));
    emit(b, ranges);
    return success();
  }

  /// Returns a memref<?xT> of `count` elements of `range`, which has no layout,
  /// starting at `position`.
  Value makePart(OpBuilder &at, Value range, Value position, Value count) {
    OpBuilder::InsertionGuard guard(b);
    b.restoreInsertionPoint(at.saveInsertionPoint());
    Value pointer =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, range);
    return makeRange(cast<MemRefType>(range.getType()), pointer, position,
                     count);
  }

private:
  Value toI64(Value index) {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  }

  /// Returns a memref<?xT> of `count` elements starting at `position`, in
  /// elements.
  Value makeRange(MemRefType type, Value pointer, Value position, Value count) {
    auto runType =
        MemRefType::get({ShapedType::kDynamic}, type.getElementType());
    auto pointerType = LLVM::LLVMPointerType::get(b.getContext());
    Value base = LLVM::IntToPtrOp::create(b, loc, pointerType, toI64(pointer));
    Value start = LLVM::GEPOp::create(
        b, loc, pointerType, converter.convertType(type.getElementType()), base,
        ArrayRef<LLVM::GEPArg>{toI64(position)});
    auto descriptor =
        MemRefDescriptor::poison(b, loc, converter.convertType(runType));
    descriptor.setAllocatedPtr(b, loc, start);
    descriptor.setAlignedPtr(b, loc, start);
    descriptor.setConstantOffset(b, loc, 0);
    descriptor.setSize(b, loc, 0, toI64(count));
    descriptor.setConstantStride(b, loc, 0, 1);
    return UnrealizedConversionCastOp::create(b, loc, runType,
                                              Value(descriptor))
        .getResult(0);
  }

  Operation *op;
  const LLVMTypeConverter &converter;
  OpBuilder b;
  Location loc;
  SmallVector<ValueRange> strides;
  SmallVector<Value> positions, pointers;
};

LogicalResult lower(gpu::MemcpyOp copy, const LLVMTypeConverter &converter) {
  if (!hasLayout(copy.getDst()) && !hasLayout(copy.getSrc()))
    return success();
  Splitter splitter(copy, converter);
  if (failed(splitter.split(
          {copy.getDst(), copy.getSrc()}, [&](OpBuilder &b, ValueRange ranges) {
            gpu::MemcpyOp::create(b, copy.getLoc(), TypeRange(), ValueRange(),
                                  ranges[0], ranges[1]);
          })))
    return failure();
  copy.erase();
  return success();
}

/// Returns whether the runtime has a fill function for elements of this type.
bool hasFill(Type element) {
  return element.isIntOrFloat() && (element.getIntOrFloatBitWidth() == 16 ||
                                    element.getIntOrFloatBitWidth() == 32);
}

/// Fills `range` with the single element of `first`, which is in host memory:
///
///   copy(range[0 : 1], first)
///   for (done = 1; done < size; done *= 2)
///     copy(range[done : min(2 * done, size)], range[0 : …])
void buildDoublingFill(OpBuilder &b, Location loc, Splitter &splitter,
                       Value range, Value first) {
  auto copy = [&](OpBuilder &at, Value dst, Value src) {
    gpu::MemcpyOp::create(at, loc, TypeRange(), ValueRange(), dst, src);
  };
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value size = memref::DimOp::create(b, loc, range, zero);
  Value isEmpty =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, size, zero);
  Value head = arith::SelectOp::create(b, loc, isEmpty, zero, one);
  copy(b, splitter.makePart(b, range, zero, head),
       splitter.makePart(b, first, zero, head));
  scf::WhileOp::create(
      b, loc, b.getIndexType(), one,
      [&](OpBuilder &nested, Location, ValueRange done) {
        Value more = arith::CmpIOp::create(
            nested, loc, arith::CmpIPredicate::ult, done[0], size);
        scf::ConditionOp::create(nested, loc, more, done);
      },
      [&](OpBuilder &nested, Location, ValueRange done) {
        Value rest = arith::SubIOp::create(nested, loc, size, done[0]);
        Value step = arith::MinUIOp::create(nested, loc, done[0], rest);
        copy(nested, splitter.makePart(nested, range, done[0], step),
             splitter.makePart(nested, range, zero, step));
        Value next = arith::AddIOp::create(nested, loc, done[0], step);
        scf::YieldOp::create(nested, loc, next);
      });
}

/// Creates host memory that holds `value` when `op` is executed.
Value makeElement(Operation *op, Value value) {
  OpBuilder b(op);
  auto type = MemRefType::get({1}, value.getType());
  // Insert outside loops, so that this does not run in each iteration.
  b.setInsertionPointToStart(
      &op->getParentOfType<FunctionOpInterface>().getFunctionBody().front());
  Value memory = memref::AllocaOp::create(b, op->getLoc(), type);
  b.setInsertionPoint(op);
  Value zero = arith::ConstantIndexOp::create(b, op->getLoc(), 0);
  memref::StoreOp::create(b, op->getLoc(), value, memory, zero);
  return memory;
}

LogicalResult lower(gpu::MemsetOp fill, const LLVMTypeConverter &converter) {
  bool filled = hasFill(fill.getValue().getType());
  if (filled && !hasLayout(fill.getDst()))
    return success();
  Splitter splitter(fill, converter);
  Value element = filled ? fill.getValue() : makeElement(fill, fill.getValue());
  if (failed(
          splitter.split({fill.getDst()}, [&](OpBuilder &b, ValueRange ranges) {
            if (filled)
              gpu::MemsetOp::create(b, fill.getLoc(), TypeRange(), ValueRange(),
                                    ranges[0], element);
            else
              buildDoublingFill(b, fill.getLoc(), splitter, ranges[0], element);
          })))
    return failure();
  fill.erase();
  return success();
}

struct LowerTransfers : aircc::impl::LowerTransfersBase<LowerTransfers> {
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    SmallVector<Operation *> transfers;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (isa<gpu::MemcpyOp, gpu::MemsetOp>(op))
        transfers.push_back(op);
      return WalkResult::advance();
    });
    bool failedAny = false;
    for (Operation *op : transfers) {
      if (auto copy = dyn_cast<gpu::MemcpyOp>(op))
        failedAny |= failed(lower(copy, converter));
      else
        failedAny |= failed(lower(cast<gpu::MemsetOp>(op), converter));
    }
    if (failedAny)
      signalPassFailure();
  }
};

} // namespace
