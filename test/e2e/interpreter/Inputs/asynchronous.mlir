// Launch, segment, herd and all in them asynchronous.
func.func @all_async(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %0 = air.launch async (%i) in (%n = %c2) args(%la = %a, %lb = %b) : memref<64xi32>, memref<64xi32> attributes {id = 1 : i32} {
    %1 = air.segment @s async args(%j = %i, %sa = %la, %sb = %lb) : index, memref<64xi32>, memref<64xi32> attributes {id = 2 : i32} {
      %c2_0 = arith.constant 2 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %t0, %o = air.execute -> (index) {
        %p = arith.muli %j, %c32 : index
        air.execute_terminator %p : index
      } {id = 1 : i32}
      %t1, %l2 = air.execute -> (memref<32xi32, 1>) {
        %m = memref.alloc() : memref<32xi32, 1>
        air.execute_terminator %m : memref<32xi32, 1>
      } {id = 2 : i32}
      %t2 = air.wait_all async [%t0, %t1]
      %t3 = air.dma_memcpy_nd async [%t2] (%l2[] [] [], %sa[%o] [%c32] [%c1]) {id = 1 : i32} : (memref<32xi32, 1>, memref<64xi32>)
      %t4 = air.herd @h async [%t3] tile (%x, %y) in (%nx = %c2_0, %ny = %c1) args(%h = %l2) : memref<32xi32, 1> attributes {id = 3 : i32} {
        %c16 = arith.constant 16 : index
        %d1 = arith.constant 1 : index
        %e0, %q = air.execute -> (index) {
          %r = arith.muli %x, %c16 : index
          air.execute_terminator %r : index
        } {id = 3 : i32}
        %e1, %l1 = air.execute -> (memref<16xi32, 2>) {
          %m = memref.alloc() : memref<16xi32, 2>
          air.execute_terminator %m : memref<16xi32, 2>
        } {id = 4 : i32}
        %e2 = air.dma_memcpy_nd async [%e0, %e1] (%l1[] [] [], %h[%q] [%c16] [%d1]) {id = 2 : i32} : (memref<16xi32, 2>, memref<32xi32, 1>)
        %e3 = air.execute [%e2] {
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%l1 : memref<16xi32, 2>) {
          ^bb0(%v: i32):
            %w = arith.muli %v, %v : i32
            linalg.yield %w : i32
          }
        } {id = 5 : i32}
        %e4 = air.dma_memcpy_nd async [%e3] (%h[%q] [%c16] [%d1], %l1[] [] []) {id = 3 : i32} : (memref<32xi32, 1>, memref<16xi32, 2>)
        %e5 = air.execute [%e4] {
          memref.dealloc %l1 : memref<16xi32, 2>
        } {id = 6 : i32}
        air.wait_all [%e5]
      }
      %t5 = air.dma_memcpy_nd async [%t4] (%sb[%o] [%c32] [%c1], %l2[] [] []) {id = 4 : i32} : (memref<64xi32>, memref<32xi32, 1>)
      %t6 = air.execute [%t5] {
        memref.dealloc %l2 : memref<32xi32, 1>
      } {id = 7 : i32}
      air.wait_all [%t6]
    }
    air.wait_all [%1]
  }
  air.wait_all [%0]
  return
}
// -----
// Two buffers in turn: the tokens of a loop.
func.func @ping_pong(%a: memref<8x16xi32>, %b: memref<8x16xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%ha = %a, %hb = %b) : memref<8x16xi32>, memref<8x16xi32> {
    %c0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %t0, %p = air.execute -> (memref<16xi32, 2>) {
      %m = memref.alloc() : memref<16xi32, 2>
      air.execute_terminator %m : memref<16xi32, 2>
    }
    %t1, %q = air.execute -> (memref<16xi32, 2>) {
      %m = memref.alloc() : memref<16xi32, 2>
      air.execute_terminator %m : memref<16xi32, 2>
    }
    %r:2 = scf.for %i = %c0 to %c8 step %c2 iter_args(%u = %t0, %v = %t1) -> (!air.async.token, !air.async.token) {
      %i1 = arith.addi %i, %d1 : index
      %e0 = air.dma_memcpy_nd async [%u] (%p[] [] [], %ha[%i, 0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<8x16xi32>)
      %e1 = air.dma_memcpy_nd async [%v] (%q[] [] [], %ha[%i1, 0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<8x16xi32>)
      %e2 = air.execute [%e0] {
        linalg.add ins(%p, %p : memref<16xi32, 2>, memref<16xi32, 2>) outs(%p : memref<16xi32, 2>)
      }
      %e3 = air.dma_memcpy_nd async [%e2] (%hb[%i, 0] [1, 16] [16, 1], %p[] [] []) : (memref<8x16xi32>, memref<16xi32, 2>)
      %e4 = air.execute [%e1] {
        linalg.mul ins(%q, %q : memref<16xi32, 2>, memref<16xi32, 2>) outs(%q : memref<16xi32, 2>)
      }
      %e5 = air.dma_memcpy_nd async [%e4] (%hb[%i1, 0] [1, 16] [16, 1], %q[] [] []) : (memref<8x16xi32>, memref<16xi32, 2>)
      scf.yield %e3, %e5 : !air.async.token, !air.async.token
    }
    air.wait_all [%r#0, %r#1]
  }
  return
}
// -----
// Herds that tokens leave unordered, on parts of a buffer of their own.
func.func @unordered_herds(%a: memref<2x32xi32>, %b: memref<2x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x32xi32>, memref<2x32xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<2x32xi32>, memref<2x32xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %t0 = air.herd @first async tile (%x) in (%n = %c2) args(%ha = %sa, %hb = %sb) : memref<2x32xi32>, memref<2x32xi32> {
        %c16 = arith.constant 16 : index
        %o = arith.muli %x, %c16 : index
        %t = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %ha[0, %o] [1, 16] [32, 1]) : (memref<16xi32, 2>, memref<2x32xi32>)
        air.dma_memcpy_nd (%hb[1, %o] [1, 16] [32, 1], %t[] [] []) : (memref<2x32xi32>, memref<16xi32, 2>)
      }
      %t1 = air.herd @second async tile (%x) in (%n = %c1) args(%ha = %sa, %hb = %sb) : memref<2x32xi32>, memref<2x32xi32> {
        %t = memref.alloc() : memref<32xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %ha[1, 0] [1, 32] [32, 1]) : (memref<32xi32, 2>, memref<2x32xi32>)
        air.dma_memcpy_nd (%hb[0, 0] [1, 32] [32, 1], %t[] [] []) : (memref<2x32xi32>, memref<32xi32, 2>)
      }
      air.wait_all [%t0, %t1]
    }
  }
  return
}
// -----
// Herds in a function, ordered by tokens only.
func.func @chain_in_function(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t0 = air.herd @one async tile (%x, %y) in (%nx = %c2, %ny = %c1) args(%ha = %a, %hb = %b) : memref<32xi32>, memref<32xi32> {
    %c16 = arith.constant 16 : index
    %o = arith.muli %x, %c16 : index
    air.dma_memcpy_nd (%hb[%o] [16] [1], %ha[%o] [16] [1]) : (memref<32xi32>, memref<32xi32>)
  }
  %t1 = air.herd @two async [%t0] tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%hb = %b) : memref<32xi32> {
    linalg.add ins(%hb, %hb : memref<32xi32>, memref<32xi32>) outs(%hb : memref<32xi32>)
  }
  %t2 = air.wait_all async [%t1]
  %t3 = air.segment @three async [%t2] args(%sb = %b) : memref<32xi32> {
    linalg.mul ins(%sb, %sb : memref<32xi32>, memref<32xi32>) outs(%sb : memref<32xi32>)
  }
  air.wait_all [%t3]
  return
}
// -----
// A branch that yields tokens.
func.func @token_of_branch(%a: memref<16xi32>, %b: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%la = %a, %lb = %b) : memref<16xi32>, memref<16xi32> {
    %c0 = arith.constant 0 : index
    %l2 = memref.alloc() : memref<16xi32, 1>
    %first = arith.cmpi eq, %i, %c0 : index
    %t0 = scf.if %first -> (!air.async.token) {
      %e = air.dma_memcpy_nd async (%l2[] [] [], %la[] [] []) : (memref<16xi32, 1>, memref<16xi32>)
      scf.yield %e : !air.async.token
    } else {
      %e = air.wait_all async
      scf.yield %e : !air.async.token
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%lb[] [] [], %l2[] [] []) : (memref<16xi32>, memref<16xi32, 1>)
    air.wait_all [%t1]
  }
  return
}
