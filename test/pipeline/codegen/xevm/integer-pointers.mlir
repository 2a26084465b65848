// RUN: %aircc opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(gpu.module(codegen-convert-to-xevm))' | FileCheck %s

// Pointers that are computed from integers are generic, and so are pointers derived from them.
gpu.module @kernels {
  // CHECK-LABEL: llvm.func spir_kernelcc @anywhere
  gpu.func @anywhere(%address: i64, %flag: i1) kernel {
    %one = arith.constant 1 : i32
    // CHECK: %[[P:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<4>
    %p = llvm.inttoptr %address : i64 to !llvm.ptr
    // CHECK: llvm.getelementptr %[[P]][1] : (!llvm.ptr<4>) -> !llvm.ptr<4>, i32
    %next = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
    cf.cond_br %flag, ^use(%p : !llvm.ptr), ^use(%next : !llvm.ptr)
    // CHECK: ^{{.*}}(%[[Q:.*]]: !llvm.ptr<4>):
  ^use(%q: !llvm.ptr):
    // CHECK: llvm.icmp "ne" %[[Q]], %{{.*}} : !llvm.ptr<4>
    %null = llvm.mlir.zero : !llvm.ptr
    %some = llvm.icmp "ne" %q, %null : !llvm.ptr
    // CHECK: llvm.atomicrmw add %[[Q]], %{{.*}} release : !llvm.ptr<4>, i32
    %old = llvm.atomicrmw add %q, %one release : !llvm.ptr, i32
    // CHECK-NOT: addrspacecast
    %cast = llvm.addrspacecast %q : !llvm.ptr to !llvm.ptr<4>
    // CHECK: llvm.load %[[Q]] : !llvm.ptr<4> -> i32
    %v = llvm.load %cast : !llvm.ptr<4> -> i32
    gpu.return
  }

  // The stack's address is the stack's.
  // CHECK-LABEL: llvm.func spir_kernelcc @stack
  gpu.func @stack() private(%own: memref<2xi32, #gpu.address_space<private>>) kernel {
    %address = memref.extract_aligned_pointer_as_index %own
        : memref<2xi32, #gpu.address_space<private>> -> index
    %integer = arith.index_cast %address : index to i64
    // CHECK: llvm.inttoptr %{{.*}} : i64 to !llvm.ptr{{$}}
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr
    %v = llvm.load %p : !llvm.ptr -> i32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @stored(%address: i64, %to: !llvm.ptr<1>) kernel {
    // expected-error @+1 {{creates a pointer in address space 0, which is the lane's stack on an Intel GPU, and the type of this pointer cannot be changed everywhere; write !llvm.ptr<4> for pointers to any memory}}
    %p = llvm.inttoptr %address : i64 to !llvm.ptr
    // expected-note @+1 {{the pointer is used here}}
    llvm.store %p, %to : !llvm.ptr, !llvm.ptr<1>
    gpu.return
  }
}

// -----

// A pointer that is either to the stack or not.
gpu.module @kernels {
  gpu.func @either(%address: i64, %flag: i1) kernel {
    %one = arith.constant 1 : i32
    %own = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
    // expected-error @+1 {{creates a pointer in address space 0}}
    %p = llvm.inttoptr %address : i64 to !llvm.ptr
    // expected-note @+1 {{the pointer is used here}}
    %q = arith.select %flag, %p, %own : !llvm.ptr
    %v = llvm.load %q : !llvm.ptr -> i32
    gpu.return
  }
}
