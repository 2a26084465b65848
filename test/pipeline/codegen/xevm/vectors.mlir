// Vectors that SPIR-V does not have are split; none is left.

// REQUIRES: spirv-val
// RUN: %aircc %s --target bmg --emit=spirv -o %t.spv && spirv-val %t.spv
// RUN: %aircc %s --target bmg -O0 --emit=spirv -o %t.O0.spv && spirv-val %t.O0.spv
// RUN: %aircc %s --target bmg --emit=llvm | FileCheck %s

// CHECK-NOT: <{{(1|3|5|6|12|20|32|64)}} x

gpu.module @kernels {
  // The result of a load of 32 rows.
  gpu.func @rows(%A: memref<32x16xf16>, %C: memref<32x16xf16>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %a = xegpu.create_nd_tdesc %A : memref<32x16xf16> -> !xegpu.tensor_desc<32x16xf16>
    %v = xegpu.load_nd %a[0, 0] : !xegpu.tensor_desc<32x16xf16> -> vector<32xf16>
    %w = arith.addf %v, %v : vector<32xf16>
    %part = vector.extract_strided_slice %w {offsets = [8], sizes = [8], strides = [1]} : vector<32xf16> to vector<8xf16>
    %c = xegpu.create_nd_tdesc %C : memref<32x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    xegpu.store_nd %part, %c[8, 0] : vector<8xf16>, !xegpu.tensor_desc<8x16xf16>
    gpu.return
  }

  // A branch with a vector of one small float.
  gpu.func @small_float(%m: memref<16xf8E5M2>, %o: memref<16xf8E5M2>, %c: i1) kernel {
    %i = gpu.thread_id x
    %zero = arith.constant dense<0.0> : vector<1xf8E5M2>
    %v = scf.if %c -> vector<1xf8E5M2> {
      %a = vector.load %m[%i] : memref<16xf8E5M2>, vector<1xf8E5M2>
      scf.yield %a : vector<1xf8E5M2>
    } else {
      scf.yield %zero : vector<1xf8E5M2>
    }
    vector.store %v, %o[%i] : memref<16xf8E5M2>, vector<1xf8E5M2>
    gpu.return
  }

  gpu.func @odd(%a: memref<16x20xf32>, %b: memref<16x5xi32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = gpu.thread_id x
    %v = vector.load %a[%i, %c0] : memref<16x20xf32>, vector<20xf32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %v) -> vector<20xf32> {
      %t = arith.mulf %s, %v : vector<20xf32>
      %zero = arith.constant dense<0.0> : vector<20xf32>
      %m = arith.cmpf olt, %t, %zero : vector<20xf32>
      %u = arith.select %m, %s, %t : vector<20xi1>, vector<20xf32>
      scf.yield %u : vector<20xf32>
    }
    %x = vector.extract %sum[%n] : f32 from vector<20xf32>
    %y = vector.insert %x, %sum[%i] : f32 into vector<20xf32>
    vector.store %y, %a[%i, %c0] : memref<16x20xf32>, vector<20xf32>
    %five = vector.load %b[%i, %c0] : memref<16x5xi32>, vector<5xi32>
    %r = vector.shuffle %five, %five [4, 9, 0, 2, 6] : vector<5xi32>, vector<5xi32>
    vector.store %r, %b[%i, %c0] : memref<16x5xi32>, vector<5xi32>
    gpu.return
  }
}
