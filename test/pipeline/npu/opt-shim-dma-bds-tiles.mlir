// RUN: %aircc opt %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=2,2" --split-input-file | FileCheck %s
// RUN: %aircc opt %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=1" --split-input-file 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %aircc opt %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=3,100,7" --split-input-file | FileCheck %s --check-prefix=FACTOR
// RUN: %aircc opt %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=0" --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: %aircc opt %s --air-opt-shim-dma-bds="device=npu1" --split-input-file | FileCheck %s --check-prefix=ATTR

// Four groups, each with a blocking wait behind it. The wait of a group is for
// all transfers in it. Herds of the later groups keep only their transfers.
air.channel @in []
air.channel @out []
// CHECK-LABEL: func @groups
// CHECK:      %[[P0:.*]] = air.channel.put async @in[] (%[[A:.*]][0, 0, 0, 0] [2, 2, 16, 16] [1024, 16, 64, 1])
// CHECK-NEXT: %[[G0:.*]] = air.channel.get async @out[] (%[[B:.*]][0, 0, 0, 0] [2, 2, 16, 16] [1024, 16, 64, 1])
// CHECK:      %[[S0:.*]] = scf.for
// CHECK:      air.segment
// CHECK:      linalg.fill
// CHECK:      %[[W0:.*]] = air.wait_all async [%[[P0]], %[[G0]], %[[S0]]]
// CHECK-NEXT: air.wait_all [%[[W0]]] {air.launch_end}
// CHECK:      air.channel.put async @in[] (%[[A]][0, 0, 0, 32] [2, 2, 16, 16] [1024, 16, 64, 1])
// CHECK-NEXT: air.channel.get async @out[] (%[[B]][0, 0, 0, 32] [2, 2, 16, 16] [1024, 16, 64, 1])
// CHECK:      air.segment
// CHECK-NOT:  linalg.fill
// CHECK:      %[[M:.*]], %[[BUFFER:.*]] = air.execute
// CHECK-NEXT: memref.alloc
// CHECK:      %[[GET:.*]] = air.channel.get async [%[[M]]] @in[]
// CHECK-NEXT: %[[PUT:.*]] = air.channel.put async [%[[GET]]] @out[]
// CHECK-NEXT: air.execute [%[[PUT]]]
// CHECK-NEXT: memref.dealloc %[[BUFFER]]
// CHECK:      air.wait_all [%{{.*}}] {air.launch_end}
// CHECK:      air.channel.put async @in[] (%[[A]][0, 0, 32, 0] [2, 2, 16, 16] [1024, 16, 64, 1])
// CHECK:      air.wait_all [%{{.*}}] {air.launch_end}
// CHECK:      air.channel.put async @in[] (%[[A]][0, 0, 32, 32] [2, 2, 16, 16] [1024, 16, 64, 1])
// CHECK:      air.wait_all [%{{.*}}] {air.launch_end}
// CHECK-NOT:  air.launch_end

// A single size applies to each loop of the nest.
// ONE-LABEL: func @groups
// ONE-COUNT-16: {air.launch_end}
// ONE-NOT:   air.launch_end
// ONE-LABEL: func @loops

// Sizes are reduced to a factor of the trip count; surplus ones are ignored.
// FACTOR-LABEL: func @groups
// FACTOR: air.channel.put async @in[] (%{{.*}}[0, 0, 0, 0] [2, 4, 16, 16] [1024, 16, 64, 1])
// FACTOR: {air.launch_end}
// FACTOR: air.channel.put async @in[] (%{{.*}}[0, 0, 32, 0] [2, 4, 16, 16] [1024, 16, 64, 1])
// FACTOR: {air.launch_end}
// FACTOR-NOT: air.launch_end
// FACTOR-LABEL: func @loops

// NONE-LABEL: func @groups
// NONE: air.channel.put async @in[] (%{{.*}}[0, 0, 0, 0] [4, 4, 16, 16] [1024, 16, 64, 1])
// NONE-COUNT-2: {air.launch_end}
// NONE-NOT: air.launch_end
// NONE-LABEL: func @loops

