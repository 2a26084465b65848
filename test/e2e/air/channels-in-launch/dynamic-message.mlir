// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// The size of the messages is known only at run time.

// ARG a: ?100xi32
// ARG b: ?100xi32
// ARG n: index = 50
// MODEL for i in range(100): b[i] = a[i]

air.channel @move [2]
func.func @test(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) {
  air.launch () in () args(%la = %a, %lb = %b, %ln = %n) : memref<?xi32>, memref<?xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    air.channel.put @move[%c0] (%la[0] [%ln] [1]) : (memref<?xi32>)
    air.channel.put @move[%c1] (%la[%ln] [%ln] [1]) : (memref<?xi32>)
    air.segment args(%sb = %lb, %sn = %ln) : memref<?xi32>, index {
      %s2 = arith.constant 2 : index
      air.herd tile (%x) in (%nx = %s2) args(%hb = %sb, %hn = %sn) : memref<?xi32>, index {
        %o = arith.muli %x, %hn : index
        air.channel.get @move[%x] (%hb[%o] [%hn] [1]) : (memref<?xi32>)
      }
    }
  }
  return
}
