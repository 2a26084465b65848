//===- Uniformity.cpp - Which values are uniform across lanes -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/Uniformity.h"
#include "pipeline/analysis/BufferLevels.h"

#include "dialects/air/AIROps.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc {

namespace {

//===----------------------------------------------------------------------===//
// The lattice
//===----------------------------------------------------------------------===//

/// Uninitialized, or the scope over which the value is uniform. Joining two
/// scopes yields the smaller one.
struct ScopeValue {
  std::optional<Scope> scope;

  bool operator==(const ScopeValue &) const = default;
  static ScopeValue join(const ScopeValue &a, const ScopeValue &b) {
    return a.scope && b.scope ? ScopeValue{std::min(*a.scope, *b.scope)}
           : a.scope          ? a
                              : b;
  }
  void print(raw_ostream &os) const {
    os << (scope ? stringifyScope(*scope) : "unknown");
  }
};

using ScopeLattice = dataflow::Lattice<ScopeValue>;

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Returns the values that determine whether and how often the regions of `op`
/// execute; nullopt if they are unknown.
std::optional<SmallVector<Value>> getDecisions(Operation *op) {
  using Values = SmallVector<Value>;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return Values{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    Values values(loop.getLowerBound());
    llvm::append_range(values, loop.getUpperBound());
    llvm::append_range(values, loop.getStep());
    return values;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (!loop.getBefore().hasOneBlock() || !loop.getAfter().hasOneBlock())
      return std::nullopt;
    return Values{loop.getConditionOp().getCondition()};
  }
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return Values{branch.getCondition()};
  if (auto branch = dyn_cast<scf::IndexSwitchOp>(op))
    return Values{branch.getArg()};
  if (isa<scf::ExecuteRegionOp, memref::AllocaScopeOp, scf::ReduceOp,
          air::HerdOp>(op))
    return Values();
  return std::nullopt;
}

/// Returns the conditions of the branches between the blocks of `region`.
SmallVector<Value> getBranchOperands(Region &region) {
  SmallVector<Value> values;
  for (Block &block : region)
    if (block.getNumSuccessors() > 1)
      llvm::append_range(values, block.getTerminator()->getOperands());
  return values;
}

/// Returns true if all lanes of a workgroup begin to execute `op` together.
bool isKernel(Operation *op) {
  auto function = dyn_cast<gpu::GPUFuncOp>(op);
  return op->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr()) ||
         (function && function.isKernel());
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// Returns true if the memory that a read's operand addresses is known. This
/// holds for a pointer if all lanes see the same memory at that address: in
/// global memory (address spaces 1 and 4 of the device), or passed by the host.
bool saysWhereToRead(Value operand) {
  if (isa<BaseMemRefType>(operand.getType()))
    return true;
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(operand.getType());
  if (!pointer)
    return false;
  auto arg = dyn_cast<BlockArgument>(operand);
  return pointer.getAddressSpace() == 1 || pointer.getAddressSpace() == 4 ||
         (arg && isa<FunctionOpInterface>(arg.getOwner()->getParentOp()));
}

/// Returns the scope that shares the memory that the read `op` accesses.
Scope getScopeOfMemory(Operation *op) {
  if (llvm::none_of(op->getOperands(), saysWhereToRead))
    return Scope::Lane;
  Scope scope = Scope::Device;
  for (Value operand : op->getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()))
      continue;
    BufferLevel level = getBufferLevel(operand);
    if (level == BufferLevel::PerLane || level == BufferLevel::Unknown)
      return Scope::Lane;
    if (level == BufferLevel::PerWave)
      scope = std::min(scope, Scope::Wave);
    else if (level == BufferLevel::Workgroup)
      scope = std::min(scope, Scope::Workgroup);
  }
  return scope;
}

//===----------------------------------------------------------------------===//
// The analyses
//===----------------------------------------------------------------------===//

/// Treats no value as constant. Dead code is analyzed, too, and nothing is
/// folded, because folding reorders the uses of values.
class NoConstants : public DataFlowAnalysis {
public:
  using DataFlowAnalysis::DataFlowAnalysis;

  LogicalResult initialize(Operation *top) override {
    auto markUnknown = [&](Value value) {
      auto *lattice =
          getOrCreate<dataflow::Lattice<dataflow::ConstantValue>>(value);
      propagateIfChanged(
          lattice,
          lattice->join(dataflow::ConstantValue::getUnknownConstant()));
    };
    top->walk([&](Operation *op) {
      llvm::for_each(op->getResults(), markUnknown);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), markUnknown);
    });
    return success();
  }
  LogicalResult visit(ProgramPoint *) override { return success(); }
};

