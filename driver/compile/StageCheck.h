//===- StageCheck.h - A profile's stages and libraries ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMPILE_STAGECHECK_H
#define AIRCC_DRIVER_COMPILE_STAGECHECK_H

#include "targets/ProfileLoader.h"

namespace aircc {

/// A loader for the profiles in `folders`. It also checks that a profile's
/// stages exist, stand in the order in which programs pass them and take the
/// options that they are given, and that its device libraries are ROCm's or
/// can be found there (see getDeviceLibraryFolders for `rocmPath`).
ProfileLoader makeProfileLoader(std::vector<std::string> folders,
                                llvm::StringRef rocmPath);

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_STAGECHECK_H
