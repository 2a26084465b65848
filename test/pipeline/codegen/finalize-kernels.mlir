// RUN: split-file %s %t
// RUN: %aircc opt %t/good.mlir --pass-pipeline="builtin.module(gpu.module(codegen-finalize-kernels))" | FileCheck %t/good.mlir
// RUN: %aircc opt %t/stack.mlir --pass-pipeline="builtin.module(gpu.module(codegen-finalize-kernels))" | FileCheck %t/stack.mlir
// RUN: %aircc opt %t/globals.mlir --pass-pipeline="builtin.module(gpu.module(codegen-finalize-kernels))" | FileCheck %t/globals.mlir
// RUN: %aircc opt %t/libraries.mlir --pass-pipeline="builtin.module(gpu.module(codegen-finalize-kernels))" | FileCheck %t/libraries.mlir
// RUN: %aircc opt %t/exchange.mlir --pass-pipeline="builtin.module(gpu.module(codegen-finalize-kernels))" | FileCheck %t/exchange.mlir
// RUN: not %aircc opt %t/left.mlir --pass-pipeline="builtin.module(gpu.module(codegen-finalize-kernels))" 2>&1 | FileCheck %t/left.mlir
// RUN: not %aircc opt %t/argument.mlir --pass-pipeline="builtin.module(gpu.module(codegen-finalize-kernels))" 2>&1 | FileCheck %t/argument.mlir
// RUN: not %aircc opt %t/cast.mlir --pass-pipeline="builtin.module(gpu.module(codegen-finalize-kernels))" 2>&1 | FileCheck %t/cast.mlir
// RUN: not %aircc opt %t/alloca.mlir --pass-pipeline="builtin.module(gpu.module(codegen-finalize-kernels))" 2>&1 | FileCheck %t/alloca.mlir

