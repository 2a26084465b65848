// RUN: %aircc opt %s --hierarchy-lower-channels --split-input-file 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err

// A put of the launch from L3: each PE copies its part where it gets it. The
// offsets are functions of its id.

// CHECK-LABEL: func.func @pull(
// CHECK: air.launch
// CHECK-NOT: air.channel
// CHECK: air.herd tile (%[[X:.*]]) in {{.*}} args(%[[A:.*]]=%{{.*}}) : memref<128xi32> {
// CHECK: %[[T:.*]] = memref.alloc() : memref<64xi32, 2>
// CHECK: %[[O:.*]] = arith.muli %[[X]], %c64
// CHECK: air.dma_memcpy_nd (%[[T]][0] [64] [1], %[[A]][%[[O]]] [64] [1])
air.channel @in [2]
func.func @pull(%m: memref<128xi32>) {
  air.launch () in () args(%a=%m) : memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %first = arith.muli %i, %c64 : index
      air.channel.put @in[%i] (%a[%first] [64] [1]) : (memref<128xi32>)
    }
    air.herd tile (%x) in (%n=%c2) {
      %t = memref.alloc() : memref<64xi32, 2>
      air.channel.get @in[%x] (%t[] [] []) : (memref<64xi32, 2>)
    }
  }
  return
}

// -----

// A get of the launch: the PE copies where it puts. One get of 128 elements is
// two puts of 64. The channel need not be declared.

