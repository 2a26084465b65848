//===- Failure.h - Exit codes and errors that carry one ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Exit codes, and the error class that carries one from the failure to the end
// of the process. The command line documents the codes (docs/command-line.md).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_DIAGNOSTICS_FAILURE_H
#define AIRCC_DRIVER_DIAGNOSTICS_FAILURE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace aircc {

enum class ExitCode {
  Done = 0,
  BadInput = 1,    ///< The program to compile is invalid.
  BadUsage = 2,    ///< The command line or a target profile is invalid.
  Environment = 3, ///< A dependency or resource is missing, full or read-only.
  Internal = 70,   ///< A bug in aircc.
  TimedOut = 124,  ///< The program exceeded --timeout.
};

/// A failure that has not been reported yet. If it has already been reported,
/// for example by MLIR, the message is empty.
class Failure : public llvm::ErrorInfo<Failure> {
public:
  static char ID;

  Failure(ExitCode code, const llvm::Twine &message = "",
          std::vector<std::string> notes = {})
      : code(code), message(message.str()), notes(std::move(notes)) {}

  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  const ExitCode code;
  const std::string message;
  const std::vector<std::string> notes;
};

inline llvm::Error fail(ExitCode code, const llvm::Twine &message = "",
                        std::vector<std::string> notes = {}) {
  return llvm::make_error<Failure>(code, message, std::move(notes));
}

} // namespace aircc

#endif // AIRCC_DRIVER_DIAGNOSTICS_FAILURE_H
