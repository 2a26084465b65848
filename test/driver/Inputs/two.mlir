// Two GPU modules.
module attributes {gpu.container_module} {
  gpu.module @first {
    gpu.func @first(%buffer: memref<?xf32>) kernel {
      gpu.return
    }
  }
  gpu.module @second {
    gpu.func @second(%buffer: memref<?xf32>) kernel {
      gpu.return
    }
  }
  func.func @both(%buffer: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @first::@first blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%buffer : memref<?xf32>)
    gpu.launch_func @second::@second blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%buffer : memref<?xf32>)
    return
  }
}
