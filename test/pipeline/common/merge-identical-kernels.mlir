// Kernels with the same code are merged, if nothing can tell them apart.

// RUN: %aircc opt %s --aircc-merge-identical-kernels --split-input-file | FileCheck %s

// CHECK-LABEL: gpu.module @a
// CHECK-NOT: gpu.module @b
// CHECK: gpu.module @other
// CHECK-LABEL: func.func @f
// CHECK: gpu.launch_func @a::@a_kernel
// CHECK: gpu.launch_func @a::@a_kernel
// CHECK: gpu.launch_func @other::@k
module attributes {gpu.container_module} {
  gpu.module @a {
    gpu.func @a_kernel(%m: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %c = arith.constant 1.0 : f32
      memref.store %c, %m[%i] : memref<64xf32>
      gpu.return
    }
  }
  gpu.module @b {
    gpu.func @b_kernel(%m: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %c = arith.constant 1.0 : f32
      memref.store %c, %m[%i] : memref<64xf32>
      gpu.return
    }
  }
  gpu.module @other {
    gpu.func @k(%m: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %c = arith.constant 2.0 : f32
      memref.store %c, %m[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @f(%m: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @a::@a_kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<64xf32>)
    gpu.launch_func @b::@b_kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<64xf32>)
    gpu.launch_func @other::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<64xf32>)
    return
  }
}

// -----

// Other sizes of launches, which code is specialized for; state; assertions; kernels without launches.
// CHECK-COUNT-10: gpu.module @
// CHECK-LABEL: func.func @g
module attributes {gpu.container_module} {
  gpu.module @small { gpu.func @k() kernel { gpu.return } }
  gpu.module @large { gpu.func @k() kernel { gpu.return } }
  gpu.module @state1 {
    memref.global "private" @count : memref<1xi32> = dense<0>
    gpu.func @k() kernel { %m = memref.get_global @count : memref<1xi32> gpu.return }
  }
  gpu.module @state2 {
    memref.global "private" @count : memref<1xi32> = dense<0>
    gpu.func @k() kernel { %m = memref.get_global @count : memref<1xi32> gpu.return }
  }
  gpu.module @space1 {
    memref.global "private" @count : memref<1xi32, #gpu.address_space<global>> = dense<0>
    gpu.func @k() kernel { %m = memref.get_global @count : memref<1xi32, #gpu.address_space<global>> gpu.return }
  }
  gpu.module @space2 {
    memref.global "private" @count : memref<1xi32, #gpu.address_space<global>> = dense<0>
    gpu.func @k() kernel { %m = memref.get_global @count : memref<1xi32, #gpu.address_space<global>> gpu.return }
  }
  gpu.module @assert1 { gpu.func @k(%b: i1) kernel { cf.assert %b, "wrong" gpu.return } }
  gpu.module @assert2 { gpu.func @k(%b: i1) kernel { cf.assert %b, "wrong" gpu.return } }
  gpu.module @unused1 { gpu.func @k() kernel { gpu.return } }
  gpu.module @unused2 { gpu.func @k() kernel { gpu.return } }
  func.func @g(%b: i1) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @small::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @large::@k blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @state1::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @state2::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @space1::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @space2::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @assert1::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : i1)
    gpu.launch_func @assert2::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : i1)
    return
  }
}
