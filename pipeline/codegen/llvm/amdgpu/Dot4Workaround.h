//===- Dot4Workaround.h - Keep a broken LLVM combine off --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22.1's AMDGPU instruction selection turns chains of byte multiply-adds
// into v_dot4, and its walk over the chain is wrong: `smin(x, x*x) + x*x` on i8
// gets other operands on chips with the signed and unsigned dot4 instructions,
// and the same on <4 x i8> crashes. This is the one place that keeps it from
// running; delete it when the LLVM in use is fixed.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_DOT4WORKAROUND_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_DOT4WORKAROUND_H

namespace llvm {
class Module;
} // namespace llvm

namespace aircc {

/// Call between optimisation and code generation. Functions that multiply bytes
/// lose the feature that the combine asks for; where they call the dot
/// intrinsics themselves, and so need the feature, their byte products are
/// hidden from the combine instead.
void avoidDot4Combine(llvm::Module &module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_AMDGPU_DOT4WORKAROUND_H
