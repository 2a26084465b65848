//===- CrossLaneROCDL.cpp - Cross-lane operations of AMD GPUs -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/CrossLane.h"

#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
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
  ROCDLCrossLane(unsigned generation, unsigned waveSize)
      : generation(generation),
        movesInHalves(waveSize == 64 &&
                      (generation == 10 || generation == 11)) {}

  Value moveDownRow(OpBuilder &b, Location loc, Value value,
                    unsigned distance) override;
  Value moveAcross(OpBuilder &b, Location loc, Value value,
                   unsigned mask) override;
  Value moveFromLane(OpBuilder &b, Location loc, Value value, Value source,
                     ActiveLanes active) override;
  bool reachesWholeWave() const override {
    return !movesInHalves || hasPermlane64();
  }
  Value permuteRow(OpBuilder &b, Location loc, Value value,
                   ArrayRef<int32_t> sources) override;
  Value broadcastLane(OpBuilder &b, Location loc, Value value,
                      Value source) override;
  Value broadcastFirst(OpBuilder &b, Location loc, Value value) override;
  Value getActiveLanes(OpBuilder &b, Location loc, unsigned waveSize) override;

private:
  bool hasPermlane16() const { return generation >= 10; }
  bool hasPermlane64() const { return generation >= 11; }
  Value moveBetweenHalves(OpBuilder &b, Location loc, Value part, Value address,
                          ActiveLanes active) const;

  unsigned generation; ///< The 11 of gfx1100.
  /// Whether ds_bpermute moves values only within 32 lanes.
  bool movesInHalves;
};
} // namespace

static Value callIntrinsic(OpBuilder &b, Location loc, StringRef name,
                           ValueRange args) {
  return LLVM::CallIntrinsicOp::create(b, loc, args.front().getType(),
                                       b.getStringAttr(name), args)
      .getResult(0);
}

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
    if (hasPermlane64())
      return moveRegisters(b, loc, value, [&](Value part) {
        return callIntrinsic(b, loc, "llvm.amdgcn.permlane64", part);
      });
    Value other = arith::XOrIOp::create(b, loc, getLane(b, loc),
                                        constant(b, loc, b.getI32Type(), mask));
    return moveFromLane(b, loc, value, other, ActiveLanes::Some);
  }
  default:
    // The bit-mask mode of ds_swizzle has three masks of five bits, for and, or
    // and xor.
    Value control = constant(b, loc, b.getI32Type(), mask << 10 | 0x1f);
    return moveRegisters(b, loc, value, [&](Value part) -> Value {
      return ROCDL::DsSwizzleOp::create(b, loc, part.getType(), part, control);
    });
  }
}

/// Gets values from the other half of the wave by exchanging the halves and
/// then moving the values within each half. The value of an active lane may
/// pass through an inactive lane in this half, so all lanes must be enabled.
Value ROCDLCrossLane::moveBetweenHalves(OpBuilder &b, Location loc, Value part,
                                        Value address,
                                        ActiveLanes active) const {
  auto enableAll = [&](Value value) {
    Value zero = constant(b, loc, value.getType(), 0);
    return callIntrinsic(b, loc, "llvm.amdgcn.set.inactive", {value, zero});
  };
  if (active == ActiveLanes::Some) {
    part = enableAll(part);
    address = enableAll(address);
  }
  part = callIntrinsic(b, loc, "llvm.amdgcn.permlane64", part);
  part = ROCDL::DsBpermuteOp::create(b, loc, part.getType(), address, part);
  if (active == ActiveLanes::Some)
    part = callIntrinsic(b, loc, "llvm.amdgcn.strict.wwm", part);
  return part;
}

Value ROCDLCrossLane::moveFromLane(OpBuilder &b, Location loc, Value value,
                                   Value source, ActiveLanes active) {
  // The instruction expects the lane number in bytes.
  Type i32 = source.getType();
  Value address =
      arith::ShLIOp::create(b, loc, source, constant(b, loc, i32, 2));
  Value isInOtherHalf, inOwnHalf;
  if (movesInHalves) {
    assert(hasPermlane64() && "the caller checks reachesWholeWave");
    Value half = arith::XOrIOp::create(b, loc, source, getLane(b, loc));
    half = arith::AndIOp::create(b, loc, half, constant(b, loc, i32, 32));
    isInOtherHalf = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                          half, constant(b, loc, i32, 0));
    // The hardware ignores the bit that selects the half. LLVM does not ignore
    // it when it replaces a move from the same lane to all lanes with
    // v_readlane.
    Value bytes = arith::ShLIOp::create(b, loc, half, constant(b, loc, i32, 2));
    inOwnHalf = arith::XOrIOp::create(b, loc, address, bytes);
  }
  return moveRegisters(b, loc, value, [&](Value part) -> Value {
    Value moved =
        ROCDL::DsBpermuteOp::create(b, loc, part.getType(), address, part);
    if (!movesInHalves)
      return moved;
    Value other = moveBetweenHalves(b, loc, part, inOwnHalf, active);
    return arith::SelectOp::create(b, loc, isInOtherHalf, other, moved);
  });
}

Value ROCDLCrossLane::permuteRow(OpBuilder &b, Location loc, Value value,
                                 ArrayRef<int32_t> sources) {
  if (!hasPermlane16())
    return CrossLane::permuteRow(b, loc, value, sources);
  // The instruction encodes each source lane in 4 bits.
  Type i32 = b.getI32Type();
  uint32_t tables[2] = {0, 0};
  for (auto [lane, source] : llvm::enumerate(sources))
    tables[lane / 8] |= uint32_t(source) << 4 * (lane % 8);
  Value low = constant(b, loc, i32, static_cast<int32_t>(tables[0])),
        high = constant(b, loc, i32, static_cast<int32_t>(tables[1]));
  Value no = constant(b, loc, b.getI1Type(), 0),
        yes = constant(b, loc, b.getI1Type(), 1);
  return moveRegisters(b, loc, value, [&](Value part) {
    Value old = LLVM::PoisonOp::create(b, loc, part.getType());
    return callIntrinsic(b, loc, "llvm.amdgcn.permlane16",
                         {old, part, low, high, no, /*boundControl=*/yes});
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

std::unique_ptr<CrossLane> createROCDLCrossLane(gpu::GPUModuleOp module,
                                                StringRef chip,
                                                unsigned waveSize) {
  FailureOr<amdgpu::Chipset> parsed = amdgpu::Chipset::parse(chip);
  if (failed(parsed)) {
    module.emitError("'") << chip << "' is not an AMD processor name";
    return nullptr;
  }
  return std::make_unique<ROCDLCrossLane>(parsed->majorVersion, waveSize);
}

} // namespace aircc
