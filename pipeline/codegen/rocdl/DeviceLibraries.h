//===- DeviceLibraries.h - Link ROCm's device libraries ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Kernels that call math functions need ROCm's device libraries (ocml.bc,
// ockl.bc), which aircc finds where ROCm or Debian installs them. Only the
// functions that a module calls are loaded and linked.
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

/// The values of the `__oclc_*` constants that configure the libraries.
struct DeviceLibraryControl {
  unsigned isaVersion = 0; ///< major * 1000 + minor * 100 + stepping.
  unsigned abiVersion = 0; ///< Code object version * 100.
  bool wave64 = true;
  bool daz = false;
  bool finiteOnly = false;
  bool unsafeMath = false;
  bool correctSqrt = true;
};

/// Returns the directories to search for device libraries, most specific first.
/// If `rocmPath` names an installation, only that one is searched.
std::vector<std::string> getDeviceLibraryFolders(llvm::StringRef rocmPath);

/// Returns the path of the library `name` (without ".bc"), or "" if there is
/// none.
std::string findDeviceLibrary(llvm::ArrayRef<std::string> folders,
                              llvm::StringRef name);

/// Links the functions that `module` calls but does not define from the
/// libraries `names` in `folders`, and makes them internal. Appends the files
/// it reads to `used`. Fails with a MissingDependencyError if no library
/// defines a function whose name has a device library's prefix, and with
/// another error if a library cannot be read.
llvm::Error linkDeviceLibraries(llvm::Module &module,
                                llvm::ArrayRef<std::string> folders,
                                llvm::ArrayRef<std::string> names,
                                const DeviceLibraryControl &control,
                                std::vector<std::string> &used);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_ROCDL_DEVICELIBRARIES_H
