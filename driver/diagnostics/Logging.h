//===- Logging.h - Output of -v ---------------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_DIAGNOSTICS_LOGGING_H
#define AIRCC_DRIVER_DIAGNOSTICS_LOGGING_H

#include <string>

namespace aircc {

/// Connects logInfo to standard error, where diagnostics are printed. Must be
/// called once, before the first logInfo.
void setUpLogging();

/// Writes one line, prefixed with "aircc: ".
void logInfo(const std::string &message);

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_LOGGING_H
