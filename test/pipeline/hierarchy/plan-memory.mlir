// RUN: %aircc opt --hierarchy-plan-memory --split-input-file %s | FileCheck %s

// Each kernel needs its input and its output at the same time, so the bytes of two buffers suffice for four.
// CHECK-LABEL: func.func @chain(
// CHECK-NOT: air.plan_memory
// CHECK-DAG: %[[A:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[B:.*]] = arith.constant 1024 : index
// CHECK-DAG: %[[C:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[D:.*]] = arith.constant 512 : index
// CHECK: %[[ARENA:.*]] = gpu.alloc () : memref<2048xi8>
// CHECK: memref.view %[[ARENA]][%[[A]]][] : memref<2048xi8> to memref<256xf32>
// CHECK: memref.view %[[ARENA]][%[[B]]][] : memref<2048xi8> to memref<256xf32>
// CHECK: memref.view %[[ARENA]][%[[C]]][] : memref<2048xi8> to memref<256xf16>
// CHECK: memref.view %[[ARENA]][%[[D]]][] : memref<2048xi8> to memref<4x64xf32>
// CHECK: gpu.dealloc %[[ARENA]] : memref<2048xi8>
// CHECK-NEXT: return
module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%a0: memref<256xf32>, %a1: memref<256xf32>) kernel {
    gpu.return
  }
  gpu.func @h(%a0: memref<256xf32>, %a1: memref<256xf16>) kernel {
    gpu.return
  }
  gpu.func @g(%a0: memref<256xf16>, %a1: memref<4x64xf32>) kernel {
    gpu.return
  }
}
func.func @chain(%x: memref<256xf32>, %y: memref<256xf32>) attributes {air.plan_memory} {
  %c1 = arith.constant 1 : index
  %a = gpu.alloc host_shared () : memref<256xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<256xf32>, %a : memref<256xf32>)
  %b = gpu.alloc host_shared () : memref<256xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<256xf32>, %b : memref<256xf32>)
  %c = gpu.alloc host_shared () : memref<256xf16>
  gpu.launch_func @k::@h blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<256xf32>, %c : memref<256xf16>)
  %d = gpu.alloc host_shared () : memref<4x64xf32>
  gpu.launch_func @k::@g blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c : memref<256xf16>, %d : memref<4x64xf32>)
  %e = memref.collapse_shape %d [[0, 1]] : memref<4x64xf32> into memref<256xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%e : memref<256xf32>, %y : memref<256xf32>)
  gpu.dealloc %a : memref<256xf32>
  gpu.dealloc %b : memref<256xf32>
  gpu.dealloc %c : memref<256xf16>
  gpu.dealloc %d : memref<4x64xf32>
  return
}
}

// -----

// Offsets of dynamic sizes: %a and %c have the same sizes and are not live together. Sizes are rounded up to 256 bytes.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[N:[a-z0-9]*]]: index
// CHECK: %[[D:.*]] = memref.dim %[[X]]
// CHECK: %[[START:.*]] = arith.constant 256 : index
// CHECK: %[[BYTES:.*]] = arith.muli %[[D]], %{{.*}} : index
// CHECK: %[[MORE:.*]] = arith.addi %[[BYTES]], %{{.*}} : index
// CHECK: %[[ROUND:.*]] = arith.andi %[[MORE]], %{{.*}} : index
// CHECK: %[[SECOND:.*]] = arith.addi %[[ROUND]], %[[START]] : index
// CHECK: %[[END:.*]] = arith.addi %[[SECOND]],
// CHECK: %[[ARENA:.*]] = gpu.alloc (%[[END]]) : memref<?xi8>
// CHECK: memref.view %[[ARENA]][%[[START]]][%[[D]]] : memref<?xi8> to memref<?xf32>
// CHECK: memref.view %[[ARENA]][%[[SECOND]]][%[[D]]] : memref<?xi8> to memref<?xf32>
// CHECK: memref.view %[[ARENA]][%[[START]]][%[[D]]] : memref<?xi8> to memref<?xf32>
// CHECK: memref.view %[[ARENA]][%{{.*}}][] : memref<?xi8> to memref<8xf32>
module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%a0: memref<?xf32>, %a1: memref<?xf32>) kernel {
    gpu.return
  }
  gpu.func @s(%a0: memref<?xf32>, %a1: memref<8xf32>, %a2: memref<?xf32>) kernel {
    gpu.return
  }
}
func.func @dynamic(%x: memref<?xf32>, %n: index, %y: memref<?xf32>) attributes {air.plan_memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %a = gpu.alloc host_shared (%d) : memref<?xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?xf32>, %a : memref<?xf32>)
  %b = gpu.alloc host_shared (%d) : memref<?xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf32>, %b : memref<?xf32>)
  %c = gpu.alloc host_shared (%d) : memref<?xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<?xf32>, %c : memref<?xf32>)
  %s = gpu.alloc host_shared () : memref<8xf32>
  gpu.launch_func @k::@s blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c : memref<?xf32>, %s : memref<8xf32>, %y : memref<?xf32>)
  gpu.dealloc %s : memref<8xf32>
  gpu.dealloc %c : memref<?xf32>
  gpu.dealloc %b : memref<?xf32>
  gpu.dealloc %a : memref<?xf32>
  return
}
}

// -----