class UniformityAnalysis
    : public dataflow::SparseForwardDataFlowAnalysis<ScopeLattice> {
public:
  UniformityAnalysis(DataFlowSolver &solver, Operation *kernel,
                     UniformityOptions options)
      : SparseForwardDataFlowAnalysis(solver), kernel(kernel),
        options(options) {}

  LogicalResult initialize(Operation *top) override {
    if (failed(SparseForwardDataFlowAnalysis::initialize(top)))
      return failure();
    top->walk([&](Operation *op) {
      if (op != top)
        visitControl(getProgramPointAfter(op));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          visitControl(getProgramPointBefore(&block));
    });
    return success();
  }

  LogicalResult visit(ProgramPoint *point) override {
    if (failed(SparseForwardDataFlowAnalysis::visit(point)))
      return failure();
    visitControl(point);
    return success();
  }

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const ScopeLattice *> operands,
                               ArrayRef<ScopeLattice *> results) override {
    Scope scope = getScopeOfResults(op, operands);
    for (ScopeLattice *result : results)
      limit(result, scope);
    return success();
  }

  void setToEntryState(ScopeLattice *lattice) override {
    // visitEntry() sets the arguments of the kernel.
    auto arg = dyn_cast<BlockArgument>(lattice->getAnchor());
    if (!arg || !arg.getOwner()->isEntryBlock() ||
        arg.getOwner()->getParentOp() != kernel)
      limit(lattice, Scope::Lane);
  }
  // visitControl() sets all arguments that control flow does not set.
  void visitNonControlFlowArguments(Operation *, const RegionSuccessor &,
                                    ArrayRef<ScopeLattice *>,
                                    unsigned) override {}
  void
  visitCallableOperation(CallableOpInterface,
                         ArrayRef<dataflow::AbstractSparseLattice *>) override {
  }

private:
  void limit(ScopeLattice *lattice, Scope scope) {
    propagateIfChanged(lattice, lattice->join(ScopeValue{scope}));
  }
  void limitAll(ValueRange values, Scope scope) {
    for (Value value : values)
      limit(getLatticeElement(value), scope);
  }
  /// Returns the scope of all `values` together, as a query at `point`.
  Scope join(ProgramPoint *point, ValueRange values) {
    Scope scope = Scope::Device;
    for (Value value : values)
      scope = std::min(scope, getLatticeElementFor(point, value)
                                  ->getValue()
                                  .scope.value_or(Scope::Device));
    return scope;
  }

  bool hasRowsOfWaves() const;
  Scope getScopeOfResults(Operation *op,
                          ArrayRef<const ScopeLattice *> operands);
  Scope getControl(ProgramPoint *point, Operation *op);
  void visitControl(ProgramPoint *point);
  void visitEntry(ProgramPoint *point, Block *block);
  void visitHerd(ProgramPoint *point, air::HerdOp herd);
  Scope getScopeOfReduction(ProgramPoint *point, scf::ParallelOp loop,
                            unsigned number);

  Operation *kernel;
  UniformityOptions options;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values that ops compute
//===----------------------------------------------------------------------===//

/// Returns true if each row of the workgroup along x consists of complete
/// waves.
bool UniformityAnalysis::hasRowsOfWaves() const {
  if (kernel->hasAttr(kernel::KernelDialect::ScopeAttrHelper::getNameStr()) ||
      !options.waveSize)
    return !kernel->hasAttr(
        kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr());
  auto function = dyn_cast<gpu::GPUFuncOp>(kernel);
  return function && function.getKnownBlockSize() &&
         (*function.getKnownBlockSize())[0] % *options.waveSize == 0;
}

Scope UniformityAnalysis::getScopeOfResults(
    Operation *op, ArrayRef<const ScopeLattice *> operands) {
  Scope scope = Scope::Device;
  for (const ScopeLattice *operand : operands)
    scope = std::min(scope, operand->getValue().scope.value_or(Scope::Device));

  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return id.getDimension() != gpu::Dimension::x && hasRowsOfWaves()
               ? Scope::Wave
               : Scope::Lane;
  if (isa<gpu::BlockDimOp, gpu::NumSubgroupsOp, gpu::SubgroupSizeOp,
          gpu::GridDimOp>(op))
    return Scope::Device;
  if (isa<gpu::BlockIdOp, gpu::AllReduceOp>(op))
    return Scope::Workgroup;
  if (isa<gpu::SubgroupIdOp>(op))
    return Scope::Wave;
  if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op))
    return reduce.getClusterSize() ? Scope::Lane : Scope::Wave;
  if (isa<gpu::SubgroupBroadcastOp>(op))
    return std::max(Scope::Wave, scope);
  if (namesLanes(op))
    return Scope::Lane;
  if (isAllocation(op) || isMemoryEffectFree(op))
    return scope;
  if (options.readsAreUniform && hasSingleEffect<MemoryEffects::Read>(op))
    return std::min(scope, getScopeOfMemory(op));
  return Scope::Lane;
}

