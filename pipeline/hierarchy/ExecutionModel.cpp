//===- ExecutionModel.cpp - Who runs which op of a kernel -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/ExecutionModel.h"

#include "dialects/air/AIROps.h"
#include "dialects/layout/LayoutValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace aircc::hierarchy {

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

StringRef stringifyScope(Scope scope) {
  switch (scope) {
  case Scope::Lane:
    return "lane";
  case Scope::Wave:
    return "wave";
  case Scope::Workgroup:
    return "workgroup";
  }
  llvm_unreachable("unknown scope");
}

Scope getScope(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (auto name = parent->getAttrOfType<StringAttr>(kScopeAttr))
      return llvm::StringSwitch<Scope>(name.getValue())
          .Case("wave", Scope::Wave)
          .Case("workgroup", Scope::Workgroup)
          .Default(Scope::Lane);
  return Scope::Lane;
}

void setScope(Operation *op, Scope scope) {
  op->setAttr(kScopeAttr,
              StringAttr::get(op->getContext(), stringifyScope(scope)));
}

bool namesLanes(Operation *op) {
  // The sizes of waves and workgroups are the same for all lanes.
  if (isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::GlobalIdOp, gpu::SubgroupIdOp,
          gpu::ShuffleOp, gpu::RotateOp, gpu::AllReduceOp,
          gpu::SubgroupReduceOp, gpu::SubgroupBroadcastOp,
          gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp,
          gpu::SubgroupMmaComputeOp, gpu::SubgroupMmaConstantMatrixOp,
          gpu::SubgroupMmaElementwiseOp>(op))
    return true;
  // Everything in a target's own dialect is an instruction of a lane.
  return llvm::StringSwitch<bool>(op->getName().getDialectNamespace())
      .Cases({"amdgpu", "rocdl", "xegpu", "xevm", "nvgpu", "nvvm"}, true)
      .Default(false);
}

static bool codeHolds(Operation *root, bool intoHerds,
                      function_ref<bool(Operation *)> test,
                      SmallPtrSetImpl<Operation *> &seen) {
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != root && !intoHerds && isa<air::HerdOp>(op))
      return WalkResult::skip();
    if (test(op))
      return WalkResult::interrupt();
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      Operation *callee = call.resolveCallable();
      if (callee && seen.insert(callee).second &&
          codeHolds(callee, intoHerds, test, seen))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool codeHolds(Operation *root, bool intoHerds,
               function_ref<bool(Operation *)> test) {
  SmallPtrSet<Operation *, 8> seen;
  return codeHolds(root, intoHerds, test, seen);
}

bool codeNamesLanes(Operation *root) {
  return codeHolds(root, /*intoHerds=*/false, namesLanes);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

bool isAllocation(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp>(op);
}

Value getBuffer(Value memref) {
  while (true) {
    if (auto arg = dyn_cast<BlockArgument>(memref)) {
      auto herd = dyn_cast<air::HerdOp>(arg.getOwner()->getParentOp());
      if (!herd)
        // A kernel's argument is a buffer; a loop's may be several.
        return isa<FunctionOpInterface>(arg.getOwner()->getParentOp()) ||
                       isa<gpu::LaunchOp>(arg.getOwner()->getParentOp())
                   ? memref
                   : Value();
      Value operand = herd.getTiedKernelOperand(arg);
      if (!operand)
        return {};
      memref = operand;
      continue;
    }
    Operation *def = memref.getDefiningOp();
    if (def->hasAttr(kLDSRangeAttr) || isAllocation(def))
      return memref;
    if (auto view = dyn_cast<ViewLikeOpInterface>(def)) {
      memref = view.getViewSource();
      continue;
    }
    if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(def)) {
      memref = metadata.getSource();
      continue;
    }
    if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(def)) {
      memref = cast.getSource();
      continue;
    }
    if (isa<memref::GetGlobalOp>(def))
      return memref;
    return {};
  }
}

