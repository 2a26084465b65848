// RUN: %aircc %s --target gfx942 --stage-option hierarchy.pe=lane -o %t && %t
// RUN: not %aircc %s --target gfx942 -o %t.no 2>&1 | FileCheck %s
//
// A program in which the points of herds are lanes: 256 points are 256 lanes, the code of the
// segment is lane code (it uses thread_id), its L1 buffers are private to lanes, and it
// synchronizes the lanes itself. Without the option a point is a wave, and the herd would run in
// rounds; an error suggests the option.
//
// CHECK: pe-lane.mlir:[[#]]:[[#]]: error: 'memref.load' op has results that depend on an L1 buffer of the segment
// CHECK-SAME: pe=lane

// C = A * B, 32 x 24 x 64 elements: each workgroup 16 x 32 of C, each lane two of
// them, in steps of 8.
func.func @matmul(%A: memref<32x24xf32>, %B: memref<24x64xf32>, %C: memref<32x64xf32>) {
  %c2 = arith.constant 2 : index
  air.launch (%bx, %by) in (%nx = %c2, %ny = %c2) args(%la = %A, %lb = %B, %lc = %C)
      : memref<32x24xf32>, memref<24x64xf32>, memref<32x64xf32> {
    air.segment @tile args(%sx = %bx, %sy = %by, %sa = %la, %sb = %lb, %sc = %lc)
        : index, index, memref<32x24xf32>, memref<24x64xf32>, memref<32x64xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c24 = arith.constant 24 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %c256 = arith.constant 256 : index
      %zero = arith.constant 0.0 : f32
      %tid = gpu.thread_id x
      %sums = memref.alloc() : memref<2xf32, 2>
      %unused = memref.alloc() : memref<256x256xf32, 1>
      scf.for %i = %c0 to %s2 step %c1 {
        memref.store %zero, %sums[%i] : memref<2xf32, 2>
      }
      %row0 = arith.muli %sy, %c16 : index
      %col0 = arith.muli %sx, %c32 : index
      scf.for %k = %c0 to %c24 step %c8 {
        %ta = memref.alloc() : memref<16x8xf32, 1>
        %tb = memref.alloc() : memref<8x32xf32, 1>
        // Lanes 0 to 127 copy A, all lanes copy B.
        %low = arith.cmpi ult, %tid, %c128 : index
        scf.if %low {
          %r = arith.divui %tid, %c8 : index
          %c = arith.remui %tid, %c8 : index
          %gr = arith.addi %row0, %r : index
          %gc = arith.addi %k, %c : index
          %v = memref.load %sa[%gr, %gc] : memref<32x24xf32>
          memref.store %v, %ta[%r, %c] : memref<16x8xf32, 1>
        }
        %r = arith.divui %tid, %c32 : index
        %c = arith.remui %tid, %c32 : index
        %gr = arith.addi %k, %r : index
        %gc = arith.addi %col0, %c : index
        %v = memref.load %sb[%gr, %gc] : memref<24x64xf32>
        memref.store %v, %tb[%r, %c] : memref<8x32xf32, 1>
        gpu.barrier
        air.herd @multiply tile (%tx, %ty) in (%ntx = %c256, %nty = %c1)
            args(%ha = %ta, %hb = %tb, %hs = %sums)
            : memref<16x8xf32, 1>, memref<8x32xf32, 1>, memref<2xf32, 2> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h2 = arith.constant 2 : index
          %h8 = arith.constant 8 : index
          %h32 = arith.constant 32 : index
          %hr = arith.divui %tx, %h32 : index
          %hc = arith.remui %tx, %h32 : index
          %la0 = memref.alloc() : memref<2xf32, 2>
          scf.for %i = %h0 to %h8 step %h1 {
            scf.for %j = %h0 to %h2 step %h1 {
              %off = arith.muli %j, %h8 : index
              %ar = arith.addi %hr, %off : index
              %a = memref.load %ha[%ar, %i] : memref<16x8xf32, 1>
              memref.store %a, %la0[%j] : memref<2xf32, 2>
            }
            %b = memref.load %hb[%i, %hc] : memref<8x32xf32, 1>
            scf.for %j = %h0 to %h2 step %h1 {
              %a = memref.load %la0[%j] : memref<2xf32, 2>
              %s = memref.load %hs[%j] : memref<2xf32, 2>
              %p = arith.mulf %a, %b : f32
              %n = arith.addf %s, %p : f32
              memref.store %n, %hs[%j] : memref<2xf32, 2>
            }
          }
          gpu.barrier
        }
      }
      scf.for %j = %c0 to %s2 step %c1 {
        %r = arith.divui %tid, %c32 : index
        %c = arith.remui %tid, %c32 : index
        %off = arith.muli %j, %c8 : index
        %r1 = arith.addi %r, %off : index
        %gr = arith.addi %row0, %r1 : index
        %gc = arith.addi %col0, %c : index
        %s = memref.load %sums[%j] : memref<2xf32, 2>
        memref.store %s, %sc[%gr, %gc] : memref<32x64xf32>
      }
    }
  }
  return
}

