// RUN: python3 %S/../channels-in-launch/Inputs/run_program.py --aircc %aircc %s

// Channels of segments with a space, of grids, and broadcasts. Each program has a form of programs for NPUs.

// Each instance of a segment uses its own element of a channel.

// ARG a: 64xi32
// ARG b: 64xi32
// MODEL for i in range(64): b[i] = a[i] + 1 + i // 32
air.channel @give [2, 1]
air.channel @take [2, 1]
func.func @test(%a: memref<64xi32>, %b: memref<64xi32>) {
  %0 = air.launch async () in () args(%in=%a, %out=%b) : memref<64xi32>, memref<64xi32> attributes {id = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %p0 = air.channel.put async @give[%c0, %c0] (%in[%c0] [%c32] [%c1]) {id = 1 : i32} : (memref<64xi32>)
    %p1 = air.channel.put async @give[%c1, %c0] (%in[%c32] [%c32] [%c1]) {id = 2 : i32} : (memref<64xi32>)
    %g0 = air.channel.get async @take[%c0, %c0] (%out[%c0] [%c32] [%c1]) {id = 5 : i32} : (memref<64xi32>)
    %g1 = air.channel.get async @take[%c1, %c0] (%out[%c32] [%c32] [%c1]) {id = 6 : i32} : (memref<64xi32>)
    %s = air.segment @twice async unroll(%ux, %uy) in (%sx=%c2, %sy=%c1) attributes {id = 2 : i32, x_loc = 0 : i64, x_size = 8 : i64, y_loc = 2 : i64, y_size = 4 : i64} {
      %k1 = arith.constant 1 : index
      %h = air.herd @one async tile (%tx, %ty) in (%hx=%k1, %hy=%k1) args(%hux=%ux, %huy=%uy) : index, index attributes {id = 3 : i32} {
        %t, %m = air.execute -> (memref<32xi32, 2>) {
          %al = memref.alloc() : memref<32xi32, 2>
          air.execute_terminator %al : memref<32xi32, 2>
        }
        %g = air.channel.get async [%t] @give[%hux, %huy] (%m[] [] []) {id = 3 : i32} : (memref<32xi32, 2>)
        %one = arith.constant 1 : index
        %inc = arith.addi %hux, %one : index
        %add = arith.index_cast %inc : index to i32
        %e = air.execute [%g] {
          affine.for %i = 0 to 32 {
            %v = affine.load %m[%i] : memref<32xi32, 2>
            %n = arith.addi %v, %add : i32
            affine.store %n, %m[%i] : memref<32xi32, 2>
          }
        }
        %p = air.channel.put async [%e] @take[%hux, %huy] (%m[] [] []) {id = 4 : i32} : (memref<32xi32, 2>)
        %d = air.execute [%p] { memref.dealloc %m : memref<32xi32, 2> }
      }
    }
  }
  return
}

// -----

// Each instance of a segment uses another channel, at both ends.

// ARG b: 2x32xi32
// MODEL for i in range(64): b[i] = 5 if i < 32 else 6
air.channel @left [1, 1]
air.channel @right [1, 1]
func.func @test(%b: memref<2x32xi32>) {
  %0 = air.launch async () in () args(%out=%b) : memref<2x32xi32> attributes {id = 1 : i32} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %s = air.segment @seg async unroll(%ux, %uy) in (%sx=%c2, %sy=%c1) args(%o=%out) : memref<2x32xi32> {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %five = arith.constant 5 : index
      %val = arith.addi %five, %ux : index
      %vi = arith.index_cast %val : index to i32
      %t, %buf = air.execute -> (memref<32xi32, 1 : i32>) {
        %al = memref.alloc() : memref<32xi32, 1 : i32>
        air.execute_terminator %al : memref<32xi32, 1 : i32>
      }
      %f = air.execute [%t] { linalg.fill ins(%vi : i32) outs(%buf : memref<32xi32, 1 : i32>) }
      %c = arith.cmpi eq, %ux, %k0 : index
      %3 = scf.if %c -> (!air.async.token) {
        %p = air.channel.put async [%f] @left[%k0, %k0] (%buf[] [] []) : (memref<32xi32, 1 : i32>)
        scf.yield %p : !air.async.token
      } else {
        %p = air.channel.put async [%f] @right[%k0, %k0] (%buf[] [] []) : (memref<32xi32, 1 : i32>)
        scf.yield %p : !air.async.token
      }
      %h = air.herd @herd async tile (%tx, %ty) in (%hx=%k1, %hy=%k1) args(%hux=%ux, %ho=%o) : index, memref<2x32xi32> {
        %h0 = arith.constant 0 : index
        %th, %m = air.execute -> (memref<32xi32, 2>) {
          %al = memref.alloc() : memref<32xi32, 2>
          air.execute_terminator %al : memref<32xi32, 2>
        }
        %hc = arith.cmpi eq, %hux, %h0 : index
        scf.if %hc {
          %g = air.channel.get async [%th] @left[%h0, %h0] (%m[] [] []) : (memref<32xi32, 2>)
        } else {
          %g = air.channel.get async [%th] @right[%h0, %h0] (%m[] [] []) : (memref<32xi32, 2>)
        }
        air.dma_memcpy_nd (%ho[%hux, 0] [1, 32] [32, 1], %m[] [] []) : (memref<2x32xi32>, memref<32xi32, 2>)
        %d = air.execute [%th] { memref.dealloc %m : memref<32xi32, 2> }
        air.herd_terminator
      }
      %dd = air.execute [%3] { memref.dealloc %buf : memref<32xi32, 1 : i32> }
    }
  }
  return
}

