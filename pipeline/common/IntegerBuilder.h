//===- IntegerBuilder.h - Integer arithmetic, scalar or vector --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_INTEGERBUILDER_H
#define AIRCC_PIPELINE_COMMON_INTEGERBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace aircc {

/// Returns `element`, or a vector of it with the shape of `like`.
inline mlir::Type getLike(mlir::Type like, mlir::Type element) {
  if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(like))
    return shaped.clone(element);
  return element;
}

/// Builds arithmetic on integers of one type, a scalar or a vector.
class IntegerBuilder {
public:
  IntegerBuilder(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type)
      : b(b), loc(loc), type(type) {}

  mlir::Value constant(uint64_t value) {
    auto element =
        mlir::cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
    mlir::TypedAttr attr = mlir::IntegerAttr::get(
        element, llvm::APInt(element.getWidth(), value, /*isSigned=*/false,
                             /*implicitTrunc=*/true));
    if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type))
      attr = mlir::DenseElementsAttr::get(shaped, mlir::Attribute(attr));
    return mlir::arith::ConstantOp::create(b, loc, attr);
  }
  mlir::Value bitAnd(mlir::Value x, uint64_t y) {
    return mlir::arith::AndIOp::create(b, loc, x, constant(y));
  }
  mlir::Value bitOr(mlir::Value x, mlir::Value y) {
    return mlir::arith::OrIOp::create(b, loc, x, y);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddIOp::create(b, loc, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubIOp::create(b, loc, x, y);
  }
  mlir::Value sub(mlir::Value x, uint64_t y) { return sub(x, constant(y)); }
  mlir::Value shl(mlir::Value x, mlir::Value y) {
    return mlir::arith::ShLIOp::create(b, loc, x, y);
  }
  mlir::Value shl(mlir::Value x, unsigned y) { return shl(x, constant(y)); }
  mlir::Value shr(mlir::Value x, mlir::Value y) {
    return mlir::arith::ShRUIOp::create(b, loc, x, y);
  }
  mlir::Value shr(mlir::Value x, unsigned y) { return shr(x, constant(y)); }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value x,
                      mlir::Value y) {
    return mlir::arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value x,
                      uint64_t y) {
    return compare(predicate, x, constant(y));
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(b, loc, condition, x, y);
  }

private:
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_INTEGERBUILDER_H