/// Calls `visit` for each value that `value`, the result of a select or what a
/// region op takes in or gives out, may be.
static void forEachSource(Value value, function_ref<void(Value)> visit) {
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    visit(select.getTrueValue());
    visit(select.getFalseValue());
    return;
  }
  auto arg = dyn_cast<BlockArgument>(value);
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(
      arg ? arg.getOwner()->getParentOp() : value.getDefiningOp());
  if (!branch)
    return;
  auto visitFrom = [&](RegionSuccessor &successor, OperandRange operands) {
    for (auto [input, operand] :
         llvm::zip(successor.getSuccessorInputs(), operands))
      if (input == value)
        visit(operand);
  };
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor &successor : successors)
    visitFrom(successor, branch.getEntrySuccessorOperands(successor));
  for (Region &region : branch->getRegions())
    for (Block &block : region) {
      auto terminator = dyn_cast_or_null<RegionBranchTerminatorOpInterface>(
          block.mightHaveTerminator() ? block.getTerminator() : nullptr);
      if (!terminator)
        continue;
      successors.clear();
      SmallVector<Attribute> unknown(terminator->getNumOperands());
      terminator.getSuccessorRegions(unknown, successors);
      for (RegionSuccessor &successor : successors)
        visitFrom(successor, terminator.getSuccessorOperands(successor));
    }
}

/// The buffers that `memref` may be a view of; `memref` itself or a view
/// of it where that cannot be followed.
static SmallVector<Value> getBuffers(Value memref) {
  SmallVector<Value> worklist{memref}, buffers;
  SmallPtrSet<Value, 8> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (Value buffer = getBuffer(value)) {
      if (buffer == value || seen.insert(buffer).second)
        buffers.push_back(buffer);
      continue;
    }
    // Views and herds end at a value that may be one of several.
    size_t before = worklist.size();
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      if (auto herd = dyn_cast<air::HerdOp>(arg.getOwner()->getParentOp()))
        if (Value operand = herd.getTiedKernelOperand(arg))
          worklist.push_back(operand);
    } else if (auto view =
                   dyn_cast<ViewLikeOpInterface>(value.getDefiningOp())) {
      worklist.push_back(view.getViewSource());
    } else if (auto metadata =
                   value.getDefiningOp<memref::ExtractStridedMetadataOp>()) {
      worklist.push_back(metadata.getSource());
    }
    if (worklist.size() == before)
      forEachSource(value, [&](Value source) { worklist.push_back(source); });
    if (worklist.size() == before)
      buffers.push_back(value);
  }
  return buffers;
}

bool reachesHerd(Value value, Scope scope) {
  SmallVector<Value> worklist{value};
  SmallPtrSet<Value, 8> seen;
  while (!worklist.empty()) {
    Value v = worklist.pop_back_val();
    if (!seen.insert(v).second)
      continue;
    for (OpOperand &use : v.getUses()) {
      Operation *user = use.getOwner();
      if (auto herd = dyn_cast<air::HerdOp>(user)) {
        if (auto name = herd->getAttrOfType<StringAttr>(kScopeAttr);
            name && name.getValue() == stringifyScope(scope))
          return true;
        continue;
      }
      for (Value result : user->getResults())
        if (isa<BaseMemRefType>(result.getType()))
          worklist.push_back(result);
      // A value that leaves or enters a region may come out anywhere there.
      if (user->hasTrait<OpTrait::IsTerminator>() || user->getNumRegions()) {
        Operation *owner = user->getNumRegions() ? user : user->getParentOp();
        for (Value result : owner->getResults())
          if (isa<BaseMemRefType>(result.getType()))
            worklist.push_back(result);
        for (Region &region : owner->getRegions())
          for (Block &block : region)
            for (BlockArgument arg : block.getArguments())
              if (isa<BaseMemRefType>(arg.getType()))
                worklist.push_back(arg);
      }
    }
  }
  return false;
}

/// True if an op is in a loop whose iterations are dealt out to workers, where
/// a buffer that it allocates is one iteration's, and so one lane's.
static bool isInSharedLoop(Operation *op) {
  if (getScope(op) == Scope::Lane)
    return false;
  for (Operation *parent = op->getParentOp();
       parent && !parent->hasAttr(kScopeAttr); parent = parent->getParentOp())
    if (isSharedLoop(parent))
      return true;
  return false;
}

