//===- ProductProgram.h - A program that computes a product --- -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_TUNE_PRODUCTPROGRAM_H
#define AIRCC_DRIVER_TUNE_PRODUCTPROGRAM_H

#include "pipeline/strategy/MatmulTiling.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// Reads an entry from the list of products that stage hierarchy creates.
strategy::MatmulProblem readProduct(mlir::DictionaryAttr attribute);

/// Returns why `product` cannot be a program of its own, or "" if it can.
std::string getTuningObstacle(const strategy::MatmulProblem &product);

/// Returns a program with a function `product` on tensors that computes the
/// product.
std::string writeProductProgram(const strategy::MatmulProblem &product);

/// Returns the arguments and the result of that function, for
/// `callLibraryCommand`.
std::vector<std::string> getTensors(const strategy::MatmulProblem &product);

/// Returns a description of the product for messages: "16x4096x4096 f16 x f16^T
/// -> f32".
std::string describeProduct(const strategy::MatmulProblem &product);

} // namespace aircc

#endif // AIRCC_DRIVER_TUNE_PRODUCTPROGRAM_H
