//===- InterleaveProducts.cpp - Distribute accesses over products ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Not a workaround: the backend's schedulers do not model the matrix pipe. They
// place accesses before all matrix instructions, which wait for them while the
// pipe is idle.
//
// In the body of a loop that multiplies what earlier code has read, this pass
// places accesses and address arithmetic between matrix instructions, which
// take several issue slots each. Accesses and synchronization keep their order,
// and so do matrix instructions. Scheduling barriers preserve this order in the
// backend.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/MatrixProducts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;
using namespace aircc::amdgpu;

namespace {

/// The number of matrix instructions during which a read from LDS returns.
constexpr unsigned kReadLatency = 8;
/// The number of other instructions that can be issued during a matrix
/// instruction.
constexpr unsigned kPerProduct = 2;
/// The number of matrix instructions from which those in long loops are small.
constexpr unsigned kManySmallProducts = 64;
/// The fraction of the time after the barrier in which loads to LDS start.
constexpr double kMovesShare = 0.9;

bool isBarrier(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier;
}

bool isAccess(const Instruction &inst) {
  return inst.mayReadOrWriteMemory() || inst.mayHaveSideEffects();
}

bool isLDSRead(const Instruction &inst) {
  auto *load = dyn_cast<LoadInst>(&inst);
  return isTransposingRead(inst) ||
         (load && load->getPointerAddressSpace() == AMDGPUAS::LOCAL_ADDRESS);
}

bool isLoadedFromMemory(const Value *value) {
  while (isa<BitCastInst, FreezeInst>(value))
    value = cast<Instruction>(value)->getOperand(0);
  auto *load = dyn_cast<LoadInst>(value);
  return load && !isLDSRead(*load);
}

/// The relative time between the access and the next one.
unsigned getWeight(const Instruction &inst) {
  return isa<StoreInst>(inst) ? 2 : 1;
}

/// Returns whether, according to metadata, these are loads to LDS and reads
/// from other LDS buffers, so that their order does not matter.
bool areSeparate(ArrayRef<Instruction *> accesses) {
  bool hasMoves = false;
  for (Instruction *inst : accesses) {
    bool isMove = isMoveToLDS(*inst);
    hasMoves |= isMove;
    if (!inst->hasMetadata(isMove ? LLVMContext::MD_alias_scope
                                  : LLVMContext::MD_noalias) ||
        !(isMove || isLDSRead(*inst)))
      return false;
  }
  return hasMoves;
}

/// Orders one block.
class Interleaver {
public:
  Interleaver(BasicBlock &block, const UniformityInfo &uniformity)
      : block(block), uniformity(uniformity) {}
  bool run();
  /// Returns whether data loaded from memory is changed before it is stored.
  bool hasChangedLoads() const { return changesLoads; }

private:
  void collect();
  void placeAccesses();
  void placeAfterBarrier(MutableArrayRef<Instruction *> some, double from,
                         double to);
  void distribute(ArrayRef<Instruction *> some, double from, double to);
  void placeArithmetic();
  void emit();
  void emit(Instruction *inst);
  unsigned reserve(unsigned from, unsigned to);

