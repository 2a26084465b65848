//===- TranslateAtomic.cpp - Atomics and fences ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Atomics are host atomics with sequential consistency, which is at least as
// strong as the kernel's semantics. They also synchronize the processes of
// several ranks.
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Host.h"
#include "simulator/spirv/translate/Translator.h"

using namespace aircc::sim::spirv;
using llvm::AtomicRMWInst;
using spv::Op;

namespace {
struct AtomicRow {
  Op op;
  AtomicRMWInst::BinOp llvm;
};
constexpr AtomicRow kAtomics[] = {
    {Op::OpAtomicExchange, AtomicRMWInst::Xchg},
    {Op::OpAtomicIIncrement, AtomicRMWInst::Add},
    {Op::OpAtomicIDecrement, AtomicRMWInst::Sub},
    {Op::OpAtomicIAdd, AtomicRMWInst::Add},
    {Op::OpAtomicISub, AtomicRMWInst::Sub},
    {Op::OpAtomicSMin, AtomicRMWInst::Min},
    {Op::OpAtomicUMin, AtomicRMWInst::UMin},
    {Op::OpAtomicSMax, AtomicRMWInst::Max},
    {Op::OpAtomicUMax, AtomicRMWInst::UMax},
    {Op::OpAtomicAnd, AtomicRMWInst::And},
    {Op::OpAtomicOr, AtomicRMWInst::Or},
    {Op::OpAtomicXor, AtomicRMWInst::Xor},
    {Op::OpAtomicFAddEXT, AtomicRMWInst::FAdd},
    {Op::OpAtomicFMinEXT, AtomicRMWInst::FMin},
    {Op::OpAtomicFMaxEXT, AtomicRMWInst::FMax},
};
constexpr auto kOrder = llvm::AtomicOrdering::SequentiallyConsistent;
} // namespace

spv::Scope FunctionTranslator::scopeOf(const Instruction &i, unsigned n) {
  return static_cast<spv::Scope>(outer.integer(i.operand(n), i));
}

bool FunctionTranslator::atomic(const Instruction &i) {
  auto check = [&](Type *t) {
    const uint64_t bytes = outer.bytesOf(t);
    const unsigned bits = t->getScalarSizeInBits();
    if (t->isVectorTy() || bits < 8 || !llvm::isPowerOf2_32(bits))
      fail(i, "an atomic of a vector, or of " + std::to_string(bits) + " bits");
    if (bytes > 8)
      fail(i, "an atomic of " + std::to_string(bytes) + " bytes");
    checkAccess(i, {.kind = AccessSite::Atomic,
                    .pointer = i.operand(0),
                    .bytes = bytes,
                    .alignment = static_cast<uint32_t>(bytes)});
    return llvm::Align(bytes);
  };
  for (const AtomicRow &row : kAtomics) {
    if (row.op != i.op)
      continue;
    Type *t = type(i.type);
    llvm::Align align = check(t);
    Value *v =
        i.operands.size() > 3 ? operand(i, 3) : llvm::ConstantInt::get(t, 1);
    set(i, b.CreateAtomicRMW(row.llvm, operand(i, 0), v, align, kOrder));
    return true;
  }
  switch (i.op) {
  case Op::OpAtomicLoad: {
    Type *t = type(i.type);
    llvm::Align align = check(t);
    llvm::LoadInst *load = b.CreateAlignedLoad(t, operand(i, 0), align);
    load->setAtomic(kOrder);
    set(i, load);
    return true;
  }
  case Op::OpAtomicStore: {
    Value *v = operand(i, 3);
    llvm::Align align = check(v->getType());
    b.CreateAlignedStore(v, operand(i, 0), align)->setAtomic(kOrder);
    return true;
  }
  case Op::OpAtomicCompareExchange:
  case Op::OpAtomicCompareExchangeWeak: {
    // The operands are the pointer, the scope, two semantics, the value and the
    // comparator.
    Type *t = type(i.type);
    llvm::Align align = check(t);
    Value *pair = b.CreateAtomicCmpXchg(operand(i, 0), operand(i, 5),
                                        operand(i, 4), align, kOrder, kOrder);
    set(i, b.CreateExtractValue(pair, 0));
    return true;
  }
  case Op::OpAtomicFlagTestAndSet: {
    Type *t = b.getInt32Ty();
    llvm::Align align = check(t);
    Value *old = b.CreateAtomicRMW(AtomicRMWInst::Xchg, operand(i, 0),
                                   b.getInt32(1), align, kOrder);
    set(i, b.CreateICmpNE(old, b.getInt32(0)));
    return true;
  }
  case Op::OpAtomicFlagClear: {
    llvm::Align align = check(b.getInt32Ty());
    b.CreateAlignedStore(b.getInt32(0), operand(i, 0), align)
        ->setAtomic(kOrder);
    return true;
  }
  case Op::OpMemoryBarrier:
    b.CreateFence(kOrder);
    callHost(reinterpret_cast<const void *>(&host::fence), b.getVoidTy(),
             {lane, operand(i, 0), operand(i, 1)});
    return true;
  default:
    return false;
  }
}
