//===- AIROps.h - The ops of the AIR dialect --------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIROPS_H
#define AIRCC_DIALECTS_AIR_AIROPS_H

#include "dialects/air/AIRDialect.h"
#include "dialects/air/AIRInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace aircc::air {

/// The resource that puts and gets access besides memory: the state of
/// channels. It prevents a put or get from being dead or moving across another
/// one.
struct ChannelResource
    : public mlir::SideEffects::Resource::Base<ChannelResource> {
  llvm::StringRef getName() override { return "<air::Channel>"; }
};

/// The ring that a message passes through, as air.message.send describes it.
struct MessageRing {
  mlir::Value data;    ///< The copy of the ring that has the slots.
  mlir::Value credits; ///< The copy that has the sender's count and the
                       ///< credits.
  int64_t depth;       ///< The number of slots.
  int64_t lines;       ///< The number of lines per slot.
  bool singleLine;     ///< The memref already has the format of a line.
  bool shared;         ///< Several ranks use this end of the ring.
};

} // namespace aircc::air

#define GET_OP_CLASSES
#include "dialects/air/AIROps.h.inc"

namespace aircc::air {

/// Returns the declaration of the channel that a put, a get or a DMA names,
/// looked up in the symbol tables around `from`, innermost first. Returns null
/// if there is none.
ChannelOp lookupChannel(mlir::Operation *from, mlir::SymbolRefAttr name);

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_AIROPS_H