// -----

// Each workgroup uses another channel.

// ARG a: 2x16xi32
// ARG b: 2x16xi32
// MODEL for i in range(32): b[i] = a[i] + (1 if i < 16 else 2)
air.channel @zero [1, 1]
air.channel @one [1, 1]
func.func @test(%a: memref<2x16xi32>, %b: memref<2x16xi32>) {
  %c2 = arith.constant 2 : index
  %0 = air.launch async (%lx) in (%n=%c2) args(%p=%a, %q=%b) : memref<2x16xi32>, memref<2x16xi32> {
    %1 = air.segment async args(%i=%lx, %pp=%p, %qq=%q) : index, memref<2x16xi32>, memref<2x16xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<16xi32, 1 : i32>
      %d = air.dma_memcpy_nd async (%m[] [] [], %pp[%i, 0] [1, 16] [16, 1]) : (memref<16xi32, 1 : i32>, memref<2x16xi32>)
      %is0 = arith.cmpi eq, %i, %c0 : index
      %t = scf.if %is0 -> (!air.async.token) {
        %u = air.channel.put async [%d] @zero[%c0, %c0] (%m[] [] []) : (memref<16xi32, 1 : i32>)
        scf.yield %u : !air.async.token
      } else {
        %u = air.channel.put async [%d] @one[%c0, %c0] (%m[] [] []) : (memref<16xi32, 1 : i32>)
        scf.yield %u : !air.async.token
      }
      %h = air.herd async tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%k=%i, %o=%qq) : index, memref<2x16xi32> {
        %h0 = arith.constant 0 : index
        %l1 = memref.alloc() : memref<16xi32, 2 : i32>
        %i1 = arith.constant 1 : i32
        %i2 = arith.constant 2 : i32
        %hc = arith.cmpi eq, %k, %h0 : index
        scf.if %hc {
          air.channel.get @zero[%h0, %h0] (%l1[] [] []) : (memref<16xi32, 2 : i32>)
          affine.for %j = 0 to 16 {
            %w = affine.load %l1[%j] : memref<16xi32, 2 : i32>
            %r = arith.addi %w, %i1 : i32
            affine.store %r, %l1[%j] : memref<16xi32, 2 : i32>
          }
        } else {
          air.channel.get @one[%h0, %h0] (%l1[] [] []) : (memref<16xi32, 2 : i32>)
          affine.for %j = 0 to 16 {
            %w = affine.load %l1[%j] : memref<16xi32, 2 : i32>
            %r = arith.addi %w, %i2 : i32
            affine.store %r, %l1[%j] : memref<16xi32, 2 : i32>
          }
        }
        air.dma_memcpy_nd (%o[%k, 0] [1, 16] [16, 1], %l1[] [] []) : (memref<2x16xi32>, memref<16xi32, 2 : i32>)
      }
    }
  }
  return
}

// -----

// A broadcast of three dimensions.

