// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// Programs of ranks are not compiled yet; the error says what is.

func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : index
  // CHECK: errors/rank.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*rank}}
  air.rank (%r) in (%n = %c2) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) {
    }
  }
  return %zero : i32
}
