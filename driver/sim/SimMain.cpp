//===- SimMain.cpp - `aircc sim`: run one kernel of device code -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
#include "driver/OutputFile.h"
#include "driver/sim/KernelArgument.h"
#include "driver/sim/NpyFile.h"
#include "driver/sim/SimOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>

using namespace aircc;
using namespace llvm;

/// The plug-in, beside aircc's own binary unless the environment names a place.
static Expected<simulator::Simulator *>
openSimulator(const Installation &installation) {
  SmallVector<std::string> folders;
  if (auto path = sys::Process::GetEnv("AIRCC_RUNTIME_PATH")) {
    SmallVector<StringRef> parts;
    StringRef(*path).split(parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      folders.push_back(part.str());
  }
  folders.push_back(installation.getRuntimeFolder());
  for (const std::string &folder : folders) {
    std::string path = folder + "/libaircc_sim.so";
    if (!sys::fs::exists(path))
      continue;
    simulator::Simulator *simulator = nullptr;
    if (simulator::Status status = simulator::openSimulator(path, simulator);
        !status.ok())
      return fail(ExitCode::Environment,
                  "cannot load the simulator: " + status.message());
    return simulator;
  }
  return fail(ExitCode::Environment,
              "there is no libaircc_sim.so in " + join(folders, ", "),
              {"install aircc whole, or build the target aircc_sim"});
}

/// The name in the source of a C++ kernel, without its parameters; for others
/// the name itself.
static std::string sourceName(const simulator::Kernel &kernel) {
  std::string demangled = demangle(kernel.name);
  return StringRef(demangled).take_until([](char c) { return c == '('; }).str();
}

/// "add(x: pointer, n: 4 bytes)"
static std::string signature(const simulator::Kernel &kernel) {
  std::string text = kernel.name + "(";
  for (const simulator::Argument &argument : kernel.arguments) {
    if (text.back() != '(')
      text += ", ";
    if (!argument.name.empty())
      text += argument.name + ": ";
    if (argument.isPointer())
      text += "pointer";
    else if (argument.valueKind == "by_value")
      text += utostr(argument.size) + " bytes";
    else
      text += argument.valueKind;
  }
  return text + ")";
}

/// Which workgroups a SPIR-V kernel takes.
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
             << kernel.scratchBytes << " bytes of private memory a lane, "
             << blockText(kernel) << "\n";
      continue;
    }
    outs() << "  wave" << kernel.waveSize << ", " << kernel.vgprs << " VGPRs";
    if (kernel.agprs)
      outs() << " and " << kernel.agprs << " AGPRs";
    outs() << ", " << kernel.ldsBytes << " bytes of LDS, "
           << kernel.scratchBytes
           << " bytes of scratch a lane, workgroups of up to "
           << kernel.maxWorkgroupSize << " lanes\n";
  }
}

/// The kernel that the command line means.
static Expected<const simulator::Kernel *>
chooseKernel(const simulator::Code &code, const SimOptions &options) {
  ArrayRef<simulator::Kernel> kernels(code.kernels());
  if (kernels.empty())
    return fail(ExitCode::BadInput, options.image + ": there is no kernel in "
                                                    "it");
  std::vector<std::string> notes;
  for (const simulator::Kernel &kernel : kernels)
    notes.push_back("it has " + signature(kernel));
  if (options.kernel.empty()) {
    if (kernels.size() == 1)
      return &kernels.front();
    return fail(ExitCode::BadUsage,
                options.image + ": there are several kernels in it; choose one "
                                "by --kernel",
                std::move(notes));
  }
  for (const simulator::Kernel &kernel : kernels)
    if (kernel.name == options.kernel)
      return &kernel;
  // By its name in C++, where that says which one.
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
              options.image + ": there is no kernel '" + options.kernel +
                  "' in it",
              std::move(notes));
}

/// Reads the arguments and allocates their buffers; `pointers` gets what the
/// launch wants.
static Expected<std::vector<KernelArgument>>
prepareArguments(const SimOptions &options, const simulator::Kernel &kernel,
                 simulator::Simulator &simulator, uint32_t &dynamicLds,
                 std::vector<const void *> &pointers) {
  std::vector<KernelArgument> arguments;
  for (const std::string &text : options.arguments) {
    auto argument = KernelArgument::parse(text, arguments.size());
    if (!argument)
      return argument.takeError();
    arguments.push_back(std::move(*argument));
  }
  uint32_t ldsOffset = kernel.ldsBytes + options.dynamicLdsBytes;
  size_t count = 0;
  for (KernelArgument &argument : arguments) {
    if (Error error = argument.prepare(simulator, arguments, ldsOffset))
      return error;
    count += argument.getParameters().size();
  }
  dynamicLds = ldsOffset - kernel.ldsBytes;

  const size_t wanted = kernel.arguments.size();
  if (count != wanted) {
    std::string given = "--arg gives " + utostr(count);
    if (count != arguments.size())
      given += " (a memref counts for several)";
    return fail(ExitCode::BadUsage,
                "kernel '" + kernel.name + "' takes " + Twine(wanted) +
                    (wanted == 1 ? " argument; " : " arguments; ") + given,
                {"it is " + signature(kernel)});
  }
  for (const KernelArgument &argument : arguments)
    for (auto [index, bytes] : enumerate(argument.getParameters())) {
      const simulator::Argument &to = kernel.arguments[pointers.size()];
      std::string why = argument.mismatch(to, index);
      if (!why.empty())
        return fail(ExitCode::BadUsage,
                    "--arg " + argument.getText() + ": argument " +
                        Twine(pointers.size()) +
                        (to.name.empty() ? "" : " ('" + to.name + "')") +
                        " of kernel '" + kernel.name + "' " + why,
                    {"it is " + signature(kernel)});
      pointers.push_back(bytes.data());
    }
  return arguments;
}

