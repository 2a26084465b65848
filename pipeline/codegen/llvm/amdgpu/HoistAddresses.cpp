//===- HoistAddresses.cpp - Compute addresses before loops ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Not a workaround: a matrix instruction leaves few issue slots for arithmetic,
// and the optimizer leaves several instructions for each address, because it
// folds sums into disjoint `or`s, which hide the common parts.
//
// In a loop with many matrix instructions, this pass divides each address into
// a part that is invariant in the loop, a part that varies, and a constant. It
// computes the first before the loop; LDS accesses that differ only in the
// constant share one addition, and accesses to global memory get a uniform base
// in scalar registers.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/DeepKnownBits.h"
#include "pipeline/codegen/llvm/amdgpu/MatrixProducts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/AMDGPUAddrSpace.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace aircc::amdgpu;

namespace {

unsigned getAddressSpace(Value *pointer) {
  return pointer->getType()->getPointerAddressSpace();
}

/// An address as a sum. The bits of `flipped` are inverted in the sum of all
/// parts but the constant.
struct Address {
  const SCEV *base = nullptr; ///< A pointer that is invariant in the loop.
  /// The parts that are invariant in the loop, uniform and divergent, and the
  /// part that varies.
  const SCEV *uniform = nullptr, *divergent = nullptr, *variant = nullptr;
  int64_t constant = 0, flipped = 0;
};

/// Rewrites the addresses of one loop.
class AddressHoister {
public:
  /// `blocks` are executed in each iteration, in this order.
  AddressHoister(Loop &loop, ArrayRef<BasicBlock *> blocks,
                 ScalarEvolution &evolution, const UniformityInfo &uniformity)
      : loop(loop), blocks(blocks), evolution(evolution),
        uniformity(uniformity), knownBits(loop.getHeader()->getDataLayout()),
        expander(evolution, "address"),
        before(loop.getLoopPreheader()->getTerminator()) {}
  bool run();

private:
  bool divide(Address &address, Value *pointer);
  void addTerms(Address &address, const SCEV *expression,
                const SCEVConstant *scale);
  void lookThroughXor(Address &address, IntegerType *type);
  bool isUniform(const SCEV *expression) const;
  const SCEV *add(const SCEV *sum, const SCEV *term) {
    return sum ? evolution.getAddExpr(sum, term) : term;
  }
  Value *expand(const SCEV *expression, Instruction *at) {
    return expander.expandCodeFor(expression, expression->getType(),
                                  at->getIterator());
  }
  bool flipsBefore(const Address &address) const;
  Value *createFlippedPointer(const Address &address, const SCEV *invariant,
                              IRBuilder<> &b);
  Value *createLDSPointer(const Address &address, Instruction *access);
  Value *createGlobalPointer(const Address &address, Instruction *access);
  bool splitBufferOffsets();
  bool splitBufferOffset(CallInst *move);
  void setRanges();
  void markSums();

  Loop &loop;
  ArrayRef<BasicBlock *> blocks;
  ScalarEvolution &evolution;
  const UniformityInfo &uniformity;
  DeepKnownBits knownBits;
  SCEVExpander expander;
  Instruction *before;
  /// The bases of LDS addresses with the invariant parts, bits of which are
  /// inverted.
  DenseMap<std::tuple<const SCEV *, const SCEV *, int64_t>, Value *>
      hoistedPointers;
  /// The sums of these and the varying parts.
  DenseMap<std::pair<Value *, const SCEV *>, Value *> sums;
  /// The sums of invariant parts and varying parts.
  DenseMap<std::pair<const SCEV *, const SCEV *>, Value *> offsets;
  /// The resources of the buffers that are read by loads to LDS.
  DenseMap<IntrinsicInst *, Value *> resources;
};

bool AddressHoister::isUniform(const SCEV *expression) const {
  return !SCEVExprContains(expression, [&](const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && uniformity.isDivergent(unknown->getValue());
  });
}

/// Adds `scale` times `expression`, in arithmetic of the type of `scale`, to
/// the parts of the address. Truncation and multiplication distribute over
/// sums.
void AddressHoister::addTerms(Address &address, const SCEV *expression,
                              const SCEVConstant *scale) {
  if (auto *sum = dyn_cast<SCEVAddExpr>(expression)) {
    for (const SCEV *term : sum->operands())
      addTerms(address, term, scale);
    return;
  }
  if (auto *truncated = dyn_cast<SCEVTruncateExpr>(expression))
    return addTerms(address, truncated->getOperand(), scale);
  if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression);
      recurrence && recurrence->isAffine() && recurrence->getLoop() == &loop &&
      !recurrence->getStart()->isZero()) {
    addTerms(address, recurrence->getStart(), scale);
    const SCEV *zero = evolution.getZero(expression->getType());
    return addTerms(
        address,
        evolution.getAddRecExpr(zero, recurrence->getStepRecurrence(evolution),
                                &loop, SCEV::FlagAnyWrap),
        scale);
  }
  Type *type = scale->getType();
  if (auto *product = dyn_cast<SCEVMulExpr>(expression);
      product && product->getNumOperands() == 2)
    if (auto *factor = dyn_cast<SCEVConstant>(product->getOperand(0)))
      return addTerms(address, product->getOperand(1),
                      cast<SCEVConstant>(evolution.getMulExpr(
                          scale, evolution.getTruncateOrNoop(factor, type))));
  const SCEV *term = evolution.getMulExpr(
      scale, evolution.getTruncateOrNoop(expression, type));
  if (auto *constant = dyn_cast<SCEVConstant>(term))
    address.constant += constant->getAPInt().getSExtValue();
  else if (!evolution.isLoopInvariant(term, &loop))
    address.variant = add(address.variant, term);
  else if (isUniform(term))
    address.uniform = add(address.uniform, term);
  else
    address.divergent = add(address.divergent, term);
}

