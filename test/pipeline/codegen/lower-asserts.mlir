// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-lower-asserts))" | FileCheck %s

// There is one copy of each text. All assertions store the address of their text to the same
// variable.

// CHECK-LABEL: gpu.module @m
// CHECK-DAG:     llvm.mlir.global internal constant @[[OUT:.*]]("outside\00") {addr_space = 4 : i32}
// CHECK-DAG:     llvm.mlir.global internal constant @[[NEG:.*]]("negative\00") {addr_space = 4 : i32}
// The message that is printed contains the location of the assertion.
// CHECK-DAG:     llvm.mlir.global internal constant @{{.*}}("lower-asserts.mlir:[[#@LINE+24]]:5: assertion failed: outside (workgroup %lld, %lld, %lld, thread %lld, %lld, %lld)\0A\00") {addr_space = 4 : i32}
// CHECK-DAG:     llvm.mlir.global external protected @__aircc_assertion() {addr_space = 1 : i32, alignment = 8 : i64} : !llvm.ptr<4>
// CHECK-LABEL:   gpu.func @k
// CHECK:         scf.if
// CHECK:           %[[TEXT:.*]] = llvm.mlir.addressof @[[OUT]] : !llvm.ptr<4>
// CHECK:           %[[PLACE:.*]] = llvm.mlir.addressof @__aircc_assertion : !llvm.ptr<1>
// CHECK:           llvm.store volatile %[[TEXT]], %[[PLACE]]
// CHECK:           %[[LANE:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK-NEXT:      %[[FIRST:.*]] = rocdl.readfirstlane %[[LANE]] : i32
// CHECK-NEXT:      %[[IS:.*]] = arith.cmpi eq, %[[LANE]], %[[FIRST]] : i32
// CHECK-NEXT:      scf.if %[[IS]] {
// CHECK:             llvm.call @__ockl_fprintf_stderr_begin() : () -> i64
// CHECK:             llvm.call @__ockl_printf_append_string_n
// CHECK:             llvm.call @__ockl_printf_append_args
// CHECK-NEXT:      }
// CHECK-NEXT:      llvm.intr.trap
// CHECK:         scf.if
// CHECK:           llvm.mlir.addressof @[[NEG]]
// CHECK:           llvm.intr.trap
// CHECK-LABEL:   func.func @f
// CHECK:           llvm.mlir.addressof @[[OUT]]
// CHECK-NOT:     cf.assert
gpu.module @m {
  gpu.func @k(%a: i1, %b: i1) kernel {
    cf.assert %a, "outside"
    cf.assert %b, "negative"
    gpu.return
  }
  func.func @f(%a: i1) {
    cf.assert %a, "outside"
    return
  }
}

// A module without assertions is unchanged.

// CHECK-LABEL: gpu.module @none
// CHECK-NOT:     llvm.mlir.global
gpu.module @none {
  gpu.func @k() kernel {
    gpu.return
  }
}
