// Kernels may access allocations in the symmetric heap, of their own rank and of a peer, and no
// other part of it: an access past the end of an allocation, far from any, or after a free is a
// fault at the instruction. The checker also reports unordered accesses of two ranks.

// DEFINE: %{run} = %aircc run --target gfx942 -n 2

// RUN: %{run} %s 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: %{run} --check %s 2>&1 | FileCheck %s --check-prefix=FINE
// FINE-DAG: rank 0: 4
// FINE-DAG: rank 1: 3

// RUN: sed 's@//OWN @@' %s > %t.own.mlir && not %{run} %t.own.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: sed 's@//OWN @@' %s > %t.own.mlir && not %aircc run --target gfx1100 -n 2 %t.own.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: {{.*}}: write of 4 bytes at 0x{{[0-9a-f]+}} outside of any allocation (0 bytes past the end of a buffer of 256 bytes at 0x{{[0-9a-f]+}}, allocation 1 of rank {{[01]}}'s symmetric heap); at 0x{{.*}}global_store

// RUN: sed 's@//PEER @@' %s > %t.peer.mlir && not %{run} %t.peer.mlir 2>&1 | FileCheck %s --check-prefix=PEER
// RUN: sed 's@//PEER @@' %s > %t.peer.mlir && not %aircc run --target gfx1201 -n 2 %t.peer.mlir 2>&1 | FileCheck %s --check-prefix=PEER
// PEER: {{.*}}: write of 4 bytes at 0x{{[0-9a-f]+}} outside of any allocation (0 bytes past the end of a buffer of 256 bytes at 0x{{[0-9a-f]+}}, allocation 1 of rank {{[01]}}'s symmetric heap); at 0x{{.*}}global_store

// RUN: sed 's@//FAR @@' %s > %t.far.mlir && not %{run} %t.far.mlir 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: write of 4 bytes at 0x{{[0-9a-f]+}} outside of any allocation ({{[0-9]+}} bytes past the end of a buffer of

// RUN: sed 's@//FREED @@' %s > %t.freed.mlir && not %{run} %t.freed.mlir 2>&1 | FileCheck %s --check-prefix=FREED
// FREED: write of 4 bytes at 0x{{[0-9a-f]+}} outside of any allocation (0 bytes past the start of a buffer of 256 bytes at 0x{{[0-9a-f]+}}, allocation 1 of rank {{[01]}}'s symmetric heap, that was freed)

// RUN: sed 's@//RACE @@' %s > %t.race.mlir && not %{run} --check %t.race.mlir 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: sed 's@//RACE @@' %s > %t.race.mlir && not %aircc run --check --target gfx90a -n 2 %t.race.mlir 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: sed 's@//RACE @@' %s > %t.race.mlir && not %aircc run --check --target gfx1100 -n 2 %t.race.mlir 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: data race between ranks: write of 4 bytes at 0x{{[0-9a-f]+}} ({{.*}}allocation 1 of rank 0's symmetric heap) by rank {{[01]}}
// RACE: after the write by a kernel of rank {{[01]}}

// RUN: sed 's@//READ @@' %s > %t.read.mlir && not %{run} --check %t.read.mlir 2>&1 | FileCheck %s --check-prefix=READ
// READ: data race between ranks

llvm.func @printf(!llvm.ptr, ...) -> i32
func.func private @mgpuBarrier()
func.func private @mgpuGetHeapBases() -> !llvm.ptr
llvm.mlir.global internal constant @text("rank %ld: %d\0A\00") {addr_space = 0 : i32}

func.func private @bases() -> memref<?xindex, #air.symmetric_heap> {
  %p = func.call @mgpuGetHeapBases() : () -> !llvm.ptr
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %d0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %d1 = llvm.insertvalue %p, %d0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %d2 = llvm.insertvalue %p, %d1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %d3 = llvm.insertvalue %zero, %d2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %d4 = llvm.insertvalue %two, %d3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %d5 = llvm.insertvalue %one, %d4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %m = builtin.unrealized_conversion_cast %d5 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<?xindex, #air.symmetric_heap>
  return %m : memref<?xindex, #air.symmetric_heap>
}

