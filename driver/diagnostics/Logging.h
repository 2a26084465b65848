//===- Logging.h - What -v says ---------------------------------*- C++ -*-===//
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

/// Lets logInfo write to standard error, where the diagnostics go: once, before
/// the first call of logInfo.
void setUpLogging();

/// Writes one line, with "aircc: " before it.
void logInfo(const std::string &message);

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_LOGGING_H
