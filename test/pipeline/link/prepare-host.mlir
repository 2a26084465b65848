// RUN: %aircc opt %s --split-input-file --link-prepare-host | FileCheck %s
// RUN: not %aircc opt %S/Inputs/bad-host.mlir --split-input-file --link-prepare-host 2>&1 | FileCheck %S/Inputs/bad-host.mlir

// CHECK-LABEL: func.func @main() -> i32
// CHECK:         %[[OK:.*]] = arith.constant 0 : i32
// CHECK:         return %[[OK]] : i32
// A public function gets a C interface, a private one is internal to the object.
// CHECK-LABEL: func.func @public() attributes {llvm.emit_c_interface}
// CHECK-LABEL: func.func private @helper() attributes {llvm.linkage = #llvm.linkage<internal>}
func.func @main() {
  return
}
func.func @public() {
  return
}
func.func private @helper() {
  return
}

// -----

// CHECK-LABEL: func.func @main(%{{.*}}: i32, %{{.*}}: !llvm.ptr) -> i32
// CHECK:         %[[STATUS:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK:         return %[[STATUS]] : i32
func.func @main(%argc: i32, %argv: !llvm.ptr) -> i64 {
  %0 = arith.extsi %argc : i32 to i64
  return %0 : i64
}

// -----

// Tokens are replaced by program order.
// CHECK-LABEL: func.func @tokens
// CHECK-NOT:     async
// CHECK:         %[[A:.*]] = gpu.alloc (%{{.*}}) : memref<?xf32>
// CHECK-NEXT:    gpu.memcpy %[[A]], %{{.*}}
// CHECK-NEXT:    gpu.launch_func @k::@k blocks in
// CHECK-NEXT:    gpu.memcpy %{{.*}}, %[[A]]
// CHECK-NEXT:    gpu.dealloc %[[A]]
// CHECK-NEXT:    return
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @k(%a: memref<?xf32>) kernel {
      gpu.return
    }
  }
  func.func @tokens(%host: memref<?xf32>, %n: index) {
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] (%n) : memref<?xf32>
    %t2 = gpu.memcpy async [%t1] %a, %host : memref<?xf32>, memref<?xf32>
    %t3 = gpu.launch_func async [%t2, %t1] @k::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<?xf32>)
    %t4 = gpu.memcpy async [%t3] %host, %a : memref<?xf32>, memref<?xf32>
    %t5 = gpu.dealloc async [%t4] %a : memref<?xf32>
    gpu.wait [%t5, %t3]
    return
  }
}
