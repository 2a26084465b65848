// RUN: %aircc run --target gfx942 %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target gfx1100 -O0 %s 2>&1 | FileCheck %s
// RUN: %aircc run --target bmg %s 2>&1 | FileCheck %s
// RUN: %aircc %s --target gfx942 --stage-option hierarchy.pe=wave -o %t 2>&1 | FileCheck %s --check-prefix=WAVE
//
// 16 x 8 waves are too many for a workgroup, so these PEs become lanes, each with
// its own L1 buffers. The other launch numbers the lanes of its PEs, which remain
// waves.
//
// CHECK: large-herd.mlir:[[#]]:[[#]]: remark: {{.*}}each PE of this launch is mapped to one lane
// CHECK-NOT: remark:
// CHECK: wrong: 0, 0
// WAVE: remark: runs in 8 rounds: it has 128 PEs, but a workgroup has only 16 waves, each of which executes several PEs one after another

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("wrong: %d, %d\0A\00") {addr_space = 0 : i32}

// out[y, x] = sum of the four numbers of PE (x, y) + the sum of PE (x xor 1, y).
func.func @sums(%in: memref<128x4xi32>, %out: memref<8x16xi32>) {
  air.launch () in () args(%li = %in, %lo = %out) : memref<128x4xi32>, memref<8x16xi32> {
    air.segment args(%si = %li, %so = %lo) : memref<128x4xi32>, memref<8x16xi32> {
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %l2 = memref.alloc() : memref<128x4xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %si[] [] []) : (memref<128x4xi32, 1>, memref<128x4xi32>)
      air.herd tile (%tx, %ty) in (%nx = %c16, %ny = %c8) args(%h2 = %l2, %ho = %so)
          : memref<128x4xi32, 1>, memref<8x16xi32> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %width = arith.constant 16 : i32
        %base = arith.muli %ty, %nx : index
        %row = arith.addi %base, %tx : index
        %l1 = memref.alloc() : memref<4xi32, 2>
        air.dma_memcpy_nd (%l1[] [] [], %h2[%row, %h0] [%h1, %h4] [%h4, %h1])
            : (memref<4xi32, 2>, memref<128x4xi32, 1>)
        %sum = scf.for %i = %h0 to %h4 step %h1 iter_args(%s = %zero) -> (i32) {
          %v = memref.load %l1[%i] : memref<4xi32, 2>
          %t = arith.addi %s, %v : i32
          scf.yield %t : i32
        }
        %other, %valid = gpu.shuffle xor %sum, %one, %width : i32
        %both = arith.addi %sum, %other : i32
        memref.store %both, %ho[%ty, %tx] : memref<8x16xi32>
      }
    }
  }
  return
}

// out[p, l] = 100 p + l for the first 16 lanes of each wave.
func.func @waves(%out: memref<4x16xi32>) {
  air.launch () in () args(%lo = %out) : memref<4x16xi32> {
    air.segment args(%so = %lo) : memref<4x16xi32> {
      %c4 = arith.constant 4 : index
      air.herd tile (%p) in (%np = %c4) args(%ho = %so) : memref<4x16xi32> {
        %c16 = arith.constant 16 : index
        %c100 = arith.constant 100 : index
        %lane = gpu.lane_id
        %in = arith.cmpi ult, %lane, %c16 : index
        scf.if %in {
          %a = arith.muli %p, %c100 : index
          %b = arith.addi %a, %lane : index
          %v = arith.index_cast %b : index to i32
          memref.store %v, %ho[%p, %lane] : memref<4x16xi32>
        }
      }
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %hundred = arith.constant 100 : i32
  %in = memref.alloc() : memref<128x4xi32>
  %out = memref.alloc() : memref<8x16xi32>
  %ids = memref.alloc() : memref<4x16xi32>
  scf.for %i = %c0 to %c128 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %sq = arith.muli %i, %i : index
      %e = arith.addi %sq, %j : index
      %v = arith.index_cast %e : index to i32
      memref.store %v, %in[%i, %j] : memref<128x4xi32>
    }
  }
  call @sums(%in, %out) : (memref<128x4xi32>, memref<8x16xi32>) -> ()
  call @waves(%ids) : (memref<4x16xi32>) -> ()
  // Four times the square of a PE's number, and 0 + 1 + 2 + 3.
  %bad = scf.for %i = %c0 to %c128 step %c1 iter_args(%n = %zero) -> (i32) {
    %y = arith.divui %i, %c16 : index
    %x = arith.remui %i, %c16 : index
    %k = arith.xori %i, %c1 : index
    %sq0 = arith.muli %i, %i : index
    %sq1 = arith.muli %k, %k : index
    %sq = arith.addi %sq0, %sq1 : index
    %i32 = arith.index_cast %sq : index to i32
    %four = arith.constant 4 : i32
    %twelve = arith.constant 12 : i32
    %m = arith.muli %i32, %four : i32
    %want = arith.addi %m, %twelve : i32
    %got = memref.load %out[%y, %x] : memref<8x16xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.extui %ne : i1 to i32
    %next = arith.addi %n, %more : i32
    scf.yield %next : i32
  }
  %bad_ids = scf.for %p = %c0 to %c4 step %c1 iter_args(%n0 = %zero) -> (i32) {
    %r = scf.for %l = %c0 to %c16 step %c1 iter_args(%n = %n0) -> (i32) {
      %p32 = arith.index_cast %p : index to i32
      %l32 = arith.index_cast %l : index to i32
      %a = arith.muli %p32, %hundred : i32
      %want = arith.addi %a, %l32 : i32
      %got = memref.load %ids[%p, %l] : memref<4x16xi32>
      %ne = arith.cmpi ne, %got, %want : i32
      %more = arith.extui %ne : i1 to i32
      %next = arith.addi %n, %more : i32
      scf.yield %next : i32
    }
    scf.yield %r : i32
  }
  %t = llvm.mlir.addressof @text : !llvm.ptr
  llvm.call @printf(%t, %bad, %bad_ids) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
  return %zero : i32
}
