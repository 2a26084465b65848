// RUN: %aircc opt %s --pass-pipeline='builtin.module(hierarchy-complete-hierarchy,hierarchy-infer-launches,hierarchy-convert-launches,hierarchy-outline-kernels,gpu.module(hierarchy-expose-parallelism,canonicalize,cse,hierarchy-broadcast-single-worker-results,hierarchy-place-buffers,aircc-place-barriers))' | FileCheck %s

// One barrier between a transfer and the herd that reads its data, one before the next iteration
// overwrites the data, and none where there is no conflict.

// CHECK-LABEL: gpu.func @loop_kernel
// CHECK: scf.for
// CHECK: kernel.barrier workgroup
// CHECK-NOT: kernel.barrier workgroup
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: kernel.barrier workgroup
// CHECK: air.dma_memcpy_nd
// CHECK: kernel.barrier workgroup
// CHECK-NOT: kernel.barrier workgroup
// CHECK: air.herd
// CHECK-NOT: kernel.barrier workgroup
// CHECK: gpu.return
func.func @loop(%m: memref<64xf32>, %o: memref<64xf32>) {
  air.segment args(%sm = %m, %sn = %o) : memref<64xf32>, memref<64xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %a = memref.alloc() : memref<64xf32, 1>
      %b = memref.alloc() : memref<64xf32, 1>
      air.dma_memcpy_nd (%a[] [] [], %sm[] [] []) : (memref<64xf32, 1>, memref<64xf32>)
      air.dma_memcpy_nd (%b[] [] [], %sm[] [] []) : (memref<64xf32, 1>, memref<64xf32>)
      air.herd tile (%x) in (%n = %c4) args(%ha = %a, %hb = %b, %ho = %sn)
          : memref<64xf32, 1>, memref<64xf32, 1>, memref<64xf32> {
        %lane = gpu.lane_id
        %v = memref.load %ha[%lane] : memref<64xf32, 1>
        %w = memref.load %hb[%lane] : memref<64xf32, 1>
        %s = arith.addf %v, %w : f32
        memref.store %s, %ho[%lane] : memref<64xf32>
      }
    }
  }
  return
}

// Accesses that the program itself orders get no additional barrier.

// CHECK-LABEL: gpu.func @own_kernel
// CHECK-NOT: kernel.barrier workgroup
// CHECK: air.dma_memcpy_nd
// CHECK-NEXT: kernel.barrier workgroup
// CHECK-NOT: kernel.barrier workgroup
// CHECK: air.herd @first
// CHECK: memref.load
// CHECK-NEXT: kernel.barrier workgroup
// CHECK: }
// CHECK-NOT: kernel.barrier workgroup
// CHECK: air.herd @second
func.func @own(%m: memref<64xf32>) {
  air.segment args(%sm = %m) : memref<64xf32> {
    %c4 = arith.constant 4 : index
    %a = memref.alloc() : memref<64xf32, 1>
    air.dma_memcpy_nd (%a[] [] [], %sm[] [] []) : (memref<64xf32, 1>, memref<64xf32>)
    kernel.barrier workgroup
    air.herd @first tile (%x) in (%n = %c4) args(%h = %a, %o = %sm) : memref<64xf32, 1>, memref<64xf32> {
      %lane = gpu.lane_id
      %v = memref.load %h[%lane] : memref<64xf32, 1>
      kernel.barrier workgroup
      memref.store %v, %o[%lane] : memref<64xf32>
    }
    air.herd @second tile (%x) in (%n = %c4) args(%h = %a) : memref<64xf32, 1> {
      %lane = gpu.lane_id
      %f = arith.constant 0.0 : f32
      memref.store %f, %h[%lane] : memref<64xf32, 1>
    }
  }
  return
}

// In a PE-level herd the lanes of the wave wait for each other, not the
// workgroup.

// CHECK-LABEL: gpu.func @wave_kernel
// CHECK-NOT: kernel.barrier workgroup
// CHECK: air.herd
// CHECK: scf.parallel
// CHECK: kernel.barrier wave
// CHECK: scf.for
// CHECK-NOT: kernel.barrier workgroup
// CHECK: gpu.return
func.func @wave(%m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%n = %c1) args(%o = %m) : memref<64xf32> {
    %c0 = arith.constant 0 : index
    %c1_h = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %f = arith.constant 1.0 : f32
    %l1 = memref.alloc() : memref<64xf32, 2>
    linalg.fill ins(%f : f32) outs(%l1 : memref<64xf32, 2>)
    scf.for %i = %c0 to %c63 step %c1_h {
      %v = memref.load %l1[%i] : memref<64xf32, 2>
      %j = arith.addi %i, %c1_h : index
      %w = memref.load %l1[%j] : memref<64xf32, 2>
      %s = arith.addf %v, %w : f32
      memref.store %s, %l1[%j] : memref<64xf32, 2>
    }
  }
  return
}

