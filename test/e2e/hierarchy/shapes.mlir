// RUN: %aircc %s --target gfx942 -o %t && %t
//
// Spaces and nests of all kinds: a one-dimensional herd in a three-dimensional
// launch, a launch of one dimension with a transfer, two segments, a segment
// without a herd, a herd and a segment outside of a launch, empty spaces.


func.func @run(%in: memref<400xi32>, %out: memref<400xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  // 0..79: 2 * 2 * 5 workgroups with 4 PEs each.
  air.launch (%x, %y, %z) in (%nx = %c2, %ny = %c2, %nz = %c5) args(%a = %in, %b = %out)
      : memref<400xi32>, memref<400xi32> {
    air.segment args(%sx = %x, %sb = %b, %sy = %y, %sz = %z, %sa = %a)
        : index, memref<400xi32>, index, index, memref<400xi32> {
      %s4 = arith.constant 4 : index
      %i0 = arith.muli %sz, %s4 : index
      %s2 = arith.constant 2 : index
      %i1 = arith.muli %sy, %s2 : index
      %i2 = arith.addi %i0, %i1 : index
      %i3 = arith.addi %i2, %sx : index
      air.herd tile (%t) in (%nt = %s4) args(%g = %i3, %ha = %sa, %hb = %sb)
          : index, memref<400xi32>, memref<400xi32> {
        %f = arith.muli %g, %nt : index
        %n = arith.addi %f, %t : index
        %v = memref.load %ha[%n] : memref<400xi32>
        memref.store %v, %hb[%n] : memref<400xi32>
      }
    }
  }
  // 80..159: one dimension and transfers, 20 elements per workgroup, two segments.
  air.launch (%x) in (%nx = %c4) args(%a = %in, %b = %out)
      : memref<400xi32>, memref<400xi32> {
    %w20 = arith.constant 20 : index
    %w80 = arith.constant 80 : index
    %off = arith.muli %x, %w20 : index
    %first = arith.addi %off, %w80 : index
    %l2 = memref.alloc() : memref<20xi32, 1>
    air.segment @in args(%l = %l2, %sa = %a, %f = %first)
        : memref<20xi32, 1>, memref<400xi32>, index {
      air.dma_memcpy_nd (%l[] [] [], %sa[%f] [20] [1])
          : (memref<20xi32, 1>, memref<400xi32>)
    }
    air.segment @out args(%l = %l2, %sb = %b, %f = %first)
        : memref<20xi32, 1>, memref<400xi32>, index {
      air.dma_memcpy_nd (%sb[%f] [20] [1], %l[] [] [])
          : (memref<400xi32>, memref<20xi32, 1>)
    }
  }
  // 160..199: a segment outside of a launch; 200..239: a herd.
  air.segment args(%sa = %in, %sb = %out) : memref<400xi32>, memref<400xi32> {
    air.dma_memcpy_nd (%sb[160] [40] [1], %sa[160] [40] [1])
        : (memref<400xi32>, memref<400xi32>)
  }
  air.herd tile (%x, %y) in (%nx = %c4, %ny = %c2) args(%a = %in, %b = %out)
      : memref<400xi32>, memref<400xi32> {
    %h5 = arith.constant 5 : index
    %h4 = arith.constant 4 : index
    %h200 = arith.constant 200 : index
    %row = arith.muli %y, %h4 : index
    %pe = arith.addi %row, %x : index
    %off = arith.muli %pe, %h5 : index
    %first = arith.addi %off, %h200 : index
    air.dma_memcpy_nd (%b[%first] [5] [1], %a[%first] [5] [1])
        : (memref<400xi32>, memref<400xi32>)
  }
  // Empty spaces do nothing.
  air.launch (%x) in (%nx = %c0) args(%b = %out) : memref<400xi32> {
    %w0 = arith.constant 0 : i32
    memref.store %w0, %b[%x] : memref<400xi32>
  }
  %none = func.call @opaque(%c0) : (index) -> index
  air.launch (%x) in (%nx = %none) args(%b = %out) : memref<400xi32> {
    %w0 = arith.constant 0 : i32
    memref.store %w0, %b[%x] : memref<400xi32>
  }
  air.launch (%x) in (%nx = %c1) args(%b = %out, %n = %none) : memref<400xi32>, index {
    air.segment args(%sb = %b, %sn = %n) : memref<400xi32>, index {
      air.herd tile (%t) in (%nt = %sn) args(%hb = %sb) : memref<400xi32> {
        %w0 = arith.constant 0 : i32
        memref.store %w0, %hb[%t] : memref<400xi32>
      }
    }
  }
  // 240..255: a herd whose size is known only at run time, and another herd.
  %three = arith.constant 3 : index
  %dyn = func.call @opaque(%three) : (index) -> index
  air.launch (%x) in (%nx = %c1) args(%b = %out, %n = %dyn) : memref<400xi32>, index {
    air.segment args(%sb = %b, %sn = %n) : memref<400xi32>, index {
      %s2 = arith.constant 2 : index
      air.herd tile (%t, %u) in (%nt = %sn, %nu = %s2) args(%hb = %sb) : memref<400xi32> {
        %h240 = arith.constant 240 : index
        %row = arith.muli %u, %nt : index
        %k = arith.addi %row, %t : index
        %i = arith.addi %k, %h240 : index
        %v = arith.index_cast %i : index to i32
        memref.store %v, %hb[%i] : memref<400xi32>
      }
      %s10 = arith.constant 10 : index
      air.herd tile (%t) in (%nt = %s10) args(%hb = %sb) : memref<400xi32> {
        %h246 = arith.constant 246 : index
        %i = arith.addi %t, %h246 : index
        %v = arith.index_cast %i : index to i32
        memref.store %v, %hb[%i] : memref<400xi32>
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
  %c256 = arith.constant 256 : index
  %old = arith.constant -1 : i32
  %v = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i, %c256 : index
  %s = arith.select %in, %v, %old : i32
  return %s : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 400 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = memref.alloc() : memref<400xi32>
  %out = memref.alloc() : memref<400xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<400xi32>
    %old = arith.constant -1 : i32
    memref.store %old, %out[%i] : memref<400xi32>
  }
  %din = gpu.alloc () : memref<400xi32>
  %dout = gpu.alloc () : memref<400xi32>
  gpu.memcpy %din, %in : memref<400xi32>, memref<400xi32>
  gpu.memcpy %dout, %out : memref<400xi32>, memref<400xi32>
  call @run(%din, %dout) : (memref<400xi32>, memref<400xi32>) -> ()
  gpu.memcpy %out, %dout : memref<400xi32>, memref<400xi32>
  %bad = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %want = func.call @want(%i) : (index) -> i32
    %got = memref.load %out[%i] : memref<400xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %count, %one : i32
    %next = arith.select %ne, %more, %count : i32
    scf.yield %next : i32
  }
  %failed = arith.cmpi ne, %bad, %zero : i32
  %status = arith.extui %failed : i1 to i32
  return %status : i32
}
