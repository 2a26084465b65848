// RUN: not %aircc run %s --target gfx942 -n 2 --stage-option channels.heap-bytes=65536 2>&1 | FileCheck %s
// RUN: %aircc run %s --target gfx942 -n 2

// CHECK: there is no room for 40000 bytes: the symmetric heap has 65536 bytes, of which 40448 are in use by 2 allocations; the largest free range has 25088 bytes. The compiler's --stage-option channels.heap-bytes=N sets the size

func.func @main() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %a = memref.alloc() : memref<10000xi32, #air.symmetric_heap>
    %b = memref.alloc() : memref<10xi32, #air.symmetric_heap>
    %c = memref.alloc() : memref<10000xi32, #air.symmetric_heap>
  }
  return
}
