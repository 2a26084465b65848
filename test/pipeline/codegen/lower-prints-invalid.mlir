// RUN: not %aircc opt %s --split-input-file --pass-pipeline="builtin.module(gpu.module(codegen-lower-prints))" 2>&1 | FileCheck %s

gpu.module @m {
  gpu.func @k(%i: i32, %f: f32, %v: vector<2xf8E5M2>, %u: ui8) kernel {
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op expects 2 arguments for its format, but got 1
    gpu.printf "%d %d", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op expects 0 arguments for its format, but got 1
    gpu.printf "nothing", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op prints argument 1, of type 'f32', with '%5d', which takes a signless integer of at most 64 bits or an index
    gpu.printf "%d %5d", %i, %f : i32, f32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op prints argument 0, of type 'i32', with '%g', which takes a float of at most 64 bits
    gpu.printf "%g", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op prints argument 0, of type 'f32', with '*', which takes
    gpu.printf "%*d", %f, %i : f32, i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op uses the conversion '%s', which takes no MLIR type
    gpu.printf "%s", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op uses '%y' in its format, which is not a C conversion
    gpu.printf "%y", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op has a format that ends in an incomplete conversion, '%-5'
    gpu.printf "five %-5"
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op prints argument 0, of type 'ui8', with '%u'
    gpu.printf "%u", %u : ui8
    gpu.return
  }
}

// -----

gpu.module @n {
  gpu.func @k(%v: vector<2xf8E5M2>) kernel {
    // CHECK: :[[#@LINE+1]]:5: error: 'vector.print' op prints values of type 'f8E5M2'; only index
    vector.print %v : vector<2xf8E5M2>
    gpu.return
  }
}
