//===- Builtins.cpp - Imported functions of kernels -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace aircc::sim::spirv;
using llvm::StringRef;

namespace {

//===----------------------------------------------------------------------===//
// Mangling
//===----------------------------------------------------------------------===//

/// Returns the mangled name of a function with these parameter types: codes of
/// builtin types ("i"), vectors of them ("Dv8_s"), and pointers. A repeated
/// type other than a builtin one is written S_, S0_, S1_ and so on.
std::string mangle(StringRef name, llvm::ArrayRef<std::string> parameters) {
  std::string text = "_Z" + std::to_string(name.size()) + name.str();
  llvm::SmallVector<std::string> seen;
  for (const std::string &type : parameters) {
    if (type.size() == 1) {
      text += type;
      continue;
    }
    const std::string *before = llvm::find(seen, type);
    if (before != seen.end()) {
      const size_t n = before - seen.begin();
      text += n ? "S" + std::to_string(n - 1) + "_" : "S_";
      continue;
    }
    text += type;
    // The pointee of a qualified pointer is a separate substitution.
    if (StringRef(type).starts_with("PU"))
      seen.push_back(type.substr(1));
    seen.push_back(type);
  }
  return text;
}

std::string vectorCode(unsigned elements, char element) {
  return elements == 1 ? std::string(1, element)
                       : "Dv" + std::to_string(elements) + "_" + element;
}

//===----------------------------------------------------------------------===//
// 2-D blocks
//===----------------------------------------------------------------------===//

/// The shapes that exist are all combinations of a row's values.
struct BlockRow {
  BlockShape::Kind kind;
  unsigned bits;
  llvm::SmallVector<unsigned> rows;
  unsigned columns;
  llvm::SmallVector<unsigned> blocks;
  char element; ///< The type code of the private array's elements, and their
                ///< size.
  unsigned registerBytes;
};

llvm::ArrayRef<BlockRow> blockRows() {
  using S = BlockShape;
  static const BlockRow rows[] = {
      {S::Read, 8, {1, 2, 4, 8, 16, 32}, 32, {1, 2}, 't', 2},
      {S::Read, 16, {1, 2, 4, 8, 16, 32}, 16, {1, 2}, 't', 2},
      {S::Read, 32, {1, 2, 4, 8, 16, 32}, 8, {1, 2}, 'j', 4},
      {S::Read, 32, {1, 2, 4, 8, 16, 32}, 16, {1}, 'j', 4},
      {S::Transform, 8, {32}, 16, {1, 2, 4}, 'j', 4},
      {S::Transform, 16, {16, 32}, 16, {1, 2}, 'j', 4},
      {S::Transpose, 32, {16, 32}, 8, {1}, 'j', 4},
      {S::Write, 8, {1, 2, 4, 8}, 16, {1}, 'h', 1},
      {S::Write, 8, {1, 2, 4, 8}, 32, {1}, 't', 2},
      {S::Write, 16, {1, 2, 4, 8}, 16, {1}, 't', 2},
      {S::Write, 32, {1, 2, 4, 8}, 16, {1}, 'j', 4},
      {S::Prefetch, 8, {1, 2, 4, 8, 16, 32}, 32, {1, 2}, 0, 0},
      {S::Prefetch, 8, {32}, 16, {1, 2, 4}, 0, 0},
      {S::Prefetch, 8, {8, 16}, 16, {4}, 0, 0},
      {S::Prefetch, 16, {1, 2, 4, 8, 16, 32}, 16, {1, 2}, 0, 0},
      {S::Prefetch, 32, {1, 2, 4, 8, 16, 32}, 8, {1, 2}, 0, 0},
      {S::Prefetch, 32, {1, 2, 4, 8, 16, 32}, 16, {1}, 0, 0},
  };
  return rows;
}

struct KindName {
  BlockShape::Kind kind;
  StringRef name;
};
constexpr KindName kKindNames[] = {
    {BlockShape::Read, "read_"},
    {BlockShape::Transform, "read_transform_"},
    {BlockShape::Transpose, "read_transpose_"},
    {BlockShape::Write, "write_"},
    {BlockShape::Prefetch, "prefetch_"},
};
constexpr StringRef kBlockPrefix = "intel_sub_group_2d_block_";

/// Consumes a number and the text after it.
bool consume(StringRef &text, unsigned &number, StringRef unit) {
  return !text.consumeInteger(10, number) && text.consume_front(unit);
}

/// Parses the block in a name, which may not exist. Returns the row that
/// contains it, or null.
const BlockRow *findBlockRow(StringRef name, BlockShape &shape) {
  if (!name.consume_front(kBlockPrefix))
    return nullptr;
  unsigned bits = 0;
  const KindName *kind = nullptr;
  for (const KindName &candidate : kKindNames)
    if (name.starts_with(candidate.name))
      kind = &candidate; // The longest match is last.
  if (!kind || !name.consume_front(kind->name))
    return nullptr;
  shape.kind = kind->kind;
  if (!consume(name, bits, "b_") || !consume(name, shape.rows, "r") ||
      !consume(name, shape.columns, "x") || !consume(name, shape.blocks, "c") ||
      !name.empty())
    return nullptr;
  shape.elementBytes = bits / 8;
  for (const BlockRow &row : blockRows())
    if (row.kind == shape.kind && row.bits == bits &&
        row.columns == shape.columns &&
        llvm::is_contained(row.rows, shape.rows) &&
        llvm::is_contained(row.blocks, shape.blocks)) {
      shape.registerBytes = row.registerBytes;
      return &row;
    }
  return nullptr;
}

std::string mangledBlock(StringRef name, const BlockRow &row) {
  llvm::SmallVector<std::string> parameters = {"PU3AS1v", "i", "i", "i",
                                               "Dv2_i"};
  if (row.element)
    parameters.push_back(std::string("P") + row.element);
  return mangle(name, parameters);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// The types of the operands in the matrix, and those of a lane's elements.
struct DpasRow {
  StringRef types; ///< The part of the name.
  DpasShape::Type a, b;
  unsigned depth;
  char aElement, bElement;
  /// The type codes of the accumulators with their types.
  llvm::SmallVector<std::pair<char, DpasShape::Accumulator>> accumulators;
};

llvm::ArrayRef<DpasRow> dpasRows() {
  using D = DpasShape;
  static const DpasRow rows[] = {
      {"i8_i8", D::S8, D::S8, 32, 's', 'i', {{'i', D::I32}}},
      {"i8_u8", D::S8, D::U8, 32, 's', 'j', {{'i', D::I32}}},
      {"u8_i8", D::U8, D::S8, 32, 't', 'i', {{'i', D::I32}}},
      {"u8_u8", D::U8, D::U8, 32, 't', 'j', {{'i', D::I32}}},
      {"f16_f16",
       D::F16,
       D::F16,
       16,
       's',
       'i',
       {{'f', D::F32}, {'D', D::Half}}},
      {"bf16_bf16",
       D::BF16,
       D::BF16,
       16,
       's',
       'i',
       {{'f', D::F32}, {'s', D::BFloat}}},
      {"tf32_tf32", D::TF32, D::TF32, 8, 'f', 'f', {{'f', D::F32}}},
  };
  return rows;
}

std::string mangledDpas(StringRef name, const DpasRow &row, unsigned rows,
                        char accumulator) {
  // A lane has 16 bits of each row of A. Rows of tf32 have 8 elements for 16
  // lanes, so a lane has one element of every second row.
  const unsigned ofA = row.a == DpasShape::TF32 ? std::max(1u, rows / 2) : rows;
  auto code = [&](unsigned n, char c) {
    if (c != 'D')
      return vectorCode(n, c);
    return n == 1 ? std::string("Dh") : "Dv" + std::to_string(n) + "_Dh";
  };
  return mangle(name, {vectorCode(ofA, row.aElement),
                       vectorCode(8, row.bElement), code(rows, accumulator)});
}

/// Calls `found` for each product that exists.
template <typename F> void forEachDpas(F found) {
  for (const DpasRow &row : dpasRows())
    for (unsigned rows : {1u, 2u, 4u, 8u})
      for (auto [code, accumulator] : row.accumulators) {
        std::string name = "intel_sub_group_" + row.types.str() +
                           "_matrix_mad_k" + std::to_string(row.depth);
        DpasShape shape{row.a, row.b, accumulator, rows, row.depth};
        found(name, mangledDpas(name, row, rows, code), shape);
      }
}

} // namespace

unsigned BlockShape::registers() const {
  if (!registerBytes)
    return 0;
  // Each block begins with a new element of the lanes' arrays.
  const unsigned ofBlock = rows * columns * elementBytes;
  const unsigned line = 16 * registerBytes;
  return blocks * ((ofBlock + line - 1) / line);
}

StringRef aircc::sim::spirv::unmangledName(StringRef name) {
  StringRef rest = name;
  size_t length = 0;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length) ||
      length > rest.size())
    return name;
  return rest.take_front(length);
}

