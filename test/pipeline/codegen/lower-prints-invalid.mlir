// RUN: not %aircc opt %s --split-input-file --pass-pipeline="builtin.module(gpu.module(codegen-lower-prints))" 2>&1 | FileCheck %s

gpu.module @m {
  gpu.func @k(%i: i32, %f: f32, %v: vector<2xf8E5M2>, %u: ui8) kernel {
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op has 1 arguments, but its format takes 2
    gpu.printf "%d %d", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op has 1 arguments, but its format takes 0
    gpu.printf "nothing", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op prints argument 1, of type 'f32', by '%5d', which takes a signless integer of at most 64 bits or an index
    gpu.printf "%d %5d", %i, %f : i32, f32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op prints argument 0, of type 'i32', by '%g', which takes a float of at most 64 bits
    gpu.printf "%g", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op prints argument 0, of type 'f32', by '*', which takes
    gpu.printf "%*d", %f, %i : f32, i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op has the conversion '%s' in its format, for which MLIR has no values
    gpu.printf "%s", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op has '%y' in its format, which is not a conversion of C
    gpu.printf "%y", %i : i32
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op has a format that ends within a conversion, '%-5'
    gpu.printf "five %-5"
    // CHECK: :[[#@LINE+1]]:5: error: 'gpu.printf' op prints argument 0, of type 'ui8', by '%u'
    gpu.printf "%u", %u : ui8
    gpu.return
  }
}

// -----

gpu.module @n {
  gpu.func @k(%v: vector<2xf8E5M2>) kernel {
    // CHECK: :[[#@LINE+1]]:5: error: 'vector.print' op prints values of type 'f8E5M2': only index
    vector.print %v : vector<2xf8E5M2>
    gpu.return
  }
}
