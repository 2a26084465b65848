module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%a: memref<64xf32>, %b: memref<64xf32>, %s: f32) kernel
        attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c16 = arith.constant 16 : index
      %block = gpu.block_id x
      %lane = gpu.thread_id x
      %first = arith.muli %block, %c16 : index
      %i = arith.addi %first, %lane : index
      %x = memref.load %a[%i] : memref<64xf32>
      %y = arith.addf %x, %s : f32
      memref.store %y, %b[%i] : memref<64xf32>
      gpu.return
    }
  }
  llvm.func @puts(!llvm.ptr) -> i32
  llvm.mlir.global internal constant @text("done\00") {addr_space = 0 : i32}
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %s = arith.constant 2.0 : f32
    %a = gpu.alloc () : memref<64xf32>
    %b = gpu.alloc () : memref<64xf32>
    gpu.launch_func @kernels::@add blocks in (%c4, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%a : memref<64xf32>, %b : memref<64xf32>, %s : f32)
    gpu.dealloc %a : memref<64xf32>
    gpu.dealloc %b : memref<64xf32>
    %text = llvm.mlir.addressof @text : !llvm.ptr
    %0 = llvm.call @puts(%text) : (!llvm.ptr) -> i32
    %status = arith.constant 0 : i32
    return %status : i32
  }
}
