//===- OffloadBundle.h - Code objects of several targets in one -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is the "Bundled Binary File Layout" in the documentation of
// clang-offload-bundler: a magic string, the number of entries, offset, size
// and identifier of each entry, then the code. All numbers are 64 bits,
// little-endian. HIP's hipModuleLoadData and the runtime's mgpuModuleLoad
// accept it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_OFFLOADBUNDLE_H
#define AIRCC_PIPELINE_LINK_OFFLOADBUNDLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace aircc {

/// Code for one target. The kind in the identifier is "hipv4" for AMD GPUs,
/// which HIP looks for, and "openmp" for others, which HIP ignores.
struct BundleEntry {
  std::string triple; ///< "amdgcn-amd-amdhsa".
  std::string target; ///< Processor with features: "gfx90a:xnack-".
  llvm::StringRef code;
};

/// Returns whether `bytes` begin like a bundle.
bool isOffloadBundle(llvm::StringRef bytes);

/// Returns an uncompressed bundle of `entries` in order, each code aligned to a
/// page, after an empty entry for the host, which HIP expects.
std::string makeOffloadBundle(llvm::StringRef hostTriple,
                              llvm::ArrayRef<BundleEntry> entries);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_OFFLOADBUNDLE_H
