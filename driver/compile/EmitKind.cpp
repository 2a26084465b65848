//===- EmitKind.cpp - Kinds of compiler output ----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/compile/EmitKind.h"

using namespace aircc;

static constexpr EmitInfo kinds[] = {
    {EmitKind::AIR, "air", "the input, parsed and verified", ".air.mlir",
     std::nullopt, true},
    {EmitKind::Dispatch, "dispatch",
     "kernels of functions on tensors, as air.launch and linalg ops on memrefs",
     ".dispatch.mlir", std::nullopt, true},
    {EmitKind::GPU, "gpu", "gpu.launch_func and gpu.module", ".gpu.mlir",
     std::nullopt, true},
    {EmitKind::Plan, "plan",
     "the order of kernels, and the buffers that they use, as JSON",
     ".plan.json", std::nullopt, true},
    {EmitKind::Layout, "layout", "a layout on every vector value",
     ".layout.mlir", std::nullopt, true},
    {EmitKind::Distributed, "distributed", "per-lane vector code",
     ".distributed.mlir", std::nullopt, true},
    {EmitKind::ROCDL, "rocdl", "device code in the ROCDL and LLVM dialects",
     ".rocdl.mlir", Backend::ROCDL, true},
    {EmitKind::XeVM, "xevm", "device code in the XeVM and LLVM dialects",
     ".xevm.mlir", Backend::XeVM, true},
    {EmitKind::LLVM, "llvm", "device code as LLVM IR", ".ll", std::nullopt,
     true},
    {EmitKind::Assembly, "asm", "device code as assembly, or as SPIR-V text",
     ".s", std::nullopt, true},
    {EmitKind::Object, "obj",
     "device code as a relocatable object (with -c or --header: host-obj)",
     ".o", Backend::ROCDL, false},
    {EmitKind::CodeObject, "hsaco", "device code as a loadable code object",
     ".hsaco", Backend::ROCDL, false},
    {EmitKind::SPIRV, "spirv", "device code as SPIR-V", ".spv", Backend::XeVM,
     false},
    {EmitKind::Native, "zebin",
     "device code as a native binary, compiled from SPIR-V by ocloc", ".zebin",
     Backend::XeVM, false},
    {EmitKind::HostLLVM, "host-llvm", "host code as LLVM IR", ".host.ll",
     std::nullopt, true},
    {EmitKind::HostObject, "host-obj",
     "host object with the device code embedded", ".o", std::nullopt, false},
    {EmitKind::Shared, "shared", "shared library", ".so", std::nullopt, false},
    {EmitKind::Executable, "exe", "executable (default)", "", std::nullopt,
     false},
};

llvm::ArrayRef<EmitInfo> aircc::getEmitKinds() { return kinds; }

const EmitInfo &aircc::getEmitInfo(EmitKind kind) {
  return kinds[static_cast<unsigned>(kind)];
}
