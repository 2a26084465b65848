// RUN: %aircc opt %s --hierarchy-vectorize-tiles=target=%targets/gfx942.json --split-input-file --verify-diagnostics
// RUN: %aircc opt %s --hierarchy-vectorize-tiles=target=%targets/bmg.json --split-input-file --verify-diagnostics

// Reductions that one lane of a workgroup computes, one element after another.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
gpu.module @m {
  gpu.func @bits(%x: memref<1x4096xi1>, %y: memref<1xi1>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    // expected-remark @below {{reduces 4096 elements in only 1 of 256 lanes, which is slow: elements of type i1 are reduced one by one; extend them to i8 in a preceding op}}
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<1x4096xi1>) outs(%y : memref<1xi1>) {
    ^bb0(%a: i1, %b: i1):
      %s = arith.ori %a, %b : i1
      linalg.yield %s : i1
    }
    gpu.return
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
gpu.module @m {
  gpu.func @indices(%x: memref<2x?xindex>, %y: memref<2xindex>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    // expected-remark @below {{reduces many elements in only 2 of 256 lanes, which is slow: elements of type index are reduced one by one; use i64}}
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<2x?xindex>) outs(%y : memref<2xindex>) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      linalg.yield %s : index
    }
    gpu.return
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
gpu.module @m {
  gpu.func @lookup(%x: memref<1x1024xi64>, %y: memref<1xi64>, %t: memref<1024xi64>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    // expected-remark @below {{reduces 1024 elements in only 1 of 256 lanes, which is slow: its body has 'memref.load', which does not support vectors; compute that in a preceding op}}
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<1x1024xi64>) outs(%y : memref<1xi64>) {
    ^bb0(%a: i64, %b: i64):
      %i = linalg.index 1 : index
      %c = memref.load %t[%i] : memref<1024xi64>
      %p = arith.muli %a, %c : i64
      %s = arith.addi %p, %b : i64
      linalg.yield %s : i64
    }
    gpu.return
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
gpu.module @m {
  gpu.func @norm(%x: memref<1x1024xf32>, %y: memref<1xf32>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    // expected-remark @below {{reduces 1024 elements in only 1 of 256 lanes, which is slow: it does not combine the elements of output 0 by a single addition, multiplication, minimum, maximum or bitwise op; use such a reduction for each output}}
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<1x1024xf32>) outs(%y : memref<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %q = arith.mulf %b, %b : f32
      %s = arith.addf %q, %a : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
}

// -----

// No remark: few elements; a result for each lane; all lanes reduce parts of a row.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
gpu.module @m {
  gpu.func @fast(%x: memref<1x32xi1>, %y: memref<1xi1>, %z: memref<256x4096xi1>, %w: memref<256xi1>, %u: memref<1x4096xf32>, %v: memref<1xf32>)
      kernel attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64, known_block_size = array<i32: 256, 1, 1>} {
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<1x32xi1>) outs(%y : memref<1xi1>) {
    ^bb0(%a: i1, %b: i1):
      %s = arith.ori %a, %b : i1
      linalg.yield %s : i1
    }
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%z : memref<256x4096xi1>) outs(%w : memref<256xi1>) {
    ^bb0(%a: i1, %b: i1):
      %s = arith.ori %a, %b : i1
      linalg.yield %s : i1
    }
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%u : memref<1x4096xf32>) outs(%v : memref<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
}
