// RUN: %aircc %s --target gfx942 -o %t && %t
//
// Zeros around a tile whose sizes are known, and around one whose inner size is
// known only at run time.


func.func @run(%in: memref<300xi32>, %out: memref<300xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  // 6 rows of 7, hidden from the compiler.
  %one = call @opaque(%c1) : (index) -> index
  %inner = arith.muli %one, %c7 : index
  air.launch (%x) in (%nx = %c1) args(%a = %in, %b = %out, %w = %inner)
      : memref<300xi32>, memref<300xi32>, index {
    air.segment args(%sa = %a, %sb = %b, %sw = %w)
        : memref<300xi32>, memref<300xi32>, index {
      %s1 = arith.constant 1 : index
      %s10 = arith.constant 10 : index
      %tile = memref.alloc() : memref<9x12xi32, 1>
      air.dma_memcpy_nd (%tile[] [] [], %sa[100] [6, 8] [10, 1])
          {pad_before = array<i32: 1, 3>, pad_after = array<i32: 2, 1>}
          : (memref<9x12xi32, 1>, memref<300xi32>)
      air.dma_memcpy_nd (%sb[0] [108] [1], %tile[] [] [])
          : (memref<300xi32>, memref<9x12xi32, 1>)
      %row = memref.alloc() : memref<10xi32, 1>
      air.dma_memcpy_nd (%row[] [] [], %sa[200] [%sw] [2])
          {pad_before = array<i32: 2>, pad_after = array<i32: 1>}
          : (memref<10xi32, 1>, memref<300xi32>)
      air.dma_memcpy_nd (%sb[200] [] [], %row[0] [%s10] [%s1])
          : (memref<300xi32>, memref<10xi32, 1>)
    }
  }
  return
}

func.func private @opaque(%x: index) -> index attributes {no_inline} {
  return %x : index
}

// The value that the device must store at index %i.
func.func private @want(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  %c100 = arith.constant 100 : index
  %c108 = arith.constant 108 : index
  %c200 = arith.constant 200 : index
  %old = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %in_tile = arith.cmpi ult, %i, %c108 : index
  %v = scf.if %in_tile -> i32 {
    %r = arith.divui %i, %c12 : index
    %c = arith.remui %i, %c12 : index
    %row = arith.subi %r, %c1 : index
    %col = arith.subi %c, %c3 : index
    %rok = arith.cmpi ult, %row, %c6 : index
    %cok = arith.cmpi ult, %col, %c8 : index
    %ok = arith.andi %rok, %cok : i1
    %off = arith.muli %row, %c10 : index
    %at = arith.addi %off, %col : index
    %n = arith.addi %at, %c100 : index
    %e = arith.index_cast %n : index to i32
    %s = arith.select %ok, %e, %zero : i32
    scf.yield %s : i32
  } else {
    %k = arith.subi %i, %c200 : index
    %in_row = arith.cmpi ult, %k, %c10 : index
    %j = arith.subi %k, %c2 : index
    %ok = arith.cmpi ult, %j, %c7 : index
    %twice = arith.muli %j, %c2 : index
    %n = arith.addi %twice, %c200 : index
    %e = arith.index_cast %n : index to i32
    %s = arith.select %ok, %e, %zero : i32
    %t = arith.select %in_row, %s, %old : i32
    scf.yield %t : i32
  }
  return %v : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 300 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = memref.alloc() : memref<300xi32>
  %out = memref.alloc() : memref<300xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<300xi32>
    %old = arith.constant -1 : i32
    memref.store %old, %out[%i] : memref<300xi32>
  }
  %din = gpu.alloc () : memref<300xi32>
  %dout = gpu.alloc () : memref<300xi32>
  gpu.memcpy %din, %in : memref<300xi32>, memref<300xi32>
  gpu.memcpy %dout, %out : memref<300xi32>, memref<300xi32>
  call @run(%din, %dout) : (memref<300xi32>, memref<300xi32>) -> ()
  gpu.memcpy %out, %dout : memref<300xi32>, memref<300xi32>
  %bad = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %want = func.call @want(%i) : (index) -> i32
    %got = memref.load %out[%i] : memref<300xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %count, %one : i32
    %next = arith.select %ne, %more, %count : i32
    scf.yield %next : i32
  }
  %failed = arith.cmpi ne, %bad, %zero : i32
  %status = arith.extui %failed : i1 to i32
  return %status : i32
}
