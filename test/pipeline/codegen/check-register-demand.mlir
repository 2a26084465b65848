// RUN: not %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-check-register-demand{registers=512}))" 2>&1 | FileCheck %s

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
#matmul = {indexing_maps = [#a, #b, #c],
           iterator_types = ["parallel", "parallel", "reduction"],
           kind = #vector.kind<add>}

gpu.module @vectors {
  gpu.func @contract(%x: vector<64x64xf32>, %y: vector<16x16xf32>) kernel {
    // CHECK: :[[#@LINE+1]]:10: error: 'vector.contract' op needs 16384 32-bit registers per lane, but this chip has 512, and would expand to about 262144 instructions; if its vectors are wave-level or workgroup-level vectors, set the attribute 'layout.scope' on the kernel; otherwise, process them in parts in a loop
    %0 = vector.contract #matmul %x, %x, %x : vector<64x64xf32>, vector<64x64xf32> into vector<64x64xf32>
    // It spills, and compiles.
    // CHECK-NOT: error
    %1 = vector.contract #matmul %y, %y, %y : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
    gpu.return
  }
  gpu.func @memory(%x: memref<65536xf16>, %y: memref<131072xf16>, %i: index) kernel {
    %pad = arith.constant 0.0 : f16
    // CHECK-NOT: error
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<65536xf16>, vector<65536xf16>
    // CHECK: :[[#@LINE+1]]:10: error: 'vector.transfer_read' op needs 65537 32-bit registers per lane
    %1 = vector.transfer_read %y[%i], %pad {in_bounds = [true]} : memref<131072xf16>, vector<131072xf16>
    gpu.return
  }
  gpu.func @extension(%x: vector<512xf16>) kernel {
    // CHECK-NOT: error
    %0 = arith.extf %x : vector<512xf16> to vector<512xf32>
    gpu.return
  }
  gpu.func @integers(%x: i1292, %y: i8192) kernel {
    // CHECK-NOT: error
    %0 = arith.muli %x, %x : i1292
    %1 = arith.addi %y, %y : i8192
    // CHECK: :[[#@LINE+1]]:10: error: 'arith.muli' op needs 768 32-bit registers {{.*}} expand to about 65536 instructions
    %2 = arith.muli %y, %y : i8192
    gpu.return
  }
}

// A division and a function of the math dialect are ten instructions and more for
// each element, unless they may be approximate.
gpu.module @expanded {
  gpu.func @expanded(%a: vector<64x64xf32>, %m: memref<64x64xf32>, %i: index) kernel {
    // CHECK-NOT: error
    // CHECK: :[[#@LINE+1]]:10: error: 'math.exp' op needs 8192 32-bit registers per lane, but this chip has 512, and would expand to about 40960 instructions
    %0 = math.exp %a : vector<64x64xf32>
    // CHECK: :[[#@LINE+1]]:10: error: 'arith.divf' op {{.*}} would expand to about 40960 instructions
    %1 = arith.divf %0, %a : vector<64x64xf32>
    // CHECK-NOT: error
    %2 = math.exp %a fastmath<afn> : vector<64x64xf32>
    %3 = arith.addf %1, %2 : vector<64x64xf32>
    vector.transfer_write %3, %m[%i, %i] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}