/// If the varying part of the address is a multiple of an xor with a constant,
/// as in swizzled buffers, divides the other operand of the xor instead.
void AddressHoister::lookThroughXor(Address &address, IntegerType *type) {
  if (!address.variant || address.uniform || address.divergent)
    return;
  const SCEV *expression = address.variant;
  APInt factor(type->getBitWidth(), 1);
  if (auto *product = dyn_cast<SCEVMulExpr>(expression)) {
    auto *constant = dyn_cast<SCEVConstant>(product->getOperand(0));
    if (!constant || product->getNumOperands() != 2 ||
        !constant->getAPInt().isPowerOf2())
      return;
    factor = constant->getAPInt();
    expression = product->getOperand(1);
  }
  if (auto *truncated = dyn_cast<SCEVTruncateExpr>(expression))
    expression = truncated->getOperand();
  auto *unknown = dyn_cast<SCEVUnknown>(expression);
  Value *operand = nullptr;
  const APInt *constant = nullptr;
  if (!unknown ||
      !match(unknown->getValue(), m_Xor(m_Value(operand), m_APInt(constant))))
    return;
  // Inverting bits that are zero adds them.
  KnownBits known = knownBits.get(operand);
  APInt added = *constant & known.Zero;
  auto scale = [&](const APInt &bits) {
    return (bits.sextOrTrunc(type->getBitWidth()) * factor).getSExtValue();
  };
  Address inner;
  addTerms(inner, evolution.getSCEV(operand),
           cast<SCEVConstant>(evolution.getConstant(factor)));
  int64_t flipped = scale(*constant ^ added);
  // The constant can be added last if it does not reach the inverted bits.
  if (flipped < 0 ||
      inner.constant % static_cast<int64_t>(NextPowerOf2(flipped)))
    return;
  inner.constant += scale(added);
  inner.base = address.base;
  inner.constant += address.constant;
  inner.flipped = flipped;
  address = inner;
}

/// Divides the address into its parts. Fails if the base varies in the loop, or
/// if the address is computed in a way that expansion could not repeat.
bool AddressHoister::divide(Address &address, Value *pointer) {
  const SCEV *sum = evolution.getSCEV(pointer);
  if (!expander.isSafeToExpand(sum))
    return false;
  address.base = evolution.getPointerBase(sum);
  if (!evolution.isLoopInvariant(address.base, &loop))
    return false;
  const SCEV *offset = evolution.removePointerBase(sum);
  addTerms(address, offset,
           cast<SCEVConstant>(evolution.getOne(offset->getType())));
  if (getAddressSpace(pointer) == AMDGPUAS::LOCAL_ADDRESS)
    lookThroughXor(address, cast<IntegerType>(offset->getType()));
  return true;
}

/// Returns whether bits of the address are inverted before the loop, because
/// the varying part does not reach them.
bool AddressHoister::flipsBefore(const Address &address) const {
  return !address.variant ||
         evolution.getMinTrailingZeros(address.variant) >
             Log2_64(static_cast<uint64_t>(address.flipped));
}

/// Returns the address without its constant, for bits that are inverted in the
/// loop.
Value *AddressHoister::createFlippedPointer(const Address &address,
                                            const SCEV *invariant,
                                            IRBuilder<> &b) {
  Value *&sum = offsets[{invariant, address.variant}];
  if (!sum) {
    sum = expand(address.variant, &*b.GetInsertPoint());
    if (invariant)
      sum = b.CreateAdd(expand(invariant, before), sum, "lds");
  }
  return b.CreatePtrAdd(expand(address.base, before),
                        b.CreateXor(sum, address.flipped));
}

