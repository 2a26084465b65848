//===- EmitHostObject.h - Host objects with device code in them -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_EMITHOSTOBJECT_H
#define AIRCC_PIPELINE_LINK_EMITHOSTOBJECT_H

#include "pipeline/link/Link.h"

#include "llvm/ADT/SmallVector.h"

namespace aircc {

/// Compiles the module's gpu.modules to code objects, in gpu.binary ops.
mlir::LogicalResult compilePending(mlir::ModuleOp module,
                                   const DeviceLibraryOptions &libraries);

/// Makes the object of the module's host code, with the code objects in it.
/// gpu.modules are compiled at the same time.
mlir::LogicalResult emitHostObject(mlir::ModuleOp module, const HostSpec &host,
                                   const HostCodeOptions &options,
                                   llvm::SmallVectorImpl<char> &object);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_EMITHOSTOBJECT_H
