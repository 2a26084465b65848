//===- StageCheck.h - A profile's stages and libraries ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMPILE_STAGECHECK_H
#define AIRCC_DRIVER_COMPILE_STAGECHECK_H

#include "driver/diagnostics/Diagnostics.h"
#include "targets/ProfileLoader.h"

namespace aircc {

/// Returns a loader for the profiles in `folders`. In addition to the loader's
/// own checks, it verifies that the stages of a profile exist, are in pipeline
/// order and accept their options, and that the device libraries are part of
/// ROCm or can be found (for `rocmPath`, see getDeviceLibraryFolders).
ProfileLoader makeProfileLoader(std::vector<std::string> folders,
                                llvm::StringRef rocmPath);

/// Loads the profile `nameOrFile`. If it is invalid, reports the errors and
/// returns an error without a message.
llvm::Expected<TargetProfile> loadProfile(const ProfileLoader &loader,
                                          llvm::StringRef nameOrFile,
                                          const ProfileSelection &selection,
                                          Diagnostics &diagnostics);

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_STAGECHECK_H
