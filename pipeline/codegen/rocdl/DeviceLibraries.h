//===- DeviceLibraries.h - ROCm's bitcode libraries -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that call math functions need ROCm's device libraries (ocml.bc,
// ockl.bc). They are found where ROCm and Debian install them, opened lazily,
// and only what a module calls is taken over.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_ROCDL_DEVICELIBRARIES_H
#define AIRCC_PIPELINE_CODEGEN_ROCDL_DEVICELIBRARIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace aircc {

/// The figures that the libraries read from `__oclc_*` constants.
struct DeviceLibraryControl {
  unsigned isaVersion = 0; ///< major * 1000 + minor * 100 + stepping.
  unsigned abiVersion = 0; ///< Code object version * 100.
  bool wave64 = true;
  bool daz = false;
  bool finiteOnly = false;
  bool unsafeMath = false;
  bool correctSqrt = true;
};

/// The folders that may hold device libraries, most specific first. A path in
/// `rocmPath` excludes all others: who names an installation wants that one.
std::vector<std::string> getDeviceLibraryFolders(llvm::StringRef rocmPath);

/// Where a library named `name` (without ".bc") is, or "" if in no folder.
std::string findDeviceLibrary(llvm::ArrayRef<std::string> folders,
                              llvm::StringRef name);

/// Links into `module` what it calls and does not define, from the libraries
/// `names` in `folders`, and makes it internal. The files read are appended to
/// `used`. Fails with a MissingDependencyError when a function that a device
/// library would define (its name starts as theirs do) is in none of them, and
/// with a plain error when a library cannot be read.
llvm::Error linkDeviceLibraries(llvm::Module &module,
                                llvm::ArrayRef<std::string> folders,
                                llvm::ArrayRef<std::string> names,
                                const DeviceLibraryControl &control,
                                std::vector<std::string> &used);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_ROCDL_DEVICELIBRARIES_H
