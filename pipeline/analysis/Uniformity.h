//===- Uniformity.h - Which values are uniform across lanes -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The uniformity analysis of all stages: a sparse forward data-flow analysis
// whose lattice is the scope over which a value is uniform.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_ANALYSIS_UNIFORMITY_H
#define AIRCC_PIPELINE_ANALYSIS_UNIFORMITY_H

#include "pipeline/analysis/ExecutionModel.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace mlir {
class DataFlowSolver;
} // namespace mlir

namespace aircc {

struct UniformityOptions {
  /// The number of lanes in a wave. Required only for kernels without
  /// `kernel.scope`, where a row of the workgroup along x may end within a
  /// wave.
  std::optional<int64_t> waveSize;
  /// Whether a read at a uniform address yields a uniform value, unless the
  /// memory is private to a wave or a lane. True if this compiler orders the
  /// accesses of a kernel; a program written for lanes may have races.
  bool readsAreUniform = true;
};

/// The uniformity of all values of one kernel, from Scope::Device (the most
/// uniform) to Scope::Lane for values that may differ between lanes. The
/// results apply to the kernel as of construction; values created later are
/// considered uniform over the device.
class Uniformity {
public:
  explicit Uniformity(mlir::Operation *kernel, UniformityOptions options = {});
  ~Uniformity();

  /// Returns the largest scope over which `value` is uniform.
  Scope getUniformScope(mlir::Value value) const;
  /// Returns the largest scope in which either all lanes or no lanes reach `op`
  /// together.
  Scope getControlScope(mlir::Operation *op) const;

private:
  mlir::Operation *kernel;
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_UNIFORMITY_H
