// Masked writes that pass over a dimension of memory between others, on the host
// and in a kernel: to the end of the memory, and transposed over two dimensions.

// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// CHECK: [0,  0,  0,  0,  0,  0,  0,  1,  0,  0,  0,  0,  0,  0,  0,  0,  0,  5]
// CHECK: [0,  0,  0,  0,  0,  0,  0,  0,  0,  1,  3,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  4,  6]
// CHECK: [0,  0,  0,  0,  0,  0,  0,  1,  0,  0,  0,  0,  0,  0,  0,  0,  0,  5]
// CHECK: [0,  0,  0,  0,  0,  0,  0,  0,  0,  1,  3,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  4,  6]

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @write(%m: memref<2x3x3xi32>, %n: memref<2x2x?x3xi32>, %i: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %v = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
      %mask = arith.constant dense<[[true, false, true], [false, true, true]]> : vector<2x3xi1>
      vector.transfer_write %v, %m[%c0, %c2, %c1], %mask {in_bounds = [true, false], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : vector<2x3xi32>, memref<2x3x3xi32>
      %u = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : vector<3x2xi32>
      %other = arith.constant dense<[[true, true, false], [false, true, true]]> : vector<2x3xi1>
      vector.transfer_write %u, %n[%c0, %i, %i, %c0], %other {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d3, d0)>} : vector<3x2xi32>, memref<2x2x?x3xi32>
      return
    }
    gpu.func @kernel(%m: memref<2x3x3xi32>, %n: memref<2x2x?x3xi32>, %i: index) kernel {
      func.call @write(%m, %n, %i) : (memref<2x3x3xi32>, memref<2x2x?x3xi32>, index) -> ()
      gpu.return
    }
  }
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
  func.func private @write(%m: memref<2x3x3xi32>, %n: memref<2x2x?x3xi32>, %i: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %v = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
      %mask = arith.constant dense<[[true, false, true], [false, true, true]]> : vector<2x3xi1>
      vector.transfer_write %v, %m[%c0, %c2, %c1], %mask {in_bounds = [true, false], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : vector<2x3xi32>, memref<2x3x3xi32>
      %u = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : vector<3x2xi32>
      %other = arith.constant dense<[[true, true, false], [false, true, true]]> : vector<2x3xi1>
      vector.transfer_write %u, %n[%c0, %i, %i, %c0], %other {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d3, d0)>} : vector<3x2xi32>, memref<2x2x?x3xi32>
      return
  }
  func.func private @show(%m: memref<2x3x3xi32>, %n: memref<2x2x?x3xi32>) {
    %0 = memref.collapse_shape %m [[0, 1, 2]] : memref<2x3x3xi32> into memref<18xi32>
    %1 = memref.collapse_shape %n [[0, 1, 2, 3]] : memref<2x2x?x3xi32> into memref<?xi32>
    %2 = memref.cast %0 : memref<18xi32> to memref<*xi32>
    %3 = memref.cast %1 : memref<?xi32> to memref<*xi32>
    func.call @printMemrefI32(%2) : (memref<*xi32>) -> ()
    func.call @printMemrefI32(%3) : (memref<*xi32>) -> ()
    return
  }
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %m = memref.alloc() : memref<2x3x3xi32>
    %n = memref.alloc(%c2) : memref<2x2x?x3xi32>
    linalg.fill ins(%zero : i32) outs(%m : memref<2x3x3xi32>)
    linalg.fill ins(%zero : i32) outs(%n : memref<2x2x?x3xi32>)
    %dm = gpu.alloc () : memref<2x3x3xi32>
    %dn = gpu.alloc (%c2) : memref<2x2x?x3xi32>
    gpu.memcpy %dm, %m : memref<2x3x3xi32>, memref<2x3x3xi32>
    gpu.memcpy %dn, %n : memref<2x2x?x3xi32>, memref<2x2x?x3xi32>
    call @write(%m, %n, %c1) : (memref<2x3x3xi32>, memref<2x2x?x3xi32>, index) -> ()
    call @show(%m, %n) : (memref<2x3x3xi32>, memref<2x2x?x3xi32>) -> ()
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%dm : memref<2x3x3xi32>, %dn : memref<2x2x?x3xi32>, %c1 : index)
    gpu.memcpy %m, %dm : memref<2x3x3xi32>, memref<2x3x3xi32>
    gpu.memcpy %n, %dn : memref<2x2x?x3xi32>, memref<2x2x?x3xi32>
    call @show(%m, %n) : (memref<2x3x3xi32>, memref<2x2x?x3xi32>) -> ()
    return %zero : i32
  }
}
