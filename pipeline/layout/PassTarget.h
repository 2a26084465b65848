//===- PassTarget.h - The profile that a pass works for ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LAYOUT_PASSTARGET_H
#define AIRCC_PIPELINE_LAYOUT_PASSTARGET_H

#include "targets/TargetProfile.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace aircc::layout {

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

} // namespace aircc::layout

#endif // AIRCC_PIPELINE_LAYOUT_PASSTARGET_H
