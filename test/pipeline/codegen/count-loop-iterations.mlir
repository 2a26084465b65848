// RUN: %aircc opt %s --aircc-count-loop-iterations | FileCheck %s
// RUN: %aircc opt %s --aircc-count-loop-iterations=only-constant | FileCheck %s --check-prefix=CONSTANT

func.func private @use(i8)
func.func private @use_index(index)

// 121, 125, and then -127: the loop counts.
// CHECK-LABEL: @wraps
// CONSTANT-LABEL: @wraps
func.func @wraps() {
  %lb = arith.constant 121 : i8
  %ub = arith.constant 127 : i8
  %step = arith.constant 4 : i8
  // CHECK-DAG: %[[LB:.*]] = arith.constant 121 : i8
  // CHECK-DAG: %[[STEP:.*]] = arith.constant 4 : i8
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i32
  // CHECK: scf.for %[[N:.*]] = %[[C0]] to %[[C2]] step %[[C1]] : i32
  // CHECK: %[[K:.*]] = arith.trunci %[[N]] : i32 to i8
  // CHECK: %[[OFFSET:.*]] = arith.muli %[[K]], %[[STEP]] : i8
  // CHECK: %[[I:.*]] = arith.addi %[[LB]], %[[OFFSET]] : i8
  // CHECK: call @use(%[[I]])
  // CONSTANT: scf.for {{.*}} : i32
  scf.for %i = %lb to %ub step %step : i8 {
    func.call @use(%i) : (i8) -> ()
  }
  return
}

// The canonicalizer would take 127 - -128 for -1, and the loop for empty.
// CHECK-LABEL: @all_numbers
// CONSTANT-LABEL: @all_numbers
func.func @all_numbers() {
  %lb = arith.constant -128 : i8
  %ub = arith.constant 127 : i8
  %step = arith.constant 1 : i8
  // CHECK: %[[COUNT:.*]] = arith.constant 255 : i32
  // CHECK: scf.for {{.*}} to %[[COUNT]] step {{.*}} : i32
  // CONSTANT: arith.constant 255 : i32
  scf.for %i = %lb to %ub step %step : i8 {
    func.call @use(%i) : (i8) -> ()
  }
  return
}

// More iterations than the largest signed number of the type.
// CHECK-LABEL: @unsigned_count
func.func @unsigned_count() {
  %lb = arith.constant -2147483648 : i32
  %ub = arith.constant 2147483647 : i32
  %step = arith.constant 1 : i32
  // CHECK: %[[COUNT:.*]] = arith.constant -1 : i32
  // CHECK: scf.for unsigned {{.*}} to %[[COUNT]] step {{.*}} : i32
  scf.for %i = %lb to %ub step %step : i32 {
    %j = arith.trunci %i : i32 to i8
    func.call @use(%j) : (i8) -> ()
  }
  return
}

// Unknown bounds: the loop terminates before a step that would exceed the upper bound.
// CHECK-LABEL: @unknown
// CHECK-SAME: (%[[LB:.*]]: i8, %[[UB:.*]]: i8, %[[STEP:.*]]: i8)
// CONSTANT-LABEL: @unknown
func.func @unknown(%lb: i8, %ub: i8, %step: i8) -> i64 {
  %zero = arith.constant 0 : i64
  // CHECK: %[[ENTERED:.*]] = arith.cmpi ult, %[[LB]], %[[UB]] : i8
  // CHECK: scf.while (%[[GO:.*]] = %[[ENTERED]], %[[FIRST:.*]] = %[[LB]], %{{.*}} = %{{.*}})
  // CHECK: scf.condition(%[[GO]]) %[[FIRST]]
  // CHECK: ^bb0(%[[I:.*]]: i8, %[[SUM:.*]]: i64):
  // CHECK: %[[NEXT_SUM:.*]] = arith.addi %[[SUM]]
  // CHECK: %[[LEFT:.*]] = arith.subi %[[UB]], %[[I]] : i8
  // CHECK: %[[MORE:.*]] = arith.cmpi ugt, %[[LEFT]], %[[STEP]] : i8
  // CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]] : i8
  // CHECK: scf.yield %[[MORE]], %[[NEXT]], %[[NEXT_SUM]]
  // CONSTANT: scf.for unsigned
  %r = scf.for unsigned %i = %lb to %ub step %step iter_args(%s = %zero) -> i64 : i8 {
    %v = arith.extui %i : i8 to i64
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// CHECK-LABEL: @parallel
func.func @parallel(%lb: index, %ub: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  // The second dimension starts at 0 and steps by little.
  // CHECK: %[[COUNT:.*]] = arith.select
  // CHECK: scf.parallel (%[[K:.*]], %[[J:.*]]) = (%{{.*}}, %c0) to (%[[COUNT]], %arg2) step (%{{.*}}, %c7)
  // CHECK: %[[OFFSET:.*]] = arith.muli %[[K]], %c7
  // CHECK: %[[I:.*]] = arith.addi %arg0, %[[OFFSET]]
  // CHECK: call @use_index(%[[I]])
  // CHECK: call @use_index(%[[J]])
  scf.parallel (%i, %j) = (%lb, %c0) to (%ub, %n) step (%c7, %c7) {
    func.call @use_index(%i) : (index) -> ()
    func.call @use_index(%j) : (index) -> ()
  }
  return
}

// Loops that cannot wrap stay as they are.
// CHECK-LABEL: @stay
func.func @stay(%a: i8, %b: i8, %n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i8
  // CHECK: scf.for %{{.*}} = %arg0 to %arg1 step %{{.*}} : i8
  scf.for %i = %a to %b step %one : i8 {
    func.call @use(%i) : (i8) -> ()
  }
  // CHECK: scf.for %{{.*}} = %c0 to %arg2 step %c64 {
  scf.for %i = %c0 to %n step %c64 {
    func.call @use_index(%i) : (index) -> ()
  }
  // The bound is the size of a buffer.
  // CHECK: %[[SIZE:.*]] = memref.dim
  %size = memref.dim %m, %c0 : memref<?xf32>
  // CHECK: scf.for %{{.*}} = %arg2 to %[[SIZE]] step %c64 {
  scf.for %i = %n to %size step %c64 {
    func.call @use_index(%i) : (index) -> ()
  }
  // CHECK: scf.for %{{.*}} : i8
  %c4 = arith.constant 4 : i8
  %c100 = arith.constant 100 : i8
  scf.for %i = %one to %c100 step %c4 : i8 {
    func.call @use(%i) : (i8) -> ()
  }
  return
}
