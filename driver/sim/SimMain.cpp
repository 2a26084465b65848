//===- SimMain.cpp - `aircc sim`: run one kernel of device code -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/Commands.h"
#include "driver/files/OutputFile.h"
#include "driver/sim/KernelArgument.h"
#include "driver/sim/LaunchArguments.h"
#include "driver/sim/NpyFile.h"
#include "driver/sim/OpenSimulator.h"
#include "driver/sim/SimOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

/// Returns the qualified source name of a C++ kernel, with template arguments
/// but without the types of the result and parameters. Other names are returned
/// unchanged.
static std::string sourceName(const simulator::Kernel &kernel) {
  ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(kernel.name.c_str()) || !demangler.isFunction())
    return kernel.name;
  char *name = demangler.getFunctionName(nullptr, nullptr);
  std::string copy = name ? name : kernel.name;
  std::free(name);
  return copy;
}

/// Describes the workgroup sizes that a kernel supports.
static std::string blockText(const simulator::Kernel &kernel) {
  const simulator::Dim3 &block = kernel.requiredBlock;
  if (!block.x)
    return "workgroups of up to " + utostr(kernel.maxWorkgroupSize) + " lanes";
  return "workgroups of " + utostr(block.x) + "x" + utostr(block.y) + "x" +
         utostr(block.z) + " lanes";
}

static void printList(const simulator::Code &code) {
  outs() << "code for " << code.processor() << "\n";
  for (const simulator::Kernel &kernel : code.kernels()) {
    outs() << signature(kernel) << "\n";
    if (std::string source = sourceName(kernel); source != kernel.name)
      outs() << "  in the source: " << demangle(kernel.name) << "\n";
    if (code.isSpirv()) {
      outs() << "  subgroups of " << kernel.waveSize << " lanes, "
             << kernel.ldsBytes << " bytes of shared local memory, "
             << kernel.scratchBytes << " bytes of private memory per lane, "
             << blockText(kernel) << "\n";
      continue;
    }
    outs() << "  wave" << kernel.waveSize << ", " << kernel.vgprs << " VGPRs";
    if (kernel.agprs)
      outs() << " and " << kernel.agprs << " AGPRs";
    outs() << ", " << kernel.ldsBytes << " bytes of LDS, "
           << kernel.scratchBytes << " bytes of scratch per lane, "
           << blockText(kernel) << "\n";
  }
}

/// Returns the kernel selected on the command line.
static Expected<const simulator::Kernel *>
chooseKernel(const simulator::Code &code, const SimOptions &options) {
  ArrayRef<simulator::Kernel> kernels(code.kernels());
  if (kernels.empty())
    return fail(ExitCode::BadInput, options.image + ": it contains no kernel");
  std::vector<std::string> notes;
  for (const simulator::Kernel &kernel : kernels)
    notes.push_back("it has " + signature(kernel));
  if (options.kernel.empty()) {
    if (kernels.size() == 1)
      return &kernels.front();
    return fail(ExitCode::BadUsage,
                options.image + ": it contains several kernels; select one "
                                "with --kernel",
                std::move(notes));
  }
  for (const simulator::Kernel &kernel : kernels)
    if (kernel.name == options.kernel)
      return &kernel;
  // Accept the C++ source name if it is unambiguous.
  const simulator::Kernel *found = nullptr;
  for (const simulator::Kernel &kernel : kernels) {
    if (options.kernel != sourceName(kernel) &&
        options.kernel != demangle(kernel.name))
      continue;
    if (found)
      return fail(ExitCode::BadUsage,
                  options.image + ": several kernels are called '" +
                      options.kernel + "'",
                  std::move(notes));
    found = &kernel;
  }
  if (found)
    return found;
  return fail(ExitCode::BadUsage,
              options.image + ": it contains no kernel '" + options.kernel +
                  "'",
              std::move(notes));
}

/// Prints `count` elements in rows of `row` elements. Each row begins on a new
/// line and continues on further lines if it is long.
static void printRows(const ElementType &type, const char *from, size_t count,
                      size_t row) {
  constexpr size_t columns = 80;
  size_t column = 0;
  for (size_t i = 0; i < count; ++i, from += type.bytes) {
    std::string text = printElement(type, from);
    if (i % row == 0) {
      outs() << (i ? "\n  " : "  ");
      column = 2;
    } else if (column + 1 + text.size() > columns) {
      outs() << "\n    ";
      column = 4;
    } else {
      outs() << " ";
      ++column;
    }
    outs() << text;
    column += text.size();
  }
  if (count)
    outs() << "\n";
}

