// Buffers in LDS (shared local memory) beyond what a workgroup may use are an
// error at the buffer that does not fit, for each backend and each kind of
// output.

// RUN: not %aircc %s --target gfx942 --emit=hsaco -o %t.hsaco 2>&1 | FileCheck %s -DLIMIT=65536
// RUN: not %aircc %s --target gfx942 --emit=rocdl 2>&1 | FileCheck %s -DLIMIT=65536
// RUN: not %aircc %s --target gfx942 -S -o - 2>&1 | FileCheck %s -DLIMIT=65536
// RUN: not %aircc %s --target bmg --emit=spirv -o %t.spv 2>&1 | FileCheck %s -DLIMIT=131072
// RUN: not %aircc %s --target bmg --emit=xevm 2>&1 | FileCheck %s -DLIMIT=131072
// RUN: not %aircc %s --target bmg --emit=llvm 2>&1 | FileCheck %s -DLIMIT=131072

gpu.module @m {
  gpu.func @attributions(%v: f32, %i: index, %out: memref<8xf32>)
      workgroup(%a: memref<4096xf32, #gpu.address_space<workgroup>>,
  // CHECK: :[[#@LINE+2]]:17: error: this buffer of 120000 bytes does not fit: with it, the kernel needs 136384 bytes of LDS (shared local memory), but a workgroup may use only [[LIMIT]]
  // CHECK: note: the kernel is here
                %b: memref<30000xf32, #gpu.address_space<workgroup>>) kernel {
    memref.store %v, %a[%i] : memref<4096xf32, #gpu.address_space<workgroup>>
    memref.store %v, %b[%i] : memref<30000xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // CHECK: :[[#@LINE+1]]:3: error: this buffer of 160000 bytes does not fit
  memref.global "private" @g : memref<20000xf64, #gpu.address_space<workgroup>>
  gpu.func @global(%v: f64, %i: index) kernel {
    %g = memref.get_global @g : memref<20000xf64, #gpu.address_space<workgroup>>
    memref.store %v, %g[%i] : memref<20000xf64, #gpu.address_space<workgroup>>
    gpu.return
  }

  gpu.func @allocated(%v: f32, %i: index, %out: memref<8xf32>) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: this buffer of 160000 bytes does not fit
    %a = memref.alloc() : memref<40000xf32, 3>
    memref.store %v, %a[%i] : memref<40000xf32, 3>
    gpu.barrier
    %c0 = arith.constant 0 : index
    %w = memref.load %a[%c0] : memref<40000xf32, 3>
    memref.store %w, %out[%i] : memref<8xf32>
    gpu.return
  }
}
