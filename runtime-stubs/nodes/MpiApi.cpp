//===- MpiApi.cpp - The subset of MPI that the runtime uses ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/nodes/MpiApi.h"
#include "runtime-stubs/support/LibrarySearch.h"

#include <vector>

using namespace aircc::rt;
using namespace aircc::rt::mpi;

/// The maximum lengths of strings in Open MPI and in MPICH.
static constexpr size_t maxErrorString = 1024, maxVersionString = 8192;

/// Returns the name and version of an MPI library for messages, such as "Open
/// MPI v4.1.4" or "MPICH Version: 4.0.2".
static std::string describeLibrary(void *library) {
  using GetVersionFn = int(char *text, int *length);
  auto *getVersion = reinterpret_cast<GetVersionFn *>(
      dlsym(library, "MPI_Get_library_version"));
  std::vector<char> text(maxVersionString + 1);
  int length = 0;
  if (!getVersion || getVersion(text.data(), &length) != success)
    return {};
  std::string name(text.data());
  name = name.substr(0, name.find_first_of(",\n"));
  for (char &c : name)
    if (c == '\t')
      c = ' ';
  return name;
}

Status Api::load() {
  void *library = nullptr;
  std::string path;
  // Open MPI loads plug-ins that use symbols of the library.
  if (Status status = openSystemLibrary(
          "Open MPI's library", "AIRCC_MPI_LIBRARY",
          {"libmpi.so.40", "libmpi.so"}, library, path, /*global=*/true);
      !status.ok())
    return status;
  const std::string name = describeLibrary(library);
  if (name.rfind("Open MPI", 0) != 0)
    return Status::failure(
        path + " is " + (name.empty() ? "not an MPI library" : name) +
        "; ranks on several nodes need Open MPI, because the binary interfaces "
        "of MPI libraries differ");

  SymbolFinder required(library);
#define AIRCC_MPI_FIND(NAME, PARAMETERS) required.find(NAME, "MPI_" #NAME);
  AIRCC_MPI_FUNCTIONS(AIRCC_MPI_FIND)
#undef AIRCC_MPI_FIND
  required.find(world, "ompi_mpi_comm_world");
  required.find(byte, "ompi_mpi_byte");
  required.find(returnErrors, "ompi_mpi_errors_return");
  if (!required.getMissing().empty())
    return Status::failure(path + " (" + name + ") lacks " +
                           required.getMissing());
  return Status::success();
}

Status Api::check(const char *function, int code) const {
  if (code == success)
    return Status::success();
  char text[maxErrorString] = "";
  int length = 0;
  if (Error_string(code, text, &length) != success)
    text[0] = 0;
  return Status::failure(std::string(function) + " failed (" +
                         std::to_string(code) + "): " + text);
}
