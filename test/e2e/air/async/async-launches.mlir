// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// CHECK: async_launches: PASS

// Launches ordered by tokens only: the second reads what the first writes, the
// third waits for both, and the host reads after a blocking wait.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("async_launches: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("async_launches: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<128xi32>, %out: memref<128xi32>) {
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %tmp = gpu.alloc () : memref<128xi32>
    %first = air.launch @one async (%x) in (%sx = %c128) args(%a = %in, %t = %tmp) : memref<128xi32>, memref<128xi32> {
      %v0 = memref.load %a[%x] : memref<128xi32>
      %v2 = arith.constant 3 : i32
      %v3 = arith.addi %v0, %v2 : i32
      memref.store %v3, %t[%x] : memref<128xi32>
    }
    %second = air.launch @two async [%first] (%x) in (%sx = %c128) args(%t = %tmp, %b = %out) : memref<128xi32>, memref<128xi32> {
      %v4 = arith.constant 127 : index
      %q = arith.subi %v4, %x : index
      %v6 = memref.load %t[%q] : memref<128xi32>
      %v8 = arith.constant 2 : i32
      %v9 = arith.muli %v6, %v8 : i32
      memref.store %v9, %b[%x] : memref<128xi32>
    }
    %joined = air.wait_all async [%first, %second]
    %third = air.launch @three async [%joined] (%x, %y) in (%sx = %c2, %sy = %c2) args(%t = %tmp, %b = %out) : memref<128xi32>, memref<128xi32> {
      air.segment @s args(%u = %x, %v = %y, %st = %t, %sb = %b) : index, index, memref<128xi32>, memref<128xi32> {
        %c1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c1, %nty = %c1) args(%hu = %u, %hv = %v, %ht = %st, %hb = %sb) : index, index, memref<128xi32>, memref<128xi32> {
          %v10 = arith.constant 0 : index
          %v11 = arith.constant 32 : index
          %v12 = arith.constant 1 : index
          scf.for %e = %v10 to %v11 step %v12 {
            %v13 = arith.constant 2 : index
            %v14 = arith.muli %hu, %v13 : index
            %v15 = arith.addi %v14, %hv : index
            %v16 = arith.constant 32 : index
            %v17 = arith.muli %v15, %v16 : index
            %p = arith.addi %v17, %e : index
            %v19 = memref.load %hb[%p] : memref<128xi32>
            %v21 = arith.constant 1000 : i32
            %v22 = arith.muli %v19, %v21 : i32
            %v23 = memref.load %ht[%p] : memref<128xi32>
            %v24 = arith.addi %v22, %v23 : i32
            memref.store %v24, %hb[%p] : memref<128xi32>
          }
        }
      }
    }
    air.wait_all [%third]
    gpu.dealloc %tmp : memref<128xi32>
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<128xi32>, %i: index) -> i32 {
    %v25 = arith.constant 127 : index
    %q = arith.subi %v25, %i : index
    %v27 = memref.load %in[%q] : memref<128xi32>
    %v29 = arith.constant 3 : i32
    %v30 = arith.addi %v27, %v29 : i32
    %v32 = arith.constant 2000 : i32
    %v33 = arith.muli %v30, %v32 : i32
    %v34 = memref.load %in[%i] : memref<128xi32>
    %v35 = arith.addi %v33, %v34 : i32
    %v37 = arith.constant 3 : i32
    %result = arith.addi %v35, %v37 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : memref<128xi32>
    %out = memref.alloc() : memref<128xi32>
    scf.for %i = %c0 to %c128 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<128xi32>
    }
    scf.for %i = %c0 to %c128 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<128xi32>
    }
    %din = gpu.alloc () : memref<128xi32>
    %dout = gpu.alloc () : memref<128xi32>
    gpu.memcpy %din, %in : memref<128xi32>, memref<128xi32>
    gpu.memcpy %dout, %out : memref<128xi32>, memref<128xi32>
    call @test(%din, %dout) : (memref<128xi32>, memref<128xi32>) -> ()
    gpu.memcpy %out, %dout : memref<128xi32>, memref<128xi32>
    gpu.dealloc %din : memref<128xi32>
    gpu.dealloc %dout : memref<128xi32>

    %wrong, %at = scf.for %i = %c0 to %c128 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<128xi32>
      %want = func.call @expected(%in, %i) : (memref<128xi32>, index) -> i32
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
      %want = func.call @expected(%in, %at) : (memref<128xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<128xi32>
    memref.dealloc %out : memref<128xi32>
    return %status : i32
  }
}
