// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-lower-prints))" | FileCheck %s
// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-lower-prints{backend=xevm}))" | FileCheck %s --check-prefix=XE

// Values are extended to 64 bits (floats on Intel GPUs to f32), with the signedness of the print
// op.

// CHECK-LABEL: gpu.func @values
// CHECK-SAME:    (%[[B:.*]]: i1, %[[I:.*]]: i8, %[[X:.*]]: index, %[[F:.*]]: f16)
// CHECK-DAG:     %[[B64:.*]] = arith.extui %[[B]] : i1 to i64
// CHECK-DAG:     %[[S64:.*]] = arith.extsi %[[I]] : i8 to i64
// CHECK-DAG:     %[[U64:.*]] = arith.extui %[[I]] : i8 to i64
// CHECK-DAG:     %[[X64:.*]] = arith.index_cast %[[X]] : index to i64
// CHECK-DAG:     %[[F32:.*]] = arith.extf %[[F]] : f16 to f32
// CHECK-DAG:     %[[F64:.*]] = arith.extf %[[F32]] : f32 to f64
// CHECK:         gpu.printf "%lld %lli %-5llu %llx %hhd %.2f%%\0A", %[[B64]], %[[S64]], %[[U64]], %[[X64]], %{{.*}}, %[[F64]] : i64, i64, i64, i64, i64, f64
// XE-DAG:      llvm.mlir.global internal constant @[[TEXT:.*]]("%ld %li %-5lu %lx %hhd %.2f%%\0A\00") {addr_space = 2 : i32}
// XE-DAG:      llvm.func spir_funccc @[[PRINTF:.*printf.*]](!llvm.ptr<2>, ...) -> i32
// XE-LABEL:    gpu.func @values
// XE:            %[[ADDRESS:.*]] = llvm.mlir.addressof @[[TEXT]] : !llvm.ptr<2>
// XE:            llvm.call spir_funccc @[[PRINTF]](%[[ADDRESS]], {{.*}}) vararg(!llvm.func<i32 (ptr<2>, ...)>) : (!llvm.ptr<2>, i64, i64, i64, i64, i64, f32) -> i32
gpu.module @m {
  gpu.func @values(%b: i1, %i: i8, %x: index, %f: f16) kernel {
    gpu.printf "%d %i %-5u %x %hhd %.2f%%\n", %b, %i, %i, %x, %i, %f : i1, i8, i8, index, i8, f16
    gpu.return
  }
}

// A vector is one string, with the punctuation that follows it.

// CHECK-LABEL: gpu.func @vectors
// CHECK:         gpu.printf "( ( %lld, %lld ), ( %lld, %lld ) )\0A"
// CHECK:         gpu.printf "%g, "
// CHECK:         gpu.printf "( %llu )"
// CHECK:         gpu.printf "half of 100%%"
// CHECK:         gpu.printf "( "
// CHECK-NOT:     gpu.printf
gpu.module @n {
  gpu.func @vectors(%v: vector<2x2xi16>, %f: bf16, %x: vector<index>) kernel {
    vector.print %v : vector<2x2xi16>
    vector.print %f : bf16 punctuation <comma>
    vector.print %x : vector<index> punctuation <no_punctuation>
    vector.print str "half of 100%"
    vector.print punctuation <open>
    vector.print punctuation <no_punctuation>
    gpu.return
  }
}

// A value that is loaded immediately before is printed from memory: five iterations with seven
// elements, and the last one. A value that may have been overwritten in between is not.

// CHECK-LABEL: gpu.module @o
// CHECK:         llvm.mlir.global internal constant @{{.*}}("( ( %g, %g,{{.*}} ) )\0A\00") {addr_space = 4 : i32}
// CHECK-LABEL: gpu.func @memory
// CHECK:         %[[BEGUN:.*]] = llvm.call @__ockl_printf_begin
// CHECK:         %[[TEXT:.*]] = llvm.call @__ockl_printf_append_string_n(%[[BEGUN]],
// CHECK:         %[[REST:.*]] = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[PART:.*]] = %[[TEXT]]) -> (i64)
// CHECK-COUNT-7:   memref.load
// CHECK:           llvm.call @__ockl_printf_append_args(%[[PART]],
// CHECK:         memref.load
// CHECK-NOT:     memref.load
// CHECK:         llvm.call @__ockl_printf_append_args(%[[REST]],
// CHECK-LABEL: gpu.func @written
// CHECK-NOT:     scf.for
// CHECK:         gpu.printf
gpu.module @o {
  gpu.func @memory(%m: memref<40xf32>) kernel {
    %c0 = arith.constant 0 : index
    %v = vector.load %m[%c0] : memref<40xf32>, vector<36xf32>
    %s = vector.shape_cast %v : vector<36xf32> to vector<6x6xf32>
    vector.print %s : vector<6x6xf32>
    gpu.return
  }
  gpu.func @written(%m: memref<40xf32>, %x: f32) kernel {
    %c0 = arith.constant 0 : index
    %v = vector.load %m[%c0] : memref<40xf32>, vector<36xf32>
    memref.store %x, %m[%c0] : memref<40xf32>
    vector.print %v : vector<36xf32>
    gpu.return
  }
}
