// RUN: python3 %S/../channels-in-launch/Inputs/run_program.py --aircc %aircc %s

// Channels between the PEs of a herd, and between herds. Each program has a form of programs for NPUs.
// On Xe, the checker does not know that atomics order subgroups of a workgroup.

// A branch on an id with a put in one arm and a get in the other.

// CHECKS bmg: undefined,barriers
// ARG a: 2x32x32xi32
// ARG b: 2x32x32xi32
// MODEL for y in range(2):
// MODEL   for i in range(1024): b[y * 1024 + i] = a[y * 1024 + i]
air.channel @pair [1, 2]
func.func @test(%a: memref<2x32x32xi32>, %b: memref<2x32x32xi32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%p=%a, %q=%b) : memref<2x32x32xi32>, memref<2x32x32xi32> {
    %1 = air.segment async args(%pp=%p, %qq=%q) : memref<2x32x32xi32>, memref<2x32x32xi32> {
      %c2 = arith.constant 2 : index
      %2 = air.herd @h async tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%in=%pp, %out=%qq) : memref<2x32x32xi32>, memref<2x32x32xi32> {
        %c0 = arith.constant 0 : index
        %t, %m = air.execute -> (memref<32x32xi32, 2>) {
          %al = memref.alloc() : memref<32x32xi32, 2>
          air.execute_terminator %al : memref<32x32xi32, 2>
        }
        %cmp = arith.cmpi eq, %x, %c0 : index
        %3 = scf.if %cmp -> (!air.async.token) {
          %5 = air.dma_memcpy_nd async [%t] (%m[] [] [], %in[%y, 0, 0] [1, 32, 32] [1024, 32, 1]) : (memref<32x32xi32, 2>, memref<2x32x32xi32>)
          %4 = air.channel.put async [%5] @pair[%c0, %y] (%m[] [] []) : (memref<32x32xi32, 2>)
          scf.yield %4 : !air.async.token
        } else {
          %4 = air.channel.get async [%t] @pair[%c0, %y] (%m[] [] []) : (memref<32x32xi32, 2>)
          %5 = air.dma_memcpy_nd async [%4] (%out[%y, 0, 0] [1, 32, 32] [1024, 32, 1], %m[] [] []) : (memref<2x32x32xi32>, memref<32x32xi32, 2>)
          scf.yield %5 : !air.async.token
        }
        %6 = air.execute [%3] { memref.dealloc %m : memref<32x32xi32, 2> }
      }
    }
  }
  return
}

// -----

// A cascade: the first, the middle and the last PE are nested branches.

// CHECKS bmg: undefined,barriers
// ARG a: 4x16xi32
// ARG b: 16xi32
// MODEL for i in range(16): b[i] = sum(a[r * 16 + i] for r in range(4))
#first = affine_set<()[s0] : (s0 - 3 == 0)>
#middle = affine_set<()[s0] : (s0 - 1 >= 0, -s0 + 2 >= 0)>
air.channel @down [3] {channel_type = "npu_cascade"}
func.func @test(%a: memref<4x16xi32>, %b: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd @chain tile (%x, %y) in (%sx=%c1, %sy=%c4) args(%in=%a, %out=%b) : memref<4x16xi32>, memref<16xi32> {
    %c1_h = arith.constant 1 : index
    %own = memref.alloc() : memref<16xi32, 2 : i32>
    %acc = memref.alloc() : memref<16xi32, 2 : i32>
    air.dma_memcpy_nd (%own[] [] [], %in[%y, 0] [1, 16] [16, 1]) : (memref<16xi32, 2 : i32>, memref<4x16xi32>)
    affine.if #first()[%y] {
      %k = arith.subi %y, %c1_h : index
      air.channel.put @down[%k] (%own[] [] []) : (memref<16xi32, 2 : i32>)
    } else {
      affine.if #middle()[%y] {
        %k = arith.subi %y, %c1_h : index
        air.channel.get @down[%y] (%acc[] [] []) : (memref<16xi32, 2 : i32>)
        linalg.add ins(%own, %acc : memref<16xi32, 2 : i32>, memref<16xi32, 2 : i32>) outs(%acc : memref<16xi32, 2 : i32>)
        air.channel.put @down[%k] (%acc[] [] []) : (memref<16xi32, 2 : i32>)
      } else {
        air.channel.get @down[%y] (%acc[] [] []) : (memref<16xi32, 2 : i32>)
        linalg.add ins(%own, %acc : memref<16xi32, 2 : i32>, memref<16xi32, 2 : i32>) outs(%acc : memref<16xi32, 2 : i32>)
        air.dma_memcpy_nd (%out[] [] [], %acc[] [] []) : (memref<16xi32>, memref<16xi32, 2 : i32>)
      }
    }
    memref.dealloc %own : memref<16xi32, 2 : i32>
    memref.dealloc %acc : memref<16xi32, 2 : i32>
  }
  return
}