// Code of the host reads one buffer. A buffer that is used before a loop and in it is live until the loop ends, so the
// loop's own buffer has other bytes.
// CHECK-LABEL: func.func @loop(
// CHECK-DAG: %[[DEVICE:.*]] = gpu.alloc () : memref<512xi8>
// CHECK-DAG: %[[SHARED:.*]] = gpu.alloc host_shared () : memref<4xi8>
// CHECK: memref.view %[[DEVICE]]
// CHECK: memref.view %[[SHARED]]
// CHECK: scf.for
// CHECK: memref.view %[[DEVICE]]
// CHECK: memref.load
module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%a0: memref<64xf32>, %a1: memref<64xf32>) kernel {
    gpu.return
  }
  gpu.func @s(%a0: memref<64xf32>, %a1: memref<f32>) kernel {
    gpu.return
  }
}
func.func @loop(%x: memref<64xf32>, %n: index) -> f32 attributes {air.plan_memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = gpu.alloc host_shared () : memref<64xf32>
  %s = gpu.alloc host_shared () : memref<f32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<64xf32>, %a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %b = gpu.alloc host_shared () : memref<64xf32>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.launch_func @k::@s blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<64xf32>, %s : memref<f32>)
    gpu.dealloc %b : memref<64xf32>
  }
  %r = memref.load %s[] : memref<f32>
  gpu.dealloc %a : memref<64xf32>
  gpu.dealloc %s : memref<f32>
  return %r : f32
}
}

// -----

// Not in an arena: a buffer that the loop passes on, one whose size is an element, and all of other functions.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT: xi8>
// CHECK: gpu.alloc host_shared () : memref<64xf32>
// CHECK: scf.for
// CHECK: gpu.alloc host_shared () : memref<64xf32>
// CHECK: gpu.alloc host_shared (%{{.*}}) : memref<?xf32>
// CHECK-LABEL: func.func @other(
// CHECK: gpu.alloc host_shared
module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%a0: memref<64xf32>, %a1: memref<64xf32>) kernel {
    gpu.return
  }
  gpu.func @d(%a0: memref<?xf32>) kernel {
    gpu.return
  }
}
func.func @apart(%x: memref<64xf32>, %n: index, %m: memref<1xindex>) attributes {air.plan_memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = gpu.alloc host_shared () : memref<64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<64xf32>) {
    %c = gpu.alloc host_shared () : memref<64xf32>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<64xf32>, %c : memref<64xf32>)
    gpu.dealloc %b : memref<64xf32>
    scf.yield %c : memref<64xf32>
  }
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%r : memref<64xf32>, %x : memref<64xf32>)
  gpu.dealloc %r : memref<64xf32>
  %size = memref.load %m[%c0] : memref<1xindex>
  %d = gpu.alloc host_shared (%size) : memref<?xf32>
  gpu.launch_func @k::@d blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%d : memref<?xf32>)
  gpu.dealloc %d : memref<?xf32>
  return
}
func.func @other() {
  %a = gpu.alloc host_shared () : memref<64xf32>
  gpu.dealloc %a : memref<64xf32>
  return
}
}

// -----

// A size in a branch that is not taken may be more than there is memory. A loop without iterations may have a negative
// size. Elements of i48 take eight bytes.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[N:.*]]: index, %{{.*}}: i1
// CHECK: %[[SIZE:.*]] = arith.subi %[[N]],
// CHECK: %[[OWN:.*]] = arith.maxsi %[[SIZE]], %{{.*}} : index
// CHECK: arith.muli %[[OWN]], %{{.*}} : index
// CHECK: gpu.alloc (%{{.*}}) : memref<?xi8>
// CHECK: scf.if
// CHECK: gpu.alloc host_shared (%[[N]]) : memref<?xf32>
// CHECK: memref.view {{.*}} to memref<32xi48>
// CHECK: scf.for
// CHECK: memref.view {{.*}} to memref<?xf32>
// CHECK-LABEL: func.func @wide(
// CHECK: gpu.alloc () : memref<256xi8>
module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @a(%a0: memref<?xf32>) kernel {
    gpu.return
  }
  gpu.func @w(%a0: memref<32xi48>) kernel {
    gpu.return
  }
  gpu.func @b(%a0: memref<?xf32>) kernel {
    gpu.return
  }
}
func.func @nested(%n: index, %c: i1) attributes {air.plan_memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    %a = gpu.alloc host_shared (%n) : memref<?xf32>
    gpu.launch_func @k::@a blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf32>)
    gpu.dealloc %a : memref<?xf32>
    %w = gpu.alloc host_shared () : memref<32xi48>
    gpu.launch_func @k::@w blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<32xi48>)
    gpu.dealloc %w : memref<32xi48>
  }
  scf.for %i = %c0 to %n step %c1 {
    %size = arith.subi %n, %c1 : index
    %b = gpu.alloc host_shared (%size) : memref<?xf32>
    gpu.launch_func @k::@b blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<?xf32>)
    gpu.dealloc %b : memref<?xf32>
  }
  return
}
func.func @wide() attributes {air.plan_memory} {
  %c1 = arith.constant 1 : index
  %w = gpu.alloc host_shared () : memref<32xi48>
  gpu.launch_func @k::@w blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<32xi48>)
  gpu.dealloc %w : memref<32xi48>
  return
}
}
