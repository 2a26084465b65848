//===- PassTarget.h - The profile that a pass works for ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_PASSTARGET_H
#define AIRCC_PIPELINE_COMMON_PASSTARGET_H

#include "targets/TargetProfile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace aircc {

/// The profile of a pass that was made with one, or whose option `target` names
/// the file of one.
class PassTarget {
public:
  PassTarget() = default;
  explicit PassTarget(std::shared_ptr<const TargetProfile> profile)
      : profile(std::move(profile)) {}

  /// What the option `target` must be for the same profile: its file, then,
  /// after colons, the folders of what it extends where these are others.
  /// Empty where there is no profile.
  std::string getOption() const;

  /// The profile. Reads `file` the first time, if there is none yet; null after
  /// an error at `op`. `pass` is the pass's name, for the error.
  const TargetProfile *get(llvm::StringRef pass, llvm::StringRef file,
                           mlir::Operation *op);

private:
  std::shared_ptr<const TargetProfile> profile;
};

/// What the passes of the stage share: `Base` is the generated base class of a
/// pass with the option `target` that runs on the functions of a gpu.module.
template <typename Base> class TargetedPass : public Base {
public:
  using Base::Base;

  void setTarget(std::shared_ptr<const TargetProfile> profile) {
    passTarget = PassTarget(std::move(profile));
    this->target = passTarget.getOption();
  }

  void runOnOperation() final {
    for (auto function :
         this->getOperation().template getOps<mlir::gpu::GPUFuncOp>())
      if (mlir::failed(run(function)))
        return this->signalPassFailure();
  }

protected:
  virtual mlir::LogicalResult run(mlir::gpu::GPUFuncOp function) = 0;

  PassTarget passTarget;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_PASSTARGET_H
