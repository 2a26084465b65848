// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: segment_lead: PASS

// Workers that draw tasks from a queue: one thread of each workgroup claims by
// an atomic until none is left, after the manner of persistent kernels. Every
// task is done exactly once.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("segment_lead: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("segment_lead: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<100xi32>, %out: memref<128xi32>) {
    %c7 = arith.constant 7 : index
    air.launch (%x) in (%sx = %c7) args(%a = %in, %b = %out) : memref<100xi32>, memref<128xi32> {
      air.segment @worker args(%sa = %a, %sb = %b) : memref<100xi32>, memref<128xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c100 = arith.constant 100 : index
        %tx = gpu.thread_id x
        %ty = gpu.thread_id y
        %either = arith.ori %tx, %ty : index
        %v0 = arith.constant 0 : index
        %lead = arith.cmpi eq, %either, %v0 : index
        scf.if %lead {
          %one = arith.constant 1 : i32
          %true = arith.constant true
          %done = scf.while (%go = %true) : (i1) -> i1 {
            scf.condition(%go) %go : i1
          } do {
          ^bb0(%g: i1):
            %claimed = memref.atomic_rmw addi %one, %sb[%c100] : (i32, memref<128xi32>) -> i32
            %task = arith.index_cast %claimed : i32 to index
            %v3 = arith.constant 100 : index
            %has = arith.cmpi ult, %task, %v3 : index
            scf.if %has {
              %v5 = memref.load %sb[%task] : memref<128xi32>
              %v6 = memref.load %sa[%task] : memref<100xi32>
              %v8 = arith.constant 3 : i32
              %v9 = arith.muli %v6, %v8 : i32
              %v10 = arith.addi %v5, %v9 : i32
              %v12 = arith.constant 1 : i32
              %v13 = arith.addi %v10, %v12 : i32
              memref.store %v13, %sb[%task] : memref<128xi32>
            }
            scf.yield %has : i1
          }
          %c101 = arith.constant 101 : index
          %old = memref.atomic_rmw addi %one, %sb[%c101] : (i32, memref<128xi32>) -> i32
        }
        air.herd @h tile (%px, %py) in (%nx = %c2, %ny = %c2) {
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<100xi32>, %i: index) -> i32 {
    %v14 = arith.constant 99 : index
    %p = arith.minui %i, %v14 : index
    %v16 = memref.load %in[%p] : memref<100xi32>
    %v18 = arith.constant 3 : i32
    %v19 = arith.muli %v16, %v18 : i32
    %v21 = arith.constant 1 : i32
    %v = arith.addi %v19, %v21 : i32
    // Each of the seven workers asks once too often.
    %v23 = arith.constant 100 : index
    %v24 = arith.cmpi ult, %i, %v23 : index
    %v25 = arith.constant 100 : index
    %v26 = arith.cmpi eq, %i, %v25 : index
    %v28 = arith.constant 107 : i32
    %v29 = arith.constant 101 : index
    %v30 = arith.cmpi eq, %i, %v29 : index
    %v32 = arith.constant 7 : i32
    %v34 = arith.constant 0 : i32
    %v35 = arith.select %v30, %v32, %v34 : i32
    %v36 = arith.select %v26, %v28, %v35 : i32
    %result = arith.select %v24, %v, %v36 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : memref<100xi32>
    %out = memref.alloc() : memref<128xi32>
    scf.for %i = %c0 to %c100 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<100xi32>
    }
    scf.for %i = %c0 to %c128 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<128xi32>
    }
    %din = gpu.alloc () : memref<100xi32>
    %dout = gpu.alloc () : memref<128xi32>
    gpu.memcpy %din, %in : memref<100xi32>, memref<100xi32>
    gpu.memcpy %dout, %out : memref<128xi32>, memref<128xi32>
    call @test(%din, %dout) : (memref<100xi32>, memref<128xi32>) -> ()
    gpu.memcpy %out, %dout : memref<128xi32>, memref<128xi32>
    gpu.dealloc %din : memref<100xi32>
    gpu.dealloc %dout : memref<128xi32>

    %wrong, %at = scf.for %i = %c0 to %c128 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<128xi32>
      %want = func.call @expected(%in, %i) : (memref<100xi32>, index) -> i32
      %differs = arith.cmpi ne, %got, %want : i32
      %one_more = arith.addi %count, %c1 : index
      %next = arith.select %differs, %one_more, %count : index
      %place = arith.select %differs, %i, %last : index
      scf.yield %next, %place : index, index
    }
    %good = arith.cmpi eq, %wrong, %c0 : index
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
      %ok = arith.constant 0 : i32
      scf.yield %ok : i32
    } else {
      %got = memref.load %out[%at] : memref<128xi32>
      %want = func.call @expected(%in, %at) : (memref<100xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<100xi32>
    memref.dealloc %out : memref<128xi32>
    return %status : i32
  }
}
