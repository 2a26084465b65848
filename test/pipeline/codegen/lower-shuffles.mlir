// RUN: split-file %s %t
// RUN: %aircc opt --allow-unregistered-dialect %t/good.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx942 wave-size=64}))" | FileCheck %t/good.mlir
// RUN: not %aircc opt --allow-unregistered-dialect %t/wide.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx1100 wave-size=32}))" 2>&1 | FileCheck %t/wide.mlir
// RUN: not %aircc opt --allow-unregistered-dialect %t/halves.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx1030 wave-size=64}))" 2>&1 | FileCheck %t/halves.mlir
// RUN: %aircc opt --allow-unregistered-dialect %t/wave64.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx1100 wave-size=64}))" | FileCheck %t/wave64.mlir --check-prefixes=CHECK,GFX11
// RUN: %aircc opt --allow-unregistered-dialect %t/wave64.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx1201 wave-size=64}))" | FileCheck %t/wave64.mlir --check-prefixes=CHECK,GFX12
// RUN: %aircc opt --allow-unregistered-dialect %t/rows.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx1201 wave-size=32}))" | FileCheck %t/rows.mlir --check-prefix=PERMLANE
// RUN: %aircc opt --allow-unregistered-dialect %t/rows.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=gfx942 wave-size=64}))" | FileCheck %t/rows.mlir --check-prefix=TABLE
// RUN: not %aircc opt %t/chip.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-shuffles{chip=mi300}))" 2>&1 | FileCheck %t/chip.mlir

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
    // CHECK: halves.mlir:[[#@LINE+1]]:14: error: 'gpu.shuffle' op cannot shuffle values between the lanes of a wave of 64 on gfx1030; compile for waves of 32
    %a, %p = gpu.shuffle idx %v, %n, %c64 : f32
    "test.use"(%a, %p) : (f32, i1) -> ()
    gpu.return
  }
}

//--- wave64.mlir
gpu.module @m {
  // On gfx11, values of the other half are exchanged between the halves first.
  // CHECK-LABEL: gpu.func @whole_waves
  // CHECK:         llvm.call_intrinsic "llvm.amdgcn.permlane64"
  // CHECK:         %[[OWN:.*]] = rocdl.ds_bpermute
  // CHECK-NOT:     set.inactive
  // GFX11:         %[[SWAPPED:.*]] = llvm.call_intrinsic "llvm.amdgcn.permlane64"
  // GFX11:         %[[OTHER:.*]] = rocdl.ds_bpermute %{{.*}}, %[[SWAPPED]]
  // GFX11:         arith.select %{{.*}}, %[[OTHER]], %[[OWN]]
  // GFX12-NOT:     permlane64
  // CHECK:         gpu.return
  gpu.func @whole_waves(%v: i32, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %a, %p = gpu.shuffle xor %v, %c32, %c64 : i32
    %b, %q = gpu.shuffle idx %v, %n, %c64 : i32
    "test.use"(%a, %b) : (i32, i32) -> ()
    gpu.return
  }

  // The value passes through a lane that may be inactive.
  // CHECK-LABEL: gpu.func @partial_waves
  // GFX11:         llvm.call_intrinsic "llvm.amdgcn.set.inactive"
  // GFX11:         llvm.call_intrinsic "llvm.amdgcn.set.inactive"
  // GFX11:         llvm.call_intrinsic "llvm.amdgcn.permlane64"
  // GFX11:         %[[OTHER:.*]] = rocdl.ds_bpermute
  // GFX11:         llvm.call_intrinsic "llvm.amdgcn.strict.wwm"(%[[OTHER]])
  // GFX12-NOT:     set.inactive
  // CHECK:         gpu.return
  gpu.func @partial_waves(%v: i32, %n: i32) kernel attributes {known_block_size = array<i32: 100, 1, 1>} {
    %c64 = arith.constant 64 : i32
    %b, %q = gpu.shuffle idx %v, %n, %c64 : i32
    "test.use"(%b) : (i32) -> ()
    gpu.return
  }
}

//--- rows.mlir
gpu.module @m {
  // PERMLANE-LABEL:   gpu.func @rows
  // PERMLANE-DAG:       %[[LOW:.*]] = arith.constant -1164430832 : i32
  // PERMLANE-DAG:       %[[HIGH:.*]] = arith.constant -19106220 : i32
  // PERMLANE-COUNT-2:   llvm.call_intrinsic "llvm.amdgcn.permlane16"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  // TABLE-LABEL:      gpu.func @rows
  // TABLE:              arith.shrui
  // TABLE-COUNT-2:      rocdl.ds_bpermute
  gpu.func @rows(%v: vector<4xf16>) kernel {
    %r = kernel.permute_lanes %v [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15] : vector<4xf16>
    "test.use"(%r) : (vector<4xf16>) -> ()
    gpu.return
  }
}

//--- chip.mlir
// CHECK: chip.mlir:[[#@LINE+1]]:1: error: 'mi300' is not an AMD processor name
gpu.module @m {
}
