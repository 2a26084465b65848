// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// A parameter reaches all PEs by an npu_mmio channel.

// ARG a: 1xi32
// ARG b: 4x8xi32
// MODEL for i in range(32): b[i] = a[0] + i // 8

air.channel @parameter [1] {channel_type = "npu_mmio", broadcast_shape = [4]}
func.func @test(%a: memref<1xi32>, %b: memref<4x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<1xi32>, memref<4x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    air.channel.put @parameter[%c0] (%la[] [] []) : (memref<1xi32>)
    air.segment args(%sb = %lb) : memref<4x8xi32> {
      %n = arith.constant 4 : index
      air.herd tile (%x) in (%nx = %n) args(%hb = %sb) : memref<4x8xi32> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h8 = arith.constant 8 : index
        %t = memref.alloc() : memref<1xi32, 2>
        air.channel.get @parameter[%x] (%t[] [] []) : (memref<1xi32, 2>)
        %v = memref.load %t[%h0] : memref<1xi32, 2>
        %me = arith.index_cast %x : index to i32
        %w = arith.addi %v, %me : i32
        scf.for %i = %h0 to %h8 step %h1 {
          memref.store %w, %hb[%x, %i] : memref<4x8xi32>
        }
      }
    }
  }
  return
}
