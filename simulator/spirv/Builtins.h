//===- Builtins.h - Imported functions of kernels ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A module imports OpenCL C's functions by their mangled names (Itanium C++
// ABI). The GPU driver's compiler treats a name that it does not know as an
// undefined function, so exactly the names that it knows are accepted.
//
// The OpenCL extension cl_intel_subgroup_2d_block_io defines the shapes of
// blocks, and cl_intel_subgroup_matrix_multiply_accumulate and its _tf32
// variant define those of matrices.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_BUILTINS_H
#define AIRCC_SIMULATOR_SPIRV_BUILTINS_H

#include "simulator/spirv/Site.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace aircc::sim::spirv {

/// Returns the identifier in a mangled name ("barrier" for "_Z7barrierj"), or
/// the name itself if it is not mangled.
llvm::StringRef unmangledName(llvm::StringRef name);

/// Returns the block that intel_sub_group_2d_block_* reads, writes or
/// prefetches. Returns nothing for other names and for shapes that do not
/// exist.
std::optional<BlockShape> parseBlockBuiltin(llvm::StringRef name);

/// Returns the product that intel_sub_group_*_matrix_mad_k* computes, or
/// nothing for other names.
std::optional<DpasShape> parseDpasBuiltin(llvm::StringRef name);

/// The access of intel_sub_group_block_{read,write}_{uc,us,ui,ul}N.
struct LinearBlock {
  bool isWrite = false;
  unsigned elementBytes = 0, elements = 1;
};
std::optional<LinearBlock> parseLinearBlockBuiltin(llvm::StringRef name);

/// Returns a known name similar to an unknown one for messages, or "".
std::string similarBuiltin(llvm::StringRef name);

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_BUILTINS_H
