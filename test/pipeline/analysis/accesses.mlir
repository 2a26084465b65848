// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(test-print-accesses))' | FileCheck %s

gpu.module @kernels {
  // Workgroup-level code: one worker executes stores, all workers execute reads.
  // CHECK-LABEL: gpu.func @workgroup
  gpu.func @workgroup(%m: memref<64xi32>) workgroup(%lds: memref<1024xi8, #gpu.address_space<workgroup>>) private(%p: memref<64xi32, #gpu.address_space<private>>) kernel attributes {kernel.scope = #kernel.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %w = memref.view %lds[%c256][] {kernel.lds_range = array<i64: 256, 512>} : memref<1024xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
    %part = memref.subview %w[32] [8] [1] : memref<64xi32, #gpu.address_space<workgroup>> to memref<8xi32, strided<[1], offset: 32>, #gpu.address_space<workgroup>>
    // CHECK: memref.load %arg0{{.*}} {accesses = ["read global all"]}
    %0 = memref.load %m[%c0] : memref<64xi32>
    // CHECK: memref.store {{.*}} {accesses = ["write workgroup [256, 512) one"]}
    memref.store %0, %part[%c0] : memref<8xi32, strided<[1], offset: 32>, #gpu.address_space<workgroup>>
    // Memory that is private to a lane cannot conflict.
    // CHECK: memref.store
    // CHECK-NOT: accesses
    // CHECK: memref.copy {{.*}} {accesses = ["read workgroup [256, 512) one", "write global one"]}
    memref.store %0, %p[%c0] : memref<64xi32, #gpu.address_space<private>>
    memref.copy %w, %m : memref<64xi32, #gpu.address_space<workgroup>> to memref<64xi32>
    gpu.return
  }

  // Code of lanes. A load straight to LDS does not wait.
  // CHECK-LABEL: gpu.func @lanes
  gpu.func @lanes(%m: memref<64xi32>) workgroup(%w: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    // CHECK: amdgpu.gather_to_lds {{.*}} {accesses = ["async read global lanes", "async write workgroup lanes"]}
    amdgpu.gather_to_lds %m[%c0], %w[%c0] : i32, memref<64xi32>, memref<64xi32, #gpu.address_space<workgroup>>
    // CHECK: kernel.barrier workgroup
    // CHECK-NOT: accesses
    // CHECK: memref.load {{.*}} {accesses = ["read workgroup lanes"]}
    kernel.barrier workgroup
    %0 = memref.load %w[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
    // A call may do anything.
    // CHECK: func.call @f() {accesses = ["write any lanes"]}
    func.call @f() : () -> ()
    gpu.return
  }
  func.func private @f()
}
