//===- MemRefPrint.cpp - Printing memrefs ---------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/MemRefText.h"

using namespace aircc::rt;

template <typename T>
static void printMemRef(const char *kind, const MemRefView<T> &memref) {
  std::string text = kind;
  appendMetaData(text, memref);
  text += " data = \n";
  if (memref.rank == 0)
    text += '[';
  appendData(text, memref, 0, memref.offset);
  if (memref.rank == 0)
    text += ']';
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

template <typename T> static void printShape(const MemRefView<T> &memref) {
  std::string text = "Unranked Memref ";
  appendMetaData(text, memref);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
}

// The function without the prefix takes the two fields of an unranked memref as
// MLIR passes it; the one with the prefix takes a pointer to it.
#define PRINT_UNRANKED(SUFFIX, TYPE)                                           \
  AIRCC_SUPPORT void printMemref##SUFFIX(int64_t rank, void *descriptor) {     \
    printMemRef("Unranked Memref ", MemRefView<TYPE>(rank, descriptor));       \
  }                                                                            \
  AIRCC_SUPPORT void _mlir_ciface_printMemref##SUFFIX(                         \
      UnrankedMemRef *memref) {                                                \
    printMemRef("Unranked Memref ", MemRefView<TYPE>(*memref));                \
  }                                                                            \
  AIRCC_SUPPORT void printMemrefShape##SUFFIX(int64_t rank,                    \
                                              void *descriptor) {              \
    printShape(MemRefView<TYPE>(rank, descriptor));                            \
  }                                                                            \
  AIRCC_SUPPORT void _mlir_ciface_printMemrefShape##SUFFIX(                    \
      UnrankedMemRef *memref) {                                                \
    printShape(MemRefView<TYPE>(*memref));                                     \
  }

PRINT_UNRANKED(I8, int8_t)
PRINT_UNRANKED(I16, int16_t)
PRINT_UNRANKED(I32, int32_t)
PRINT_UNRANKED(I64, int64_t)
PRINT_UNRANKED(Ind, uint64_t)
PRINT_UNRANKED(F16, Half)
PRINT_UNRANKED(BF16, BFloat)
PRINT_UNRANKED(F32, float)
PRINT_UNRANKED(F64, double)
PRINT_UNRANKED(C32, std::complex<float>)
PRINT_UNRANKED(C64, std::complex<double>)

#define PRINT_RANKED(RANK, SUFFIX, TYPE)                                       \
  AIRCC_SUPPORT void _mlir_ciface_printMemref##RANK##d##SUFFIX(                \
      void *descriptor) {                                                      \
    printMemRef("Memref ", MemRefView<TYPE>(RANK, descriptor));                \
  }

PRINT_RANKED(0, F32, float)
PRINT_RANKED(1, F32, float)
PRINT_RANKED(2, F32, float)
PRINT_RANKED(3, F32, float)
PRINT_RANKED(4, F32, float)
PRINT_RANKED(1, I8, int8_t)
PRINT_RANKED(1, I32, int32_t)
PRINT_RANKED(1, I64, int64_t)
PRINT_RANKED(1, F64, double)
PRINT_RANKED(1, Ind, uint64_t)
PRINT_RANKED(1, C32, std::complex<float>)
PRINT_RANKED(1, C64, std::complex<double>)
