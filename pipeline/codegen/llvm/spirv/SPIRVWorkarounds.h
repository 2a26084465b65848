//===- SPIRVWorkarounds.h - What the SPIR-V backend cannot take  -*- C++
//-*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVWORKAROUNDS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVWORKAROUNDS_H

namespace llvm {
class Module;
class PassBuilder;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace aircc {

/// Before optimisation: internal linkage for all but kernels, and attributes
/// that keep the optimizer from what SPIR-V has not.
void prepareForSPIRV(llvm::Module &module);

/// Adds the passes that find out what memory generic pointers point to, and
/// those that write what SPIR-V does not have in other ways.
void addSPIRVPasses(llvm::PassBuilder &builder);

/// Skips the simplification of induction variables in loops that compute sums
/// of 64 bits: the closed forms that it makes of them need integers of 65 bits.
void skipClosedFormsOfSums(llvm::PassInstrumentationCallbacks &callbacks);

/// Calls the functions of Intel's compiler by its names (IntelFunctions.h).
void renameIntelFunctions(llvm::Module &module);

/// After optimisation, all of the rewrites below.
/// False where one fails: the module is of no use then.
bool legalizeForSPIRV(llvm::Module &module);

/// Writes `zext (trunc iN to iK) to iM` as masks: LLVM 22.1.8 makes an
/// OpBitwiseAnd of an iN and an iM of it where N and M differ.
void maskTruncatedValues(llvm::Module &module);

/// Writes sums and differences of vectors with their carries as comparisons:
/// SPIR-V gives both in a structure, which cannot be split.
void expandOverflowChecks(llvm::Module &module);

/// Reduces vectors element by element, in their order: SPIR-V has no such
/// operations.
void expandReductions(llvm::Module &module);

/// Reverses bits by swapping them: SPIR-V has that in an extension.
void expandBitReversals(llvm::Module &module);

/// Converts signed booleans to floats by a choice between -1 and 0: LLVM 22.1.8
/// makes 1 of true.
void expandSignedBooleans(llvm::Module &module);

/// Writes funnel shifts as shifts: the backend's, by 0, are wrong.
void expandFunnelShifts(llvm::Module &module);

/// Removes LLVM's prefetches, which the backend cannot select. (Prefetches of
/// blocks are calls.)
void dropPrefetches(llvm::Module &module);

/// Writes atomic operations that Intel GPUs do not have as loops, and atomic
/// loads and stores as calls that LLVM 22.1.8 makes such instructions of: it
/// makes plain ones of LLVM's.
void expandSPIRVAtomics(llvm::Module &module);

/// Computes with integers of other than 8, 16, 32 and 64 bits in the next wider
/// ones.
/// False where that fails, which is reported to the module's context.
bool widenOddIntegers(llvm::Module &module);

/// Loads and stores i1 as bytes, computes addresses of what holds them in
/// bytes, and turns vectors of them to integers bit by bit: booleans have no
/// size in SPIR-V.
void storeBooleansAsBytes(llvm::Module &module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVWORKAROUNDS_H
