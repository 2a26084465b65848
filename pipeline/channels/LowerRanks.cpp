//===- LowerRanks.cpp - Lower air.rank to runtime calls -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/channels/Passes.h"
#include "pipeline/channels/RankLevel.h"
#include "pipeline/channels/Runtime.h"

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

namespace aircc::channels {
#define GEN_PASS_DEF_LOWERRANKS
#include "pipeline/channels/Passes.h.inc"
} // namespace aircc::channels

using namespace mlir;
using namespace aircc;
using namespace aircc::channels;

namespace {

//===----------------------------------------------------------------------===//
// The heap's lifetime
//===----------------------------------------------------------------------===//

/// Inserts calls that set up the symmetric heap on entry to functions and tear
/// it down at their returns. Calls nest: only the outermost has an effect.
class HeapLifetime {
public:
  HeapLifetime(ModuleOp module, uint64_t heapBytes)
      : module(module), heapBytes(heapBytes), runtime(module) {}

  LogicalResult insert();

private:
  LogicalResult findUsers();
  LogicalResult createHelpers();
  LogicalResult createHelper(bool isEnter);
  LogicalResult insertRings();
  LogicalResult createRings(LLVM::GlobalOp channel, OpBuilder &b);
  LogicalResult freeRings(LLVM::GlobalOp channel, OpBuilder &b);

  ModuleOp module;
  uint64_t heapBytes;
  RuntimeCalls runtime;
  /// Functions that use ranks or the heap, directly or through calls.
  SetVector<func::FuncOp> users;
  /// Functions that are called by other functions of the program.
  SetVector<Operation *> called;
  func::FuncOp enter, leave;
  /// The globals that hold the addresses of channel rings.
  SmallVector<LLVM::GlobalOp> channels;
  bool programOwnsHeap = false;
};

/// Returns true if `op` requires the heap to exist.
bool needsHeap(Operation *op) {
  return isa<air::RankOp>(op) || isSymmetricAllocation(op);
}

LogicalResult HeapLifetime::findUsers() {
  WalkResult result = module.walk([&](Operation *op) {
    if (!needsHeap(op))
      return WalkResult::advance();
    auto function = op->getParentOfType<func::FuncOp>();
    if (!function) {
      op->emitOpError("must be in a func.func, which sets up the symmetric "
                      "heap on entry and tears it down on return");
      return WalkResult::interrupt();
    }
    users.insert(function);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (bool changed = true; changed;) {
    changed = false;
    for (auto caller : module.getOps<func::FuncOp>())
      caller.walk([&](func::CallOp call) {
        auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
        if (callee && users.contains(callee) && callee != caller) {
          called.insert(callee);
          changed |= users.insert(caller);
        }
      });
  }
  return success();
}

LogicalResult HeapLifetime::createHelper(bool isEnter) {
  Location loc = module.getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(
      b, loc, isEnter ? "air.ranks.enter" : "air.ranks.leave",
      b.getFunctionType({}, {}));
  function.setPrivate();
  (isEnter ? enter : leave) = function;
  b.setInsertionPointToStart(function.addEntryBlock());
  Type i32 = b.getI32Type();
  auto depth = module.lookupSymbol<LLVM::GlobalOp>("air.ranks.depth");
  Value address = LLVM::AddressOfOp::create(b, loc, depth);
  Value one = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value before = LLVM::LoadOp::create(b, loc, i32, address);
  Value after = isEnter
                    ? arith::AddIOp::create(b, loc, before, one).getResult()
                    : arith::SubIOp::create(b, loc, before, one).getResult();
  LLVM::StoreOp::create(b, loc, after, address);
  Value isOuter = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        isEnter ? before : after, zero);
  auto guard = scf::IfOp::create(b, loc, isOuter);
  func::ReturnOp::create(b, loc);

  b.setInsertionPoint(guard.thenBlock()->getTerminator());
  if (isEnter && !programOwnsHeap) {
    Value bytes =
        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(heapBytes));
    if (failed(runtime.call(b, loc, "mgpuSymmetricHeapInit", {}, bytes)))
      return failure();
  }
  if (programOwnsHeap)
    return success();
  for (LLVM::GlobalOp channel : channels)
    if (failed(isEnter ? createRings(channel, b) : freeRings(channel, b)))
      return failure();
  if (isEnter)
    return success();
  return runtime.call(b, loc, "mgpuSymmetricHeapDestroy", {}, {});
}

LogicalResult HeapLifetime::createRings(LLVM::GlobalOp channel, OpBuilder &b) {
  Location loc = channel.getLoc();
  Type pointerType = LLVM::LLVMPointerType::get(b.getContext());
  Value name = runtime.getString(
      b, loc,
      channel
          ->getAttrOfType<StringAttr>(
              air::AIRDialect::ChannelNameAttrHelper::getNameStr())
          .getValue());
  Value bytes = arith::ConstantOp::create(
      b, loc,
      channel->getAttrOfType<IntegerAttr>(
          air::AIRDialect::ChannelBytesAttrHelper::getNameStr()));
  Value stream = LLVM::ZeroOp::create(b, loc, pointerType);
  FailureOr<Value> rings = runtime.call(b, loc, "mgpuChannelAlloc", pointerType,
                                        {name, bytes, stream});
  if (failed(rings))
    return failure();
  LLVM::StoreOp::create(b, loc, *rings,
                        LLVM::AddressOfOp::create(b, loc, channel));
  return success();
}

LogicalResult HeapLifetime::freeRings(LLVM::GlobalOp channel, OpBuilder &b) {
  Location loc = channel.getLoc();
  Type pointerType = LLVM::LLVMPointerType::get(b.getContext());
  Value address = LLVM::AddressOfOp::create(b, loc, channel);
  Value rings = LLVM::LoadOp::create(b, loc, pointerType, address);
  Value stream = LLVM::ZeroOp::create(b, loc, pointerType);
  return runtime.call(b, loc, "mgpuChannelFree", {}, {rings, stream});
}

/// If the program itself sets up and tears down the heap, allocates the rings
/// after the former and frees them before the latter.
LogicalResult HeapLifetime::insertRings() {
  SmallVector<Operation *> inits, destroys;
  module.walk([&](CallOpInterface call) {
    auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    if (!callee)
      return;
    if (callee.getLeafReference() == "mgpuSymmetricHeapInit")
      inits.push_back(call);
    if (callee.getLeafReference() == "mgpuSymmetricHeapDestroy")
      destroys.push_back(call);
  });
  for (LLVM::GlobalOp channel : channels) {
    for (Operation *init : inits) {
      OpBuilder b(init->getContext());
      b.setInsertionPointAfter(init);
      if (failed(createRings(channel, b)))
        return failure();
    }
    for (Operation *destroy : destroys) {
      OpBuilder b(destroy);
      if (failed(freeRings(channel, b)))
        return failure();
    }
  }
  return success();
}

LogicalResult HeapLifetime::createHelpers() {
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(b, module.getLoc(), b.getI32Type(),
                         /*isConstant=*/false, LLVM::Linkage::Internal,
                         "air.ranks.depth", b.getI32IntegerAttr(0));
  // A program that sets up the heap itself also tears it down itself.
  Operation *init = module.lookupSymbol("mgpuSymmetricHeapInit");
  programOwnsHeap = init && !SymbolTable::symbolKnownUseEmpty(init, module);
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global->hasAttr(air::AIRDialect::ChannelBytesAttrHelper::getNameStr()))
      channels.push_back(global);
  if (failed(createHelper(/*isEnter=*/true)) ||
      failed(createHelper(/*isEnter=*/false)))
    return failure();
  return programOwnsHeap ? insertRings() : success();
}

