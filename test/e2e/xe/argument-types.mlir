// Arguments of kernels of types that SPIR-V does not have: integers and vectors of other sizes. The host passes them in memory
// of the next larger type.
// RUN: %aircc %s --target bmg -o %t && %t | FileCheck %s
// RUN: %aircc %s --target bmg -O0 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t && %t | FileCheck %s
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @vectors(%one: vector<1xf32>, %none: vector<f32>, %three: vector<3xf32>, %five: vector<5xf32>,
                      %eleven: vector<11xi16>, %out: memref<32xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      vector.store %one, %out[%c0] : memref<32xf32>, vector<1xf32>
      vector.store %none, %out[%c1] : memref<32xf32>, vector<f32>
      vector.store %three, %out[%c2] : memref<32xf32>, vector<3xf32>
      vector.store %five, %out[%c8] : memref<32xf32>, vector<5xf32>
      %float = arith.sitofp %eleven : vector<11xi16> to vector<11xf32>
      vector.store %float, %out[%c16] : memref<32xf32>, vector<11xf32>
      gpu.return
    }
    gpu.func @integers(%a: i3, %b: i24, %c: i48, %d: vector<5xi1>, %out: memref<8xi64>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %x = arith.extsi %a : i3 to i64
      %y = arith.extsi %b : i24 to i64
      %z = arith.extui %c : i48 to i64
      memref.store %x, %out[%c0] : memref<8xi64>
      memref.store %y, %out[%c1] : memref<8xi64>
      memref.store %z, %out[%c2] : memref<8xi64>
      %v = arith.extui %d : vector<5xi1> to vector<5xi64>
      vector.store %v, %out[%c3] : memref<8xi64>, vector<5xi64>
      gpu.return
    }
  }
  func.func private @printMemrefF32(memref<*xf32>)
  func.func private @printMemrefI64(memref<*xi64>)
  func.func @main() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %zeroInt = arith.constant 0 : i64
    %floats = gpu.alloc host_shared () : memref<32xf32>
    %numbers = gpu.alloc host_shared () : memref<8xi64>
    linalg.fill ins(%zero : f32) outs(%floats : memref<32xf32>)
    linalg.fill ins(%zeroInt : i64) outs(%numbers : memref<8xi64>)
    %one = arith.constant dense<1.0> : vector<1xf32>
    %none = arith.constant dense<2.0> : vector<f32>
    %three = arith.constant dense<[3.0, 4.0, 5.0]> : vector<3xf32>
    %five = arith.constant dense<[6.0, 7.0, 8.0, 9.0, 10.0]> : vector<5xf32>
    %eleven = arith.constant dense<[-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11]> : vector<11xi16>
    gpu.launch_func @m::@vectors blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%one : vector<1xf32>, %none : vector<f32>, %three : vector<3xf32>, %five : vector<5xf32>,
           %eleven : vector<11xi16>, %floats : memref<32xf32>)
    %a = arith.constant -3 : i3
    %b = arith.constant -70000 : i24
    %c = arith.constant 200000000000000 : i48
    %d = arith.constant dense<[true, false, true, true, false]> : vector<5xi1>
    gpu.launch_func @m::@integers blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : i3, %b : i24, %c : i48, %d : vector<5xi1>, %numbers : memref<8xi64>)
    %f = memref.cast %floats : memref<32xf32> to memref<*xf32>
    call @printMemrefF32(%f) : (memref<*xf32>) -> ()
    %n = memref.cast %numbers : memref<8xi64> to memref<*xi64>
    call @printMemrefI64(%n) : (memref<*xi64>) -> ()
    return
  }
}
// CHECK: [1, 2, 3, 4, 5, 0, 0, 0, 6, 7, 8, 9, 10, 0, 0, 0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, 0
// CHECK: [-3, -70000, 200000000000000, 1, 0, 1, 1, 0]
