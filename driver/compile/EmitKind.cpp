//===- EmitKind.cpp - What a compile writes -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/compile/EmitKind.h"

using namespace aircc;

static constexpr EmitInfo kinds[] = {
    {EmitKind::AIR, "air", "the input, parsed and verified", ".air.mlir", "",
     std::nullopt, true},
    {EmitKind::GPU, "gpu", "gpu.launch_func and gpu.module", ".gpu.mlir",
     "hierarchy", std::nullopt, true},
    {EmitKind::Layout, "layout", "a layout on every vector value",
     ".layout.mlir", "layout", std::nullopt, true},
    {EmitKind::Distributed, "distributed", "per-lane vector code",
     ".distributed.mlir", "distribution", std::nullopt, true},
    {EmitKind::ROCDL, "rocdl", "device code in the ROCDL and LLVM dialects",
     ".rocdl.mlir", "codegen", Backend::ROCDL, true},
    {EmitKind::XeVM, "xevm", "device code in the XeVM and LLVM dialects",
     ".xevm.mlir", "codegen", Backend::XeVM, true},
    {EmitKind::LLVM, "llvm", "device code as LLVM IR", ".ll", "codegen",
     std::nullopt, true},
    {EmitKind::Assembly, "asm", "device code as assembly, or as SPIR-V text",
     ".s", "codegen", std::nullopt, true},
    {EmitKind::Object, "obj",
     "device code as a relocatable object (with -c or --header: host-obj)",
     ".o", "codegen", Backend::ROCDL, false},
    {EmitKind::CodeObject, "hsaco", "device code as a loadable code object",
     ".hsaco", "codegen", Backend::ROCDL, false},
    {EmitKind::SPIRV, "spirv", "device code as SPIR-V", ".spv", "codegen",
     Backend::XeVM, false},
    {EmitKind::Native, "zebin",
     "device code as a native binary, made of SPIR-V by ocloc", ".zebin",
     "codegen", Backend::XeVM, false},
    {EmitKind::HostLLVM, "host-llvm", "host code as LLVM IR", ".host.ll",
     "link", std::nullopt, true},
    {EmitKind::HostObject, "host-obj",
     "host object with the device code embedded", ".o", "link", std::nullopt,
     false},
    {EmitKind::Shared, "shared", "shared library", ".so", "link", std::nullopt,
     false},
    {EmitKind::Executable, "exe", "executable (default)", "", "link",
     std::nullopt, false},
};

llvm::ArrayRef<EmitInfo> aircc::getEmitKinds() { return kinds; }

const EmitInfo &aircc::getEmitInfo(EmitKind kind) {
  return kinds[static_cast<unsigned>(kind)];
}
