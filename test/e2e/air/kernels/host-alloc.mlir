// Host code that allocates its memory as ordinary host code does, and launches
// kernels on it: directly, through calls, selects, loops, reallocations and
// casts, on the stack, and on a constant.

// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target bmg -o %t.bmg && %t.bmg | FileCheck %s

// Each launch adds 5 + i to element i of 64, so 64 * 5 + 2016 in all.
// CHECK-COUNT-4: {{^}}2336{{$}}
// CHECK-NEXT:    {{^}}2656{{$}}
// CHECK-NEXT:    {{^}}2336{{$}}
// CHECK-NEXT:    {{^}}4672{{$}}
// CHECK-NEXT:    done

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @fmt("%d\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @done("done\0A\00") {addr_space = 0 : i32}
  memref.global "private" constant @table : memref<64xi32> = dense<5>

  func.func @make(%n: index) -> memref<?xi32> {
    %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xi32>
    return %m : memref<?xi32>
  }
  func.func @drop(%m: memref<?xi32>) {
    memref.dealloc %m : memref<?xi32>
    return
  }
  func.func @touch(%m: memref<?xi32>, %k: memref<64xi32>) {
    %c64 = arith.constant 64 : index
    air.launch @touch (%x) in (%sx = %c64) args(%a = %m, %b = %k) : memref<?xi32>, memref<64xi32> {
      %v = memref.load %b[%x] : memref<64xi32>
      %i = arith.index_cast %x : index to i32
      %w = arith.addi %v, %i : i32
      %o = memref.load %a[%x] : memref<?xi32>
      %w2 = arith.addi %o, %w : i32
      memref.store %w2, %a[%x] : memref<?xi32>
    }
    return
  }
  func.func @sum(%m: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (i32) {
      %v = memref.load %m[%i] : memref<?xi32>
      %next = arith.addi %acc, %v : i32
      scf.yield %next : i32
    }
    %text = llvm.mlir.addressof @fmt : !llvm.ptr
    llvm.call @printf(%text, %sum) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
    return
  }
  func.func @fill(%m: memref<?xi32>) {
    %zero = arith.constant 0 : i32
    linalg.fill ins(%zero : i32) outs(%m : memref<?xi32>)
    return
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %t = memref.get_global @table : memref<64xi32>
    // Two buffers in each iteration, of which one is chosen.
    scf.for %i = %c0 to %c3 step %c1 {
      %p = func.call @make(%c64) : (index) -> memref<?xi32>
      %q = memref.alloc(%c64) : memref<?xi32>
      %even = arith.cmpi eq, %i, %c1 : index
      %s = arith.select %even, %p, %q : memref<?xi32>
      func.call @fill(%p) : (memref<?xi32>) -> ()
      func.call @fill(%q) : (memref<?xi32>) -> ()
      func.call @touch(%s, %t) : (memref<?xi32>, memref<64xi32>) -> ()
      func.call @sum(%s) : (memref<?xi32>) -> ()
      func.call @drop(%p) : (memref<?xi32>) -> ()
      memref.dealloc %q : memref<?xi32>
    }
    // A larger buffer in place of the first.
    %r0 = memref.alloc(%c64) : memref<?xi32>
    func.call @fill(%r0) : (memref<?xi32>) -> ()
    %r = memref.realloc %r0(%c128) : memref<?xi32> to memref<?xi32>
    func.call @touch(%r, %t) : (memref<?xi32>, memref<64xi32>) -> ()
    func.call @sum(%r) : (memref<?xi32>) -> ()
    memref.dealloc %r : memref<?xi32>
    // A buffer on the stack that begins with the constant's values.
    %st = memref.alloca() : memref<64xi32>
    %sd = memref.cast %st : memref<64xi32> to memref<?xi32>
    memref.copy %t, %st : memref<64xi32> to memref<64xi32>
    func.call @touch(%sd, %t) : (memref<?xi32>, memref<64xi32>) -> ()
    func.call @sum(%sd) : (memref<?xi32>) -> ()
    // Buffers that a loop swaps.
    %a = memref.alloc(%c64) : memref<?xi32>
    func.call @fill(%a) : (memref<?xi32>) -> ()
    %b = memref.alloc(%c64) : memref<?xi32>
    func.call @fill(%b) : (memref<?xi32>) -> ()
    %res:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xi32>, memref<?xi32>) {
      func.call @touch(%x, %t) : (memref<?xi32>, memref<64xi32>) -> ()
      scf.yield %y, %x : memref<?xi32>, memref<?xi32>
    }
    func.call @sum(%res#0) : (memref<?xi32>) -> ()
    func.call @sum(%res#1) : (memref<?xi32>) -> ()
    memref.dealloc %res#0 : memref<?xi32>
    memref.dealloc %res#1 : memref<?xi32>
    // A buffer that no kernel accesses.
    %h = memref.alloc(%c64) : memref<?xi32>
    func.call @fill(%h) : (memref<?xi32>) -> ()
    memref.dealloc %h : memref<?xi32>
    %end = llvm.mlir.addressof @done : !llvm.ptr
    llvm.call @printf(%end) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
    return %zero : i32
  }
}
