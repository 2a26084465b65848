// A library for C programs: the functions of a module with a kernel, as a shared
// library and as an object with the GPU code in it, called through the header.

// RUN: rm -rf %t && mkdir -p %t
// RUN: %aircc %s --target gfx942 --emit=shared --header %t/saxpy.h -o %t/libsaxpy.so
// RUN: %host-cc -Wall -Werror -I %t %S/Inputs/saxpy.c %t/libsaxpy.so -Wl,-rpath,%t -o %t/shared
// RUN: %t/shared | FileCheck %s

// RUN: %aircc %s --target gfx942 -c --header %t/saxpy.h -o %t/saxpy.o
// RUN: %host-cc -Wall -Werror -I %t %S/Inputs/saxpy.c %t/saxpy.o -L%runtime-dir -laircc_runtime -Wl,-rpath,%runtime-dir -o %t/object
// RUN: %t/object | FileCheck %s

// The header is valid C++, too.
// RUN: %host-cxx -x c++ -Wall -Werror -fsyntax-only %t/saxpy.h

// CHECK: saxpy: PASS

module {
  func.func @saxpy(%a: f32, %x: memref<?xf32, strided<[?], offset: ?>>, %y: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %n = memref.dim %y, %c0 : memref<?xf32>
    %dense = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %dense : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
    %dx = gpu.alloc (%n) : memref<?xf32>
    %dy = gpu.alloc (%n) : memref<?xf32>
    gpu.memcpy %dx, %dense : memref<?xf32>, memref<?xf32>
    gpu.memcpy %dy, %y : memref<?xf32>, memref<?xf32>
    %blocks = arith.ceildivui %n, %c128 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
      %first = arith.muli %bx, %sx : index
      %i = arith.addi %first, %tx : index
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %xi = memref.load %dx[%i] : memref<?xf32>
        %yi = memref.load %dy[%i] : memref<?xf32>
        %product = arith.mulf %a, %xi : f32
        %sum = arith.addf %product, %yi : f32
        memref.store %sum, %dy[%i] : memref<?xf32>
      }
      gpu.terminator
    }
    gpu.memcpy %y, %dy : memref<?xf32>, memref<?xf32>
    gpu.dealloc %dx : memref<?xf32>
    gpu.dealloc %dy : memref<?xf32>
    memref.dealloc %dense : memref<?xf32>
    return
  }

  func.func @twice(%n: i64) -> i64 {
    %two = arith.constant 2 : i64
    %r = arith.muli %n, %two : i64
    return %r : i64
  }
}
