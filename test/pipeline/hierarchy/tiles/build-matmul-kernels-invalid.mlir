// RUN: not %aircc opt %s --hierarchy-build-matmul-kernels="target=%targets/gfx942.json tile=256x256x128" 2>&1 | FileCheck %s --check-prefix=LDS
// RUN: not %aircc opt %s --hierarchy-build-matmul-kernels="target=%targets/gfx942.json tile=100x100x64" 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not %aircc opt %s --hierarchy-build-matmul-kernels="target=%targets/gfx942.json tile=64x64" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %aircc opt %s --hierarchy-build-matmul-kernels="target=%targets/gfx942.json buffers=1" 2>&1 | FileCheck %s --check-prefix=BUFFERS

// LDS: error: 'linalg.matmul' op cannot be computed with the requested tiles: the buffers of 256x256x128 take 262144 bytes of LDS, and there are 65536
// TILE: error: 'linalg.matmul' op cannot be computed with the requested tiles: a tile of 100x100
// TEXT: error: 'linalg.matmul' op is compiled with the option 'matmul-tile=64x64', which is not 3 numbers with 'x' between them
// BUFFERS: error: 'linalg.matmul' op is compiled with the option 'matmul-buffers=1', which may be 2 to 4
func.func @launch(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<512x512xf16>, memref<512x512xf16>, memref<512x512xf32> {
    linalg.matmul ins(%x, %y : memref<512x512xf16>, memref<512x512xf16>) outs(%z : memref<512x512xf32>)
  }
  return
}
