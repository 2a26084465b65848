// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: kernel_module: PASS

// A gpu.module written by hand and gpu.launch_func: two kernels, a device
// function, a global in workgroup memory, arguments of several types.

module attributes {gpu.container_module} {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("kernel_module: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("kernel_module: FAIL, %ld elements differ; element %ld is %g, expected %g\0A\00") {addr_space = 0 : i32}

  gpu.module @kernels {
    memref.global "private" @tile : memref<64xf32, #gpu.address_space<workgroup>> = uninitialized
    func.func @mix(%a: f32, %b: f64, %c: i16) -> f32 {
      %b32 = arith.truncf %b : f64 to f32
      %c32 = arith.sitofp %c : i16 to f32
      %s = arith.addf %b32, %c32 : f32
      %r = arith.addf %a, %s : f32
      return %r : f32
    }
    gpu.func @first(%in: memref<512xf32>, %out: memref<512xf32>, %b: f64, %c: i16) kernel {
      %bx = gpu.block_id x
      %tx = gpu.thread_id x
      %dx = gpu.block_dim x
      %v0 = arith.muli %bx, %dx : index
      %p = arith.addi %v0, %tx : index
      %v = memref.load %in[%p] : memref<512xf32>
      %w = func.call @mix(%v, %b, %c) : (f32, f64, i16) -> f32
      %v4 = arith.constant 0.0 : f32
      %v5 = arith.addf %w, %v4 : f32
      memref.store %v5, %out[%p] : memref<512xf32>
      gpu.return
    }
    gpu.func @second(%out: memref<512xf32>) kernel {
      %bx = gpu.block_id x
      %tx = gpu.thread_id x
      %tile = memref.get_global @tile : memref<64xf32, #gpu.address_space<workgroup>>
      %v6 = arith.constant 64 : index
      %v7 = arith.muli %bx, %v6 : index
      %p = arith.addi %v7, %tx : index
      %v9 = memref.load %out[%p] : memref<512xf32>
      memref.store %v9, %tile[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %v10 = arith.constant 1 : index
      %v11 = arith.addi %tx, %v10 : index
      %v12 = arith.constant 64 : index
      %q = arith.remui %v11, %v12 : index
      %v14 = memref.load %tile[%q] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %v14, %out[%p] : memref<512xf32>
      gpu.return
    }
  }
  func.func @test(%in: memref<512xf32>, %out: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %b = arith.constant 0.5 : f64
    %c = arith.constant -7 : i16
    gpu.launch_func @kernels::@first blocks in (%c2, %c1, %c1) threads in (%c256, %c1, %c1) args(%in : memref<512xf32>, %out : memref<512xf32>, %b : f64, %c : i16)
    gpu.launch_func @kernels::@second blocks in (%c8, %c1, %c1) threads in (%c64, %c1, %c1) args(%out : memref<512xf32>)
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<512xf32>, %i: index) -> f32 {
    %v15 = arith.constant 64 : index
    %v16 = arith.divui %i, %v15 : index
    %v17 = arith.constant 64 : index
    %v18 = arith.muli %v16, %v17 : index
    %v19 = arith.constant 64 : index
    %v20 = arith.remui %i, %v19 : index
    %v21 = arith.constant 1 : index
    %v22 = arith.addi %v20, %v21 : index
    %v23 = arith.constant 64 : index
    %v24 = arith.remui %v22, %v23 : index
    %q = arith.addi %v18, %v24 : index
    %v26 = memref.load %in[%q] : memref<512xf32>
    %v28 = arith.constant 6.5 : f32
    %result = arith.subf %v26, %v28 : f32
    return %result : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<512xf32>
    %out = memref.alloc() : memref<512xf32>
    scf.for %i = %c0 to %c512 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      %v7 = arith.sitofp %v6 : i32 to f32
      memref.store %v7, %in[%i] : memref<512xf32>
    }
    scf.for %i = %c0 to %c512 step %c1 {
      %v9 = arith.constant -1.0 : f32
      memref.store %v9, %out[%i] : memref<512xf32>
    }
    %din = gpu.alloc () : memref<512xf32>
    %dout = gpu.alloc () : memref<512xf32>
    gpu.memcpy %din, %in : memref<512xf32>, memref<512xf32>
    gpu.memcpy %dout, %out : memref<512xf32>, memref<512xf32>
    call @test(%din, %dout) : (memref<512xf32>, memref<512xf32>) -> ()
    gpu.memcpy %out, %dout : memref<512xf32>, memref<512xf32>
    gpu.dealloc %din : memref<512xf32>
    gpu.dealloc %dout : memref<512xf32>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xf32>
      %want = func.call @expected(%in, %i) : (memref<512xf32>, index) -> f32
      %differs = arith.cmpf une, %got, %want : f32
      %one_more = arith.addi %count, %c1 : index
      %next = arith.select %differs, %one_more, %count : index
      %place = arith.select %differs, %i, %last : index
      scf.yield %next, %place : index, index
    }
    %good = arith.cmpi eq, %wrong, %c0 : index
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
      %ok = arith.constant 0 : i32
      scf.yield %ok : i32
    } else {
      %got = memref.load %out[%at] : memref<512xf32>
      %want = func.call @expected(%in, %at) : (memref<512xf32>, index) -> f32
      %got_shown = arith.extf %got : f32 to f64
      %want_shown = arith.extf %want : f32 to f64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, f64, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<512xf32>
    memref.dealloc %out : memref<512xf32>
    return %status : i32
  }
}
