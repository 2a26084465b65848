//===- LowerLaneOps.cpp - Lower the kernel dialect's lane instructions ----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/AddressPointers.h"

#include "dialects/kernel/LaneOps.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERLANEOPS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

using namespace aircc::kernel;
using aircc::Backend;
using LLVM::AtomicOrdering;

class LaneOpLowering {
public:
  LaneOpLowering(Operation *module, Backend backend)
      : b(module->getContext()), backend(backend), dominance(module) {}

  /// Lowers `op` if it is a lane instruction of the kernel dialect.
  void lower(Operation *op);
  /// Erases the lowered ops.
  void finish();

private:
  Value lowerOp(AtomicLoadOp op);
  Value lowerOp(AtomicStoreOp op);
  Value lowerOp(AtomicAddOp op);
  Value lowerOp(MemRefAtOp op);
  Value lowerOp(OffsetMemRefOp op);
  Value lowerOp(PermuteBytesOp op);
  Value lowerOp(RescaleOp op);
  Value lowerOp(SetPriorityOp op);
  Value lowerOp(TrapOp op);

  /// Returns the name of a scope in LLVM's backends; "" for the system scope.
  StringRef getSyncScope(Scope scope) const;
  Value getWordPointer(Location loc, Value base, Value index, Type word);
  Value toI64(Location loc, OpFoldResult index);

  OpBuilder b;
  Backend backend;
  aircc::AddressPointers pointers;
  /// The ops to erase later, because `pointers` may refer to their results.
  SmallVector<Operation *> lowered;
  DominanceInfo dominance;
};

} // namespace

StringRef LaneOpLowering::getSyncScope(Scope scope) const {
  if (scope == Scope::System)
    return "";
  return backend == Backend::ROCDL ? "agent" : "device";
}

Value LaneOpLowering::toI64(Location loc, OpFoldResult index) {
  return arith::IndexCastOp::create(
      b, loc, b.getI64Type(), getValueOrCreateConstantIndexOp(b, loc, index));
}

//===----------------------------------------------------------------------===//
// Atomic accesses
//===----------------------------------------------------------------------===//

/// Computes the pointer after the definitions of its operands, outside the loop
/// that waits for the word.
Value LaneOpLowering::getWordPointer(Location loc, Value base, Value index,
                                     Type word) {
  Value pointer = pointers.get(b, loc, base);
  OpBuilder::InsertionGuard guard(b);
  if (std::optional<int64_t> constant = getConstantIntValue(index)) {
    b.setInsertionPointAfterValue(pointer);
    index = arith::ConstantIndexOp::create(b, loc, *constant);
  } else {
    bool isEarlier =
        dominance.properlyDominates(index, pointer.getDefiningOp());
    b.setInsertionPointAfterValue(isEarlier ? pointer : index);
  }
  return LLVM::GEPOp::create(b, loc, pointer.getType(), word, pointer,
                             toI64(loc, index));
}

/// Returns the size of an atomic word in bytes, which is its alignment.
static unsigned getWordBytes(Type word) {
  return word.getIntOrFloatBitWidth() / 8;
}

Value LaneOpLowering::lowerOp(AtomicLoadOp op) {
  Location loc = op.getLoc();
  Type word = op.getResult().getType();
  return LLVM::LoadOp::create(
      b, loc, word, getWordPointer(loc, op.getBase(), op.getIndex(), word),
      getWordBytes(word), /*isVolatile=*/false, /*isNonTemporal=*/false,
      /*isInvariant=*/false, /*isInvariantGroup=*/false,
      AtomicOrdering::monotonic, getSyncScope(op.getScope()));
}

Value LaneOpLowering::lowerOp(AtomicStoreOp op) {
  Location loc = op.getLoc();
  Type word = op.getValue().getType();
  LLVM::StoreOp::create(b, loc, op.getValue(),
                        getWordPointer(loc, op.getBase(), op.getIndex(), word),
                        getWordBytes(word), /*isVolatile=*/false,
                        /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false, AtomicOrdering::monotonic,
                        getSyncScope(op.getScope()));
  return {};
}

