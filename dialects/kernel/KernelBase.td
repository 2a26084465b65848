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
    This dialect defines the execution model of GPU kernels, independently of
    the vendor. A kernel executes on lanes. Lanes form waves (subgroups), waves
    form workgroups, and the workgroups of all launches share a device.
    `#kernel.scope` names one of these levels. `kernel.barrier` and
    `kernel.fence` synchronize the workers of a scope.

    All stages before `codegen` use these ops for synchronization. Stage
    `codegen` lowers them for each backend (`codegen-lower-kernel-ops`). A
    `gpu.barrier` in the input program becomes a `kernel.barrier` of scope
    workgroup.

    The dialect also has instructions that upstream only has in backend
    dialects, so that the stages before `codegen` are independent of the
    backend: per-lane instructions (`codegen-lower-lane-ops`), and block and
    matrix ops of Xe subgroups (`codegen-lower-block-ops`).

    Until code is lowered to per-lane code, the passes of stage `hierarchy`
    record its execution model in discardable attributes:

    | attribute             | on                          | value and meaning       |
    | --------------------- | --------------------------- | ----------------------- |
    | `kernel.scope`        | a kernel, an op with regions | `#kernel.scope`: the workers that execute its code as one program (a lane, a wave or the workgroup) |
    | `kernel.wave_size`    | a kernel                    | i64: the number of lanes in a wave |
    | `kernel.pe_is_lane`   | a kernel, an `air.launch`   | unit: each PE of a herd is a lane, not a wave |
    | `kernel.has_wave_ids` | a kernel                    | unit: the device provides the number of a wave (`gpu.subgroup_id`) |
    | `kernel.pes_in_row`   | a kernel                    | unit: the PEs of all herds are numbered in one row of the workgroup |
    | `kernel.name`         | a launch                    | string: the kernel's name |
    | `kernel.every_lane`   | an op                       | unit: each lane executes the op separately |
    | `kernel.lds_range`    | the view of a buffer in LDS or in a `kernel.arena` | two i64: its first byte and the byte after its last, for all waves, among the buffers of that memory |
    | `kernel.per_wave`     | such a view                 | unit: each wave has its own buffer |
    | `kernel.own_buffers`  | an op with regions          | i64 list: the kernel's private attributions for buffers allocated in the op |
    | `kernel.prefetch`     | `air.dma_memcpy_nd`         | unit: it loads a later iteration's tile into a buffer that is not accessed until then; the `kernel.access` at the start of each iteration orders it |

    The i64 attribute `kernel.alignment` of a workgroup attribution of a
    `gpu.func` is the alignment of that buffer in bytes.

    In this table, a kernel is a `gpu.launch` or a function in a `gpu.module`.
    Stage `codegen` records the linked files in `kernel.device_libraries`, a
    list of strings on a `gpu.binary` or `gpu.module`.

    The dialect verifies these attributes on every op. Other attributes with the
    prefix `kernel.` are errors.
  }];
  let hasOperationAttrVerify = 1;
  let discardableAttrs = (ins
    "::aircc::kernel::ScopeAttr":$scope,
    "::mlir::IntegerAttr":$wave_size,
    "::mlir::UnitAttr":$pe_is_lane,
    "::mlir::UnitAttr":$has_wave_ids,
    "::mlir::UnitAttr":$pes_in_row,
    "::mlir::StringAttr":$name,
    "::mlir::UnitAttr":$every_lane,
    "::mlir::DenseI64ArrayAttr":$lds_range,
    "::mlir::UnitAttr":$per_wave,
    "::mlir::DenseI64ArrayAttr":$own_buffers,
    "::mlir::UnitAttr":$prefetch,
    "::mlir::ArrayAttr":$device_libraries
  );
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
  let summary = "The workers that execute or synchronize together";
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
    With `release`, accesses before the fence are visible to other workers
    before stores after the fence. With `acquire`, if a load before the fence
    has read a released store, accesses after the fence see all accesses before
    that release. `acq_rel` does both.
  }];
  let assemblyFormat = "`<` $value `>`";
}

#endif // AIRCC_DIALECTS_KERNEL_KERNELBASE_TD
