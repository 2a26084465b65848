// A herd of 64 points puts a line to another rank, and one gets it: without an
// option they are lanes, because 64 waves do not fit into a workgroup, and the
// herd puts once.

// RUN: %aircc run --target gfx942 -n 2 %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target gfx90a -n 2 %s 2>&1 | FileCheck %s
// CHECK-COUNT-2: remark: {{.*}}each PE of this launch is mapped to one lane
// CHECK-NOT: remark:
// CHECK: [1] 200 230 1

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @line("%d %d %d\0A\00") {addr_space = 0 : i32}
air.channel @C [1] {channel_type = "gpu_symmetric_heap"}

func.func @main() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %c30 = arith.constant 30 : index
    %c31 = arith.constant 31 : index
    %buf = memref.alloc() : memref<32xi32, #air.symmetric_heap>
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {
      air.launch () in () args(%l = %buf) : memref<32xi32, #air.symmetric_heap> {
        air.segment args(%s = %l) : memref<32xi32, #air.symmetric_heap> {
          %s64 = arith.constant 64 : index
          %s1 = arith.constant 1 : index
          air.herd tile (%tx, %ty) in (%ntx = %s64, %nty = %s1) args(%h = %s) : memref<32xi32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h32 = arith.constant 32 : index
            %h200 = arith.constant 200 : index
            %in = arith.cmpi ult, %tx, %h32 : index
            scf.if %in {
              %sum = arith.addi %tx, %h200 : index
              %v = arith.index_cast %sum : index to i32
              memref.store %v, %h[%tx] : memref<32xi32, #air.symmetric_heap>
            }
            air.channel.put @C[%h0] (%h[][][]) : (memref<32xi32, #air.symmetric_heap>)
          }
        }
      }
    } else {
      air.launch () in () args(%l = %buf) : memref<32xi32, #air.symmetric_heap> {
        air.segment args(%s = %l) : memref<32xi32, #air.symmetric_heap> {
          %s64 = arith.constant 64 : index
          %s1 = arith.constant 1 : index
          air.herd tile (%tx, %ty) in (%ntx = %s64, %nty = %s1) args(%h = %s) : memref<32xi32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            air.channel.get @C[%h0] (%h[][][]) : (memref<32xi32, #air.symmetric_heap>)
          }
        }
      }
      %host = memref.alloc() : memref<32xi32>
      air.dma_memcpy_nd (%host[] [] [], %buf[] [] []) : (memref<32xi32>, memref<32xi32, #air.symmetric_heap>)
      %a = memref.load %host[%c0] : memref<32xi32>
      %b = memref.load %host[%c30] : memref<32xi32>
      %c = memref.load %host[%c31] : memref<32xi32>
      %t = llvm.mlir.addressof @line : !llvm.ptr
      llvm.call @printf(%t, %a, %b, %c) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32, i32) -> i32
    }
  }
  return
}