// -----

// A cascade of slabs of a buffer of three dimensions.

// CHECKS bmg: undefined,barriers
// ARG b: 2x8x16xi32
// MODEL for i in range(128): b[i] = 5
#up = affine_set<()[s0] : (s0 - 1 == 0)>
air.channel @slab [1] {channel_type = "npu_cascade"}
func.func @test(%b: memref<2x8x16xi32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%o=%b) : memref<2x8x16xi32> {
    %c2 = arith.constant 2 : index
    %k1 = arith.constant 1 : index
    %1 = air.herd @h async tile (%x, %y) in (%sx=%k1, %sy=%c2) args(%oo=%o) : memref<2x8x16xi32> {
      %five = arith.constant 5 : i32
      %one = arith.constant 1 : index
      %t, %buf = air.execute -> (memref<2x8x16xi32, 2 : i32>) {
        %al = memref.alloc() : memref<2x8x16xi32, 2 : i32>
        air.execute_terminator %al : memref<2x8x16xi32, 2 : i32>
      }
      %yi = arith.index_cast %y : index to i32
      %val = arith.muli %yi, %five : i32
      %f = air.execute [%t] { linalg.fill ins(%val : i32) outs(%buf : memref<2x8x16xi32, 2 : i32>) }
      %2 = affine.if #up()[%y] -> !air.async.token {
        %3 = arith.subi %y, %one : index
        %4 = air.channel.put async [%f] @slab[%3] (%buf[%y, 0, 0] [1, 8, 16] [128, 16, 1]) : (memref<2x8x16xi32, 2 : i32>)
        affine.yield %4 : !air.async.token
      } else {
        %3 = air.channel.get async [%f] @slab[%y] (%buf[%y, 0, 0] [1, 8, 16] [128, 16, 1]) : (memref<2x8x16xi32, 2 : i32>)
        affine.yield %3 : !air.async.token
      }
      %5 = affine.if #up()[%y] -> !air.async.token {
        %6 = air.wait_all async [%2]
        affine.yield %6 : !air.async.token
      } else {
        %6 = air.dma_memcpy_nd async [%2] (%oo[0, 0, 0] [1, 8, 16] [128, 16, 1], %buf[%y, 0, 0] [1, 8, 16] [128, 16, 1]) : (memref<2x8x16xi32>, memref<2x8x16xi32, 2 : i32>)
        affine.yield %6 : !air.async.token
      }
    }
  }
  return
}

// -----

// PEs that exchange their data.

// CHECKS bmg: undefined,barriers
// ARG a: 4x16xi32
// ARG b: 4x16xi32
// MODEL for x in range(2):
// MODEL   for y in range(2):
// MODEL     for i in range(16): b[((1 - x) * 2 + y) * 16 + i] = a[(x * 2 + y) * 16 + i]
air.channel @swap [2, 2]
func.func @test(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%hx=%c2, %hy=%c2) args(%p=%a, %q=%b) : memref<4x16xi32>, memref<4x16xi32> {
    %c1 = arith.constant 1 : index
    %c2h = arith.constant 2 : index
    %row0 = arith.muli %x, %c2h : index
    %row = arith.addi %row0, %y : index
    %nx = arith.addi %x, %c1 : index
    %other = arith.remui %nx, %c2h : index
    %m = memref.alloc() : memref<16xi32, 2>
    %n = memref.alloc() : memref<16xi32, 2>
    air.dma_memcpy_nd (%m[] [] [], %p[%row, 0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<4x16xi32>)
    air.channel.put @swap[%other, %y] (%m[] [] []) : (memref<16xi32, 2>)
    air.channel.get @swap[%x, %y] (%n[] [] []) : (memref<16xi32, 2>)
    air.dma_memcpy_nd (%q[%row, 0] [1, 16] [16, 1], %n[] [] []) : (memref<4x16xi32>, memref<16xi32, 2>)
  }
  return
}

// -----

// PEs that send messages to themselves.

// ARG a: 4x16xi32
// ARG b: 4x16xi32
// MODEL for i in range(64): b[i] = a[i]
air.channel @own [4]
func.func @test(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%hx=%c4) args(%p=%a, %q=%b) : memref<4x16xi32>, memref<4x16xi32> {
    %m = memref.alloc() : memref<16xi32, 2>
    %n = memref.alloc() : memref<16xi32, 2>
    %d = air.dma_memcpy_nd async (%m[] [] [], %p[%x, 0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<4x16xi32>)
    %u = air.channel.put async [%d] @own[%x] (%m[] [] []) : (memref<16xi32, 2>)
    %g = air.channel.get async @own[%x] (%n[] [] []) : (memref<16xi32, 2>)
    %o = air.dma_memcpy_nd async [%g] (%q[%x, 0] [1, 16] [16, 1], %n[] [] []) : (memref<4x16xi32>, memref<16xi32, 2>)
    air.wait_all [%u, %o]
  }
  return
}

