//===- OffloadBundle.h - Code objects of several targets in one -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is the "Bundled Binary File Layout" of clang-offload-bundler's
// documentation: a magic string, the number of entries, for each entry offset,
// size and identifier, then the code, all figures 64 bits little-endian. HIP's
// hipModuleLoadData takes it, and so does the runtime's mgpuModuleLoad.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_OFFLOADBUNDLE_H
#define AIRCC_PIPELINE_LINK_OFFLOADBUNDLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace aircc {

/// Code for one target. Of entries for AMD GPUs, the kind in the identifier is
/// "hipv4", which HIP looks for; of others "openmp", which HIP passes by.
struct BundleEntry {
  std::string triple; ///< "amdgcn-amd-amdhsa".
  std::string target; ///< Processor with features: "gfx90a:xnack-".
  llvm::StringRef code;
};

/// Whether `bytes` start as a bundle does.
bool isOffloadBundle(llvm::StringRef bytes);

/// An uncompressed bundle of `entries` in their order, each code aligned to a
/// page, after an empty entry for the host (HIP expects one).
std::string makeOffloadBundle(llvm::StringRef hostTriple,
                              llvm::ArrayRef<BundleEntry> entries);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_OFFLOADBUNDLE_H
