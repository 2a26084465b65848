//===- ReportMain.cpp - `aircc report` ------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/Commands.h"
#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"
#include "driver/compile/CompileJob.h"
#include "driver/compile/StageCheck.h"
#include "driver/files/Cleanup.h"
#include "driver/files/OutputFile.h"
#include "driver/files/PrivateFolder.h"
#include "driver/input/InputFile.h"
#include "driver/report/ReportPage.h"
#include "driver/sim/OpenSimulator.h"
#include "targets/ProfileLoader.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

namespace {

struct ReportOptions {
  std::string input, target, output, format, rocmPath;
  std::vector<std::string> targetFolders;
  std::optional<unsigned> waveSize;
  std::vector<std::string> programArguments;
  bool timing = false;

  /// Returns the options of a compile that emits `kind`.
  CompileOptions getCompile(EmitKind kind) const {
    CompileOptions options;
    options.inputs = {input};
    options.targets = {target};
    options.targetFolders = targetFolders;
    options.waveSize = waveSize;
    options.rocmPath = rocmPath;
    options.emit = kind;
    options.debugInfo = true; // Provides the source lines of instructions.
    options.diagnosticsFormat =
        format == "json" ? DiagnosticsFormat::JSON : DiagnosticsFormat::Text;
    options.commandLine = {"report", input, "--target", target};
    return options;
  }
};

/// Collects the data for the page and writes it.
class Reporter {
public:
  Reporter(const ReportOptions &options, const Installation &installation,
           Diagnostics &diagnostics)
      : options(options), installation(installation), diagnostics(diagnostics) {
  }

  Error run();

private:
  Expected<EmitKind> chooseKind();
  Error compile(const CompileOptions &compileOptions,
                CompileObserver *observer);
  Expected<json::Value> readFile(StringRef path);
  Error runProgram(StringRef folder, ReportPage &page);
  Error writePage(const ReportPage &page);

  const ReportOptions &options;
  const Installation &installation;
  Diagnostics &diagnostics;
};

} // namespace

/// Returns the kind of code that contains the resource usage of kernels.
Expected<EmitKind> Reporter::chooseKind() {
  ProfileLoader loader = makeProfileLoader(
      installation.getTargetFolders(options.targetFolders), options.rocmPath);
  auto profile =
      loadProfile(loader, options.target, options.waveSize, diagnostics);
  if (!profile)
    return profile.takeError();
  return profile->backend == Backend::XeVM ? EmitKind::SPIRV
                                           : EmitKind::CodeObject;
}

Error Reporter::compile(const CompileOptions &compileOptions,
                        CompileObserver *observer) {
  ExitCode code =
      CompileJob(compileOptions, installation, diagnostics, observer).run();
  // The job has already reported its errors.
  return code == ExitCode::Done ? Error::success() : fail(code);
}

Expected<json::Value> Reporter::readFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return fail(ExitCode::Environment,
                "cannot read '" + path + "': " + buffer.getError().message());
  return json::parse((*buffer)->getBuffer());
}

/// Compiles the program and runs it on the simulated device, which estimates
/// the time of its kernels.
Error Reporter::runProgram(StringRef folder, ReportPage &page) {
  CompileOptions program = options.getCompile(EmitKind::Executable);
  program.output = (folder + "/program").str();
  if (Error error = compile(program, nullptr))
    return error;
  std::string file = (folder + "/timing.json").str();
  // The variable separates names by commas, which the directory name may
  // contain. Therefore, let the program inherit a descriptor.
  int opened = ::open(folder.str().c_str(), O_RDONLY | O_DIRECTORY);
  if (opened < 0)
    return fail(ExitCode::Environment,
                "cannot open '" + folder + "': " + std::strerror(errno));
  scope_exit close([&] { ::close(opened); });
  ::setenv("AIRCC_DEVICE", "sim", /*overwrite=*/1);
  ::setenv("AIRCC_SIM_TIMING",
           ("/proc/self/fd/" + std::to_string(opened) + "/timing.json").c_str(),
           /*overwrite=*/1);
  SmallVector<StringRef> arguments = {program.output};
  append_range(arguments, options.programArguments);
  std::string message;
  int status = sys::ExecuteAndWait(program.output, arguments, std::nullopt, {},
                                   0, 0, &message);
  if (status != 0)
    return fail(ExitCode::BadInput,
                "the program of '" + options.input +
                    "' ended with the status " + Twine(status) +
                    (message.empty() ? "" : ": " + message),
                {"arguments for it follow after --"});
  auto timing = readFile(file);
  if (!timing)
    return timing.takeError();
  page.setTiming(std::move(*timing));
  return Error::success();
}

