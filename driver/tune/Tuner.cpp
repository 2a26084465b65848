//===- Tuner.cpp - Compares candidates for products -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/tune/Tuner.h"

#include "driver/diagnostics/Failure.h"
#include "driver/tune/ProductProgram.h"
#include "pipeline/strategy/TimeEstimate.h"
#include "pipeline/strategy/Tuning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ThreadPool.h"

using namespace aircc;
using namespace llvm;
using strategy::MatmulProblem;
using strategy::MatmulTiling;

std::string Candidate::describe() const {
  if (!product)
    return "the compiler's choices";
  return formatv("tile {0}x{1}x{2}, waves {3}x{4}, {5} buffers, {6} splits",
                 product->tileM, product->tileN, product->tileK,
                 product->wavesM, product->wavesN, product->buffers,
                 product->splits)
      .str();
}

Candidate Tuner::makeOwnChoice(const MatmulProblem &product) const {
  TargetProfile untuned = profile;
  untuned.tuning.clear();
  Candidate own;
  auto whole = strategy::chooseMatmulTiling(product, untuned, {});
  if (!whole)
    return own;
  int64_t splits =
      strategy::chooseSplits(product, *product.matrices, *whole, untuned);
  if (auto part = strategy::chooseMatmulTiling(
          strategy::splitProblem(product, splits), untuned, {}))
    own.estimate = strategy::estimateNanoseconds(
        product, *product.matrices, *part, splits, untuned, figures);
  return own;
}

std::vector<Candidate>
Tuner::listCandidates(const MatmulProblem &product) const {
  std::vector<Candidate> list;
  std::optional<TunedProductKey> key = strategy::getTuningKey(product, profile);
  for (int64_t splits : strategy::listSplits(product, profile)) {
    MatmulProblem part = strategy::splitProblem(product, splits);
    for (const MatmulTiling &tiling :
         strategy::listMatmulTilings(part, profile)) {
      const strategy::MatmulSpec &spec = tiling.spec;
      list.push_back(
          {TunedProduct{*key, spec.tileM, spec.tileN, spec.tileK, spec.wavesM,
                        spec.wavesN, tiling.buffers, splits},
           strategy::estimateNanoseconds(product, *product.matrices, tiling,
                                         splits, profile, figures)});
    }
  }
  llvm::stable_sort(list, [](const Candidate &x, const Candidate &y) {
    return x.estimate < y.estimate;
  });
  list.resize(std::min(list.size(), candidates));
  list.insert(list.begin(), makeOwnChoice(product));
  return list;
}

/// Measures candidate number `i` in a directory of its own.
static Expected<double> timeInFolder(const MatmulProblem &product,
                                     const Candidate &candidate,
                                     const CandidateSettings &settings,
                                     const Twine &path) {
  std::string folder = path.str();
  if (std::error_code ec = sys::fs::create_directory(folder))
    return fail(ExitCode::Environment,
                "cannot make '" + folder + "': " + ec.message());
  scope_exit remove([&] { (void)sys::fs::remove_directories(folder); });
  return timeCandidate(product, candidate.product, settings, folder);
}

Expected<TunedResult>
Tuner::tune(const MatmulProblem &product, StringRef folder,
            const std::function<void(const std::string &)> &log) const {
  std::vector<Candidate> list = listCandidates(product);
  std::vector<double> times(list.size());
  std::vector<std::string> problems(list.size());
  {
    DefaultThreadPool pool(hardware_concurrency(threads));
    for (size_t i = 0; i < list.size(); ++i)
      pool.async([&, i] {
        Expected<double> time =
            timeInFolder(product, list[i], settings, folder + "/" + Twine(i));
        if (time)
          times[i] = *time;
        else
          problems[i] = toString(time.takeError());
      });
    pool.wait();
  }
  if (!problems[0].empty())
    return fail(ExitCode::Environment, "cannot time the product " +
                                           describeProduct(product) + ": " +
                                           problems[0]);
  TunedResult result;
  result.nanoseconds = result.nanosecondsBefore = times[0];
  for (auto [candidate, time, problem] : zip(list, times, problems)) {
    std::string name = candidate.describe() + ": ";
    if (!problem.empty()) {
      log(name + problem);
      continue;
    }
    log(name + formatv("{0:f2} us, estimated {1:f2} us", time / 1000,
                       candidate.estimate / 1000)
                   .str());
    result.timed += candidate.product.has_value();
    if (time < result.nanoseconds) {
      result.nanoseconds = time;
      result.product = *candidate.product;
    }
  }
  return result;
}
