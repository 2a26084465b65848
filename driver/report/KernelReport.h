//===- KernelReport.h - What each kernel computes ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The report of -Rkernels and --report: a line for each kernel that a function
// on tensors became. Stages describe kernels by the attribute `air.kernel_work`
// on launches; the report removes it from them after each stage, so that it
// does not affect the code. docs/kernel-report.schema.json is the form of the
// JSON file.
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

  /// Whether an op could be computed by matrix instructions.
  bool hasProducts() const;
  /// Why `work`, a product, is not computed by matrix instructions.
  std::string getReason(air::WorkAttr work) const;
  /// The sum over all ops; -1 if it is not known.
  int64_t countOperations() const;
  /// -1 if it is not known.
  int64_t countBytes() const;
};

class KernelReport {
public:
  KernelReport(std::string target, unsigned waveSize,
               std::optional<TimingFigures> figures)
      : target(std::move(target)), waveSize(waveSize),
        figures(std::move(figures)) {}

  /// Takes the descriptions of launches from `module`, the output of a stage,
  /// and finds out which of the kernels use matrix instructions. The
  /// descriptions remain in the module if it `keepsDescriptions`.
  void addStage(mlir::ModuleOp module, bool keepsDescriptions);

  /// Emits a remark for each kernel.
  void emitRemarks() const;
  /// "3 kernels, …"; empty if there are none.
  std::string summarize() const;
  llvm::json::Value toJSON() const;

  /// Forgets the kernels, before their context is destroyed.
  void clear();

private:
  /// Adds up what `module` stores and allocates.
  void addMemory(mlir::ModuleOp module);
  std::optional<Roofline> getRoofline(const KernelRecord &kernel) const;
  std::string describe(const KernelRecord &kernel) const;
  llvm::json::Value toJSON(const KernelRecord &kernel) const;

  std::string target;
  unsigned waveSize;
  std::optional<TimingFigures> figures; ///< Unset: none in the profile.
  std::vector<KernelRecord> kernels;
  int64_t launches = 0, constantBytes = 0;
  int64_t arenaBytes = 0; ///< Of arenas of constant size.
  bool hasDynamicArenas = false;
};

} // namespace aircc

#endif // AIRCC_DRIVER_REPORT_KERNELREPORT_H
