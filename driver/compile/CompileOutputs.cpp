//===- CompileOutputs.cpp - Outputs of a compile job ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// This part of CompileJob names, writes and commits output files.
//
//===----------------------------------------------------------------------===//

#include "driver/commands/LayoutPage.h"
#include "driver/compile/CompileJob.h"
#include "driver/compile/CompileUnit.h"
#include "driver/files/Dependencies.h"
#include "driver/input/InputFile.h"
#include "driver/input/MlirOptions.h"
#include "driver/report/MemoryPlan.h"
#include "pipeline/codegen/Codegen.h"
#include "pipeline/link/Link.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <iterator>

using namespace aircc;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Returns the path of an output. `suffix` ("-gfx942") distinguishes several
/// outputs of one input. Unnamed files are named after the input and written to
/// the current directory, as in other compilers; text is written to standard
/// output.
std::string CompileJob::nameOutput(StringRef input, StringRef suffix,
                                   bool isText) const {
  if (options.output == "-" ||
      (options.output.empty() && isText && !options.toFile))
    return "-";
  if (!options.output.empty()) {
    SmallString<128> path = sys::path::parent_path(options.output);
    sys::path::append(path, sys::path::stem(options.output) + suffix +
                                sys::path::extension(options.output));
    return std::string(path);
  }
  const EmitInfo &info = getEmitInfo(kind);
  if (input == "-")
    return kind == EmitKind::Executable ? "a.out"
                                        : ("a" + suffix + info.extension).str();
  return (sys::path::stem(input) + suffix + info.extension).str();
}

/// Returns the same text for all paths of the same file, which need not exist.
static std::string identify(StringRef path) {
  if (path == "-")
    return "-";
  sys::fs::UniqueID id;
  if (!sys::fs::getUniqueID(path, id))
    return "file " + std::to_string(id.getDevice()) + " " +
           std::to_string(id.getFile());
  // Nonexistent files are the same if their names and directories are.
  StringRef folder = sys::path::parent_path(path);
  if (sys::fs::getUniqueID(folder.empty() ? "." : folder, id))
    return "path " + path.str();
  return "name " + std::to_string(id.getDevice()) + " " +
         std::to_string(id.getFile()) + " " + sys::path::filename(path).str();
}

Error CompileJob::checkNoInput(StringRef path) const {
  auto check = [&](StringRef input) -> Error {
    if (path == "-" || input == "-" || !sys::fs::equivalent(input, path))
      return Error::success();
    return fail(ExitCode::BadUsage,
                "the output '" + escapeName(path) +
                    "' would overwrite the input" +
                    (input == path ? "" : " '" + escapeName(input) + "'"));
  };
  for (const std::string &input : options.inputs)
    if (Error error = check(input))
      return error;
  for (const std::string &input : options.linkInputs)
    if (Error error = check(input))
      return error;
  if (!options.constantsIn.empty())
    if (Error error = check(options.constantsIn))
      return error;
  for (const TargetProfile &profile : profiles)
    for (const std::string &file : profile.files)
      if (Error error = check(file))
        return error;
  return Error::success();
}

Expected<OutputFile *> CompileJob::openOutput(StringRef path, bool isText) {
  if (Error error = checkNoInput(path))
    return error;
  // Several outputs can be written to a path that is not a regular file
  // (/dev/null, a pipe).
  bool isUnique =
      path == "-" || !sys::fs::exists(path) || sys::fs::is_regular_file(path);
  if (isUnique) {
    OutputFile *&known = outputsByFile[identify(path)];
    if (known && path == "-")
      return known;
    if (known)
      return fail(ExitCode::BadUsage,
                  "two outputs have the same name, '" + escapeName(path) + "'");
  }
  if (path == "-" && !isText && sys::Process::StandardOutIsDisplayed())
    return fail(
        ExitCode::BadUsage,
        "cannot write binary code to a terminal; specify a file with -o");
  auto sibling = find_if(outputs, [&](auto &output) {
    return sys::path::parent_path(output->getDestination()) ==
           sys::path::parent_path(path);
  });
  auto output = OutputFile::create(
      path, sibling == outputs.end() ? nullptr : sibling->get());
  if (!output)
    return output.takeError();
  outputs.push_back(std::move(*output));
  if (isUnique)
    outputsByFile[identify(path)] = outputs.back().get();
  return outputs.back().get();
}

//===----------------------------------------------------------------------===//
// Modules and device code
//===----------------------------------------------------------------------===//

