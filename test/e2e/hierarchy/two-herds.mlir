// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx90a -o %t90 && %t90
// RUN: %aircc %s --targets-dir %S/../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64
//
// Herds of different sizes in one segment: each runs with its own size, one
// after another, and a barrier in the smaller one does not hang.

// Each of the 64 * 8 lanes of the first herd writes its number into L2; the
// second, of 2 x 2 PEs, adds what it finds at the mirrored place, with a barrier
// between its reads and its writes; the third, of one PE, sums up.
func.func @herds(%out: memref<513xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%nl = %c1) args(%o = %out) : memref<513xi32> {
    air.segment args(%so = %o) : memref<513xi32> {
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %s8 = arith.constant 8 : index
      %l2 = memref.alloc() : memref<512xi32, 1>
      air.herd @first tile (%x, %y) in (%nx = %s8, %ny = %s1) args(%b = %l2)
          : memref<512xi32, 1> {
        %wave = gpu.subgroup_size : index
        %lane = gpu.lane_id
        %base = arith.muli %x, %wave : index
        %n = arith.addi %base, %lane : index
        %v = arith.index_cast %n : index to i32
        memref.store %v, %b[%n] : memref<512xi32, 1>
      }
      air.herd @second tile (%x, %y) in (%nx = %s2, %ny = %s2) args(%b = %l2)
          : memref<512xi32, 1> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %h511 = arith.constant 511 : index
        %h256 = arith.constant 256 : index
        %wave = gpu.subgroup_size : index
        %lane = gpu.lane_id
        %row = arith.muli %y, %nx : index
        %pe = arith.addi %row, %x : index
        %base = arith.muli %pe, %wave : index
        %at = arith.addi %base, %lane : index
        scf.for %half = %h0 to %h2 step %h1 {
          %off = arith.muli %half, %h256 : index
          %n = arith.addi %at, %off : index
          %m = arith.subi %h511, %n : index
          %v = memref.load %b[%m] : memref<512xi32, 1>
          %w = memref.load %b[%n] : memref<512xi32, 1>
          %s = arith.addi %v, %w : i32
          gpu.barrier
          memref.store %s, %b[%n] : memref<512xi32, 1>
          gpu.barrier
        }
      }
      air.herd @third tile (%x, %y) in (%nx = %s1, %ny = %s1) args(%b = %l2, %o3 = %so)
          : memref<512xi32, 1>, memref<513xi32> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h512 = arith.constant 512 : index
        %zero = arith.constant 0 : i32
        %sum = scf.for %i = %h0 to %h512 step %h1 iter_args(%a = %zero) -> (i32) {
          %v = memref.load %b[%i] : memref<512xi32, 1>
          memref.store %v, %o3[%i] : memref<513xi32>
          %s = arith.addi %a, %v : i32
          scf.yield %s : i32
        }
        memref.store %sum, %o3[%h512] : memref<513xi32>
      }
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c511 = arith.constant 511 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %out = memref.alloc() : memref<513xi32>
  %dout = gpu.alloc () : memref<513xi32>
  call @herds(%dout) : (memref<513xi32>) -> ()
  gpu.memcpy %out, %dout : memref<513xi32>, memref<513xi32>
  // The same on the host: the first half sees old values, the second sees the
  // sums of the first.
  %want = memref.alloc() : memref<512xi32>
  scf.for %i = %c0 to %c512 step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %want[%i] : memref<512xi32>
  }
  scf.for %i = %c0 to %c512 step %c1 {
    %m = arith.subi %c511, %i : index
    %v = memref.load %want[%m] : memref<512xi32>
    %w = memref.load %want[%i] : memref<512xi32>
    %s = arith.addi %v, %w : i32
    memref.store %s, %want[%i] : memref<512xi32>
  }
  %bad, %sum = scf.for %i = %c0 to %c512 step %c1
      iter_args(%n = %zero, %s = %zero) -> (i32, i32) {
    %w = memref.load %want[%i] : memref<512xi32>
    %g = memref.load %out[%i] : memref<513xi32>
    %ne = arith.cmpi ne, %g, %w : i32
    %more = arith.addi %n, %one : i32
    %next = arith.select %ne, %more, %n : i32
    %s1 = arith.addi %s, %w : i32
    scf.yield %next, %s1 : i32, i32
  }
  %got = memref.load %out[%c512] : memref<513xi32>
  %ne = arith.cmpi ne, %got, %sum : i32
  %more = arith.addi %bad, %one : i32
  %all = arith.select %ne, %more, %bad : i32
  return %all : i32
}
