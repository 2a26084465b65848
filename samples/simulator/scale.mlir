// A kernel for run_kernel.cpp: doubles the first n floats of a buffer, one per
// lane. There is no host code.
//
//   aircc samples/simulator/scale.mlir --target gfx942 --emit hsaco -o scale.hsaco
//   aircc sim scale.hsaco --grid 2 --block 64 --arg memref:f32:100:iota --arg i64=99 --print 0

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
