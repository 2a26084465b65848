// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(codegen-expand-integer-powers))' | FileCheck %s

// Powers of integers are loops that square the base, as no device library has them.

gpu.module @kernels {
  // CHECK-LABEL: func.func @scalar(
  // CHECK-SAME:    %[[BASE:.*]]: i32, %[[EXPONENT:.*]]: i32)
  // CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK:         %[[NEGATIVE:.*]] = arith.cmpi slt, %[[EXPONENT]], %[[ZERO]]
  // CHECK:         %[[COUNT:.*]] = arith.select %[[NEGATIVE]], %[[ZERO]], %[[EXPONENT]]
  // CHECK:         %[[LOOP:.*]]:3 = scf.while (%{{.*}} = %[[ONE]], %{{.*}} = %[[BASE]], %{{.*}} = %[[COUNT]])
  // CHECK:         ^bb0(%[[RESULT:.*]]: i32, %[[POWER:.*]]: i32, %[[REST:.*]]: i32):
  // CHECK-NEXT:      %[[BIT:.*]] = arith.andi %[[REST]], %[[ONE]]
  // CHECK-NEXT:      %[[ODD:.*]] = arith.cmpi ne, %[[BIT]], %[[ZERO]]
  // CHECK-NEXT:      %[[FACTOR:.*]] = arith.select %[[ODD]], %[[POWER]], %[[ONE]]
  // CHECK-NEXT:      %[[NEXT:.*]] = arith.muli %[[RESULT]], %[[FACTOR]]
  // CHECK-NEXT:      %[[SQUARE:.*]] = arith.muli %[[POWER]], %[[POWER]]
  // CHECK-NEXT:      %[[HALF:.*]] = arith.shrui %[[REST]], %[[ONE]]
  // CHECK-NEXT:      scf.yield %[[NEXT]], %[[SQUARE]], %[[HALF]]
  // CHECK:         arith.select %[[NEGATIVE]], %{{.*}}, %[[LOOP]]#0
  func.func @scalar(%base: i32, %exponent: i32) -> i32 {
    %0 = math.ipowi %base, %exponent : i32
    return %0 : i32
  }
  // Vectors go element by element.
  // CHECK-LABEL: func.func @vector(
  // CHECK-COUNT-2: scf.while
  // CHECK-NOT:     math.ipowi
  // CHECK:         vector.insert %{{.*}} [1] : i16 into vector<2xi16>
  func.func @vector(%base: vector<2xi16>, %exponent: vector<2xi16>) -> vector<2xi16> {
    %0 = math.ipowi %base, %exponent : vector<2xi16>
    return %0 : vector<2xi16>
  }
}
