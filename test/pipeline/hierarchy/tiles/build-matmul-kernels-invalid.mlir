// RUN: not %aircc opt %s --hierarchy-build-matmul-kernels="target=%targets/gfx942.json tile=256x256x128" 2>&1 | FileCheck %s --check-prefix=LDS
// RUN: not %aircc opt %s --hierarchy-build-matmul-kernels="target=%targets/gfx942.json tile=100x100x64" 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not %aircc opt %s --hierarchy-build-matmul-kernels="target=%targets/gfx942.json tile=64x64" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %aircc opt %s --hierarchy-build-matmul-kernels="target=%targets/gfx942.json buffers=1" 2>&1 | FileCheck %s --check-prefix=BUFFERS

// LDS: error: 'linalg.matmul' op cannot be computed with the requested tile sizes: the buffers of 256x256x128 take 262144 bytes of LDS, but there are only 65536
// TILE: error: 'linalg.matmul' op cannot be computed with the requested tile sizes: a tile of 100x100
// TEXT: error: 'linalg.matmul' op expects option 'matmul-tile' to be 3 positive integers separated by 'x', but got '64x64'
// BUFFERS: error: 'linalg.matmul' op expects option 'matmul-buffers' to be 2 to 4, but got 1
func.func @launch(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<512x512xf16>, memref<512x512xf16>, memref<512x512xf32> {
    linalg.matmul ins(%x, %y : memref<512x512xf16>, memref<512x512xf16>) outs(%z : memref<512x512xf32>)
  }
  return
}