/// Where an L1 buffer that is not placed yet will lie.
static Place decideL1Place(Operation *alloc) {
  Scope scope = getScope(alloc);
  if (scope == Scope::Lane) {
    // Also a segment whose code names lanes may hand a buffer to PEs.
    Value buffer = alloc->getResult(0);
    return !alloc->getParentOfType<air::HerdOp>() &&
                   reachesHerd(buffer, Scope::Wave) &&
                   !reachesHerd(buffer, Scope::Lane)
               ? Place::PerWave
               : Place::PerLane;
  }
  // A buffer inside code that a lane runs by itself is that lane's.
  for (Operation *parent = alloc->getParentOp();
       parent && !parent->hasAttr(kScopeAttr); parent = parent->getParentOp())
    // An op that gives out a buffer is one that all run.
    if (llvm::none_of(parent->getResults(),
                      [](Value result) {
                        return !result.use_empty() &&
                               isa<BaseMemRefType>(result.getType());
                      }) &&
        getRole(parent) != Role::Structure)
      return Place::PerLane;
  if (scope == Scope::Wave)
    return Place::PerWave;
  if (reachesHerd(alloc->getResult(0), Scope::Lane))
    return Place::PerLane;
  if (reachesHerd(alloc->getResult(0), Scope::Wave))
    return Place::PerWave;
  return Place::Workgroup;
}

static Place getPlaceOfBuffer(Value buffer);

/// Where a memref lies that may be any of `buffers`. A buffer of which each
/// worker has its own makes the others count as such: L1 buffers of one type.
static Place joinPlaces(ArrayRef<Value> buffers) {
  Place joined = Place::Unknown;
  auto rank = [](Place place) {
    switch (place) {
    case Place::Unknown:
      return 0;
    case Place::Global:
      return 1;
    case Place::Workgroup:
      return 2;
    case Place::PerWave:
      return 3;
    case Place::PerLane:
      return 4;
    }
    llvm_unreachable("unknown place");
  };
  for (Value buffer : buffers) {
    Place place = getPlaceOfBuffer(buffer);
    if (rank(place) > rank(joined))
      joined = place;
  }
  return joined;
}

/// Where `buffer` lies, which is one of getBuffers().
static Place getPlaceOfBuffer(Value buffer) {
  auto type = cast<BaseMemRefType>(buffer.getType());
  if (buffer)
    if (Operation *def = buffer.getDefiningOp()) {
      if (def->hasAttr(kLDSRangeAttr))
        return def->hasAttr(kPerWaveAttr) ? Place::PerWave : Place::Workgroup;
      if (isAllocation(def)) {
        Attribute space =
            cast<BaseMemRefType>(buffer.getType()).getMemorySpace();
        if (auto level = dyn_cast_or_null<IntegerAttr>(space))
          return level.getInt() == int64_t(air::MemorySpace::L2)
                     ? (isInSharedLoop(def) ? Place::PerLane : Place::Workgroup)
                 : level.getInt() == int64_t(air::MemorySpace::L1)
                     ? decideL1Place(def)
                     : Place::Global;
        if (!space)
          return isa<memref::AllocaOp>(def) ? decideL1Place(def)
                                            : Place::Global;
      }
    }
  Attribute space = type.getMemorySpace();
  if (!space)
    return Place::Global;
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space))
    switch (gpuSpace.getValue()) {
    case gpu::AddressSpace::Workgroup:
      return Place::Workgroup;
    case gpu::AddressSpace::Private:
      return Place::PerLane;
    default:
      return Place::Global;
    }
  if (auto level = dyn_cast<IntegerAttr>(space)) {
    if (level.getInt() == int64_t(air::MemorySpace::L2))
      return Place::Workgroup;
    if (level.getInt() == int64_t(air::MemorySpace::L1))
      return Place::Unknown;
  }
  return Place::Global;
}

