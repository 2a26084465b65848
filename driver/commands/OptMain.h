//===- OptMain.h - `aircc opt` and `aircc lsp` ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's own tools with this project's dialects and passes in them. They take
// MLIR's command lines, not aircc's.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_OPTMAIN_H
#define AIRCC_DRIVER_COMMANDS_OPTMAIN_H

namespace aircc {

/// `aircc opt`: argv[0] is the tool's name, the rest as mlir-opt takes it.
int optMain(int argc, char **argv);

/// `aircc lsp`: argv[0] is the tool's name, the rest as mlir-lsp-server takes
/// it.
int lspMain(int argc, char **argv);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_OPTMAIN_H
