// RUN: %aircc opt %s --pass-pipeline='builtin.module(aircc-lower-control-flow{memrefs=true})' | FileCheck %s

// Only the loop that carries memrefs and the branch around it become branches.

// CHECK-LABEL: func.func @swap
// CHECK: scf.for
// CHECK: cf.cond_br
// CHECK: cf.br ^{{.*}}(%{{.*}}, %{{.*}}, %{{.*}} : index, memref<4xf32>, memref<4xf32>)
// CHECK-NOT: iter_args
// CHECK: scf.if
func.func @swap(%n: index, %c: i1, %x: f32, %a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<4xf32>
  }
  scf.if %c {
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<4xf32>, memref<4xf32>) {
      scf.if %c {
        memref.store %x, %p[%i] : memref<4xf32>
      }
      scf.yield %q, %p : memref<4xf32>, memref<4xf32>
    }
  }
  return
}

// MLIR's lowering of XeGPU makes a scalar of a vector with one element, which LLVM does not have for
// small floats.

// CHECK-LABEL: func.func @small_float
// CHECK: cf.cond_br
// CHECK: cf.br ^{{.*}}(%{{.*}} : vector<1xf8E5M2>)
// CHECK: scf.if %{{.*}} -> (vector<2xf8E5M2>)
func.func @small_float(%c: i1, %a: vector<1xf8E5M2>, %b: vector<1xf8E5M2>, %x: vector<2xf8E5M2>, %y: vector<2xf8E5M2>) -> (vector<1xf8E5M2>, vector<2xf8E5M2>) {
  %one = scf.if %c -> vector<1xf8E5M2> {
    scf.yield %a : vector<1xf8E5M2>
  } else {
    scf.yield %b : vector<1xf8E5M2>
  }
  %two = scf.if %c -> vector<2xf8E5M2> {
    scf.yield %x : vector<2xf8E5M2>
  } else {
    scf.yield %y : vector<2xf8E5M2>
  }
  return %one, %two : vector<1xf8E5M2>, vector<2xf8E5M2>
}
