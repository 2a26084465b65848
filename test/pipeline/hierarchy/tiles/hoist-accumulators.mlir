// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(hierarchy-lower-herds,canonicalize))' | FileCheck %s
// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(hierarchy-lower-herds,aircc-place-barriers,canonicalize))' | FileCheck %s --check-prefix=PLACED --implicit-check-not=kernel.access

// An accumulator that loops keep in LDS is moved to registers, also out of several loops. Reads
// before the outer loop and writes after it are the only remaining accesses.

// Before, nothing in LDS has been accessed; after, anyone may do so.

!lds = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @nested
  // CHECK: %[[SUM:.*]] = memref.view
  // CHECK-NOT: kernel.barrier
  // CHECK: kernel.access workgroup writes(%[[SUM]] : memref<64xf32, #gpu.address_space<workgroup>>)
  // CHECK-NEXT: vector.transfer_read %[[SUM]]
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: scf.for
  // CHECK-NOT: kernel
  // CHECK: vector.transfer_write {{.*}}, %[[SUM]]
  // CHECK-NEXT: kernel.access workgroup writes(%[[SUM]] :
  // CHECK-NEXT: gpu.return
  // PLACED-LABEL: gpu.func @nested
  // PLACED-NOT: kernel.barrier
  // PLACED: vector.transfer_read
  // PLACED-NOT: kernel.barrier
  // PLACED: vector.transfer_write
  // PLACED-NEXT: kernel.barrier workgroup
  // PLACED-NEXT: gpu.return
  gpu.func @nested(%n: index, %v: vector<64xf32>) workgroup(%lds: memref<512xi8, #gpu.address_space<workgroup>>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64, known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    %sum = memref.view %lds[%c0][] {kernel.lds_range = array<i64: 0, 256>} : memref<512xi8, #gpu.address_space<workgroup>> to !lds
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %old = vector.transfer_read %sum[%c0], %z {in_bounds = [true], layout.scope = #layout.scope<workgroup>} : !lds, vector<64xf32>
        %new = arith.addf %old, %v : vector<64xf32>
        vector.transfer_write %new, %sum[%c0] {in_bounds = [true], layout.scope = #layout.scope<workgroup>} : vector<64xf32>, !lds
      }
    }
    gpu.return
  }

  // A wave's own sum, which has been written before.
  // CHECK-LABEL: gpu.func @of_wave
  // CHECK: memref.store
  // CHECK-NEXT: kernel.access wave writes(%[[SUM:.*]] : memref<64xf32, #gpu.address_space<workgroup>>)
  // CHECK-NEXT: vector.transfer_read %[[SUM]]
  // CHECK: vector.transfer_write {{.*}}, %[[SUM]]
  // CHECK-NEXT: kernel.access wave writes(%[[SUM]] :
  // CHECK-NEXT: gpu.return
  // PLACED-LABEL: gpu.func @of_wave
  // PLACED: memref.store
  // PLACED-NEXT: kernel.barrier wave{{$}}
  // PLACED-NEXT: vector.transfer_read
  // PLACED-NOT: kernel.barrier
  // PLACED: vector.transfer_write
  // PLACED-NEXT: kernel.barrier wave{{$}}
  // PLACED-NEXT: gpu.return
  gpu.func @of_wave(%n: index, %f: f32, %v: vector<64xf32>) workgroup(%lds: memref<512xi8, #gpu.address_space<workgroup>>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64, known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    %sum = memref.view %lds[%c0][] {kernel.lds_range = array<i64: 0, 256>, kernel.per_wave} : memref<512xi8, #gpu.address_space<workgroup>> to !lds
    memref.store %f, %sum[%c0] : !lds
    scf.for %i = %c0 to %n step %c1 {
      %old = vector.transfer_read %sum[%c0], %z {in_bounds = [true], layout.scope = #layout.scope<wave>} : !lds, vector<64xf32>
      %new = arith.addf %old, %v : vector<64xf32>
      vector.transfer_write %new, %sum[%c0] {in_bounds = [true], layout.scope = #layout.scope<wave>} : vector<64xf32>, !lds
    }
    gpu.return
  }
}
