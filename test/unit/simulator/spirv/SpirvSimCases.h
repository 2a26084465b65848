//===- SpirvSimCases.h - Expressions over edge values -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel computes each expression for each pair of values, and a lambda
// computes the expected result.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SPIRVSIMCASES_H
#define AIRCC_TEST_UNIT_SPIRVSIMCASES_H

#include "test/unit/simulator/spirv/SpirvSimSupport.h"

#include "gtest/gtest.h"

#include <cmath>
#include <functional>
#include <limits>

namespace aircc::sim::test {

/// LLVM IR that defines %r from %x and %y, and its value.
template <typename R, typename X, typename Y = X> struct ExpressionCase {
  std::string ir;
  std::function<R(X, Y)> expected;
  /// Whether the result is defined; null if it always is.
  std::function<bool(X, Y)> isDefined = nullptr;
};

template <typename R> bool sameValue(R a, R b) {
  if constexpr (std::is_integral_v<R>)
    return a == b;
  else
    return (a != a && b != b) || !std::memcmp(&a, &b, sizeof(R));
}

/// Runs the cases for all pairs of `xs` and `ys`. The types are in LLVM's
/// syntax; `declarations` declares the functions that the cases call.
template <typename R, typename X, typename Y>
void checkCases(const std::string &resultType, const std::string &xType,
                const std::string &yType, const std::string &declarations,
                const std::vector<ExpressionCase<R, X, Y>> &cases,
                const std::vector<X> &xs, const std::vector<Y> &ys) {
  const size_t pairs = xs.size() * ys.size();
  std::string ir = kSpirvPrelude + declarations +
                   "\ndefine spir_kernel void @test(ptr addrspace(1) %xs, ptr "
                   "addrspace(1) %ys, ptr addrspace(1) %out) {\n"
                   "  %i = call spir_func i64 @_Z13get_global_idj(i32 0)\n"
                   "  %px = getelementptr " +
                   xType + ", ptr addrspace(1) %xs, i64 %i\n  %x = load " +
                   xType + ", ptr addrspace(1) %px\n  %py = getelementptr " +
                   yType + ", ptr addrspace(1) %ys, i64 %i\n  %y = load " +
                   yType + ", ptr addrspace(1) %py\n";
  for (size_t c = 0; c < cases.size(); ++c) {
    // Makes the names of each case unique.
    std::string text = cases[c].ir;
    const std::string suffix = ".c" + std::to_string(c);
    for (const char *name : {"%r", "%s", "%t", "%u"})
      for (size_t at = 0; (at = text.find(name, at)) != std::string::npos;)
        text.insert(at += 2, suffix);
    ir += "  " + text + "\n  %o" + suffix + " = add i64 %i, " +
          std::to_string(c * pairs) + "\n  %p" + suffix + " = getelementptr " +
          resultType + ", ptr addrspace(1) %out, i64 %o" + suffix +
          "\n  store " + resultType + " %r" + suffix + ", ptr addrspace(1) %p" +
          suffix + "\n";
  }
  ir += "  ret void\n}\n";
  SpirvRunner runner(compileSpirv(ir));
  ASSERT_EQ(runner.loadError(), "");
  std::vector<X> allX;
  std::vector<Y> allY;
  for (X x : xs)
    for (Y y : ys) {
      allX.push_back(x);
      allY.push_back(y);
    }
  X *px = runner.upload(allX);
  Y *py = runner.upload(allY);
  R *out = runner.allocate<R>(pairs * cases.size());
  rt::Dim3 grid;
  grid.x = static_cast<uint32_t>(pairs);
  ASSERT_EQ(runSpirv(runner, {px, py, out}, {1, 1, 1}, grid), "");
  for (size_t c = 0; c < cases.size(); ++c)
    for (size_t i = 0; i < pairs; ++i) {
      if (cases[c].isDefined && !cases[c].isDefined(allX[i], allY[i]))
        continue;
      const R wanted = cases[c].expected(allX[i], allY[i]);
      const R got = out[c * pairs + i];
      EXPECT_TRUE(sameValue(got, wanted))
          << cases[c].ir << "\n  x " << +allX[i] << ", y " << +allY[i]
          << ": got " << +got << ", not " << +wanted;
    }
}

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SPIRVSIMCASES_H
