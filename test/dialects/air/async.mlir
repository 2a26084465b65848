// Tokens, execute and custom.
// RUN: %aircc opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: %aircc opt --allow-unregistered-dialect %s > %t.mlir
// RUN: %aircc opt --allow-unregistered-dialect %t.mlir | diff %t.mlir -
// RUN: %aircc opt --allow-unregistered-dialect --mlir-print-op-generic %s | %aircc opt --allow-unregistered-dialect | diff %t.mlir -
// RUN: %aircc opt --allow-unregistered-dialect --emit-bytecode %s | %aircc opt --allow-unregistered-dialect | diff %t.mlir -

// CHECK-LABEL: func.func @wait_all(
// CHECK-SAME: %[[T:.*]]: !air.async.token) -> !air.async.token
func.func @wait_all(%t: !air.async.token) -> !air.async.token {
  // CHECK-NEXT: %[[A:.*]] = air.wait_all async
  // CHECK-NEXT: %[[B:.*]] = air.wait_all async [%[[A]], %[[T]]]
  // CHECK-NEXT: %[[C:.*]] = air.wait_all async [%[[A]]] {id = 2 : i32}
  // CHECK-NEXT: %[[D:.*]] = air.wait_all async {id = 3 : i32}
  // CHECK-NEXT: air.wait_all [%[[B]], %[[C]], %[[D]]]
  // CHECK-NEXT: air.wait_all {id = 4 : i32}
  // CHECK-NEXT: return %[[B]]
  %a = air.wait_all async
  %b = air.wait_all async [%a, %t]
  %c = air.wait_all async [%a] {id = 2 : i32}
  %d = air.wait_all async {id = 3 : i32}
  air.wait_all [%b, %c, %d]
  air.wait_all {id = 4 : i32}
  return %b : !air.async.token
}

// CHECK-LABEL: func.func @execute(
func.func @execute(%t: !air.async.token, %i: index) {
  // CHECK: %[[A:.*]] = air.execute {
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: }
  %a = air.execute {
    %c = arith.constant 1 : i32
    air.execute_terminator
  }
  // CHECK: %[[TOKEN:.*]], %[[M:.*]] = air.execute [%[[A]], %{{.*}}] -> (memref<?xf32, 1>) {
  // CHECK: air.execute_terminator %{{.*}} : memref<?xf32, 1>
  // CHECK-NEXT: } {id = 1 : i32}
  %b, %m = air.execute [%a, %t] -> (memref<?xf32, 1>) {
    %alloc = memref.alloc(%i) : memref<?xf32, 1>
    air.execute_terminator %alloc : memref<?xf32, 1>
  } {id = 1 : i32}
  // CHECK: %{{.*}}, %[[R:.*]]:2 = air.execute -> (index, f32) {
  // CHECK: air.execute_terminator {note} %{{.*}}, %{{.*}} : index, f32
  %c, %r:2 = air.execute -> (index, f32) {
    %f = arith.constant 1.0 : f32
    air.execute_terminator {note} %i, %f : index, f32
  }
  // CHECK: "test.use"(%[[M]], %[[R]]#0, %[[R]]#1)
  "test.use"(%m, %r#0, %r#1) : (memref<?xf32, 1>, index, f32) -> ()
  return
}

// Tokens are values like others: loops carry them, branches yield them.
// CHECK-LABEL: func.func @carried(
func.func @carried(%n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = air.wait_all async
  // CHECK: scf.for {{.*}} -> (!air.async.token)
  %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!air.async.token) {
    %next = air.execute [%t] {
    }
    scf.yield %next : !air.async.token
  }
  // CHECK: scf.parallel {{.*}} -> !air.async.token
  %t2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%t1) -> !air.async.token {
    %e = air.execute {
    }
    scf.reduce(%e : !air.async.token) {
    ^bb0(%l: !air.async.token, %r: !air.async.token):
      %both = air.wait_all async [%l, %r]
      scf.reduce.return %both : !air.async.token
    }
  }
  // CHECK: scf.if {{.*}} -> (!air.async.token)
  %t3 = scf.if %p -> !air.async.token {
    scf.yield %t2 : !air.async.token
  } else {
    scf.yield %t0 : !air.async.token
  }
  air.wait_all [%t3]
  return
}

// CHECK-LABEL: func.func @custom(
func.func @custom(%a: i32, %b: f32) {
  // CHECK: air.custom
  air.custom
  // CHECK: air.custom operands (%{{.*}}, %{{.*}}) : i32, f32
  air.custom operands (%a, %b) : i32, f32 attributes { }
  // CHECK: %[[T0:.*]] = air.custom async
  %t0 = air.custom async
  // CHECK: %[[T1:.*]] = air.custom @named async [%[[T0]]]{{$}}
  %t1 = air.custom @named async [%t0] operands ()
  // CHECK: air.custom [%[[T1]]] operands (%{{.*}}) : i32 attributes {symbol = @mod::@kernel}
  air.custom [%t1] operands (%a) : i32 attributes {symbol = @mod::@kernel}
  return
}
