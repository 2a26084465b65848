// RUN: split-file %s %t
// RUN: %aircc opt %t/good.mlir --pass-pipeline="builtin.module(gpu.module(air-finalize-kernels))" | FileCheck %t/good.mlir
// RUN: %aircc opt %t/stack.mlir --pass-pipeline="builtin.module(gpu.module(air-finalize-kernels))" | FileCheck %t/stack.mlir
// RUN: %aircc opt %t/libraries.mlir --pass-pipeline="builtin.module(gpu.module(air-finalize-kernels))" | FileCheck %t/libraries.mlir
// RUN: not %aircc opt %t/left.mlir --pass-pipeline="builtin.module(gpu.module(air-finalize-kernels))" 2>&1 | FileCheck %t/left.mlir
// RUN: not %aircc opt %t/cast.mlir --pass-pipeline="builtin.module(gpu.module(air-finalize-kernels))" 2>&1 | FileCheck %t/cast.mlir

//--- good.mlir
gpu.module @m {
  // A pointer that a host passes to a kernel is a global one.
  // CHECK-LABEL: llvm.func @kernel
  // CHECK-SAME:    %[[P:[^:]*]]: !llvm.ptr<1>, %{{[^:]*}}: !llvm.ptr<3>, %[[X:[^:]*]]: f32)
  // CHECK:         %[[CAST:.*]] = llvm.addrspacecast %[[P]] : !llvm.ptr<1> to !llvm.ptr
  // CHECK:         llvm.store %[[X]], %[[CAST]]
  llvm.func @kernel(%p: !llvm.ptr, %lds: !llvm.ptr<3>, %x: f32) attributes {rocdl.kernel} {
    llvm.store %x, %p : f32, !llvm.ptr
    llvm.return
  }
  // One that a kernel passes to a function may point anywhere.
  // CHECK-LABEL: llvm.func @function(%{{.*}}: !llvm.ptr, %{{.*}}: f32)
  llvm.func @function(%p: !llvm.ptr, %x: f32) {
    llvm.store %x, %p : f32, !llvm.ptr
    llvm.return
  }
}

//--- stack.mlir
gpu.module @m {
  // CHECK: %[[TOP:.*]] = llvm.intr.stacksave : !llvm.ptr<5>
  // CHECK: llvm.intr.stackrestore %[[TOP]] : !llvm.ptr<5>
  llvm.func @kernel(%x: f32) attributes {rocdl.kernel} {
    %0 = llvm.intr.stacksave : !llvm.ptr
    llvm.intr.stackrestore %0 : !llvm.ptr
    llvm.return
  }
}

//--- libraries.mlir
gpu.module @m {
  // The C interface of a function without a body is called by its own name.
  // CHECK:     llvm.func @__ocml_sin_f32(f32) -> f32
  // CHECK-NOT: _mlir_ciface
  llvm.func private @__ocml_sin_f32(%x: f32) -> f32 {
    %0 = llvm.call @_mlir_ciface___ocml_sin_f32(%x) : (f32) -> f32
    llvm.return %0 : f32
  }
  llvm.func @_mlir_ciface___ocml_sin_f32(f32) -> f32
  // CHECK-LABEL: llvm.func @kernel
  // CHECK:         llvm.call @__ocml_sin_f32
  llvm.func @kernel(%x: f32) attributes {rocdl.kernel} {
    %0 = llvm.call @__ocml_sin_f32(%x) : (f32) -> f32
    llvm.return
  }
}

//--- left.mlir
gpu.module @m {
  llvm.func @kernel(%x: f32) attributes {rocdl.kernel} {
    // CHECK: left.mlir:[[#@LINE+1]]:10: error: 'math.sin' op cannot be lowered to GPU code
    %0 = math.sin %x : f32
    // A cast beside it is its trace, and no error of its own.
    // CHECK-NOT: could not be turned into
    %1 = builtin.unrealized_conversion_cast %x : f32 to vector<4xf32>
    llvm.return
  }
}

//--- cast.mlir
gpu.module @m {
  llvm.func @kernel(%x: f32) attributes {rocdl.kernel} {
    // CHECK: cast.mlir:[[#@LINE+1]]:10: error: a value of type 'f32' could not be turned into 'vector<4xf32>' for the GPU
    %0 = builtin.unrealized_conversion_cast %x : f32 to vector<4xf32>
    llvm.return
  }
}
