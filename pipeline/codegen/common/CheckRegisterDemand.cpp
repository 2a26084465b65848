//===- CheckRegisterDemand.cpp - Reject vectors that exceed the registers -===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_CHECKREGISTERDEMAND
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// Returns the number of 32-bit registers of one element.
int64_t getElementRegisters(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isIndex())
    return 2;
  return element.isIntOrFloat()
             ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 32)
             : 0;
}

/// Returns the number of 32-bit registers of a value, packed as far as
/// possible.
int64_t getRegisters(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return isa<IntegerType, FloatType>(type) ? getElementRegisters(type) : 0;
  Type element = vector.getElementType();
  if (!element.isIntOrFloat())
    return vector.getNumElements() * getElementRegisters(element);
  return llvm::divideCeil(
      vector.getNumElements() * element.getIntOrFloatBitWidth(), 32);
}

/// Returns whether an op becomes several instructions for each element, because
/// it is a division or a math function without a hardware instruction.
bool isExpanded(Operation *op) {
  if (auto floating = dyn_cast<arith::ArithFastMathInterface>(op)) {
    // arith.extf has the attribute only if it has flags.
    auto flags = floating.getFastMathFlagsAttr();
    if (flags &&
        bitEnumContainsAny(flags.getValue(), arith::FastMathFlags::afn |
                                                 arith::FastMathFlags::arcp))
      return false;
  }
  return isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
             arith::RemSIOp, arith::RemUIOp, math::ExpOp, math::Exp2Op,
             math::ExpM1Op, math::LogOp, math::Log2Op, math::Log10Op,
             math::Log1pOp, math::SinOp, math::CosOp, math::TanOp, math::TanhOp,
             math::PowFOp, math::ErfOp>(op);
}

/// A lower bound on the number of instructions per element of such an op: an
/// f32 division takes ten on AMD GPUs, and the functions take more.
constexpr int64_t kExpandedInstructions = 10;

/// Returns a lower bound on the number of instructions for an op: one for each
/// register of its largest value, or for each product.
int64_t getInstructions(Operation *op, int64_t largest) {
  if (auto contract = dyn_cast<vector::ContractionOp>(op)) {
    SmallVector<int64_t> bounds;
    contract.getIterationBounds(bounds);
    int64_t products = 1;
    for (int64_t bound : bounds)
      products = llvm::SaturatingMultiply<uint64_t>(products, bound);
    return std::max(products, largest);
  }
  // A wide multiplication multiplies each part of one factor by each part of
  // the other.
  if (isa<arith::MulIOp, arith::MulUIExtendedOp, arith::MulSIExtendedOp>(op))
    return largest * getElementRegisters(op->getResult(0).getType());
  return isExpanded(op) ? kExpandedInstructions * largest : largest;
}

struct CheckRegisterDemand
    : aircc::impl::CheckRegisterDemandBase<CheckRegisterDemand> {
  using CheckRegisterDemandBase::CheckRegisterDemandBase;

  void runOnOperation() override {
    bool failedAny = false;
    getOperation().walk([&](Operation *op) {
      if (!op->hasTrait<OpTrait::ConstantLike>() && failed(check(op)))
        failedAny = true;
    });
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult check(Operation *op) {
    int64_t all = 0, largest = 0;
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types) {
        int64_t registers = getRegisters(type);
        all += registers;
        largest = std::max(largest, registers);
      }
    if (all <= registers)
      return success();
    int64_t instructions = getInstructions(op, largest);
    if (instructions <= most)
      return success();
    return op->emitOpError("needs ")
           << all << " 32-bit registers per lane, but this chip has "
           << int64_t(registers) << ", and would expand to about "
           << instructions
           << " instructions; if its vectors are wave-level or workgroup-level "
              "vectors, set the attribute 'layout.scope' on the kernel; "
              "otherwise, process them in parts in a loop";
  }
};

} // namespace
