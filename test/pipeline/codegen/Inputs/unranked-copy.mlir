gpu.module @m {
  gpu.func @k(%a: memref<*xf32>, %b: memref<*xf32>) kernel {
    memref.copy %a, %b : memref<*xf32> to memref<*xf32>
    gpu.return
  }
}
