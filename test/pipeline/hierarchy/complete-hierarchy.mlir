// RUN: %aircc opt %s --hierarchy-complete-hierarchy | FileCheck %s

// A function with AIR ops is inlined into the launch that calls it.

// CHECK-LABEL: func.func @calls
// CHECK: air.launch
// CHECK-NOT: call @tile
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: func.func private @tile
func.func @calls(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%n = %c1) args(%a = %m) : memref<4xi32> {
    func.call @tile(%a) : (memref<4xi32>) -> ()
  }
  return
}
func.func private @tile(%m: memref<4xi32>) {
  %l2 = memref.alloc() : memref<4xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %m[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
  return
}

// A function whose work can be distributed is inlined, too; a function with several blocks is
// executed by one worker.

// CHECK-LABEL: func.func @calls_shared
// CHECK: air.herd
// CHECK-NOT: call @clear
// CHECK: linalg.fill
// CHECK: call @clear_if
func.func @calls_shared(%m: memref<4xi32>, %p: i1) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%n = %c1) args(%a = %m, %q = %p) : memref<4xi32>, i1 {
    func.call @clear(%a) : (memref<4xi32>) -> ()
    func.call @clear_if(%a, %q) : (memref<4xi32>, i1) -> ()
  }
  return
}
func.func private @clear(%m: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%m : memref<4xi32>)
  return
}
func.func private @clear_if(%m: memref<4xi32>, %p: i1) {
  cf.cond_br %p, ^clear, ^done
^clear:
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%m : memref<4xi32>)
  cf.br ^done
^done:
  return
}

// Host code that passes buffers in L2 becomes part of a launch.

// CHECK-LABEL: func.func @host_call
// CHECK-NOT: call @load
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: func.func private @load
func.func @host_call(%m: memref<4xi32>) {
  %l2 = memref.alloc() : memref<4xi32, 1>
  func.call @load(%l2, %m) : (memref<4xi32, 1>, memref<4xi32>) -> ()
  return
}
func.func private @load(%l2: memref<4xi32, 1>, %m: memref<4xi32>) {
  air.dma_memcpy_nd (%l2[] [] [], %m[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
  return
}

// The descriptor of an unranked memref is in memory of the host, so that casts move before the launch.

// CHECK-LABEL: func.func @unranked
// CHECK-SAME: %[[A:.*]]: memref<*xf32>, %[[B:.*]]: memref<*xf32>
// CHECK-DAG: %[[START:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>
// CHECK-DAG: %[[RANKED:.*]] = memref.cast %[[B]] : memref<*xf32> to memref<8xf32>
// CHECK: air.launch {{.*}} args({{.*}}=%[[RANKED]], {{.*}}=%[[START]]) : memref<8xf32>, memref<f32>
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1], offset: ?>>
func.func @unranked(%a: memref<*xf32>, %b: memref<*xf32>) {
  %c2 = arith.constant 2 : index
  air.launch (%x) in (%n = %c2) args(%la = %a, %lb = %b) : memref<*xf32>, memref<*xf32> {
    air.segment args(%i = %x, %sa = %la, %sb = %lb) : index, memref<*xf32>, memref<*xf32> {
      %c4 = arith.constant 4 : index
      %o = arith.muli %i, %c4 : index
      %from = memref.reinterpret_cast %sa to offset: [%o], sizes: [4], strides: [1]
          : memref<*xf32> to memref<4xf32, strided<[1], offset: ?>>
      %to = memref.cast %sb : memref<*xf32> to memref<8xf32>
      air.dma_memcpy_nd (%to[%o] [4] [1], %from[] [] []) : (memref<8xf32>, memref<4xf32, strided<[1], offset: ?>>)
    }
  }
  return
}

// A herd in a herd becomes one herd, with a PE for each point of the inner herd at each point of the outer one.

// CHECK-LABEL: func.func @nested_herds
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : index
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: air.herd @outer async {{.*}}tile (%[[X:.*]], %[[Y:.*]]) in ({{.*}}=%[[SIX]], {{.*}}=%[[FOUR]]) args(%[[A:.*]]=%{{.*}})
// CHECK: %[[OUTER:.*]] = affine.apply #[[DIV:.*]]()[%[[X]]]
// CHECK: %[[INNER_X:.*]] = affine.apply #[[MOD3:.*]]()[%[[X]]]
// CHECK: %[[INNER_Y:.*]] = affine.apply #[[MOD4:.*]]()[%[[Y]]]
// CHECK: %[[ROW:.*]] = arith.muli %[[OUTER]], %{{.*}} : index
// CHECK-NOT: air.herd @inner
// CHECK: memref.store %{{.*}}, %[[A]][%[[ROW]], %[[INNER_X]], %[[INNER_Y]]]
func.func @nested_herds(%m: memref<4x3x4xi32>) {
  %c2 = arith.constant 2 : index
  %t0 = air.wait_all async
  %t1 = air.herd @outer async [%t0] tile (%x) in (%n = %c2) args(%a = %m) : memref<4x3x4xi32> {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %row = arith.muli %x, %n : index
    %t2 = air.herd @inner async tile (%u, %v) in (%nu = %c3, %nv = %c4) args(%b = %a, %r = %row) : memref<4x3x4xi32>, index {
      %i = arith.index_cast %nv : index to i32
      memref.store %i, %b[%r, %u, %v] : memref<4x3x4xi32>
    }
    air.wait_all [%t2]
  }
  air.wait_all [%t1]
  return
}
