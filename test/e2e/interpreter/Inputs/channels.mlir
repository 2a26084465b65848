// Puts of the launch, gets of the PEs, and the way back.
air.channel @there [2, 2]
air.channel @back [2, 2]
func.func @there_and_back(%a: memref<8x8xi32>, %b: memref<8x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<8x8xi32>, memref<8x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    air.channel.put @there[%c0, %c0] (%la[0, 0] [4, 4] [8, 1]) : (memref<8x8xi32>)
    air.channel.put @there[%c0, %c1] (%la[0, 4] [4, 4] [8, 1]) : (memref<8x8xi32>)
    air.channel.put @there[%c1, %c0] (%la[4, 0] [4, 4] [8, 1]) : (memref<8x8xi32>)
    air.channel.put @there[%c1, %c1] (%la[4, 4] [4, 4] [8, 1]) : (memref<8x8xi32>)
    air.segment {
      %c2 = arith.constant 2 : index
      air.herd tile (%x, %y) in (%nx = %c2, %ny = %c2) {
        %t = memref.alloc() : memref<4x4xi32, 2>
        air.channel.get @there[%x, %y] (%t[] [] []) : (memref<4x4xi32, 2>)
        affine.for %i = 0 to 4 {
          affine.for %j = 0 to 4 {
            %v = affine.load %t[%i, %j] : memref<4x4xi32, 2>
            %w = arith.addi %v, %v : i32
            affine.store %w, %t[%i, %j] : memref<4x4xi32, 2>
          }
        }
        air.channel.put @back[%x, %y] (%t[] [] []) : (memref<4x4xi32, 2>)
      }
    }
    air.channel.get @back[%c0, %c0] (%lb[0, 0] [4, 4] [8, 1]) : (memref<8x8xi32>)
    air.channel.get @back[%c0, %c1] (%lb[0, 4] [4, 4] [8, 1]) : (memref<8x8xi32>)
    air.channel.get @back[%c1, %c0] (%lb[4, 0] [4, 4] [8, 1]) : (memref<8x8xi32>)
    air.channel.get @back[%c1, %c1] (%lb[4, 4] [4, 4] [8, 1]) : (memref<8x8xi32>)
  }
  return
}
// -----
// Without a launch: the function puts and gets.
air.channel @to_herd []
air.channel @from_herd []
func.func @function_level(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    air.channel.put @to_herd[] (%a[%i, 0] [1, 16] [16, 1]) : (memref<4x16xi32>)
  }
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d4 = arith.constant 4 : index
    scf.for %i = %d0 to %d4 step %d1 {
      %t = memref.alloc() : memref<16xi32, 2>
      air.channel.get @to_herd[] (%t[] [] []) : (memref<16xi32, 2>)
      linalg.mul ins(%t, %t : memref<16xi32, 2>, memref<16xi32, 2>) outs(%t : memref<16xi32, 2>)
      air.channel.put @from_herd[] (%t[] [] []) : (memref<16xi32, 2>)
      memref.dealloc %t : memref<16xi32, 2>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    air.channel.get @from_herd[] (%b[%i, 0] [1, 16] [16, 1]) : (memref<4x16xi32>)
  }
  return
}
// -----
// One tile for all PEs of a column.
air.channel @cast [1, 2] {broadcast_shape = [2, 2]}
func.func @broadcast(%a: memref<2x8xi32>, %b: memref<2x2x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x8xi32>, memref<2x2x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    air.channel.put @cast[%c0, %c0] (%la[0, 0] [1, 8] [8, 1]) : (memref<2x8xi32>)
    air.channel.put @cast[%c0, %c1] (%la[1, 0] [1, 8] [8, 1]) : (memref<2x8xi32>)
    air.segment args(%sb = %lb) : memref<2x2x8xi32> {
      %c2 = arith.constant 2 : index
      air.herd tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%hb = %sb) : memref<2x2x8xi32> {
        %t = memref.alloc() : memref<8xi32, 2>
        air.channel.get @cast[%x, %y] (%t[] [] []) : (memref<8xi32, 2>)
        air.dma_memcpy_nd (%hb[%x, %y, 0] [1, 1, 8] [16, 8, 1], %t[] [] []) : (memref<2x2x8xi32>, memref<8xi32, 2>)
      }
    }
  }
  return
}
// -----
// A producer and a consumer.
air.channel @between [2]
func.func @two_herds(%a: memref<2x32xi32>, %b: memref<2x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x32xi32>, memref<2x32xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<2x32xi32>, memref<2x32xi32> {
      %c2 = arith.constant 2 : index
      air.herd @producer tile (%x) in (%n = %c2) args(%ha = %sa) : memref<2x32xi32> {
        %c0 = arith.constant 0 : index
        %c8 = arith.constant 8 : index
        %c32 = arith.constant 32 : index
        scf.for %i = %c0 to %c32 step %c8 {
          %t = memref.alloc() : memref<8xi32, 2>
          air.dma_memcpy_nd (%t[] [] [], %ha[%x, %i] [1, 8] [32, 1]) : (memref<8xi32, 2>, memref<2x32xi32>)
          linalg.add ins(%t, %t : memref<8xi32, 2>, memref<8xi32, 2>) outs(%t : memref<8xi32, 2>)
          air.channel.put @between[%x] (%t[] [] []) : (memref<8xi32, 2>)
          memref.dealloc %t : memref<8xi32, 2>
        }
      }
      air.herd @consumer tile (%x) in (%n = %c2) args(%hb = %sb) : memref<2x32xi32> {
        %c0 = arith.constant 0 : index
        %c8 = arith.constant 8 : index
        %c32 = arith.constant 32 : index
        scf.for %i = %c0 to %c32 step %c8 {
          %t = memref.alloc() : memref<8xi32, 2>
          air.channel.get @between[%x] (%t[] [] []) : (memref<8xi32, 2>)
          linalg.mul ins(%t, %t : memref<8xi32, 2>, memref<8xi32, 2>) outs(%t : memref<8xi32, 2>)
          air.dma_memcpy_nd (%hb[%x, %i] [1, 8] [32, 1], %t[] [] []) : (memref<2x32xi32>, memref<8xi32, 2>)
          memref.dealloc %t : memref<8xi32, 2>
        }
      }
    }
  }
  return
}
// -----
// Through L2: the segment gets large tiles and puts small ones.
air.channel @l3_to_l2 []
air.channel @l2_to_l1 [4]
air.channel @l1_to_l2 [4]
air.channel @l2_to_l3 []
func.func @memtile(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<64xi32>, memref<64xi32> {
    air.channel.put @l3_to_l2[] (%la[] [] []) : (memref<64xi32>)
    air.segment {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %in = memref.alloc() : memref<64xi32, 1>
      %out = memref.alloc() : memref<64xi32, 1>
      air.channel.get @l3_to_l2[] (%in[] [] []) : (memref<64xi32, 1>)
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        %o = arith.muli %i, %c16 : index
        air.channel.put @l2_to_l1[%i] (%in[%o] [16] [1]) : (memref<64xi32, 1>)
        scf.reduce
      }
      air.herd tile (%x) in (%n = %c4) {
        %t = memref.alloc() : memref<16xi32, 2>
        air.channel.get @l2_to_l1[%x] (%t[] [] []) : (memref<16xi32, 2>)
        linalg.mul ins(%t, %t : memref<16xi32, 2>, memref<16xi32, 2>) outs(%t : memref<16xi32, 2>)
        air.channel.put @l1_to_l2[%x] (%t[] [] []) : (memref<16xi32, 2>)
      }
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        %o = arith.muli %i, %c16 : index
        air.channel.get @l1_to_l2[%i] (%out[%o] [16] [1]) : (memref<64xi32, 1>)
        scf.reduce
      }
      air.channel.put @l2_to_l3[] (%out[] [] []) : (memref<64xi32, 1>)
    }
    air.channel.get @l2_to_l3[] (%lb[] [] []) : (memref<64xi32>)
  }
  return
}
