//===- IntelFunctions.cpp - Built-in functions of Intel's compiler --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/xevm/IntelFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

#include <cstdint>

using namespace llvm;

namespace aircc {

//===----------------------------------------------------------------------===//
// 2-D blocks
//===----------------------------------------------------------------------===//

namespace {

/// A family of functions named
/// `intel_sub_group_2d_block_OP_BITSb_ROWSrCOLUMNSxCOUNTc`.
struct BlockFunctions {
  StringLiteral op;
  unsigned bits;
  uint32_t rows; ///< The sum of the supported numbers, which are powers of two.
  unsigned columns;
  uint32_t counts;       ///< The sum of the supported numbers.
  StringLiteral element; ///< Its mangled type, or "" without a pointer operand.
};

} // namespace

static constexpr BlockFunctions kBlockFunctions[] = {
    {"read", 8, 8 + 16 + 32, 16, 4, "h"},
    {"read", 8, 63, 32, 1 + 2, "t"},
    {"read", 16, 63, 16, 1 + 2, "t"},
    {"read", 32, 63, 8, 1 + 2, "j"},
    {"read", 32, 63, 16, 1, "j"},
    {"read_transform", 8, 32, 16, 1 + 2 + 4, "j"},
    {"read_transform", 16, 16 + 32, 16, 1 + 2, "j"},
    {"read_transpose", 32, 16 + 32, 8, 1, "j"},
    {"read_transpose", 32, 16, 16, 1, "j"},
    {"read_transpose", 64, 8, 4, 1, "m"},
    {"read_transpose", 64, 8 + 16, 8, 1, "m"},
    {"write", 8, 15, 16, 1, "h"},
    {"write", 8, 15, 32, 1, "t"},
    {"write", 16, 15, 16, 1, "t"},
    {"write", 32, 15, 16, 1, "j"},
    {"prefetch", 8, 63, 32, 1 + 2, ""},
    {"prefetch", 8, 8 + 16, 16, 4, ""},
    {"prefetch", 8, 32, 16, 1 + 2 + 4, ""},
    {"prefetch", 16, 63, 16, 1 + 2, ""},
    {"prefetch", 32, 63, 8, 1 + 2, ""},
    {"prefetch", 32, 63, 16, 1, ""},
    {"prefetch", 64, 8 + 16 + 32, 8, 1, ""},
};

static constexpr StringLiteral kBlockPrefix = "intel_sub_group_2d_block_";

/// Finds the family of a function by its name without the mangled types.
static const BlockFunctions *findBlockFunctions(StringRef name) {
  if (!name.consume_front(kBlockPrefix))
    return nullptr;
  auto [shapeless, shape] = name.rsplit('_');
  auto [op, bitsText] = shapeless.rsplit('_');
  unsigned bits, rows, columns, count;
  if (!bitsText.consume_back("b") || bitsText.getAsInteger(10, bits) ||
      shape.consumeInteger(10, rows) || !shape.consume_front("r") ||
      shape.consumeInteger(10, columns) || !shape.consume_front("x") ||
      shape.consumeInteger(10, count) || shape != "c")
    return nullptr;
  auto family = find_if(kBlockFunctions, [&](const BlockFunctions &known) {
    return known.op == op && known.bits == bits && known.columns == columns &&
           isPowerOf2_32(rows) && (known.rows & rows) && isPowerOf2_32(count) &&
           (known.counts & count);
  });
  return family == std::end(kBlockFunctions) ? nullptr : family;
}

/// Mangles the types of the address, width, height, pitch, coordinates and
/// data.
static std::string mangleBlockTypes(const BlockFunctions &family) {
  std::string types = "PU3AS1viiiDv2_i";
  if (!family.element.empty())
    types += "P" + family.element.str();
  return types;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// How the operands of a product with one row are passed.
enum class OneRow {
  Scalars, ///< As Intel's compiler expects.
  Vectors, ///< As vectors of one element, like upstream's XeVM lowering.
};

/// Mangles a vector type given its element's letter, or returns the letter of a
/// scalar.
static std::string mangleVector(unsigned elements, StringRef letter,
                                OneRow oneRow) {
  if (elements == 1 && oneRow == OneRow::Scalars)
    return letter.str();
  return ("Dv" + Twine(elements) + "_" + letter).str();
}

/// Mangles the types of operands; repeated vector types become substitutions.
static std::string mangleOperands(ArrayRef<std::string> types) {
  std::string text;
  SmallVector<std::string> known;
  for (const std::string &type : types) {
    if (!StringRef(type).starts_with("Dv")) {
      text += type;
      continue;
    }
    auto it = find(known, type);
    if (it == known.end()) {
      known.push_back(type);
      text += type;
      continue;
    }
    // Repeated types become S_, S0_, S1_ and so on.
    size_t place = it - known.begin();
    text += place == 0 ? "S_" : "S" + std::to_string(place - 1) + "_";
  }
  return text;
}

static constexpr StringLiteral kProductPrefix = "intel_sub_group_";

/// Splits `intel_sub_group_A_B_matrix_mad_kK`.
static bool parseProduct(StringRef name, StringRef &a, StringRef &b,
                         unsigned &k) {
  if (!name.consume_front(kProductPrefix))
    return false;
  auto [operands, depth] = name.split("_matrix_mad_k");
  std::tie(a, b) = operands.split('_');
  return !b.empty() && !b.contains('_') && !depth.getAsInteger(10, k);
}

/// Returns the letter of the element type of A's registers (8-bit integers and
/// 16-bit floats).
static StringRef getALetter(StringRef a) {
  return StringSwitch<StringRef>(a)
      .Cases({"i8", "f16", "bf16"}, "s")
      .Case("u8", "t")
      .Case("i4", "s")
      .Case("u4", "t")
      .Case("tf32", "f")
      .Default("");
}

static StringRef getBLetter(StringRef b) {
  return StringSwitch<StringRef>(b)
      .Cases({"i8", "i4", "f16", "bf16"}, "i")
      .Cases({"u8", "u4"}, "j")
      .Case("tf32", "f")
      .Default("");
}

/// Mangles the operand types of a product of `rows` rows whose accumulators
/// have the letter `acc`. Returns "" if there is no such product.
static std::string mangleProduct(StringRef a, StringRef b, unsigned k,
                                 unsigned rows, StringRef acc,
                                 OneRow oneRow = OneRow::Scalars) {
  bool isInteger = (a == "i8" || a == "u8") && (b == "i8" || b == "u8");
  bool isHalf = a == b && (a == "f16" || a == "bf16");
  bool isTF32 = a == b && a == "tf32";
  // bf16 accumulators are 16-bit integers.
  bool fits =
      (isInteger && k == 32 && acc == "i") ||
      (isHalf && k == 16 && (acc == "f" || acc == (a == "f16" ? "Dh" : "s"))) ||
      (isTF32 && k == 8 && acc == "f");
  if (!fits || !is_contained({1u, 2u, 4u, 8u}, rows))
    return "";
  // A register holds two rows of tf32.
  unsigned aElements = isTF32 ? std::max(rows / 2, 1u) : rows;
  return mangleOperands({mangleVector(aElements, getALetter(a), oneRow),
                         mangleVector(8, getBLetter(b), oneRow),
                         mangleVector(rows, acc, oneRow)});
}

/// Returns whether `types` are the types of a product of these operands.
static bool isProduct(StringRef a, StringRef b, unsigned k, StringRef types) {
  for (unsigned rows : {1, 2, 4, 8})
    for (StringRef acc : {"i", "f", "Dh", "s"})
      if (types == mangleProduct(a, b, k, rows, acc))
        return !types.empty();
  return false;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Splits `_Z<length><name><types>`.
static bool splitMangled(StringRef mangled, StringRef &name, StringRef &types) {
  unsigned length;
  if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length) ||
      length > mangled.size())
    return false;
  name = mangled.take_front(length);
  types = mangled.drop_front(length);
  return true;
}

static std::string mangle(StringRef name, StringRef types) {
  return ("_Z" + Twine(name.size()) + name + types).str();
}

bool isIntelFunction(StringRef mangledName) {
  StringRef name, types, a, b;
  unsigned k;
  if (mangledName == kConvertToBF16)
    return true;
  if (!splitMangled(mangledName, name, types))
    return false;
  if (const BlockFunctions *family = findBlockFunctions(name))
    return types == mangleBlockTypes(*family);
  if (parseProduct(name, a, b, k))
    return isProduct(a, b, k, types);
  return false;
}

/// Returns the name that upstream uses for an operand type, which ignores the
/// sign.
static StringRef renameOperand(StringRef type) {
  return StringSwitch<StringRef>(type)
      .Case("s8", "i8")
      .Case("s4", "i4")
      .Default(type);
}

std::string getIntelName(StringRef mangledName) {
  StringRef name, types, a, b;
  unsigned k;
  if (!splitMangled(mangledName, name, types))
    return mangledName.str();
  if (const BlockFunctions *family = findBlockFunctions(name))
    return mangle(name, mangleBlockTypes(*family));
  if (!parseProduct(name, a, b, k))
    return mangledName.str();
  a = renameOperand(a);
  b = renameOperand(b);
  std::string renamed =
      (kProductPrefix + a + "_" + b + "_matrix_mad_k" + Twine(k)).str();
  // Upstream ignores signedness and mangles one-element vectors as vectors.
  // Find the corresponding function of Intel's compiler.
  StringRef signedA = a == "u8" ? "i8" : a, signedB = b == "u8" ? "i8" : b;
  for (unsigned rows : {1, 2, 4, 8})
    for (StringRef acc : {"i", "f", "Dh", "s"})
      if (types ==
          mangleProduct(signedA, signedB, k, rows, acc, OneRow::Vectors))
        return mangle(renamed, mangleProduct(a, b, k, rows, acc));
  return mangle(renamed, types);
}

} // namespace aircc