/// Prints a buffer row by row, where the last dimension is a row.
static void printBuffer(StringRef name, const KernelBuffer &buffer,
                        bool everything) {
  constexpr size_t limit = 1024;
  const ElementType &type = *buffer.type;
  const size_t count = buffer.bytes / type.bytes;
  const size_t row = std::max<int64_t>(buffer.shape.back(), 1);
  const size_t shown = everything ? count : std::min(count, limit);
  outs() << "arg " << name << ": " << type.name << "[";
  interleave(buffer.shape, outs(), [](int64_t size) { outs() << size; }, "x");
  outs() << "]\n";
  printRows(type, static_cast<const char *>(buffer.memory), shown, row);
  if (shown < count)
    outs() << "  and " << count - shown << " more (--print " << name
           << ":all)\n";
}

static Error save(const SimOptions &options, const LaunchArguments &arguments) {
  std::vector<std::unique_ptr<OutputFile>> files;
  for (const auto &[name, path] : options.outputs) {
    auto buffer = arguments.find(name, "--out");
    if (!buffer)
      return buffer.takeError();
    auto file = OutputFile::create(path);
    if (!file)
      return file.takeError();
    (*file)->os() << npyHeader(*(*buffer)->type, (*buffer)->shape);
    (*file)->os().write(static_cast<const char *>((*buffer)->memory),
                        (*buffer)->bytes);
    files.push_back(std::move(*file));
  }
  return commitAll(files);
}

/// Lists the instructions of the image that are not simulated.
static Error printCoverage(const SimOptions &options, StringRef image,
                           simulator::Simulator &simulator) {
  simulator::Coverage coverage;
  if (simulator::Status status = simulator.findCoverage(
          image.data(), image.size(), options.processor, coverage);
      !status.ok())
    return fail(ExitCode::BadInput, options.image + ": " + status.message());
  outs() << "code for " << coverage.processor << ": " << coverage.simulated
         << " of " << coverage.instructions << " instructions can be simulated";
  if (coverage.dataWords)
    outs() << "; " << coverage.dataWords << " words between them are data";
  outs() << "\n";
  uint64_t missing = 0;
  for (const simulator::Coverage::Gap &gap : coverage.gaps) {
    missing += gap.count;
    outs() << "  not simulated: " << gap.what << ", " << gap.count
           << (gap.count == 1 ? " time" : " times") << ", first at "
           << gap.first << "\n";
    if (!gap.reason.empty())
      outs() << "    " << gap.reason << "\n";
  }
  if (!missing)
    return Error::success();
  outs().flush(); // Print before the error if both go to one file.
  return fail(ExitCode::BadInput,
              options.image + ": " + Twine(missing) +
                  (missing == 1 ? " instruction" : " instructions") +
                  " cannot be simulated");
}

namespace {
/// Terminates the process some time after the time limit. The launch itself
/// stops at the limit and reports its position; the watchdog covers the time
/// before and after the launch.
class Watchdog {
public:
  Watchdog(double seconds, Diagnostics &diagnostics)
      : thread([this, seconds, &diagnostics] {
          constexpr double kGrace = 2;
          std::unique_lock<std::mutex> lock(mutex);
          if (ended.wait_for(lock,
                             std::chrono::duration<double>(seconds + kGrace),
                             [&] { return isOver; }))
            return;
          std::string limit;
          raw_string_ostream(limit) << format("%g s", seconds);
          (void)diagnostics.report(
              fail(ExitCode::TimedOut,
                   "aircc sim ran for more than " + limit + " (--timeout)"));
          outs().flush();
          errs().flush();
          ::_exit(static_cast<int>(ExitCode::TimedOut));
        }) {}
  ~Watchdog() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      isOver = true;
    }
    ended.notify_all();
    thread.join();
  }

private:
  std::mutex mutex;
  std::condition_variable ended;
  bool isOver = false;
  std::thread thread; // Declared last because it uses the other members.
};
} // namespace

static void applySettings(const SimOptions &options,
                          simulator::Simulator &simulator) {
  if (options.threads)
    simulator.setThreads(*options.threads);
  if (options.seed)
    simulator.setSeed(*options.seed);
  if (options.schedule)
    simulator.setSchedule(*options.schedule);
  if (options.timeout)
    simulator.setTimeLimit(*options.timeout);
  if (options.maxInstructions)
    simulator.setMaxInstructions(*options.maxInstructions);
  if (options.slack)
    simulator.setSlack(*options.slack);
  if (options.lenientSurfaces)
    simulator.setLenientSurfaces(true);
}