// ARG a: 64xi32
// ARG b: 4x64xi32
// MODEL for i in range(256): b[i] = a[i % 64] + i // 64
air.channel @fan [1, 1, 1] {broadcast_shape = [1, 1 : index, 4 : index]}
func.func @test(%a: memref<64xi32>, %b: memref<4x64xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.launch (%l) in (%n=%c1) args(%p=%a, %q=%b) : memref<64xi32>, memref<4x64xi32> {
    %c0 = arith.constant 0 : index
    air.channel.put @fan[%c0, %c0, %c0] (%p[] [] []) : (memref<64xi32>)
    air.segment @s args(%qq=%q) : memref<4x64xi32> {
      %k1 = arith.constant 1 : index
      %k4 = arith.constant 4 : index
      air.herd tile (%x, %y) in (%sx=%k4, %sy=%k1) args(%out=%qq) : memref<4x64xi32> {
        %z = arith.constant 0 : index
        %m = memref.alloc() : memref<64xi32, 2>
        air.channel.get @fan[%z, %y, %x] (%m[] [] []) : (memref<64xi32, 2>)
        %xi = arith.index_cast %x : index to i32
        affine.for %i = 0 to 64 {
          %v = affine.load %m[%i] : memref<64xi32, 2>
          %w = arith.addi %v, %xi : i32
          affine.store %w, %m[%i] : memref<64xi32, 2>
        }
        air.dma_memcpy_nd (%out[%x, 0] [1, 64] [64, 1], %m[] [] []) : (memref<4x64xi32>, memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}

// -----

// Broadcasts along rows and columns of a herd.

// ARG a: 2x16xi32
// ARG b: 4x16xi32
// ARG c: 2x4x16xi32
// MODEL for x in range(2):
// MODEL   for y in range(4):
// MODEL     for i in range(16): c[(x * 4 + y) * 16 + i] = a[x * 16 + i] * b[y * 16 + i]
air.channel @rows [2, 1] {broadcast_shape = [2, 4]}
air.channel @cols [1, 4] {broadcast_shape = [2, 4]}
air.channel @res [2, 4]
func.func @test(%a: memref<2x16xi32>, %b: memref<4x16xi32>, %c: memref<2x4x16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%p=%a, %q=%b, %r=%c) : memref<2x16xi32>, memref<4x16xi32>, memref<2x4x16xi32> {
    air.segment args(%pp=%p, %qq=%q, %rr=%r) : memref<2x16xi32>, memref<4x16xi32>, memref<2x4x16xi32> {
      %c0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %ma = memref.alloc() : memref<2x16xi32, 1>
      %mb = memref.alloc() : memref<4x16xi32, 1>
      %mc = memref.alloc() : memref<2x4x16xi32, 1>
      air.dma_memcpy_nd (%ma[] [] [], %pp[] [] []) : (memref<2x16xi32, 1>, memref<2x16xi32>)
      air.dma_memcpy_nd (%mb[] [] [], %qq[] [] []) : (memref<4x16xi32, 1>, memref<4x16xi32>)
      scf.parallel (%i) = (%c0) to (%c2) step (%k1) {
        air.channel.put @rows[%i, %c0] (%ma[%i, 0] [1, 16] [16, 1]) : (memref<2x16xi32, 1>)
        scf.reduce
      }
      scf.parallel (%i) = (%c0) to (%c4) step (%k1) {
        air.channel.put @cols[%c0, %i] (%mb[%i, 0] [1, 16] [16, 1]) : (memref<4x16xi32, 1>)
        scf.reduce
      }
      air.herd tile (%x, %y) in (%sx=%c2, %sy=%c4) {
        %u = memref.alloc() : memref<16xi32, 2>
        %v = memref.alloc() : memref<16xi32, 2>
        air.channel.get @rows[%x, %y] (%u[] [] []) : (memref<16xi32, 2>)
        air.channel.get @cols[%x, %y] (%v[] [] []) : (memref<16xi32, 2>)
        linalg.mul ins(%u, %v : memref<16xi32, 2>, memref<16xi32, 2>) outs(%u : memref<16xi32, 2>)
        air.channel.put @res[%x, %y] (%u[] [] []) : (memref<16xi32, 2>)
      }
      scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c4) step (%k1, %k1) {
        air.channel.get @res[%i, %j] (%mc[%i, %j, 0] [1, 1, 16] [64, 16, 1]) : (memref<2x4x16xi32, 1>)
        scf.reduce
      }
      air.dma_memcpy_nd (%rr[] [] [], %mc[] [] []) : (memref<2x4x16xi32>, memref<2x4x16xi32, 1>)
    }
  }
  return
}

// -----

// Packet channels with ids.

// ARG a: 2x16xi32
// ARG b: 2x16xi32
// MODEL for i in range(32): b[i] = a[i]
air.channel @pk [2] {channel_type = "npu_dma_packet", packet_ids = [3, 5], keep_pkt_header}
func.func @test(%a: memref<2x16xi32>, %b: memref<2x16xi32>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @pk[%c0] (%a[0, 0] [1, 16] [16, 1]) : (memref<2x16xi32>)
  air.channel.put @pk[%c1] (%a[1, 0] [1, 16] [16, 1]) : (memref<2x16xi32>)
  air.herd tile (%x) in (%sx=%c2) args(%q=%b) : memref<2x16xi32> {
    %m = memref.alloc() : memref<16xi32, 2>
    air.channel.get @pk[%x] (%m[] [] []) : (memref<16xi32, 2>)
    air.dma_memcpy_nd (%q[%x, 0] [1, 16] [16, 1], %m[] [] []) : (memref<2x16xi32>, memref<16xi32, 2>)
  }
  return
}