  BasicBlock &block;
  const UniformityInfo &uniformity;
  SmallVector<Instruction *> products, accesses, arithmetic;
  /// The number of matrix instructions before each access.
  SmallVector<unsigned> productsBefore;
  /// The indices of the barriers in `accesses`.
  SmallVector<unsigned> barriers;
  /// The matrix instruction after which each other instruction is placed.
  DenseMap<Instruction *, unsigned> places;
  SmallVector<unsigned> counts;
  DenseSet<Instruction *> emitted;
  /// The number of accesses that were emitted.
  unsigned emittedAccesses = 0;
  Instruction *end = nullptr;
  bool changesLoads = false;
};

void Interleaver::collect() {
  for (Instruction &inst : block) {
    if (isa<PHINode>(inst) || inst.isTerminator())
      continue;
    if (isMatrixProduct(inst)) {
      products.push_back(&inst);
    } else if (isAccess(inst)) {
      if (isBarrier(inst))
        barriers.push_back(accesses.size());
      accesses.push_back(&inst);
      productsBefore.push_back(products.size());
    } else {
      arithmetic.push_back(&inst);
    }
  }
}

/// Places `some` accesses after the matrix instructions `from` to `to`.
void Interleaver::distribute(ArrayRef<Instruction *> some, double from,
                             double to) {
  double total = 0, before = 0;
  for (Instruction *inst : some)
    total += getWeight(*inst);
  for (Instruction *inst : some) {
    unsigned place = std::min<unsigned>(from + (to - from) * before / total,
                                        products.size() - 1);
    places[inst] = place;
    ++counts[place];
    before += getWeight(*inst);
  }
}

/// Places accesses that follow a barrier.
void Interleaver::placeAfterBarrier(MutableArrayRef<Instruction *> some,
                                    double from, double to) {
  if (!areSeparate(some))
    return distribute(some, from, to);
  // Loads to LDS take longest, so start them first.
  SmallVector<Instruction *> moves, reads;
  for (Instruction *inst : some)
    (isMoveToLDS(*inst) ? moves : reads).push_back(inst);
  distribute(moves, from, from + (to - from) * kMovesShare);
  distribute(reads, from, to);
  SmallVector<std::pair<unsigned, unsigned>> order;
  for (auto [index, inst] : enumerate(some))
    order.push_back({places.lookup(inst), index});
  llvm::sort(order);
  SmallVector<Instruction *> sorted;
  for (auto [place, index] : order)
    sorted.push_back(some[index]);
  llvm::copy(sorted, some.begin());
}

/// Places the accesses between two barriers in two groups: those before the
/// next matrix instruction, and the others.
void Interleaver::placeAccesses() {
  MutableArrayRef<Instruction *> all(accesses);
  // The fences around a barrier, and the wait before it, belong to it.
  auto isSync = [](Instruction *inst) {
    return !isa<LoadInst, StoreInst>(inst) &&
           (!isa<IntrinsicInst>(inst) || isBarrier(*inst) ||
            isIntrinsic(*inst, "llvm.amdgcn.s.waitcnt"));
  };
  unsigned begin = 0, from = 0;
  for (auto [i, barrier] : enumerate(barriers)) {
    unsigned first = barrier, last = barrier + 1;
    while (first > begin && isSync(all[first - 1]))
      --first;
    while (last < all.size() && isSync(all[last]))
      ++last;
    unsigned here = productsBefore[barrier];
    distribute(all.slice(begin, first - begin), from,
               from + (here - from) * 0.75);
    for (Instruction *inst : all.slice(first, last - first))
      places[inst] = here - 1;
    if (i + 1 == barriers.size())
      return placeAfterBarrier(all.drop_front(last), here, products.size() - 1);
    begin = last;
    while (begin < barriers[i + 1] && productsBefore[begin] == here)
      ++begin;
    from = productsBefore[begin];
    placeAfterBarrier(all.slice(last, begin - last), here, from);
  }
}

/// Returns a position from `from` to `to` where another instruction can be
/// issued.
unsigned Interleaver::reserve(unsigned from, unsigned to) {
  unsigned place = from;
  while (place < to && counts[place] >= kPerProduct)
    ++place;
  ++counts[place];
  return place;
}

/// Places arithmetic. Code that depends on reads from LDS follows them. Uniform
/// arithmetic, which uses scalar registers, is placed where there is time.
/// Other arithmetic is placed right before its users, so that loads from memory
/// return only when their data is stored.
void Interleaver::placeArithmetic() {
  for (Instruction *inst : arithmetic) {
    changesLoads |= isa<ShuffleVectorInst>(inst) &&
                    any_of(inst->operands(), isLoadedFromMemory);
    unsigned from = 0;
    bool depends = false;
    for (Value *operand : inst->operands()) {
      auto place = places.find(dyn_cast<Instruction>(operand));
      if (place == places.end())
        continue;
      auto *source = cast<Instruction>(operand);
      if (isa<LoadInst>(source) && !isLDSRead(*source))
        continue;
      depends = true;
      from = std::max(from,
                      place->second + (isLDSRead(*source) ? kReadLatency : 0));
    }
    if ((depends || uniformity.isUniform(inst)) &&
        !inst->getType()->isVoidTy()) {
      unsigned count = products.size();
      places[inst] = reserve(std::min(from, count - 1), count - 1);
    }
  }
}

void Interleaver::emit(Instruction *inst) {
  if (inst->getParent() != &block || isa<PHINode>(inst) ||
      inst->isTerminator() || !emitted.insert(inst).second)
    return;
  for (Value *operand : inst->operands())
    if (auto *source = dyn_cast<Instruction>(operand))
      emit(source);
  if (isAccess(*inst) && !isMatrixProduct(*inst))
    while (accesses[emittedAccesses] != inst)
      emit(accesses[emittedAccesses]);
  inst->moveBefore(end->getIterator());
  if (isAccess(*inst) && !isMatrixProduct(*inst))
    ++emittedAccesses;
}

void Interleaver::emit() {
  SmallVector<SmallVector<Instruction *>> after(products.size());
  for (Instruction &inst : block)
    if (auto place = places.find(&inst); place != places.end())
      after[place->second].push_back(&inst);
  end = block.getTerminator();
  IRBuilder<> b(end);
  auto mark = [&] {
    b.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, b.getInt32(0));
  };
  mark();
  for (auto [product, others] : zip_equal(products, after)) {
    emit(product);
    for (Instruction *inst : others)
      emit(inst);
    mark();
  }
  for (Instruction *inst : arithmetic)
    emit(inst);
}

