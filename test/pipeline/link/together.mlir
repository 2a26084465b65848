// Device and host code compiled together give one self-contained object.
//
// RUN: %aircc %s --target gfx942 -c -o %t.o
// RUN: llvm-readelf -S %t.o | FileCheck %s --check-prefix=SECTIONS
//
// The same bytes every time, in any folder.
// RUN: mkdir -p %t.folder && cd %t.folder && %aircc %s --target gfx942 -c -o again.o
// RUN: cmp %t.o %t.folder/again.o
//
// The same as of the stages one after another, too.
// RUN: %aircc %s --target gfx942 --stop-after=link -o %t.linked.mlir
// RUN: %aircc %t.linked.mlir --target gfx942 --start-at=link -c -o %t.steps.o
// RUN: cmp %t.o %t.steps.o
// RUN: %aircc %s --target gfx942 --emit=hsaco -o %t.hsaco
// RUN: python3 -c "import sys; sys.exit(open(sys.argv[1], 'rb').read() not in open(sys.argv[2], 'rb').read())" %t.hsaco %t.o
//
// And it runs.
// RUN: %aircc %s --target gfx942 --emit=exe -o %t.exe
// RUN: %t.exe
//
// An error in device code is an error of the whole compile.
// RUN: rm -f %t.bad.o
// RUN: not %aircc %S/Inputs/too-much-lds.mlir --target gfx942 -c -o %t.bad.o 2>&1 | FileCheck %S/Inputs/too-much-lds.mlir
// RUN: test ! -e %t.bad.o

// The stack stays non-executable.
// SECTIONS: .rodata.aircc_code.main_kernel
// SECTIONS: .rodata.aircc_size.main_kernel
// SECTIONS: .note.GNU-stack

module attributes {gpu.container_module} {
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %host = memref.alloc() : memref<64xi32>
    %device = gpu.alloc () : memref<64xi32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %0 = arith.index_cast %tx : index to i32
      memref.store %0, %device[%tx] : memref<64xi32>
      gpu.terminator
    }
    gpu.memcpy %host, %device : memref<64xi32>, memref<64xi32>
    gpu.dealloc %device : memref<64xi32>
    %c63 = arith.constant 63 : index
    %last = memref.load %host[%c63] : memref<64xi32>
    %expected = arith.constant 63 : i32
    %difference = arith.subi %last, %expected : i32
    memref.dealloc %host : memref<64xi32>
    return %difference : i32
  }
}
