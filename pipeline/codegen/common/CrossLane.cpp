//===- CrossLane.cpp - Move values between the lanes of a wave ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/CrossLane.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {

/// The size of a register in bits.
static constexpr unsigned kRegister = 32;

static Value constant(OpBuilder &b, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

/// Moves an integer that takes one register or several.
static Value moveInteger(OpBuilder &b, Location loc, Value value,
                         function_ref<Value(Value)> move) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  unsigned whole = llvm::alignTo(width, kRegister);
  Type wide = b.getIntegerType(whole), piece = b.getIntegerType(kRegister);
  if (width != whole)
    value = arith::ExtUIOp::create(b, loc, wide, value);
  Value moved;
  for (unsigned at = 0; at < whole; at += kRegister) {
    Value part = value;
    if (at)
      part = arith::ShRUIOp::create(b, loc, part, constant(b, loc, wide, at));
    if (whole != kRegister)
      part = arith::TruncIOp::create(b, loc, piece, part);
    part = move(part);
    if (whole != kRegister)
      part = arith::ExtUIOp::create(b, loc, wide, part);
    if (at)
      part = arith::ShLIOp::create(b, loc, part, constant(b, loc, wide, at));
    moved = moved ? arith::OrIOp::create(b, loc, moved, part) : part;
  }
  if (width != whole)
    moved = arith::TruncIOp::create(b, loc, type, moved);
  return moved;
}

/// Moves a vector as a vector of registers if its size allows; otherwise, moves
/// it as one integer.
static Value moveVector(OpBuilder &b, Location loc, Value value,
                        function_ref<Value(Value)> move) {
  auto type = cast<VectorType>(value.getType());
  unsigned bits = type.getNumElements() * type.getElementTypeBitWidth();
  bool fits = bits % kRegister == 0;
  auto packed =
      fits ? VectorType::get(bits / kRegister, b.getIntegerType(kRegister))
           : VectorType::get(1, b.getIntegerType(bits));
  if (packed != type)
    value = vector::BitCastOp::create(b, loc, packed, value);
  Value moved = value;
  for (int64_t i = 0; i < packed.getNumElements(); ++i) {
    Value part = vector::ExtractOp::create(b, loc, value, i);
    moved = vector::InsertOp::create(b, loc, moveInteger(b, loc, part, move),
                                     moved, i);
  }
  if (packed != type)
    moved = vector::BitCastOp::create(b, loc, type, moved);
  return moved;
}

Value moveRegisters(OpBuilder &b, Location loc, Value value,
                    function_ref<Value(Value)> move) {
  Type type = value.getType();
  if (getElementTypeOrSelf(type).isIndex()) {
    Type integer = b.getI64Type();
    if (auto vector = dyn_cast<VectorType>(type))
      integer = vector.clone(integer);
    Value bits = arith::IndexCastOp::create(b, loc, integer, value);
    bits = moveRegisters(b, loc, bits, move);
    return arith::IndexCastOp::create(b, loc, type, bits);
  }
  if (isa<VectorType>(type))
    return moveVector(b, loc, value, move);
  if (isa<IntegerType>(type))
    return moveInteger(b, loc, value, move);
  Type integer = b.getIntegerType(type.getIntOrFloatBitWidth());
  Value bits = arith::BitcastOp::create(b, loc, integer, value);
  bits = moveInteger(b, loc, bits, move);
  return arith::BitcastOp::create(b, loc, type, bits);
}

Value getLane(OpBuilder &b, Location loc) {
  Value lane = gpu::LaneIdOp::create(b, loc, /*upper_bound=*/nullptr);
  return arith::IndexCastOp::create(b, loc, b.getI32Type(), lane);
}

/// Looks up the source lane in a table of 16 4-bit numbers.
Value CrossLane::permuteRow(OpBuilder &b, Location loc, Value value,
                            ArrayRef<int32_t> sources) {
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  uint64_t table = 0;
  for (auto [lane, source] : llvm::enumerate(sources))
    table |= uint64_t(source) << 4 * lane;
  Value lane = getLane(b, loc);
  Value place = arith::AndIOp::create(b, loc, lane, constant(b, loc, i32, 15));
  Value shift = arith::ShLIOp::create(b, loc, place, constant(b, loc, i32, 2));
  shift = arith::ExtUIOp::create(b, loc, i64, shift);
  Value entry = arith::ShRUIOp::create(
      b, loc, constant(b, loc, i64, static_cast<int64_t>(table)), shift);
  Value source = arith::TruncIOp::create(b, loc, i32, entry);
  source = arith::AndIOp::create(b, loc, source, constant(b, loc, i32, 15));
  Value row = arith::AndIOp::create(b, loc, lane, constant(b, loc, i32, ~15));
  source = arith::OrIOp::create(b, loc, row, source);
  return moveFromLane(b, loc, value, source, ActiveLanes::Some);
}

std::unique_ptr<CrossLane> createCrossLane(Backend backend,
                                           gpu::GPUModuleOp module,
                                           StringRef chip, unsigned waveSize) {
  return backend == Backend::ROCDL
             ? createROCDLCrossLane(module, chip, waveSize)
             : createXeVMCrossLane(module);
}

} // namespace aircc
