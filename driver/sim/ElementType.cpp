//===- ElementType.cpp - Element types on the command line ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sim/ElementType.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

#include <charconv>
#include <cstring>

using namespace aircc;
using llvm::APFloat;
using llvm::StringRef;

template <const llvm::fltSemantics &(*Get)()>
static const llvm::fltSemantics *semanticsOf() {
  return &Get();
}

// clang-format off
static constexpr ElementType kTypes[] = {
    {"i8", ElementType::Signed, 1, "i1", nullptr},
    {"i16", ElementType::Signed, 2, "i2", nullptr},
    {"i32", ElementType::Signed, 4, "i4", nullptr},
    {"i64", ElementType::Signed, 8, "i8", nullptr},
    {"u8", ElementType::Unsigned, 1, "u1", nullptr},
    {"u16", ElementType::Unsigned, 2, "u2", nullptr},
    {"u32", ElementType::Unsigned, 4, "u4", nullptr},
    {"u64", ElementType::Unsigned, 8, "u8", nullptr},
    {"f16", ElementType::Float, 2, "f2", semanticsOf<APFloat::IEEEhalf>},
    {"f32", ElementType::Float, 4, "f4", semanticsOf<APFloat::IEEEsingle>},
    {"f64", ElementType::Float, 8, "f8", semanticsOf<APFloat::IEEEdouble>},
    {"bf16", ElementType::Float, 2, "u2", semanticsOf<APFloat::BFloat>},
    {"f8E4M3FN", ElementType::Float, 1, "u1", semanticsOf<APFloat::Float8E4M3FN>},
    {"f8E5M2", ElementType::Float, 1, "u1", semanticsOf<APFloat::Float8E5M2>},
    {"f8E4M3FNUZ", ElementType::Float, 1, "u1", semanticsOf<APFloat::Float8E4M3FNUZ>},
    {"f8E5M2FNUZ", ElementType::Float, 1, "u1", semanticsOf<APFloat::Float8E5M2FNUZ>},
};
// clang-format on

const ElementType *aircc::findElementType(StringRef name) {
  for (const ElementType &type : kTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

const ElementType *aircc::findElementTypeOfDtype(StringRef dtype) {
  // A bool is a byte.
  if (dtype == "b1")
    dtype = "u1";
  for (const ElementType &type : kTypes)
    if (dtype == type.dtype)
      return &type;
  return nullptr;
}

std::string aircc::listElementTypes() {
  std::string all;
  for (const ElementType &type : kTypes)
    all += (all.empty() ? "" : ", ") + std::string(type.name);
  return all;
}

/// Stores the low bytes of `bits`; host and device use the same byte order.
static void storeBits(const ElementType &type, uint64_t bits, void *to) {
  std::memcpy(to, &bits, type.bytes);
}

static void storeFloat(const ElementType &type, APFloat value, void *to) {
  bool losesInfo;
  value.convert(*type.semantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  storeBits(type, value.bitcastToAPInt().getZExtValue(), to);
}

bool aircc::parseElement(const ElementType &type, StringRef text, void *to) {
  if (type.isFloat()) {
    // Parse the value in its own format to avoid double rounding.
    APFloat value(*type.semantics());
    auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return false;
    }
    storeBits(type, value.bitcastToAPInt().getZExtValue(), to);
    return true;
  }
  unsigned bits = type.bytes * 8;
  if (type.kind == ElementType::Signed) {
    int64_t value;
    if (!text.getAsInteger(0, value) && llvm::isIntN(bits, value)) {
      storeBits(type, static_cast<uint64_t>(value), to);
      return true;
    }
  }
  // i32=0xffffffff has the same bits as i32=-1.
  uint64_t value;
  bool unsignedText =
      type.kind == ElementType::Unsigned || text.starts_with_insensitive("0x");
  if (!unsignedText || text.getAsInteger(0, value) ||
      !llvm::isUIntN(bits, value))
    return false;
  storeBits(type, value, to);
  return true;
}

void aircc::storeElement(const ElementType &type, double value, void *to) {
  storeFloat(type, APFloat(value), to);
}

void aircc::storeInteger(const ElementType &type, int64_t value, void *to) {
  if (!type.isFloat())
    return storeBits(type, static_cast<uint64_t>(value), to);
  APFloat exact(*type.semantics());
  exact.convertFromAPInt(llvm::APInt(64, value, /*isSigned=*/true),
                         /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  storeBits(type, exact.bitcastToAPInt().getZExtValue(), to);
}

std::string aircc::printElement(const ElementType &type, const void *from) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, type.bytes);
  if (type.kind == ElementType::Unsigned)
    return llvm::utostr(bits);
  if (type.kind == ElementType::Signed)
    return llvm::itostr(llvm::SignExtend64(bits, type.bytes * 8));
  char text[64];
  if (APFloat(*type.semantics(), llvm::APInt(type.bytes * 8, bits)).isNaN())
    return "nan";
  if (type.bytes == 8) {
    double value;
    std::memcpy(&value, &bits, 8);
    return std::string(text,
                       std::to_chars(text, text + sizeof(text), value).ptr);
  }
  // Every narrower format is a subset of f32.
  APFloat value(*type.semantics(), llvm::APInt(type.bytes * 8, bits));
  bool losesInfo;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return std::string(
      text,
      std::to_chars(text, text + sizeof(text), value.convertToFloat()).ptr);
}
