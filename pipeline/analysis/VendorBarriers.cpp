//===- VendorBarriers.cpp - Barriers in vendor dialects -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/analysis/VendorBarriers.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace aircc {

static StringRef getStringAttr(Operation *op, StringRef name) {
  auto value = op->getAttrOfType<StringAttr>(name);
  return value ? value.getValue() : StringRef();
}

/// Returns the name of the intrinsic that `op` calls; empty for other ops.
static StringRef getIntrinsic(Operation *op) {
  if (op->getName().getStringRef() != "llvm.call_intrinsic")
    return {};
  return getStringAttr(op, "intrin");
}

std::optional<kernel::Scope> getVendorFenceScope(Operation *op) {
  if (getIntrinsic(op) == "llvm.amdgcn.wave.barrier")
    return kernel::Scope::Wave;
  if (op->getName().getStringRef() != "llvm.fence")
    return std::nullopt;
  return llvm::StringSwitch<kernel::Scope>(getStringAttr(op, "syncscope"))
      .Cases({"wavefront", "subgroup"}, kernel::Scope::Wave)
      .Case("workgroup", kernel::Scope::Workgroup)
      .Cases({"agent", "device"}, kernel::Scope::Device)
      .Default(kernel::Scope::System);
}

bool isVendorWorkgroupBarrier(Operation *op) {
  if (getIntrinsic(op).starts_with("llvm.amdgcn.s.barrier"))
    return true;
  return llvm::StringSwitch<bool>(op->getName().getStringRef())
      .Cases({"rocdl.barrier", "rocdl.s.barrier", "rocdl.s.barrier.signal",
              "rocdl.s.barrier.wait"},
             true)
      .Default(false);
}

bool isVendorNamedBarrier(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name == "rocdl.s.barrier.signal.var" ||
         name == "rocdl.s.barrier.signal.isfirst";
}

} // namespace aircc
