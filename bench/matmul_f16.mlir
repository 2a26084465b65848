// C = A * B with 4096x4096 matrices of f16 and sums in f32: run.py analyzes the
// inner loop of this program.

func.func @matmul(%A: memref<4096x4096xf16>, %B: memref<4096x4096xf16>, %C: memref<4096x4096xf32>) {
  air.launch () in () args(%a=%A, %b=%B, %c=%C)
      : memref<4096x4096xf16>, memref<4096x4096xf16>, memref<4096x4096xf32> {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%c : memref<4096x4096xf32>)
    linalg.matmul ins(%a, %b : memref<4096x4096xf16>, memref<4096x4096xf16>)
                  outs(%c : memref<4096x4096xf32>)
  }
  return
}
