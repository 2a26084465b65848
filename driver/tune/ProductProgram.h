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

/// Reads an entry of the list of products that stage hierarchy makes.
strategy::MatmulProblem readProduct(mlir::DictionaryAttr attribute);

/// Why `product` cannot be a program of its own. Empty: it can.
std::string getTuningObstacle(const strategy::MatmulProblem &product);

/// A program with a function `product` on tensors that computes the product.
std::string writeProductProgram(const strategy::MatmulProblem &product);

/// The arguments and the result of that function, for `callLibraryCommand`.
std::vector<std::string> getTensors(const strategy::MatmulProblem &product);

/// The product for messages: "16x4096x4096 f16 x f16^T -> f32".
std::string describeProduct(const strategy::MatmulProblem &product);

} // namespace aircc

#endif // AIRCC_DRIVER_TUNE_PRODUCTPROGRAM_H
