//===- ElementType.h - Types of elements on the command line ----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Named as in MLIR (i8, f16, bf16, f8E4M3FN, …), with u8 to u64 beside i8 to
// i64 for how values are read and printed.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_SIM_ELEMENTTYPE_H
#define AIRCC_DRIVER_SIM_ELEMENTTYPE_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace aircc {

struct ElementType {
  enum Kind { Signed, Unsigned, Float };
  const char *name;
  Kind kind;
  unsigned bytes;
  /// The dtype in .npy files, without byte order. Formats that numpy does not
  /// have are written as unsigned integers of their size.
  const char *dtype;
  const llvm::fltSemantics *(*semantics)(); ///< Null for integers.

  bool isFloat() const { return kind == Float; }
};

/// Null when there is no such type.
const ElementType *findElementType(llvm::StringRef name);
/// The type that a .npy file's dtype without byte order ("f4") means, or null.
const ElementType *findElementTypeOfDtype(llvm::StringRef dtype);
/// All names, for messages.
std::string listElementTypes();

/// Reads one value as a number of the type: decimal or 0x… for integers, also
/// inf, nan and hexadecimal floats for floating point. False when `text` is no
/// such number or an integer does not fit.
bool parseElement(const ElementType &type, llvm::StringRef text, void *to);

/// Writes a number into an element: integers wrap around, floating-point
/// formats round to nearest even.
void storeElement(const ElementType &type, double value, void *to);
void storeInteger(const ElementType &type, int64_t value, void *to);

/// The shortest text that reads back as the same value.
std::string printElement(const ElementType &type, const void *from);

} // namespace aircc

#endif // AIRCC_DRIVER_SIM_ELEMENTTYPE_H
