// RUN: %aircc opt %s --split-input-file --link-share-host-memory | FileCheck %s
// RUN: %aircc opt %s --split-input-file --link-share-host-memory=whole-program=true | FileCheck %s

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<?xf32>) kernel { gpu.return }
}

// An allocation and its deallocation change together; others stay.
// CHECK-LABEL: func.func @direct
// CHECK-SAME:    %[[N:.*]]: index
func.func @direct(%n: index) {
  %c1 = arith.constant 1 : index
  // CHECK: %[[M:.*]] = gpu.alloc  host_shared (%[[N]]) : memref<?xf32>
  %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  // CHECK: %[[H:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
  %h = memref.alloc(%n) : memref<?xf32>
  // CHECK: memref.copy %[[H]], %[[M]]
  memref.copy %h, %m : memref<?xf32> to memref<?xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<?xf32>)
  // CHECK: gpu.dealloc  %[[M]] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  // CHECK: memref.dealloc %[[H]]
  memref.dealloc %h : memref<?xf32>
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<?xf32, strided<[1], offset: ?>>) kernel { gpu.return }
}

// A private function returns the buffer, a public one passes it on, another
// frees it.
// CHECK-LABEL: func.func private @make
// CHECK:         gpu.alloc  host_shared
func.func private @make() -> memref<64xf32> {
  %m = memref.alloc() : memref<64xf32>
  return %m : memref<64xf32>
}
func.func @run(%m: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %m[%c1] [%c1] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%v : memref<?xf32, strided<[1], offset: ?>>)
  return
}
// CHECK-LABEL: func.func private @free
// CHECK:         gpu.dealloc
func.func private @free(%m: memref<64xf32>) {
  memref.dealloc %m : memref<64xf32>
  return
}
func.func @calls() {
  %m = call @make() : () -> memref<64xf32>
  %d = memref.cast %m : memref<64xf32> to memref<?xf32>
  call @run(%d) : (memref<?xf32>) -> ()
  call @free(%m) : (memref<64xf32>) -> ()
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>) kernel { gpu.return }
}

// One deallocation of two allocations: both change, although only one of them
// reaches a kernel. So does the other deallocation of either.
// CHECK-LABEL: func.func @together
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @together(%c: i1) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
    scf.yield %a, %b : memref<4xf32>, memref<4xf32>
  } else {
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %r#0 : memref<4xf32>
  %u = memref.cast %r#1 : memref<4xf32> to memref<*xf32>
  memref.dealloc %u : memref<*xf32>
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<?xf32>) kernel { gpu.return }
}

// A reallocation frees the old buffer, in the same way.
// CHECK-LABEL: func.func @realloc
// CHECK:         gpu.alloc  host_shared
// CHECK:         scf.if
// CHECK:           gpu.alloc  host_shared
// CHECK:           memref.copy
// CHECK:           gpu.dealloc
// CHECK-NOT:     memref.dealloc
// CHECK:         gpu.dealloc
func.func @realloc(%n: index) {
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%c1) : memref<?xf32>
  %r = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%r : memref<?xf32>)
  memref.dealloc %r : memref<?xf32>
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>) kernel { gpu.return }
}
memref.global "private" constant @table : memref<4xf32> = dense<1.0>

// The memory of an alloca is freed at the end of its scope: at each return, and
// in each iteration of a loop. A constant is copied.
// CHECK-LABEL: func.func @scopes
// CHECK:         %[[T:.*]] = gpu.alloc  host_shared () : memref<4xf32>
// CHECK:         %[[G:.*]] = memref.get_global @table
// CHECK:         memref.copy %[[G]], %[[T]]
// CHECK:         %[[A:.*]] = gpu.alloc  host_shared () : memref<4xf32>
// CHECK:         scf.for
// CHECK:           %[[B:.*]] = gpu.alloc  host_shared () : memref<4xf32>
// CHECK:           args(%[[B]] : memref<4xf32>)
// CHECK:           args(%[[T]] : memref<4xf32>)
// CHECK:           gpu.dealloc  %[[B]]
// CHECK:         }
// CHECK:         cf.cond_br
// CHECK-DAG:     gpu.dealloc  %[[A]]
// CHECK-DAG:     gpu.dealloc  %[[T]]
// CHECK:         return
// CHECK-DAG:     gpu.dealloc  %[[A]]
// CHECK-DAG:     gpu.dealloc  %[[T]]
// CHECK:         return
func.func @scopes(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloca() : memref<4xf32>
    %t = memref.get_global @table : memref<4xf32>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<4xf32>)
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%t : memref<4xf32>)
  }
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
  cf.cond_br %c, ^yes, ^no
^yes:
  return
^no:
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>) kernel { gpu.return }
}
func.func private @mgpuMemHostRegisterMemRef(memref<*xf32>)

// Memory that the program registers or that comes from a caller stays as it is,
// and so does what is the device's already.
// CHECK-LABEL: func.func @theirs
// CHECK-COUNT-2: memref.alloc
// CHECK:         gpu.alloc () : memref<4xf32>
// CHECK-COUNT-2: memref.dealloc
func.func @theirs(%arg: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %ua = memref.cast %a : memref<4xf32> to memref<*xf32>
  gpu.host_register %ua : memref<*xf32>
  %b = memref.alloc() : memref<4xf32>
  %ub = memref.cast %b : memref<4xf32> to memref<*xf32>
  call @mgpuMemHostRegisterMemRef(%ub) : (memref<*xf32>) -> ()
  %d = gpu.alloc () : memref<4xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<4xf32>)
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%d : memref<4xf32>)
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%arg : memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}
}

// -----

// Kernels are in the LLVM dialect by now. The folder of llvm.extractvalue takes
// a row of equal numbers for the number, on which that of llvm.shl crashes: this
// analysis must not fold such ops.
module attributes {gpu.container_module} {
gpu.module @k {
  llvm.func @k(%v: vector<4xi32>) -> vector<4xi32> {
    %rows = llvm.mlir.constant(dense<16> : vector<1x4xi32>) : !llvm.array<1 x vector<4xi32>>
    %c16 = llvm.extractvalue %rows[0] : !llvm.array<1 x vector<4xi32>>
    %s = llvm.shl %v, %c16 : vector<4xi32>
    llvm.return %s : vector<4xi32>
  }
}
// CHECK-LABEL: func.func @beside_vectors
// CHECK: gpu.alloc host_shared
func.func @beside_vectors() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  %zero = arith.constant 0.0 : f32
  gpu.memset %m, %zero : memref<4xf32>, f32
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>) kernel { gpu.return }
}
llvm.func @mgpuMemHostRegister(!llvm.ptr, i64)

// The program may register memory by its address.
// CHECK-LABEL: func.func @address
// CHECK:         memref.alloc
// CHECK:         gpu.alloc  host_shared
// CHECK:         memref.dealloc
// CHECK:         gpu.dealloc
func.func @address() {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %n = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %n : i64 to !llvm.ptr
  %bytes = arith.constant 16 : i64
  llvm.call @mgpuMemHostRegister(%p, %bytes) : (!llvm.ptr, i64) -> ()
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}
}