Value *AddressHoister::createLDSPointer(const Address &address,
                                        Instruction *access) {
  const SCEV *invariant = address.divergent;
  if (address.uniform)
    invariant = add(invariant, address.uniform);
  IRBuilder<> b(access);
  Value *constant = ConstantInt::getSigned(b.getInt32Ty(), address.constant);
  if (address.flipped && !flipsBefore(address))
    return b.CreatePtrAdd(createFlippedPointer(address, invariant, b),
                          constant);
  Value *&hoisted = hoistedPointers[{address.base, invariant, address.flipped}];
  if (!hoisted) {
    IRBuilder<> outside(before);
    hoisted = expand(address.base, before);
    Value *offset = invariant ? expand(invariant, before) : nullptr;
    if (address.flipped)
      offset = offset ? outside.CreateXor(offset, address.flipped)
                      : outside.getInt32(address.flipped);
    if (offset)
      hoisted = outside.CreatePtrAdd(hoisted, offset, "hoisted");
  }
  Value *&sum = sums[{hoisted, address.variant}];
  if (!sum)
    sum = address.variant
              ? b.CreatePtrAdd(hoisted, expand(address.variant, access), "lds")
              : hoisted;
  return b.CreatePtrAdd(sum, constant);
}

Value *AddressHoister::createGlobalPointer(const Address &address,
                                           Instruction *access) {
  IRBuilder<> b(access);
  // Uniform terms are added in scalar registers.
  const SCEV *base = evolution.getAddExpr(
      address.base,
      evolution.getConstant(b.getInt64Ty(), address.constant, true));
  if (address.uniform)
    base = evolution.getAddExpr(base, address.uniform);
  Value *pointer = expand(base, before);
  if (address.variant)
    pointer = b.CreatePtrAdd(pointer, expand(address.variant, access), "base");
  if (address.divergent)
    pointer = b.CreatePtrAdd(pointer, expand(address.divergent, before));
  return pointer;
}

/// Splits the offsets of buffer-to-LDS loads into a uniform and a divergent
/// part. The uniform part is kept in a scalar register, so loads of several
/// rows share one vector register. Scalar offsets are not checked against the
/// size of the buffer, so the offsets must be known to be in bounds.
bool AddressHoister::splitBufferOffsets() {
  SmallVector<CallInst *> moves;
  for (BasicBlock *block : blocks)
    for (Instruction &inst : *block)
      if (isIntrinsic(inst, "llvm.amdgcn.load.to.lds") &&
          getAddressSpace(inst.getOperand(0)) == AMDGPUAS::BUFFER_FAT_POINTER)
        moves.push_back(cast<CallInst>(&inst));
  bool changed = false;
  for (CallInst *move : moves)
    changed |= splitBufferOffset(move);
  return changed;
}

bool AddressHoister::splitBufferOffset(CallInst *move) {
  const SCEV *source = evolution.getSCEV(move->getArgOperand(0));
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(source));
  auto *buffer = base ? dyn_cast<IntrinsicInst>(base->getValue()) : nullptr;
  if (!buffer || !expander.isSafeToExpand(source) ||
      buffer->getIntrinsicID() != Intrinsic::amdgcn_make_buffer_rsrc)
    return false;
  auto *bytes = dyn_cast<ConstantInt>(buffer->getArgOperand(2));
  const SCEV *offset = evolution.removePointerBase(source);
  if (!bytes || !evolution.isLoopInvariant(offset, &loop))
    return false;
  IRBuilder<> b(move);
  Address address;
  addTerms(address, offset,
           cast<SCEVConstant>(evolution.getOne(offset->getType())));
  const SCEV *zero = evolution.getZero(b.getInt32Ty());
  const SCEV *divergent = address.divergent ? address.divergent : zero;
  const SCEV *uniform =
      add(address.uniform,
          evolution.getConstant(b.getInt32Ty(), address.constant, true));
  Value *lane = expand(divergent, before), *wave = expand(uniform, before);
  auto getMax = [&](const SCEV *part, Value *value) {
    return std::min(evolution.getUnsignedRangeMax(part).getZExtValue(),
                    knownBits.get(value).getMaxValue().getZExtValue());
  };
  auto getArgument = [&](unsigned index) {
    return cast<ConstantInt>(move->getArgOperand(index))->getZExtValue();
  };
  if (getMax(divergent, lane) + getMax(uniform, wave) + getArgument(2) +
          getArgument(3) >
      bytes->getZExtValue()) {
    RecursivelyDeleteTriviallyDeadInstructions(lane);
    RecursivelyDeleteTriviallyDeadInstructions(wave);
    return false;
  }
  Value *&resource = resources[buffer];
  if (!resource) {
    IRBuilder<> atBuffer(buffer);
    resource = atBuffer.CreateIntrinsic(Intrinsic::amdgcn_make_buffer_rsrc,
                                        {b.getPtrTy(AMDGPUAS::BUFFER_RESOURCE),
                                         buffer->getArgOperand(0)->getType()},
                                        SmallVector<Value *>(buffer->args()));
  }
  CallInst *split = b.CreateIntrinsic(
      Intrinsic::amdgcn_raw_ptr_buffer_load_lds,
      {resource, move->getArgOperand(1), move->getArgOperand(2), lane, wave,
       move->getArgOperand(3), move->getArgOperand(4)});
  split->copyMetadata(*move);
  Value *old = move->getArgOperand(0);
  move->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(old);
  return true;
}

