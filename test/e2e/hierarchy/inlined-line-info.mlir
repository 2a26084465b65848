// Code that is inlined into a kernel keeps its line information: the line in the function, and the
// line of the call.
//
// RUN: %aircc %s --target gfx942 --emit=obj -g -o %t.o
// RUN: llvm-dwarfdump --debug-line %t.o | FileCheck %s --check-prefix=LINES
// RUN: %aircc %s --target gfx942 --emit=llvm -g -o - | FileCheck %s --check-prefix=SCOPES
//
// LINES: name: "inlined-line-info.mlir"
// LINES: {{^0x[0-9a-f]+ +24 }}
// SCOPES-DAG: !DILocation(line: 24, {{.*}}inlinedAt:
// SCOPES-DAG: !DILocation(line: 17, {{.*}}

func.func @test(%in: memref<64xf32>, %out: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%n = %c1)
      args(%a = %in, %b = %out) : memref<64xf32>, memref<64xf32> {
    func.call @double(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  }
  return
}
func.func private @double(%in: memref<64xf32>, %out: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %in[%i] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %out[%i] : memref<64xf32>
  }
  return
}