Place getPlace(Value memref) {
  if (!isa<BaseMemRefType>(memref.getType()))
    return Place::Unknown;
  return joinPlaces(getBuffers(memref));
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

bool isSharedLoop(Operation *op) {
  auto parallel = dyn_cast<scf::ParallelOp>(op);
  return parallel && parallel.getNumResults() == 0 &&
         !op->hasAttr(kEveryLaneAttr);
}

namespace {
/// What the code below an op does to memory that was there before it.
struct Effects {
  bool unknown = false;
  bool reads = false;
  bool writesShared = false;
  bool writesPerWave = false;
  bool writesPerLane = false;
  bool readsPerWave = false;
  bool readsPerLane = false;
};
} // namespace

/// True if `buffer` is or was allocated below `root`, for `op` there or for an
/// op around it.
static bool isOwnBuffer(Operation *root, Operation *op, Value buffer) {
  if (Operation *def = buffer.getDefiningOp())
    return root->isProperAncestor(def);
  auto kernel =
      dyn_cast<gpu::GPUFuncOp>(buffer.getParentBlock()->getParentOp());
  if (!kernel)
    return false;
  ArrayRef<BlockArgument> buffers = kernel.getPrivateAttributions();
  int64_t number = llvm::find(buffers, buffer) - buffers.begin();
  for (Operation *parent = op; parent; parent = parent->getParentOp()) {
    if (auto marked = parent->getAttrOfType<DenseI64ArrayAttr>(kOwnBuffersAttr);
        marked && llvm::is_contained(marked.asArrayRef(), number))
      return true;
    if (parent == root)
      break;
  }
  return false;
}

static void collectEffects(Operation *root, Operation *op, Effects &effects) {
  if (isAllocation(op) || isa<memref::DeallocOp>(op))
    return;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isa<air::HerdOp>(op)) {
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        collectEffects(root, &nested, effects);
    return;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    effects.unknown = true;
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> instances;
  interface.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    bool writes =
        isa<MemoryEffects::Write, MemoryEffects::Free>(instance.getEffect());
    bool reads = isa<MemoryEffects::Read>(instance.getEffect());
    if (!writes && !reads)
      continue;
    Place place = Place::Global;
    if (Value value = instance.getValue()) {
      if (!isa<BaseMemRefType>(value.getType())) {
        effects.unknown = true;
        continue;
      }
      // What was allocated inside is nobody else's concern.
      SmallVector<Value> buffers = getBuffers(value);
      llvm::erase_if(buffers, [&](Value buffer) {
        return getBuffer(buffer) == buffer && isOwnBuffer(root, op, buffer);
      });
      if (buffers.empty())
        continue;
      place = joinPlaces(buffers);
    }
    if (reads) {
      effects.reads = true;
      effects.readsPerLane |= place == Place::PerLane;
      effects.readsPerWave |= place == Place::PerWave;
    }
    if (writes) {
      effects.writesPerLane |= place == Place::PerLane;
      effects.writesPerWave |= place == Place::PerWave;
      effects.writesShared |=
          place != Place::PerLane && place != Place::PerWave;
    }
  }
}

static Effects getEffects(Operation *op) {
  Effects effects;
  collectEffects(op, op, effects);
  return effects;
}

static int countWrittenKinds(Operation *op, const Effects &effects) {
  return effects.writesShared + effects.writesPerLane +
         (effects.writesPerWave && getScope(op) == Scope::Workgroup);
}

bool writesSeveralKinds(Operation *op) {
  return countWrittenKinds(op, getEffects(op)) > 1;
}

