//===- EmitHostObject.h - Host objects with embedded code -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_EMITHOSTOBJECT_H
#define AIRCC_PIPELINE_LINK_EMITHOSTOBJECT_H

#include "pipeline/link/Link.h"

namespace aircc {

/// Creates the object of the module's host code, with the code objects
/// embedded. Waits for pending device code only after the host code has been
/// compiled.
mlir::LogicalResult emitHostObject(mlir::ModuleOp module, const HostSpec &host,
                                   const HostCodeOptions &options,
                                   HostCode &object);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_EMITHOSTOBJECT_H
