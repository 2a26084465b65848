// RUN: %aircc opt --dispatch-record-sizes %s | FileCheck %s
// RUN: %aircc opt --dispatch-record-sizes=size-checks=false %s | FileCheck %s --check-prefix=NOCHECK

// NOCHECK-NOT: size_checks

// What each kind of op requires, in program order.
// CHECK-LABEL: func.func @ops__size_checks
// CHECK-SAME: #air.size_check<equal, (-1, -1), (-1, -1), "'linalg.matmul' at
// CHECK-SAME: #air.size_check<at_least, {{.*}} "'linalg.conv_1d' at
// CHECK-SAME: #air.size_check<equal, {{.*}} "'tensor.concat' at
// CHECK-SAME: #air.size_check<equal, {{.*}} "'tensor.cast' at
// CHECK-SAME: #air.size_check<equal, {{.*}} "'tensor.expand_shape' at
// CHECK-SAME: #air.size_check<at_least, {{.*}} "'tensor.insert_slice' at
// CHECK-SAME: #air.size_check<equal, {{.*}} "'arith.addf' at
// CHECK-SAME: #air.size_check<broadcast, {{.*}} "'tosa.add' at
// CHECK-LABEL: func.func @ops(
// CHECK-SAME: sizeChecks = @ops__size_checks
func.func @ops(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>, %c: tensor<?x4xf32>, %u: tensor<?xf32>,
               %v: tensor<?xf32>, %w: tensor<?xf32>, %n: index) {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x4xf32>) outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = linalg.conv_1d ins(%u, %v : tensor<?xf32>, tensor<?xf32>) outs(%w : tensor<?xf32>) -> tensor<?xf32>
  %2 = tensor.concat dim(1) %a, %b : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  %3 = tensor.cast %u : tensor<?xf32> to tensor<8xf32>
  %4 = tensor.expand_shape %u [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %5 = tensor.insert_slice %v into %u[%n] [%n] [2] : tensor<?xf32> into tensor<?xf32>
  %6 = arith.addf %u, %v : tensor<?xf32>
  %7 = tosa.add %u, %w : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// An op in a branch may never be executed; static sizes need no check.
// CHECK-NOT: @branch__size_checks
// CHECK-LABEL: func.func @branch__result_sizes
// CHECK: return %{{.*}} : index
// CHECK-LABEL: func.func @branch(
// CHECK-SAME: #air.entry_point<resultSizes = @branch__result_sizes>
func.func @branch(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %s = arith.addf %x, %y : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