/// Prints the execution time and the number of executed instructions.
static void printTime(const simulator::LaunchReport &report,
                      const simulator::Code &code,
                      const simulator::Kernel &kernel) {
  if (code.isSpirv()) {
    outs() << format("%.3f", report.seconds) << " s\n";
    return;
  }
  double lanes = static_cast<double>(report.instructions) * kernel.waveSize;
  outs() << report.instructions << " instructions of waves in "
         << format("%.3f", report.seconds) << " s; with " << kernel.waveSize
         << " lanes each, " << format("%.0f", lanes / report.seconds / 1e6)
         << " million lane-instructions per second\n";
}

/// Without results, only the workgroups that are timed need to be executed.
static std::string timingRequest(const SimOptions &options) {
  SmallVector<StringRef> parts;
  StringRef(options.timing).split(parts, ',');
  const bool needsResults = !options.prints.empty() || !options.outputs.empty();
  if (needsResults || is_contained(parts, "full"))
    return options.timing;
  return options.timing + ",sample";
}

static Error run(const SimOptions &options, const Installation &installation) {
  auto image = readWholeFile(options.image);
  if (!image)
    return image.takeError();
  if (!options.check.empty())
    ::setenv("AIRCC_SIM_CHECK", options.check.c_str(), /*overwrite=*/1);
  if (!options.counters.empty())
    ::setenv("AIRCC_SIM_COUNTERS", options.counters.c_str(), /*overwrite=*/1);
  if (!options.timing.empty())
    ::setenv("AIRCC_SIM_TIMING", timingRequest(options).c_str(),
             /*overwrite=*/1);
  if (!options.trace.empty())
    ::setenv("AIRCC_SIM_TRACE", options.trace.c_str(), /*overwrite=*/1);
  auto opened = openSimulator(installation);
  if (!opened)
    return opened.takeError();
  // Destroyed last because it owns the code and the buffers.
  std::unique_ptr<simulator::Simulator> simulator(*opened);
  applySettings(options, *simulator);
  if (options.coverage)
    return printCoverage(options, *image, *simulator);

  std::unique_ptr<simulator::Code> code;
  if (simulator::Status status = simulator->load(image->data(), image->size(),
                                                 options.processor, code);
      !status.ok())
    return fail(ExitCode::BadInput, options.image + ": " + status.message());
  if (options.list) {
    printList(*code);
    return Error::success();
  }
  auto kernel = chooseKernel(*code, options);
  if (!kernel)
    return kernel.takeError();
  simulator::Launch launch;
  launch.kernel = (*kernel)->name;
  launch.grid = options.grid;
  launch.block = options.block;
  auto arguments =
      LaunchArguments::create(options, **kernel, code->isSpirv(), *simulator);
  if (!arguments)
    return arguments.takeError();
  arguments->apply(launch);
  // Reject wrong names before a long execution.
  for (const SimOptions::Print &print : options.prints)
    if (auto buffer = arguments->find(print.buffer, "--print"); !buffer)
      return buffer.takeError();
  for (const auto &output : options.outputs)
    if (auto buffer = arguments->find(output.first, "--out"); !buffer)
      return buffer.takeError();

  simulator::LaunchReport report;
  const simulator::Status status = simulator->launch(*code, launch, &report);
  for (const std::string &warning : report.warnings)
    errs() << "aircc: warning: " << warning << "\n";
  Error launchError =
      status.ok()
          ? Error::success()
          : fail(report.timedOut ? ExitCode::TimedOut : ExitCode::BadInput,
                 status.message(),
                 arguments->describeAddresses(status.message()));
  // If the checker reported an error, the kernel has still computed its
  // results.
  if (!report.completed)
    return launchError;
  for (const SimOptions::Print &print : options.prints)
    printBuffer(print.buffer, **arguments->find(print.buffer, "--print"),
                print.all);
  if (options.time)
    printTime(report, *code, **kernel);
  return joinErrors(std::move(launchError), save(options, *arguments));
}

ExitCode aircc::simMain(Arguments arguments, const Installation &installation,
                        Diagnostics &diagnostics) {
  auto options = parseSimOptions(arguments);
  if (!options)
    return diagnostics.report(options.takeError());
  if (!*options)
    return ExitCode::Done;
  std::optional<Watchdog> watchdog;
  if ((*options)->timeout)
    watchdog.emplace(*(*options)->timeout, diagnostics);
  if (Error error = run(**options, installation))
    return diagnostics.report(std::move(error));
  return ExitCode::Done;
}
