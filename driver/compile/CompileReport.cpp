//===- CompileReport.cpp - -Rkernels and --report -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// This part of CompileJob implements -Rkernels and --report.
//
//===----------------------------------------------------------------------===//

#include "driver/compile/CompileJob.h"

#include "targets/ProfileLoader.h"

using namespace aircc;
using namespace llvm;

void CompileJob::startReport(const TargetProfile &profile,
                             const ProfileLoader &loader) {
  if (!options.kernelRemarks && options.report.empty() && !options.verbose)
    return;
  // Without these numbers, the report has no times.
  std::vector<ProfileError> none;
  reports.emplace_back(profile.name, profile.waveSize,
                       loader.loadTiming(profile.files.front(), none));
}

void CompileJob::reportKernels(size_t target) {
  if (target >= reports.size())
    return;
  KernelReport &report = reports[target];
  if (options.kernelRemarks)
    report.emitRemarks();
  if (std::string summary = report.summarize(); !summary.empty())
    log(summary);
  if (!options.report.empty())
    reportedTargets.push_back(report.toJSON());
  report.clear();
}

Error CompileJob::writeReport() {
  if (options.report.empty())
    return Error::success();
  auto output = openOutput(options.report, /*isText=*/true);
  if (!output)
    return output.takeError();
  (*output)->os() << formatv(
      "{0:2}\n", json::Value(json::Object{
                     {"version", 1}, {"targets", std::move(reportedTargets)}}));
  return Error::success();
}
