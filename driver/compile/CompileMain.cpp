//===- CompileMain.cpp - `aircc INPUT` and `aircc run INPUT` --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"
#include "driver/commands/Commands.h"
#include "driver/commands/RankLauncher.h"
#include "driver/compile/CompileJob.h"
#include "driver/diagnostics/Logging.h"
#include "driver/files/Cleanup.h"
#include "driver/files/PrivateFolder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

/// Parses the command line. If the process should exit, returns nullopt and
/// sets `code`.
static std::optional<CompileOptions> parse(Arguments arguments, bool forRun,
                                           Diagnostics &diagnostics,
                                           ExitCode &code) {
  Expected<CompileOptions> options = parseCompileOptions(arguments, forRun);
  if (options) {
    diagnostics.setFormat(options->diagnosticsFormat);
    if (options->verbose)
      setUpLogging();
    return std::move(*options);
  }
  Error error = options.takeError();
  code = ExitCode::Done;
  if (error.isA<HelpPrinted>())
    consumeError(std::move(error));
  else
    code = diagnostics.report(std::move(error));
  return std::nullopt;
}

ExitCode aircc::compileMain(Arguments arguments,
                            const Installation &installation,
                            Diagnostics &diagnostics) {
  ExitCode code;
  auto options = parse(arguments, /*forRun=*/false, diagnostics, code);
  if (!options)
    return code;
  installCleanupHandlers();
  return CompileJob(*options, installation, diagnostics).run();
}

/// Runs the program after deleting its file. A single program replaces this
/// process, so that signals and the exit status work as usual and nothing is
/// left behind. With ranks or a timeout, this process stays as the parent.
static Expected<ExitCode> runProgram(const std::string &program,
                                     const std::string &name,
                                     const CompileOptions &options,
                                     Diagnostics &diagnostics,
                                     function_ref<void()> removeFiles) {
  int fd = ::open(program.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return fail(ExitCode::Environment, "cannot open the compiled program: " +
                                           Twine(std::strerror(errno)));
  removeFiles();
  if (!options.device.empty())
    ::setenv("AIRCC_DEVICE", options.device.c_str(), /*overwrite=*/1);
  if (!options.counters.empty())
    ::setenv("AIRCC_SIM_COUNTERS", options.counters.c_str(), /*overwrite=*/1);
  if (!options.timing.empty())
    ::setenv("AIRCC_SIM_TIMING", options.timing.c_str(), /*overwrite=*/1);
  if (!options.check.empty())
    ::setenv("AIRCC_SIM_CHECK", options.check.c_str(), /*overwrite=*/1);
  if (options.ranks || options.timeout) {
    RankCommand command;
    command.program = fd;
    command.arguments = {name};
    llvm::append_range(command.arguments, options.programArguments);
    command.ranks = options.ranks.value_or(1);
    command.nodes = options.nodes.value_or(1);
    command.prefixed = options.ranks.has_value();
    if (options.timeout)
      command.timeout = std::chrono::milliseconds(
          std::max<int64_t>(1, std::llround(*options.timeout * 1000)));
    return static_cast<ExitCode>(launchRanks(command, diagnostics));
  }
  std::vector<char *> argv = {const_cast<char *>(name.c_str())};
  for (const std::string &argument : options.programArguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  ::fexecve(fd, argv.data(), environ);
  return fail(ExitCode::Environment, "cannot run the compiled program: " +
                                         Twine(std::strerror(errno)));
}

ExitCode aircc::runMain(Arguments arguments, const Installation &installation,
                        Diagnostics &diagnostics) {
  ExitCode code;
  auto options = parse(arguments, /*forRun=*/true, diagnostics, code);
  if (!options)
    return code;
  installCleanupHandlers();

  auto folder = PrivateFolder::create(getTemporaryFolder(), "aircc-run-");
  if (!folder)
    return diagnostics.report(
        fail(ExitCode::Environment,
             "cannot create a temporary directory: " + sys::StrError()));
  std::string name = options->inputs[0] == "-"
                         ? "a.out"
                         : sys::path::stem(options->inputs[0]).str();
  SmallString<128> program(folder->getPath());
  sys::path::append(program, name);
  registerForCleanup(program);
  auto removeFiles = [&] {
    folder.reset();
    unregisterFromCleanup(program);
  };
  scope_exit remove(removeFiles);

  options->output = std::string(program);
  code = CompileJob(*options, installation, diagnostics).run();
  if (code != ExitCode::Done || options->dryRun)
    return code;
  Expected<ExitCode> ended = runProgram(std::string(program), name, *options,
                                        diagnostics, removeFiles);
  return ended ? *ended : diagnostics.report(ended.takeError());
}
