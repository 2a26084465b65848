// RUN: %aircc %s --target gfx942 -o %t && %t
//
// Asynchronous forms of everything: launches that wait for each other, a segment
// and herds with tokens, double buffering with tokens around a loop, a parallel
// loop that reduces them, branches that yield them.


func.func @run(%in: memref<256xi32>, %out: memref<256xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t0 = air.wait_all async
  %t1 = air.launch @copy async [%t0] (%x) in (%nx = %c4) args(%a = %in, %b = %out)
      : memref<256xi32>, memref<256xi32> {
    %t2 = air.segment @seg async args(%sa = %a, %sb = %b, %sx = %x)
        : memref<256xi32>, memref<256xi32>, index {
      %c0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %s4 = arith.constant 4 : index
      %s16 = arith.constant 16 : index
      %s64 = arith.constant 64 : index
      %first = arith.muli %sx, %s64 : index
      %e0, %ping = air.execute -> (memref<16xi32, 1>) {
        %m = memref.alloc() : memref<16xi32, 1>
        air.execute_terminator %m : memref<16xi32, 1>
      }
      %e1, %pong = air.execute -> (memref<16xi32, 1>) {
        %m = memref.alloc() : memref<16xi32, 1>
        air.execute_terminator %m : memref<16xi32, 1>
      }
      %d0 = air.dma_memcpy_nd async [%e0, %e1] (%ping[] [] [], %sa[%first] [16] [1])
          : (memref<16xi32, 1>, memref<256xi32>)
      // While one buffer is worked on, the other is filled.
      %l:3 = scf.for %k = %c0 to %s4 step %s1
          iter_args(%t = %d0, %now = %ping, %next = %pong)
          -> (!air.async.token, memref<16xi32, 1>, memref<16xi32, 1>) {
        %k1 = arith.addi %k, %s1 : index
        %wrapped = arith.remui %k1, %s4 : index
        %off = arith.muli %wrapped, %s16 : index
        %from = arith.addi %first, %off : index
        %d = air.dma_memcpy_nd async [%t] (%next[] [] [], %sa[%from] [16] [1])
            : (memref<16xi32, 1>, memref<256xi32>)
        %off2 = arith.muli %k, %s16 : index
        %to = arith.addi %first, %off2 : index
        %h = air.herd @work async [%t] tile (%i, %j) in (%ni = %s2, %nj = %s1)
            args(%hb = %now, %ho = %sb, %hto = %to) : memref<16xi32, 1>, memref<256xi32>, index {
          %h8 = arith.constant 8 : index
          %hfirst = arith.muli %i, %h8 : index
          %hat = arith.addi %hto, %hfirst : index
          %w0 = air.dma_memcpy_nd async (%ho[%hat] [8] [1], %hb[%hfirst] [8] [1])
              : (memref<256xi32>, memref<16xi32, 1>)
          air.wait_all [%w0]
        }
        %j0 = air.wait_all async [%d, %h]
        scf.yield %j0, %next, %now : !air.async.token, memref<16xi32, 1>, memref<16xi32, 1>
      }
      %e2 = air.execute [%l#0] {
        memref.dealloc %ping : memref<16xi32, 1>
      }
      %e3 = air.execute [%l#0] {
        memref.dealloc %pong : memref<16xi32, 1>
      }
      air.wait_all [%e2, %e3]
    }
    air.wait_all [%t2]
  }
  // Doubles, after the copy.
  %t3 = air.launch @double async [%t1] (%x) in (%nx = %c1) args(%b = %out) : memref<256xi32> {
    %w0 = arith.constant 0 : index
    %w64 = arith.constant 64 : index
    %w256 = arith.constant 256 : index
    %start = air.wait_all async
    %p = scf.parallel (%i) = (%w0) to (%w256) step (%w64) init (%start) -> !air.async.token {
      %c2 = arith.constant 2 : index
      %h = air.herd async [%start] tile (%u, %v) in (%nu = %c2, %nv = %c2) args(%hb = %b, %hi = %i)
          : memref<256xi32>, index {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h16 = arith.constant 16 : index
        %row = arith.muli %v, %nu : index
        %pe = arith.addi %row, %u : index
        %off = arith.muli %pe, %h16 : index
        %f = arith.addi %off, %hi : index
        scf.for %k = %h0 to %h16 step %h1 {
          %at = arith.addi %f, %k : index
          %x0 = memref.load %hb[%at] : memref<256xi32>
          %x1 = arith.addi %x0, %x0 : i32
          memref.store %x1, %hb[%at] : memref<256xi32>
        }
      }
      scf.reduce (%h : !air.async.token) {
      ^bb0(%l: !air.async.token, %r: !air.async.token):
        %j = air.wait_all async [%l, %r]
        scf.reduce.return %j : !air.async.token
      }
    }
    air.wait_all [%p]
  }
  air.wait_all [%t3]
  return
}

// The value that the device must store at index %i.
func.func private @want(%i: index) -> i32 {
  %v = arith.index_cast %i : index to i32
  %w = arith.addi %v, %v : i32
  return %w : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = memref.alloc() : memref<256xi32>
  %out = memref.alloc() : memref<256xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<256xi32>
    %old = arith.constant -1 : i32
    memref.store %old, %out[%i] : memref<256xi32>
  }
  %din = gpu.alloc () : memref<256xi32>
  %dout = gpu.alloc () : memref<256xi32>
  gpu.memcpy %din, %in : memref<256xi32>, memref<256xi32>
  gpu.memcpy %dout, %out : memref<256xi32>, memref<256xi32>
  call @run(%din, %dout) : (memref<256xi32>, memref<256xi32>) -> ()
  gpu.memcpy %out, %dout : memref<256xi32>, memref<256xi32>
  %bad = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %want = func.call @want(%i) : (index) -> i32
    %got = memref.load %out[%i] : memref<256xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %count, %one : i32
    %next = arith.select %ne, %more, %count : i32
    scf.yield %next : i32
  }
  %failed = arith.cmpi ne, %bad, %zero : i32
  %status = arith.extui %failed : i1 to i32
  return %status : i32
}