Value LaneOpLowering::lowerOp(AtomicAddOp op) {
  Location loc = op.getLoc();
  Type word = op.getValue().getType();
  return LLVM::AtomicRMWOp::create(
      b, loc, LLVM::AtomicBinOp::add,
      getWordPointer(loc, op.getBase(), op.getIndex(), word), op.getValue(),
      AtomicOrdering::monotonic, getSyncScope(op.getScope()),
      getWordBytes(word));
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// Returns the sizes and strides. The strides are static, or computed from the
/// sizes.
static std::pair<SmallVector<OpFoldResult>, SmallVector<OpFoldResult>>
getSizesAndStrides(OpBuilder &b, MemRefAtOp op) {
  auto type = cast<MemRefType>(op.getResult().getType());
  SmallVector<OpFoldResult> sizes =
      getMixedValues(type.getShape(), op.getSizes(), b);
  if (!type.getLayout().isIdentity())
    return {sizes, getMixedValues(type.getStridesAndOffset().first,
                                  op.getStrides(), b)};
  SmallVector<OpFoldResult> strides(sizes.size());
  OpFoldResult stride = b.getIndexAttr(1);
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    if (dim == 0)
      break;
    stride = b.createOrFold<arith::MulIOp>(
        op.getLoc(), getValueOrCreateConstantIndexOp(b, op.getLoc(), stride),
        getValueOrCreateConstantIndexOp(b, op.getLoc(), sizes[dim]));
  }
  return {sizes, strides};
}

/// Builds the struct to which memrefs are converted.
Value LaneOpLowering::lowerOp(MemRefAtOp op) {
  Location loc = op.getLoc();
  auto [sizes, strides] = getSizesAndStrides(b, op);
  Type i64 = b.getI64Type();
  Type list = LLVM::LLVMArrayType::get(i64, sizes.size());
  Value pointer = LLVM::IntToPtrOp::create(
      b, loc,
      LLVM::LLVMPointerType::get(b.getContext(), aircc::kGlobalAddressSpace),
      op.getAddress());
  auto structType = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {pointer.getType(), pointer.getType(), i64, list, list});
  Value value = LLVM::PoisonOp::create(b, loc, structType);
  auto insert = [&](Value part, ArrayRef<int64_t> at) {
    value = LLVM::InsertValueOp::create(b, loc, value, part, at);
  };
  insert(pointer, 0);
  insert(pointer, 1);
  insert(LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)), 2);
  for (auto [i, size, stride] : llvm::enumerate(sizes, strides)) {
    insert(toI64(loc, size), {3, static_cast<int64_t>(i)});
    insert(toI64(loc, stride), {4, static_cast<int64_t>(i)});
  }
  return UnrealizedConversionCastOp::create(b, loc, op.getResult().getType(),
                                            value)
      .getResult(0);
}

/// Keeps the descriptor, but with other pointers.
Value LaneOpLowering::lowerOp(OffsetMemRefOp op) {
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getSource().getType());
  LLVMTypeConverter converter(b.getContext());
  Type descriptorType = converter.convertType(MemRefType::get(
      type.getShape(), type.getElementType(), type.getLayout()));
  Value source =
      UnrealizedConversionCastOp::create(b, loc, descriptorType, op.getSource())
          .getResult(0);
  MemRefDescriptor descriptor(source);
  auto move = [&](Value pointer) -> Value {
    return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(),
                               pointer, op.getBytes());
  };
  Value allocated = move(descriptor.allocatedPtr(b, loc));
  Value aligned = move(descriptor.alignedPtr(b, loc));
  descriptor.setAllocatedPtr(b, loc, allocated);
  descriptor.setAlignedPtr(b, loc, aligned);
  return UnrealizedConversionCastOp::create(b, loc, type, Value(descriptor))
      .getResult(0);
}

