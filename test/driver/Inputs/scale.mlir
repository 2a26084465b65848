// Upstream dialects only: doubles n floats, and a main that checks one of them.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%buffer: memref<?xf32>, %n: index) kernel {
      %bx = gpu.block_id x
      %tx = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %base = arith.muli %bx, %c64 : index
      %i = arith.addi %base, %tx : index
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %v = memref.load %buffer[%i] : memref<?xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %buffer[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @scale(%buffer: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %n = memref.dim %buffer, %c0 : memref<?xf32>
    %blocks = arith.ceildivui %n, %c64 : index
    gpu.launch_func @kernels::@scale blocks in (%blocks, %c1, %c1)
        threads in (%c64, %c1, %c1)
        args(%buffer : memref<?xf32>, %n : index)
    return
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 100 : index
    %one = arith.constant 1.5 : f32
    %host = memref.alloc(%n) : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %one, %host[%i] : memref<?xf32>
    }
    %device = gpu.alloc (%n) : memref<?xf32>
    gpu.memcpy %device, %host : memref<?xf32>, memref<?xf32>
    func.call @scale(%device) : (memref<?xf32>) -> ()
    gpu.memcpy %host, %device : memref<?xf32>, memref<?xf32>
    %c99 = arith.constant 99 : index
    %last = memref.load %host[%c99] : memref<?xf32>
    %three = arith.constant 3.0 : f32
    %wrong = arith.cmpf une, %last, %three : f32
    %status = arith.extui %wrong : i1 to i32
    gpu.dealloc %device : memref<?xf32>
    memref.dealloc %host : memref<?xf32>
    return %status : i32
  }
}
