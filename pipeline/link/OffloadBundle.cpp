//===- OffloadBundle.cpp - Code objects of several targets in one ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/OffloadBundle.h"

#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace aircc {

static constexpr llvm::StringLiteral kMagic = "__CLANG_OFFLOAD_BUNDLE__";
static constexpr uint64_t kAlignment = 4096;

bool isOffloadBundle(llvm::StringRef bytes) {
  return bytes.starts_with(kMagic);
}

std::string makeOffloadBundle(llvm::StringRef hostTriple,
                              llvm::ArrayRef<BundleEntry> entries) {
  struct Row {
    std::string id;
    llvm::StringRef code;
    uint64_t offset;
  };
  std::vector<Row> rows = {{"host-" + hostTriple.str() + "-", "", 0}};
  // An identifier has a triple with four components; the last one of amdhsa is
  // empty.
  for (const BundleEntry &entry : entries) {
    bool isHip = llvm::StringRef(entry.triple).starts_with("amdgcn");
    rows.push_back(
        {(isHip ? "hipv4-" : "openmp-") + entry.triple + "--" + entry.target,
         entry.code, 0});
  }

  uint64_t offset = kMagic.size() + sizeof(uint64_t);
  for (const Row &row : rows)
    offset += 3 * sizeof(uint64_t) + row.id.size();
  for (Row &row : rows) {
    offset = llvm::alignTo(offset, kAlignment);
    row.offset = offset;
    offset += row.code.size();
  }

  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::support::endian::Writer writer(os, llvm::endianness::little);
  os << kMagic;
  writer.write<uint64_t>(rows.size());
  for (const Row &row : rows) {
    writer.write<uint64_t>(row.offset);
    writer.write<uint64_t>(row.code.size());
    writer.write<uint64_t>(row.id.size());
    os << row.id;
  }
  for (const Row &row : rows) {
    os.write_zeros(row.offset - os.tell());
    os << row.code;
  }
  return bytes;
}

} // namespace aircc
