//===- BuildCodeObjects.cpp - Objects in gpu.binary ops to hsaco ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/DeviceCodeJobs.h"
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
#define GEN_PASS_DEF_BUILDCODEOBJECTS
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

namespace {

struct BuildCodeObjects : aircc::impl::BuildCodeObjectsBase<BuildCodeObjects> {
  void runOnOperation() override {
    for (auto binary : getOperation().getOps<gpu::BinaryOp>()) {
      LogicalResult linked =
          aircc::isPending(binary) ? linkLater(binary) : linkNow(binary);
      if (failed(linked))
        return signalPassFailure();
    }
  }

  static InFlightDiagnostic reportNoObject(gpu::BinaryOp binary) {
    return binary.emitOpError(
        "contains no object code to link; run codegen with the format 'obj'");
  }

  /// Makes the job that compiles the object also link it.
  LogicalResult linkLater(gpu::BinaryOp binary) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      if (object.getFormat() != gpu::CompilationTarget::Binary)
        return reportNoObject(binary);
    return aircc::addDeviceCodeStep(
        binary, [](llvm::SmallVectorImpl<char> &code) -> llvm::Error {
          StringRef bytes(code.data(), code.size());
          if (!needsLinking(bytes))
            return llvm::Error::success();
          SmallString<0> codeObject;
          if (llvm::Error error = aircc::linkCodeObject(bytes, codeObject))
            return error;
          code.assign(codeObject.begin(), codeObject.end());
          return llvm::Error::success();
        });
  }

  LogicalResult linkNow(gpu::BinaryOp binary) {
    SmallVector<Attribute> objects;
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      FailureOr<Attribute> linked = link(binary, object);
      if (failed(linked))
        return failure();
      objects.push_back(*linked);
    }
    binary.setObjectsAttr(ArrayAttr::get(&getContext(), objects));
    return success();
  }

  FailureOr<Attribute> link(gpu::BinaryOp binary, gpu::ObjectAttr object) {
    StringRef bytes = object.getObject().getValue();
    if (!needsLinking(bytes)) {
      if (isLinked(bytes))
        return Attribute(object);
      return reportNoObject(binary);
    }
    SmallString<0> codeObject;
    if (llvm::Error error = aircc::linkCodeObject(bytes, codeObject))
      return binary.emitError() << llvm::toString(std::move(error));
    return Attribute(
        gpu::ObjectAttr::get(object.getTarget(), gpu::CompilationTarget::Binary,
                             StringAttr::get(&getContext(), codeObject),
                             object.getProperties(), object.getKernels()));
  }

  static bool needsLinking(StringRef bytes) {
    return llvm::identify_magic(bytes) == llvm::file_magic::elf_relocatable;
  }

  /// The device compiler links SPIR-V.
  static bool isLinked(StringRef bytes) {
    return llvm::identify_magic(bytes) == llvm::file_magic::elf_shared_object ||
           aircc::isOffloadBundle(bytes) || aircc::isSPIRV(bytes);
  }
};

} // namespace
