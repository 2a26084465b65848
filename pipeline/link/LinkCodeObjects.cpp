//===- LinkCodeObjects.cpp - Objects in gpu.binary ops to hsaco -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVModule.h"
#include "pipeline/link/LinkELF.h"
#include "pipeline/link/OffloadBundle.h"
#include "pipeline/link/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/Magic.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LINKCODEOBJECTS
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

namespace {

struct LinkCodeObjects : aircc::impl::LinkCodeObjectsBase<LinkCodeObjects> {
  void runOnOperation() override {
    for (auto binary : getOperation().getOps<gpu::BinaryOp>()) {
      SmallVector<Attribute> objects;
      for (Attribute attr : binary.getObjects()) {
        FailureOr<Attribute> linked = link(binary, cast<gpu::ObjectAttr>(attr));
        if (failed(linked))
          return signalPassFailure();
        objects.push_back(*linked);
      }
      binary.setObjectsAttr(ArrayAttr::get(&getContext(), objects));
    }
  }

  FailureOr<Attribute> link(gpu::BinaryOp binary, gpu::ObjectAttr object) {
    StringRef bytes = object.getObject().getValue();
    switch (llvm::identify_magic(bytes)) {
    case llvm::file_magic::elf_shared_object:
      return Attribute(object);
    case llvm::file_magic::elf_relocatable:
      break;
    default:
      // SPIR-V is linked by the device's compiler.
      if (aircc::isOffloadBundle(bytes) || aircc::isSPIRV(bytes))
        return Attribute(object);
      return binary.emitOpError(
          "holds no object code to link: run codegen with "
          "the format 'obj'");
    }
    SmallString<0> codeObject;
    if (llvm::Error error = aircc::linkCodeObject(bytes, codeObject))
      return binary.emitError() << llvm::toString(std::move(error));
    return Attribute(
        gpu::ObjectAttr::get(object.getTarget(), gpu::CompilationTarget::Binary,
                             StringAttr::get(&getContext(), codeObject),
                             object.getProperties(), object.getKernels()));
  }
};

} // namespace