//--- good.mlir
gpu.module @m {
  // A pointer that the host passes to a kernel is a global pointer.
  // CHECK-LABEL: llvm.func @kernel
  // CHECK-SAME:    %[[P:[^:]*]]: !llvm.ptr<1>, %{{[^:]*}}: !llvm.ptr<3>, %[[X:[^:]*]]: f32)
  // CHECK:         %[[CAST:.*]] = llvm.addrspacecast %[[P]] : !llvm.ptr<1> to !llvm.ptr
  // CHECK:         llvm.store %[[X]], %[[CAST]]
  llvm.func @kernel(%p: !llvm.ptr, %lds: !llvm.ptr<3>, %x: f32) attributes {rocdl.kernel} {
    llvm.store %x, %p : f32, !llvm.ptr
    llvm.return
  }
  // A pointer that a kernel passes to a function may be in any address space.
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

//--- globals.mlir
gpu.module @m {
  // Globals are in the most specific address space.
  // CHECK: llvm.mlir.global internal constant @table(dense<[1, 2, 3]> : tensor<3xi32>) {addr_space = 4 : i32}
  // CHECK: llvm.mlir.global internal @counter(0 : i32) {addr_space = 1 : i32}
  // CHECK: llvm.mlir.global internal @lds() {addr_space = 3 : i32}
  llvm.mlir.global internal constant @table(dense<[1, 2, 3]> : tensor<3xi32>) : !llvm.array<3 x i32>
  llvm.mlir.global internal @counter(0 : i32) : i32
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : i32
  // CHECK: llvm.mlir.global internal constant @address() {addr_space = 4 : i32}
  // CHECK: llvm.mlir.addressof @table : !llvm.ptr<4>
  // CHECK: llvm.addrspacecast %{{.*}} : !llvm.ptr<4> to !llvm.ptr
  llvm.mlir.global internal constant @address() : !llvm.ptr {
    %0 = llvm.mlir.addressof @table : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  // CHECK-LABEL: llvm.func @kernel
  // CHECK:         %[[T:.*]] = llvm.mlir.addressof @table : !llvm.ptr<4>
  // CHECK:         %[[TABLE:.*]] = llvm.addrspacecast %[[T]] : !llvm.ptr<4> to !llvm.ptr
  // CHECK:         llvm.load %[[TABLE]]
  // CHECK:         %[[C:.*]] = llvm.mlir.addressof @counter : !llvm.ptr<1>
  // CHECK:         %[[COUNTER:.*]] = llvm.addrspacecast %[[C]] : !llvm.ptr<1> to !llvm.ptr
  // CHECK:         llvm.store %{{.*}}, %[[COUNTER]]
  // CHECK:         llvm.mlir.addressof @lds : !llvm.ptr<3>
  // CHECK-NOT:     llvm.addrspacecast
  llvm.func @kernel() attributes {rocdl.kernel} {
    %0 = llvm.mlir.addressof @table : !llvm.ptr
    %1 = llvm.load %0 : !llvm.ptr -> i32
    %2 = llvm.mlir.addressof @counter : !llvm.ptr
    llvm.store %1, %2 : i32, !llvm.ptr
    %3 = llvm.mlir.addressof @lds : !llvm.ptr<3>
    llvm.store %1, %3 : i32, !llvm.ptr<3>
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
    // An adjacent cast is a consequence of it, and not reported.
    // CHECK-NOT: could not be converted to
    %1 = builtin.unrealized_conversion_cast %x : f32 to vector<4xf32>
    llvm.return
  }
  llvm.func @contraction(%a: vector<4xf32>, %s: f32) -> f32 {
    // CHECK: left.mlir:[[#@LINE+1]]:10: error: 'vector.contract' op has no lowering for its kind and shape; multiply with arith ops on vectors that vector.broadcast and vector.transpose bring to one shape, and reduce with vector.multi_reduction
    %r = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
         iterator_types = ["reduction"], kind = #vector.kind<add>} %a, %a, %s : vector<4xf32>, vector<4xf32> into f32
    llvm.return %r : f32
  }
}

//--- argument.mlir
gpu.module @m {
  // CHECK: argument.mlir:[[#@LINE+1]]:3: error: 'llvm.func' op has a pointer to a lane's stack as argument 0; kernels accept only pointers to global memory, !llvm.ptr<1>
  llvm.func @kernel(%p: !llvm.ptr<5>) attributes {rocdl.kernel} {
    llvm.return
  }
}

//--- cast.mlir
gpu.module @m {
  llvm.func @kernel(%x: f32) attributes {rocdl.kernel} {
    // CHECK: cast.mlir:[[#@LINE+1]]:10: error: a value of type 'f32' could not be converted to 'vector<4xf32>' for the GPU
    %0 = builtin.unrealized_conversion_cast %x : f32 to vector<4xf32>
    llvm.return
  }
}

//--- alloca.mlir
gpu.module @m {
  llvm.func @kernel(%n: i32) attributes {rocdl.kernel} {
    %right = llvm.alloca %n x i32 : (i32) -> !llvm.ptr<5>
    // CHECK: alloca.mlir:[[#@LINE+1]]:10: error: 'llvm.alloca' op allocates on a lane's stack, which is not in address space 3; for workgroup memory, use a workgroup attribution
    %0 = llvm.alloca %n x i32 : (i32) -> !llvm.ptr<3>
    llvm.return
  }
}

//--- exchange.mlir
gpu.module @m {
  // Memory that other lanes may change while it is read is read atomically.
  // CHECK-LABEL: llvm.func @kernel
  // CHECK:         llvm.load %{{.*}} atomic monotonic {alignment = 2 : i64} : !llvm.ptr<1> -> i16
  llvm.func @kernel(%p: !llvm.ptr<1>, %other: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %first = llvm.load %p : !llvm.ptr<1> -> i16
    llvm.br ^loop(%first : i16)
  ^loop(%old: i16):
    %pair = llvm.cmpxchg %p, %old, %old acq_rel monotonic : !llvm.ptr<1>, i16
    %found = llvm.extractvalue %pair[0] : !llvm.struct<(i16, i1)>
    %done = llvm.extractvalue %pair[1] : !llvm.struct<(i16, i1)>
    llvm.cond_br %done, ^end, ^loop(%found : i16)
  ^end:
    // Of other memory, as it was.
    // CHECK:       llvm.load %{{.*}} : !llvm.ptr<1> -> i16
    %second = llvm.load %other : !llvm.ptr<1> -> i16
    %last = llvm.cmpxchg %p, %second, %second acq_rel monotonic : !llvm.ptr<1>, i16
    llvm.return
  }
}
