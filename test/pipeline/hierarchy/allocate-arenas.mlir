// RUN: %aircc opt %s --hierarchy-allocate-arenas --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

// Two launches with grids of other sizes, one with a token; two arenas, one of a
// size that depends on an argument and on the grid.
module attributes {gpu.container_module} {
  // CHECK-LABEL: gpu.func @k
  // CHECK-SAME: (%[[N:.*]]: index, %[[V:.*]]: f32, %[[P0:.*]]: memref<?xi8>, %[[P1:.*]]: memref<?xi8>)
  // CHECK-DAG: %[[BZ:.*]] = gpu.block_id z
  // CHECK-DAG: %[[GY:.*]] = gpu.grid_dim y
  // CHECK: %[[ZY:.*]] = arith.muli %[[BZ]], %[[GY]]
  // CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %c131072 : index
  // CHECK: memref.view %[[P0]][%[[FIRST]]][] : memref<?xi8> to memref<131072xi8>
  // CHECK: memref.view %[[P1]]
  // CHECK-NOT: kernel.arena
  gpu.module @kernels {
    gpu.func @k(%n: index, %v: f32) kernel {
      %c0 = arith.constant 0 : index
      %c256 = arith.constant 256 : index
      %bytes = arith.constant 131072 : index
      %arena = kernel.arena 0 bytes(%bytes) : memref<?xi8>
      %tile = memref.view %arena[%c0][] : memref<?xi8> to memref<32768xf32>
      memref.store %v, %tile[%c0] : memref<32768xf32>
      %grid = gpu.grid_dim x
      %each = arith.muli %n, %c256 : index
      %more = arith.muli %each, %grid : index
      %other = kernel.arena 1 bytes(%more) : memref<?xi8>
      %view = memref.view %other[%c0][%n] : memref<?xi8> to memref<?xf32>
      memref.store %v, %view[%c0] : memref<?xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @f
  // CHECK-SAME: (%[[A:.*]]: index, %[[F:.*]]: f32)
  // CHECK: %[[ALL:.*]] = arith.muli %[[A]], %c131072 : index
  // CHECK: %[[M0:.*]] = gpu.alloc (%[[ALL]]) : memref<?xi8>
  // CHECK: %[[E:.*]] = arith.muli %[[A]], %c256 : index
  // CHECK: %[[ONE:.*]] = arith.muli %[[E]], %[[A]] : index
  // CHECK: %[[ALL1:.*]] = arith.muli %[[A]], %[[ONE]] : index
  // CHECK: %[[M1:.*]] = gpu.alloc (%[[ALL1]]) : memref<?xi8>
  // CHECK: gpu.launch_func @kernels::@k {{.*}} args(%[[A]] : index, %[[F]] : f32, %[[M0]] : memref<?xi8>, %[[M1]] : memref<?xi8>)
  // CHECK-NEXT: gpu.dealloc %[[M1]] :
  // CHECK-NEXT: gpu.dealloc %[[M0]] :
  // CHECK: %[[S:.*]] = gpu.wait async
  // CHECK: %[[L:.*]] = gpu.launch_func async [%[[S]]] @kernels::@k blocks in (%c2, %c3, %c1)
  // CHECK: %[[D0:.*]] = gpu.dealloc async [%[[L]]]
  // CHECK: %[[D1:.*]] = gpu.dealloc async [%[[D0]]]
  // CHECK: gpu.wait [%[[D1]]]
  func.func @f(%n: index, %v: f32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    gpu.launch_func @kernels::@k blocks in (%n, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%n : index, %v : f32)
    %s = gpu.wait async
    %t = gpu.launch_func async [%s] @kernels::@k blocks in (%c2, %c3, %c1)
        threads in (%c1, %c1, %c1) args(%n : index, %v : f32)
    gpu.wait [%t]
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%m: memref<1xindex>, %v: f32) kernel {
      %c0 = arith.constant 0 : index
      %n = memref.load %m[%c0] : memref<1xindex>
      // expected-error@+1 {{has a size that the host cannot compute; compute it from constants and the arguments of the kernel}}
      %arena = kernel.arena 0 bytes(%n) : memref<?xi8>
      %tile = memref.view %arena[%c0][] : memref<?xi8> to memref<8xf32>
      memref.store %v, %tile[%c0] : memref<8xf32>
      gpu.return
    }
  }
}
