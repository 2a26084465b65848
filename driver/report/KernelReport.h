//===- KernelReport.h - What each kernel computes ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The report of -Rkernels and --report has a line for each kernel that a
// function on tensors became. Stages describe kernels with the attribute
// `air.kernel_work` on launches. The report removes the attribute after each
// stage, so that it does not affect the code. docs/kernel-report.schema.json
// describes the JSON file.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_REPORT_KERNELREPORT_H
#define AIRCC_DRIVER_REPORT_KERNELREPORT_H

#include "dialects/air/AIRDialect.h"
#include "targets/TimingFigures.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// The minimum time of a kernel if only this resource limited it.
struct Roofline {
  int64_t nanoseconds = 0;
  llvm::StringLiteral bound = ""; ///< "memory", "vector" or "matrix".
};

/// A launch of a kernel.
struct KernelRecord {
  std::string name;
  mlir::Location location;
  air::KernelWorkAttr work;
  bool usesMatrix = false;

  /// Returns whether an op could be computed with matrix instructions.
  bool hasProducts() const;
  /// Returns why `work`, a product, is not computed with matrix instructions.
  std::string getReason(air::WorkAttr work) const;
  /// Returns the sum over all ops, or -1 if it is unknown.
  int64_t countOperations() const;
  /// Returns the sum over all buffers, or -1 if it is unknown.
  int64_t countBytes() const;
};

class KernelReport {
public:
  KernelReport(std::string target, unsigned waveSize,
               std::optional<TimingFigures> figures)
      : target(std::move(target)), waveSize(waveSize),
        figures(std::move(figures)) {}

  /// Takes the descriptions of launches from `module`, the output of a stage,
  /// and determines which of the kernels use matrix instructions. If
  /// `keepsDescriptions` is set, the descriptions remain in the module.
  void addStage(mlir::ModuleOp module, bool keepsDescriptions);

  /// Emits a remark for each kernel.
  void emitRemarks() const;
  /// Returns a summary such as "3 kernels, …", or "" if there are none.
  std::string summarize() const;
  llvm::json::Value toJSON() const;

  /// Drops the kernels before their context is destroyed.
  void clear();

private:
  /// Adds up the sizes of what `module` stores and allocates.
  void addMemory(mlir::ModuleOp module);
  std::optional<Roofline> getRoofline(const KernelRecord &kernel) const;
  std::string describe(const KernelRecord &kernel) const;
  llvm::json::Value toJSON(const KernelRecord &kernel) const;

  std::string target;
  unsigned waveSize;
  std::optional<TimingFigures> figures; ///< Unset if the profile has none.
  std::vector<KernelRecord> kernels;
  int64_t launches = 0, constantBytes = 0;
  int64_t arenaBytes = 0; ///< The size of arenas of constant size.
  bool hasDynamicArenas = false;
};

} // namespace aircc

#endif // AIRCC_DRIVER_REPORT_KERNELREPORT_H
