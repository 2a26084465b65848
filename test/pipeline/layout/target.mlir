// The passes need a profile, and only for kernels with undistributed vectors.
// RUN: not %aircc opt %s --layout-propagate-layouts 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %aircc opt %s --layout-set-anchors=target=nowhere.json 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NONE: error: 'layout-propagate-layouts' requires the option target=FILE.json, the profile of the target GPU
// NOWHERE: error: cannot use the target 'nowhere.json': there is no profile file 'nowhere.json'
gpu.module @lanes {
  gpu.func @lane(%v: vector<4xf32>) kernel { gpu.return }
}
gpu.module @whole {
  gpu.func @whole(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }
}