Value LaneOpLowering::lowerOp(PermuteBytesOp op) {
  Location loc = op.getLoc();
  if (backend == Backend::ROCDL) {
    uint32_t select = 0;
    for (auto [i, byte] : llvm::enumerate(op.getBytes()))
      select |= static_cast<uint32_t>(byte) << (8 * i);
    Value selector = LLVM::ConstantOp::create(
        b, loc, b.getI32IntegerAttr(static_cast<int32_t>(select)));
    return LLVM::CallIntrinsicOp::create(
               b, loc, b.getI32Type(), b.getStringAttr("llvm.amdgcn.perm"),
               ValueRange{op.getHigh(), op.getLow(), selector})
        ->getResult(0);
  }
  auto word = VectorType::get({1}, b.getI32Type());
  auto fourBytes = VectorType::get({4}, b.getI8Type());
  auto toBytes = [&](Value value) -> Value {
    return vector::BitCastOp::create(
        b, loc, fourBytes, vector::FromElementsOp::create(b, loc, word, value));
  };
  Value low = toBytes(op.getLow()), high = toBytes(op.getHigh());
  SmallVector<int64_t> mask(op.getBytes());
  Value shuffled = vector::ShuffleOp::create(b, loc, low, high, mask);
  return vector::ExtractOp::create(
      b, loc, vector::BitCastOp::create(b, loc, word, shuffled), int64_t(0));
}

/// Returns the number to which all elements of `vector` are equal; null if it
/// is unknown.
static Value getOnlyNumber(OpBuilder &b, Location loc, Value vector) {
  while (isa_and_nonnull<vector::BroadcastOp, vector::ShapeCastOp>(
      vector.getDefiningOp()))
    vector = vector.getDefiningOp()->getOperand(0);
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return vector;
  if (type.isScalable() || type.getNumElements() != 1)
    return {};
  SmallVector<int64_t> first(type.getRank(), 0);
  return vector::ExtractOp::create(b, loc, vector, first);
}

Value LaneOpLowering::lowerOp(RescaleOp op) {
  Location loc = op.getLoc();
  auto multiply = [&]() -> Value {
    return arith::MulFOp::create(b, loc, op.getValue(), op.getFactor());
  };
  Value factor = backend == Backend::ROCDL
                     ? getOnlyNumber(b, loc, op.getFactor())
                     : Value();
  if (!factor)
    return multiply();
  Value one =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(factor.getType(), 1.0));
  Value isOther =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, factor, one);
  // The branch is uniform.
  Value lanes = ROCDL::BallotOp::create(b, loc, b.getI64Type(), isOther);
  Value isAny = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::ne, lanes,
      arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)));
  auto branch = scf::IfOp::create(b, loc, op.getType(), isAny,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value product = multiply();
  scf::YieldOp::create(b, loc, product);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, op.getValue());
  return branch.getResult(0);
}

Value LaneOpLowering::lowerOp(SetPriorityOp op) {
  if (backend == Backend::ROCDL) {
    // LLVM's schedulers move vector instructions across s_setprio. Only allow
    // scalar and memory instructions to move.
    constexpr uint32_t kMovable = 0x4 | 0x10 | 0x80;
    ROCDL::SchedBarrier::create(b, op.getLoc(), kMovable);
    ROCDL::SetPrioOp::create(b, op.getLoc(), op.getPriority());
  }
  return {};
}

Value LaneOpLowering::lowerOp(TrapOp op) {
  LLVM::Trap::create(b, op.getLoc());
  return {};
}

void LaneOpLowering::lower(Operation *op) {
  b.setInsertionPoint(op);
  auto replace = [&](auto op) {
    if (Value result = lowerOp(op))
      op->replaceAllUsesWith(ValueRange(result));
    lowered.push_back(op);
  };
  TypeSwitch<Operation *>(op)
      .Case<AtomicLoadOp, AtomicStoreOp, AtomicAddOp, MemRefAtOp,
            OffsetMemRefOp, PermuteBytesOp, RescaleOp, SetPriorityOp, TrapOp>(
          replace);
}

void LaneOpLowering::finish() {
  for (Operation *op : lowered)
    op->erase();
}

namespace {

struct LowerLaneOps : aircc::impl::LowerLaneOpsBase<LowerLaneOps> {
  using LowerLaneOpsBase::LowerLaneOpsBase;

  void runOnOperation() override {
    LaneOpLowering lowering(getOperation(), backend);
    getOperation()->walk([&](Operation *op) { lowering.lower(op); });
    lowering.finish();
  }
};

} // namespace
