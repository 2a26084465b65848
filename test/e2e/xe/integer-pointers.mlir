// Atomic operations on pointers that are computed from addresses of buffers, which programs use to
// choose ordering or scope, in every context in which such a pointer may occur; and stack memory in
// the numbered memory space of other GPUs.

// RUN: %aircc %s --target bmg -o %t && %t | FileCheck %s
// RUN: %aircc %s --target pvc -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.amd && %t.amd | FileCheck %s

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %buffer = gpu.alloc host_shared () : memref<4xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %buffer[%i] : memref<4xi32>
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
      workgroup(%shared : memref<1xi32, 3>) private(%own : memref<2xi32, 5>) {
    %one = arith.constant 1 : i32
    %none = arith.constant 0 : i32
    %true = arith.constant true
    %address = memref.extract_aligned_pointer_as_index %buffer : memref<4xi32> -> index
    %integer = arith.index_cast %address : index to i64
    %pointer = llvm.inttoptr %integer : i64 to !llvm.ptr

    // Straight.
    %a = llvm.atomicrmw add %pointer, %one syncscope("") release : !llvm.ptr, i32

    // One element after another, carried by a loop: 2 x 32 to elements 1 and 2 each.
    %element1 = llvm.getelementptr %pointer[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %element1) -> (!llvm.ptr) {
      %b = llvm.atomicrmw add %p, %one syncscope("") acq_rel : !llvm.ptr, i32
      %next = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
      scf.yield %next : !llvm.ptr
    }

    // The first lane whose comparison succeeds writes 7 to element 3.
    %chosen = arith.select %true, %last, %pointer : !llvm.ptr
    %seven = arith.constant 7 : i32
    %c = llvm.cmpxchg %chosen, %none, %seven acq_rel monotonic : !llvm.ptr, i32

    // Workgroup memory has addresses, too.
    %first = arith.cmpi eq, %tx, %c0 : index
    %sharedAddress = memref.extract_aligned_pointer_as_index %shared : memref<1xi32, 3> -> index
    %sharedInteger = arith.index_cast %sharedAddress : index to i64
    %sharedPointer = llvm.inttoptr %sharedInteger : i64 to !llvm.ptr<3>
    scf.if %first {
      llvm.store %none, %sharedPointer : i32, !llvm.ptr<3>
    }
    gpu.barrier
    %d = llvm.atomicrmw add %sharedPointer, %one monotonic : !llvm.ptr<3>, i32
    gpu.barrier
    scf.if %first {
      // 32 from each of two workgroups, by way of the stack.
      %sum = llvm.load %sharedPointer : !llvm.ptr<3> -> i32
      memref.store %sum, %own[%c1] : memref<2xi32, 5>
      %again = memref.load %own[%c1] : memref<2xi32, 5>
      %e = llvm.atomicrmw add %pointer, %again syncscope("") monotonic : !llvm.ptr, i32
    }
    gpu.terminator
  }
  // CHECK: ( 128, 64, 64, 7 )
  %v0 = memref.load %buffer[%c0] : memref<4xi32>
  %v1 = memref.load %buffer[%c1] : memref<4xi32>
  %v2 = memref.load %buffer[%c2] : memref<4xi32>
  %v3 = memref.load %buffer[%c3] : memref<4xi32>
  %all = vector.from_elements %v0, %v1, %v2, %v3 : vector<4xi32>
  vector.print %all : vector<4xi32>
  return
}
