//===- OpDocumentation.h - The documentation of ops -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_OPDOCUMENTATION_H
#define AIRCC_DRIVER_LSP_OPDOCUMENTATION_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace aircc {

/// The Markdown sections about ops that cmake/generate_op_docs.py generates
/// from the TableGen files.
class OpDocumentation {
public:
  /// Reads the file. If it does not exist, no op has documentation.
  explicit OpDocumentation(llvm::StringRef file);

  /// Returns the section of the op `name` ("air.herd"), or "".
  llvm::StringRef find(llvm::StringRef name) const {
    return sections.lookup(name);
  }
  std::vector<std::string> getNames() const;

private:
  std::unique_ptr<llvm::MemoryBuffer> text;
  llvm::StringMap<llvm::StringRef> sections;
};

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_OPDOCUMENTATION_H
