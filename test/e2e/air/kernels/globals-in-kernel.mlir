// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: globals_in_kernel: PASS

// A constant table of the module read by the host, by segment code and by
// lanes.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("globals_in_kernel: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("globals_in_kernel: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  memref.global "private" constant @table : memref<8xi32> = dense<[3, 1, 4, 1, 5, 9, 2, 6]>
  func.func @test(%in: memref<8xi32>, %out: memref<128xi32>) {
    %c2 = arith.constant 2 : index
    air.launch (%x) in (%sx = %c2) args(%a = %in, %b = %out) : memref<8xi32>, memref<128xi32> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<8xi32>, memref<128xi32> {
        %c1 = arith.constant 1 : index
        %table = memref.get_global @table : memref<8xi32>
        %v0 = arith.constant 4 : index
        %v1 = arith.addi %u, %v0 : index
        %first = memref.load %table[%v1] : memref<8xi32>
        air.herd @h tile (%tx, %ty) in (%ntx = %c1, %nty = %c1) args(%hu = %u, %ha = %sa, %hb = %sb, %hf = %first) : index, memref<8xi32>, memref<128xi32>, i32 {
          %table_1 = memref.get_global @table : memref<8xi32>
          %lane = gpu.lane_id
          %v3 = arith.constant 64 : index
          %v4 = arith.muli %hu, %v3 : index
          %p = arith.addi %v4, %lane : index
          %v6 = arith.constant 8 : index
          %q = arith.remui %lane, %v6 : index
          %v8 = memref.load %table_1[%q] : memref<8xi32>
          %v10 = arith.constant 100 : i32
          %v11 = arith.muli %v8, %v10 : i32
          %v12 = memref.load %ha[%q] : memref<8xi32>
          %v14 = arith.constant 1000 : i32
          %v15 = arith.muli %v12, %v14 : i32
          %v16 = arith.addi %v11, %v15 : i32
          %v17 = arith.addi %v16, %hf : i32
          memref.store %v17, %hb[%p] : memref<128xi32>
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<8xi32>, %i: index) -> i32 {
    %table = memref.get_global @table : memref<8xi32>
    %v18 = arith.constant 8 : index
    %q = arith.remui %i, %v18 : index
    %v20 = arith.constant 64 : index
    %v21 = arith.divui %i, %v20 : index
    %v22 = arith.constant 4 : index
    %f = arith.addi %v21, %v22 : index
    %v24 = memref.load %table[%q] : memref<8xi32>
    %v26 = arith.constant 100 : i32
    %v27 = arith.muli %v24, %v26 : i32
    %v28 = memref.load %in[%q] : memref<8xi32>
    %v30 = arith.constant 1000 : i32
    %v31 = arith.muli %v28, %v30 : i32
    %v32 = arith.addi %v27, %v31 : i32
    %v33 = memref.load %table[%f] : memref<8xi32>
    %result = arith.addi %v32, %v33 : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : memref<8xi32>
    %out = memref.alloc() : memref<128xi32>
    scf.for %i = %c0 to %c8 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<8xi32>
    }
    scf.for %i = %c0 to %c128 step %c1 {
      %v8 = arith.constant -1 : i32
      memref.store %v8, %out[%i] : memref<128xi32>
    }
    %din = gpu.alloc () : memref<8xi32>
    %dout = gpu.alloc () : memref<128xi32>
    gpu.memcpy %din, %in : memref<8xi32>, memref<8xi32>
    gpu.memcpy %dout, %out : memref<128xi32>, memref<128xi32>
    call @test(%din, %dout) : (memref<8xi32>, memref<128xi32>) -> ()
    gpu.memcpy %out, %dout : memref<128xi32>, memref<128xi32>
    gpu.dealloc %din : memref<8xi32>
    gpu.dealloc %dout : memref<128xi32>

    %wrong, %at = scf.for %i = %c0 to %c128 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<128xi32>
      %want = func.call @expected(%in, %i) : (memref<8xi32>, index) -> i32
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
      %want = func.call @expected(%in, %at) : (memref<8xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<8xi32>
    memref.dealloc %out : memref<128xi32>
    return %status : i32
  }
}
