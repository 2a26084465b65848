//===- TargetFolders.cpp - Folders of target profiles ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/TargetFolders.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

std::vector<std::string> aircc::getTargetFolders(StringRef binary,
                                                 ArrayRef<std::string> extra) {
  std::vector<std::string> folders(extra.begin(), extra.end());
  if (auto path = sys::Process::GetEnv("AIRCC_TARGETS_PATH")) {
    SmallVector<StringRef> parts;
    StringRef(*path).split(parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      folders.push_back(part.str());
  }
  SmallString<128> installed =
      sys::path::parent_path(sys::path::parent_path(binary));
  sys::path::append(installed, "share", "aircc", "targets");
  folders.push_back(std::string(installed));
  return folders;
}
