// RUN: %aircc opt %s --distribution-lower-swizzles --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

#wg = #gpu.address_space<workgroup>

// An access within one block stays one access; an access that may cross blocks is split.

// CHECK-LABEL: gpu.func @loads
// CHECK-NOT: layout.swizzle_hint
// CHECK: arith.xori
// CHECK: vector.load {{.*}} : memref<4096xf16, #{{.*}}>, vector<8xf16>
// CHECK-COUNT-2: vector.load {{.*}} : memref<4096xf16, #{{.*}}>, vector<8xf16>
// CHECK-COUNT-4: vector.load {{.*}} : memref<4096xf16, #{{.*}}>, vector<1xf16>
// CHECK-NOT: vector.load
gpu.module @m {
  gpu.func @loads(%i: index, %j: index) -> (vector<8xf16>, vector<16xf16>, vector<4xf16>)
      workgroup(%lds: memref<64x64xf16, #wg>) {
    %c8 = arith.constant 8 : index
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #wg>
    %k = arith.muli %j, %c8 : index
    %a = vector.load %s[%i, %k] : memref<64x64xf16, #wg>, vector<8xf16>
    %b = vector.load %s[%j, %k] : memref<64x64xf16, #wg>, vector<16xf16>
    %c = vector.load %s[%i, %j] : memref<64x64xf16, #wg>, vector<4xf16>
    gpu.return %a, %b, %c : vector<8xf16>, vector<16xf16>, vector<4xf16>
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// An access through a part of the buffer, and a transfer of two rows.

// CHECK-LABEL: gpu.func @parts
// CHECK-NOT: memref.subview
// CHECK: memref.load {{.*}} : memref<4096xf16
// CHECK-COUNT-2: vector.load {{.*}} vector<8xf16>
// CHECK: memref.store {{.*}} : memref<4096xf16
gpu.module @m {
  gpu.func @parts(%i: index, %j: index) -> vector<2x8xf16> workgroup(%lds: memref<64x64xf16, #wg>) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #wg>
    %p = memref.subview %s[32, 0] [32, 64] [1, 1]
        : memref<64x64xf16, #wg> to memref<32x64xf16, strided<[64, 1], offset: 2048>, #wg>
    %v = memref.load %p[%i, %j] : memref<32x64xf16, strided<[64, 1], offset: 2048>, #wg>
    %t = vector.transfer_read %s[%i, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16, #wg>, vector<2x8xf16>
    memref.store %v, %s[%j, %i] : memref<64x64xf16, #wg>
    gpu.return %t : vector<2x8xf16>
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @other(%i: index) workgroup(%lds: memref<64x64xf16, #wg>, %to: memref<64x64xf16, #wg>) {
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #wg>
    // expected-error @+1 {{uses a swizzled buffer in an unsupported way}}
    memref.copy %s, %to : memref<64x64xf16, #wg> to memref<64x64xf16, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// A row of the swizzle is eight rows of the buffer: the number of the group of eight selects the
// phase, and the rows of a group are permuted alike.

// CHECK-LABEL: gpu.func @longRows
// CHECK-SAME: (%[[I:.*]]: index, %[[J:.*]]: index)
// CHECK-DAG: %[[ROW:.*]] = arith.divui %{{.*}}, %c8
// CHECK-DAG: arith.remui %[[ROW]], %c2
// CHECK: %[[BLOCK:.*]] = arith.xori
// CHECK: vector.load %{{.*}}[%[[AT:.*]]] : memref<4096xf16, #{{.*}}>, vector<8xf16>
// CHECK-NOT: arith.xori
// CHECK: %[[FURTHER:.*]] = arith.addi %[[AT]], %c192
// CHECK: vector.load %{{.*}}[%[[FURTHER]]] : memref<4096xf16, #{{.*}}>, vector<8xf16>
gpu.module @m {
  gpu.func @longRows(%i: index, %j: index) -> (vector<8xf16>, vector<8xf16>) workgroup(%lds: memref<64x64xf16, #wg>) {
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<512, 32, 2>] : memref<64x64xf16, #wg>
    %k = arith.muli %j, %c8 : index
    %first = arith.muli %i, %c8 : index
    %third = arith.addi %first, %c3 : index
    %a = vector.load %s[%first, %k] : memref<64x64xf16, #wg>, vector<8xf16>
    %b = vector.load %s[%third, %k] : memref<64x64xf16, #wg>, vector<8xf16>
    gpu.return %a, %b : vector<8xf16>, vector<8xf16>
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @outOfBounds(%i: index) -> vector<8xf16> workgroup(%lds: memref<64x64xf16, #wg>) {
    %c0 = arith.constant 0.0 : f16
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #wg>
    // expected-error @+1 {{may be out of bounds of its swizzled buffer in dimension 0; set in_bounds if it never is}}
    %a = vector.transfer_read %s[%i, %i], %c0 : memref<64x64xf16, #wg>, vector<8xf16>
    gpu.return %a : vector<8xf16>
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @acrossBlocks(%i: index, %mask: vector<8xi1>, %none: vector<8xf16>) -> vector<8xf16> workgroup(%lds: memref<64x64xf16, #wg>) {
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, #wg>
    // expected-error @+1 {{accesses 8 elements, but cannot be proven to stay within one block of 8 elements of its swizzled buffer}}
    %a = vector.maskedload %s[%i, %i], %mask, %none : memref<64x64xf16, #wg>, vector<8xi1>, vector<8xf16> into vector<8xf16>
    gpu.return %a : vector<8xf16>
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// Constants whose bits the other terms do not have are swizzled at compile
// time: what they permute is an xor after the sum, the rest is added last.

// CHECK-LABEL: gpu.func @constants
// CHECK-SAME: (%[[LANE:.*]]: index, %[[BUFFER:.*]]: index)
// CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK: arith.remui %[[LANE]], %[[C16]]
// CHECK: arith.xori
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK-NEXT: vector.load %{{.*}}[%[[SUM]]]
// CHECK: %[[FLIPPED:.*]] = arith.xori %[[SUM]], %[[C16]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[FLIPPED]], %[[C1024]]
// CHECK: vector.load %{{.*}}[%[[NEXT]]]
gpu.module @m {
  gpu.func @constants(%lane: index, %buffer: index) -> (vector<8xf16>, vector<8xf16>)
      workgroup(%lds: memref<128x64xf16, #wg>) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8 group = 8>] : memref<128x64xf16, #wg>
    %row = arith.remui %lane, %c16 : index
    %first = arith.muli %buffer, %c64 : index
    %i = arith.addi %first, %row : index
    %j = arith.addi %i, %c16 : index
    %a = vector.load %s[%i, %c0] : memref<128x64xf16, #wg>, vector<8xf16>
    %b = vector.load %s[%j, %c0] : memref<128x64xf16, #wg>, vector<8xf16>
    gpu.return %a, %b : vector<8xf16>, vector<8xf16>
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// A constant offset within a block is added.

// CHECK-LABEL: gpu.func @withinBlock
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-NOT: arith.xori
// CHECK: vector.load %{{.*}}[%[[FIRST:.*]]] : {{.*}}, vector<4xf16>
// CHECK: %[[SECOND:.*]] = arith.addi %[[FIRST]], %[[C4]]
// CHECK: vector.load %{{.*}}[%[[SECOND]]] : {{.*}}, vector<4xf16>
gpu.module @m {
  gpu.func @withinBlock(%lane: index) -> (vector<4xf16>, vector<4xf16>)
      workgroup(%lds: memref<16x8x2x4xf16, #wg>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %s = layout.swizzle_hint %lds[#layout.xor_shuffle<64, 8>] : memref<16x8x2x4xf16, #wg>
    %row = arith.remui %lane, %c16 : index
    %a = vector.load %s[%row, %c0, %c0, %c0] : memref<16x8x2x4xf16, #wg>, vector<4xf16>
    %b = vector.load %s[%row, %c0, %c1, %c0] : memref<16x8x2x4xf16, #wg>, vector<4xf16>
    gpu.return %a, %b : vector<4xf16>, vector<4xf16>
  }
}
