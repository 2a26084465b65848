//===- ByteColumns.cpp - Transpose blocks of bytes ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/distribution/memory/ByteColumns.h"

#include "dialects/kernel/LaneOps.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace aircc::distribution {

/// Byte i of the result is byte `bytes[i]` of `low` (0 to 3) and `high` (4 to
/// 7).
Value ByteColumns::permute(Value high, Value low, ArrayRef<int32_t> bytes) {
  return kernel::PermuteBytesOp::create(d.b, d.loc, d.b.getI32Type(), high, low,
                                        bytes);
}

ArrayRef<Value> ByteColumns::getBlock(ArrayRef<int64_t> rows) {
  SmallVector<Value> &columns = blocks[SmallVector<int64_t>(rows)];
  if (!columns.empty())
    return columns;
  auto word = VectorType::get({1}, d.b.getI32Type());
  auto bytes = VectorType::get({4}, elements.front().getType());
  SmallVector<Value> words;
  for (int64_t row : rows) {
    Value four = d.assemble(
        bytes, ValueRange(ArrayRef(elements).slice(row, bytes.getDimSize(0))));
    words.push_back(vector::ExtractOp::create(
        d.b, d.loc, vector::BitCastOp::create(d.b, d.loc, word, four),
        int64_t(0)));
  }
  // Interleave pairs of rows, then pairs of the results.
  Value low01 = permute(words[1], words[0], {0, 4, 1, 5}),
        low23 = permute(words[3], words[2], {0, 4, 1, 5}),
        high01 = permute(words[1], words[0], {2, 6, 3, 7}),
        high23 = permute(words[3], words[2], {2, 6, 3, 7});
  columns = {permute(low23, low01, {0, 1, 4, 5}),
             permute(low23, low01, {2, 3, 6, 7}),
             permute(high23, high01, {0, 1, 4, 5}),
             permute(high23, high01, {2, 3, 6, 7})};
  return columns;
}

Value ByteColumns::get(ArrayRef<int64_t> registers) {
  SmallVector<Value> own = llvm::map_to_vector(
      registers, [&](int64_t reg) { return elements[reg]; });
  auto type = VectorType::get({static_cast<int64_t>(own.size())},
                              own.front().getType());
  if (Value joined = d.joinWords(type, own))
    return joined;
  if (registers.size() < 4 || registers.size() % 4)
    return {};
  int64_t stride = registers[1] - registers[0];
  if (stride < 4 || stride % 4)
    return {};
  for (size_t i = 1; i < registers.size(); ++i)
    if (registers[i] - registers[i - 1] != stride)
      return {};
  int64_t column = registers[0] % 4;
  SmallVector<Value> words;
  for (size_t i = 0; i < registers.size(); i += 4) {
    SmallVector<int64_t> rows;
    for (int64_t reg : registers.slice(i, 4))
      rows.push_back(reg - column);
    words.push_back(getBlock(rows)[column]);
  }
  int64_t count = words.size();
  Value vector = vector::FromElementsOp::create(
      d.b, d.loc, VectorType::get({count}, d.b.getI32Type()), words);
  return vector::BitCastOp::create(d.b, d.loc, type, vector);
}

} // namespace aircc::distribution
