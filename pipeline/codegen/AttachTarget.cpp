//===- AttachTarget.cpp - Name the target of each gpu.module --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
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
      getOperation().emitError(
          "no chip to compile for: give the option 'chip'");
      return signalPassFailure();
    }
    Builder b(&getContext());
    // The target attribute knows wave64 as the rule and wave32 as the
    // exception.
    SmallVector<NamedAttribute> flags;
    if (waveSize == 32)
      flags.push_back(b.getNamedAttr("no_wave64", b.getUnitAttr()));
    std::string abi = std::to_string(codeObjectVersion * 100);
    auto target = ROCDL::ROCDLTargetAttr::getChecked(
        [&] { return getOperation().emitError(); }, &getContext(),
        static_cast<int>(optLevel), StringRef(triple), StringRef(chip),
        StringRef(features), StringRef(abi),
        flags.empty() ? DictionaryAttr() : b.getDictionaryAttr(flags),
        ArrayAttr());
    if (!target)
      return signalPassFailure();

    for (auto gpuModule : getOperation().getOps<gpu::GPUModuleOp>())
      if (failed(attach(gpuModule, target)))
        return signalPassFailure();
  }

  LogicalResult attach(gpu::GPUModuleOp gpuModule,
                       ROCDL::ROCDLTargetAttr target) {
    ArrayAttr present = gpuModule.getTargetsAttr();
    if (!present || present.empty()) {
      gpuModule.setTargetsAttr(ArrayAttr::get(&getContext(), {target}));
      return success();
    }
    auto own = dyn_cast<ROCDL::ROCDLTargetAttr>(present[0]);
    if (present.size() == 1 && own && own.getChip() == target.getChip())
      return success();
    return gpuModule.emitOpError("is already made for ")
           << present << ", and cannot be compiled for '" << target.getChip()
           << "': remove the targets from the gpu.module or choose that target";
  }
};

} // namespace
