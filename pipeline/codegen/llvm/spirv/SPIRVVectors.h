//===- SPIRVVectors.h - Vectors that SPIR-V does not have ----- -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVVECTORS_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVVECTORS_H

namespace llvm {
class FixedVectorType;
class Function;
class Module;
} // namespace llvm

namespace aircc {

/// Whether SPIR-V for OpenCL has the type: 2, 4, 8 or 16 elements, and no
/// pointers. Of 3 elements LLVM's backend makes 4, of which one is undefined,
/// in memory as well.
bool isSPIRVVector(const llvm::FixedVectorType *type);

/// Splits values of other vector types into ones that SPIR-V has, and single
/// elements. Loads of 32 rows, for instance, are of 32 elements. Values that
/// are in memory keep their layout.
/// False where that fails, which is reported to the module's context.
bool splitVectors(llvm::Module &module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_SPIRV_SPIRVVECTORS_H
