// Programs that print, copy with strides and convert bfloats, run in MLIR's JIT with
// this runtime instead of MLIR's runner libraries.

// A program without sanitizers cannot link a library built with them.
// UNSUPPORTED: sanitizer

// RUN: mlir-opt %s --convert-vector-to-scf --convert-scf-to-cf --convert-vector-to-llvm --expand-strided-metadata \
// RUN:   --finalize-memref-to-llvm --convert-func-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm \
// RUN:   --reconcile-unrealized-casts -o %t.mlir
// RUN: mlir-runner %t.mlir --entry-point-result=void --shared-libs=%runtime-dir/libaircc_runtime.so | FileCheck %s

// CHECK: ( ( 1, 2 ), ( 3, 4 ) )
// CHECK-NEXT: ( -1, 7 )
// CHECK-NEXT: 18446744073709551615
// CHECK-NEXT: ( 1.5, -0.25 )
// CHECK-NEXT: 3.14062
// CHECK-NEXT: text
// CHECK-NEXT: rank = 2 offset = 0 sizes = [3, 2] strides = [2, 1] data =
// CHECK-NEXT: [1,   4],
// CHECK-NEXT: [2,   5],
// CHECK-NEXT: [3,   6]

module {
  memref.global "private" constant @numbers : memref<2x3xi32> = dense<[[1, 2, 3], [4, 5, 6]]>
  func.func private @printMemrefI32(memref<*xi32>)
  func.func private @printU64(i64)

  func.func @main() {
    %f32 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf32>
    vector.print %f32 : vector<2x2xf32>
    %i64 = arith.constant dense<[-1, 7]> : vector<2xi64>
    vector.print %i64 : vector<2xi64>
    %max = arith.constant -1 : i64
    call @printU64(%max) : (i64) -> ()
    vector.print punctuation <newline>
    %f16 = arith.constant dense<[1.5, -0.25]> : vector<2xf16>
    vector.print %f16 : vector<2xf16>
    %pi = llvm.mlir.constant(3.14159274 : f32) : f32
    %bf16 = func.call @truncate(%pi) : (f32) -> bf16
    vector.print %bf16 : bf16
    vector.print str "text\0A"

    %numbers = memref.get_global @numbers : memref<2x3xi32>
    %transposed = memref.transpose %numbers (i, j) -> (j, i) : memref<2x3xi32> to memref<3x2xi32, strided<[1, 3]>>
    %copy = memref.alloc() : memref<3x2xi32>
    memref.copy %transposed, %copy : memref<3x2xi32, strided<[1, 3]>> to memref<3x2xi32>
    %unranked = memref.cast %copy : memref<3x2xi32> to memref<*xi32>
    call @printMemrefI32(%unranked) : (memref<*xi32>) -> ()
    memref.dealloc %copy : memref<3x2xi32>
    return
  }

  // Not foldable, so that the conversion is made at run time.
  func.func @truncate(%value: f32) -> bf16 attributes {no_inline} {
    %result = arith.truncf %value : f32 to bf16
    return %result : bf16
  }
}
