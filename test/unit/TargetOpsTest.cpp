//===- TargetOpsTest.cpp - Profiles against MLIR's dialects ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/ProfileLoader.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace aircc;

namespace {

TEST(TargetOps, MatrixInstructionsOfRocdlTargetsAreOpsOfRocdl) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::ROCDL::ROCDLDialect>();
  std::vector<ProfileError> errors;
  ProfileLoader loader({AIRCC_TARGETS_DIR});
  unsigned checked = 0;
  for (const ProfileListing &listing : loader.list(errors)) {
    auto profile = loader.load(listing.name, errors);
    ASSERT_TRUE(profile) << listing.name;
    if (profile->backend != Backend::ROCDL)
      continue;
    for (const MatrixInstruction &instruction : profile->matrixInstructions) {
      EXPECT_TRUE(mlir::RegisteredOperationName::lookup(
          "rocdl." + instruction.op, &context))
          << listing.name << ": " << instruction.name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 40u);
}

} // namespace
