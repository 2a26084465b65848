//===- CrossLane.cpp - Moving values between the lanes of a wave ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/CrossLane.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {

/// Bits of a register.
static constexpr unsigned kRegister = 32;

static Value constant(OpBuilder &b, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

/// The integer of up to one register, or the bits of several.
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

/// A vector as one of registers where its size allows, else as one integer.
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

/// The controls of data-parallel primitives: "DPP_CTRL" in the ISA manuals of
/// gfx9 to gfx12.
namespace dpp {
constexpr uint32_t quadPerm(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a | b << 2 | c << 4 | d << 6;
}
constexpr uint32_t kRowShiftLeft = 0x100;
constexpr uint32_t kRowRotateRight = 0x120;
constexpr uint32_t kAllRows = 0xf, kAllBanks = 0xf;
} // namespace dpp

static Value moveByDPP(OpBuilder &b, Location loc, Value value,
                       uint32_t control) {
  return moveRegisters(b, loc, value, [&](Value part) -> Value {
    Value zero = constant(b, loc, part.getType(), 0);
    return ROCDL::DPPUpdateOp::create(b, loc, part.getType(), zero, part,
                                      control, dpp::kAllRows, dpp::kAllBanks,
                                      /*boundCtrl=*/true);
  });
}

Value moveDownRow(OpBuilder &b, Location loc, Value value, unsigned distance) {
  assert(distance >= 1 && distance <= 15 && "beyond the row");
  return moveByDPP(b, loc, value, dpp::kRowShiftLeft + distance);
}

Value moveAcross(OpBuilder &b, Location loc, Value value, unsigned mask) {
  assert(llvm::isPowerOf2_32(mask) && mask < 64 && "beyond the wave");
  switch (mask) {
  case 1:
    return moveByDPP(b, loc, value, dpp::quadPerm(1, 0, 3, 2));
  case 2:
    return moveByDPP(b, loc, value, dpp::quadPerm(2, 3, 0, 1));
  case 8:
    return moveByDPP(b, loc, value, dpp::kRowRotateRight + 8);
  case 32: {
    Value other = arith::XOrIOp::create(b, loc, getLane(b, loc),
                                        constant(b, loc, b.getI32Type(), mask));
    return moveFromLane(b, loc, value, other);
  }
  default:
    // ds_swizzle in its bit-mask mode: xor, or and and masks of five bits.
    Value control = constant(b, loc, b.getI32Type(), mask << 10 | 0x1f);
    return moveRegisters(b, loc, value, [&](Value part) -> Value {
      return ROCDL::DsSwizzleOp::create(b, loc, part.getType(), part, control);
    });
  }
}

Value moveFromLane(OpBuilder &b, Location loc, Value value, Value source) {
  // The instruction counts in bytes.
  Value address = arith::ShLIOp::create(b, loc, source,
                                        constant(b, loc, source.getType(), 2));
  return moveRegisters(b, loc, value, [&](Value part) -> Value {
    return ROCDL::DsBpermuteOp::create(b, loc, part.getType(), address, part);
  });
}

Value broadcastLane(OpBuilder &b, Location loc, Value value, Value source) {
  return moveRegisters(b, loc, value, [&](Value part) -> Value {
    return ROCDL::ReadlaneOp::create(b, loc, part.getType(), part, source);
  });
}

Value broadcastFirst(OpBuilder &b, Location loc, Value value) {
  return moveRegisters(b, loc, value, [&](Value part) -> Value {
    return ROCDL::ReadfirstlaneOp::create(b, loc, part.getType(), part);
  });
}

Value getActiveLanes(OpBuilder &b, Location loc, unsigned waveSize) {
  Value all = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  return ROCDL::BallotOp::create(b, loc, b.getIntegerType(waveSize), all);
}

} // namespace aircc