Error Reporter::writePage(const ReportPage &page) {
  auto source = readInput(options.input, options.input);
  if (!source)
    return source.takeError();
  StringRef text = mlir::isBytecode((*source)->getMemBufferRef())
                       ? StringRef("(bytecode)")
                       : (*source)->getBuffer();
  std::string path = options.output;
  if (path.empty())
    path = (sys::path::stem(options.input) + ".html").str();
  auto output = OutputFile::create(path);
  if (!output)
    return output.takeError();
  page.write(sys::path::filename(options.input), text, (*output)->os());
  return (*output)->commit();
}

Error Reporter::run() {
  auto kind = chooseKind();
  if (!kind)
    return kind.takeError();
  auto opened = openSimulator(installation);
  if (!opened)
    return opened.takeError();
  std::unique_ptr<simulator::Simulator> simulator(*opened);
  auto folder = PrivateFolder::create(getTemporaryFolder(), "aircc-report-");
  if (!folder)
    return fail(ExitCode::Environment, "cannot create a temporary directory");

  ReportPage page(*simulator);
  CompileOptions device = options.getCompile(*kind);
  device.report = (folder->getPath() + "/kernels.json").str();
  if (Error error = compile(device, &page))
    return error;
  auto works = readFile(device.report);
  if (!works)
    return works.takeError();
  page.setWorks(std::move(*works));
  if (options.timing)
    if (Error error = runProgram(folder->getPath(), page))
      return error;
  return writePage(page);
}

ExitCode aircc::reportMain(Arguments arguments,
                           const Installation &installation,
                           Diagnostics &diagnostics) {
  ReportOptions options;
  auto dashes = llvm::find(arguments, "--");
  options.programArguments.assign(
      dashes == arguments.end() ? dashes : dashes + 1, arguments.end());
  CLI::App app("Write a page about a program: its kernels with their "
               "resources, buffers, layouts, and estimated times.",
               "aircc report");
  addOptions(
      app,
      {{"",
        {{"INPUT", "FILE", "A program in MLIR", &options.input, true},
         {"-t,--target", "PROFILE", "Target profile: a name or a .json file",
          &options.target, true},
         {"-o,--output", "FILE",
          "The page (default: the input's name, with .html)", &options.output},
         {"--timing", "",
          "Run the program on the simulated device, and show the "
          "estimated times of its kernels and lines",
          &options.timing},
         makeWaveSizeOption(options.waveSize),
         makeRocmPathOption(options.rocmPath),
         makeTargetsDirOption(options.targetFolders),
         makeDiagnosticsFormatOption(options.format)}}});
  if (auto code = parseOrExit(
          app, arguments.take_front(dashes - arguments.begin()), diagnostics))
    return *code;
  diagnostics.setFormat(options.format == "json" ? DiagnosticsFormat::JSON
                                                 : DiagnosticsFormat::Text);
  if (options.input == "-")
    return diagnostics.report(
        fail(ExitCode::BadUsage,
             "aircc report requires a file; it cannot read standard input"));
  installCleanupHandlers();
  if (Error error = Reporter(options, installation, diagnostics).run())
    return diagnostics.report(std::move(error));
  return ExitCode::Done;
}
