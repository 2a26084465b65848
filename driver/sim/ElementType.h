//===- ElementType.h - Element types on the command line --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The names are those of MLIR (i8, f16, bf16, f8E4M3FN, …). In addition, u8 to
// u64 stand for unsigned integers, because the type determines how values are
// read and printed.
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
  /// The dtype in .npy files, without the byte order. Formats that numpy lacks
  /// are written as unsigned integers of the same size.
  const char *dtype;
  const llvm::fltSemantics *(*semantics)(); ///< Null for integers.

  bool isFloat() const { return kind == Float; }
};

/// Returns the type called `name`, or null if there is none.
const ElementType *findElementType(llvm::StringRef name);
/// Returns the type for a dtype of a .npy file without the byte order ("f4"),
/// or null if there is none.
const ElementType *findElementTypeOfDtype(llvm::StringRef dtype);
/// Returns all names, for messages.
std::string listElementTypes();

/// Parses one value of the given type: decimal or 0x… for integers; floating
/// point also accepts inf, nan and hexadecimal floats. Returns false if `text`
/// is malformed or an integer is out of range.
bool parseElement(const ElementType &type, llvm::StringRef text, void *to);

/// Writes a number into an element: integers wrap around, floating-point
/// formats round to nearest even.
void storeElement(const ElementType &type, double value, void *to);
void storeInteger(const ElementType &type, int64_t value, void *to);

/// Returns the shortest text that parses back to the same value.
std::string printElement(const ElementType &type, const void *from);

} // namespace aircc

#endif // AIRCC_DRIVER_SIM_ELEMENTTYPE_H
