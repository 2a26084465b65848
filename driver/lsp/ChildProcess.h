//===- ChildProcess.h - A process behind pipes ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_CHILDPROCESS_H
#define AIRCC_DRIVER_LSP_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <sys/types.h>

namespace aircc {

/// A process with pipes for its standard streams that never block this process.
/// The destructor kills it.
class ChildProcess {
public:
  /// Starts `program`. Returns null and sets errno on failure. Without
  /// `pipesErrors`, the process shares this one's standard error.
  static std::unique_ptr<ChildProcess>
  start(llvm::StringRef program, llvm::ArrayRef<std::string> arguments,
        bool pipesErrors);
  ChildProcess(const ChildProcess &) = delete;
  ~ChildProcess();

  /// Return descriptors for poll(), or -1 once they are closed.
  int getInput() const { return pending.empty() ? -1 : input; }
  int getOutput() const { return output; }
  int getErrors() const { return errors; }

  /// Queues bytes for standard input.
  void send(llvm::StringRef bytes);
  /// Closes standard input after the queued bytes.
  void finishInput();
  /// Writes as many of the queued bytes as the pipe accepts.
  void flush();
  /// Appends what the process has written to `to`. Closes the descriptor at its
  /// end.
  void readOutput(std::string &to) { read(output, to); }
  void readErrors(std::string &to) { read(errors, to); }

  /// Waits for the process to exit. Returns the exit status, or the negated
  /// number of the signal that killed it.
  int wait();

private:
  ChildProcess() = default;
  static void read(int &fd, std::string &to);

  pid_t pid = -1; ///< -1 after wait().
  int input = -1, output = -1, errors = -1;
  std::string pending;
  bool closesInput = false;
};

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_CHILDPROCESS_H
