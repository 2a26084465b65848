// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// CHECK: text_forms: PASS

// The forms of the text that are legal and rare: sizes without commas, empty
// args, terminators written out, names as attributes, dependencies without
// async, attributes on everything.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("text_forms: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("text_forms: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<64xi32>) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %u = air.launch @outer async (%x, %y) in (%sx=%c2 %sy=%c4) args(%a=%in, %b=%out) : memref<64xi32>, memref<64xi32> attributes {note = "kept"} {
      air.segment args(%u_1=%x, %v=%y, %sa=%a, %sb=%b) : index, index, memref<64xi32>, memref<64xi32> attributes {sym_name = "named"} {
        %c1 = arith.constant 1 : index
        %t = air.wait_all async
        air.herd @h [%t] tile (%tx, %ty) in (%ntx=%c1 %nty=%c1) args(%hu=%u_1, %hv=%v, %ha=%sa, %hb=%sb) : index, index, memref<64xi32>, memref<64xi32> attributes {id = 3 : i32, x_loc = 4 : i64, y_loc = 2 : i64} {
          %v0 = arith.constant 0 : index
          %v1 = arith.constant 8 : index
          %v2 = arith.constant 1 : index
          scf.for %e = %v0 to %v1 step %v2 {
            %v3 = arith.constant 4 : index
            %v4 = arith.muli %hu, %v3 : index
            %v5 = arith.addi %v4, %hv : index
            %v6 = arith.constant 8 : index
            %v7 = arith.muli %v5, %v6 : index
            %p = arith.addi %v7, %e : index
            %v9 = memref.load %ha[%p] : memref<64xi32>
            %v11 = arith.constant 2 : i32
            %v12 = arith.muli %v9, %v11 : i32
            memref.store %v12, %hb[%p] : memref<64xi32>
          }
          air.herd_terminator
        }
        air.herd tile (%tx, %ty) in (%ntx=%c1, %nty=%c1) args() {
        }
        air.herd @h3 tile (%tx, %ty) in (%ntx=%c1, %nty=%c1) {
        }
        air.segment_terminator
      }
      air.launch_terminator
    }
    air.wait_all [%u] {note = "kept"}
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v13 = memref.load %in[%i] : memref<64xi32>
    %v15 = arith.constant 2 : i32
    %result = arith.muli %v13, %v15 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<64xi32>
    scf.for %i = %c0 to %c64 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<64xi32>
    }
    scf.for %i = %c0 to %c64 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<64xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<64xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<64xi32>, memref<64xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<64xi32>) -> ()
    gpu.memcpy %out, %dout : memref<64xi32>, memref<64xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<64xi32>

    %wrong, %at = scf.for %i = %c0 to %c64 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<64xi32>
      %want = func.call @expected(%in, %i) : (memref<64xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<64xi32>
      %want = func.call @expected(%in, %at) : (memref<64xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<64xi32>
    memref.dealloc %out : memref<64xi32>
    return %status : i32
  }
}
