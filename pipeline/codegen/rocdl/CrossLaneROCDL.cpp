//===- CrossLaneROCDL.cpp - Cross-lane operations of AMD GPUs -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/CrossLane.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {

static Value constant(OpBuilder &b, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

namespace {
struct ROCDLCrossLane : CrossLane {
  Value moveDownRow(OpBuilder &b, Location loc, Value value,
                    unsigned distance) override;
  Value moveAcross(OpBuilder &b, Location loc, Value value,
                   unsigned mask) override;
  Value moveFromLane(OpBuilder &b, Location loc, Value value,
                     Value source) override;
  Value broadcastLane(OpBuilder &b, Location loc, Value value,
                      Value source) override;
  Value broadcastFirst(OpBuilder &b, Location loc, Value value) override;
  Value getActiveLanes(OpBuilder &b, Location loc, unsigned waveSize) override;
};
} // namespace

/// The encodings of DPP_CTRL in the ISA manuals of gfx9 to gfx12.
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

Value ROCDLCrossLane::moveDownRow(OpBuilder &b, Location loc, Value value,
                                  unsigned distance) {
  assert(distance >= 1 && distance <= 15 && "beyond the row");
  return moveByDPP(b, loc, value, dpp::kRowShiftLeft + distance);
}

Value ROCDLCrossLane::moveAcross(OpBuilder &b, Location loc, Value value,
                                 unsigned mask) {
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
    // Bit-mask mode of ds_swizzle: masks of five bits for and, or and xor.
    Value control = constant(b, loc, b.getI32Type(), mask << 10 | 0x1f);
    return moveRegisters(b, loc, value, [&](Value part) -> Value {
      return ROCDL::DsSwizzleOp::create(b, loc, part.getType(), part, control);
    });
  }
}

Value ROCDLCrossLane::moveFromLane(OpBuilder &b, Location loc, Value value,
                                   Value source) {
  // The instruction takes the lane number in bytes.
  Value address = arith::ShLIOp::create(b, loc, source,
                                        constant(b, loc, source.getType(), 2));
  return moveRegisters(b, loc, value, [&](Value part) -> Value {
    return ROCDL::DsBpermuteOp::create(b, loc, part.getType(), address, part);
  });
}

Value ROCDLCrossLane::broadcastLane(OpBuilder &b, Location loc, Value value,
                                    Value source) {
  return moveRegisters(b, loc, value, [&](Value part) -> Value {
    return ROCDL::ReadlaneOp::create(b, loc, part.getType(), part, source);
  });
}

Value ROCDLCrossLane::broadcastFirst(OpBuilder &b, Location loc, Value value) {
  return moveRegisters(b, loc, value, [&](Value part) -> Value {
    return ROCDL::ReadfirstlaneOp::create(b, loc, part.getType(), part);
  });
}

Value ROCDLCrossLane::getActiveLanes(OpBuilder &b, Location loc,
                                     unsigned waveSize) {
  Value all = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  return ROCDL::BallotOp::create(b, loc, b.getIntegerType(waveSize), all);
}

std::unique_ptr<CrossLane> createROCDLCrossLane() {
  return std::make_unique<ROCDLCrossLane>();
}

} // namespace aircc
