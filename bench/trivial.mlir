// A kernel of one store: measures the fixed cost of a compile.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @store(%out: memref<64xi32>) kernel {
      %i = gpu.thread_id x
      %v = arith.index_cast %i : index to i32
      memref.store %v, %out[%i] : memref<64xi32>
      gpu.return
    }
  }
}
