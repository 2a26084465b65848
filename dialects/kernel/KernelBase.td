//===- KernelBase.td - The kernel dialect and its attributes -*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_KERNELBASE_TD
#define AIRCC_DIALECTS_KERNEL_KERNELBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::aircc::kernel";
  let summary = "How the workers of a kernel execute and synchronize";
  let description = [{
    The execution model of GPU kernels, independent of the vendor. A kernel runs
    on lanes; lanes form waves (subgroups), waves form workgroups, and the
    workgroups of all launches share a device. `#kernel.scope` names one of these
    levels. `kernel.barrier` and `kernel.fence` synchronize the workers of a
    scope.

    All stages before `codegen` write synchronization in these ops. Stage
    `codegen` lowers them once for each back end (`codegen-lower-kernel-ops`). A
    `gpu.barrier` of the input program is a `kernel.barrier` of scope workgroup.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

def Kernel_Scope
    : I32EnumAttr<"Scope", "workers that execute or synchronize together",
                  [I32EnumAttrCase<"Lane", 0, "lane">,
                   I32EnumAttrCase<"Wave", 1, "wave">,
                   I32EnumAttrCase<"Workgroup", 2, "workgroup">,
                   I32EnumAttrCase<"Device", 3, "device">,
                   I32EnumAttrCase<"System", 4, "system">]> {
  let cppNamespace = "::aircc::kernel";
  let genSpecializedAttr = 0;
}

def Kernel_ScopeAttr : EnumAttr<Kernel_Dialect, Kernel_Scope, "scope"> {
  let summary = "The workers that an op concerns";
  let description = [{
    | scope       | workers                                                     |
    | ----------- | ----------------------------------------------------------- |
    | `lane`      | one lane                                                    |
    | `wave`      | the lanes that execute an instruction together (a subgroup) |
    | `workgroup` | the waves that share LDS and a barrier                      |
    | `device`    | all workgroups of one device                                |
    | `system`    | all devices and the host                                    |

    Each scope contains the one above it.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Kernel_Ordering
    : I32EnumAttr<"Ordering", "which accesses a fence orders",
                  [I32EnumAttrCase<"Acquire", 0, "acquire">,
                   I32EnumAttrCase<"Release", 1, "release">,
                   I32EnumAttrCase<"AcqRel", 2, "acq_rel">]> {
  let cppNamespace = "::aircc::kernel";
  let genSpecializedAttr = 0;
}

def Kernel_OrderingAttr
    : EnumAttr<Kernel_Dialect, Kernel_Ordering, "ordering"> {
  let summary = "Which accesses a fence orders";
  let description = [{
    `release`: accesses before the fence are visible to others before stores that
    follow it. `acquire`: accesses after the fence see what others released
    before a load that precedes it. `acq_rel`: both.
  }];
  let assemblyFormat = "`<` $value `>`";
}

#endif // AIRCC_DIALECTS_KERNEL_KERNELBASE_TD