/// True if the op can only be carried out by looking into its regions.
static bool holdsSharedWork(Operation *op) {
  return op
      ->walk<WalkOrder::PreOrder>([&](Operation *nested) {
        if (nested == op)
          return WalkResult::advance();
        if (isa<air::HerdOp, air::TransferInterface, gpu::BarrierOp>(nested) ||
            isSharedLoop(nested) || nested->hasAttr(kEveryLaneAttr) ||
            nested->hasAttr(layout::kScopeAttr))
          return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

Role getRole(Operation *op) {
  if (op->hasAttr(kEveryLaneAttr))
    return Role::EachLane;
  // A whole vector is held, and stored, by all lanes together.
  if (op->hasAttr(layout::kScopeAttr))
    return hasEffect<MemoryEffects::Write>(op) ? Role::Shared : Role::Everyone;
  if (isa<air::HerdOp>(op))
    return Role::Herd;
  if (isa<gpu::BarrierOp>(op))
    return Role::Barrier;
  if (isAllocation(op) || isa<memref::DeallocOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return Role::Nothing;
  Scope scope = getScope(op);
  if (isa<air::TransferInterface>(op))
    return Role::Shared;
  if (op->hasAttr(kScopeAttr) ||
      (op->getNumRegions() && holdsSharedWork(op) && !isSharedLoop(op)))
    return Role::Structure;
  if (scope == Scope::Lane)
    return Role::EachLane;
  if (namesLanes(op))
    return Role::EachLane;

  if (isMemoryEffectFree(op))
    return Role::Everyone;
  Effects effects = getEffects(op);
  if (effects.unknown)
    return Role::Leader;
  bool perWave = scope == Scope::Workgroup;
  int kinds = countWrittenKinds(op, effects);
  if (isSharedLoop(op))
    return effects.writesPerLane && kinds == 1 ? Role::EachLane : Role::Shared;
  if (effects.writesPerLane && kinds == 1 && !effects.writesPerWave)
    return Role::EachLane;
  if (!effects.writesShared && !effects.writesPerWave && !effects.writesPerLane)
    return Role::Everyone;
  // Where the buffers of lanes, of waves and of the workgroup meet in one op,
  // its parts have different roles.
  bool mixed = kinds > 1 ||
               (effects.writesShared &&
                (effects.readsPerLane || (perWave && effects.readsPerWave))) ||
               (effects.writesPerWave && effects.readsPerLane) ||
               (effects.writesPerWave && effects.writesPerLane);
  // A buffer that comes out cannot be passed on by one worker; all must know
  // it.
  bool yieldsBuffer = llvm::any_of(op->getResults(), [](Value result) {
    return !result.use_empty() && isa<BaseMemRefType>(result.getType());
  });
  if ((mixed || yieldsBuffer) && op->getNumRegions())
    return Role::Structure;
  return Role::Leader;
}

void forEachPart(Region &region, bool intoHerds,
                 function_ref<void(Operation *, Role)> visit) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block)) {
      Role role = getRole(&op);
      if (role == Role::Structure || (role == Role::Herd && intoHerds)) {
        visit(&op, role);
        for (Region &inner : op.getRegions())
          forEachPart(inner, intoHerds, visit);
        continue;
      }
      visit(&op, role);
    }
}

SmallVector<gpu::GPUFuncOp> getUnfinishedKernels(gpu::GPUModuleOp module) {
  SmallVector<gpu::GPUFuncOp> kernels;
  for (auto func : module.getOps<gpu::GPUFuncOp>())
    if (func->hasAttr(kScopeAttr))
      kernels.push_back(func);
  return kernels;
}

Scope getWorkScope(Operation *op) {
  Scope scope = getScope(op);
  if (scope != Scope::Workgroup)
    return scope;
  if (auto dma = dyn_cast<air::DmaMemcpyNdOp>(op)) {
    Place dst = getPlace(dma.getDst()), src = getPlace(dma.getSrc());
    if (dst == Place::PerLane || src == Place::PerLane)
      return Scope::Lane;
    if (dst == Place::PerWave || src == Place::PerWave)
      return Scope::Wave;
    return scope;
  }
  // One wave sends or receives a message for all.
  if (isa<air::TransferInterface>(op))
    return scope;
  Effects effects = getEffects(op);
  if (effects.writesPerLane)
    return Scope::Lane;
  if (effects.writesPerWave)
    return Scope::Wave;
  return scope;
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

Operation *getKernel(Operation *op) {
  while (op && !isa<FunctionOpInterface>(op))
    op = op->getParentOp();
  return op;
}

int64_t getWaveSize(Operation *op) {
  Operation *kernel = getKernel(op);
  auto size = kernel ? kernel->getAttrOfType<IntegerAttr>(kWaveSizeAttr)
                     : IntegerAttr();
  return size ? size.getInt() : 64;
}

std::optional<int64_t> getKnownBlockDim(Operation *at, unsigned dim) {
  auto func = dyn_cast_or_null<gpu::GPUFuncOp>(getKernel(at));
  if (!func)
    return std::nullopt;
  if (std::optional<ArrayRef<int32_t>> size = func.getKnownBlockSize())
    return (*size)[dim];
  return std::nullopt;
}

static const gpu::Dimension kDims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                       gpu::Dimension::z};

Value getBlockDim(OpBuilder &b, Location loc, unsigned dim) {
  Operation *at = b.getInsertionBlock()->getParentOp();
  if (std::optional<int64_t> known = getKnownBlockDim(at, dim))
    return arith::ConstantIndexOp::create(b, loc, *known);
  return gpu::BlockDimOp::create(b, loc, b.getIndexType(), kDims[dim]);
}

std::optional<int64_t> getWorkerCount(Operation *at, Scope scope) {
  if (scope == Scope::Wave)
    return getWaveSize(at);
  int64_t count = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::optional<int64_t> size = getKnownBlockDim(at, dim);
    if (!size)
      return std::nullopt;
    count *= *size;
  }
  return count;
}

