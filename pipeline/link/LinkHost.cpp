//===- LinkHost.cpp - Executables and shared libraries --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Dependency.h"
#include "pipeline/common/Exhaustion.h"
#include "pipeline/link/ChildProcess.h"
#include "pipeline/link/Link.h"
#include "pipeline/link/LinkELF.h"
#include "pipeline/link/MemoryFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"

#include <algorithm>

namespace aircc {

static llvm::Expected<std::string> findCompiler(const HostSpec &host) {
  llvm::StringRef name = host.cc.empty() ? llvm::StringRef("cc") : host.cc;
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name))
    return *found;
  return llvm::make_error<MissingDependencyError>(
      "the C compiler '" + name.str() +
      "', which links programs, is not on PATH; install a C compiler (package "
      "gcc or clang), or set host.cc in the target's profile; --emit=obj and "
      "--emit=hsaco do not need one");
}

/// Returns the command with `objects` as the paths of the objects in memory.
static llvm::Expected<std::vector<std::string>>
makeCommand(const HostSpec &host, const HostLink &link,
            llvm::ArrayRef<std::string> objects) {
  llvm::Expected<std::string> compiler = findCompiler(host);
  if (!compiler)
    return compiler.takeError();
  std::vector<std::string> command = {*compiler};
  if (link.kind == HostLink::Kind::Shared)
    // Bind calls within the library to its own functions, whatever else is
    // loaded.
    command.insert(command.end(),
                   {"-shared", "-fPIC", "-Wl,-Bsymbolic-functions"});
  else
    command.push_back("-pie");
  if (link.debugInfo)
    command.push_back("-g");
  command.insert(command.end(), {"-o", link.output});
  command.insert(command.end(), objects.begin(), objects.end());
  command.insert(command.end(), link.inputs.begin(), link.inputs.end());
  if (!link.runtimeLibrary.empty())
    command.push_back(link.runtimeLibrary);
  if (!link.runtimeDir.empty())
    command.push_back("-Wl,-rpath," + link.runtimeDir);
  command.insert(command.end(), host.linkFlags.begin(), host.linkFlags.end());
  // The runtime archive is C++; generated code may call the other libraries.
  if (!link.runtimeLibrary.empty() && link.kind == HostLink::Kind::Executable)
    command.push_back("-lstdc++");
  command.insert(command.end(), {"-ldl", "-lpthread", "-lm"});
  return command;
}

llvm::Expected<std::vector<std::string>>
getHostLinkCommand(const HostSpec &host, const HostLink &link) {
  // -### prints the command before any objects exist.
  std::vector<std::string> objects(std::max<size_t>(link.objects.size(), 1),
                                   "<object>");
  return makeCommand(host, link, objects);
}

/// Returns the arguments that the compiler driver would pass to the linker,
/// from the last command that its `-###` prints. Returns an empty list if they
/// cannot be determined.
static std::vector<std::string>
askLinkerArguments(std::vector<std::string> command) {
  command.push_back("-###");
  llvm::Expected<ProcessResult> asked = runProcess(command);
  if (!asked) {
    llvm::consumeError(asked.takeError());
    return {};
  }
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(asked->text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (asked->status != 0 || lines.empty())
    return {};
  // The commands are indented by one space; variables precede them.
  auto last = llvm::find_if(llvm::reverse(lines), [](llvm::StringRef line) {
    return line.starts_with(" ");
  });
  if (last == lines.rend())
    return {};
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> tokens;
  llvm::cl::TokenizeGNUCommandLine(*last, saver, tokens);
  std::vector<std::string> arguments;
  bool hasDynamicLinker = false;
  for (size_t i = 1; i < tokens.size(); ++i) {
    llvm::StringRef token = tokens[i];
    // Skip the compiler's own plug-in for link-time optimization.
    if (token == "-plugin") {
      ++i;
      continue;
    }
    if (token.starts_with("-plugin-opt="))
      continue;
    // The caller specifies the output.
    if (token == "-o") {
      ++i;
      continue;
    }
    hasDynamicLinker |= token == "-shared" || token == "-dynamic-linker";
    arguments.push_back(token.str());
  }
  if (!hasDynamicLinker)
    return {};
  return arguments;
}

/// Creates the error for a link that failed with `message`. Not every linker
/// reports that it ran out of space.
static llvm::Error makeLinkError(const HostLink &link, std::string message) {
  uint64_t needed = 0, archive = 0;
  for (const MemoryFile &object : link.objects)
    needed += object.getSize();
  if (!llvm::sys::fs::file_size(link.runtimeLibrary, archive))
    needed += archive;
  auto space =
      llvm::sys::fs::disk_space(llvm::sys::path::parent_path(link.output));
  if ((space && space->available < needed) || isExhaustionMessage(message))
    return llvm::make_error<ExhaustionError>(std::move(message));
  return llvm::createStringError(message);
}

/// Links in this process. The compiler driver provides the start-up files and
/// the directories; linking here is faster than in two more processes. Returns
/// false if the command's linker must be used.
static llvm::Expected<bool> linkInProcess(const HostSpec &host,
                                          const HostLink &link,
                                          llvm::ArrayRef<std::string> command) {
  bool namesLinker = llvm::any_of(host.linkFlags, [](const std::string &flag) {
    return llvm::StringRef(flag).starts_with("-fuse-ld");
  });
  if (namesLinker)
    return false;
  std::vector<std::string> arguments = askLinkerArguments(command);
  if (arguments.empty())
    return false;
  llvm::Error error = linkToFile(arguments, link.output);
  if (!error)
    return true;
  if (error.isA<llvm::FileError>())
    return makeLinkError(link, llvm::toString(std::move(error)));
  // On failure, run the system's linker and report its message.
  llvm::consumeError(std::move(error));
  return false;
}

llvm::Error linkHost(const HostSpec &host, const HostLink &link) {
  // The linker reads the objects through inherited descriptors.
  std::vector<std::string> paths;
  paths.reserve(link.objects.size());
  for (const MemoryFile &object : link.objects)
    paths.push_back(object.getPath());
  auto command = makeCommand(host, link, paths);
  if (!command)
    return command.takeError();
  llvm::Expected<bool> linked = linkInProcess(host, link, *command);
  if (!linked)
    return linked.takeError();
  if (*linked)
    return llvm::Error::success();

  llvm::Expected<ProcessResult> result = runProcess(*command);
  if (!result)
    return makeLinkError(link, llvm::toString(result.takeError()));
  if (result->status == 0)
    return llvm::Error::success();
  return makeLinkError(
      link, "linking with '" + command->front() + "' failed" +
                (result->problem.empty() ? "" : ": " + result->problem) +
                (result->text.empty()
                     ? ""
                     : ":\n" + llvm::StringRef(result->text).trim().str()));
}

} // namespace aircc