// -----

// Loops of different depth at both ends.

// ARG a: 8x16xi32
// ARG b: 16xi32
// MODEL for i in range(16): b[i] = sum(a[r * 16 + i] for r in range(8))
air.channel @deep [1, 1]
func.func @test(%a: memref<8x16xi32>, %b: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%p=%a, %q=%b) : memref<8x16xi32>, memref<16xi32> {
    air.segment args(%pp=%p, %qq=%q) : memref<8x16xi32>, memref<16xi32> {
      %k1 = arith.constant 1 : index
      air.herd @a tile (%x, %y) in (%sx=%k1, %sy=%k1) args(%u=%pp) : memref<8x16xi32> {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        scf.for %i = %c0 to %c2 step %h1 {
          scf.for %j = %c0 to %c4 step %h1 {
            %r0 = arith.muli %i, %c4 : index
            %r = arith.addi %r0, %j : index
            %m = memref.alloc() : memref<16xi32, 2>
            air.dma_memcpy_nd (%m[] [] [], %u[%r, 0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<8x16xi32>)
            air.channel.put @deep[%x, %y] (%m[] [] []) : (memref<16xi32, 2>)
            memref.dealloc %m : memref<16xi32, 2>
          }
        }
      }
      air.herd @b tile (%x, %y) in (%sx=%k1, %sy=%k1) args(%o=%qq) : memref<16xi32> {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %c7 = arith.constant 7 : index
        %acc = memref.alloc() : memref<16xi32, 2>
        air.channel.get @deep[%x, %y] (%acc[] [] []) : (memref<16xi32, 2>)
        scf.for %i = %c0 to %c7 step %h1 {
          %m = memref.alloc() : memref<16xi32, 2>
          air.channel.get @deep[%x, %y] (%m[] [] []) : (memref<16xi32, 2>)
          linalg.add ins(%m, %acc : memref<16xi32, 2>, memref<16xi32, 2>) outs(%acc : memref<16xi32, 2>)
          memref.dealloc %m : memref<16xi32, 2>
        }
        air.dma_memcpy_nd (%o[] [] [], %acc[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
      }
    }
  }
  return
}

// -----

// Gets into the same buffer, whose last message remains.

// ARG q: 16xi32
// ARG k: 4x16xi32
// ARG b: 16xi32
// MODEL for i in range(16): b[i] = q[i] + k[48 + i]
air.channel @qk [1, 1]
func.func @test(%q: memref<16xi32>, %k: memref<4x16xi32>, %b: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%lq=%q, %lk=%k, %lb=%b) : memref<16xi32>, memref<4x16xi32>, memref<16xi32> {
    %p0 = air.channel.put async @qk[] (%lq[] [] []) : (memref<16xi32>)
    %p1 = air.channel.put async [%p0] @qk[] (%lk[] [] []) : (memref<4x16xi32>)
    %1 = air.segment async args(%sb=%lb) : memref<16xi32> {
      %k1 = arith.constant 1 : index
      %2 = air.herd async tile (%x, %y) in (%hx=%k1, %hy=%k1) args(%hb=%sb) : memref<16xi32> {
        %tq, %mq = air.execute -> (memref<16xi32, 2>) {
          %al = memref.alloc() : memref<16xi32, 2>
          air.execute_terminator %al : memref<16xi32, 2>
        }
        %tk, %mk = air.execute -> (memref<16xi32, 2>) {
          %al = memref.alloc() : memref<16xi32, 2>
          air.execute_terminator %al : memref<16xi32, 2>
        }
        %3 = air.channel.get async [%tq] @qk[] (%mq[] [] []) : (memref<16xi32, 2>)
        %4 = air.channel.get async [%tk, %3] @qk[] (%mk[] [] []) : (memref<16xi32, 2>)
        %5 = air.channel.get async [%4] @qk[] (%mk[] [] []) : (memref<16xi32, 2>)
        %6 = air.channel.get async [%5] @qk[] (%mk[] [] []) : (memref<16xi32, 2>)
        %7 = air.channel.get async [%6] @qk[] (%mk[] [] []) : (memref<16xi32, 2>)
        %8 = air.execute [%7] { linalg.add ins(%mq, %mk : memref<16xi32, 2>, memref<16xi32, 2>) outs(%mq : memref<16xi32, 2>) }
        %9 = air.dma_memcpy_nd async [%8] (%hb[] [] [], %mq[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
        %10 = air.execute [%9] { memref.dealloc %mq : memref<16xi32, 2> }
        %11 = air.execute [%7] { memref.dealloc %mk : memref<16xi32, 2> }
      }
    }
  }
  return
}