Workers getWorkers(OpBuilder &b, Location loc, Scope scope) {
  Operation *at = b.getInsertionBlock()->getParentOp();
  if (scope == Scope::Wave)
    return {gpu::LaneIdOp::create(b, loc, /*upper_bound=*/nullptr),
            arith::ConstantIndexOp::create(b, loc, getWaveSize(at))};
  Value id, count;
  for (int dim = 2; dim >= 0; --dim) {
    std::optional<int64_t> known = getKnownBlockDim(at, dim);
    if (known == 1)
      continue;
    Value size = getBlockDim(b, loc, dim);
    Value tid = gpu::ThreadIdOp::create(b, loc, b.getIndexType(), kDims[dim]);
    id = id ? arith::AddIOp::create(
                  b, loc, arith::MulIOp::create(b, loc, id, size), tid)
            : tid;
    count = count ? arith::MulIOp::create(b, loc, count, size) : size;
  }
  if (!id)
    return {arith::ConstantIndexOp::create(b, loc, 0),
            arith::ConstantIndexOp::create(b, loc, 1)};
  return {id, count};
}

/// The coordinate of a wave in the grid of waves that the block is, from its
/// number, which counts along x first.
static Value createWaveCoordinate(OpBuilder &b, Location loc, unsigned dim) {
  Operation *at = b.getInsertionBlock()->getParentOp();
  auto waves = [&](unsigned along) -> Value {
    Value size = getBlockDim(b, loc, along);
    if (along != 0)
      return size;
    return b.createOrFold<arith::DivUIOp>(
        loc, size, arith::ConstantIndexOp::create(b, loc, getWaveSize(at)));
  };
  Value id = gpu::SubgroupIdOp::create(b, loc, /*upper_bound=*/nullptr);
  for (unsigned inner = 0; inner < dim; ++inner)
    id = b.createOrFold<arith::DivUIOp>(loc, id, waves(inner));
  bool isLast = true;
  for (unsigned outer = dim + 1; outer < 3; ++outer)
    isLast &= getKnownBlockDim(at, outer) == 1;
  return isLast ? id : b.createOrFold<arith::RemUIOp>(loc, id, waves(dim));
}

Value createPeId(OpBuilder &b, Location loc, unsigned dim) {
  Operation *at = b.getInsertionBlock()->getParentOp();
  Operation *kernel = getKernel(at);
  bool peIsLane = kernel && kernel->hasAttr(kPeIsLaneAttr);
  std::optional<int64_t> known = getKnownBlockDim(at, dim);
  if (known && *known == (dim == 0 && !peIsLane ? getWaveSize(at) : 1))
    return arith::ConstantIndexOp::create(b, loc, 0);
  if (!peIsLane && kernel && kernel->hasAttr(kHasWaveIdsAttr))
    return createWaveCoordinate(b, loc, dim);
  Value id = gpu::ThreadIdOp::create(b, loc, b.getIndexType(), kDims[dim]);
  if (peIsLane)
    return id;
  if (dim == 0)
    id = arith::DivUIOp::create(
        b, loc, id, arith::ConstantIndexOp::create(b, loc, getWaveSize(at)));
  // A wave never spans two rows, so this is the same in all of its lanes. Say
  // so: what is computed from it can then stay in scalar registers.
  return gpu::SubgroupBroadcastOp::create(
      b, loc, id.getType(), id, /*lane=*/Value(),
      gpu::BroadcastType::first_active_lane);
}

Value createCeilDiv(OpBuilder &builder, Location loc, Value a, Value b) {
  if (matchPattern(b, m_One()))
    return a;
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value rest = builder.createOrFold<arith::SubIOp>(loc, b, one);
  Value sum = builder.createOrFold<arith::AddIOp>(loc, a, rest);
  return builder.createOrFold<arith::DivUIOp>(loc, sum, b);
}

void createWaveFence(OpBuilder &b, Location loc) {
  // The hardware keeps the accesses of one wave in order, so the fence costs no
  // instruction; it and the barrier (which keeps control flow from being
  // duplicated around it) hold back the optimiser.
  auto fence =
      LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel, "wavefront");
  auto barrier = LLVM::CallIntrinsicOp::create(
      b, loc, b.getStringAttr("llvm.amdgcn.wave.barrier"), ValueRange());
  fence->setAttr(kEveryLaneAttr, b.getUnitAttr());
  barrier->setAttr(kEveryLaneAttr, b.getUnitAttr());
}

} // namespace aircc::hierarchy
