//===- Images.h - Code objects within files ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers hand out device code in several wrappings: as the code object or
// SPIR-V module itself, in an offload bundle (clang-offload-bundler's,
// compressed or not), or within a program or object file of the host (hipcc:
// section .hip_fatbin, in which bundles of several translation units may follow
// each other).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_API_IMAGES_H
#define AIRCC_SIMULATOR_API_IMAGES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace aircc::sim {

/// One code object or module found in a file.
struct EmbeddedCode {
  /// As its wrapping names it: "gfx90a:xnack-", "bmg". SPIR-V by itself has no
  /// such name, and is "spirv".
  std::string processor;
  llvm::StringRef code; ///< The ELF file, or the SPIR-V module.
  bool isSpirv = false;
};

/// The code of an image, in its order.
struct EmbeddedCodes {
  std::vector<EmbeddedCode> codes;
  /// What had to be decompressed.
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> storage;
};

/// Finds all code objects for AMD GPUs and all SPIR-V modules in `image`, at
/// least one. The result points into `image` and its own storage.
llvm::Expected<EmbeddedCodes> findCodeObjects(llvm::StringRef image);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_API_IMAGES_H
