// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx90a -o %t90 && %t90
//
// Two levels of segments over XCDs and compute units, in a launch: each point of
// all three writes its number, with eight XCDs (gfx942) and with one (gfx90a),
// and with as many instances as XCDs, fewer, and more.


func.func @run(%in: memref<480xi32>, %out: memref<480xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c80 = arith.constant 80 : index
  %c160 = arith.constant 160 : index
  %c240 = arith.constant 240 : index
  // 2 * 8 * 5, 2 * 5 * (4 * 2), 2 * 12 * 10: 80, 80 and 240 points.
  air.launch (%x) in (%nx = %c2) args(%b = %out, %f = %c0) : memref<480xi32>, index {
    %w8 = arith.constant 8 : index
    air.segment @xcd unroll (%i) in (%ni = %w8) args(%sb = %b, %sx = %x, %sf = %f)
        : memref<480xi32>, index, index attributes {"backend-granularity" = "XCD"} {
      %w5 = arith.constant 5 : index
      air.segment @cu unroll (%j) in (%nj = %w5) args(%tb = %sb, %tx = %sx, %ti = %i, %tni = %ni, %tf = %sf)
          : memref<480xi32>, index, index, index, index {
        %s1 = arith.constant 1 : index
        %a0 = arith.muli %tx, %tni : index
        %a1 = arith.addi %a0, %ti : index
        %a2 = arith.muli %a1, %nj : index
        %a3 = arith.addi %a2, %j : index
        %at = arith.addi %a3, %tf : index
        air.herd tile (%t) in (%nt = %s1) args(%hb = %tb, %k = %at) : memref<480xi32>, index {
          %v = arith.index_cast %k : index to i32
          memref.store %v, %hb[%k] : memref<480xi32>
        }
      }
    }
  }
  air.launch (%x) in (%nx = %c2) args(%b = %out, %f = %c80, %n5 = %c5) : memref<480xi32>, index, index {
    air.segment @xcd unroll (%i) in (%ni = %n5) args(%sb = %b, %sx = %x, %sf = %f)
        : memref<480xi32>, index, index attributes {"backend-granularity" = "XCD"} {
      %w4 = arith.constant 4 : index
      %w2 = arith.constant 2 : index
      air.segment @cu unroll (%j, %k) in (%nj = %w4, %nk = %w2) args(%tb = %sb, %tx = %sx, %ti = %i, %tni = %ni, %tf = %sf)
          : memref<480xi32>, index, index, index, index {
        %a0 = arith.muli %tx, %tni : index
        %a1 = arith.addi %a0, %ti : index
        %a2 = arith.muli %a1, %nj : index
        %a3 = arith.addi %a2, %j : index
        %a4 = arith.muli %a3, %nk : index
        %a5 = arith.addi %a4, %k : index
        %at = arith.addi %a5, %tf : index
        %v = arith.index_cast %at : index to i32
        memref.store %v, %tb[%at] : memref<480xi32>
      }
    }
  }
  %n12 = func.call @opaque(%c12) : (index) -> index
  air.launch (%x) in (%nx = %c2) args(%b = %out, %f = %c160, %n = %n12) : memref<480xi32>, index, index {
    air.segment @xcd unroll (%i) in (%ni = %n) args(%sb = %b, %sx = %x, %sf = %f)
        : memref<480xi32>, index, index attributes {"backend-granularity" = "XCD"} {
      %w10 = arith.constant 10 : index
      air.segment @cu unroll (%j) in (%nj = %w10) args(%tb = %sb, %tx = %sx, %ti = %i, %tni = %ni, %tf = %sf)
          : memref<480xi32>, index, index, index, index {
        %a0 = arith.muli %tx, %tni : index
        %a1 = arith.addi %a0, %ti : index
        %a2 = arith.muli %a1, %nj : index
        %a3 = arith.addi %a2, %j : index
        %at = arith.addi %a3, %tf : index
        %v = arith.index_cast %at : index to i32
        memref.store %v, %tb[%at] : memref<480xi32>
      }
    }
  }
  // A launch that does something itself: its segment's instances come after.
  air.launch (%x) in (%nx = %c2) args(%b = %out) : memref<480xi32> {
    %w400 = arith.constant 400 : index
    %w40 = arith.constant 40 : index
    %w4 = arith.constant 4 : index
    %off = arith.muli %x, %w40 : index
    %at = arith.addi %off, %w400 : index
    %v = arith.index_cast %at : index to i32
    memref.store %v, %b[%at] : memref<480xi32>
    %one = arith.constant 1 : index
    air.segment unroll (%i) in (%ni = %w4) args(%sb = %b, %f = %at, %s1 = %one)
        : memref<480xi32>, index, index {
      %s10 = arith.constant 10 : index
      %c0_s = arith.constant 0 : index
      %first = arith.muli %i, %s10 : index
      scf.for %k = %c0_s to %s10 step %s1 {
        %n0 = arith.addi %first, %k : index
        %n1 = arith.addi %n0, %f : index
        %start = memref.load %sb[%f] : memref<480xi32>
        %n0i = arith.index_cast %n0 : index to i32
        %w = arith.addi %start, %n0i : i32
        memref.store %w, %sb[%n1] : memref<480xi32>
      }
    }
  }
  return
}

func.func private @opaque(%x: index) -> index attributes {no_inline} {
  return %x : index
}

// The value that the device must store at index %i.
func.func private @want(%i: index) -> i32 {
  %v = arith.index_cast %i : index to i32
  return %v : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 480 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = memref.alloc() : memref<480xi32>
  %out = memref.alloc() : memref<480xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<480xi32>
    %old = arith.constant -1 : i32
    memref.store %old, %out[%i] : memref<480xi32>
  }
  %din = gpu.alloc () : memref<480xi32>
  %dout = gpu.alloc () : memref<480xi32>
  gpu.memcpy %din, %in : memref<480xi32>, memref<480xi32>
  gpu.memcpy %dout, %out : memref<480xi32>, memref<480xi32>
  call @run(%din, %dout) : (memref<480xi32>, memref<480xi32>) -> ()
  gpu.memcpy %out, %dout : memref<480xi32>, memref<480xi32>
  %bad = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %want = func.call @want(%i) : (index) -> i32
    %got = memref.load %out[%i] : memref<480xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %count, %one : i32
    %next = arith.select %ne, %more, %count : i32
    scf.yield %next : i32
  }
  %failed = arith.cmpi ne, %bad, %zero : i32
  %status = arith.extui %failed : i1 to i32
  return %status : i32
}
