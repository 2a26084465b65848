// A transfer down a column that leaves the memory takes the padding, and writes
// nothing beyond the end: on the host and in a kernel, with a mask and without.

// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// CHECK: [100,  3,  100,  3]
// CHECK: [7,  7,  7]
// CHECK: [100,  3,  100,  3]
// CHECK: [7,  7,  7]

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @column(%m: memref<3x2xi32>, %o: memref<4xi32>, %w: memref<3x1xi32>) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %pad = arith.constant 3 : i32
      %seven = arith.constant dense<7> : vector<4xi32>
      %mask = arith.constant dense<true> : vector<2xi1>
      %a = vector.transfer_read %m[%c2, %c0], %pad {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<3x2xi32>, vector<2xi32>
      %b = vector.transfer_read %m[%c2, %c0], %pad, %mask {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<3x2xi32>, vector<2xi32>
      vector.transfer_write %a, %o[%c0] {in_bounds = [true]} : vector<2xi32>, memref<4xi32>
      vector.transfer_write %b, %o[%c2] {in_bounds = [true]} : vector<2xi32>, memref<4xi32>
      vector.transfer_write %seven, %w[%c0, %c0] {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<4xi32>, memref<3x1xi32>
      return
    }
    gpu.func @kernel(%m: memref<3x2xi32>, %o: memref<4xi32>, %w: memref<3x1xi32>) kernel {
      func.call @column(%m, %o, %w) : (memref<3x2xi32>, memref<4xi32>, memref<3x1xi32>) -> ()
      gpu.return
    }
  }
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
  func.func private @column(%m: memref<3x2xi32>, %o: memref<4xi32>, %w: memref<3x1xi32>) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %pad = arith.constant 3 : i32
    %seven = arith.constant dense<7> : vector<4xi32>
    %mask = arith.constant dense<true> : vector<2xi1>
    %a = vector.transfer_read %m[%c2, %c0], %pad {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<3x2xi32>, vector<2xi32>
    %b = vector.transfer_read %m[%c2, %c0], %pad, %mask {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<3x2xi32>, vector<2xi32>
    vector.transfer_write %a, %o[%c0] {in_bounds = [true]} : vector<2xi32>, memref<4xi32>
    vector.transfer_write %b, %o[%c2] {in_bounds = [true]} : vector<2xi32>, memref<4xi32>
    vector.transfer_write %seven, %w[%c0, %c0] {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<4xi32>, memref<3x1xi32>
    return
  }
  func.func private @show(%o: memref<4xi32>, %w: memref<3x1xi32>) {
    %flat = memref.collapse_shape %w [[0, 1]] : memref<3x1xi32> into memref<3xi32>
    %u = memref.cast %o : memref<4xi32> to memref<*xi32>
    %v = memref.cast %flat : memref<3xi32> to memref<*xi32>
    func.call @printMemrefI32(%u) : (memref<*xi32>) -> ()
    func.call @printMemrefI32(%v) : (memref<*xi32>) -> ()
    return
  }
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<3x2xi32>
    %o = memref.alloc() : memref<4xi32>
    %w = memref.alloc() : memref<3x1xi32>
    %hundred = arith.constant 100 : i32
    linalg.fill ins(%hundred : i32) outs(%m : memref<3x2xi32>)
    call @column(%m, %o, %w) : (memref<3x2xi32>, memref<4xi32>, memref<3x1xi32>) -> ()
    call @show(%o, %w) : (memref<4xi32>, memref<3x1xi32>) -> ()
    %dm = gpu.alloc () : memref<3x2xi32>
    %do = gpu.alloc () : memref<4xi32>
    %dw = gpu.alloc () : memref<3x1xi32>
    gpu.memcpy %dm, %m : memref<3x2xi32>, memref<3x2xi32>
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%dm : memref<3x2xi32>, %do : memref<4xi32>, %dw : memref<3x1xi32>)
    gpu.memcpy %o, %do : memref<4xi32>, memref<4xi32>
    gpu.memcpy %w, %dw : memref<3x1xi32>, memref<3x1xi32>
    call @show(%o, %w) : (memref<4xi32>, memref<3x1xi32>) -> ()
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
}
