//===- ShareHostMemory.cpp - Host allocations that kernels access ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A kernel cannot access memory that malloc returns. Allocations in host code
// whose memory may reach a kernel become allocations of memory that host and
// device share, and so do the corresponding deallocations. The two must match:
// if one deallocation may free both kinds of memory, all of its allocations
// change together.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/HostMemoryOrigins.h"
#include "pipeline/link/Passes.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_SHAREHOSTMEMORY
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

using namespace aircc;

namespace {

/// The alignment that every device guarantees for memory shared with the host.
constexpr uint64_t kSharedAlignment = 256;

/// The relevant ops of host code, in program order.
struct HostOps {
  SmallVector<Operation *> allocations; ///< memref.alloc, alloca, get_global
  SmallVector<memref::DeallocOp> deallocations;
  /// Each value that a kernel or a device fill accesses.
  SmallVector<std::pair<Value, Operation *>> deviceUses;
  SmallVector<Value> registered;
  SmallVector<func::ReturnOp> returns;
};

bool isRegistration(Operation *op) {
  if (isa<gpu::HostRegisterOp>(op))
    return true;
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee = call ? dyn_cast<SymbolRefAttr>(call.getCallableForCallee())
                     : SymbolRefAttr();
  return callee && callee.getRootReference().getValue().starts_with(
                       "mgpuMemHostRegister");
}

bool isMemRef(Value value) { return isa<BaseMemRefType>(value.getType()); }

HostOps collect(ModuleOp module) {
  HostOps ops;
  // Registrations by address, which may refer to any memory whose address the
  // program takes.
  SmallVector<Value> addressed;
  bool registersAddresses = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op)) {
      ops.allocations.push_back(op);
    } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      ops.deallocations.push_back(dealloc);
    } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      for (Value operand : launch.getKernelOperands())
        if (isMemRef(operand))
          ops.deviceUses.emplace_back(operand, op);
    } else if (auto fill = dyn_cast<gpu::MemsetOp>(op)) {
      ops.deviceUses.emplace_back(fill.getDst(), op);
    } else if (auto ret = dyn_cast<func::ReturnOp>(op)) {
      ops.returns.push_back(ret);
    } else if (isa<memref::ExtractAlignedPointerAsIndexOp,
                   UnrealizedConversionCastOp>(op)) {
      llvm::append_range(addressed,
                         llvm::make_filter_range(op->getOperands(), isMemRef));
    } else if (isRegistration(op)) {
      llvm::append_range(ops.registered,
                         llvm::make_filter_range(op->getOperands(), isMemRef));
      registersAddresses |= llvm::none_of(op->getOperands(), isMemRef);
    }
    return WalkResult::advance();
  });
  if (registersAddresses)
    ops.registered.append(addressed);
  return ops;
}

/// Expands reallocations to allocations, copies and deallocations.
LogicalResult expandReallocations(ModuleOp module) {
  SmallVector<memref::ReallocOp> reallocations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (auto realloc = dyn_cast<memref::ReallocOp>(op))
      reallocations.push_back(realloc);
    return WalkResult::advance();
  });
  if (reallocations.empty())
    return success();
  RewritePatternSet patterns(module.getContext());
  memref::populateExpandReallocPatterns(patterns, /*emitDeallocs=*/true);
  SmallVector<Operation *> ops(reallocations.begin(), reallocations.end());
  return applyOpPatternsGreedily(ops, std::move(patterns),
                                 GreedyRewriteConfig().setStrictness(
                                     GreedyRewriteStrictness::ExistingOps));
}

/// Propagates constants in host code, which determine control flow. Skips ops
/// of the LLVM dialect: those of kernels are irrelevant here, and the folders
/// of llvm.extractvalue and llvm.shl together crash on vectors.
class HostConstants : public dataflow::SparseConstantPropagation {
public:
  using SparseConstantPropagation::SparseConstantPropagation;

