// RUN: %aircc opt --link-create-entry-functions --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-DAG: llvm.mlir.global external constant @aircc_entry_f()
// Flags (checked, computes on the host), counts, the tensor, the number, the result, no checks, no result in an argument.
// CHECK-DAG: llvm.mlir.global internal constant @f.aircc.words(dense<[5, 2, 1, 0, 4, 2, 0, 4, -1, 4, 1, -1, 0, 7, 4, 0, 0, 0, 0]>
// CHECK-DAG: llvm.mlir.global internal constant @f.aircc.texts("f32\00i8\00f32\00")
// CHECK-LABEL: llvm.func @aircc_f(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr, %[[N:.*]]: i8 {llvm.signext}, %[[R:.*]]: !llvm.ptr) -> i32
// CHECK: llvm.store %[[X]]
// CHECK: llvm.store %[[N]], %[[COPY:.*]] : i8
// CHECK: llvm.store %[[COPY]]
// CHECK: %[[STATUS:.*]] = llvm.call @airccCall(
// CHECK: llvm.return %[[STATUS]] : i32
// CHECK-LABEL: llvm.func @aircc_f_async(
// CHECK-SAME: !llvm.ptr, %{{.*}}: i8 {llvm.signext}, %{{.*}}: !llvm.ptr, %[[STREAM:.*]]: !llvm.ptr) -> i32
// CHECK: llvm.call @airccCallAsync(%{{.*}}, %{{.*}}, %[[STREAM]])
llvm.func @_mlir_ciface_f(%x: !llvm.ptr, %n: i8 {llvm.signext}, %r: !llvm.ptr)
llvm.func @f() attributes {
  air.entry_point = #air.entry_point<arguments = [memref<4x?xf32>, i8], results = [f32]>
}

// -----

// Without a C interface there is nothing to call.
// CHECK-LABEL: llvm.func @g()
// CHECK-NOT: aircc
llvm.func @g() attributes {
  air.entry_point = #air.entry_point<arguments = [], results = []>
}

// -----

// expected-error@+1 {{'aircc_h' is also the symbol through which programs call 'h'; rename one of the functions}}
llvm.func @aircc_h()
llvm.func @_mlir_ciface_h()
llvm.func @h() attributes {
  air.entry_point = #air.entry_point<arguments = [], results = []>
}

// -----

// The function itself is internal, and its C interface has the name of the program.
// CHECK-LABEL: llvm.func @_mlir_ciface_main()
// CHECK: llvm.func internal @main__entry()
// CHECK-DAG: llvm.mlir.global external constant @aircc_entry_main()
// CHECK-DAG: llvm.mlir.global internal constant @main__entry.aircc.name("main\00")
// CHECK: llvm.func @aircc_main() -> i32
llvm.func @_mlir_ciface_main__entry()
llvm.func @main__entry() attributes {
  air.entry_point = #air.entry_point<arguments = [], results = [], callerName = "main">
} {
  llvm.return
}

// -----

// The runtime calls the function that works in place.
// CHECK: llvm.func internal @_mlir_ciface_q(
// CHECK: llvm.mlir.global internal constant @p.aircc.words(dense<[1, 1, 1, 0, 4, 1, 3, 4, 4, 4, 1, 1, 4, 0, 0]>
// CHECK: llvm.func internal @p.aircc.call(
// CHECK: llvm.call @_mlir_ciface_q(
llvm.func @_mlir_ciface_q(%x: !llvm.ptr, %r: !llvm.ptr) {
  llvm.return
}
llvm.func @_mlir_ciface_p(%x: !llvm.ptr, %r: !llvm.ptr)
llvm.func @p() attributes {
  air.entry_point = #air.entry_point<arguments = [memref<4xf32>], results = [memref<4xf32>], inPlace = @q,
                                     uses = [3, 1], computesOnHost = false>
}
