// Lane-level XeGPU: 2-D block loads, the matrix instruction, 1-D block IO. The names are those of
// Intel's compiler.

// REQUIRES: spirv-val
// RUN: %aircc %s --target bmg --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: %aircc %s --target bmg --emit=xevm | FileCheck %s --check-prefix=XEVM
// RUN: %aircc %s --target bmg --emit=asm | FileCheck %s --check-prefix=ASM
// RUN: %aircc %s --target bmg --emit=spirv -o %t.spv
// RUN: spirv-val %t.spv
// RUN: %aircc %s --target pvc -O0 --emit=spirv -o %t.O0.spv
// RUN: spirv-val %t.O0.spv

gpu.module @kernels {
  // XEVM-LABEL: llvm.func spir_kernelcc @f16
  // XEVM-SAME:    intel_reqd_sub_group_size = 16
  // XEVM:         xevm.blockload2d
  // XEVM:         xevm.mma

  // LLVM-LABEL: define spir_kernel void @f16
  // LLVM:         call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt
  // LLVM:         call spir_func void @_Z52intel_sub_group_2d_block_read_transform_16b_16r16x1cPU3AS1viiiDv2_iPj
  // LLVM:         call spir_func void @_Z41intel_sub_group_2d_block_read_32b_8r16x1cPU3AS1viiiDv2_iPj
  // LLVM:         call spir_func <8 x float> @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f
  // LLVM:         call spir_func void @_Z42intel_sub_group_2d_block_write_32b_8r16x1cPU3AS1viiiDv2_iPj

  // ASM:        OpEntryPoint Kernel %[[#F16:]] "f16"
  // ASM:        OpExecutionMode %[[#F16]] LocalSize 16 1 1
  // ASM:        OpExecutionMode %[[#F16]] SubgroupSize 16
  gpu.func @f16(%A: memref<8x32xf16>, %B: memref<16x32xf16>, %C: memref<8x16xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %a = xegpu.create_nd_tdesc %A : memref<8x32xf16> -> !xegpu.tensor_desc<8x16xf16>
    %b = xegpu.create_nd_tdesc %B : memref<16x32xf16> -> !xegpu.tensor_desc<16x16xf16>
    %c = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %va = xegpu.load_nd %a[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
    %vb = xegpu.load_nd %b[0, 0] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<16xf16>
    %vc = xegpu.load_nd %c[0, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
    %d = xegpu.dpas %va, %vb, %vc : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
    xegpu.store_nd %d, %c[0, 0] : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // LLVM-LABEL: define spir_kernel void @i8
  // LLVM:         _Z40intel_sub_group_2d_block_read_8b_8r32x1cPU3AS1viiiDv2_iPt
  // LLVM:         _Z51intel_sub_group_2d_block_read_transform_8b_32r16x1cPU3AS1viiiDv2_iPj
  // LLVM:         _Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_
  // LLVM:         _Z30intel_sub_group_block_read_us4PU3AS1t
  gpu.func @i8(%A: memref<8x64xi8>, %B: memref<32x64xi8>, %C: memref<8x16xi32>, %D: memref<1024xf16>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %a = xegpu.create_nd_tdesc %A : memref<8x64xi8> -> !xegpu.tensor_desc<8x32xi8>
    %b = xegpu.create_nd_tdesc %B : memref<32x64xi8> -> !xegpu.tensor_desc<32x16xi8>
    %c = xegpu.create_nd_tdesc %C : memref<8x16xi32> -> !xegpu.tensor_desc<8x16xi32>
    %va = xegpu.load_nd %a[0, 0] : !xegpu.tensor_desc<8x32xi8> -> vector<16xi8>
    %vb = xegpu.load_nd %b[0, 0] <{packed}> : !xegpu.tensor_desc<32x16xi8> -> vector<32xi8>
    %vc = xegpu.load_nd %c[0, 0] : !xegpu.tensor_desc<8x16xi32> -> vector<8xi32>
    %d = xegpu.dpas %va, %vb, %vc : vector<16xi8>, vector<32xi8>, vector<8xi32> -> vector<8xi32>
    xegpu.store_nd %d, %c[0, 0] : vector<8xi32>, !xegpu.tensor_desc<8x16xi32>
    %e = xegpu.create_nd_tdesc %D : memref<1024xf16> -> !xegpu.tensor_desc<64xf16>
    %ve = xegpu.load_nd %e[64] : !xegpu.tensor_desc<64xf16> -> vector<4xf16>
    xegpu.store_nd %ve, %e[0] : vector<4xf16>, !xegpu.tensor_desc<64xf16>
    gpu.return
  }
}
