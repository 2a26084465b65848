//===- IntelFunctions.h - Intel's built-in functions ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Intel's compiler links a SPIR-V module with its built-in functions by their
// mangled names. It does not report unknown names; instead, such calls return
// 0. Therefore, imported names are checked here first.
//
// The names are defined by the OpenCL extensions cl_intel_subgroup_2d_block_io
// and cl_intel_subgroup_matrix_multiply_accumulate (also _tf32), in the forms
// for subgroups of 16 lanes. kConvertToBF16 is a function of the compiler
// itself: the instruction of SPV_INTEL_bfloat16_conversion is not known to the
// validator of Debian 12.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_XEVM_INTELFUNCTIONS_H
#define AIRCC_PIPELINE_CODEGEN_XEVM_INTELFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace aircc {

/// Rounds f32 to the bits of bf16, to nearest with ties to even.
inline constexpr llvm::StringLiteral kConvertToBF16 = "__builtin_IB_ftobf_1";

/// Returns whether Intel's compiler has a function with this mangled name.
bool isIntelFunction(llvm::StringRef mangledName);

/// Returns the name in Intel's compiler of the function that upstream's XeVM
/// lowering calls `mangledName`. The names differ in these cases:
/// - products of 8-bit integers: `s8` in upstream's names is `i8`;
/// - unsigned operands, which have unsigned types;
/// - reads and writes of two 8-bit columns per lane, which have 16-bit
///   elements.
std::string getIntelName(llvm::StringRef mangledName);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_XEVM_INTELFUNCTIONS_H
