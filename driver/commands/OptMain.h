//===- OptMain.h - `aircc opt` ----------------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// mlir-opt with the dialects and passes of aircc. It accepts MLIR's command
// line rather than aircc's.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_OPTMAIN_H
#define AIRCC_DRIVER_COMMANDS_OPTMAIN_H

namespace aircc {

/// Runs `aircc opt`: argv[0] is the tool name, and the rest are mlir-opt
/// arguments.
int optMain(int argc, char **argv);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_OPTMAIN_H
