//===- OptMain.h - `aircc opt` and `aircc lsp` ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's own tools with the dialects and passes of this project. They accept
// MLIR's command lines, not aircc's.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_OPTMAIN_H
#define AIRCC_DRIVER_COMMANDS_OPTMAIN_H

namespace aircc {

/// `aircc opt`: argv[0] is the tool name; the rest are mlir-opt arguments.
int optMain(int argc, char **argv);

/// `aircc lsp`: argv[0] is the tool name; the rest are mlir-lsp-server
/// arguments.
int lspMain(int argc, char **argv);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_OPTMAIN_H
