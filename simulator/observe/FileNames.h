//===- FileNames.h - Names of the files that a launch writes ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_OBSERVE_FILENAMES_H
#define AIRCC_SIMULATOR_OBSERVE_FILENAMES_H

#include <string>

namespace aircc::sim {

/// Replaces "%p" with the process's number and "%r" with its rank. If there are
/// several ranks, a name without either gets "-rRANK" before its extension.
std::string expandFileName(const std::string &name);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_OBSERVE_FILENAMES_H
