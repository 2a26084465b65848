// Memory without an address space is generic; the space is inferred where the origin of a pointer
// is known.

// REQUIRES: spirv-val
// RUN: %aircc %s --target bmg --emit=llvm | FileCheck %s
// RUN: %aircc %s --target bmg --emit=xevm | FileCheck %s --check-prefix=XEVM
// RUN: %aircc %s --target bmg --emit=spirv -o %t.spv && spirv-val %t.spv
// RUN: %aircc %s --target bmg -O0 --emit=spirv -o %t.O0.spv && spirv-val %t.O0.spv

gpu.module @kernels {
  // CHECK-DAG: @[[SLM:.*]] = {{.*}}addrspace(3) global [64 x float]
  // CHECK-DAG: @[[TABLE:.*]] = {{.*}}addrspace(1) {{.*}}[4 x float]
  memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

  // XEVM-LABEL: llvm.func spir_kernelcc @add
  // XEVM-SAME:    %{{.*}}: !llvm.ptr<1>
  // XEVM:         llvm.addrspacecast %{{.*}} : !llvm.ptr<1> to !llvm.ptr<4>

  // CHECK-LABEL: define spir_kernel void @add(
  // CHECK-SAME:    ptr addrspace(1)
  // CHECK-NOT:     addrspacecast
  // CHECK:         load float, ptr addrspace(1)
  // CHECK:         ret void
  gpu.func @add(%a: memref<?xf32>, %c: memref<?xf32>, %n: index) kernel {
    %i = gpu.global_id x
    %in = arith.cmpi slt, %i, %n : index
    scf.if %in {
      %x = memref.load %a[%i] : memref<?xf32>
      %z = arith.addf %x, %x : f32
      memref.store %z, %c[%i] : memref<?xf32>
    }
    gpu.return
  }

  // Attributions of workgroups are variables, of lanes the stack.
  // CHECK-LABEL: define spir_kernel void @exchange(
  // CHECK:         store float %{{.*}}, ptr addrspace(3)
  // CHECK:         call spir_func void @_Z7barrierj(i32 3)
  // CHECK:         load float, ptr addrspace(3)
  gpu.func @exchange(%a: memref<64xf32>) workgroup(%s : memref<64xf32, #gpu.address_space<workgroup>>)
      private(%p : memref<4xf32, #gpu.address_space<private>>) kernel {
    %i = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c63 = arith.constant 63 : index
    %x = memref.load %a[%i] : memref<64xf32>
    memref.store %x, %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %other = arith.subi %c63, %i : index
    %y = memref.load %s[%other] : memref<64xf32, #gpu.address_space<workgroup>>
    %place = arith.andi %i, %c3 : index
    memref.store %y, %p[%place] : memref<4xf32, #gpu.address_space<private>>
    %t = memref.get_global @table : memref<4xf32>
    %w = memref.load %t[%place] : memref<4xf32>
    %q = memref.load %p[%c1] : memref<4xf32, #gpu.address_space<private>>
    %z = arith.mulf %q, %w : f32
    memref.store %z, %a[%i] : memref<64xf32>
    gpu.return
  }

  // What may be any memory stays generic.
  // CHECK-LABEL: define spir_kernel void @either(
  // CHECK:         load float, ptr addrspace(4)
  gpu.func @either(%a: memref<64xf32>, %c: i1) kernel {
    %c1 = arith.constant 1 : index
    %local = memref.alloca() : memref<64xf32>
    %i = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %local[%i] : memref<64xf32>
    %m = arith.select %c, %a, %local : memref<64xf32>
    %x = memref.load %m[%c1] : memref<64xf32>
    memref.store %x, %a[%i] : memref<64xf32>
    gpu.return
  }
}
