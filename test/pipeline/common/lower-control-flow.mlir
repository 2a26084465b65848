// Structured ops become branches as by MLIR's pass.

// RUN: %aircc opt %s --aircc-lower-control-flow | FileCheck %s
// RUN: %aircc opt %s --aircc-lower-control-flow -o %t.aircc.mlir
// RUN: mlir-opt %s --convert-scf-to-cf -o %t.mlir
// RUN: diff %t.aircc.mlir %t.mlir

func.func private @use(index)

// CHECK-LABEL: func.func @successive
// CHECK-NOT:     scf
// CHECK:         cf.cond_br %{{.*}}, ^[[THEN:bb[0-9]+]], ^[[NEXT:bb[0-9]+]]
// CHECK:       ^[[THEN]]:
// CHECK:         call @use
// CHECK:         cf.br ^[[NEXT]]
// CHECK:       ^[[NEXT]]:
// CHECK:         cf.cond_br
func.func @successive(%c: i1, %d: i1, %i: index) {
  scf.if %c {
    func.call @use(%i) : (index) -> ()
  }
  scf.if %d {
    func.call @use(%i) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @nested
// CHECK-NOT:     scf
func.func @nested(%c: i1, %n: index, %m: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %inner = scf.if %c -> (index) {
      %w = scf.while (%a = %i) : (index) -> index {
        %less = arith.cmpi ult, %a, %n : index
        scf.condition(%less) %a : index
      } do {
      ^bb0(%b: index):
        %next = arith.addi %b, %c1 : index
        scf.yield %next : index
      }
      scf.yield %w : index
    } else {
      %x = scf.index_switch %i -> index
      case 3 {
        scf.yield %c1 : index
      }
      default {
        scf.yield %s : index
      }
      scf.yield %x : index
    }
    scf.yield %inner : index
  }
  scf.for %i = %c0 to %n step %c1 {
    %e = scf.execute_region -> index {
      scf.yield %i : index
    }
    memref.store %e, %m[%i] : memref<?xindex>
  }
  return %sum : index
}

// A structured op that is first converted to another one.
// CHECK-LABEL: func.func @parallel
// CHECK-NOT:     scf
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @use(%i) : (index) -> ()
    scf.reduce
  }
  return
}