  LogicalResult visitOperation(
      Operation *op,
      ArrayRef<const dataflow::Lattice<dataflow::ConstantValue> *> operands,
      ArrayRef<dataflow::Lattice<dataflow::ConstantValue> *> results) override {
    if (!isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return SparseConstantPropagation::visitOperation(op, operands, results);
    setAllToEntryStates(results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Choosing the allocations
//===----------------------------------------------------------------------===//

class Sharing {
public:
  Sharing(ModuleOp module, const HostOps &ops, bool wholeProgram)
      : module(module), ops(ops), wholeProgram(wholeProgram) {}

  LogicalResult run();

private:
  /// Returns the ops that may have allocated the memory of `value`.
  ArrayRef<Operation *> getOrigins(Value value) {
    const auto *origins = solver.lookupState<MemoryOrigins>(value);
    return origins ? origins->getOps() : ArrayRef<Operation *>();
  }
  bool isHostAllocation(Operation *op) const {
    return isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op);
  }
  bool frees(memref::DeallocOp dealloc) {
    return llvm::any_of(getOrigins(dealloc.getMemref()),
                        [&](Operation *op) { return shared.contains(op); });
  }

  void findShared();
  LogicalResult check();
  LogicalResult checkDeallocation(memref::DeallocOp dealloc);
  LogicalResult checkReturn(func::ReturnOp ret);
  InFlightDiagnostic refuse(Operation *op);
  LogicalResult share(Operation *op);

  ModuleOp module;
  const HostOps &ops;
  bool wholeProgram;
  DataFlowSolver solver;
  SetVector<Operation *> registered;
  /// Each allocation to share, with the device op that accesses it.
  llvm::MapVector<Operation *, Operation *> shared;
};

void Sharing::findShared() {
  for (Value value : ops.registered)
    for (Operation *op : getOrigins(value))
      registered.insert(op);
  for (auto [value, user] : ops.deviceUses)
    for (Operation *op : getOrigins(value))
      if (isHostAllocation(op) && !registered.contains(op))
        shared.try_emplace(op, user);
  // A deallocation frees only one kind of memory.
  for (bool changed = true; changed;) {
    changed = false;
    for (memref::DeallocOp dealloc : ops.deallocations) {
      if (!frees(dealloc))
        continue;
      for (Operation *op : getOrigins(dealloc.getMemref()))
        if (isHostAllocation(op) && !registered.contains(op))
          changed |= shared.try_emplace(op, dealloc).second;
    }
  }
}

/// Returns an error that lists the alternatives for the program, to which the
/// caller appends the reason.
InFlightDiagnostic Sharing::refuse(Operation *op) {
  InFlightDiagnostic diag = op->emitOpError(
      "is accessed by a kernel, but kernels cannot access ordinary host "
      "memory; allocate the memory with 'gpu.alloc host_shared', or register "
      "it with 'gpu.host_register' (mgpuMemHostRegister). It is not shared "
      "automatically, because ");
  diag.attachNote(shared.lookup(op)->getLoc()) << "it is passed to this op";
  return diag;
}

LogicalResult Sharing::checkDeallocation(memref::DeallocOp dealloc) {
  if (!frees(dealloc))
    return success();
  const auto &origins = *solver.lookupState<MemoryOrigins>(dealloc.getMemref());
  auto isOther = [&](Operation *op) {
    return !shared.contains(op) && !isa<gpu::AllocOp>(op);
  };
  if (!origins.isUnknown() && llvm::none_of(origins.getOps(), isOther))
    return success();
  for (Operation *op : origins.getOps()) {
    if (!shared.contains(op))
      continue;
    InFlightDiagnostic diag = refuse(op);
    diag << "one 'memref.dealloc' may free this memory or other host memory";
    diag.attachNote(dealloc.getLoc()) << "the deallocation is here";
    return diag;
  }
  return success();
}

LogicalResult Sharing::checkReturn(func::ReturnOp ret) {
  auto function = ret->getParentOfType<func::FuncOp>();
  for (Value operand : ret.getOperands()) {
    if (!isMemRef(operand))
      continue;
    for (Operation *op : getOrigins(operand)) {
      if (!shared.contains(op))
        continue;
      if (!isa<memref::AllocOp>(op) &&
          op->getParentOfType<func::FuncOp>() == function) {
        refuse(op) << "its function returns it";
        return failure();
      }
      if (!function.isPublic() || wholeProgram)
        continue;
      InFlightDiagnostic diag = refuse(op);
      diag << "callers outside the module would free it as host memory: the "
              "public function @"
           << function.getSymName()
           << " returns it. A private function may return it";
      return diag;
    }
  }
  return success();
}

/// Returns why `op` cannot be an allocation of shared memory; an empty string
/// if it can.
std::string findObstacle(Operation *op) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  if (!type.getLayout().isIdentity())
    return "it has a layout other than row-major";
  Type element = type.getElementType();
  if (!element.isIntOrIndexOrFloat() && !isa<ComplexType, VectorType>(element))
    return "its elements are neither numbers nor vectors";
  auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
  if (alignment && alignment.getValue().ugt(kSharedAlignment))
    return "it is aligned to more than " + std::to_string(kSharedAlignment) +
           " bytes";
  if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        op, get.getNameAttr());
    if (!global || !global.getConstant())
      return "the global is not constant, and a copy of it would be another "
             "buffer";
  }
  if (auto alloca = dyn_cast<memref::AllocaOp>(op)) {
    Operation *scope =
        op->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
    Region *region = op->getParentRegion();
    while (region->getParentOp() != scope)
      region = region->getParentOp()->getParentRegion();
    if (!alloca.getDynamicSizes().empty() && op->getBlock() != &region->front())
      return "its size is known only at run time, and its lifetime extends "
             "beyond its block";
  }
  return "";
}

