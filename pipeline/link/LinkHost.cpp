//===- LinkHost.cpp - Executables and shared libraries --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Dependency.h"
#include "pipeline/link/ChildProcess.h"
#include "pipeline/link/Link.h"
#include "pipeline/link/LinkELF.h"
#include "pipeline/link/MemoryFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"

namespace aircc {

static llvm::Expected<std::string> findCompiler(const HostSpec &host) {
  llvm::StringRef name = host.cc.empty() ? llvm::StringRef("cc") : host.cc;
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name))
    return *found;
  return llvm::make_error<MissingDependencyError>(
      "the C compiler '" + name.str() +
      "', which links programs, is not on PATH. Install one (package gcc or "
      "clang), or name it as host.cc in the target's profile; --emit=obj and "
      "--emit=hsaco work without");
}

/// The command with `object` as the path of the object in memory.
static llvm::Expected<std::vector<std::string>>
makeCommand(const HostSpec &host, const HostLink &link,
            llvm::StringRef object) {
  llvm::Expected<std::string> compiler = findCompiler(host);
  if (!compiler)
    return compiler.takeError();
  std::vector<std::string> command = {*compiler};
  if (link.kind == HostLink::Kind::Shared)
    // The library's own calls stay its own, whatever else is loaded.
    command.insert(command.end(),
                   {"-shared", "-fPIC", "-Wl,-Bsymbolic-functions"});
  else
    command.push_back("-pie");
  if (link.debugInfo)
    command.push_back("-g");
  command.insert(command.end(), {"-o", link.output});
  if (!object.empty())
    command.push_back(object.str());
  command.insert(command.end(), link.inputs.begin(), link.inputs.end());
  if (!link.runtimeLibrary.empty())
    command.push_back(link.runtimeLibrary);
  if (!link.runtimeDir.empty())
    command.push_back("-Wl,-rpath," + link.runtimeDir);
  command.insert(command.end(), host.linkFlags.begin(), host.linkFlags.end());
  // The runtime's archive is C++; the rest is what generated code may call.
  if (!link.runtimeLibrary.empty() && link.kind == HostLink::Kind::Executable)
    command.push_back("-lstdc++");
  command.insert(command.end(), {"-ldl", "-lpthread", "-lm"});
  return command;
}

llvm::Expected<std::vector<std::string>>
getHostLinkCommand(const HostSpec &host, const HostLink &link) {
  return makeCommand(host, link, "<object>");
}

/// The arguments that the compiler driver would give to the linker, from the
/// last command that its `-###` prints. Empty when they cannot be told.
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
  // The commands are indented by one space; variables come before them.
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
    // The compiler's own plug-in for link-time optimisation.
    if (token == "-plugin") {
      ++i;
      continue;
    }
    if (token.starts_with("-plugin-opt="))
      continue;
    // The caller says where the output goes.
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

llvm::Error linkHost(const HostSpec &host, const HostLink &link) {
  // The linker reads the object through an inherited descriptor.
  llvm::Expected<MemoryFile> object =
      MemoryFile::create("host.o", /*inherit=*/true);
  if (!object)
    return object.takeError();
  if (llvm::Error error = object->write(link.object))
    return error;

  auto command =
      makeCommand(host, link, link.object.empty() ? "" : object->getPath());
  if (!command)
    return command.takeError();

  // The compiler driver knows the start-up files and the folders; the linking
  // itself is quicker here than in two more processes. Whoever names a linker
  // gets that one.
  bool ownLinker = llvm::none_of(host.linkFlags, [](const std::string &flag) {
    return llvm::StringRef(flag).starts_with("-fuse-ld");
  });
  if (ownLinker) {
    std::vector<std::string> arguments = askLinkerArguments(*command);
    if (!arguments.empty()) {
      llvm::Error error = linkToFile(arguments, link.output);
      if (!error || error.isA<llvm::FileError>())
        return error;
      // The system's linker has the last word, and the message.
      llvm::consumeError(std::move(error));
    }
  }

  llvm::Expected<ProcessResult> result = runProcess(*command);
  if (!result)
    return result.takeError();
  if (result->status == 0)
    return llvm::Error::success();
  return llvm::createStringError(
      "linking with '" + command->front() + "' failed" +
      (result->problem.empty() ? "" : ": " + result->problem) +
      (result->text.empty()
           ? ""
           : ":\n" + llvm::StringRef(result->text).trim().str()));
}

} // namespace aircc