LogicalResult HeapLifetime::insert() {
  if (failed(findUsers()))
    return failure();
  SmallVector<func::FuncOp> outer;
  for (func::FuncOp function : users)
    if (!function.isPrivate() || !called.contains(function))
      outer.push_back(function);
  if (outer.empty())
    return success();
  if (failed(createHelpers()))
    return failure();
  for (func::FuncOp function : outer) {
    OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
    func::CallOp::create(b, function.getLoc(), enter);
    function.walk([&](func::ReturnOp ret) {
      OpBuilder atReturn(ret);
      func::CallOp::create(atReturn, ret.getLoc(), leave);
    });
  }
  return success();
}

//===----------------------------------------------------------------------===//
// air.rank
//===----------------------------------------------------------------------===//

struct LowerRanksPass : channels::impl::LowerRanksBase<LowerRanksPass> {
  using LowerRanksBase::LowerRanksBase;

  /// Kernels cannot start processes, so an air.rank must not be in one.
  static LogicalResult checkOutermost(air::RankOp rank) {
    auto outer = rank->getParentOfType<air::HierarchyInterface>();
    if (!outer)
      return success();
    InFlightDiagnostic diag =
        rank.emitOpError("is inside '")
        << outer->getName()
        << "', which runs on the device; put it inside the 'air.rank' instead";
    diag.attachNote(outer.getLoc()) << "the enclosing op is here";
    return diag;
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    WalkResult nested = module.walk([](air::RankOp rank) {
      return failed(checkOutermost(rank)) ? WalkResult::interrupt()
                                          : WalkResult::advance();
    });
    if (nested.wasInterrupted())
      return signalPassFailure();
    if (failed(HeapLifetime(module, heapBytes).insert()))
      return signalPassFailure();
    SmallVector<air::RankOp> ranks;
    module.walk([&](air::RankOp rank) { ranks.push_back(rank); });
    RuntimeCalls runtime(module);
    auto isCalled = [&](StringRef name) {
      Operation *function = module.lookupSymbol(name);
      return function && !SymbolTable::symbolKnownUseEmpty(function, module);
    };
    bool allocates = module
                         .walk([](memref::AllocOp alloc) {
                           return isSymmetricAllocation(alloc)
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
    bool needsSpace =
        allocates || isCalled("mgpuBarrier") || isCalled("mgpuSymmetricAlloc");
    for (air::RankOp rank : ranks)
      if (failed(lower(rank, runtime, needsSpace)))
        return signalPassFailure();
    WalkResult left = module.walk([](air::UniverseAllocOp universe) {
      if (universe.getUniverse().use_empty()) {
        universe.erase();
        return WalkResult::advance();
      }
      universe.emitOpError("must only be used by air.rank ops in the same "
                           "function; a universe cannot be passed elsewhere");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }

  /// Checks that the universe has room for all ranks.
  static LogicalResult checkUniverse(air::RankOp rank, Value count, Value what,
                                     OpBuilder &b, RuntimeCalls &runtime) {
    Value universe = rank.getUniverse();
    if (!universe)
      return success();
    auto alloc = universe.getDefiningOp<air::UniverseAllocOp>();
    if (!alloc)
      return rank.emitOpError("takes a universe that is not the result of an "
                              "air.universe.alloc in the same function");
    std::optional<int64_t> capacity = getConstantIntValue(alloc.getCapacity());
    std::optional<int64_t> ranks = getConstantIntValue(count);
    if (capacity && ranks) {
      if (*ranks <= *capacity)
        return success();
      InFlightDiagnostic diag = rank.emitOpError("has ")
                                << *ranks << " ranks in a universe of "
                                << *capacity << " devices";
      diag.attachNote(alloc.getLoc()) << "the universe is allocated here";
      return diag;
    }
    Location loc = rank.getLoc();
    Type i64 = b.getI64Type();
    Value devices =
        arith::IndexCastOp::create(b, loc, i64, alloc.getCapacity());
    Value needed = arith::IndexCastOp::create(b, loc, i64, count);
    return runtime.call(b, loc, "mgpuRequireUniverse", {},
                        {devices, needed, what});
  }

  static LogicalResult lower(air::RankOp rank, RuntimeCalls &runtime,
                             bool needsSpace) {
    OpBuilder b(rank);
    Location loc = rank.getLoc();
    if (!rank.getAsyncDependencies().empty())
      air::WaitAllOp::create(b, loc, rank.getAsyncDependencies(),
                             /*isAsync=*/false);
    for (Value size : rank.getSizeOperands())
      if (std::optional<int64_t> known = getConstantIntValue(size);
          known && *known < 1)
        return rank.emitOpError("has a space of size ")
               << *known << "; each dimension must have at least one rank";

    Value count = arith::ConstantIndexOp::create(b, loc, 1);
    for (Value size : rank.getSizeOperands())
      count = b.createOrFold<arith::MulIOp>(loc, count, size);
    Value what = runtime.getString(b, loc, describe(rank));
    if (failed(checkUniverse(rank, count, what, b, runtime)))
      return failure();
    Value needed = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
    if (failed(runtime.call(b, loc, "mgpuRequireRanks", {}, {needed, what})))
      return failure();
    if (auto supported = rank->getAttrOfType<StringAttr>(
            air::AIRDialect::SupportedRanksAttrHelper::getNameStr())) {
      Value text = runtime.getString(b, loc, supported.getValue());
      if (failed(runtime.call(b, loc, "mgpuRequireRankCount", {},
                              {needed, text, what})))
        return failure();
    }
    FailureOr<Value> number = runtime.getRank(b, loc);
    if (failed(number))
      return failure();

    // The first dimension varies fastest.
    SmallVector<Value> arguments;
    Value rest = *number;
    for (auto [dim, size] : llvm::enumerate(rank.getSizeOperands())) {
      if (int64_t(dim) + 1 == int64_t(rank.getNumDims())) {
        arguments.push_back(rest);
        break;
      }
      arguments.push_back(
          arith::RemUIOp::create(b, loc, rest, size).getResult());
      rest = arith::DivUIOp::create(b, loc, rest, size);
    }
    llvm::append_range(arguments, rank.getSizeOperands());
    llvm::append_range(arguments, rank.getKernelOperands());

    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         *number, count);
    auto guard = scf::IfOp::create(b, loc, inside);
    Block *body = rank.getBodyBlock();
    body->getTerminator()->erase();
    for (auto [argument, value] :
         llvm::zip_equal(body->getArguments(), arguments))
      argument.replaceAllUsesWith(value);
    guard.thenBlock()->getOperations().splice(
        guard.thenBlock()->getTerminator()->getIterator(),
        body->getOperations());
    // Barriers and symmetric allocations in the body involve only the ranks of
    // this space.
    if (needsSpace) {
      OpBuilder first = OpBuilder::atBlockBegin(guard.thenBlock());
      OpBuilder last(guard.thenBlock()->getTerminator());
      if (failed(runtime.call(first, loc, "mgpuEnterRankSpace", {}, needed)) ||
          failed(runtime.call(last, loc, "mgpuLeaveRankSpace", {}, {})))
        return failure();
    }
    if (Value token = rank.getAsyncToken()) {
      auto done =
          air::WaitAllOp::create(b, loc, ValueRange(), /*isAsync=*/true);
      token.replaceAllUsesWith(done.getAsyncToken());
    }
    rank.erase();
    return success();
  }
};

} // namespace
