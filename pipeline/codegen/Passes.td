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
    An op of the AIR dialect anywhere in the module is an error, because without
    stage `hierarchy`, there is no kernel to compile. If such ops are nested,
    only the outermost one is reported.

    If a module contains linalg ops or parallel loops but no kernel, the first
    of these ops gets a warning that it executes on the host.

    With `portable-kernels`, ops, types and attributes of the LLVM, ROCDL and
    XeVM dialects in kernels are also errors. Programs may contain them, so they
    are valid by default, but earlier stages must not create them; tests use
    this option.

    Example:
    ```mlir
    func.func @main() {
      // error: must be lowered before stage 'codegen'; run stage 'hierarchy' first
      air.launch () in () {
      }
      return
    }
    ```
  }];
  let options = [
    Option<"portableKernels", "portable-kernels", "bool", "false",
           "Reject backend ops, types and attributes in kernels">
  ];
}

def GroupModules : Pass<"codegen-group-modules", "::mlir::ModuleOp"> {
  let summary = "Merge gpu.modules if there are very many";
  let description = [{
    If a program has at least `min-modules` gpu.modules, the contents of each
    `group-size` of them with the same attributes become one gpu.module, and their
    launches are updated. Each gpu.module has fixed costs, when it is compiled and
    when the program loads it, which are larger than those of a small kernel. Other
    programs are left as they are, and so are modules with ops other than functions and
    `memref.global`s, and those that anything but `gpu.launch_func` refers to.

    Kernels whose names are taken get the name of their module if it is free, and other
    symbols unique names. A function that several modules only declare is declared
    once.

    The stage codegen runs it unless programs outside of the module may launch kernels
    by their names, or kernels have debug information.

    Example:
    ```mlir
    // --codegen-group-modules="min-modules=2 group-size=2"
    module attributes {gpu.container_module} {
      gpu.module @f {
        gpu.func @kernel() kernel {
          gpu.return
        }
      }
      gpu.module @g {
        gpu.func @kernel(%a: memref<64xf32>) kernel {
          gpu.return
        }
      }
      func.func @main(%a: memref<64xf32>) {
        %c1 = arith.constant 1 : index
        gpu.launch_func @f::@kernel blocks in (%c1, %c1, %c1)
            threads in (%c1, %c1, %c1)
        gpu.launch_func @g::@kernel blocks in (%c1, %c1, %c1)
            threads in (%c1, %c1, %c1) args(%a : memref<64xf32>)
        return
      }
    }
    // becomes
    gpu.module @f {
      gpu.func @kernel() kernel {
        gpu.return
      }
      gpu.func @g(%a: memref<64xf32>) kernel {
        gpu.return
      }
    }
    func.func @main(%a: memref<64xf32>) {
      %c1 = arith.constant 1 : index
      gpu.launch_func @f::@kernel blocks in (%c1, %c1, %c1)
          threads in (%c1, %c1, %c1)
      gpu.launch_func @f::@g blocks in (%c1, %c1, %c1)
          threads in (%c1, %c1, %c1) args(%a : memref<64xf32>)
      return
    }
    ```
  }];
  let options = [
    Option<"minModules", "min-modules", "unsigned", "256",
           "Number of gpu.modules from which they are grouped">,
    Option<"groupSize", "group-size", "unsigned", "8",
           "Number of gpu.modules that become one">
  ];
  let statistics = [Statistic<"grouped", "grouped-modules",
                              "Number of modules that were moved">];
}

def AttachTarget : Pass<"codegen-attach-target", "::mlir::ModuleOp"> {
  let summary = "Attach the profile's target to every gpu.module";
  let description = [{
    Adds a `#rocdl.target` or `#xevm.target` attribute to each `gpu.module`,
    from which later passes read the chip. If a module already has a target with
    the same chip, that target is kept. A target with another chip is an error,
    because the code may contain that chip's instructions.

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
           "The LLVM target triple">,
    Option<"chip", "chip", "std::string", "\"\"", "The processor name">,
    Option<"features", "features", "std::string", "\"\"",
           "LLVM subtarget features, as in \"+a,-b\"">,
    Option<"codeObjectVersion", "code-object-version", "unsigned", "5",
           "The version of the HSA code object: 5 or 6">,
    Option<"waveSize", "wave-size", "unsigned", "64", "The number of lanes in a wave">,
    Option<"optLevel", "opt-level", "unsigned", "2",
           "The optimization level, 0 to 3">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::xevm::XeVMDialect"];
}

def FinishDeviceCode : Pass<"codegen-finish-device-code", "::mlir::ModuleOp"> {
  let summary = "Wait for device code that is compiled in the background";
  let description = [{
    Stores the code that `codegen-compile-gpu-modules=async` has started to
    compile in the `gpu.binary` ops, and reports its errors and warnings.

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
    Translates each `gpu.module` to LLVM IR, links the functions that it calls
    from the ROCm device libraries, optimizes, runs the AMDGPU backend, and
    replaces the module with a `gpu.binary`. The pass calls no external tools
    and writes no files.

    The module must be in the LLVM and ROCDL dialects with one `#rocdl.target`,
    or in the LLVM dialect with an `#xevm.target`. The optimization level, code
    object version (`abi`), wave size and math flags come from that attribute.
    For Intel GPUs, the result is SPIR-V. There, a call to a function that
    neither the module nor Intel's compiler defines is an error.

    The pass only searches for device libraries if the module calls undefined
    functions. It searches `rocm-path` if given (and nothing else); otherwise
    ROCM_PATH from the environment, /opt/rocm, and the directories of Debian's
    packages. It defines their control constants (`__oclc_*`) itself, so that a
    chip may be newer than the libraries.

    Modules are compiled concurrently. If modules only differ in their names,
    they are compiled once. With `async`, the pass does not wait: the
    `gpu.binary` has no bytes until `codegen-finish-device-code` or the emission
    of host code has waited for them, and passes on host code run in the
    meantime.

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
           "::aircc::DeviceFormat::Object", "The output format",
           [{::llvm::cl::values(
             clEnumValN(::aircc::DeviceFormat::LLVM, "llvm", "LLVM IR as text"),
             clEnumValN(::aircc::DeviceFormat::Assembly, "asm", "assembly"),
             clEnumValN(::aircc::DeviceFormat::Object, "obj",
                        "relocatable object, or SPIR-V"))}]>,
    Option<"rocmPath", "rocm-path", "std::string", "\"\"",
           "The ROCm installation that provides the device libraries">,
    ListOption<"deviceLibs", "device-libs", "std::string",
               "Device libraries in link order, without .bc (default: ocml,ockl)">,
    Option<"async", "async", "bool", "false",
           "Do not wait for the compiled code">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect"];
}

#endif // AIRCC_PIPELINE_CODEGEN_PASSES_TD
