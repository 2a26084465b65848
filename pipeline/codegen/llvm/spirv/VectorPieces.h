//===- VectorPieces.h - Pieces of vectors -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_VECTORPIECES_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_VECTORPIECES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class FixedVectorType;
class IRBuilderBase;
class Type;
class Value;
} // namespace llvm

namespace aircc::spirv {

using Values = llvm::SmallVector<llvm::Value *, 4>;

/// Returns whether SPIR-V for OpenCL has the type: 2, 4, 8 or 16 elements, and
/// no pointers. (LLVM's backend widens 3 elements to 4.)
bool isSPIRVVector(const llvm::FixedVectorType *type);

/// Returns whether values of the type are split.
bool isSplit(llvm::Type *type);

/// Returns the sizes of the pieces of a vector: as many as possible of 16
/// elements, then of 8, and so on.
llvm::SmallVector<unsigned, 4> getSizes(llvm::FixedVectorType *type);

/// Returns the type of a vector of `size` elements, or of the element if `size`
/// is 1.
llvm::Type *getPieceType(llvm::Type *element, unsigned size);

/// The number of elements of a vector; 1 for other types.
unsigned getCount(llvm::Type *type);

/// Returns the elements that `mask` selects (-1 for any) from all `parts`, in
/// order, as one value. The parts must have types that are not split.
llvm::Value *shufflePieces(llvm::IRBuilderBase &b,
                           llvm::ArrayRef<llvm::Value *> parts,
                           llvm::ArrayRef<int> mask);

} // namespace aircc::spirv

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_VECTORPIECES_H
