// RUN: split-file %s %t
// RUN: %aircc opt --allow-unregistered-dialect %t/good.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-reductions{chip=gfx942 wave-size=64},aircc-place-barriers))" | FileCheck %t/good.mlir
// RUN: not %aircc opt --allow-unregistered-dialect %t/bad.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-reductions{chip=gfx1100 wave-size=32}))" 2>&1 | FileCheck %t/bad.mlir
// RUN: not %aircc opt --allow-unregistered-dialect %t/halves.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-reductions{chip=gfx1030 wave-size=64}))" 2>&1 | FileCheck %t/halves.mlir

//--- good.mlir
// A buffer for each type, with an element for each wave that a workgroup may have.
// CHECK-DAG: memref.global "private" @[[I32:all_reduce_scratch.*]] : memref<16xi32, #gpu.address_space<workgroup>> = uninitialized
// CHECK-DAG: memref.global "private" @[[F32:all_reduce_scratch.*]] : memref<16xf32, #gpu.address_space<workgroup>> = uninitialized
gpu.module @m {
  // A single full wave needs neither memory nor conditions.
  // CHECK-LABEL: gpu.func @whole_wave
  // CHECK-COUNT-4: rocdl.update.dpp
  // CHECK-NOT:     scf.if
  // CHECK-NOT:     kernel.barrier
  // CHECK-COUNT-4: rocdl.readlane
  gpu.func @whole_wave(%v: f32) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %s = gpu.all_reduce add %v {} : (f32) -> f32
    "test.use"(%s) : (f32) -> ()
    gpu.return
  }

  // In a loop that all lanes execute together. Other waves may still read the buffer, so a barrier
  // precedes the store, and one follows it.
  // CHECK-LABEL: gpu.func @in_loop
  // CHECK:         scf.for
  // CHECK:           rocdl.ballot
  // CHECK:           memref.get_global @[[I32]]
  // CHECK:           kernel.barrier workgroup
  // CHECK:           scf.if
  // CHECK:             memref.store
  // CHECK:           kernel.barrier workgroup
  // CHECK:           memref.load
  gpu.func @in_loop(%v: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %s = gpu.all_reduce add %v {} : (i32) -> i32
      "test.use"(%s) : (i32) -> ()
    }
    gpu.return
  }

  // Both use the buffer of f32.
  // CHECK-LABEL: gpu.func @two
  // CHECK:         memref.get_global @[[F32]]
  // CHECK:         memref.get_global @[[F32]]
  gpu.func @two(%v: f32) kernel {
    %s = gpu.all_reduce add %v {} : (f32) -> f32
    %t = gpu.all_reduce maxnumf %s {} : (f32) -> f32
    "test.use"(%t) : (f32) -> ()
    gpu.return
  }

  // The combiner is not called on values of inactive lanes.
  // CHECK-LABEL: gpu.func @region
  // CHECK:         scf.if
  // CHECK-NEXT:      "test.combine"
  gpu.func @region(%v: i64) kernel {
    %s = gpu.all_reduce %v {
    ^bb(%a: i64, %b: i64):
      %c = "test.combine"(%a, %b) : (i64, i64) -> i64
      gpu.yield %c : i64
    } : (i64) -> i64
    "test.use"(%s) : (i64) -> ()
    gpu.return
  }

  // Divergent lanes: a loop over the active lanes.
  // CHECK-LABEL: gpu.func @parted
  // CHECK:         scf.if
  // CHECK:           rocdl.readfirstlane
  // CHECK:           scf.while
  // CHECK:             rocdl.readlane
  gpu.func @parted(%v: i8, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %tid = gpu.thread_id x
    %c = arith.cmpi ult, %tid, %n : index
    scf.if %c {
      %s = gpu.subgroup_reduce add %v : (i8) -> i8
      "test.use"(%s) : (i8) -> ()
    }
    gpu.return
  }

  // Wave-uniform conditions do not make lanes diverge, nor does `uniform`.
  // CHECK-LABEL: gpu.func @together
  // CHECK-NOT:     scf.while
  // CHECK:         gpu.return
  gpu.func @together(%v: f32, %n: index, %flag: i1) kernel attributes {known_block_size = array<i32: 64, 4, 1>} {
    %row = gpu.thread_id y
    %c = arith.cmpi ult, %row, %n : index
    scf.if %c {
      %s = gpu.subgroup_reduce add %v : (f32) -> f32
      "test.use"(%s) : (f32) -> ()
    }
    %x = gpu.thread_id x
    %d = arith.cmpi ult, %x, %n : index
    scf.if %d {
      %s = gpu.subgroup_reduce add %v uniform : (f32) -> f32
      "test.use"(%s) : (f32) -> ()
    }
    gpu.return
  }

  // Clusters of a whole wave exchange values, without a loop.
  // CHECK-LABEL: gpu.func @clusters
  // CHECK-COUNT-2: rocdl.update.dpp
  // CHECK:         rocdl.ds_swizzle
  // CHECK-NOT:     scf.for
  // CHECK:         gpu.return
  gpu.func @clusters(%v: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = gpu.subgroup_reduce add %v cluster(size = 8) : (f32) -> f32
    "test.use"(%s) : (f32) -> ()
    gpu.return
  }
}

//--- bad.mlir
gpu.module @m {
  gpu.func @k(%v: f32, %n: index, %m: memref<index>) kernel {
    // CHECK: bad.mlir:[[#@LINE+1]]:10: error: 'gpu.subgroup_reduce' op has clusters of 2 lanes with stride 32, which do not fit in a wave of 32 lanes
    %c = gpu.subgroup_reduce add %v cluster(size = 2, stride = 32) : (f32) -> f32
    %tid = gpu.thread_id x
    %less = arith.cmpi ult, %tid, %n : index
    scf.if %less {
      // CHECK: bad.mlir:[[#@LINE+1]]:12: error: 'gpu.all_reduce' op may be reached by only some of the lanes of the workgroup; move it out of the branch or loop, or set `uniform`
      %s = gpu.all_reduce add %v {} : (f32) -> f32
      "test.use"(%s) : (f32) -> ()
    }
    // Another lane may write between the reads.
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = memref.load %m[] : memref<index>
    scf.for %i = %c0 to %end step %c1 {
      // CHECK: bad.mlir:[[#@LINE+1]]:12: error: 'gpu.all_reduce' op may be reached by only some of the lanes
      %s = gpu.all_reduce add %v {} : (f32) -> f32
      "test.use"(%s) : (f32) -> ()
    }
    "test.use"(%c) : (f32) -> ()
    gpu.return
  }

  // It is unknown which lanes call a function.
  func.func @device(%v: f32) -> f32 {
    // CHECK: bad.mlir:[[#@LINE+1]]:10: error: 'gpu.all_reduce' op may be reached by only some of the lanes
    %s = gpu.all_reduce add %v {} : (f32) -> f32
    return %s : f32
  }
}

//--- halves.mlir
gpu.module @m {
  gpu.func @k(%v: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // CHECK: halves.mlir:[[#@LINE+1]]:10: error: 'gpu.subgroup_reduce' op cannot reduce clusters in a wave of 64 lanes on gfx1030; compile for waves of 32
    %c = gpu.subgroup_reduce add %v cluster(size = 2, stride = 32) : (f32) -> f32
    "test.use"(%c) : (f32) -> ()
    gpu.return
  }
}
