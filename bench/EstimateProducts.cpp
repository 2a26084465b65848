//===- EstimateProducts.cpp - Prints closed-form estimates ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: estimate-products FOLDER
//
// FOLDER has the target profiles. Each line of standard input is a product:
//
//   TARGET FORM OPERAND BITS RESULT BITS M N K
//
// FORM is nn, nt or tn, as in kernel_bench.py. For each product, prints the
// estimated nanoseconds of the kernels that the strategies choose, the rows and
// columns of a tile, the depth of a step, and the number of parts along K.
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/TimeEstimate.h"
#include "targets/ProfileLoader.h"

#include <iostream>
#include <sstream>

using namespace aircc;

/// Reports why a product has no estimate.
static int reportError(const std::string &line, const std::string &why) {
  std::cerr << "estimate-products: " << line << ": " << why << "\n";
  return 1;
}

static int estimate(const std::string &line, const ProfileLoader &loader) {
  std::istringstream words(line);
  std::string target, form;
  strategy::MatmulProblem problem;
  int64_t m = 0, n = 0, k = 0;
  words >> target >> form >> problem.a.type >> problem.a.bits >>
      problem.cType >> problem.cBits >> m >> n >> k;
  if (!words || form.size() != 2)
    return reportError(line, "expected TARGET FORM OPERAND BITS RESULT BITS "
                             "M N K");
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.b = problem.a;
  problem.a.alongK = form[0] == 'n';
  problem.b.alongK = form[1] == 't';
  std::vector<ProfileError> errors;
  auto profile = loader.load(target, errors);
  auto figures = loader.loadTiming(target, errors);
  if (!profile || !figures)
    return reportError(line, errors.front().message);
  auto whole = strategy::chooseMatmulTiling(problem, *profile, {});
  if (!whole)
    return reportError(line, whole.message());
  int64_t splits = strategy::chooseSplits(problem, 1, *whole, *profile);
  strategy::MatmulProblem part = problem;
  *part.k /= splits;
  auto tiling = strategy::chooseMatmulTiling(part, *profile, {});
  if (!tiling)
    return reportError(line, tiling.message());
  std::cout << strategy::estimateNanoseconds(problem, 1, *tiling, splits,
                                             *profile, *figures)
            << " " << tiling->spec.tileM << "x" << tiling->spec.tileN << "x"
            << tiling->spec.tileK << " " << splits << "\n";
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return reportError("", "expected the folder of the target profiles");
  ProfileLoader loader({argv[1]});
  int status = 0;
  for (std::string line; std::getline(std::cin, line);)
    status |= estimate(line, loader);
  return status;
}
