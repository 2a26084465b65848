//===- PassTarget.h - The target profile of a pass --------------*- C++ -*-===//
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

/// The target profile of a pass, which is either passed to the constructor or
/// read from the file that the option `target` names.
class PassTarget {
public:
  PassTarget() = default;
  explicit PassTarget(std::shared_ptr<const TargetProfile> profile)
      : profile(std::move(profile)) {}

  /// Returns the value of the option `target` that selects this profile: its
  /// file, "@" and the wave size if the user selected one, and, separated by
  /// colons, the directories of its base profiles if they differ. The value is
  /// empty if there is no profile.
  std::string getOption() const;

  /// Returns the profile. Reads `file` on the first call if there is no profile
  /// yet. Returns null after an error at `op`. `pass` is the name of the pass.
  const TargetProfile *get(llvm::StringRef pass, llvm::StringRef file,
                           mlir::Operation *op);

private:
  std::shared_ptr<const TargetProfile> profile;
};

/// The base class of a stage's target-dependent passes. `Base` is the generated
/// base class of a pass on the functions of a gpu.module with the option
/// `target`.
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
