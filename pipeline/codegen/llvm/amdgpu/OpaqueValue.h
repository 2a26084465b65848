//===- OpaqueValue.h - Hiding values from instruction selection -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_OPAQUEVALUE_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_OPAQUEVALUE_H

namespace llvm {
class IRBuilderBase;
class Value;
} // namespace llvm

namespace aircc::amdgpu {

/// The register of the value: a VGPR or an SGPR.
enum class RegisterKind { Vector, Scalar };

/// Returns `value`, a scalar, as the result of an empty assembly statement, so
/// that the backend knows nothing about it. This does not cost an instruction.
llvm::Value *makeOpaque(llvm::IRBuilderBase &b, llvm::Value *value,
                        RegisterKind kind = RegisterKind::Vector);

} // namespace aircc::amdgpu

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_OPAQUEVALUE_H