bool Interleaver::run() {
  collect();
  // If there are no matrix instructions before a barrier, they use what was
  // read after it.
  if (products.size() < kManyProducts || barriers.empty() ||
      productsBefore[barriers.front()] == 0)
    return false;
  counts.assign(products.size(), 0);
  placeAccesses();
  placeArithmetic();
  emit();
  return true;
}

} // namespace

/// Returns the backend scheduler that adds least to the register pressure: for
/// loops whose loads are changed or that need many addresses or scales, for
/// loops of small matrix instructions, and for loops of large ones.
static StringRef getScheduler(const Function &function, bool changesLoads) {
  bool hasSmall = false, hasManyAddresses = false, hasScales = false;
  for (const BasicBlock &block : function) {
    size_t products = count_if(block, isMatrixProduct);
    hasSmall |= products >= kManySmallProducts;
    hasScales |=
        products >= kManySmallProducts && any_of(block, hasLoadedScales);
    // The addresses of transposing reads differ by more than a constant.
    hasManyAddresses |=
        products > kManySmallProducts && any_of(block, isTransposingRead);
  }
  return changesLoads || hasManyAddresses || hasScales ? "iterative-ilp"
         : hasSmall                                    ? "iterative-maxocc"
                                                       : "iterative-minreg";
}

PreservedAnalyses
aircc::amdgpu::InterleaveProductsPass::run(Function &function,
                                           FunctionAnalysisManager &analyses) {
  if (none_of(function, hasManyProducts))
    return PreservedAnalyses::all();
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(function);
  bool changed = false, changesLoads = false;
  for (BasicBlock &block : function) {
    if (!is_contained(successors(&block), &block))
      continue;
    Interleaver interleaver(block, uniformity);
    changed |= interleaver.run();
    changesLoads |= interleaver.hasChangedLoads();
  }
  if (!changed)
    return PreservedAnalyses::all();
  function.addFnAttr("amdgpu-sched-strategy",
                     getScheduler(function, changesLoads));
  return PreservedAnalyses::none();
}
