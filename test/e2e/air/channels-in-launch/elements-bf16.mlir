// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// Elements of type bf16 through channels of type npu_dma_stream: two PEs, four tiles each.

// ARG a: 512xbf16
// ARG b: 512xbf16
// MODEL for i in range(512): b[i] = a[i] + 1

air.channel @in [2] {channel_type = "npu_dma_stream"}
air.channel @out [2] {channel_type = "npu_dma_stream"}
func.func @test(%a: memref<512xbf16>, %b: memref<512xbf16>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<512xbf16>, memref<512xbf16> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    scf.for %p = %c0 to %c2 step %c1 {
      scf.for %i = %c0 to %c256 step %c64 {
        %o = arith.muli %p, %c256 : index
        %s = arith.addi %o, %i : index
        air.channel.put @in[%p] (%la[%s] [64] [1]) : (memref<512xbf16>)
        air.channel.get @out[%p] (%lb[%s] [64] [1]) : (memref<512xbf16>)
      }
    }
    air.segment {
      %s2 = arith.constant 2 : index
      air.herd tile (%x) in (%n = %s2) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        scf.for %i = %h0 to %h4 step %h1 {
          %t = memref.alloc() : memref<64xbf16, 2>
          air.channel.get @in[%x] (%t[] [] []) : (memref<64xbf16, 2>)
          %k_t = arith.constant 1.0 : bf16
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<64xbf16, 2>) {
          ^bb0(%v: bf16):
            %w = arith.addf %v, %k_t : bf16
            linalg.yield %w : bf16
          }
          air.channel.put @out[%x] (%t[] [] []) : (memref<64xbf16, 2>)
          memref.dealloc %t : memref<64xbf16, 2>
        }
      }
    }
  }
  return
}
