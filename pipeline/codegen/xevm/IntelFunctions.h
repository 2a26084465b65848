//===- IntelFunctions.h - The functions of Intel's device compiler  -*- C++
//-*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intel's compiler links a SPIR-V module against functions of its own, by their
// mangled names. A name that it does not know is no error there: the call gives
// 0. So what a module imports is looked up here first.
//
// The names are those of the OpenCL extensions cl_intel_subgroup_2d_block_io
// and cl_intel_subgroup_matrix_multiply_accumulate (also _tf32), in the forms
// for subgroups of 16 lanes.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_XEVM_INTELFUNCTIONS_H
#define AIRCC_PIPELINE_CODEGEN_XEVM_INTELFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace aircc {

/// Whether Intel's compiler has a function of this mangled name.
bool isIntelFunction(llvm::StringRef mangledName);

/// What Intel's compiler calls the function that upstream's lowering of the
/// XeVM dialect calls `mangledName`; the same where that is right:
/// - products of 8-bit integers, `s8` in upstream's names, are `i8`;
/// - unsigned operands are of unsigned types;
/// - what reads or writes two 8-bit columns a lane has 16-bit elements.
std::string getIntelName(llvm::StringRef mangledName);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_XEVM_INTELFUNCTIONS_H
