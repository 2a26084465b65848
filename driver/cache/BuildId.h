//===- BuildId.h - Identity of this build -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_CACHE_BUILDID_H
#define AIRCC_DRIVER_CACHE_BUILDID_H

#include <string>

namespace aircc {

/// Returns a string that identifies the code of aircc and of all its shared
/// libraries. It consists of the build ids of the files loaded in this process
/// or, for files without a build id, their names, sizes and times.
std::string getBuildId();

} // namespace aircc

#endif // AIRCC_DRIVER_CACHE_BUILDID_H
