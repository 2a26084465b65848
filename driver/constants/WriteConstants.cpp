//===- WriteConstants.cpp - Constants of a compiled program ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/constants/ConstantsFile.h"
#include "driver/constants/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace aircc;
using namespace llvm;

/// Returns the type in the file. Elements that the format does not have, such
/// as i4, are written as unsigned integers with the same bytes.
static std::string getType(mlir::Type element, uint64_t bytes) {
  auto types = getSafetensorsTypes(element);
  return types.empty() ? "U" + std::to_string(8 * bytes) : types.front().str();
}

Error aircc::writeConstants(ArrayRef<FileConstant> constants,
                            OutputFile &output) {
  std::vector<rt::SafetensorsEntry> entries;
  for (const FileConstant &constant : constants) {
    mlir::ShapedType type = constant.type;
    uint64_t bytes = constant.bytes.size() / type.getNumElements();
    entries.push_back({constant.name.str(),
                       getType(type.getElementType(), bytes),
                       {type.getShape().begin(), type.getShape().end()},
                       std::string_view(constant.bytes)});
  }
  std::string header = rt::makeSafetensorsHeader(entries);
  std::vector<StringRef> pieces = {header};
  for (const rt::SafetensorsEntry &entry : entries)
    pieces.push_back(entry.bytes);
  return output.write(pieces);
}
