//===- Passes.td - The passes of the codegen stage ---------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_PASSES_TD
#define AIRCC_PIPELINE_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"
include "pipeline/codegen/common/CommonPasses.td"
include "pipeline/codegen/xevm/XeVMPasses.td"

def VerifyInput : Pass<"codegen-verify-input", "::mlir::ModuleOp"> {
  let summary = "Check that earlier stages have lowered all their ops";
  let description = [{
    An op of the AIR dialect anywhere in the module is an error: without the
    `hierarchy` stage, there is no kernel to compile. Of nested ops, only the
    outermost is reported.

    A module with linalg ops or parallel loops but without a kernel gets a warning at
    the first of them: they run on the host.

    With `portable-kernels`, ops, types and attributes of the LLVM, ROCDL and XeVM
    dialects in kernels are errors, too. A program may contain them, so they are valid
    by default, but earlier stages must not create them; tests use this option.

    Example:
    ```mlir
    func.func @main() {
      // error: must be lowered earlier: the stage 'hierarchy' comes before 'codegen'
      air.launch () in () {
      }
      return
    }
    ```
  }];
  let options = [
    Option<"portableKernels", "portable-kernels", "bool", "false",
           "Reject ops, types and attributes of a backend in kernels">
  ];
}

def AttachTarget : Pass<"codegen-attach-target", "::mlir::ModuleOp"> {
  let summary = "Attach the target of a profile to every gpu.module";
  let description = [{
    Gives each `gpu.module` one `#rocdl.target` or `#xevm.target` attribute, from
    which later passes read the chip. A module that already has a target of the same
    chip keeps it. A module with a target of another chip is an error, because its
    code may contain that chip's instructions.

    Example:
    ```mlir
    // --codegen-attach-target=chip=gfx942
    gpu.module @kernels {
    }
    // becomes
    gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    }
    ```
  }];
  let options = [
    BackendOption,
    Option<"triple", "triple", "std::string", "\"amdgcn-amd-amdhsa\"",
           "LLVM target triple">,
    Option<"chip", "chip", "std::string", "\"\"", "Processor name">,
    Option<"features", "features", "std::string", "\"\"",
           "LLVM subtarget features, as in \"+a,-b\"">,
    Option<"codeObjectVersion", "code-object-version", "unsigned", "5",
           "Version of the HSA code object: 5 or 6">,
    Option<"waveSize", "wave-size", "unsigned", "64", "Lanes in a wave">,
    Option<"optLevel", "opt-level", "unsigned", "2",
           "Optimization level, 0 to 3">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::xevm::XeVMDialect"];
}

def FinishDeviceCode : Pass<"codegen-finish-device-code", "::mlir::ModuleOp"> {
  let summary = "Wait for device code that is compiled in the background";
  let description = [{
    Stores the code that `codegen-compile-gpu-modules=async` has started to compile in
    the `gpu.binary` ops, and reports its errors and warnings.

    Example:
    ```mlir
    // --codegen-compile-gpu-modules=async --codegen-finish-device-code
    gpu.module @kernels [#rocdl.target<chip = "gfx942", abi = "500">] {
      llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
        llvm.return
      }
    }
    // becomes
    gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx942">,
                                     bin = "<ELF, relocatable>">]
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def CompileGPUModules : Pass<"codegen-compile-gpu-modules", "::mlir::ModuleOp"> {
  let summary = "Compile every gpu.module to a gpu.binary, in process";
  let description = [{
    Translates each `gpu.module` to LLVM IR, links the called functions of the ROCm
    device libraries, optimizes, runs the AMDGPU backend, and replaces the module by a
    `gpu.binary`. No external tool is called, and no file is written.

    The module must be in the LLVM and ROCDL dialects and have one `#rocdl.target`, or
    in the LLVM dialect with an `#xevm.target`. Optimization level, code object version
    (`abi`), wave size and math flags come from that attribute. For Intel GPUs, the
    result is SPIR-V; a call of a function that neither the module nor Intel's compiler
    defines is an error.

    Device libraries are searched for only if the module calls undefined functions: in
    `rocm-path` if given (and nowhere else), in the environment's ROCM_PATH, in
    /opt/rocm, and in the folders of Debian's packages. Their control constants
    (`__oclc_*`) are defined here, so that a chip may be newer than the libraries.

    Modules are compiled concurrently, and modules that differ in their names only
    are compiled once. With `async`, the pass does not wait: the
    `gpu.binary` has no bytes until `codegen-finish-device-code`, or the emission of
    host code, has waited for them, and passes on host code run in the meantime.

    Example:
    ```mlir
    // --codegen-compile-gpu-modules=format=asm
    gpu.module @kernels [#rocdl.target<chip = "gfx942", abi = "500">] {
      llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
        llvm.return
      }
    }
    // becomes
    gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx942">,
                                     assembly = "...">]
    ```
  }];
  let options = [
    Option<"format", "format", "::aircc::DeviceFormat",
           "::aircc::DeviceFormat::Object", "What to produce",
           [{::llvm::cl::values(
             clEnumValN(::aircc::DeviceFormat::LLVM, "llvm", "LLVM IR as text"),
             clEnumValN(::aircc::DeviceFormat::Assembly, "asm", "assembly"),
             clEnumValN(::aircc::DeviceFormat::Object, "obj",
                        "relocatable object, or SPIR-V"))}]>,
    Option<"rocmPath", "rocm-path", "std::string", "\"\"",
           "ROCm installation that provides the device libraries">,
    ListOption<"deviceLibs", "device-libs", "std::string",
               "Device libraries in link order, without .bc (default: ocml,ockl)">,
    Option<"async", "async", "bool", "false",
           "Do not wait for the code">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect"];
}

#endif // AIRCC_PIPELINE_CODEGEN_PASSES_TD
