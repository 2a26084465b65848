//===- SplitLargeFunctions.cpp - Compile very large functions in parts ----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): the run time of many passes is quadratic in the number
// of blocks of a function (among those that cannot be skipped, InstCombine,
// StructurizeCFG, the register coalescer and, for SPIR-V, LoopStrengthReduce),
// or in the depth of its loops. Symptom: a kernel of 1,000 successive loops
// takes 12 seconds to compile for AMD GPUs and 5 seconds for Intel GPUs, and a
// nest of 1,000 loops takes more than a minute.
//
// Workaround: functions with very many blocks are divided into functions of
// bounded size, which call each other. Only regions with one entry and one exit
// are moved. A region is measured after its inner regions were moved, so the
// time to compile a function is linear in its size, regardless of its shape.
//
// On AMD GPUs, a call costs about forty instructions, which the hundreds of
// blocks of its callee amortize. A remark informs the user about the calls.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/SplitLargeFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;

/// The number of blocks from which a function is divided, because the quadratic
/// part of its compile time then exceeds the linear part.
static constexpr unsigned kManyBlocks = 768;

/// The same for functions with a nest of this many loops, which take a multiple
/// of the time. Programs that people write have none.
static constexpr unsigned kManyNestedBlocks = 256, kDeep = 64;

/// The minimum number of blocks of a part that becomes a function.
static constexpr unsigned kPartBlocks = 192;

/// The maximum number of values that a part gets and returns. With more, such
/// as the tile of a matrix, the calls take longer than the code. A function of
/// SPIR-V has at most 255 parameters.
static constexpr unsigned kMaxValues = 64;

namespace {

/// The blocks that `entry` dominates and `exit` postdominates, excluding
/// `exit`.
struct Part {
  BasicBlock *entry, *exit;
};

/// The part of a region between a block that all of its paths visit and the
/// next such block.
struct Section {
  BasicBlock *head;
  BasicBlock *next; ///< Null if the function ends.
  unsigned numBlocks = 1;
};

/// The blocks that a block dominates.
struct Region {
  static constexpr unsigned kNone = ~0u;

  SmallVector<Section> sections;
  /// The section of an outer region that contains this one.
  unsigned outer = kNone, outerSection = 0;
};

/// Finds parts of bounded size in a function.
class Partitioner {
public:
  Partitioner(DominatorTree &dominators, PostDominatorTree &postDominators)
      : dominators(dominators), postDominators(postDominators) {
    dominators.updateDFSNumbers();
  }

  /// Returns the parts in an order in which they can be extracted: inner parts
  /// precede those that contain them.
  std::vector<Part> run(BasicBlock &functionEntry);

private:
  void collectRegions(BasicBlock &functionEntry);
  void buildSections(Region &region, BasicBlock *entry);
  unsigned collectParts(const Region &region);

  DominatorTree &dominators;
  PostDominatorTree &postDominators;
  std::vector<Region> regions; ///< Outer regions first.
  std::vector<Part> parts;
};

} // namespace

void Partitioner::buildSections(Region &region, BasicBlock *entry) {
  for (BasicBlock *head = entry;;) {
    DomTreeNode *node = postDominators.getNode(head);
    BasicBlock *next =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    region.sections.push_back({head, next});
    if (!next || !dominators.properlyDominates(entry, next))
      return;
    head = next;
  }
}

void Partitioner::collectRegions(BasicBlock &functionEntry) {
  buildSections(regions.emplace_back(), &functionEntry);
  for (unsigned i = 0; i != regions.size(); ++i) {
    SmallPtrSet<BasicBlock *, 8> heads;
    for (const Section &section : regions[i].sections)
      heads.insert(section.head);
    for (unsigned j = 0; j != regions[i].sections.size(); ++j)
      for (DomTreeNode *child :
           *dominators.getNode(regions[i].sections[j].head)) {
        if (heads.contains(child->getBlock()))
          continue;
        Region &inner = regions.emplace_back();
        inner.outer = i;
        inner.outerSection = j;
        buildSections(inner, child->getBlock());
      }
  }
}

/// Appends the parts of `region`. Returns the number of its other blocks.
unsigned Partitioner::collectParts(const Region &region) {
  unsigned rest = 0, pending = 0;
  BasicBlock *entry = nullptr;
  for (const Section &section : region.sections) {
    // The entry of a function contains its allocas. The last block of a loop's
    // body computes the values of the next iteration, which a part would have
    // to return through memory.
    if (!section.next || section.head->isEntryBlock() ||
        (section.numBlocks == 1 && &section == &region.sections.back())) {
      rest += section.numBlocks;
      continue;
    }
    if (!entry)
      entry = section.head;
    pending += section.numBlocks;
    if (pending < kPartBlocks)
      continue;
    parts.push_back({entry, section.next});
    ++rest;
    pending = 0;
    entry = nullptr;
  }
  return rest + pending;
}

std::vector<Part> Partitioner::run(BasicBlock &functionEntry) {
  collectRegions(functionEntry);
  for (const Region &region : reverse(regions)) {
    unsigned rest = collectParts(region);
    if (region.outer != Region::kNone)
      regions[region.outer].sections[region.outerSection].numBlocks += rest;
  }
  return std::move(parts);
}

