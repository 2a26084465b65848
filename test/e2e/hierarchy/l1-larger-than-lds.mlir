// RUN: %aircc run --check --target gfx942 %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target gfx1100 %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target gfx1201 %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target bmg %s 2>&1 | FileCheck %s
//
// PEs as a whole: each of the eight has a tile of 32 KB in L1, which together do
// not fit into LDS. A tile comes from an L2 buffer in global memory, goes through
// ops that the lanes of a PE share, and a second tile, which fits, gets a part.
//
// CHECK-COUNT-2: remark: {{.*}}is in global memory: {{(262144|524288)}} bytes for each workgroup
// CHECK: wrong: 0

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("wrong: %d\0A\00") {addr_space = 0 : i32}

// out[p, i] = 2 (in[p, i] + p) + in[p, 64 + i].
func.func @run(%in: memref<8x8192xi32>, %out: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%nl = %c1) args(%li = %in, %lo = %out) : memref<8x8192xi32>, memref<8x64xi32> {
    air.segment args(%si = %li, %so = %lo) : memref<8x8192xi32>, memref<8x64xi32> {
      %c8 = arith.constant 8 : index
      %l2 = memref.alloc() : memref<16x8192xi32, 1>
      air.dma_memcpy_nd (%l2[] [8, 8192] [8192, 1], %si[] [] []) : (memref<16x8192xi32, 1>, memref<8x8192xi32>)
      air.herd tile (%p) in (%np = %c8) args(%h2 = %l2, %ho = %so) : memref<16x8192xi32, 1>, memref<8x64xi32> {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h64 = arith.constant 64 : index
        %h8192 = arith.constant 8192 : index
        %tile = memref.alloc() : memref<8192xi32, 2>
        %part = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%tile[] [] [], %h2[%p, %c0] [%h1, %h8192] [%h8192, %h1])
            : (memref<8192xi32, 2>, memref<16x8192xi32, 1>)
        %p32 = arith.index_cast %p : index to i32
        %two = arith.constant 2 : i32
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
            outs(%tile : memref<8192xi32, 2>) {
        ^bb0(%v: i32):
          %a = arith.addi %v, %p32 : i32
          %b = arith.muli %a, %two : i32
          linalg.yield %b : i32
        }
        air.dma_memcpy_nd (%part[] [] [], %h2[%p, %h64] [%h1, %h64] [%h8192, %h1])
            : (memref<64xi32, 2>, memref<16x8192xi32, 1>)
        %head = memref.subview %tile[0] [64] [1] : memref<8192xi32, 2> to memref<64xi32, strided<[1]>, 2>
        linalg.add ins(%head, %part : memref<64xi32, strided<[1]>, 2>, memref<64xi32, 2>)
                   outs(%part : memref<64xi32, 2>)
        air.dma_memcpy_nd (%ho[%p, %c0] [%h1, %h64] [%h64, %h1], %part[] [] [])
            : (memref<8x64xi32>, memref<64xi32, 2>)
      }
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c8192 = arith.constant 8192 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %in = memref.alloc() : memref<8x8192xi32>
  %out = memref.alloc() : memref<8x64xi32>
  scf.for %p = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c8192 step %c1 {
      %row = arith.muli %p, %c8192 : index
      %k = arith.addi %row, %i : index
      %sq = arith.muli %k, %k : index
      %v = arith.index_cast %sq : index to i32
      memref.store %v, %in[%p, %i] : memref<8x8192xi32>
    }
  }
  call @run(%in, %out) : (memref<8x8192xi32>, memref<8x64xi32>) -> ()
  %bad = scf.for %p = %c0 to %c8 step %c1 iter_args(%b0 = %zero) -> (i32) {
    %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%b = %b0) -> (i32) {
      %v = memref.load %in[%p, %i] : memref<8x8192xi32>
      %j = arith.addi %i, %c64 : index
      %u = memref.load %in[%p, %j] : memref<8x8192xi32>
      %p32 = arith.index_cast %p : index to i32
      %a = arith.addi %v, %p32 : i32
      %d = arith.muli %a, %two : i32
      %want = arith.addi %d, %u : i32
      %got = memref.load %out[%p, %i] : memref<8x64xi32>
      %ne = arith.cmpi ne, %got, %want : i32
      %more = arith.extui %ne : i1 to i32
      %next = arith.addi %b, %more : i32
      scf.yield %next : i32
    }
    scf.yield %r : i32
  }
  %t = llvm.mlir.addressof @text : !llvm.ptr
  llvm.call @printf(%t, %bad) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  return %zero : i32
}
