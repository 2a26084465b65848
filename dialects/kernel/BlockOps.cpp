//===- BlockOps.cpp - Block and matrix ops of Xe subgroups ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/BlockOps.h"

using namespace mlir;
using namespace aircc::kernel;

/// The subgroup size that these instructions require.
static constexpr int64_t kLanes = 16;
/// The size in bits of a row of the left factor and of a column of the right
/// factor.
static constexpr int64_t kFactorBits = 256;

static LogicalResult verifyElementBits(Operation *op, int64_t bits) {
  if (bits == 8 || bits == 16 || bits == 32)
    return success();
  return op->emitOpError("has elements of ")
         << bits << " bits, but block elements must have 8, 16 or 32 bits";
}

/// Verifies that `type` can hold the per-lane part of `count` elements of
/// `bits` bits, in words of `wordBits` bits.
static LogicalResult verifyShare(Operation *op, VectorType type, int64_t count,
                                 int64_t bits, int64_t wordBits) {
  int64_t words = count * bits / (kLanes * wordBits);
  bool isWhole = count * bits % (kLanes * wordBits) == 0;
  if (isWhole && type.getNumElements() == words &&
      type.getElementType().isInteger(wordBits))
    return success();
  InFlightDiagnostic diag = op->emitOpError("has a value of type ");
  diag << type << ", but ";
  if (!isWhole)
    return diag << count << " elements of " << bits
                << " bits cannot be divided into words of " << wordBits
                << " bits for " << kLanes << " lanes";
  return diag << "the per-lane part of " << count << " elements of " << bits
              << " bits is " << words << " words of " << wordBits << " bits";
}

LogicalResult BlockLoadOp::verify() {
  int64_t bits = getElementBits();
  if (failed(verifyElementBits(*this, bits)))
    return failure();
  if (getTransposed() && getPacked())
    return emitOpError("cannot be both transposed and packed");
  int64_t wordBits =
      getTransposed() || getPacked() ? 32 : std::max<int64_t>(bits, 16);
  return verifyShare(*this, getResult().getType(),
                     int64_t(getRows()) * getColumns() * getBlocks(), bits,
                     wordBits);
}

LogicalResult BlockStoreOp::verify() {
  int64_t bits = getElementBits();
  if (failed(verifyElementBits(*this, bits)))
    return failure();
  return verifyShare(*this, getValue().getType(),
                     int64_t(getRows()) * getColumns(), bits,
                     std::max<int64_t>(bits, 16));
}

LogicalResult BlockPrefetchOp::verify() {
  return verifyElementBits(*this, getElementBits());
}

/// Returns the size in bits of the integer that holds an element of a factor;
/// nullopt if `type` cannot be the element type of a factor.
static std::optional<int64_t> getFactorBits(Type type) {
  if (isa<FloatTF32Type>(type))
    return 32;
  if (type.isF16() || type.isBF16())
    return 16;
  if (type.isSignlessInteger(8) || type.isUnsignedInteger(8))
    return 8;
  return std::nullopt;
}

int64_t DpasOp::getK() { return kFactorBits / *getFactorBits(getLhsType()); }

/// Verifies that `type` has `bits` bits.
static LogicalResult verifyFactor(Operation *op, StringRef name,
                                  VectorType type, int64_t bits) {
  int64_t held = type.getNumElements() * type.getElementTypeBitWidth();
  if (held == bits)
    return success();
  return op->emitOpError("has a ")
         << name << " of type " << type << ", but the per-lane part has "
         << bits << " bits";
}

LogicalResult DpasOp::verify() {
  Type lhs = getLhsType(), rhs = getRhsType();
  std::optional<int64_t> bits = getFactorBits(lhs);
  if (!bits || !getFactorBits(rhs))
    return emitOpError("multiplies ") << lhs << " by " << rhs
                                      << ", but the elements of factors must "
                                         "be f16, bf16, tf32, i8 or ui8";
  bool isInteger = isa<IntegerType>(lhs);
  if (lhs != rhs && !(isInteger && isa<IntegerType>(rhs)))
    return emitOpError("multiplies ")
           << lhs << " by " << rhs
           << ", but both factors must have elements of the same kind";
  if (isInteger != isa<IntegerType>(getAcc().getType().getElementType()))
    return emitOpError("adds products of ")
           << lhs << " to " << getAcc().getType()
           << ", but integers and floats cannot be mixed";
  int64_t m = getM();
  if (m != 1 && m != 2 && m != 4 && m != 8)
    return emitOpError("has ") << m << " rows, but must have 1, 2, 4 or 8";
  // A lane has at least 16 bits of a row, or a word in the case of tf32.
  int64_t lhsBits = std::max(m * kFactorBits / kLanes, *bits);
  if (failed(verifyFactor(*this, "left factor", getLhs().getType(), lhsBits)))
    return failure();
  return verifyFactor(*this, "right factor", getRhs().getType(), kFactorBits);
}

#define GET_OP_CLASSES
#include "dialects/kernel/BlockOps.cpp.inc"
