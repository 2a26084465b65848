//===- Images.h - Code objects within files ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Device code can be a code object or SPIR-V module, an offload bundle of such
// files (clang-offload-bundler's, compressed or not), or part of a host program
// or object file (hipcc's section .hip_fatbin can contain the bundles of
// several translation units).
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

/// A code object or module found in a file.
struct EmbeddedCode {
  /// The processor as named by the bundle or the code object: "gfx90a:xnack-",
  /// "bmg". "spirv" for a SPIR-V module that is not in a bundle.
  std::string processor;
  llvm::StringRef code; ///< The ELF file, or the SPIR-V module.
  bool isSpirv = false;
};

/// The code in an image, in order.
struct EmbeddedCodes {
  std::vector<EmbeddedCode> codes;
  /// Decompressed or realigned copies of code.
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> storage;
};

/// Finds all code objects for AMD GPUs and all SPIR-V modules in `image`. Fails
/// if there are none. The result points into `image` and into its own storage.
llvm::Expected<EmbeddedCodes> findCodeObjects(llvm::StringRef image);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_API_IMAGES_H
