// OpenCL's functions find the maximum and minimum in a wave of which all lanes
// are active. Sums have a defined order.
// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-lower-reductions{backend=xevm chip=bmg wave-size=16}))" | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @whole_wave
  // CHECK-SAME: (%[[X:.*]]: f32, %[[I:.*]]: i32
  // CHECK: %[[MAX:.*]] = llvm.call spir_funccc @_Z32sub_group_non_uniform_reduce_maxf(%[[X]])
  // CHECK: %[[MIN:.*]] = llvm.call spir_funccc @_Z32sub_group_non_uniform_reduce_minf(%[[X]])
  // CHECK: llvm.call spir_funccc @_Z32sub_group_non_uniform_reduce_maxi(%[[I]])
  // CHECK: llvm.call spir_funccc @_Z32sub_group_non_uniform_reduce_minj(%[[I]])
  // CHECK-NOT: reduce_add
  // CHECK-COUNT-4: arith.addf
  gpu.func @whole_wave(%x: f32, %i: i32, %out: memref<?xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %max = gpu.subgroup_reduce maxnumf %x uniform : (f32) -> f32
    %min = gpu.subgroup_reduce minnumf %x uniform : (f32) -> f32
    %maxi = gpu.subgroup_reduce maxsi %i uniform : (i32) -> i32
    %minu = gpu.subgroup_reduce minui %i uniform : (i32) -> i32
    %sum = gpu.subgroup_reduce add %x uniform : (f32) -> f32
    %a = arith.addi %maxi, %minu : i32
    %f = arith.sitofp %a : i32 to f32
    %b = arith.mulf %max, %min : f32
    %c = arith.mulf %f, %sum : f32
    %d = arith.mulf %b, %c : f32
    memref.store %d, %out[%c0] : memref<?xf32>
    gpu.return
  }

  // A maximum that keeps NaNs is not that of the function.
  // CHECK-LABEL: gpu.func @keeps_nan
  // CHECK-NOT: reduce_max
  // CHECK: arith.maximumf
  gpu.func @keeps_nan(%x: f32, %out: memref<?xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %max = gpu.subgroup_reduce maximumf %x uniform : (f32) -> f32
    memref.store %max, %out[%c0] : memref<?xf32>
    gpu.return
  }
}
