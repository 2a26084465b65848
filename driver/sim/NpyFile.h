//===- NpyFile.h - numpy's file format for single arrays --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// "numpy.lib.format" in numpy's documentation describes the format. A file
// consists of the magic string "\x93NUMPY", a version, the length of the
// header, the header (a Python dictionary with the keys descr, fortran_order
// and shape) and the elements.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_SIM_NPYFILE_H
#define AIRCC_DRIVER_SIM_NPYFILE_H

#include "driver/sim/ElementType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace aircc {

struct NpyArray {
  const ElementType *type = nullptr;
  std::vector<int64_t> shape; ///< Empty for a single element.
  llvm::StringRef data;       ///< The elements in C order, in the file buffer.
};

/// Parses a .npy file. Rejects element types that ElementType lacks, big-endian
/// data and Fortran order.
llvm::Expected<NpyArray> readNpy(llvm::StringRef bytes);

/// Returns the bytes that precede the elements in a file of this shape.
std::string npyHeader(const ElementType &type, llvm::ArrayRef<int64_t> shape);

} // namespace aircc

#endif // AIRCC_DRIVER_SIM_NPYFILE_H
