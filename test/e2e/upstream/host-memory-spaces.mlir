// Memory that host code calls global is what kernels take under that name.

// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942
// RUN: %aircc %s --target bmg -o %t.bmg && %t.bmg

#global = #gpu.address_space<global>

module attributes {gpu.container_module} {
  func.func @main() -> i32 {
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %h = memref.alloc() : memref<8xi32, #global>
    %s = gpu.alloc host_shared () : memref<8xi32, #global>
    %d = gpu.alloc () : memref<8xi32, #global>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%h : memref<8xi32, #global>, %d : memref<8xi32, #global>)
    gpu.memcpy %s, %d : memref<8xi32, #global>, memref<8xi32, #global>
    %v = memref.load %h[%c7] : memref<8xi32, #global>
    %w = memref.load %s[%c7] : memref<8xi32, #global>
    %zero = arith.subi %v, %w : i32
    %eight = arith.constant 8 : i32
    %wrong = arith.subi %v, %eight : i32
    %status = arith.ori %zero, %wrong : i32
    memref.dealloc %h : memref<8xi32, #global>
    gpu.dealloc %s : memref<8xi32, #global>
    gpu.dealloc %d : memref<8xi32, #global>
    return %status : i32
  }
  gpu.module @k {
    gpu.func @k(%h: memref<8xi32, #global>, %d: memref<8xi32, #global>) kernel {
      %i = gpu.thread_id x
      %v = arith.index_cast %i : index to i32
      %one = arith.constant 1 : i32
      %w = arith.addi %v, %one : i32
      memref.store %w, %h[%i] : memref<8xi32, #global>
      memref.store %w, %d[%i] : memref<8xi32, #global>
      gpu.return
    }
  }
}