std::optional<BlockShape> aircc::sim::spirv::parseBlockBuiltin(StringRef name) {
  StringRef plain = unmangledName(name);
  BlockShape shape;
  const BlockRow *row = findBlockRow(plain, shape);
  if (!row || name != mangledBlock(plain, *row))
    return std::nullopt;
  return shape;
}

std::optional<DpasShape> aircc::sim::spirv::parseDpasBuiltin(StringRef name) {
  std::optional<DpasShape> result;
  if (!name.contains("_matrix_mad_k"))
    return result;
  forEachDpas([&](const std::string &, const std::string &mangled,
                  const DpasShape &shape) {
    if (mangled == name)
      result = shape;
  });
  return result;
}

std::optional<LinearBlock>
aircc::sim::spirv::parseLinearBlockBuiltin(StringRef name) {
  StringRef plain = unmangledName(name);
  LinearBlock block;
  if (!plain.consume_front("intel_sub_group_block_"))
    return std::nullopt;
  block.isWrite = plain.consume_front("write");
  if (!block.isWrite && !plain.consume_front("read"))
    return std::nullopt;
  block.elementBytes = 4; // The default without a suffix.
  if (plain.consume_front("_uc"))
    block.elementBytes = 1;
  else if (plain.consume_front("_us"))
    block.elementBytes = 2;
  else if (plain.consume_front("_ul"))
    block.elementBytes = 8;
  else
    plain.consume_front("_ui");
  if (plain.empty())
    return block;
  if (plain.consumeInteger(10, block.elements) || !plain.empty())
    return std::nullopt;
  const unsigned n = block.elements;
  if (n != 2 && n != 4 && n != 8 && !(n == 16 && block.elementBytes <= 2))
    return std::nullopt;
  return block;
}