// Each lane of a herd copies a row through its own L1; the lanes write to the
// output one after another.
func.func @rows(%in: memref<32x64xf32>, %out: memref<32x64xf32>) {
  %c2 = arith.constant 2 : index
  air.launch (%bx, %by) in (%nx = %c2, %ny = %c2) args(%li = %in, %lo = %out)
      : memref<32x64xf32>, memref<32x64xf32> {
    air.segment args(%sx = %bx, %sy = %by, %si = %li, %so = %lo)
        : index, index, memref<32x64xf32>, memref<32x64xf32> {
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %row = arith.muli %sy, %c16 : index
      %col = arith.muli %sx, %c32 : index
      %l2 = memref.alloc() : memref<16x32xf32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %si[%row, %col] [%c16, %c32] [%c64, %c1])
          : (memref<16x32xf32, 1>, memref<32x64xf32>)
      air.herd tile (%tx, %ty) in (%ntx = %c16, %nty = %c1)
          args(%h2 = %l2, %ho = %so, %hr = %row, %hc = %col)
          : memref<16x32xf32, 1>, memref<32x64xf32>, index, index {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h32 = arith.constant 32 : index
        %h64 = arith.constant 64 : index
        %l1 = memref.alloc() : memref<32xf32, 2>
        air.dma_memcpy_nd (%l1[] [] [], %h2[%tx, %h0] [%h32] [%h1])
            : (memref<32xf32, 2>, memref<16x32xf32, 1>)
        %r = arith.addi %hr, %tx : index
        air.dma_memcpy_nd (%ho[%r, %hc] [%h1, %h32] [%h64, %h1], %l1[] [] [])
            : (memref<32x64xf32>, memref<32xf32, 2>)
      }
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %fzero = arith.constant 0.0 : f32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %A = memref.alloc() : memref<32x24xf32>
  %B = memref.alloc() : memref<24x64xf32>
  %C = memref.alloc() : memref<32x64xf32>
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      %s = arith.addi %i, %j : index
      %m = arith.remui %s, %c5 : index
      %n = arith.index_cast %m : index to i32
      %f = arith.sitofp %n : i32 to f32
      memref.store %f, %A[%i, %j] : memref<32x24xf32>
    }
  }
  scf.for %i = %c0 to %c24 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %s = arith.subi %j, %i : index
      %m = arith.remsi %s, %c5 : index
      %n = arith.index_cast %m : index to i32
      %f = arith.sitofp %n : i32 to f32
      memref.store %f, %B[%i, %j] : memref<24x64xf32>
    }
  }
  %dA = gpu.alloc () : memref<32x24xf32>
  %dB = gpu.alloc () : memref<24x64xf32>
  %dC = gpu.alloc () : memref<32x64xf32>
  %dD = gpu.alloc () : memref<32x64xf32>
  gpu.memcpy %dA, %A : memref<32x24xf32>, memref<32x24xf32>
  gpu.memcpy %dB, %B : memref<24x64xf32>, memref<24x64xf32>
  call @matmul(%dA, %dB, %dC) : (memref<32x24xf32>, memref<24x64xf32>, memref<32x64xf32>) -> ()
  call @rows(%dC, %dD) : (memref<32x64xf32>, memref<32x64xf32>) -> ()
  gpu.memcpy %C, %dD : memref<32x64xf32>, memref<32x64xf32>
  %bad = scf.for %i = %c0 to %c32 step %c1 iter_args(%n0 = %zero) -> (i32) {
    %n1 = scf.for %j = %c0 to %c64 step %c1 iter_args(%n2 = %n0) -> (i32) {
      %want = scf.for %k = %c0 to %c24 step %c1 iter_args(%s = %fzero) -> (f32) {
        %a = memref.load %A[%i, %k] : memref<32x24xf32>
        %b = memref.load %B[%k, %j] : memref<24x64xf32>
        %p = arith.mulf %a, %b : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      %got = memref.load %C[%i, %j] : memref<32x64xf32>
      %ne = arith.cmpf une, %got, %want : f32
      %more = arith.addi %n2, %one : i32
      %next = arith.select %ne, %more, %n2 : i32
      scf.yield %next : i32
    }
    scf.yield %n1 : i32
  }
  %failed = arith.cmpi ne, %bad, %zero : i32
  %status = arith.extui %failed : i1 to i32
  return %status : i32
}
