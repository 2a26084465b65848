//===- Uniformity.h - Which values differ between lanes ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one uniformity analysis of aircc: a sparse forward data-flow analysis
// whose lattice says over which scope a value is the same. All stages use it.
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
  /// Lanes in a wave. Only needed for kernels without `kernel.scope`, where
  /// rows of the workgroup along x may be parts of waves.
  std::optional<int64_t> waveSize;
  /// A read at a uniform address gives a uniform value, unless the memory is
  /// private to a wave or a lane. This holds where this compiler orders the
  /// accesses of a kernel; a program for lanes may race.
  bool readsAreUniform = true;
};

/// The uniformity of all values of one kernel, from Scope::Device, the most
/// uniform, to Scope::Lane for what may differ from lane to lane. It describes
/// the kernel as it was when the object was made: values that are created later
/// count as uniform over the device.
class Uniformity {
public:
  explicit Uniformity(mlir::Operation *kernel, UniformityOptions options = {});
  ~Uniformity();

  /// The largest scope over which `value` is the same.
  Scope getUniformScope(mlir::Value value) const;
  /// The largest scope all of whose lanes reach `op` together, or none of them
  /// does.
  Scope getControlScope(mlir::Operation *op) const;

private:
  mlir::Operation *kernel;
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_ANALYSIS_UNIFORMITY_H
