//===- BackendWorkarounds.h - What LLVM 22's AMDGPU gets wrong --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_BACKENDWORKAROUNDS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_BACKENDWORKAROUNDS_H

namespace llvm {
class Module;
class PassInstrumentationCallbacks;
class TargetMachine;
} // namespace llvm

namespace aircc {

/// Turns atomics that the chip has no instruction for into loops of
/// compare-and-swap. The backend does so itself, but only after it has given
/// LDS its addresses: then it knows that a 16-bit value is in the lower half of
/// its dword, and the IR builder folds the shift of what the loop has just read
/// into what was read before the loop. The new value is computed once, from the
/// first read (LLVM 22.1.8).
void expandAtomics(llvm::Module &module, llvm::TargetMachine &machine);

/// Does divisions of integers below 32 bits in 32 bits. The pass of the backend
/// that does this is not run without optimisation, and a quotient and remainder
/// of the same narrow operands then cannot be selected (LLVM 22.1.8).
void widenDivisions(llvm::Module &module);

/// Hides from instruction selection how unsigned i32 dividends were made whose
/// upper bits are copies of their sign. Without optimisation it takes two such
/// operands, below zero too, for numbers of 24 bits, and divides these
/// (AMDGPUTargetLowering::LowerDIVREM24, LLVM 22.1.8).
void keepUnsignedQuotients(llvm::Module &module);

/// Takes ballots of `fcmp one` as those of "less" or "greater". The backend
/// selects `v_cmp_neq` for them, which is true for NaN as well, and does so for
/// all that instruction selection may join to such a comparison: that becomes
/// a number first, which it does not look through (LLVM 22.1.8).
void mendBallots(llvm::Module &module);

/// Makes f32 products that are truncated to f16 sums with -0, which changes
/// nothing. The backend makes one instruction of the two, a sum with +0, and
/// the product's -0 becomes +0 (LLVM 22.1.8).
void keepSignsOfProducts(llvm::Module &module);

/// Keeps 0 - x from being taken for -x. Instruction selection does so where a
/// multiplication or the like can negate its operand, though 0 - 0 is +0; it is
/// given a zero that it cannot see (LLVM 22.1.8).
void keepZerosOfDifferences(llvm::Module &module);

/// Keeps what lanes get of their neighbours by DPP out of the operands of
/// integer products. The backend lets a multiplication with a sum of 64 bits
/// (v_mad_co_u64_u32) read its operand by DPP on gfx12, which the ISA does not
/// have: such an instruction cannot be decoded again (LLVM 22.1.8).
void keepProductsFromDPP(llvm::Module &module);

/// Where the whole of a private array is read, and what was read is stored to
/// it again, the pass that turns such arrays into vectors keeps the load as the
/// array's value after it was deleted (LLVM 22.1.8). The first function keeps
/// the pass from such code while the module is optimised; the second makes the
/// code harmless for the backend, which has the pass once more.
void skipPromotionOfStoredLoads(llvm::PassInstrumentationCallbacks &callbacks);
void freezeStoredLoads(llvm::Module &module);

/// Marks the places in loops where lanes that have taken different branches
/// come together again, with an operation that the optimiser may not lead
/// around. Where it knows for some of them which way the next branch goes, it
/// otherwise sends these on right behind it: they may then go round the loop,
/// barriers included, without the others. LLVM 22.1.8; later,
/// llvm/llvm-project#204958 has it look for what the lanes may reach.
void markJoins(llvm::Module &module, llvm::TargetMachine &machine);

/// Removes the marks, after the optimiser.
void removeJoinMarks(llvm::Module &module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_BACKENDWORKAROUNDS_H
