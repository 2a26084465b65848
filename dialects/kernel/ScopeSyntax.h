//===- ScopeSyntax.h - Assembly syntax of scopes ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Implements `custom<Scope>($scope)` in an assembly format, which prints a
// scope as its keyword alone, without `#kernel.scope<…>`.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_SCOPESYNTAX_H
#define AIRCC_DIALECTS_KERNEL_SCOPESYNTAX_H

#include "dialects/kernel/KernelDialect.h"

namespace aircc::kernel {

mlir::ParseResult parseScope(mlir::OpAsmParser &parser, ScopeAttr &attribute);
void printScope(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                ScopeAttr scope);

} // namespace aircc::kernel

#endif // AIRCC_DIALECTS_KERNEL_SCOPESYNTAX_H
