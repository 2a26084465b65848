// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx90a -o %t90 && %t90
//
// PE-level herds: distributing the code of a PE over lanes gives the same result as sequential
// execution: a scan that depends on its own results, nested loops, a reduction, vectors, an atomic
// result, an L1 buffer of the segment.


func.func @run(%in: memref<512xi32>, %out: memref<512xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%x) in (%nx = %c2) args(%a = %in, %b = %out) : memref<512xi32>, memref<512xi32> {
    air.segment args(%sa = %a, %sb = %b, %sx = %x) : memref<512xi32>, memref<512xi32>, index {
      %s2 = arith.constant 2 : index
      %s256 = arith.constant 256 : index
      %zero = arith.constant 0 : i32
      %first = arith.muli %sx, %s256 : index
      %own = memref.alloc() : memref<64xi32, 2>
      %tickets = memref.alloc() : memref<1xi32, 1>
      %s0 = arith.constant 0 : index
      memref.store %zero, %tickets[%s0] : memref<1xi32, 1>
      // The segment fills the L1 of each PE.
      linalg.fill ins(%zero : i32) outs(%own : memref<64xi32, 2>)
      air.herd @fill tile (%i, %j) in (%ni = %s2, %nj = %s2)
          args(%l1 = %own, %ha = %sa, %hf = %first, %ht = %tickets)
          : memref<64xi32, 2>, memref<512xi32>, index, memref<1xi32, 1> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h64 = arith.constant 64 : index
        %one = arith.constant 1 : i32
        %row = arith.muli %j, %ni : index
        %pe = arith.addi %row, %i : index
        %off = arith.muli %pe, %h64 : index
        %at = arith.addi %off, %hf : index
        // Each PE takes one ticket, not one for each lane.
        %old = memref.atomic_rmw addi %one, %ht[%h0] : (i32, memref<1xi32, 1>) -> i32
        %tmp = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%tmp[] [] [], %ha[%at] [64] [1]) : (memref<64xi32, 2>, memref<512xi32>)
        // l1[i] += tmp[63 - i], spread over the lanes.
        %h63 = arith.constant 63 : index
        scf.parallel (%k) = (%h0) to (%h64) step (%h1) {
          %m = arith.subi %h63, %k : index
          %v = memref.load %tmp[%m] : memref<64xi32, 2>
          %w = memref.load %l1[%k] : memref<64xi32, 2>
          %u = arith.addi %v, %w : i32
          memref.store %u, %l1[%k] : memref<64xi32, 2>
        }
        // A scan: each step needs the one before.
        scf.for %k = %h1 to %h64 step %h1 {
          %p = arith.subi %k, %h1 : index
          %v = memref.load %l1[%p] : memref<64xi32, 2>
          %w = memref.load %l1[%k] : memref<64xi32, 2>
          %u = arith.addi %v, %w : i32
          memref.store %u, %l1[%k] : memref<64xi32, 2>
        }
        // And back: spread again, after the scan.
        %back = memref.alloc() : memref<64xi32, 2>
        scf.parallel (%k) = (%h0) to (%h64) step (%h1) {
          %m = arith.subi %h63, %k : index
          %v = memref.load %l1[%m] : memref<64xi32, 2>
          memref.store %v, %back[%k] : memref<64xi32, 2>
        }
        memref.copy %back, %l1 : memref<64xi32, 2> to memref<64xi32, 2>
      }
      air.herd @write tile (%i, %j) in (%ni = %s2, %nj = %s2)
          args(%l1 = %own, %hb = %sb, %hf = %first, %ht = %tickets)
          : memref<64xi32, 2>, memref<512xi32>, index, memref<1xi32, 1> {
        %h0 = arith.constant 0 : index
        %h16 = arith.constant 16 : index
        %h64 = arith.constant 64 : index
        %zero_h = arith.constant 0 : i32
        %four = arith.constant 4 : i32
        %row = arith.muli %j, %ni : index
        %pe = arith.addi %row, %i : index
        %off = arith.muli %pe, %h64 : index
        %at = arith.addi %off, %hf : index
        %count = memref.load %ht[%h0] : memref<1xi32, 1>
        %miss = arith.subi %count, %four : i32
        %missv = vector.broadcast %miss : i32 to vector<16xi32>
        scf.for %k = %h0 to %h64 step %h16 {
          %v = vector.transfer_read %l1[%k], %zero_h {in_bounds = [true]} : memref<64xi32, 2>, vector<16xi32>
          %w = arith.addi %v, %missv : vector<16xi32>
          %to = arith.addi %at, %k : index
          vector.transfer_write %w, %hb[%to] {in_bounds = [true]} : vector<16xi32>, memref<512xi32>
        }
      }
    }
  }
  return
}

// The value that the device must store at index %i.
func.func private @want(%i: index) -> i32 {
  // In the block of 64 that starts at f: the sum of f + 63, f + 62, ..., i.
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = arith.divui %i, %c64 : index
  %f = arith.muli %b, %c64 : index
  %last = arith.addi %f, %c63 : index
  %terms0 = arith.subi %last, %i : index
  %terms = arith.addi %terms0, %c1 : index
  %ends = arith.addi %last, %i : index
  %twice = arith.muli %terms, %ends : index
  %sum = arith.divui %twice, %c2 : index
  %v = arith.index_cast %sum : index to i32
  return %v : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 512 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = memref.alloc() : memref<512xi32>
  %out = memref.alloc() : memref<512xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<512xi32>
    %old = arith.constant -1 : i32
    memref.store %old, %out[%i] : memref<512xi32>
  }
  %din = gpu.alloc () : memref<512xi32>
  %dout = gpu.alloc () : memref<512xi32>
  gpu.memcpy %din, %in : memref<512xi32>, memref<512xi32>
  gpu.memcpy %dout, %out : memref<512xi32>, memref<512xi32>
  call @run(%din, %dout) : (memref<512xi32>, memref<512xi32>) -> ()
  gpu.memcpy %out, %dout : memref<512xi32>, memref<512xi32>
  %bad = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %want = func.call @want(%i) : (index) -> i32
    %got = memref.load %out[%i] : memref<512xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %count, %one : i32
    %next = arith.select %ne, %more, %count : i32
    scf.yield %next : i32
  }
  %failed = arith.cmpi ne, %bad, %zero : i32
  %status = arith.extui %failed : i1 to i32
  return %status : i32
}
