// RUN: %aircc opt %s --codegen-verify-input --split-input-file --verify-diagnostics
// RUN: %aircc %S/Inputs/host-matmul.mlir --target gfx942 -c -o %t.o 2>&1 | FileCheck %s

// A program whose matmul runs on the host compiles, with a warning.
// CHECK: host-matmul.mlir:2:3: warning: this op runs on the host, and the program has no kernel

func.func @one_warning(%a: memref<8x8xf32>) {
  %f = arith.constant 0.0 : f32
  linalg.fill ins(%f : f32) outs(%a : memref<8x8xf32>)
  // expected-warning@+1 {{this op runs on the host, and the program has no kernel; to run the op on the device, put it into an air.launch, or set the attribute 'air.offload' on it or its function}}
  linalg.exp ins(%a : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.exp ins(%a : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  return
}

// -----

func.func @loops(%a: memref<8xf32>, %n: index) {
  %f = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning@+1 {{this loop runs on the host, and the program has no kernel; to run the loop on the device, put it into an air.launch or a gpu.launch}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %f, %a[%i] : memref<8xf32>
  }
  return
}

// -----

// Next to a kernel, host code is as it should be.
func.func @host_part(%a: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}
gpu.module @m {
  gpu.func @k() kernel { gpu.return }
}

// -----

// A mapped loop becomes a kernel.
func.func @mapped(%a: memref<8xf32>, %n: index) {
  %f = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %f, %a[%i] : memref<8xf32>
  } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  return
}