func.func @main() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c3 = arith.constant 3 : index
    %m = memref.alloc() : memref<64xi32, #air.symmetric_heap>
    %next = memref.alloc() : memref<64xi32, #air.symmetric_heap>
    //FREED memref.dealloc %m : memref<64xi32, #air.symmetric_heap>
    func.call @mgpuBarrier() : () -> ()
    %bases = func.call @bases() : () -> memref<?xindex, #air.symmetric_heap>
    // Each rank writes its number and the lane into the other's buffer, and after
    // a barrier reads its own.
    air.launch () in () args(%lr = %r, %lm = %m, %lb = %bases) : index, memref<64xi32, #air.symmetric_heap>, memref<?xindex, #air.symmetric_heap> {
      air.segment args(%sr = %lr, %sm = %lm, %sb = %lb) : index, memref<64xi32, #air.symmetric_heap>, memref<?xindex, #air.symmetric_heap> {
        %one = arith.constant 1 : index
        air.herd tile (%x, %y) in (%nx = %one, %ny = %one) args(%hr = %sr, %hm = %sm, %hb = %sb) : index, memref<64xi32, #air.symmetric_heap>, memref<?xindex, #air.symmetric_heap> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h64 = arith.constant 64 : index
          %h20000 = arith.constant 20000 : index
          %lane = gpu.lane_id
          %other = arith.subi %h1, %hr : index
          %sum = arith.addi %lane, %hr : index
          %value = arith.index_cast %sum : index to i32
          %end = arith.addi %lane, %h64 : index
          %far = arith.addi %lane, %h20000 : index
          %peer = air.translate %hm, %hr, %other, %hb : memref<64xi32, #air.symmetric_heap>, memref<?xindex, #air.symmetric_heap>
          %first = air.translate %hm, %hr, %h0, %hb : memref<64xi32, #air.symmetric_heap>, memref<?xindex, #air.symmetric_heap>
          memref.store %value, %peer[%lane] : memref<64xi32, #air.symmetric_heap>
          //OWN memref.store %value, %hm[%end] : memref<64xi32, #air.symmetric_heap>
          //PEER memref.store %value, %peer[%end] : memref<64xi32, #air.symmetric_heap>
          //FAR memref.store %value, %peer[%far] : memref<64xi32, #air.symmetric_heap>
          //RACE memref.store %value, %first[%lane] : memref<64xi32, #air.symmetric_heap>
          //READ %mine = memref.load %hm[%lane] : memref<64xi32, #air.symmetric_heap>
          //READ %more = arith.addi %mine, %value : i32
          //READ memref.store %more, %hm[%lane] : memref<64xi32, #air.symmetric_heap>
        }
      }
    }
    func.call @mgpuBarrier() : () -> ()
    %host = memref.alloc() : memref<64xi32>
    air.launch () in () args(%lm = %m, %ln = %next) : memref<64xi32, #air.symmetric_heap>, memref<64xi32, #air.symmetric_heap> {
      air.segment args(%sm = %lm, %sn = %ln) : memref<64xi32, #air.symmetric_heap>, memref<64xi32, #air.symmetric_heap> {
        air.dma_memcpy_nd (%sn[] [] [], %sm[] [] []) : (memref<64xi32, #air.symmetric_heap>, memref<64xi32, #air.symmetric_heap>)
      }
    }
    air.dma_memcpy_nd (%host[] [] [], %next[] [] []) : (memref<64xi32>, memref<64xi32, #air.symmetric_heap>)
    %e = memref.load %host[%c3] : memref<64xi32>
    %rank = arith.index_cast %r : index to i64
    %t = llvm.mlir.addressof @text : !llvm.ptr
    llvm.call @printf(%t, %rank, %e) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i32) -> i32
  }
  return
}
