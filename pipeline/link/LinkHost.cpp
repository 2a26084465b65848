//===- LinkHost.cpp - Executables and shared libraries --------------------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/Dependency.h"
#include "pipeline/link/Link.h"
#include "pipeline/link/MemoryFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

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

llvm::Error linkHost(const HostSpec &host, const HostLink &link) {
  // The linker reads the object through an inherited descriptor.
  llvm::Expected<MemoryFile> object =
      MemoryFile::create("host.o", /*inherit=*/true);
  if (!object)
    return object.takeError();
  if (llvm::Error error = object->write(link.object))
    return error;
  llvm::Expected<MemoryFile> messages = MemoryFile::create("linker messages");
  if (!messages)
    return messages.takeError();

  auto command =
      makeCommand(host, link, link.object.empty() ? "" : object->getPath());
  if (!command)
    return command.takeError();
  llvm::SmallVector<llvm::StringRef> arguments(command->begin(),
                                               command->end());
  std::string messagesPath = messages->getPath();
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""),
                                                llvm::StringRef(messagesPath),
                                                llvm::StringRef(messagesPath)};
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(arguments[0], arguments,
                                         /*Env=*/std::nullopt, redirects,
                                         /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &problem);
  if (status == 0)
    return llvm::Error::success();
  llvm::SmallString<256> text;
  if (llvm::Error error = messages->read(text))
    return error;
  return llvm::createStringError(
      "linking with '" + command->front() + "' failed" +
      (problem.empty() ? "" : ": " + problem) +
      (text.empty() ? "" : ":\n" + llvm::StringRef(text).trim().str()));
}

} // namespace aircc