// CHECK-LABEL: func.func @push(
// CHECK: air.herd tile (%{{.*}}) in {{.*}} args(%[[B:.*]]=%{{.*}}) : memref<128xi32> {
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[O:.*]] = arith.muli %[[I]], %c64
// CHECK: air.dma_memcpy_nd (%[[B]][%[[O]]] [64] [1], %{{.*}}[0] [64] [1])
func.func @push(%m: memref<128xi32>) {
  air.launch () in () args(%b=%m) : memref<128xi32> {
    air.channel.get @out[] (%b[] [] []) : (memref<128xi32>)
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%n=%c1) {
      %c0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %t = memref.alloc() : memref<64xi32, 2>
      scf.for %i = %c0 to %c2 step %d1 {
        air.channel.put @out[] (%t[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}

// -----

// A loop that fills a tile in L2 moves into the loop of the herd. Each of the two
// PEs copies one half.

// CHECK-LABEL: func.func @sink(
// CHECK-NOT: scf.for
// CHECK: air.herd tile (%[[X:.*]]) in
// CHECK: scf.for %[[I:.*]] =
// CHECK: gpu.barrier
// CHECK: air.dma_memcpy_nd (%[[L2:.*]][%{{.*}}] [32] [1], %{{.*}}[%{{.*}}] [32] [1]) : (memref<64xi32, 1>, memref<256xi32>)
// CHECK: gpu.barrier
// CHECK: air.dma_memcpy_nd (%{{.*}}[0] [64] [1], %[[L2]][0] [64] [1])
air.channel @tile [1] {broadcast_shape = [2]}
func.func @sink(%m: memref<256xi32>) {
  air.launch () in () args(%a=%m) : memref<256xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %l2 = memref.alloc() : memref<64xi32, 1>
      %o = arith.muli %i, %c64 : index
      air.dma_memcpy_nd (%l2[] [] [], %a[%o] [64] [1]) : (memref<64xi32, 1>, memref<256xi32>)
      air.channel.put @tile[%c0] (%l2[] [] []) : (memref<64xi32, 1>)
      memref.dealloc %l2 : memref<64xi32, 1>
    }
    air.herd tile (%x) in (%n=%c2) {
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %h4 = arith.constant 4 : index
      %t = memref.alloc() : memref<64xi32, 2>
      scf.for %i = %h0 to %h4 step %h1 {
        air.channel.get @tile[%x] (%t[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}

// -----

// A channel between two herds has a queue in L2 for all its messages. The
// producer moves before the consumer.

// REMARK: remark: {{.*}}channel @between keeps all its messages in a queue of 512 bytes
// CHECK-LABEL: func.func @queue(
// CHECK: %[[Q:.*]] = memref.alloc() : memref<128xi32, 1>
// CHECK: air.herd @producer
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[P:.*]] = arith.muli %[[I]], %c32
// CHECK: air.dma_memcpy_nd (%{{.*}}[%{{.*}}] [32] [1], %{{.*}}[0] [32] [1])
// CHECK: air.herd @consumer
air.channel @between [2]
func.func @queue() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    air.herd @consumer tile (%x) in (%n=%c2) {
      %t = memref.alloc() : memref<64xi32, 2>
      air.channel.get @between[%x] (%t[] [] []) : (memref<64xi32, 2>)
    }
    air.herd @producer tile (%x) in (%n=%c2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %t = memref.alloc() : memref<32xi32, 2>
      scf.for %i = %c0 to %d2 step %c1 {
        air.channel.put @between[%x] (%t[] [] []) : (memref<32xi32, 2>)
      }
    }
  }
  return
}

// -----

// A put that no PE executes.

// CHECK-LABEL: func.func @unexecuted
// CHECK-NOT: air.channel
air.channel @c
func.func @unexecuted(%m: memref<8xi32>) {
  air.launch () in () args(%a = %m) : memref<8xi32> {
    %c1 = arith.constant 1 : index
    air.herd tile (%x) in (%n = %c1) {
      %c0 = arith.constant 0 : index
      %t = memref.alloc() : memref<8xi32, 2>
      %first = arith.cmpi eq, %x, %c0 : index
      scf.if %first {
        air.channel.put @c[] (%t[] [] []) : (memref<8xi32, 2>)
      } else {
        air.channel.put @c[] (%t[] [] []) : (memref<8xi32, 2>)
      }
    }
    air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  }
  return
}

// -----

// Between PEs of one herd: a put counts its elements after it has written them,
// and a get waits until its elements are counted.

// CHECK-LABEL: func.func @within_herd(
// CHECK: %[[COUNTERS:.*]] = memref.alloc() : memref<2xi32, 1>
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%[[COUNTERS]]
// CHECK: air.herd
// CHECK: air.dma_memcpy_nd (%[[Q:.*]][%{{.*}}] [8] [1], %{{.*}}[0] [8] [1])
// CHECK: kernel.access wave writes(%[[Q]]
// CHECK: memref.atomic_rmw addi %c8_i32, %[[C:.*]][%{{.*}}]
// CHECK: scf.while
// CHECK: %[[DONE:.*]] = memref.atomic_rmw addi %c0_i32{{.*}}, %[[C]][%{{.*}}]
// CHECK: %[[MISSING:.*]] = arith.cmpi slt, %[[DONE]], %{{.*}}
// CHECK: scf.condition(%[[MISSING]])
// CHECK: kernel.access wave writes(%[[C]]
// CHECK: air.dma_memcpy_nd (%{{.*}}[0] [8] [1], %[[Q]][%{{.*}}] [8] [1])
air.channel @ring [2]
func.func @within_herd() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    air.herd tile (%x) in (%n=%c2) {
      %c1 = arith.constant 1 : index
      %t = memref.alloc() : memref<8xi32, 2>
      %other = arith.subi %c1, %x : index
      air.channel.put @ring[%x] (%t[] [] []) : (memref<8xi32, 2>)
      air.channel.get @ring[%other] (%t[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

// Other code of the segment's loop than transfers is executed by the first PE.

// REMARK: remark: {{.*}}is moved into the loop of the herd, where only the first PE executes it
// CHECK-LABEL: func.func @sink_code(
// CHECK: air.herd
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq
// CHECK: scf.if %[[IS_FIRST]] {
// CHECK: linalg.fill
// CHECK: gpu.barrier
// CHECK: air.dma_memcpy_nd
air.channel @tile [1] {broadcast_shape = [2]}
func.func @sink_code() {
  air.launch () in () {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %l2 = memref.alloc() : memref<64xi32, 1>
    scf.for %i = %c0 to %c4 step %c1 {
      %v = arith.index_cast %i : index to i32
      linalg.fill ins(%v : i32) outs(%l2 : memref<64xi32, 1>)
      air.channel.put @tile[%c0] (%l2[] [] []) : (memref<64xi32, 1>)
    }
    air.herd tile (%x) in (%n=%c2) {
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 1 : index
      %h4 = arith.constant 4 : index
      %t = memref.alloc() : memref<64xi32, 2>
      scf.for %i = %h0 to %h4 step %h1 {
        air.channel.get @tile[%x] (%t[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}

// -----

// Two buffers whose sizes are one value.

// CHECK-LABEL: func.func @shared_size(
// CHECK: air.launch
// CHECK-NEXT: %[[N:.*]] = arith.constant 16 : index
// CHECK-NEXT: %[[A:.*]] = memref.alloc(%[[N]]) : memref<?xi32, 1>
// CHECK-NEXT: %[[B:.*]] = memref.alloc(%[[N]]) : memref<?xi32, 1>
// CHECK: air.dma_memcpy_nd (%[[B]][] [16] [], %[[A]][] [16] [])
air.channel @c
func.func @shared_size() {
  air.launch () in () {
    air.segment {
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %a = memref.alloc(%c16) : memref<?xi32, 1>
      %b = memref.alloc(%c16) : memref<?xi32, 1>
      air.channel.put @c[] (%a[] [16] []) : (memref<?xi32, 1>)
      air.channel.get @c[] (%b[] [16] []) : (memref<?xi32, 1>)
      memref.dealloc %a : memref<?xi32, 1>
      memref.dealloc %b : memref<?xi32, 1>
    }
  }
  return
}

// -----

// Each instance of a segment has its own queue. The put is before the herd in the segment.

// CHECK-LABEL: func.func @instances(
// CHECK: %[[QUEUE:.*]] = memref.alloc() : memref<4xi32, 1>
// CHECK: air.segment unroll (%[[I:.*]]) in {{.*}} args({{.*}}=%[[QUEUE]]
// CHECK: scf.if
// CHECK: air.dma_memcpy_nd
// CHECK: air.herd
// CHECK: scf.if
// CHECK: air.dma_memcpy_nd
air.channel @even []
func.func @instances(%m: memref<4xi32>) {
  air.launch () in () args(%a=%m) : memref<4xi32> {
    %c2 = arith.constant 2 : index
    air.segment unroll (%i) in (%n = %c2) args(%b = %a) : memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1 : i32
      %l2 = memref.alloc() : memref<4xi32, 1>
      linalg.fill ins(%one : i32) outs(%l2 : memref<4xi32, 1>)
      %even = arith.cmpi eq, %i, %c0 : index
      scf.if %even {
        air.channel.put @even[] (%l2[] [] []) : (memref<4xi32, 1>)
      }
      air.herd tile (%x) in (%s = %c1) args(%c = %b, %j = %i) : memref<4xi32>, index {
        %h0 = arith.constant 0 : index
        %t = memref.alloc() : memref<4xi32, 2>
        %own = arith.cmpi eq, %j, %h0 : index
        scf.if %own {
          air.channel.get @even[] (%t[] [] []) : (memref<4xi32, 2>)
          air.dma_memcpy_nd (%c[] [] [], %t[] [] []) : (memref<4xi32>, memref<4xi32, 2>)
        }
      }
    }
  }
  return
}

// -----

// Herds of different sizes share an L1 buffer of the segment, which is then in L2. If no herd only reads it, it is
// scratch memory of each PE.

// CHECK-LABEL: func.func @levels(
// CHECK: memref.alloc() : memref<2xi32, 1>
// CHECK: %[[SCRATCH:.*]] = memref.alloc() : memref<4xi32, 2>
// CHECK: %[[L3:.*]] = memref.alloc() : memref<8xi32, 1>
// CHECK: air.herd {{.*}} : memref<2xi32, 1>, memref<4xi32, 2> {
// CHECK: memref.store {{.*}} : memref<2xi32, 1>
// CHECK: air.herd {{.*}} : memref<2xi32, 1>, memref<4xi32, 2>, memref<8xi32, 1> {
// CHECK: memref.alloc() : memref<3xi32, 2>
// CHECK: memref.alloc() : memref<5xi32, 2>
func.func @levels(%m: memref<8xi32>) {
  air.launch () in () args(%a=%m) : memref<8xi32> {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %shared = memref.alloc() : memref<2xi32, 2>
    %scratch = memref.alloc() : memref<4xi32, 2>
    %l3 = memref.alloc() : memref<8xi32>
    air.dma_memcpy_nd (%l3[] [] [], %a[] [] []) : (memref<8xi32>, memref<8xi32>)
    air.herd tile (%x) in (%n = %c2) args(%s = %shared, %t = %scratch) : memref<2xi32, 2>, memref<4xi32, 2> {
      %c0 = arith.constant 0 : index
      %v = arith.constant 1 : i32
      memref.store %v, %t[%c0] : memref<4xi32, 2>
      memref.store %v, %s[%x] : memref<2xi32, 2>
    }
    air.herd tile (%x) in (%n = %c1) args(%s = %shared, %t = %scratch, %u = %l3) : memref<2xi32, 2>, memref<4xi32, 2>, memref<8xi32> {
      %c0 = arith.constant 0 : index
      %l2 = memref.alloc() : memref<3xi32, 1>
      %own = memref.alloc() : memref<5xi32>
      %v = memref.load %s[%c0] : memref<2xi32, 2>
      memref.store %v, %t[%c0] : memref<4xi32, 2>
      memref.store %v, %l2[%c0] : memref<3xi32, 1>
      memref.store %v, %own[%c0] : memref<5xi32>
      memref.store %v, %u[%c0] : memref<8xi32>
    }
  }
  return
}
