//===- MpiJob.h - Processes of mpirun for ranks -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// `aircc run --nodes N` simulates nodes: the ranks run on one machine but use
// MPI as if they did not. MPI needs the environment that mpirun gives to the
// processes it starts. Therefore, mpirun starts an agent for each rank, which
// sends its environment and waits. aircc itself starts the ranks in these
// environments, so output, signals and exit statuses work as on one node.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_MPIJOB_H
#define AIRCC_DRIVER_COMMANDS_MPIJOB_H

#include "driver/files/PrivateFolder.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace aircc {

class MpiJob {
public:
  /// Starts mpirun and waits for its agents.
  static llvm::Expected<std::unique_ptr<MpiJob>> start(unsigned ranks);
  MpiJob(const MpiJob &) = delete;
  /// Terminates mpirun and removes its files.
  ~MpiJob();

  /// Returns the environment of a rank.
  const std::vector<std::string> &getEnvironment(unsigned rank) const {
    return environments[rank];
  }
  /// Returns whether mpirun has exited. MPI does not work after that.
  bool hasEnded();
  /// Returns what mpirun has printed.
  std::string readOutput();

private:
  MpiJob() = default;
  /// Starts a process that removes the directory if this process is killed.
  llvm::Error startGuard();
  llvm::Error startMpirun(unsigned ranks, const std::string &address);
  llvm::Error awaitAgents(int listener, unsigned ranks);
  llvm::Error receiveEnvironment(int agent);

  std::unique_ptr<PrivateFolder> folder; ///< The directory for the files of
                                         ///< mpirun.
  std::vector<int> agents;               ///< The connections, by rank.
  std::vector<std::vector<std::string>> environments; ///< The environments, by
                                                      ///< rank.
  pid_t mpirun = -1, guard = -1;
  int output = -1; ///< The output of mpirun.
  int guardPipe = -1;
};

/// The command with which mpirun starts an agent: `aircc COMMAND ADDRESS`.
constexpr llvm::StringLiteral mpiAgentCommand = "--mpi-agent";

/// Runs an agent until the connection to `address` is closed.
int runMpiAgent(llvm::StringRef address);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_MPIJOB_H
