//===- BuildId.cpp - Identity of this build -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/cache/BuildId.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

#include <elf.h>
#include <link.h>

using namespace aircc;
using namespace llvm;

/// Returns the build id in a segment of notes, or "" if there is none.
static StringRef findBuildId(const char *begin, size_t size) {
  for (size_t offset = 0; offset + sizeof(ElfW(Nhdr)) <= size;) {
    auto *note = reinterpret_cast<const ElfW(Nhdr) *>(begin + offset);
    size_t name = offset + sizeof(*note);
    size_t description = name + alignTo(note->n_namesz, 4);
    if (description + note->n_descsz > size)
      break;
    if (note->n_type == NT_GNU_BUILD_ID &&
        StringRef(begin + name, note->n_namesz) == StringRef("GNU\0", 4))
      return StringRef(begin + description, note->n_descsz);
    offset = description + alignTo(note->n_descsz, 4);
  }
  return "";
}

static int appendFile(dl_phdr_info *info, size_t, void *data) {
  auto &ids = *static_cast<std::string *>(data);
  StringRef name = info->dlpi_name;
  // The vDSO is not a file but a part of the kernel.
  if (name.contains("linux-vdso") || name.contains("linux-gate"))
    return 0;
  for (const ElfW(Phdr) &segment :
       ArrayRef(info->dlpi_phdr, info->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE)
      continue;
    StringRef id = findBuildId(
        reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr),
        segment.p_memsz);
    if (id.empty())
      continue;
    ids += toHex(id, /*LowerCase=*/true) + "\n";
    return 0;
  }
  // The entry of the main program has no name.
  std::string path = name.empty() ? "/proc/self/exe" : name.str();
  sys::fs::file_status status;
  if (!sys::fs::status(path, status))
    ids += name.str() + " " + std::to_string(status.getSize()) + " " +
           std::to_string(
               status.getLastModificationTime().time_since_epoch().count()) +
           "\n";
  return 0;
}

std::string aircc::getBuildId() {
  std::string ids;
  ::dl_iterate_phdr(appendFile, &ids);
  return ids;
}