Error CompileJob::emitModule(Unit &unit, size_t target, mlir::ModuleOp module) {
  setPhase("writing " + unit.input);
  auto scope = rootTiming.nest("Output");
  if (!options.html.empty()) {
    auto page = openOutput(options.html, /*isText=*/true);
    if (!page)
      return page.takeError();
    writeLayoutPage(module, profiles[target],
                    unit.input == "-" ? "standard input"
                                      : sys::path::filename(unit.input),
                    (*page)->os());
  }
  std::string suffix =
      plans.size() > 1 ? "-" + profiles[target].name : std::string();
  auto output = openOutput(nameOutput(unit.input, suffix, /*isText=*/true),
                           /*isText=*/true);
  if (!output)
    return output.takeError();
  raw_ostream &os = (*output)->os();
  if (kind == EmitKind::Plan) {
    os << formatv("{0:2}\n", describeMemoryPlan(module, profiles[target].name));
    return Error::success();
  }
  if (os.tell() != 0) // The separator of --split-input-file.
    os << "\n// -----\n\n";
  module.print(os, getPrintingFlags());
  os << "\n";
  return Error::success();
}

Error CompileJob::emitDeviceCode(Unit &unit, size_t target,
                                 mlir::ModuleOp module) {
  SmallVector<DeviceCode> codes = collectDeviceCode(module);
  if (observer && !codes.empty()) {
    observer->addDeviceCode(codes);
    return Error::success();
  }
  if (Error error = writeDeviceCode(unit.input, target, codes))
    return error;
  for (const DeviceCode &code : codes)
    unit.result.deviceCode.push_back(
        {target, code.module.str(), code.bytes.str()});
  return Error::success();
}