/// The buffer of an argument that is to be shown or saved.
static Expected<KernelBuffer> bufferOf(ArrayRef<KernelArgument> arguments,
                                       unsigned number, StringRef option) {
  const KernelArgument &argument = arguments[number];
  if (argument.getBuffer())
    return *argument.getBuffer();
  return fail(ExitCode::BadUsage, option + " " + Twine(number) + ": --arg " +
                                      argument.getText() + " is no buffer");
}

/// One line for each row of the last dimension.
static void printBuffer(unsigned number, const KernelBuffer &buffer,
                        bool everything) {
  constexpr size_t limit = 1024;
  const ElementType &type = *buffer.type;
  const size_t count = buffer.bytes / type.bytes;
  const size_t row = std::max<int64_t>(buffer.shape.back(), 1);
  const size_t shown = everything ? count : std::min(count, limit);
  outs() << "arg " << number << ": " << type.name << "[";
  interleave(
      buffer.shape, outs(), [](int64_t size) { outs() << size; }, "x");
  outs() << "]\n";
  const char *from = static_cast<const char *>(buffer.memory);
  for (size_t i = 0; i < shown; ++i, from += type.bytes)
    outs() << (i % row ? " " : "  ") << printElement(type, from)
           << (i % row == row - 1 || i + 1 == shown ? "\n" : "");
  if (shown < count)
    outs() << "  and " << count - shown << " more (--print " << number
           << ":all)\n";
}

static Error save(const SimOptions &options,
                  ArrayRef<KernelArgument> arguments) {
  std::vector<std::unique_ptr<OutputFile>> files;
  for (const auto &[number, path] : options.outputs) {
    auto buffer = bufferOf(arguments, number, "--out");
    if (!buffer)
      return buffer.takeError();
    auto file = OutputFile::create(path);
    if (!file)
      return file.takeError();
    (*file)->os() << npyHeader(*buffer->type, buffer->shape);
    (*file)->os().write(static_cast<const char *>(buffer->memory),
                        buffer->bytes);
    files.push_back(std::move(*file));
  }
  return commitAll(files);
}

/// Which arguments the addresses in a message are the starts of.
static std::vector<std::string>
nameBuffers(StringRef message, ArrayRef<KernelArgument> arguments) {
  std::vector<std::string> notes;
  for (auto [number, argument] : enumerate(arguments)) {
    if (!argument.getBuffer())
      continue;
    std::string address =
        "0x" +
        utohexstr(reinterpret_cast<uint64_t>(argument.getBuffer()->memory),
                  /*LowerCase=*/true);
    // Not the beginning of a longer number.
    size_t at = message.find(address);
    StringRef behind = message.substr(at).drop_front(
        at == StringRef::npos ? 0 : address.size());
    if (at != StringRef::npos && (behind.empty() || !isHexDigit(behind[0])))
      notes.push_back(address + " is the buffer of --arg number " +
                      utostr(number) + ", " + argument.getText());
  }
  return notes;
}

static Error run(const SimOptions &options, const Installation &installation) {
  auto image = readWholeFile(options.image);
  if (!image)
    return image.takeError();
  if (options.check)
    ::setenv("AIRCC_SIM_CHECK", "1", /*overwrite=*/1);
  if (!options.counters.empty())
    ::setenv("AIRCC_SIM_COUNTERS", options.counters.c_str(), /*overwrite=*/1);
  if (!options.trace.empty())
    ::setenv("AIRCC_SIM_TRACE", options.trace.c_str(), /*overwrite=*/1);
  auto opened = openSimulator(installation);
  if (!opened)
    return opened.takeError();
  // Destroyed last: code and buffers are its own.
  std::unique_ptr<simulator::Simulator> simulator(*opened);
  if (options.threads)
    simulator->setThreads(*options.threads);
  if (options.seed)
    simulator->setSeed(*options.seed);

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
  auto arguments = prepareArguments(options, **kernel, *simulator,
                                    launch.dynamicLdsBytes, launch.arguments);
  if (!arguments)
    return arguments.takeError();
  // Before the kernel runs for long.
  for (const SimOptions::Print &print : options.prints)
    if (auto buffer = bufferOf(*arguments, print.argument, "--print"); !buffer)
      return buffer.takeError();
  for (const auto &output : options.outputs)
    if (auto buffer = bufferOf(*arguments, output.first, "--out"); !buffer)
      return buffer.takeError();

  simulator::LaunchReport report;
  if (simulator::Status status = simulator->launch(*code, launch, &report);
      !status.ok())
    return fail(ExitCode::BadInput, status.message(),
                nameBuffers(status.message(), *arguments));
  for (const SimOptions::Print &print : options.prints)
    printBuffer(print.argument, *bufferOf(*arguments, print.argument, ""),
                print.all);
  if (options.time && code->isSpirv()) {
    outs() << format("%.3f", report.seconds) << " s\n";
  } else if (options.time) {
    double lanes =
        static_cast<double>(report.instructions) * (*kernel)->waveSize;
    outs() << report.instructions << " instructions of waves in "
           << format("%.3f", report.seconds) << " s; with "
           << (*kernel)->waveSize << " lanes each, "
           << format("%.0f", lanes / report.seconds / 1e6)
           << " million lane-instructions a second\n";
  }
  return save(options, *arguments);
}

ExitCode aircc::simMain(Arguments arguments, const Installation &installation,
                        Diagnostics &diagnostics) {
  auto options = parseSimOptions(arguments);
  if (!options)
    return diagnostics.report(options.takeError());
  if (!*options)
    return ExitCode::Done;
  if (Error error = run(**options, installation))
    return diagnostics.report(std::move(error));
  return ExitCode::Done;
}
