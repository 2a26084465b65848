// RUN: %aircc opt %s --split-input-file --verify-diagnostics --channels-check-channels

// A put without a get, and vice versa.

// expected-note@+1 {{the channel is declared here}}
air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @no_get(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{puts into channel @C, but no op gets from it}}
    air.channel.put @C[%c0] (%b[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

// expected-note@+1 {{the channel is declared here}}
air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @no_put(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b) : memref<4xf32> {
      %c0 = arith.constant 0 : index
      // expected-error@+1 {{gets from channel @C, but no op puts into it}}
      air.channel.get @C[%c0] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// The indices of puts and gets are disjoint.

air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
func.func @indices(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {
      // expected-error@+1 {{puts into @C[0] (as rank 0), but no rank gets from it}}
      air.channel.put @C[%c0] (%b[] [] []) : (memref<4xf32>)
    } else {
      // expected-note@+1 {{the channel is read here, but never with these indices}}
      air.channel.get @C[%c1] (%b[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// expected-note@+1 {{the channel is declared here}}
air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
func.func @outside(%m: memref<4xf32>) {
  %c3 = arith.constant 3 : index
  air.rank (%r) in (%n=%c3) args(%b=%m) : memref<4xf32> {
    // expected-error@+1 {{has the indices [2] on rank 2, which are out of bounds for channel @C [2]}}
    air.channel.put @C[%r] (%b[] [] []) : (memref<4xf32>)
    air.channel.get @C[%r] (%b[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

// More puts than gets, in a loop, in kernels.

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @unbalanced(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<4xf32>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %is0 = arith.cmpi eq, %lr, %c0 : index
      scf.if %is0 {
        scf.for %i = %c0 to %c3 step %c1 {
          // expected-error@+1 {{is not balanced: @C[0] is put into 3 times (by rank 0), but got from 2 times (by rank 1)}}
          air.channel.put @C[%c0] (%l[] [] []) : (memref<4xf32>)
        }
      } else {
        // expected-note@+1 {{the other end is here}}
        air.channel.get @C[%c0] (%l[] [] []) : (memref<4xf32>)
        air.channel.get @C[%c0] (%l[] [] []) : (memref<4xf32>)
      }
    }
  }
  return
}

// -----

// Valid: several ranks get from one destination, as often as there are puts.

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @getters(%m: memref<4xf32>) {
  %c3 = arith.constant 3 : index
  air.rank (%r) in (%n=%c3) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<4xf32>, index {
      %c0 = arith.constant 0 : index
      %is0 = arith.cmpi eq, %lr, %c0 : index
      scf.if %is0 {
        air.channel.put @C[%c0] (%l[] [] []) : (memref<4xf32>)
        air.channel.put @C[%c0] (%l[] [] []) : (memref<4xf32>)
      } else {
        air.channel.get @C[%c0] (%l[] [] []) : (memref<4xf32>)
      }
    }
  }
  return
}

// -----

// Accepted: whether this deadlocks depends on which rank gets first.

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
air.channel @Answer [1] {channel_type = "gpu_symmetric_heap"}
func.func @who(%m: memref<4xf32>) {
  %c3 = arith.constant 3 : index
  air.rank (%r) in (%n=%c3) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<4xf32>, index {
      %c0 = arith.constant 0 : index
      scf.index_switch %lr
      case 0 {
        air.channel.put @C[%c0] (%l[] [] []) : (memref<4xf32>)
        air.channel.get @Answer[%c0] (%l[] [] []) : (memref<4xf32>)
        air.channel.put @C[%c0] (%l[] [] []) : (memref<4xf32>)
        scf.yield
      }
      case 1 {
        air.channel.get @C[%c0] (%l[] [] []) : (memref<4xf32>)
        scf.yield
      }
      default {
        air.channel.get @C[%c0] (%l[] [] []) : (memref<4xf32>)
        air.channel.put @Answer[%c0] (%l[] [] []) : (memref<4xf32>)
      }
    }
  }
  return
}

// -----

// The condition is unknown at compile time, so the ranks that get are unknown.

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @unknown(%m: memref<4xf32>, %f: i1) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m, %rf=%f) : memref<4xf32>, i1 {
    air.launch () in () args(%l=%b, %lf=%rf) : memref<4xf32>, i1 {
      %c0 = arith.constant 0 : index
      scf.if %lf {
        // expected-note@+1 {{the channel is written here}}
        air.channel.put @C[%c0] (%l[] [] []) : (memref<4xf32>)
      } else {
        // expected-error@+1 {{gets from @C[0] on one of ranks 0, 1, but it is unknown which one}}
        air.channel.get @C[%c0] (%l[] [] []) : (memref<4xf32>)
      }
    }
  }
  return
}

// -----

// An index that is not known.

air.channel @C [4] {channel_type = "gpu_symmetric_heap"}
func.func @unknown_index(%m: memref<4xf32>, %i: index) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m, %ri=%i) : memref<4xf32>, index {
    air.launch () in () args(%l=%b, %li=%ri) : memref<4xf32>, index {
      // expected-error@+1 {{has indices whose values on rank 0 are unknown at compile time; compute them from constants, the rank's id, ids of enclosing AIR ops, and induction variables of loops with constant bounds}}
      air.channel.put @C[%li] (%l[] [] []) : (memref<4xf32>)
      air.channel.get @C[%li] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// The same at rank level is the program's concern.

air.channel @C [4] {channel_type = "gpu_symmetric_heap"}
func.func @host(%m: memref<4xf32>, %i: index, %f: i1) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m, %ri=%i, %rf=%f) : memref<4xf32>, index, i1 {
    scf.if %rf {
      air.channel.put @C[%ri] (%b[] [] []) : (memref<4xf32>)
    } else {
      air.channel.get @C[%ri] (%b[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// Messages that do not fit.

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @sizes(%m: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<8xf32> {
    %c0 = arith.constant 0 : index
    // expected-note@+1 {{the other op is here}}
    air.channel.put @C[%c0] (%b[0] [4] [1]) : (memref<8xf32>)
    // expected-error@+1 {{transfers 8 elements of type 'f32' through channel @C, but another op on this channel transfers 4 elements of type 'f32'}}
    air.channel.get @C[%c0] (%b[] [] []) : (memref<8xf32>)
  }
  return
}

// -----

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @types(%m: memref<8xf32>, %i: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m, %bi=%i) : memref<8xf32>, memref<8xi32> {
    %c0 = arith.constant 0 : index
    // expected-note@+1 {{the other op is here}}
    air.channel.put @C[%c0] (%b[] [] []) : (memref<8xf32>)
    // expected-error@+1 {{transfers 8 elements of type 'i32' through channel @C, but another op on this channel transfers 8 elements of type 'f32'}}
    air.channel.get @C[%c0] (%bi[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

// Valid: messages of several sizes and types between kernels, with one rank that puts and one that
// gets; and other sizes to other destinations.

air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
func.func @several(%m: memref<8xf32>, %i: memref<3xi8>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m, %bi=%i) : memref<8xf32>, memref<3xi8> {
    air.launch () in () args(%l=%b, %li=%bi, %lr=%r) : memref<8xf32>, memref<3xi8>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %is0 = arith.cmpi eq, %lr, %c0 : index
      scf.if %is0 {
        air.channel.put @C[%c0] (%l[] [] []) : (memref<8xf32>)
        air.channel.put @C[%c1] (%l[0] [2] [1]) : (memref<8xf32>)
        air.channel.put @C[%c0] (%li[] [] []) : (memref<3xi8>)
      } else {
        air.channel.get @C[%c0] (%l[] [] []) : (memref<8xf32>)
        air.channel.get @C[%c0] (%li[] [] []) : (memref<3xi8>)
        air.channel.get @C[%c1] (%l[0] [2] [1]) : (memref<8xf32>)
      }
    }
  }
  return
}

// -----

// Of several sizes, in another order at the other end.

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @order(%m: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<8xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<8xf32>, index {
      %c0 = arith.constant 0 : index
      %is0 = arith.cmpi eq, %lr, %c0 : index
      scf.if %is0 {
        // expected-note@+1 {{the other op is here}}
        air.channel.put @C[%c0] (%l[] [] []) : (memref<8xf32>)
        air.channel.put @C[%c0] (%l[0] [2] [1]) : (memref<8xf32>)
      } else {
        // expected-error@+1 {{transfers 2 elements of type 'f32' through channel @C, but another op on this channel transfers 8 elements of type 'f32'}}
        air.channel.get @C[%c0] (%l[0] [2] [1]) : (memref<8xf32>)
        air.channel.get @C[%c0] (%l[] [] []) : (memref<8xf32>)
      }
    }
  }
  return
}

// -----

// Two ranks put messages of different sizes in unknown order.

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @whose(%m: memref<8xf32>) {
  %c3 = arith.constant 3 : index
  air.rank (%r) in (%n=%c3) args(%b=%m) : memref<8xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<8xf32>, index {
      %c0 = arith.constant 0 : index
      scf.index_switch %lr
      case 0 {
        // expected-note@+1 {{the other op is here}}
        air.channel.put @C[%c0] (%l[] [] []) : (memref<8xf32>)
        scf.yield
      }
      case 1 {
        // expected-error@+1 {{transfers 2 elements of type 'f32' through channel @C, but another op on this channel transfers 8 elements of type 'f32'}}
        air.channel.put @C[%c0] (%l[0] [2] [1]) : (memref<8xf32>)
        scf.yield
      }
      default {
        air.channel.get @C[%c0] (%l[] [] []) : (memref<8xf32>)
        air.channel.get @C[%c0] (%l[0] [2] [1]) : (memref<8xf32>)
      }
    }
  }
  return
}

// -----

// One end on the host, the other in a kernel.

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @mixed(%m: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<8xf32> {
    %c0 = arith.constant 0 : index
    // expected-note@+1 {{the other end is here}}
    air.channel.put @C[%c0] (%b[] [] []) : (memref<8xf32>)
    air.launch () in () args(%l=%b) : memref<8xf32> {
      %l0 = arith.constant 0 : index
      // expected-error@+1 {{uses channel @C in a kernel, but the other end is in host code}}
      air.channel.get @C[%l0] (%l[] [] []) : (memref<8xf32>)
    }
  }
  return
}

// -----

// Both ranks get before they put.

air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
func.func @deadlock(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c1 = arith.constant 1 : index
    %other = arith.subi %c1, %r : index
    // expected-error@+2 {{deadlocks: rank 0 waits here for a message in @C[0], and all ranks that could unblock it are waiting, too; make one of them put first}}
    // expected-note@+1 {{rank 1 waits here for a message in @C[1]}}
    air.channel.get @C[%r] (%b[] [] []) : (memref<4xf32>)
    air.channel.put @C[%other] (%b[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

// Both ranks put three messages before they get one, with room for two.

air.channel @C [2] {channel_type = "gpu_symmetric_heap", depth = 2 : i64}
func.func @full(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<4xf32>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %other = arith.subi %c1, %lr : index
      scf.for %i = %c0 to %c3 step %c1 {
        // expected-error@+2 {{deadlocks: rank 0 waits here for space in @C[1], and all ranks that could unblock it are waiting, too; make one of them get first, or increase the depth of the channel}}
        // expected-note@+1 {{rank 1 waits here for space in @C[0]}}
        air.channel.put @C[%other] (%l[] [] []) : (memref<4xf32>)
      }
      scf.for %i = %c0 to %c3 step %c1 {
        air.channel.get @C[%lr] (%l[] [] []) : (memref<4xf32>)
      }
    }
  }
  return
}

// -----

// Valid: a ring of any number of ranks, distinguished by scf.index_switch, in both branches.

air.channel @C [8] {channel_type = "gpu_symmetric_heap"}
func.func @ring(%m: memref<4xf32>, %n: index) {
  air.rank (%r) in (%size=%n) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r, %ln=%size) : memref<4xf32>, index, index {
      %c1 = arith.constant 1 : index
      %up = arith.addi %lr, %c1 : index
      %next = arith.remui %up, %ln : index
      scf.index_switch %lr
      case 0 {
        air.channel.put @C[%next] (%l[] [] []) : (memref<4xf32>)
        air.channel.get @C[%lr] (%l[] [] []) : (memref<4xf32>)
        scf.yield
      }
      default {
        air.channel.get @C[%lr] (%l[] [] []) : (memref<4xf32>)
        air.channel.put @C[%next] (%l[] [] []) : (memref<4xf32>)
      }
    }
  }
  return
}

// -----

// Wrong whatever the number of ranks is.

air.channel @C [8] {channel_type = "gpu_symmetric_heap"}
func.func @never(%m: memref<4xf32>, %n: index) {
  air.rank (%r) in (%size=%n) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<4xf32>, index {
      %c6 = arith.constant 6 : index
      // expected-error@+1 {{puts into @C[6] (as ranks 0, 1), but no rank gets from it}}
      air.channel.put @C[%c6] (%l[] [] []) : (memref<4xf32>)
      %c7 = arith.constant 7 : index
      // expected-note@+1 {{the channel is read here, but never with these indices}}
      air.channel.get @C[%c7] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// Good: several air.ranks of the world's size.

func.func private @mgpuGetWorldSize() -> i32
air.channel @C [8] {channel_type = "gpu_symmetric_heap"}
func.func @put_to_next(%m: memref<4xf32>) {
  %world = func.call @mgpuGetWorldSize() : () -> i32
  %count = arith.index_cast %world : i32 to index
  air.rank (%r) in (%size=%count) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r, %ln=%size) : memref<4xf32>, index, index {
      %c1 = arith.constant 1 : index
      %up = arith.addi %lr, %c1 : index
      %next = arith.remui %up, %ln : index
      air.channel.put @C[%next] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}
func.func @get_from_last(%m: memref<4xf32>) {
  %world = func.call @mgpuGetWorldSize() : () -> i32
  %count = arith.index_cast %world : i32 to index
  air.rank (%r) in (%size=%count) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<4xf32>, index {
      air.channel.get @C[%lr] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// Sizes that are not known to be equal.

air.channel @C [8] {channel_type = "gpu_symmetric_heap"}
func.func @two_sizes(%m: memref<4xf32>, %n: index, %k: index) {
  air.rank (%r) in (%size=%n) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<4xf32>, index {
      // expected-error@+1 {{so the ranks at both ends of the channel must be known at compile time, but the number of ranks is unknown}}
      air.channel.put @C[%lr] (%l[] [] []) : (memref<4xf32>)
    }
  }
  // expected-note@+1 {{in all air.rank ops that use the channel}}
  air.rank (%r) in (%size=%k) args(%b=%m) : memref<4xf32> {
    air.launch () in () args(%l=%b, %lr=%r) : memref<4xf32>, index {
      air.channel.get @C[%lr] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// A space that has no ranks.

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @no_ranks(%m: memref<4xf32>) {
  %size = arith.constant -3 : index
  // expected-error@+1 {{uses channels in kernels, so its space must have 1 to 1024 ranks}}
  air.rank (%r) in (%n = %size) args(%b = %m) : memref<4xf32> {
    air.launch () in () args(%l = %b) : memref<4xf32> {
      %c0 = arith.constant 0 : index
      air.channel.put @C[%c0] (%l[] [] []) : (memref<4xf32>)
      air.channel.get @C[%c0] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// Vice versa: a get with indices that no put has.

air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
func.func @nothing_put(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note@+1 {{the channel is written here, but never with these indices}}
    air.channel.put @C[%c0] (%b[] [] []) : (memref<4xf32>)
    air.channel.get @C[%c0] (%b[] [] []) : (memref<4xf32>)
    // expected-error@+1 {{gets from @C[1] (as ranks 0, 1), but no rank puts into it}}
    air.channel.get @C[%c1] (%b[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @unknown_size(%m: memref<?xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<?xf32> {
    air.launch () in () args(%l=%b) : memref<?xf32> {
      %c0 = arith.constant 0 : index
      // expected-error@+1 {{transfers a number of elements that is unknown at compile time; in kernels, channels require messages of static size}}
      air.channel.put @C[%c0] (%l[] [] []) : (memref<?xf32>)
      air.channel.get @C[%c0] (%l[] [] []) : (memref<?xf32>)
    }
  }
  return
}

// -----

// expected-note@+1 {{the channel is declared here}}
air.channel @C [2, 2] {channel_type = "gpu_symmetric_heap"}
func.func @indices(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{has 1 indices for channel @C of 2 dimensions}}
    air.channel.put @C[%c0] (%b[] [] []) : (memref<4xf32>)
    air.channel.get @C[%c0] (%b[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @padded_get(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    air.channel.put @C[%c0] (%b[] [] []) : (memref<4xf32>)
    // expected-error@+1 {{cannot pad the data that it gets; set pad_before and pad_after on the put instead}}
    air.channel.get @C[%c0] (%b[] [] []) {pad_before = array<i32: 1>} : (memref<4xf32>)
  }
  return
}

// -----

air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
func.func @unknown_index(%m: memref<4xf32>, %i: index) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m, %ri=%i) : memref<4xf32>, index {
    air.launch () in () args(%l=%b, %li=%ri) : memref<4xf32>, index {
      // expected-error@+1 {{has indices whose values on rank 0 are unknown at compile time; compute them from constants, the rank's id}}
      air.channel.put @C[%li] (%l[] [] []) : (memref<4xf32>)
      air.channel.get @C[%li] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @both_places(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    // expected-note@+1 {{the other end is here}}
    air.channel.put @C[%c0] (%b[] [] []) : (memref<4xf32>)
    air.launch () in () args(%l=%b) : memref<4xf32> {
      %c0_0 = arith.constant 0 : index
      // expected-error@+1 {{uses channel @C in a kernel, but the other end is in host code; both ends must be in kernels, or both in host code}}
      air.channel.get @C[%c0_0] (%l[] [] []) : (memref<4xf32>)
    }
  }
  return
}

// -----

// expected-error@+1 {{has more than 65536 elements, each of which takes memory on every rank}}
air.channel @C [65536, 65537] {channel_type = "gpu_symmetric_heap"}
func.func @too_many_elements(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    air.channel.put @C[%c0, %c0] (%b[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

func.func @undeclared(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%a=%m) : memref<4xf32> {
    // expected-error@+1 {{'air.channel.put' op uses an undeclared channel}}
    air.channel.put @missing[] (%a[] [] []) : (memref<4xf32>)
  }
  return
}
