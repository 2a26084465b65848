// Code of a backend is found in kernels, by op, type or attribute.
// RUN: %aircc opt %s --codegen-verify-input=portable-kernels --verify-diagnostics

// Host code may.
func.func @host() {
  %0 = llvm.mlir.zero : !llvm.ptr
  return
}

gpu.module @kernels {
  gpu.func @ops(%m: memref<4xf32>, %i: index) kernel {
    // expected-error @below {{'llvm.intr.trap' op depends on a backend before stage 'codegen': op 'llvm.intr.trap'}}
    llvm.intr.trap
    // expected-error @below {{depends on a backend before stage 'codegen': op 'rocdl.barrier'}}
    rocdl.barrier
    // expected-error @below {{depends on a backend before stage 'codegen': op 'xevm.memfence'}}
    xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
    amdgpu.lds_barrier
    kernel.trap
    gpu.return
  }

  // expected-error @below {{depends on a backend before stage 'codegen': attribute 'rocdl.flat_work_group_size'}}
  gpu.func @attribute() kernel attributes {rocdl.flat_work_group_size = "1,64"} {
    gpu.return
  }

  // expected-error @below {{depends on a backend before stage 'codegen': attribute 'llvm.align'}}
  gpu.func @attribution() workgroup(%0 : memref<64xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
    gpu.return
  }

  gpu.func @type(%i: i64) kernel {
    // expected-error @below {{depends on a backend before stage 'codegen': type '!llvm.ptr'}}
    %p = builtin.unrealized_conversion_cast %i : i64 to !llvm.ptr
    gpu.return
  }
}
