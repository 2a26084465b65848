// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | env LC_ALL=C sort | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | env LC_ALL=C sort | FileCheck %s
// RUN: %aircc %s --target bmg -o %t.bmg && %t.bmg | env LC_ALL=C sort | FileCheck %s

// In AIR programs a PE prints once, and so does the code of a segment, however many lanes
// they have.

// CHECK:      {{^}}( 1, 1 ){{$}}
// CHECK-NEXT: {{^}}( 1, 1 ){{$}}
// CHECK-NEXT: {{^}}( 2, 2 ){{$}}
// CHECK-NEXT: {{^}}( 2, 2 ){{$}}
// CHECK-NEXT: {{^}}PE (0, 0) of 1{{$}}
// CHECK-NEXT: {{^}}PE (0, 0) of 2{{$}}
// CHECK-NEXT: {{^}}PE (1, 0) of 1{{$}}
// CHECK-NEXT: {{^}}PE (1, 0) of 2{{$}}
// CHECK-NEXT: {{^}}segment 1{{$}}
// CHECK-NEXT: {{^}}segment 2{{$}}
// CHECK-NOT:  {{.}}

func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : index
  air.launch (%b) in (%nb = %c2) {
    air.segment args(%sb = %b) : index {
      %c1 = arith.constant 1 : index
      %two = arith.constant 2 : index
      %n = arith.addi %sb, %c1 : index
      gpu.printf "segment %d\n", %n : index
      air.herd tile (%i, %j) in (%ni = %two, %nj = %c1) args(%hn = %n) : index {
        %v = arith.index_cast %hn : index to i32
        %w = vector.broadcast %v : i32 to vector<2xi32>
        vector.print %w : vector<2xi32>
        gpu.printf "PE (%d, %d) of %d\n", %i, %j, %hn : index, index, index
      }
    }
  }
  return %zero : i32
}