//===----------------------------------------------------------------------===//
// Values that depend on control flow
//===----------------------------------------------------------------------===//

/// Returns the scope over which the control flow in the regions of `op` is
/// uniform.
Scope UniformityAnalysis::getControl(ProgramPoint *point, Operation *op) {
  std::optional<SmallVector<Value>> decisions = getDecisions(op);
  return decisions ? join(point, *decisions) : Scope::Lane;
}

/// At a join of control flow, a value is at most as uniform as the conditions
/// that selected its source.
void UniformityAnalysis::visitControl(ProgramPoint *point) {
  if (point->isBlockStart()) {
    Block *block = point->getBlock();
    if (block->isEntryBlock())
      return visitEntry(point, block);
    return limitAll(block->getArguments(),
                    join(point, getBranchOperands(*block->getParent())));
  }
  Operation *op = point->getPrevOp();
  if (op->getNumResults() == 0)
    return;
  // Lanes may leave a loop made of branches in different iterations.
  if (Region *region = op->getParentRegion(); !region->hasOneBlock())
    limitAll(op->getResults(), join(point, getBranchOperands(*region)));
  if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    for (OpResult result : loop.getResults())
      limit(getLatticeElement(result),
            getScopeOfReduction(point, loop, result.getResultNumber()));
    return;
  }
  if (!isa<RegionBranchOpInterface>(op))
    return;
  Scope control = getControl(point, op);
  for (Region &region : op->getRegions())
    control = std::min(control, join(point, getBranchOperands(region)));
  limitAll(op->getResults(), control);
}

/// The result of a parallel loop whose iterations all lanes execute is as
/// uniform as the reduced values.
Scope UniformityAnalysis::getScopeOfReduction(ProgramPoint *point,
                                              scf::ParallelOp loop,
                                              unsigned number) {
  auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  Block &combiner = reduce.getReductions()[number].front();
  return std::min(
      getControl(point, loop),
      join(point, {loop.getInitVals()[number], reduce.getOperands()[number],
                   combiner.getTerminator()->getOperand(0)}));
}

void UniformityAnalysis::visitEntry(ProgramPoint *point, Block *block) {
  Operation *op = block->getParentOp();
  if (isa<FunctionOpInterface>(op))
    return limitAll(block->getArguments(),
                    isKernel(op) ? Scope::Device : Scope::Lane);
  if (auto herd = dyn_cast<air::HerdOp>(op))
    return visitHerd(point, herd);
  if (auto reduce = dyn_cast<scf::ReduceOp>(op))
    return limitAll(
        block->getArguments(),
        getScopeOfReduction(point, cast<scf::ParallelOp>(op->getParentOp()),
                            block->getParent()->getRegionNumber()));
  limitAll(block->getArguments(), getControl(point, op));
}

void UniformityAnalysis::visitHerd(ProgramPoint *point, air::HerdOp herd) {
  limitAll(
      herd.getIds(),
      kernel->hasAttr(kernel::KernelDialect::PeIsLaneAttrHelper::getNameStr())
          ? Scope::Lane
          : Scope::Wave);
  auto forward = [&](ValueRange args, ValueRange operands) {
    for (auto [arg, operand] : llvm::zip_equal(args, operands))
      limit(getLatticeElement(arg), join(point, operand));
  };
  forward(herd.getSizes(), herd.getSizeOperands());
  forward(herd.getKernelArguments(), herd.getKernelOperands());
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

Uniformity::Uniformity(Operation *kernel, UniformityOptions options)
    : kernel(kernel), solver(std::make_unique<DataFlowSolver>(
                          DataFlowConfig().setInterprocedural(false))) {
  solver->load<NoConstants>();
  solver->load<dataflow::DeadCodeAnalysis>();
  solver->load<UniformityAnalysis>(kernel, options);
  LogicalResult result = solver->initializeAndRun(kernel);
  assert(succeeded(result) && "the analysis does not fail");
  (void)result;
}

Uniformity::~Uniformity() = default;

Scope Uniformity::getUniformScope(Value value) const {
  const auto *lattice = solver->lookupState<ScopeLattice>(value);
  return lattice ? lattice->getValue().scope.value_or(Scope::Device)
                 : Scope::Device;
}

Scope Uniformity::getControlScope(Operation *op) const {
  Scope scope = Scope::Device;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      scope = std::min(scope, getUniformScope(value));
  };
  for (; op != kernel; op = op->getParentOp()) {
    if (!op->getBlock()->isEntryBlock())
      add(getBranchOperands(*op->getParentRegion()));
    Operation *parent = op->getParentOp();
    if (parent == kernel)
      break;
    std::optional<SmallVector<Value>> decisions = getDecisions(parent);
    if (!decisions)
      return Scope::Lane;
    add(*decisions);
  }
  return isKernel(kernel) ? scope : Scope::Lane;
}

} // namespace aircc
