// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// L3 -> L2 -> L1 -> L2 -> L3, each step through a channel.

// ARG a: 64x32xi32
// ARG b: 64x32xi32
// MODEL for i in range(2048): b[i] = 2 * a[i]

air.channel @l2_in []
air.channel @l1_in [4]
air.channel @l1_out [4]
air.channel @l2_out []
func.func @test(%a: memref<64x32xi32>, %b: memref<64x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<64x32xi32>, memref<64x32xi32> {
    air.channel.put @l2_in[] (%la[] [] []) : (memref<64x32xi32>)
    air.segment {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %in = memref.alloc() : memref<64x32xi32, 1>
      %out = memref.alloc() : memref<64x32xi32, 1>
      air.channel.get @l2_in[] (%in[] [] []) : (memref<64x32xi32, 1>)
      scf.for %i = %c0 to %c4 step %c1 {
        %row = arith.muli %i, %c16 : index
        air.channel.put @l1_in[%i] (%in[%row, 0] [16, 32] [32, 1]) : (memref<64x32xi32, 1>)
      }
      air.herd tile (%x) in (%n = %c4) {
        %t = memref.alloc() : memref<16x32xi32, 2>
        air.channel.get @l1_in[%x] (%t[] [] []) : (memref<16x32xi32, 2>)
        linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
            outs(%t : memref<16x32xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.addi %v, %v : i32
          linalg.yield %w : i32
        }
        air.channel.put @l1_out[%x] (%t[] [] []) : (memref<16x32xi32, 2>)
      }
      scf.for %i = %c0 to %c4 step %c1 {
        %row = arith.muli %i, %c16 : index
        air.channel.get @l1_out[%i] (%out[%row, 0] [16, 32] [32, 1]) : (memref<64x32xi32, 1>)
      }
      air.channel.put @l2_out[] (%out[] [] []) : (memref<64x32xi32, 1>)
      memref.dealloc %in : memref<64x32xi32, 1>
      memref.dealloc %out : memref<64x32xi32, 1>
    }
    air.channel.get @l2_out[] (%lb[] [] []) : (memref<64x32xi32>)
  }
  return
}
