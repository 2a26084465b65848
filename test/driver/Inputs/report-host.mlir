// Launches a kernel twice, and allocates on the host and on its stack.
func.func @copy(%x: memref<256xf32>, %y: memref<256xf32>) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c256, %ny = %c1, %nz = %c1) {
    %v = memref.load %x[%tx] : memref<256xf32>
    memref.store %v, %y[%tx] : memref<256xf32>
    gpu.terminator
  }
  return
}

func.func @main() -> i32 {
  %host = memref.alloc() : memref<256xf32>
  %stack = memref.alloca() : memref<4xi16>
  %zero = arith.constant 0 : i16
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%host : memref<256xf32>)
  memref.store %zero, %stack[%c0] : memref<4xi16>
  %x = gpu.alloc () : memref<256xf32>
  %y = gpu.alloc () : memref<256xf32>
  gpu.memcpy %x, %host : memref<256xf32>, memref<256xf32>
  call @copy(%x, %y) : (memref<256xf32>, memref<256xf32>) -> ()
  call @copy(%y, %x) : (memref<256xf32>, memref<256xf32>) -> ()
  %kept = memref.load %stack[%c0] : memref<4xi16>
  %status = arith.extsi %kept : i16 to i32
  gpu.dealloc %x : memref<256xf32>
  gpu.dealloc %y : memref<256xf32>
  memref.dealloc %host : memref<256xf32>
  return %status : i32
}