/// Returns the blocks of the part, or an empty set if it has other entries or
/// exits.
static SetVector<BasicBlock *> collectBlocks(const Part &part) {
  SetVector<BasicBlock *> blocks;
  blocks.insert(part.entry);
  for (unsigned i = 0; i != blocks.size(); ++i)
    for (BasicBlock *successor : successors(blocks[i]))
      if (successor != part.exit)
        blocks.insert(successor);
  bool isClosed = all_of(drop_begin(blocks), [&](BasicBlock *block) {
    return !succ_empty(block) && all_of(predecessors(block), [&](auto *from) {
      return blocks.contains(from);
    });
  });
  return isClosed ? blocks : SetVector<BasicBlock *>();
}

/// Reads the arguments of the kernel in a part. They are the same in all lanes,
/// but a part receives them in vector registers and could not know this. The
/// attribute `inreg` would pass them in scalar registers, but LLVM 22.1.8
/// rejects values that are in a vector register in the caller ("illegal VGPR to
/// SGPR copy"), and on chips without architected flat scratch it overwrites the
/// registers that address the stack.
static void readKernelArguments(const CallBase &call, Function &callee) {
  IRBuilder<> b(&*callee.getEntryBlock().getFirstInsertionPt());
  for (unsigned i = 0; i != call.arg_size(); ++i) {
    auto *source = dyn_cast<Argument>(call.getArgOperand(i));
    Argument *argument = callee.getArg(i);
    Type *type = argument->getType();
    if (!source ||
        source->getParent()->getCallingConv() != CallingConv::AMDGPU_KERNEL ||
        (!type->isPointerTy() && !type->isIntegerTy(32) &&
         !type->isIntegerTy(64)))
      continue;
    auto *value =
        b.CreateIntrinsic(type, Intrinsic::amdgcn_readfirstlane, {argument});
    argument->replaceUsesWithIf(
        value, [&](Use &use) { return use.getUser() != value; });
  }
}

/// Outlines the part into a function unless it has other entries or exits.
/// Returns whether it did so.
static bool extract(const Part &part, const CodeExtractorAnalysisCache &cache) {
  SetVector<BasicBlock *> blocks = collectBlocks(part);
  if (blocks.empty())
    return false;
  CodeExtractor extractor(blocks.getArrayRef(), /*DT=*/nullptr,
                          /*AggregateArgs=*/false, /*BFI=*/nullptr,
                          /*BPI=*/nullptr, /*AC=*/nullptr,
                          /*AllowVarArgs=*/false, /*AllowAlloca=*/false,
                          /*AllocationBlock=*/nullptr, "part");
  SetVector<Value *> inputs, outputs;
  extractor.findInputsOutputs(inputs, outputs, /*Allocas=*/{});
  if (inputs.size() + outputs.size() > kMaxValues)
    return false;
  Function *callee = extractor.extractCodeRegion(cache);
  if (!callee)
    return false;
  callee->addFnAttr(Attribute::NoInline);
  for (User *user : callee->users())
    readKernelArguments(*cast<CallBase>(user), *callee);
  return true;
}

static bool isLarge(Function &function, FunctionAnalysisManager &analyses) {
  if (function.size() >= kManyBlocks)
    return true;
  if (function.size() < kManyNestedBlocks)
    return false;
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  return any_of(function, [&](BasicBlock &block) {
    return loops.getLoopDepth(&block) >= kDeep;
  });
}

/// Returns whether the function changed.
static bool split(Function &function, FunctionAnalysisManager &analyses) {
  if (function.hasFnAttribute(Attribute::OptimizeNone) ||
      !isLarge(function, analyses))
    return false;
  // Simplify memref descriptors first, so that parts have fewer arguments.
  FunctionPassManager prepare;
  prepare.addPass(SROAPass(SROAOptions::PreserveCFG));
  prepare.addPass(EarlyCSEPass());
  prepare.run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());

  Partitioner partitioner(
      analyses.getResult<DominatorTreeAnalysis>(function),
      analyses.getResult<PostDominatorTreeAnalysis>(function));
  std::vector<Part> parts = partitioner.run(function.getEntryBlock());
  CodeExtractorAnalysisCache cache(function);
  size_t numBlocks = function.size(), numCalls = 0;
  for (const Part &part : parts)
    numCalls += extract(part, cache);
  StringRef costs = function.getParent()->getTargetTriple().isSPIRV()
                        ? ""
                        : "; each call costs about forty instructions";
  if (numCalls > 0)
    function.getContext().diagnose(DiagnosticInfoGeneric(
        "'" + function.getName() + "' has " + Twine(numBlocks) +
            " basic blocks and would take very long to compile as one "
            "function, so " +
            Twine(numCalls) +
            " parts of it are outlined into separate functions" + costs +
            ", which smaller kernels, or loops instead of repeated code, would "
            "avoid",
        DS_Remark));
  return true;
}

PreservedAnalyses
aircc::SplitLargeFunctionsPass::run(Module &module,
                                    ModuleAnalysisManager &analyses) {
  auto &functionAnalyses =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  bool changed = false;
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *function : functions)
    changed |= split(*function, functionAnalyses);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
