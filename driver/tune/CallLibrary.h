//===- CallLibrary.h - Calls the function of a library -------- -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_TUNE_CALLLIBRARY_H
#define AIRCC_DRIVER_TUNE_CALLLIBRARY_H

#include "llvm/ADT/StringRef.h"

namespace aircc {

/// The name of the command that `aircc tune` starts. Users do not use it.
inline constexpr llvm::StringLiteral callLibraryCommand = "--call-library";

/// Executes `--call-library FOLDER TARGET TENSOR...`: calls aircc_product in
/// FOLDER/product.so with tensors of zeros, each given as its sizes and the
/// bytes per element, separated by "x". The simulated device writes the times
/// of the kernels, estimated with the numbers in the profile TARGET, to
/// FOLDER/timing.json. Returns the exit status.
int callLibrary(int count, char **arguments);

} // namespace aircc

#endif // AIRCC_DRIVER_TUNE_CALLLIBRARY_H
