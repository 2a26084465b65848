// RUN: %aircc opt %s --air-opt-shim-dma-bds=device=npu1 --split-input-file | FileCheck %s
// RUN: %aircc opt %s --air-opt-shim-dma-bds=device=npu1 --split-input-file | %aircc opt --split-input-file --air-opt-shim-dma-bds=device=npu1 | FileCheck %s --check-prefix=TWICE

// The space of a launch folds like loops. Puts into different channels are
// independent of each other.
air.channel @a [2]
air.channel @b []
air.channel @out []
// CHECK-LABEL: func @matmul
// CHECK: %[[DEP:.*]] = air.wait_all async
// CHECK: %[[ALL:.*]] = air.wait_all async [%[[DEP]]]
// CHECK: %[[T:.*]] = air.launch @mm async [%[[ALL]]] () in () args(%[[A:.*]]=%arg0, %[[B:.*]]=%arg1, %[[C:.*]]=%arg2)
// CHECK-SAME: attributes {dummyLaunch = true, id = 1 : i32}
// CHECK: %[[P0:.*]] = air.channel.put async @a[%{{.*}}] (%[[A]][0, 0, 0, 0] [4, 1, 32, 64] [0, 0, 64, 1]) {metadata = @row}
// CHECK: %[[P1:.*]] = air.channel.put async [%[[P0]]] @a[%{{.*}}] (%[[A]][0, 0, 64, 0] [4, 1, 32, 64] [0, 0, 64, 1]) {metadata = @row}
// CHECK: air.launch_end
// CHECK-NOT: air.launch_end
// CHECK: }
// CHECK: air.wait_all [%[[T]]] {air.launch_end}
// CHECK-NEXT: return
// TWICE-LABEL: func @matmul
// TWICE-COUNT-2: air.launch_end
// TWICE-NOT: air.launch_end
func.func @matmul(%x: memref<128x64xf32>, %y: memref<64x128xf32>, %z: memref<128x128xf32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t0 = air.wait_all async
  %t = air.launch @mm async [%t0] (%i, %j) in (%ni = %c2, %nj = %c4)
      args(%a = %x, %b = %y, %c = %z) : memref<128x64xf32>, memref<64x128xf32>, memref<128x128xf32>
      attributes {id = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %r = arith.muli %i, %c32 : index
    %s = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%j]
    %t1 = air.channel.put async @a[%c0] (%a[%i, 0, 0] [1, 32, 64] [4096, 64, 1]) {metadata = @row} : (memref<128x64xf32>)
    %t2 = air.channel.put async @b[] (%b[0, %s] [64, 32] [128, 1]) : (memref<64x128xf32>)
    %t3 = air.channel.get async @out[] (%c[%r, %s] [32, 32] [128, 1]) : (memref<128x128xf32>)
  }
  return
}
