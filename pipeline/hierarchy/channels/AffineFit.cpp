//===- AffineFit.cpp - Affine functions through given points --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/channels/AffineFit.h"

#include "mlir/Analysis/Presburger/Fraction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using llvm::DynamicAPInt;
using presburger::Fraction;

namespace aircc::hierarchy {

namespace {

using Term = AffineFunction::Term;

/// A linear equation: the coefficients of the terms and of 1, and the value.
using Row = SmallVector<Fraction>;

/// A system of equations in echelon form.
class Equations {
public:
  explicit Equations(size_t numUnknowns) : pivots(numUnknowns) {}

  /// Adds an equation. Returns false if it contradicts the others.
  bool add(Row row);
  /// Returns the solution in which undetermined unknowns are 0.
  Row solve() const;

private:
  /// For each unknown, the equation whose first nonzero coefficient, normalized
  /// to 1, belongs to that unknown.
  SmallVector<std::optional<Row>> pivots;
};

bool Equations::add(Row row) {
  size_t numUnknowns = pivots.size();
  for (size_t i = 0; i < numUnknowns; ++i) {
    if (row[i] == 0)
      continue;
    Fraction factor = row[i];
    if (!pivots[i]) {
      for (Fraction &entry : row)
        entry = entry / factor;
      pivots[i] = std::move(row);
      return true;
    }
    for (auto [entry, other] : llvm::zip_equal(row, *pivots[i]))
      entry = entry - factor * other;
  }
  return row[numUnknowns] == 0;
}

Row Equations::solve() const {
  Row solution(pivots.size(), Fraction(0, 1));
  for (size_t i = pivots.size(); i-- > 0;) {
    if (!pivots[i])
      continue;
    Fraction value = pivots[i]->back();
    for (size_t j = i + 1; j < pivots.size(); ++j)
      value = value - (*pivots[i])[j] * solution[j];
    solution[i] = value;
  }
  return solution;
}

int64_t evaluateTerm(const Term &term, ArrayRef<int64_t> point) {
  int64_t value = point[term.variable];
  switch (term.kind) {
  case Term::Variable:
    return value;
  case Term::Quotient:
    return value / term.divisor;
  case Term::Remainder:
    return value % term.divisor;
  }
  llvm_unreachable("unknown kind of term");
}

std::optional<AffineFunction> fitTerms(ArrayRef<ArrayRef<int64_t>> points,
                                       ArrayRef<int64_t> values,
                                       ArrayRef<Term> terms) {
  // Make the constant the last unknown, so that it is 0 if a variable can be
  // used instead.
  Equations equations(terms.size() + 1);
  for (auto [point, value] : llvm::zip_equal(points, values)) {
    Row row;
    for (const Term &term : terms)
      row.push_back(Fraction(evaluateTerm(term, point), 1));
    row.push_back(Fraction(1, 1));
    row.push_back(Fraction(value, 1));
    if (!equations.add(std::move(row)))
      return std::nullopt;
  }
  Row solution = equations.solve();
  DynamicAPInt denominator(1);
  for (Fraction &entry : solution)
    denominator = llvm::lcm(denominator, entry.den);
  AffineFunction function;
  function.denominator = int64_t(denominator);
  for (auto [term, entry] :
       llvm::zip_equal(terms, ArrayRef(solution).drop_back())) {
    if (entry == 0)
      continue;
    function.terms.push_back(term);
    function.terms.back().factor = int64_t(entry.num * denominator / entry.den);
  }
  const Fraction &constant = solution.back();
  function.constant = int64_t(constant.num * denominator / constant.den);
  return function;
}

} // namespace

std::optional<AffineFunction> fitAffine(ArrayRef<ArrayRef<int64_t>> points,
                                        ArrayRef<int64_t> values,
                                        ArrayRef<int64_t> divisors) {
  if (points.empty())
    return std::nullopt;
  // Omit variables that do not vary, because they only obscure the function.
  SmallVector<Term> terms;
  for (unsigned i = 0; i < points.front().size(); ++i)
    if (llvm::any_of(points, [&](ArrayRef<int64_t> point) {
          return point[i] != points.front()[i];
        }))
      terms.push_back({Term::Variable, i});
  if (std::optional<AffineFunction> plain = fitTerms(points, values, terms))
    return plain;
  SmallVector<Term> extended(terms);
  for (const Term &term : terms) {
    if (llvm::any_of(points, [&](ArrayRef<int64_t> point) {
          return point[term.variable] < 0;
        }))
      continue;
    for (int64_t divisor : divisors)
      if (divisor > 1) {
        extended.push_back({Term::Quotient, term.variable, divisor});
        extended.push_back({Term::Remainder, term.variable, divisor});
      }
  }
  // Place the additional terms first, so that they are preferred over the
  // variables.
  std::rotate(extended.begin(), extended.begin() + terms.size(),
              extended.end());
  if (extended.size() == terms.size() || extended.size() > 24)
    return std::nullopt;
  return fitTerms(points, values, extended);
}

Value AffineFunction::create(OpBuilder &b, Location loc,
                             function_ref<Value(unsigned)> getVariable) const {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value sum;
  for (const Term &term : terms) {
    Value value = getVariable(term.variable);
    if (term.kind == Term::Quotient)
      value = b.createOrFold<arith::DivUIOp>(loc, value, number(term.divisor));
    if (term.kind == Term::Remainder)
      value = b.createOrFold<arith::RemUIOp>(loc, value, number(term.divisor));
    if (term.factor != 1)
      value = b.createOrFold<arith::MulIOp>(loc, value, number(term.factor));
    sum = sum ? b.createOrFold<arith::AddIOp>(loc, sum, value) : value;
  }
  if (!sum)
    sum = number(constant);
  else if (constant)
    sum = b.createOrFold<arith::AddIOp>(loc, sum, number(constant));
  if (denominator != 1)
    sum = b.createOrFold<arith::DivSIOp>(loc, sum, number(denominator));
  return sum;
}

} // namespace aircc::hierarchy
