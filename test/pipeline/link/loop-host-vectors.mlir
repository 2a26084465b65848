// RUN: %aircc opt %s --link-loop-host-vectors=most=8 --canonicalize | FileCheck %s

// Results of elementwise ops are in memory; a transposition needs none. The vector that the
// function returns is read as a whole.
// CHECK-LABEL: func.func @turned
// CHECK-SAME:      (%[[V:.*]]: vector<4x8xf32>)
// CHECK-DAG:     %[[IN:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK-DAG:     vector.transfer_write %[[V]], %[[IN]]
// CHECK:         %[[SUM:.*]] = memref.alloc() : memref<8x4xf32>
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %[[J:.*]] =
// CHECK:             %[[X:.*]] = memref.load %[[IN]][%[[J]], %[[I]]]
// CHECK:             %[[Y:.*]] = arith.addf %[[X]], {{.*}} : f32
// CHECK:             memref.store %[[Y]], %[[SUM]][%[[I]], %[[J]]]
// CHECK:         %[[WHOLE:.*]] = vector.transfer_read %[[SUM]]
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    memref.dealloc
// CHECK:         return %[[WHOLE]] : vector<8x4xf32>
func.func @turned(%v: vector<4x8xf32>) -> vector<8x4xf32> {
  %t = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %s = arith.addf %t, %t : vector<8x4xf32>
  return %s : vector<8x4xf32>
}

// Vectors that a loop carries stay in memory. Operands of unknown ops are vectors.
// CHECK-LABEL: func.func @carried
// CHECK-SAME:      %[[M:.*]]: memref<16xi32>, %[[N:.*]]: index,
// CHECK:         %[[V:.*]] = memref.alloc() : memref<16xi32>
// CHECK:         %[[P:.*]] = memref.alloc() : memref<16xi32>
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[N]] step
// CHECK:           memref.alloc() : memref<16xi32>
// CHECK:           %[[NEXT:.*]] = memref.alloc() : memref<16xi32>
// CHECK:           memref.copy %[[NEXT]], %[[P]]
// CHECK:         %[[R:.*]] = vector.transfer_read %[[P]]
// CHECK:         vector.scan <add>, %[[R]],
func.func @carried(%m: memref<16xi32>, %n: index, %o: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0 : i32
  %v = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<16xi32>, vector<16xi32>
  %w = scf.for %i = %c0 to %n step %c1 iter_args(%p = %v) -> (vector<16xi32>) {
    %q = arith.muli %p, %v : vector<16xi32>
    scf.yield %q : vector<16xi32>
  }
  %first = arith.constant dense<0> : vector<i32>
  %all, %last = vector.scan <add>, %w, %first {inclusive = true, reduction_dim = 0 : i64} : vector<16xi32>, vector<i32>
  vector.transfer_write %all, %o[%c0] {in_bounds = [true]} : vector<16xi32>, memref<16xi32>
  return
}

// Masked ops that the pass does not know are not lowered, either.
// CHECK-LABEL: func.func @masked
// CHECK:         %[[WHOLE:.*]] = vector.transfer_read
// CHECK:         vector.mask %{{.*}} { vector.gather %{{.*}}[%{{.*}}] [%[[WHOLE]]]
func.func @masked(%m: memref<16xi32>, %i: vector<16xindex>, %on: vector<16xi1>, %also: vector<16xi1>, %else: vector<16xi32>)
    -> vector<16xi32> {
  %c0 = arith.constant 0 : index
  %twice = arith.addi %i, %i : vector<16xindex>
  %v = vector.mask %on { vector.gather %m[%c0] [%twice], %also, %else
      : memref<16xi32>, vector<16xindex>, vector<16xi1>, vector<16xi32> into vector<16xi32> } : vector<16xi1> -> vector<16xi32>
  return %v : vector<16xi32>
}

// A vector that is not large, and blocks that branch, stay as they are.
// CHECK-LABEL: func.func @small
// CHECK-NEXT:    arith.addf %{{.*}} : vector<8xf32>
// CHECK-NEXT:    return
func.func @small(%v: vector<8xf32>) -> vector<8xf32> {
  %s = arith.addf %v, %v : vector<8xf32>
  return %s : vector<8xf32>
}

// CHECK-LABEL: func.func @branches
// CHECK-NOT:     memref
// CHECK:         return
func.func @branches(%c: i1, %v: vector<16xf32>) -> vector<16xf32> {
  cf.cond_br %c, ^a, ^b(%v : vector<16xf32>)
^a:
  %s = arith.addf %v, %v : vector<16xf32>
  cf.br ^b(%s : vector<16xf32>)
^b(%r: vector<16xf32>):
  return %r : vector<16xf32>
}
