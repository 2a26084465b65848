// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O0 -o %t && %t | FileCheck %s
//
// A global that one kernel alone names is memory of the device: all workgroups
// share it, it starts with its value, and it lasts from one launch to the next.

// Three launches of eight workgroups of two lanes that add one each: 48 on top
// of 100.
// CHECK: 148

module {
  memref.global "private" @count : memref<2xi32> = dense<[7, 100]>

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %host = memref.alloc() : memref<1xi32>
    %out = gpu.alloc () : memref<1xi32>
    memref.store %zero, %host[%c0] : memref<1xi32>
    gpu.memcpy %out, %host : memref<1xi32>, memref<1xi32>
    scf.for %i = %c0 to %c3 step %c1 {
      func.call @add(%out) : (memref<1xi32>) -> ()
    }
    gpu.memcpy %host, %out : memref<1xi32>, memref<1xi32>
    %v = memref.load %host[%c0] : memref<1xi32>
    vector.print %v : i32
    return
  }

  func.func @add(%out: memref<1xi32>) {
    %c8 = arith.constant 8 : index
    air.launch (%b) in (%nb = %c8) args(%lo = %out) : memref<1xi32> {
      %c1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd tile (%x, %y) in (%nx = %k2, %ny = %c1) args(%o = %lo) : memref<1xi32> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %one = arith.constant 1 : i32
        %g = memref.get_global @count : memref<2xi32>
        %lane = gpu.lane_id
        %first = arith.cmpi eq, %lane, %h0 : index
        scf.if %first {
          %old = memref.atomic_rmw addi %one, %g[%h1] : (i32, memref<2xi32>) -> i32
          %new = arith.addi %old, %one : i32
          %seen = memref.atomic_rmw maxs %new, %o[%h0] : (i32, memref<1xi32>) -> i32
        }
      }
    }
    return
  }
}
