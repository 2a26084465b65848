//===- AttachTarget.cpp - Name the target of each gpu.module --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"
#include "pipeline/codegen/llvm/DeviceBackend.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_ATTACHTARGET
#include "pipeline/codegen/Passes.h.inc"
} // namespace aircc

namespace {

struct AttachTarget : aircc::impl::AttachTargetBase<AttachTarget> {
  using AttachTargetBase::AttachTargetBase;

  void runOnOperation() override {
    if (chip.empty()) {
      getOperation().emitError("no chip to compile for; set the option 'chip'");
      return signalPassFailure();
    }
    Attribute target =
        backend == aircc::Backend::ROCDL ? makeROCDLTarget() : makeXeVMTarget();
    if (!target)
      return signalPassFailure();

    for (auto gpuModule : getOperation().getOps<gpu::GPUModuleOp>())
      if (failed(attach(gpuModule, target)))
        return signalPassFailure();
  }

  Attribute makeXeVMTarget() {
    return xevm::XeVMTargetAttr::getChecked(
        [&] { return getOperation().emitError(); }, &getContext(),
        static_cast<int>(optLevel), StringRef(triple), StringRef(chip),
        DictionaryAttr(), ArrayAttr());
  }

  Attribute makeROCDLTarget() {
    Builder b(&getContext());
    // The target attribute means wave64 unless it has a flag for wave32.
    SmallVector<NamedAttribute> flags;
    if (waveSize == 32)
      flags.push_back(b.getNamedAttr("no_wave64", b.getUnitAttr()));
    std::string abi = std::to_string(codeObjectVersion * 100);
    return ROCDL::ROCDLTargetAttr::getChecked(
        [&] { return getOperation().emitError(); }, &getContext(),
        static_cast<int>(optLevel), StringRef(triple), StringRef(chip),
        StringRef(features), StringRef(abi),
        flags.empty() ? DictionaryAttr() : b.getDictionaryAttr(flags),
        ArrayAttr());
  }

  /// SPIR-V is not specific to a chip, so the chip in the program's target is
  /// replaced. Options for the offline compiler are kept.
  LogicalResult replace(gpu::GPUModuleOp gpuModule,
                        xevm::XeVMTargetAttr target) {
    DictionaryAttr flags;
    for (Attribute given : gpuModule.getTargetsAttr())
      if (!flags)
        flags = cast<xevm::XeVMTargetAttr>(given).getFlags();
    Attribute replaced = xevm::XeVMTargetAttr::getChecked(
        [&] { return gpuModule.emitError(); }, &getContext(), target.getO(),
        target.getTriple(), target.getChip(), flags, ArrayAttr());
    if (!replaced)
      return failure();
    gpuModule.setTargetsAttr(ArrayAttr::get(&getContext(), {replaced}));
    return success();
  }

  LogicalResult attach(gpu::GPUModuleOp gpuModule, Attribute target) {
    ArrayAttr present = gpuModule.getTargetsAttr();
    if (!present || present.empty()) {
      gpuModule.setTargetsAttr(ArrayAttr::get(&getContext(), {target}));
      return success();
    }
    if (present.size() == 1 && present[0].getTypeID() == target.getTypeID() &&
        aircc::getTargetChip(present[0]) == aircc::getTargetChip(target))
      return success();
    if (auto xevmTarget = dyn_cast<xevm::XeVMTargetAttr>(target);
        xevmTarget &&
        llvm::all_of(present, llvm::IsaPred<xevm::XeVMTargetAttr>))
      return replace(gpuModule, xevmTarget);
    return gpuModule.emitOpError("already targets ")
           << present << " and cannot be compiled for '"
           << aircc::getTargetChip(target)
           << "'; remove the targets from the gpu.module or choose that target";
  }
};

} // namespace
