//===- Subcommand.h - Arguments of a subcommand -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_SUBCOMMAND_H
#define AIRCC_DRIVER_SUBCOMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace aircc {

/// Parses what follows the name of a subcommand. `app` is named as a user calls
/// it ("aircc doctor"). False if help was asked for, which is printed then.
llvm::Expected<bool> parseSubcommand(CLI::App &app,
                                     llvm::ArrayRef<std::string> arguments);

} // namespace aircc

#endif // AIRCC_DRIVER_SUBCOMMAND_H