std::string aircc::sim::spirv::similarBuiltin(StringRef name) {
  StringRef plain = unmangledName(name);
  BlockShape shape;
  if (const BlockRow *row = findBlockRow(plain, shape))
    return mangledBlock(plain, *row);
  std::string best;
  unsigned nearest = plain.size() / 4 + 1;
  auto consider = [&](StringRef candidate, const std::string &mangled) {
    // The types of the parameters also count.
    unsigned distance = plain.edit_distance(candidate, true, nearest) +
                        name.edit_distance(mangled) / 2;
    if (distance < nearest) {
      nearest = distance;
      best = mangled;
    }
  };
  forEachDpas([&](const std::string &candidate, const std::string &mangled,
                  const DpasShape &) { consider(candidate, mangled); });
  for (const BlockRow &row : blockRows())
    for (const KindName &kind : kKindNames)
      if (kind.kind == row.kind && plain.starts_with(kBlockPrefix))
        for (unsigned rows : row.rows)
          for (unsigned blocks : row.blocks) {
            std::string candidate =
                (kBlockPrefix + kind.name + llvm::Twine(row.bits) + "b_" +
                 llvm::Twine(rows) + "r" + llvm::Twine(row.columns) + "x" +
                 llvm::Twine(blocks) + "c")
                    .str();
            consider(candidate, mangledBlock(candidate, row));
          }
  return best;
}
