//===- LowerReductions.cpp - Lower reductions in waves and workgroups -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/Uniformity.h"
#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/common/CrossLane.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERREDUCTIONS
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

/// The lanes of a row, within which values move without memory.
constexpr unsigned kRow = 16;

Value constant(OpBuilder &b, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

//===----------------------------------------------------------------------===//
// Accumulation
//===----------------------------------------------------------------------===//

/// Combines two values, by a combining kind or a region.
class Accumulator {
public:
  explicit Accumulator(gpu::AllReduceOperation kind) : kind(kind) {}
  explicit Accumulator(Region &body) : body(&body) {}

  static Accumulator of(gpu::AllReduceOp op) {
    return op.getOp() ? Accumulator(*op.getOp()) : Accumulator(op.getBody());
  }

  /// Combines two values. `first` is the value of the earlier lanes.
  Value combine(OpBuilder &b, Location loc, Value first, Value second) const {
    if (kind)
      return vector::makeArithReduction(
          b, loc, gpu::convertReductionKind(*kind), first, second);
    IRMapping map;
    map.map(body->getArgument(0), first);
    map.map(body->getArgument(1), second);
    if (body->hasOneBlock()) {
      for (Operation &op : body->front().without_terminator())
        b.clone(op, map);
      return map.lookup(body->front().getTerminator()->getOperand(0));
    }
    auto region =
        scf::ExecuteRegionOp::create(b, loc, TypeRange(first.getType()));
    body->cloneInto(&region.getRegion(), map);
    for (Block &block : region.getRegion())
      if (auto yield = dyn_cast<gpu::YieldOp>(block.getTerminator())) {
        OpBuilder atEnd(yield);
        scf::YieldOp::create(atEnd, yield.getLoc(), yield.getOperands());
        yield.erase();
      }
    return region.getResult(0);
  }

  /// Combines if `condition` is true, and otherwise returns `first`; without a
  /// condition, always combines. A region is never executed on an inactive
  /// lane's value.
  Value combineIf(OpBuilder &b, Location loc, Value condition, Value first,
                  Value second) const {
    if (!condition)
      return combine(b, loc, first, second);
    if (kind)
      return arith::SelectOp::create(b, loc, condition,
                                     combine(b, loc, first, second), first);
    auto branch = scf::IfOp::create(
        b, loc, condition,
        [&](OpBuilder &inside, Location loc) {
          scf::YieldOp::create(inside, loc,
                               combine(inside, loc, first, second));
        },
        [&](OpBuilder &inside, Location loc) {
          scf::YieldOp::create(inside, loc, first);
        });
    return branch.getResult(0);
  }

  /// Returns the combining kind, or nothing if a region combines.
  std::optional<gpu::AllReduceOperation> getKind() const { return kind; }

  /// Returns whether inactive lanes' values may be combined if the result is
  /// unused.
  bool isSpeculatable() const { return kind.has_value(); }

private:
  std::optional<gpu::AllReduceOperation> kind;
  Region *body = nullptr;
};

//===----------------------------------------------------------------------===//
// Reductions in a wave
//===----------------------------------------------------------------------===//

/// Which lanes of a wave are active.
enum class Active {
  All,   ///< The whole wave.
  First, ///< The lanes from 0 to an unknown number.
  Some   ///< Any.
};

class WaveReduction {
public:
  WaveReduction(OpBuilder &b, Location loc, unsigned waveSize,
                aircc::CrossLane &lanes, const Accumulator &accumulator)
      : b(b), loc(loc), waveSize(waveSize), lanes(lanes),
        accumulator(accumulator) {}

  /// Reduces over the active lanes, in order. All of them get the result.
  Value reduce(Value value, Active active) {
    if (active == Active::All && accumulator.getKind())
      if (Value result =
              lanes.reduceWave(b, loc, value, *accumulator.getKind()))
        return result;
    return active == Active::Some ? reduceOneByOne(value)
                                  : reduceRows(value, active);
  }

  /// Reduces over the active lanes of each cluster.
  Value reduceClusters(Value value, Active active, unsigned size,
                       unsigned stride) {
    if (active != Active::All)
      return reduceSparseClusters(value, size, stride);
    for (unsigned mask = stride; mask < size * stride; mask *= 2)
      value = accumulator.combine(b, loc, value,
                                  lanes.moveAcross(b, loc, value, mask));
    return value;
  }

private:
  Value i32(int64_t value) { return constant(b, loc, b.getI32Type(), value); }

  Value isBelow(Value left, Value right) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, left,
                                 right);
  }

  /// Reduces in rows: the first lane of each row combines the other lanes of
  /// the row, at distances 1, 2, 4 and 8; then the values of the rows' first
  /// lanes are read one by one.
  Value reduceRows(Value value, Active active) {
    Value count, lane;
    if (active == Active::First) {
      count =
          math::CtPopOp::create(b, loc, lanes.getActiveLanes(b, loc, waveSize));
      if (waveSize > 32)
        count = arith::TruncIOp::create(b, loc, b.getI32Type(), count);
    }
    if (count || !accumulator.isSpeculatable())
      lane = aircc::getLane(b, loc);
    for (unsigned distance = 1; distance < kRow; distance *= 2) {
      Value valid;
      if (count)
        valid =
            isBelow(arith::AddIOp::create(b, loc, lane, i32(distance)), count);
      if (!accumulator.isSpeculatable()) {
        Value place = arith::AndIOp::create(b, loc, lane, i32(kRow - 1));
        Value inRow = isBelow(place, i32(kRow - distance));
        valid = valid ? arith::AndIOp::create(b, loc, valid, inRow) : inRow;
      }
      value = accumulator.combineIf(b, loc, valid, value,
                                    lanes.moveDownRow(b, loc, value, distance));
    }
    Value total = lanes.broadcastLane(b, loc, value, i32(0));
    for (unsigned first = kRow; first < waveSize; first += kRow) {
      Value row = lanes.broadcastLane(b, loc, value, i32(first));
      Value valid = count ? isBelow(i32(first), count) : Value();
      total = accumulator.combineIf(b, loc, valid, total, row);
    }
    return total;
  }

  /// Loops over the active lanes. All active lanes execute the loop together.
  Value reduceOneByOne(Value value) {
    Type setType = b.getIntegerType(std::max(waveSize, 32u));
    Value one = constant(b, loc, setType, 1),
          none = constant(b, loc, setType, 0);
    auto dropFirst = [&](OpBuilder &b, Value set) -> Value {
      Value less = arith::SubIOp::create(b, loc, set, one);
      return arith::AndIOp::create(b, loc, set, less);
    };
    Value first = lanes.broadcastFirst(b, loc, value);
    Value others = dropFirst(b, lanes.getActiveLanes(b, loc, waveSize));
    auto loop = scf::WhileOp::create(
        b, loc, TypeRange{value.getType(), setType}, ValueRange{first, others},
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                             args[1], none);
          scf::ConditionOp::create(b, loc, more, args);
        },
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value lane =
              math::CountTrailingZerosOp::create(b, loc, args[1]).getResult();
          if (waveSize > 32)
            lane = arith::TruncIOp::create(b, loc, b.getI32Type(), lane);
          Value next = lanes.broadcastLane(b, loc, value, lane);
          Value total = accumulator.combine(b, loc, args[0], next);
          scf::YieldOp::create(b, loc,
                               ValueRange{total, dropFirst(b, args[1])});
        });
    return loop.getResult(0);
  }

  /// Each lane loops over its own cluster and combines the active lanes.
  Value reduceSparseClusters(Value value, unsigned size, unsigned stride) {
    Type setType = b.getIntegerType(std::max(waveSize, 32u));
    Value active = lanes.getActiveLanes(b, loc, waveSize);
    Value lane = aircc::getLane(b, loc);
    // The first lane of the cluster.
    int64_t mask = ~(int64_t(size - 1) * stride);
    Value start = arith::AndIOp::create(b, loc, lane, i32(mask));
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    Value found = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
    auto loop = scf::ForOp::create(
        b, loc, index(0), index(size), index(1), ValueRange{value, found},
        [&](OpBuilder &b, Location loc, Value i, ValueRange args) {
          Value step = arith::IndexCastOp::create(b, loc, b.getI32Type(), i);
          step = arith::MulIOp::create(
              b, loc, step, constant(b, loc, b.getI32Type(), stride));
          Value source = arith::AddIOp::create(b, loc, start, step);
          Value other = lanes.moveFromLane(b, loc, value, source,
                                           aircc::ActiveLanes::Some);
          Value place = source;
          if (waveSize > 32)
            place = arith::ExtUIOp::create(b, loc, setType, source);
          Value present = arith::TruncIOp::create(
              b, loc, b.getI1Type(),
              arith::ShRUIOp::create(b, loc, active, place));
          Value joined = accumulator.combine(b, loc, args[0], other);
          Value taken = arith::SelectOp::create(b, loc, args[1], joined, other);
          Value next = arith::SelectOp::create(b, loc, present, taken, args[0]);
          Value any = arith::OrIOp::create(b, loc, args[1], present);
          scf::YieldOp::create(b, loc, ValueRange{next, any});
        });
    return loop.getResult(0);
  }

  OpBuilder &b;
  Location loc;
  unsigned waveSize;
  aircc::CrossLane &lanes;
  const Accumulator &accumulator;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct LowerReductions : aircc::impl::LowerReductionsBase<LowerReductions> {
  using LowerReductionsBase::LowerReductionsBase;

  void runOnOperation() override {
    scratch.clear();
    lanes = aircc::createCrossLane(backend, getOperation(), chip, waveSize);
    if (!lanes)
      return signalPassFailure();
    SmallVector<std::pair<gpu::SubgroupReduceOp, aircc::Scope>> inWaves;
    SmallVector<std::pair<gpu::AllReduceOp, aircc::Scope>> inWorkgroups;
    // Run the analysis on each function before it is changed. Rewrite inner ops
    // first, because an op may be in the body of another.
    for (auto function :
         getOperation().getBody()->getOps<FunctionOpInterface>()) {
      std::optional<aircc::Uniformity> uniformity;
      auto getControl = [&](Operation *op) {
        // Reads are not assumed to be uniform, because the program may have
        // races.
        if (!uniformity)
          uniformity.emplace(
              function.getOperation(),
              aircc::UniformityOptions{waveSize, /*readsAreUniform=*/false});
        return uniformity->getControlScope(op);
      };
      function.walk([&](Operation *op) {
        if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op))
          inWaves.emplace_back(reduce, getControl(op));
        else if (auto reduce = dyn_cast<gpu::AllReduceOp>(op))
          inWorkgroups.emplace_back(reduce, getControl(op));
      });
    }
    bool failedAny = false;
    for (auto [op, control] : inWaves)
      failedAny |= failed(lower(op, control));
    for (auto [op, control] : inWorkgroups)
      failedAny |= failed(lower(op, control));
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult lower(gpu::SubgroupReduceOp op, aircc::Scope control) {
    std::optional<uint32_t> size = op.getClusterSize();
    uint32_t stride = op.getClusterStride();
    if (size && uint64_t(*size) * stride > waveSize)
      return op.emitOpError("has clusters of ")
             << *size << " lanes with stride " << stride
             << ", which do not fit in a wave of " << waveSize.getValue()
             << " lanes";
    bool together = op.getUniform() || control >= aircc::Scope::Wave;
    Active active = Active::Some;
    if (together)
      active = aircc::hasWholeWaves(op, waveSize) ? Active::All : Active::First;

    if (size && *size < waveSize && !lanes->reachesWholeWave())
      return op.emitOpError("cannot reduce clusters in a wave of ")
             << waveSize.getValue() << " lanes on " << chip.getValue()
             << "; compile for waves of 32";

    OpBuilder b(op);
    Accumulator accumulator(op.getOp());
    WaveReduction reduction(b, op.getLoc(), waveSize, *lanes, accumulator);
    Value result;
    if (size && *size < waveSize)
      result = reduction.reduceClusters(op.getValue(), active, *size, stride);
    else
      result = reduction.reduce(op.getValue(), active);
    op.replaceAllUsesWith(result);
    op.erase();
    return success();
  }

  LogicalResult lower(gpu::AllReduceOp op, aircc::Scope control) {
    if (!op.getUniform() && control < aircc::Scope::Workgroup)
      return op.emitOpError("may be reached by only some of the lanes of the "
                            "workgroup; move it out of the branch or loop, or "
                            "set `uniform` if all lanes take the same path");
    OpBuilder b(op);
    Location loc = op.getLoc();
    Accumulator accumulator = Accumulator::of(op);
    WaveReduction reduction(b, loc, waveSize, *lanes, accumulator);
    Value result = reduction.reduce(
        op.getValue(),
        aircc::hasWholeWaves(op, waveSize) ? Active::All : Active::First);
    std::optional<int64_t> known = aircc::getKnownWorkgroupLanes(op);
    if (!known || *known > waveSize)
      result = joinWaves(b, op, result, accumulator);
    op.replaceAllUsesWith(result);
    op.erase();
    return success();
  }

  /// Exchanges the waves' results through LDS. Each lane combines them in the
  /// same order, so that all lanes get the same bits.
  Value joinWaves(OpBuilder &b, gpu::AllReduceOp op, Value ofWave,
                  const Accumulator &accumulator) {
    Location loc = op.getLoc();
    Type type = ofWave.getType();
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    auto size = [&](gpu::Dimension dim) -> Value {
      return gpu::BlockDimOp::create(b, loc, dim);
    };
    auto id = [&](gpu::Dimension dim) -> Value {
      return gpu::ThreadIdOp::create(b, loc, dim);
    };
    auto add = [&](Value left, Value right) -> Value {
      return arith::AddIOp::create(b, loc, left, right);
    };
    auto multiply = [&](Value left, Value right) -> Value {
      return arith::MulIOp::create(b, loc, left, right);
    };
    using Dim = gpu::Dimension;
    Value row = size(Dim::x), plane = multiply(row, size(Dim::y));
    Value place = add(add(id(Dim::x), multiply(row, id(Dim::y))),
                      multiply(plane, id(Dim::z)));
    Value wave = arith::DivUIOp::create(b, loc, place, index(waveSize));
    Value waves;
    if (std::optional<int64_t> known = aircc::getKnownWorkgroupLanes(op))
      waves = index(llvm::divideCeil(*known, waveSize));
    else
      waves = arith::CeilDivUIOp::create(b, loc, multiply(plane, size(Dim::z)),
                                         index(waveSize));

    memref::GlobalOp global = getScratch(op, type);
    Value buffer = memref::GetGlobalOp::create(b, loc, global.getType(),
                                               global.getSymName());
    aircc::kernel::AccessOp::create(b, loc, aircc::kernel::Scope::Workgroup,
                                    /*written=*/buffer, /*read=*/ValueRange());
    Value lane = aircc::getLane(b, loc);
    Value isFirst =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane,
                              constant(b, loc, b.getI32Type(), 0));
    scf::IfOp::create(b, loc, isFirst, [&](OpBuilder &b, Location loc) {
      memref::StoreOp::create(b, loc, ofWave, buffer, wave);
      scf::YieldOp::create(b, loc);
    });
    aircc::kernel::AccessOp::create(b, loc, aircc::kernel::Scope::Workgroup,
                                    /*written=*/ValueRange(), /*read=*/buffer);
    Value first = memref::LoadOp::create(b, loc, buffer, index(0));
    auto loop = scf::ForOp::create(
        b, loc, index(1), waves, index(1), first,
        [&](OpBuilder &b, Location loc, Value i, ValueRange args) {
          Value next = memref::LoadOp::create(b, loc, buffer, i);
          scf::YieldOp::create(b, loc,
                               accumulator.combine(b, loc, args[0], next));
        });
    return loop.getResult(0);
  }

  /// Returns an LDS buffer with an element for each wave that a workgroup may
  /// have. All reductions of the same type share the buffer.
  memref::GlobalOp getScratch(Operation *op, Type type) {
    memref::GlobalOp &global = scratch[type];
    if (global)
      return global;
    auto space = gpu::AddressSpaceAttr::get(
        &getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    auto buffer =
        MemRefType::get(llvm::divideCeil(maxThreads.getValue(), waveSize), type,
                        MemRefLayoutAttrInterface(), space);
    OpBuilder b(&getContext());
    global = memref::GlobalOp::create(b, op->getLoc(), "all_reduce_scratch",
                                      b.getStringAttr("private"), buffer,
                                      b.getUnitAttr(), /*constant=*/false,
                                      /*alignment=*/IntegerAttr());
    SymbolTable(getOperation())
        .insert(global, getOperation().getBody()->begin());
    return global;
  }

  std::shared_ptr<aircc::CrossLane> lanes;
  llvm::DenseMap<Type, memref::GlobalOp> scratch;
};

} // namespace
