// RUN: %aircc opt %s --hierarchy-lower-channels --split-input-file --verify-diagnostics

air.channel @c [2]
func.func @unknown_index(%m: memref<8xi32>, %i: index) {
  air.launch () in () args(%a=%m, %j=%i) : memref<8xi32>, index {
    // expected-error@+1 {{'air.channel.put' op has indices that are unknown at compile time; compute them from constants, ids of enclosing AIR ops, and induction variables of loops with constant bounds}}
    air.channel.put @c[%j] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

func.func private @other_end_0(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

// expected-note@+1 {{the channel is declared here}}
air.channel @c [2]
func.func @outside(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    %c2 = arith.constant 2 : index
    // expected-error@+1 {{has the indices [2], which are out of bounds for channel @c [2]}}
    air.channel.put @c[%c2] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

func.func private @other_end_1(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c [2]
func.func @too_many_indices(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{has 2 indices for @c of 1 dimensions}}
    air.channel.put @c[%c0, %c0] (%a[] [] []) : (memref<8xi32>)
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c
func.func @too_often(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %many = arith.constant 1000000 : index
    // expected-error@+1 {{repeats channel operations for more than 262144 iterations per workgroup, the most that the compiler can trace; transfer larger tiles}}
    scf.for %i = %c0 to %many step %c1 {
      air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
    }
  }
  return
}

func.func private @other_end_3(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c
func.func @while_loop(%m: memref<8xi32>, %x: i1) {
  air.launch () in () args(%a=%m, %y=%x) : memref<8xi32>, i1 {
    // expected-error@+1 {{contains channel operations, but its number of iterations is unknown; use scf.for, affine.for, scf.parallel or scf.forall}}
    scf.while : () -> () {
      scf.condition(%y)
    } do {
      air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
      scf.yield
    }
  }
  return
}

func.func private @other_end_4(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c
func.func @unknown_start(%m: memref<8xi32>, %n: index) {
  air.launch () in () args(%a=%m, %first=%n) : memref<8xi32>, index {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // expected-error@+1 {{contains channel operations, but its lower bound or step is unknown at compile time; compute both from constants, ids of enclosing AIR ops, and induction variables}}
    scf.for %i = %first to %c8 step %c1 {
      air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
    }
  }
  return
}

func.func private @other_end_5(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c
func.func @unknown_affine_bound(%m: memref<8xi32>, %n: index) {
  air.launch () in () args(%a=%m, %last=%n) : memref<8xi32>, index {
    // expected-error@+1 {{contains channel operations, but its bounds are unknown at compile time; compute them from constants, ids of enclosing AIR ops, and induction variables}}
    affine.for %i = 0 to %last {
      air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
    }
  }
  return
}

func.func private @other_end_6(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c
func.func @unknown_condition(%m: memref<8xi32>, %x: i1) {
  air.launch () in () args(%a=%m, %y=%x) : memref<8xi32>, i1 {
    // expected-error@+1 {{contains channel operations, but its condition is unknown at compile time; compute it from constants, ids of enclosing AIR ops, and induction variables of loops with constant bounds}}
    scf.if %y {
      air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
    }
  }
  return
}

func.func private @other_end_7(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c
func.func @unknown_herd(%m: memref<8xi32>, %n: index) {
  air.launch () in () args(%a=%m, %k=%n) : memref<8xi32>, index {
    // expected-error@+1 {{uses channels, but has a size that is unknown at compile time}}
    air.herd tile (%x) in (%nx=%k) args(%b=%a) : memref<8xi32> {
      air.channel.put @c[] (%b[] [] []) : (memref<8xi32>)
    }
  }
  return
}

func.func private @other_end_8(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c
func.func @alloca_scope(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    // expected-error@+1 {{cannot contain channel operations; use loops and branches of the scf or affine dialect}}
    memref.alloca_scope {
      air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
    }
  }
  return
}

func.func private @other_end_9(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c [2]
func.func @unbalanced(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{'air.channel.put' op is not balanced: 8 elements are put into @c[1] in a launch, but 6 are received from it}}
    air.channel.put @c[%c1] (%a[] [] []) : (memref<8xi32>)
    air.herd tile (%x) in (%n=%c1) {
      %d1 = arith.constant 1 : index
      %t = memref.alloc() : memref<6xi32, 2>
      // expected-note@+1 {{the other end is here}}
      air.channel.get @c[%d1] (%t[] [] []) : (memref<6xi32, 2>)
    }
  }
  return
}

// -----

air.channel @parts [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
func.func @divided(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // expected-error@+2 {{is not balanced: 8 elements are put into @parts[0, 0] in a launch, but 4 are received from it}}
    // expected-note@+1 {{each destination of a broadcast receives everything that is put; to divide it among them, as the headers of packets do on an NPU, use an array of channels}}
    air.channel.put @parts[] (%a[] [] []) : (memref<8xi32>)
    air.herd tile (%x, %y) in (%n=%c1, %k=%c2) {
      %t = memref.alloc() : memref<4xi32, 2>
      // expected-note@+1 {{the other end is here}}
      air.channel.get @parts[%x, %y] (%t[] [] []) : (memref<4xi32, 2>)
    }
  }
  return
}

// -----

air.channel @c
func.func @unbalanced_messages(%m: memref<8xi32>, %n: index) {
  air.launch () in () args(%a=%m, %k=%n) : memref<8xi32>, index {
    // expected-error@+1 {{is not balanced: 2 messages are put into @c[] in a launch, but 1 are received from it}}
    air.channel.put @c[] (%a[0] [%k] [1]) : (memref<8xi32>)
    air.channel.put @c[] (%a[0] [%k] [1]) : (memref<8xi32>)
    // expected-note@+1 {{the other end is here}}
    air.channel.get @c[] (%a[0] [%k] [1]) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c
func.func @types(%m: memref<8xi32>, %f: memref<8xf32>) {
  air.launch () in () args(%a=%m, %b=%f) : memref<8xi32>, memref<8xf32> {
    // expected-note@+1 {{the other op is here}}
    air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
    // expected-error@+1 {{transfers elements of type 'f32' through channel @c, but another op on this channel transfers elements of type 'i32'}}
    air.channel.get @c[] (%b[] [] []) : (memref<8xf32>)
  }
  return
}

// -----

air.channel @c
func.func @host(%m: memref<8xi32>) {
  // expected-error@+1 {{is in host code; put it into the air.launch with the other end of the channel}}
  air.channel.put @c[] (%m[] [] []) : (memref<8xi32>)
  return
}

func.func private @other_end_13(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c
func.func @queue_of_unknown_messages(%n: index) {
  air.launch () in () args(%k=%n) : index {
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%nx=%c1) args(%s=%k) : index {
      %t = memref.alloc() : memref<8xi32, 2>
      // expected-error@+1 {{transfers a number of elements that is unknown at compile time, which is supported only if the memref at one end is in L3, or in L2 and filled before the herd}}
      air.channel.put @c[] (%t[0] [%s] [1]) : (memref<8xi32, 2>)
    }
    air.herd tile (%x) in (%nx=%c1) {
      %t = memref.alloc() : memref<8xi32, 2>
      air.channel.get @c[] (%t[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

air.channel @c
func.func @queue_of_unknown_length(%n: index) {
  air.launch () in () args(%k=%n) : index {
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%nx=%c1) args(%s=%k) : index {
      %c0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %t = memref.alloc() : memref<8xi32, 2>
      scf.for %i = %c0 to %s step %d1 {
        // expected-error@+1 {{requires a queue whose size depends on a number of iterations that is unknown at compile time}}
        air.channel.put @c[] (%t[] [] []) : (memref<8xi32, 2>)
      }
    }
    air.herd tile (%x) in (%nx=%c1) args(%s=%k) : index {
      %c0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %t = memref.alloc() : memref<8xi32, 2>
      scf.for %i = %c0 to %s step %d1 {
        air.channel.get @c[] (%t[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}

// -----

air.channel @c
func.func @irregular() {
  air.launch () in () {
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%nx=%c1) {
      %c0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c11 = arith.constant 11 : index
      %c300 = arith.constant 300 : index
      %t = memref.alloc() : memref<8xi32, 2>
      scf.for %i = %c0 to %c300 step %d1 {
        %square = arith.muli %i, %i : index
        %r = arith.remui %square, %c11 : index
        %small = arith.cmpi ult, %r, %c4 : index
        scf.if %small {
          // expected-error@+1 {{accesses a channel whose messages have no regular order, because the number of earlier messages is not an affine function of ids and loop variables}}
          air.channel.put @c[] (%t[] [] []) : (memref<8xi32, 2>)
        }
      }
    }
    air.herd tile (%x) in (%nx=%c1) {
      %c0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %c137 = arith.constant 137 : index
      %t = memref.alloc() : memref<8xi32, 2>
      scf.for %i = %c0 to %c137 step %d1 {
        air.channel.get @c[] (%t[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}

// -----

air.channel @ring [2]
func.func @deadlock() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    air.herd tile (%x) in (%n=%c2) {
      %c1 = arith.constant 1 : index
      %t = memref.alloc() : memref<8xi32, 2>
      %other = arith.subi %c1, %x : index
      // expected-error@+2 {{'air.channel.get' op deadlocks: it waits for data from PEs that are also waiting and would put the data only later; make one of them put first}}
      // expected-note@+1 {{another PE waits here}}
      air.channel.get @ring[%other] (%t[] [] []) : (memref<8xi32, 2>)
      air.channel.put @ring[%x] (%t[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

air.channel @ring [32]
func.func @too_many_waves() {
  air.launch () in () {
    %c32 = arith.constant 32 : index
    // expected-error@+1 {{has 32 PEs that wait for each other at channels, so each needs a wave, but a workgroup has at most 16 waves; use a smaller herd}}
    air.herd tile (%x) in (%n=%c32) {
      %c31 = arith.constant 31 : index
      %t = memref.alloc() : memref<8xi32, 2>
      %other = arith.subi %c31, %x : index
      air.channel.put @ring[%x] (%t[] [] []) : (memref<8xi32, 2>)
      air.channel.get @ring[%other] (%t[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

// Herds with barriers cannot become branches of one herd.

air.channel @forth
air.channel @back
func.func @herds_in_a_cycle() {
  // expected-error@+1 {{has code that depends, through channels, on data from later code, and no order lets all parts of the launch complete}}
  air.launch () in () {
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%n=%c1) {
      %t = memref.alloc() : memref<8xi32, 2>
      // expected-remark@+1 {{channel @forth keeps all its messages in a queue of 32 bytes, because neither end has a memref that holds them all}}
      air.channel.put @forth[] (%t[] [] []) : (memref<8xi32, 2>)
      air.channel.get @back[] (%t[] [] []) : (memref<8xi32, 2>)
    }
    air.herd tile (%x) in (%n=%c1) {
      %t = memref.alloc() : memref<8xi32, 2>
      gpu.barrier
      air.channel.get @forth[] (%t[] [] []) : (memref<8xi32, 2>)
      // expected-remark@+1 {{channel @back keeps all its messages in a queue of 32 bytes}}
      air.channel.put @back[] (%t[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

air.channel @forth [9]
air.channel @back [9]
func.func @too_many_waves_together() {
  air.launch () in () {
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    // expected-error@+1 {{exchanges messages with another herd in both directions, so they must run together and need 17 waves, but a workgroup has at most 16 waves; use smaller herds}}
    air.herd tile (%x) in (%n=%c8) {
      %t = memref.alloc() : memref<8xi32, 2>
      air.channel.put @forth[%x] (%t[] [] []) : (memref<8xi32, 2>)
      air.channel.get @back[%x] (%t[] [] []) : (memref<8xi32, 2>)
    }
    // expected-note@+1 {{the other herd is here}}
    air.herd tile (%x) in (%n=%c9) {
      %c8_0 = arith.constant 8 : index
      %t = memref.alloc() : memref<8xi32, 2>
      %is = arith.cmpi ult, %x, %c8_0 : index
      scf.if %is {
        air.channel.get @forth[%x] (%t[] [] []) : (memref<8xi32, 2>)
        air.channel.put @back[%x] (%t[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}

// -----

air.channel @lost
air.channel @never
func.func @one_end(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    // expected-warning@+1 {{puts into channel @lost, but no op of the program gets from it; the data is lost}}
    air.channel.put @lost[] (%a[] [] []) : (memref<8xi32>)
    // expected-warning@+1 {{gets from channel @never, but no op of the program puts into it; the kernel ends with an error here instead of waiting forever}}
    air.channel.get @never[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}
