// Needs a device library.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @sine(%buffer: memref<64xf32>) kernel {
      %tx = gpu.thread_id x
      %v = memref.load %buffer[%tx] : memref<64xf32>
      %w = math.sin %v : f32
      memref.store %w, %buffer[%tx] : memref<64xf32>
      gpu.return
    }
  }
}