LogicalResult Sharing::check() {
  bool ok = true;
  for (auto [op, user] : shared)
    if (std::string obstacle = findObstacle(op); !obstacle.empty()) {
      refuse(op) << obstacle;
      ok = false;
    }
  for (memref::DeallocOp dealloc : ops.deallocations)
    ok &= succeeded(checkDeallocation(dealloc));
  for (func::ReturnOp ret : ops.returns)
    ok &= succeeded(checkReturn(ret));
  return success(ok);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value allocateShared(OpBuilder &b, Location loc, MemRefType type,
                     ValueRange sizes) {
  return gpu::AllocOp::create(b, loc, type, /*asyncToken=*/Type(),
                              /*asyncDependencies=*/ValueRange(), sizes,
                              /*symbolOperands=*/ValueRange(),
                              /*hostShared=*/true)
      .getMemref();
}

void freeShared(OpBuilder &b, Location loc, Value memref) {
  // gpu.dealloc takes ranked memrefs; any view has the address of the
  // allocation.
  if (auto type = dyn_cast<UnrankedMemRefType>(memref.getType())) {
    auto scalar =
        MemRefType::get({}, type.getElementType(), MemRefLayoutAttrInterface(),
                        type.getMemorySpace());
    memref = memref::ReinterpretCastOp::create(
        b, loc, scalar, memref, /*offset=*/OpFoldResult(b.getIndexAttr(0)),
        ArrayRef<OpFoldResult>(), ArrayRef<OpFoldResult>());
  }
  gpu::DeallocOp::create(b, loc, /*asyncToken=*/Type(), ValueRange(), memref);
}

/// Frees `memref`, which is allocated in the entry block of `region`, at each
/// exit of the region.
void freeAtExits(Region &region, Location loc, Value memref) {
  for (Block &block : region)
    if (Operation *exit = block.getTerminator(); !exit->getNumSuccessors()) {
      OpBuilder b(exit);
      freeShared(b, loc, memref);
    }
}

void share(memref::AllocOp alloc) {
  OpBuilder b(alloc);
  alloc.getResult().replaceAllUsesWith(allocateShared(
      b, alloc.getLoc(), alloc.getType(), alloc.getDynamicSizes()));
  alloc.erase();
}

/// Allocates memory with the lifetime of the stack frame.
void share(memref::AllocaOp alloca) {
  Operation *scope =
      alloca->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
  Region *region = alloca->getParentRegion();
  while (region->getParentOp() != scope)
    region = region->getParentOp()->getParentRegion();
  OpBuilder b(alloca);
  if (alloca->getBlock() != &region->front())
    b.setInsertionPointToStart(&region->front());
  Value memory = allocateShared(b, alloca.getLoc(), alloca.getType(),
                                alloca.getDynamicSizes());
  alloca.getResult().replaceAllUsesWith(memory);
  freeAtExits(*region, alloca.getLoc(), memory);
  alloca.erase();
}

/// Creates a copy of the constant that lives for the duration of a call to its
/// function.
void share(memref::GetGlobalOp get) {
  Region &body = get->getParentOfType<FunctionOpInterface>().getFunctionBody();
  OpBuilder b = OpBuilder::atBlockBegin(&body.front());
  Location loc = get.getLoc();
  Value memory = allocateShared(b, loc, get.getType(), ValueRange());
  get.getResult().replaceAllUsesWith(memory);
  Value constant =
      memref::GetGlobalOp::create(b, loc, get.getType(), get.getName());
  memref::CopyOp::create(b, loc, constant, memory);
  freeAtExits(body, loc, memory);
  get.erase();
}

LogicalResult Sharing::run() {
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<HostConstants>();
  solver.load<MemoryOriginAnalysis>(wholeProgram);
  if (failed(solver.initializeAndRun(module)))
    return failure();
  findShared();
  if (failed(check()))
    return failure();
  for (memref::DeallocOp dealloc : ops.deallocations)
    if (frees(dealloc)) {
      OpBuilder b(dealloc);
      freeShared(b, dealloc.getLoc(), dealloc.getMemref());
      dealloc.erase();
    }
  for (auto [op, user] : shared)
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      ::share(alloc);
    else if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      ::share(alloca);
    else
      ::share(cast<memref::GetGlobalOp>(op));
  return success();
}

struct ShareHostMemory : aircc::impl::ShareHostMemoryBase<ShareHostMemory> {
  using ShareHostMemoryBase::ShareHostMemoryBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    HostOps ops = collect(module);
    if (ops.deviceUses.empty() || ops.allocations.empty())
      return;
    if (failed(expandReallocations(module)))
      return signalPassFailure();
    ops = collect(module);
    if (failed(Sharing(module, ops, wholeProgram).run()))
      return signalPassFailure();
  }
};

} // namespace