func.func @groups(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %c4 = arith.constant 4 : index
  %t = air.launch async (%i, %j) in (%ni = %c4, %nj = %c4) args(%a = %x, %b = %y) : memref<64x64xf32>, memref<64x64xf32> {
    %r = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%i]
    %s = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%j]
    %t1 = air.channel.put async @in[] (%a[%r, %s] [16, 16] [64, 1]) : (memref<64x64xf32>)
    %t2 = air.channel.get async @out[] (%b[%r, %s] [16, 16] [64, 1]) : (memref<64x64xf32>)
    %t3 = air.segment @seg async {
      %c1 = arith.constant 1 : index
      %h = air.herd @h async tile (%p, %q) in (%np = %c1, %nq = %c1) {
        %f = arith.constant 1.0 : f32
        %t4, %m = air.execute -> (memref<16x16xf32, 2>) {
          %m0 = memref.alloc() : memref<16x16xf32, 2>
          air.execute_terminator %m0 : memref<16x16xf32, 2>
        }
        %t5 = air.channel.get async [%t4] @in[] (%m[] [] []) : (memref<16x16xf32, 2>)
        %t6 = air.execute [%t5] {
          linalg.fill ins(%f : f32) outs(%m : memref<16x16xf32, 2>)
        }
        %t7 = air.channel.put async [%t6] @out[] (%m[] [] []) : (memref<16x16xf32, 2>)
        %t8 = air.execute [%t7] {
          memref.dealloc %m : memref<16x16xf32, 2>
        }
      }
    }
  }
  return
}

// Loops in a function are tiled too; without tokens, the wait is for nothing.
// CHECK-LABEL: func @loops
// CHECK: air.channel.put @in[] (%arg0[0, 0] [2, 32] [64, 1])
// CHECK-NEXT: air.wait_all {air.launch_end}
// CHECK: air.channel.put @in[] (%arg0[0, 128] [2, 32] [64, 1])
// CHECK-NEXT: air.wait_all {air.launch_end}
// CHECK: return
func.func @loops(%a: memref<64x64xf32>) {
  affine.for %i = 0 to 4 {
    air.channel.put @in[] (%a[%i, 0] [1, 32] [64, 1]) : (memref<64x64xf32>)
  }
  return
}

// -----

// Attributes of launches: no tiles, the same size for all loops, and sizes.
air.channel @c []
// ATTR-LABEL: func @attributes
// ATTR: air.channel.put @c[] (%{{.*}}[] [] [])
// ATTR-COUNT-3: {air.launch_end}
// ATTR: air.channel.put @c[] (%{{.*}}[0] [32] [1])
// ATTR: air.wait_all {{.*}}{air.launch_end}
// ATTR: air.channel.put @c[] (%{{.*}}[32] [32] [1])
// ATTR: air.wait_all {{.*}}{air.launch_end}
// ATTR-NOT: air.launch_end
func.func @attributes(%x: memref<64xf32>) {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%n = %c4) args(%a = %x) : memref<64xf32> attributes {air.shim_dma_tile_sizes = array<i64: 0>} {
    %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    air.channel.put @c[] (%a[%o] [16] [1]) : (memref<64xf32>)
  }
  air.launch (%i, %j) in (%n = %c4, %m = %c2) args(%a = %x) : memref<64xf32> attributes {air.shim_dma_tile_sizes = array<i64: 2>} {
    %o = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1 * 4)>(%i, %j)
    air.channel.put @c[] (%a[%o] [2] [1]) : (memref<64xf32>)
  }
  air.launch (%i, %j) in (%n = %c2, %m = %c4) args(%a = %x) : memref<64xf32> attributes {air.shim_dma_tile_sizes = array<i64: 1, 4>} {
    %o = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1 * 8)>(%i, %j)
    air.channel.put @c[] (%a[%o] [8] [1]) : (memref<64xf32>)
  }
  return
}
