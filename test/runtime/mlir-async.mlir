// Programs of the async dialect, run in MLIR's JIT with this runtime instead of
// MLIR's library. A started task runs until it has to wait, so the order of output
// is fixed.

// A program without sanitizers cannot link a library built with them.
// UNSUPPORTED: sanitizer

// RUN: mlir-opt %s --async-to-async-runtime --async-runtime-ref-counting --async-runtime-ref-counting-opt \
// RUN:   --convert-async-to-llvm --convert-scf-to-cf --convert-vector-to-llvm --convert-func-to-llvm \
// RUN:   --convert-arith-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts -o %t.mlir
// RUN: mlir-runner %t.mlir -O0 --entry-point-result=void --shared-libs=%runtime-dir/libaircc_runtime.so | FileCheck %s

// CHECK: 1
// CHECK-NEXT: 2
// CHECK-NEXT: 42
// CHECK-NEXT: 3
// CHECK-NEXT: 10
// CHECK-NEXT: 11
// CHECK-NEXT: 12
// CHECK-NEXT: 4
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NOT: {{.}}

func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %ten = arith.constant 10 : index

  // A token and a value, one waiting for the other.
  %first = async.execute {
    vector.print %one : index
    async.yield
  }
  %second, %value = async.execute [%first] -> !async.value<i32> {
    vector.print %two : index
    %answer = arith.constant 42 : i32
    async.yield %answer : i32
  }
  %answer = async.await %value : !async.value<i32>
  vector.print %answer : i32
  async.await %second : !async.token
  vector.print %three : index

  // A group.
  %group = async.create_group %three : !async.group
  scf.for %i = %zero to %three step %one {
    %token = async.execute {
      %shown = arith.addi %i, %ten : index
      vector.print %shown : index
      async.yield
    }
    async.add_to_group %token, %group : !async.token
  }
  async.await_all %group
  vector.print %four : index

  // A task that waits for one that fails, and goes on when that one ends.
  %no = arith.constant false
  %waited = func.call @waits(%no) : (i1) -> !async.token
  %ok = async.runtime.is_error %waited : !async.token
  vector.print %ok : i1
  %yes = arith.constant true
  %failed = func.call @waits(%yes) : (i1) -> !async.token
  %error = async.runtime.is_error %failed : !async.token
  vector.print %error : i1
  return
}

/// Waits, in a coroutine, for a token that is completed only after it waits.
func.func @waits(%fails: i1) -> !async.token {
  %late = async.runtime.create : !async.token
  %token = async.execute {
    async.await %late : !async.token
    async.yield
  }
  scf.if %fails {
    async.runtime.set_error %late : !async.token
  } else {
    async.runtime.set_available %late : !async.token
  }
  return %token : !async.token
}
