// RUN: not %aircc opt %s --split-input-file --pass-pipeline="builtin.module(gpu.module(codegen-check-device-code{fp8=fnuz}))" 2>&1 | FileCheck %s

gpu.module @fp8 {
  gpu.func @other_kind(%x: f8E4M3FN, %a: memref<4xf8E4M3FN>, %i: index) kernel {
    // Moving bytes is not a computation, and conversions are implemented in software.
    // CHECK-NOT: error
    memref.store %x, %a[%i] : memref<4xf8E4M3FN>
    %0 = arith.extf %x : f8E4M3FN to f32
    %1 = arith.truncf %0 : f32 to f8E5M2
    gpu.return
  }
}

// -----

gpu.module @mfma {
  gpu.func @wrong_kind(%a: vector<8xf8E4M3FN>, %c: vector<4xf32>) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'amdgpu.mfma' op uses the OCP type 'f8E4M3FN'
    %0 = amdgpu.mfma 16x16x32 %a * %a + %c blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @heap {
  gpu.func @k() kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'memref.alloc' op is not supported in kernels, which have no heap; use memref.alloca
    %0 = memref.alloc() : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @tensors {
  gpu.func @k() kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'tensor.empty' op operates on tensors, which kernels do not support; bufferize the program first
    %0 = tensor.empty() : tensor<4xf32>
    gpu.return
  }
}

// -----

gpu.module @mapped {
  gpu.func @k(%n: index) kernel {
    // CHECK: :[[#@LINE+1]]:5: error: 'scf.forall' op has a GPU mapping inside a kernel
    scf.forall (%i) in (%n) {
    } {mapping = [#gpu.thread<x>]}
    gpu.return
  }
}

// -----

gpu.module @atomics {
  gpu.func @k(%a: memref<4xtf32>, %i: index, %x: tf32) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'memref.generic_atomic_rmw' op operates on 'tf32', but compare-and-swap supports only integers and floats of 8, 16, 32 or 64 bits
    %0 = memref.generic_atomic_rmw %a[%i] : memref<4xtf32> {
    ^bb0(%old: tf32):
      memref.atomic_yield %x : tf32
    }
    gpu.return
  }
}

// -----

gpu.module @unranked {
  // CHECK: :[[#@LINE+1]]:3: error: 'gpu.func' op takes 'memref<*xf32>' as argument 1: its descriptor is on the host's stack; cast it to a ranked type before the launch
  gpu.func @k(%a: memref<4xf32>, %b: memref<*xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @calls {
  func.func private @__ocml_sin_f32(f32) -> f32
  // CHECK-NOT: error
  func.func private @elsewhere(memref<4xf32>)
  gpu.func @k(%a: memref<4xf32>, %x: f32) kernel {
    %0 = func.call @__ocml_sin_f32(%x) : (f32) -> f32
    // CHECK: :[[#@LINE+2]]:5: error: 'func.call' op calls 'elsewhere', which has no body in this gpu.module
    // CHECK: note: the function is declared here
    func.call @elsewhere(%a) : (memref<4xf32>) -> ()
    gpu.return
  }
}

// -----

gpu.module @vectors {
  gpu.func @k(%a: memref<2x3xf32>, %v: vector<4xf32>) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'vector.type_cast' op casts a buffer with vector elements whose rows are padded in memory
    %0 = vector.type_cast %a : memref<2x3xf32> to memref<vector<2x3xf32>>
    // CHECK: :[[#@LINE+1]]:10: error: 'vector.vscale' op uses scalable vectors
    %1 = vector.vscale
    gpu.return
  }
}

// -----

gpu.module @spaces {
  // CHECK: :[[#@LINE+1]]:3: error: 'gpu.func' op uses memory space 9, which this kind of GPU does not have; for global memory, omit it, and for other memory, use #gpu.address_space<workgroup> or #gpu.address_space<private>
  gpu.func @argument(%a: memref<4xf32, 9>) kernel {
    gpu.return
  }
  gpu.func @inside(%a: memref<4xf32>, %i: index) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'memref.memory_space_cast' op uses memory space "L2"
    %b = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, "L2">
    // CHECK-NOT: error
    %c = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, 3>
    %d = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, #gpu.address_space<private>>
    gpu.return
  }
}

// -----

gpu.module @narrow {
  gpu.func @k(%a: memref<64xf16>, %lds: memref<64xf16, #gpu.address_space<workgroup>>, %i: index) kernel {
    // CHECK: :[[#@LINE+1]]:5: error: 'amdgpu.gather_to_lds' op loads 16 bits per lane, but the hardware does not keep the 32-bit words of a lane adjacent in LDS; load 32 bits per lane, or use a load and a store
    amdgpu.gather_to_lds %a[%i], %lds[%i] : f16, memref<64xf16>, memref<64xf16, #gpu.address_space<workgroup>>
    // CHECK-NOT: error
    amdgpu.gather_to_lds %a[%i], %lds[%i] : vector<2xf16>, memref<64xf16>, memref<64xf16, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @wide {
  gpu.func @k(%a: memref<64xf128>, %i: index) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'memref.load' op uses 'f128', which no GPU supports; the largest float type is f64
    %0 = memref.load %a[%i] : memref<64xf128>
    gpu.return
  }
}

// -----

gpu.module @scalable {
  gpu.func @k(%a: vector<[4]xf32>) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'arith.addf' op operates on scalable vectors, which GPUs do not support; use vectors of a fixed size
    %0 = arith.addf %a, %a : vector<[4]xf32>
    gpu.return
  }
}

// -----

gpu.module @engine {
  gpu.func @k(%a: memref<16xf32>, %b: memref<16xf32, #gpu.address_space<workgroup>>, %tag: memref<1xi32>, %i: index, %n: index) kernel {
    // CHECK: :[[#@LINE+1]]:5: error: 'memref.dma_start' op is not supported in kernels; use memref.copy, or, in AIR programs, air.dma_memcpy_nd
    memref.dma_start %a[%i], %b[%i], %n, %tag[%i] : memref<16xf32>, memref<16xf32, #gpu.address_space<workgroup>>, memref<1xi32>
    gpu.return
  }
}
