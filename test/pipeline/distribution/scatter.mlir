// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json},aircc-place-barriers,canonicalize,cse))' | FileCheck %s

// If several elements are stored to one address, the last one wins: the waves store one after
// another, and in each wave the lanes.

#waves = #layout.nested<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>
#batches = #layout.nested<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @waves
  // CHECK-NOT: kernel.barrier
  // CHECK: scf.for
  // CHECK-NEXT: kernel.barrier wave
  // CHECK: memref.store
  // CHECK: kernel.barrier workgroup{{$}}
  // CHECK: scf.for
  // CHECK-NEXT: kernel.barrier wave
  // CHECK: memref.store
  // CHECK-NOT: kernel.barrier
  gpu.func @waves(%m: memref<64xf32>, %i: memref<128xi32>, %v: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %zi = arith.constant 0 : i32
    %indices = vector.transfer_read %i[%c0], %zi {in_bounds = [true], layout.results = [#waves]} : memref<128xi32>, vector<128xi32>
    %values = vector.transfer_read %v[%c0], %z {in_bounds = [true], layout.results = [#waves]} : memref<128xf32>, vector<128xf32>
    %mask = arith.cmpi sge, %indices, %indices {layout.results = [#waves]} : vector<128xi32>
    vector.scatter %m[%c0] [%indices], %mask, %values : memref<64xf32>, vector<128xi32>, vector<128xi1>, vector<128xf32>
    gpu.return
  }

  // One of the two waves stores, so it only waits for itself.
  // CHECK-LABEL: gpu.func @one_wave
  // CHECK-NOT: kernel.barrier workgroup
  // CHECK: scf.for
  // CHECK-NEXT: kernel.barrier wave
  // CHECK: memref.store
  // CHECK: scf.for
  // CHECK-NEXT: kernel.barrier wave
  // CHECK: memref.store
  // CHECK-NOT: kernel.barrier
  gpu.func @one_wave(%m: memref<64xf32>, %i: memref<128xi32>, %v: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %zi = arith.constant 0 : i32
    %indices = vector.transfer_read %i[%c0], %zi {in_bounds = [true], layout.results = [#batches]} : memref<128xi32>, vector<128xi32>
    %values = vector.transfer_read %v[%c0], %z {in_bounds = [true], layout.results = [#batches]} : memref<128xf32>, vector<128xf32>
    %mask = arith.cmpi sge, %indices, %indices {layout.results = [#batches]} : vector<128xi32>
    vector.scatter %m[%c0] [%indices], %mask, %values : memref<64xf32>, vector<128xi32>, vector<128xi1>, vector<128xf32>
    gpu.return
  }
}
