// RUN: split-file %s %t
// RUN: %aircc opt --allow-unregistered-dialect %t/good.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx942 wave-size=64}))" | FileCheck %t/good.mlir
// RUN: not %aircc opt --allow-unregistered-dialect %t/wide.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx1100 wave-size=32}))" 2>&1 | FileCheck %t/wide.mlir
// RUN: not %aircc opt --allow-unregistered-dialect %t/halves.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx1100 wave-size=64}))" 2>&1 | FileCheck %t/halves.mlir

//--- good.mlir
gpu.module @m {
  // Exchanges along a fixed pattern need no address.
  // CHECK-LABEL: gpu.func @fixed
  // CHECK:         rocdl.update.dpp
  // CHECK-NOT:     ds_bpermute
  // CHECK:         rocdl.ds_swizzle
  // CHECK-NOT:     ds_bpermute
  // CHECK:         rocdl.ds_bpermute
  gpu.func @fixed(%v: f32) kernel {
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %a, %p = gpu.shuffle xor %v, %c1, %c64 : f32
    %b, %q = gpu.shuffle xor %v, %c4, %c64 : f32
    %c, %r = gpu.shuffle xor %v, %c32, %c64 : f32
    "test.use"(%a, %p, %b, %q, %c, %r) : (f32, i1, f32, i1, f32, i1) -> ()
    gpu.return
  }

  // Two registers, from one address; a source before the first lane is invalid.
  // CHECK-LABEL: gpu.func @up
  // CHECK-SAME:      %{{.*}}: i64, %[[N:.*]]: i32
  // CHECK:         %[[PLACE:.*]] = arith.subi %{{.*}}, %[[N]]
  // CHECK:         %[[VALID:.*]] = arith.cmpi ult, %[[PLACE]], %{{.*}} : i32
  // CHECK-COUNT-2: rocdl.ds_bpermute
  // CHECK:         "test.use"(%{{.*}}, %[[VALID]])
  gpu.func @up(%v: i64, %n: i32) kernel {
    %c64 = arith.constant 64 : i32
    %a, %p = gpu.shuffle up %v, %n, %c64 : i64
    "test.use"(%a, %p) : (i64, i1) -> ()
    gpu.return
  }

  // CHECK-LABEL: gpu.func @others
  // CHECK:         rocdl.ds_bpermute
  // CHECK:         rocdl.readfirstlane
  // CHECK:         rocdl.readlane
  gpu.func @others(%v: vector<3xi8>, %w: i8, %n: i32) kernel {
    %a, %p = gpu.rotate %v, 3, 16 : vector<3xi8>
    %b = gpu.subgroup_broadcast %w, first_active_lane : i8
    %c = gpu.subgroup_broadcast %w, specific_lane %n : i8
    "test.use"(%a, %p, %b, %c) : (vector<3xi8>, i1, i8, i8) -> ()
    gpu.return
  }
}

//--- wide.mlir
gpu.module @m {
  gpu.func @k(%v: f32, %n: i32) kernel {
    %c64 = arith.constant 64 : i32
    // CHECK: wide.mlir:[[#@LINE+1]]:14: error: 'gpu.shuffle' op has a width of 64 lanes, but the waves of this target have 32
    %a, %p = gpu.shuffle xor %v, %n, %c64 : f32
    "test.use"(%a, %p) : (f32, i1) -> ()
    gpu.return
  }
}

//--- halves.mlir
gpu.module @m {
  gpu.func @k(%v: f32, %n: i32) kernel {
    %c64 = arith.constant 64 : i32
    // CHECK: halves.mlir:[[#@LINE+1]]:14: error: 'gpu.shuffle' op cannot move values between the lanes of a wave of 64 on gfx1100: compile for waves of 32
    %a, %p = gpu.shuffle idx %v, %n, %c64 : f32
    "test.use"(%a, %p) : (f32, i1) -> ()
    gpu.return
  }
}