/// Records the ranges of values that readfirstlane makes uniform, because
/// analyses do not look through it.
void AddressHoister::setRanges() {
  for (Instruction &inst : instructions(*loop.getHeader()->getParent())) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call || call->hasRetAttr(Attribute::Range) ||
        call->getIntrinsicID() != Intrinsic::amdgcn_readfirstlane ||
        !call->getType()->isIntegerTy())
      continue;
    ConstantRange range = ConstantRange::fromKnownBits(
        knownBits.get(call->getArgOperand(0)), /*IsSigned=*/false);
    if (range.isFullSet())
      continue;
    call->addRangeRetAttr(range);
    evolution.forgetValue(call);
  }
}

/// Finds sums that the optimizer has rewritten as `or`s.
void AddressHoister::markSums() {
  for (Instruction &inst : instructions(*loop.getHeader()->getParent())) {
    auto *sum = dyn_cast<PossiblyDisjointInst>(&inst);
    if (!sum || sum->isDisjoint() ||
        !KnownBits::haveNoCommonBitsSet(knownBits.get(sum->getOperand(0)),
                                        knownBits.get(sum->getOperand(1))))
      continue;
    sum->setIsDisjoint(true);
    evolution.forgetValue(sum);
  }
}

bool AddressHoister::run() {
  setRanges();
  markSums();
  SmallVector<std::pair<Use *, Address>> accesses;
  auto collect = [&](Use &pointer) {
    Address address;
    if (isa<Instruction>(pointer) && divide(address, pointer))
      accesses.push_back({&pointer, address});
  };
  for (BasicBlock *block : blocks)
    for (Instruction &inst : *block) {
      if (auto *load = dyn_cast<LoadInst>(&inst))
        collect(load->getOperandUse(LoadInst::getPointerOperandIndex()));
      else if (auto *store = dyn_cast<StoreInst>(&inst))
        collect(store->getOperandUse(StoreInst::getPointerOperandIndex()));
      else if (isTransposingRead(inst))
        collect(inst.getOperandUse(0));
      else if (isMoveToLDS(inst))
        collect(inst.getOperandUse(1));
    }
  for (auto &[use, address] : accesses) {
    auto *access = cast<Instruction>(use->getUser());
    Value *old = *use;
    unsigned space = getAddressSpace(old);
    if (space == AMDGPUAS::LOCAL_ADDRESS)
      use->set(createLDSPointer(address, access));
    else if (space == AMDGPUAS::GLOBAL_ADDRESS)
      use->set(createGlobalPointer(address, access));
    RecursivelyDeleteTriviallyDeadInstructions(old);
  }
  return splitBufferOffsets() || !accesses.empty();
}

} // namespace

/// Returns the blocks of `loop`, but not of loops in it, that are executed in
/// each iteration, each of which dominates those after it.
static SmallVector<BasicBlock *> getBlocks(const Loop &loop,
                                           const LoopInfo &loops,
                                           const DominatorTree &dominators) {
  SmallVector<BasicBlock *> blocks;
  for (BasicBlock *block : loop.blocks())
    if (loops.getLoopFor(block) == &loop &&
        dominators.dominates(block, loop.getLoopLatch()))
      blocks.push_back(block);
  llvm::sort(blocks, [&](BasicBlock *a, BasicBlock *b) {
    return a != b && dominators.dominates(a, b);
  });
  return blocks;
}

PreservedAnalyses
aircc::amdgpu::HoistAddressesPass::run(Function &function,
                                       FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  SmallVector<std::pair<Loop *, SmallVector<BasicBlock *>>> some;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->getLoopPreheader() || !loop->getLoopLatch())
      continue;
    SmallVector<BasicBlock *> blocks = getBlocks(*loop, loops, dominators);
    size_t products = 0;
    for (BasicBlock *block : blocks)
      products += count_if(*block, isMatrixProduct);
    if (products >= kManyProducts)
      some.push_back({loop, std::move(blocks)});
  }
  if (some.empty())
    return PreservedAnalyses::all();
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(function);
  bool changed = false;
  for (auto &[loop, blocks] : some)
    changed |= AddressHoister(*loop, blocks, evolution, uniformity).run();
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
