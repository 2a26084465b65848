// Device code that is compiled in the background.
//
// RUN: split-file %s %t
// RUN: %aircc opt %t/two.mlir --codegen-attach-target=chip=gfx942 --codegen-compile-gpu-modules=async --mlir-print-ir-after=codegen-compile-gpu-modules 2>&1 >%t/async.mlir | FileCheck %t/two.mlir --check-prefix=PENDING
// RUN: FileCheck %t/two.mlir --check-prefix=DONE < %t/async.mlir
// The output is the same as that of a synchronous compile, also after linking.
// RUN: %aircc opt %t/two.mlir --codegen-attach-target=chip=gfx942 --codegen-compile-gpu-modules | cmp - %t/async.mlir
// RUN: %aircc opt %t/two.mlir --codegen-attach-target=chip=gfx942 --codegen-compile-gpu-modules=async --link-build-code-objects > %t/linked.mlir
// RUN: %aircc opt %t/two.mlir --codegen-attach-target=chip=gfx942 --codegen-compile-gpu-modules --link-build-code-objects | cmp - %t/linked.mlir
// RUN: %aircc opt %t/two.mlir --codegen-attach-target=chip=gfx942 --codegen-compile-gpu-modules=async --codegen-finish-device-code --link-build-code-objects | cmp - %t/linked.mlir
//
// Errors are reported at the op, in the order of the modules.
// RUN: not %aircc opt %t/calls.mlir --codegen-attach-target=chip=gfx942 --codegen-compile-gpu-modules=async 2>&1 | FileCheck %t/calls.mlir
// RUN: not %aircc opt %t/calls.mlir --codegen-attach-target=chip=gfx942 --codegen-compile-gpu-modules 2>&1 | FileCheck %t/calls.mlir
// RUN: not %aircc opt %t/two.mlir "--codegen-attach-target=chip=gfx942" "--codegen-compile-gpu-modules=async format=asm" --link-build-code-objects 2>&1 | FileCheck %t/two.mlir --check-prefix=NOOBJECT
// RUN: not %aircc opt %t/stale.mlir --codegen-attach-target=chip=gfx942 --codegen-compile-gpu-modules=async 2>&1 | FileCheck %t/stale.mlir

//--- two.mlir
// PENDING: gpu.binary @a {air.device_code_job = distinct[0]<>} [#gpu.object<{{.*}}, bin = "">]
// PENDING: gpu.binary @b {air.device_code_job = distinct[1]<>} [#gpu.object<{{.*}}, bin = "">]
// DONE: gpu.binary @a [#gpu.object<{{.*}}, bin = "\7FELF
// DONE-NOT: air.device_code_job
// DONE: gpu.binary @b [#gpu.object<{{.*}}, bin = "\7FELF
// DONE-NOT: air.device_code_job
// NOOBJECT: two.mlir:[[@LINE+1]]:1: error: 'gpu.binary' op contains no object code to link; run codegen with the format 'obj'
gpu.module @a {
  llvm.func @k(%p: !llvm.ptr<1>, %v: f32) attributes {gpu.kernel, rocdl.kernel} {
    llvm.store %v, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
gpu.module @b {
  llvm.func @k(%p: !llvm.ptr<1>, %v: i32) attributes {gpu.kernel, rocdl.kernel} {
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

//--- calls.mlir
gpu.module @a {
  llvm.func @first()
  llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
    // CHECK: calls.mlir:[[@LINE+1]]:5: error: calls 'first', which is not defined
    llvm.call @first() : () -> ()
    llvm.return
  }
}
gpu.module @b {
  llvm.func @second()
  llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
    // CHECK: calls.mlir:[[@LINE+1]]:5: error: calls 'second', which is not defined
    llvm.call @second() : () -> ()
    llvm.return
  }
}

//--- stale.mlir
// A job that the text names is not a job of this compile, whatever its number.
gpu.module @a {
  llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
    llvm.return
  }
}
// CHECK: stale.mlir:[[@LINE+1]]:1: error: 'gpu.binary' op has no code because it was printed before its code was compiled; run 'codegen-finish-device-code' before printing
gpu.binary @old {air.device_code_job = distinct[0]<>} [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "">]
