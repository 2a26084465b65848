//===- Installation.cpp - Locations of the installed files ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/files/Installation.h"

#include "targets/TargetFolders.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace aircc;
using namespace llvm;

// Some systems locate the program by the address of a symbol in it.
static char anchor;

Installation::Installation(const char *argv0) {
  binary = sys::fs::getMainExecutable(argv0, &anchor);
  prefix = sys::path::parent_path(sys::path::parent_path(binary)).str();
}

std::vector<std::string>
Installation::getTargetFolders(ArrayRef<std::string> extra) const {
  return aircc::getTargetFolders(binary, extra);
}

std::string Installation::getRuntimeFolder() const {
  SmallString<128> path(prefix);
  sys::path::append(path, "lib");
  return std::string(path);
}

std::string Installation::getOpDocumentation() const {
  SmallString<128> path(prefix);
  sys::path::append(path, "share", "aircc", "ops.md");
  return std::string(path);
}

std::string Installation::getRuntimeArchive() const {
  SmallString<128> path(prefix);
  sys::path::append(path, "lib", "libaircc_runtime.a");
  return std::string(path);
}

std::string Installation::getRuntimeLibrary() const {
  SmallString<128> path(prefix);
  sys::path::append(path, "lib", "libaircc_runtime.so");
  return std::string(path);
}
