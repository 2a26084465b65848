//===- Dependency.cpp - Errors about missing dependencies -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Dependency.h"

char aircc::MissingDependencyError::ID = 0;
