// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-lower-launch-sizes{wave-size=64},canonicalize))" | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @known
  // CHECK-SAME:    %[[OUT:[^:]*]]: memref
  // CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG:     %[[C7:.*]] = arith.constant 7 : index
  // CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
  // CHECK:         memref.store %[[C2]], %[[OUT]]
  // CHECK:         memref.store %[[C7]], %[[OUT]]
  // 96 * 2 lanes are three waves of 64.
  // CHECK:         memref.store %[[C3]], %[[OUT]]
  gpu.func @known(%out: memref<4xindex>, %i: index) kernel
      attributes {known_block_size = array<i32: 96, 2, 1>, known_grid_size = array<i32: 5, 6, 7>} {
    %0 = gpu.block_dim y
    memref.store %0, %out[%i] : memref<4xindex>
    %1 = gpu.grid_dim z
    memref.store %1, %out[%i] : memref<4xindex>
    %2 = gpu.num_subgroups : index
    memref.store %2, %out[%i] : memref<4xindex>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @unknown
  // CHECK:         %[[ARGS:.*]] = llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"() : () -> !llvm.ptr<4>
  // CHECK:         %[[Y:.*]] = llvm.getelementptr %[[ARGS]][14] : (!llvm.ptr<4>) -> !llvm.ptr<4>, i8
  // CHECK:         llvm.load %[[Y]] invariant {alignment = 2 : i64} : !llvm.ptr<4> -> i16
  // CHECK:         llvm.getelementptr %{{.*}}[8] : (!llvm.ptr<4>) -> !llvm.ptr<4>, i8
  // CHECK:         llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr<4> -> i32
  gpu.func @unknown(%out: memref<4xindex>, %i: index) kernel {
    %0 = gpu.block_dim y
    memref.store %0, %out[%i] : memref<4xindex>
    %1 = gpu.grid_dim z
    memref.store %1, %out[%i] : memref<4xindex>
    gpu.return
  }
}