// Lanes order their accesses in one execution of a herd; the execution in the next iteration is
// ordered after it.

// CHECK-LABEL: gpu.func @herd_runs_again_kernel
// CHECK: scf.for
// CHECK: kernel.barrier workgroup
// CHECK-NEXT: air.herd
func.func @herd_runs_again(%m: memref<1024xi32>) {
  air.segment args(%a = %m) : memref<1024xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      air.herd tile (%x) in (%n = %c4) args(%h = %a, %i = %k)
          : memref<1024xi32>, index {
        %lane = gpu.lane_id
        %v = memref.load %h[%i] : memref<1024xi32>
        memref.store %v, %h[%lane] : memref<1024xi32>
      }
    }
  }
  return
}

// A loop with a condition region exits from there: a barrier in its other region does not order the
// last accesses of the condition region.

// CHECK-LABEL: gpu.func @condition_region_kernel
// CHECK: scf.while
// CHECK: air.dma_memcpy_nd
// CHECK: scf.condition
// CHECK: kernel.barrier workgroup
// CHECK: scf.yield
// CHECK: kernel.barrier workgroup
// CHECK-NEXT: air.herd
func.func @condition_region(%m: memref<1024xi32>, %o: memref<256xi32>) {
  air.segment args(%a = %m, %so = %o) : memref<1024xi32>, memref<256xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %b = memref.alloc() : memref<256xi32, 1>
    %r = scf.while (%k = %c0) : (index) -> index {
      %f = arith.muli %k, %c256 : index
      air.dma_memcpy_nd (%b[] [] [], %a[%f] [%c256] [%c1]) : (memref<256xi32, 1>, memref<1024xi32>)
      %more = arith.cmpi ult, %k, %c3 : index
      scf.condition(%more) %k : index
    } do {
    ^bb0(%k: index):
      kernel.barrier workgroup
      %n = arith.addi %k, %c1 : index
      scf.yield %n : index
    }
    air.herd tile (%x) in (%n = %c4) args(%hb = %b, %ho = %so)
        : memref<256xi32, 1>, memref<256xi32> {
      %lane = gpu.lane_id
      %v = memref.load %hb[%lane] : memref<256xi32, 1>
      memref.store %v, %ho[%lane] : memref<256xi32>
    }
  }
  return
}

// Writes that an intrinsic or an instruction of the target may make through an address are ordered
// with the next herd.

// CHECK-LABEL: gpu.func @intrinsic_writes_kernel
// CHECK: air.herd @set
// CHECK: kernel.barrier workgroup
// CHECK-NEXT: air.herd @get
// CHECK: gpu.return
func.func @intrinsic_writes(%m: memref<1024xi32>, %o: memref<1024xi32>) {
  air.segment args(%a = %m, %so = %o) : memref<1024xi32>, memref<1024xi32> {
    %c4 = arith.constant 4 : index
    air.herd @set tile (%x) in (%n = %c4) args(%h = %a) : memref<1024xi32> {
      %lane = gpu.lane_id
      %p = memref.extract_aligned_pointer_as_index %h : memref<1024xi32> -> index
      %q = arith.addi %p, %lane : index
      %i = arith.index_cast %q : index to i64
      %ptr = llvm.inttoptr %i : i64 to !llvm.ptr<1>
      %v = arith.index_cast %x : index to i8
      %size = llvm.mlir.constant(1 : i64) : i64
      %f = llvm.mlir.constant(false) : i1
      llvm.call_intrinsic "llvm.memset.p1.i64"(%ptr, %v, %size, %f) : (!llvm.ptr<1>, i8, i64, i1) -> ()
    }
    air.herd @get tile (%x) in (%n = %c4) args(%h = %a, %ho = %so) : memref<1024xi32>, memref<1024xi32> {
      %lane = gpu.lane_id
      %v = memref.load %h[%x] : memref<1024xi32>
      memref.store %v, %ho[%lane] : memref<1024xi32>
    }
  }
  return
}

// CHECK-LABEL: gpu.func @instruction_without_address_kernel
// CHECK-NOT: kernel.barrier workgroup
// CHECK: gpu.return
func.func @instruction_without_address() {
  air.segment {
    %c4 = arith.constant 4 : index
    air.herd @one tile (%x) in (%n = %c4) {
      rocdl.sched.barrier 0
    }
    air.herd @two tile (%x) in (%n = %c4) {
      rocdl.sched.barrier 0
    }
  }
  return
}