Error CompileJob::writeDeviceCode(StringRef input, size_t target,
                                  ArrayRef<DeviceCode> codes) {
  auto scope = rootTiming.nest("Output");
  const EmitInfo &info = getEmitInfo(kind);
  if (codes.empty())
    return fail(ExitCode::BadInput,
                "'" + input + "' has no device code: --emit " + info.name +
                    " has nothing to write",
                {"functions are host code; GPU code is inside "
                 "air.launch, gpu.launch or a gpu.module"});

  for (const DeviceCode &code : codes) {
    std::string suffix;
    if (profiles.size() > 1)
      suffix += "-" + profiles[target].name;
    if (codes.size() > 1)
      suffix += "-" + code.module.str();
    std::string path = nameOutput(input, suffix, info.isText);
    auto output = openOutput(path, info.isText);
    if (!output)
      return output.takeError();
    raw_ostream &os = (*output)->os();
    if (os.tell() != 0 && !info.isText)
      return fail(ExitCode::BadUsage,
                  "several binaries cannot be written to one output",
                  {"specify a file with -o; each binary gets its own name"});
    if (os.tell() != 0)
      os << "\n; -----\n\n";
    os << code.bytes;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

Error CompileJob::emitHostCode(Unit &unit, mlir::ModuleOp module) {
  setPhase("the machine code of " + unit.input);
  auto scope = rootTiming.nest("Host code");
  HostCodeOptions hostOptions;
  hostOptions.optLevel = options.optLevel.value_or(2);
  // In a program that is built from this object only, no other code calls any
  // function except `main`.
  hostOptions.wholeProgram = isWholeProgram(options);
  // The files of device code that is compiled in the background are known only
  // after it has been compiled.
  scope_exit collect([&] {
    SmallVector<std::string> libraries = collectDeviceLibraries(module);
    append_range(dependencies, libraries);
    append_range(unit.result.deviceLibraries, libraries);
  });

  if (options.saveTemps) {
    HostCode text;
    if (mlir::failed(
            emitHost(module, getHost(), hostOptions, HostFormat::LLVM, text)))
      return unit.failed();
    StringRef stem = unit.input == "-" ? "stdin" : sys::path::stem(unit.input);
    if (Error error = saveText((stem + ".host.ll").str(), text.start))
      return error;
  }

  if (kind == EmitKind::Executable && options.inputs.size() == 1 &&
      options.linkInputs.empty() && !hasMain(module))
    return fail(ExitCode::BadInput,
                "'" + unit.input +
                    "' defines no function 'main', so it "
                    "cannot be linked as an executable",
                {"--emit shared creates a library, -c an object to link with "
                 "C code"});

  if (!options.constantsOut.empty())
    if (Error error = writeConstantsFile(unit, module))
      return error;
  HostFormat format =
      kind == EmitKind::HostLLVM ? HostFormat::LLVM : HostFormat::Object;
  HostCode code;
  if (mlir::failed(emitHost(module, getHost(), hostOptions, format, code)))
    return unit.failed();
  std::vector<StringRef> pieces = code.getPieces();
  if (Error error = writeHostCode(unit.input, pieces))
    return error;
  // Copying large constants would take longer than compiling again.
  unit.result.isTooLarge = code.hasLargeConstants;
  if (!code.hasLargeConstants)
    unit.result.hostCode = join(pieces, "");
  return Error::success();
}

/// Implements --constants-out: writes the constants that are not in the code.
Error CompileJob::writeConstantsFile(Unit &unit, mlir::ModuleOp module) {
  auto constants = collectFileConstants(module);
  if (mlir::failed(constants))
    return unit.failed();
  auto output = openOutput(options.constantsOut, /*isText=*/false);
  if (!output)
    return output.takeError();
  uint64_t bytes = 0;
  for (const FileConstant &constant : *constants)
    bytes += constant.bytes.size();
  log(options.constantsOut + ": " + Twine(constants->size()) +
      " constants of " + Twine(bytes) + " bytes");
  return writeConstants(*constants, **output);
}

Error CompileJob::writeHostCode(StringRef input, ArrayRef<StringRef> pieces) {
  if (isLinked(kind)) {
    // The linker reads the object through an inherited descriptor.
    Expected<MemoryFile> object =
        MemoryFile::create("host.o", /*inherit=*/true);
    if (!object)
      return object.takeError();
    for (StringRef piece : pieces)
      if (Error error = object->write(piece))
        return error;
    hostObjects.push_back(std::move(*object));
    return Error::success();
  }
  const EmitInfo &info = getEmitInfo(kind);
  auto output = openOutput(nameOutput(input, "", info.isText), info.isText);
  if (!output)
    return output.takeError();
  return (*output)->write(pieces);
}

Expected<HostLink> CompileJob::makeHostLink(StringRef output) {
  HostLink hostLink;
  hostLink.kind = kind == EmitKind::Shared ? HostLink::Kind::Shared
                                           : HostLink::Kind::Executable;
  hostLink.inputs = options.linkInputs;
  hostLink.runtimeLibrary = kind == EmitKind::Shared
                                ? installation.getRuntimeLibrary()
                                : installation.getRuntimeArchive();
  hostLink.runtimeDir = installation.getRuntimeFolder();
  hostLink.output = output.str();
  hostLink.debugInfo = options.debugInfo;
  if (!sys::fs::exists(hostLink.runtimeLibrary))
    return fail(ExitCode::Environment,
                "cannot find the runtime library to link programs with: " +
                    hostLink.runtimeLibrary,
                {"it is part of the installation of aircc"});
  return hostLink;
}

Error CompileJob::link() {
  setPhase("linking");
  auto scope = rootTiming.nest("Host link");
  auto output =
      openOutput(nameOutput(options.inputs[0], "", /*isText=*/false), false);
  if (!output)
    return output.takeError();
  auto hostLink = makeHostLink((*output)->pathForWriter());
  if (!hostLink)
    return hostLink.takeError();

  hostLink->objects = std::move(hostObjects);

  if (options.verbose) {
    auto command = getHostLinkCommand(getHost(), *hostLink);
    if (!command)
      return command.takeError();
    log(join(*command, " "));
  }
  if (Error error = linkHost(getHost(), *hostLink))
    return error;
  (*output)->setExecutable();
  return Error::success();
}

// Commit
//===----------------------------------------------------------------------===//

Error CompileJob::finish() {
  setPhase("writing the outputs");
  if (Error error = writeReport())
    return error;
  auto scope = rootTiming.nest("Output");
  if (!options.writeDependencies && options.dependencyFile.empty() &&
      options.dependencyTarget.empty())
    return commitAll(outputs);

  std::vector<std::string> targets;
  if (!options.dependencyTarget.empty())
    targets.push_back(options.dependencyTarget);
  else
    for (auto &output : outputs)
      if (output->getDestination() != options.header &&
          output->getDestination() != options.report &&
          output->getDestination() != options.constantsOut)
        targets.push_back(output->getDestination().str());
  std::string path = options.dependencyFile;
  if (path.empty()) {
    if (targets.empty() || targets[0] == "-")
      return fail(ExitCode::BadUsage,
                  "-MD: the name of the dependency file cannot "
                  "be derived from the output; use -MF");
    SmallString<128> named(targets[0]);
    if (!options.dependencyTarget.empty() && !outputs.empty())
      named = outputs.back()->getDestination();
    // Do not create /dev/null.d.
    if (sys::fs::exists(named) && !sys::fs::is_regular_file(named))
      return fail(ExitCode::BadUsage,
                  "-MD: the output is not a regular file, so "
                  "the dependency file needs a name; use "
                  "-MF");
    sys::path::replace_extension(named, "d");
    path = std::string(named);
  }
  for (const TargetProfile &profile : profiles)
    append_range(dependencies, profile.files);
  for (const std::string &input : options.linkInputs)
    if (!StringRef(input).starts_with("-"))
      dependencies.push_back(input);

  // Write this first, so that the outputs appear last.
  auto file = openOutput(path, /*isText=*/true);
  if (!file)
    return file.takeError();
  if (Error error = writeDependencies((*file)->os(), targets, dependencies))
    return error;
  std::rotate(outputs.begin(), std::prev(outputs.end()), outputs.end());
  return commitAll(outputs);
}
