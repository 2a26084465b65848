// Types that a kernel cannot take are errors at the kernel.
// RUN: split-file --leading-lines %s %t
// RUN: not %aircc %t/xe.mlir --target bmg --emit spirv -o %t.out 2>&1 | FileCheck %s --check-prefix=XE
// RUN: not %aircc %t/any.mlir --target bmg --emit spirv -o %t.out 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: not %aircc %t/any.mlir --target gfx942 --emit hsaco -o %t.out 2>&1 | FileCheck %s --check-prefix=ANY

//--- xe.mlir
gpu.module @m {
  // XE: xe.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes 'vector<33xf32>' as argument 1: kernels for Intel GPUs take vectors of at most 16 elements; pass it in memory, or in parts
  gpu.func @long(%i: i32, %a: vector<33xf32>) kernel { gpu.return }
  // XE: xe.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes 'vector<3x5xf32>' as argument 0: kernels for Intel GPUs take multidimensional vectors only with rows of 2, 4, 8 or 16 elements
  gpu.func @rows(%a: vector<3x5xf32>) kernel { gpu.return }
  // XE: xe.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes 'i128' as argument 0: Intel GPUs do not support integers of more than 64 bits
  gpu.func @wide(%a: i128) kernel { gpu.return }
  // XE: xe.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes 'f80' as argument 0: no GPU supports floats of more than 64 bits; use f64
  gpu.func @float(%a: f80) kernel { gpu.return }
  // XE: xe.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes 'vector<3xi24>' as argument 0: its elements share bytes; pass an integer and use vector.bitcast
  gpu.func @shared(%a: vector<3xi24>) kernel { gpu.return }
  gpu.func @memory(%a: memref<4xi128>, %b: memref<4xi128>) kernel {
    %c0 = arith.constant 0 : index
    // XE: xe.mlir:[[#@LINE+1]]:10: error: 'memref.load' op operates on 'i128': Intel GPUs do not support integers of more than 64 bits
    %v = memref.load %a[%c0] : memref<4xi128>
    memref.store %v, %b[%c0] : memref<4xi128>
    gpu.return
  }
}

//--- any.mlir
gpu.module @m {
  // ANY: any.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes 'vector<[4]xf32>' as argument 0: GPUs do not support scalable vectors
  gpu.func @scalable(%a: vector<[4]xf32>) kernel { gpu.return }
  // ANY: any.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes '!llvm.void' as argument 0: such a value cannot be stored in memory
  gpu.func @nothing(%a: !llvm.void) kernel { gpu.return }
  // ANY: any.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes '!llvm.token' as argument 0: such a value cannot be stored in memory
  gpu.func @token(%a: !llvm.token) kernel { gpu.return }
  // ANY: any.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes '!llvm.struct<"s", opaque>' as argument 0: its size is unknown
  gpu.func @opaque(%a: !llvm.struct<"s", opaque>) kernel { gpu.return }
  // ANY: any.mlir:[[#@LINE+1]]:3: error: 'gpu.func' op takes '!llvm.ppc_fp128' as argument 0: no GPU supports floats of more than 64 bits
  gpu.func @format(%a: !llvm.ppc_fp128) kernel { gpu.return }
}
