//===- CrossLaneXeVM.cpp - Cross-lane operations of Intel GPUs ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Calls OpenCL's subgroup functions, which the SPIR-V backend lowers to
// OpGroupNonUniform* instructions. These do not require all lanes of a subgroup
// to be active.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/CrossLane.h"
#include "pipeline/codegen/common/DeviceFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace aircc {

namespace {
struct XeVMCrossLane : CrossLane {
  explicit XeVMCrossLane(gpu::GPUModuleOp module) : module(module) {}

  Value moveDownRow(OpBuilder &b, Location loc, Value value,
                    unsigned distance) override {
    // This is the lane's number within its group of 16 lanes.
    Value lane = getLane(b, loc);
    Value source =
        arith::AddIOp::create(b, loc, lane, constant(b, loc, distance));
    source = arith::AndIOp::create(b, loc, source, constant(b, loc, 15));
    Value row = arith::AndIOp::create(b, loc, lane, constant(b, loc, ~15));
    return moveFromLane(b, loc, value,
                        arith::OrIOp::create(b, loc, row, source),
                        ActiveLanes::Some);
  }

  Value moveAcross(OpBuilder &b, Location loc, Value value,
                   unsigned mask) override {
    Value distance = constant(b, loc, mask);
    return moveRegisters(b, loc, value, [&](Value part) {
      return callLanes(b, loc, "_Z21sub_group_shuffle_xorjj", part.getType(),
                       {part, distance});
    });
  }

  Value moveFromLane(OpBuilder &b, Location loc, Value value, Value source,
                     ActiveLanes active) override {
    return moveRegisters(b, loc, value, [&](Value part) {
      return callLanes(b, loc, "_Z17sub_group_shufflejj", part.getType(),
                       {part, source});
    });
  }

  Value broadcastLane(OpBuilder &b, Location loc, Value value,
                      Value source) override {
    return moveFromLane(b, loc, value, source, ActiveLanes::Some);
  }

  Value broadcastFirst(OpBuilder &b, Location loc, Value value) override {
    return moveRegisters(b, loc, value, [&](Value part) {
      return callLanes(b, loc, "_Z25sub_group_broadcast_firstj", part.getType(),
                       {part});
    });
  }

  Value reduceWave(OpBuilder &b, Location loc, Value value,
                   gpu::AllReduceOperation kind) override {
    // Sums are not supported, because their order is not specified.
    StringRef name;
    Type type = value.getType();
    if (type.isF32() && kind == gpu::AllReduceOperation::MAXNUMF)
      name = "_Z32sub_group_non_uniform_reduce_maxf";
    else if (type.isF32() && kind == gpu::AllReduceOperation::MINNUMF)
      name = "_Z32sub_group_non_uniform_reduce_minf";
    else if (type.isInteger(32) && kind == gpu::AllReduceOperation::MAXSI)
      name = "_Z32sub_group_non_uniform_reduce_maxi";
    else if (type.isInteger(32) && kind == gpu::AllReduceOperation::MINSI)
      name = "_Z32sub_group_non_uniform_reduce_mini";
    else if (type.isInteger(32) && kind == gpu::AllReduceOperation::MAXUI)
      name = "_Z32sub_group_non_uniform_reduce_maxj";
    else if (type.isInteger(32) && kind == gpu::AllReduceOperation::MINUI)
      name = "_Z32sub_group_non_uniform_reduce_minj";
    else
      return {};
    return callLanes(b, loc, name, type, value);
  }

  Value getActiveLanes(OpBuilder &b, Location loc, unsigned waveSize) override {
    Type i32 = b.getI32Type();
    Value all = constant(b, loc, 1);
    Value words = callLanes(b, loc, "_Z16sub_group_balloti",
                            VectorType::get(4, i32), {all});
    assert(waveSize <= 32 && "subgroups are 16 or 32 lanes");
    return vector::ExtractOp::create(b, loc, words, 0);
  }

private:
  static Value constant(OpBuilder &b, Location loc, int32_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }

  /// Mark the call convergent so that it does not move across control flow.
  Value callLanes(OpBuilder &b, Location loc, StringRef name, Type result,
                  ValueRange args) {
    return callDeviceFunction(b, loc, module, name, result, args,
                              {/*isConvergent=*/true, /*isPure=*/true});
  }

  gpu::GPUModuleOp module;
};
} // namespace

std::unique_ptr<CrossLane> createXeVMCrossLane(gpu::GPUModuleOp module) {
  return std::make_unique<XeVMCrossLane>(module);
}

} // namespace aircc
