// CHECK: :[[#@LINE+1]]:1: error: 'func.func' op 'main' has the type '(f32) -> ()'; the entry point of a program must take nothing or (i32, !llvm.ptr), and return nothing, i32, i64 or index
func.func @main(%x: f32) {
  return
}

// -----

func.func @main() {
  return
}
func.func @other() {
  // CHECK: :[[#@LINE+1]]:3: error: 'func.call' op refers to 'main', which only the operating system may call
  call @main() : () -> ()
  return
}

// -----

func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %t0 = gpu.wait async
  // CHECK: :[[#@LINE+1]]:8: error: 'scf.for' op cannot pass on a GPU token; tokens can only be passed directly between gpu ops
  %t = scf.for %i = %c0 to %n step %n iter_args(%t1 = %t0) -> !gpu.async.token {
    %t2 = gpu.wait async [%t1]
    scf.yield %t2 : !gpu.async.token
  }
  return
}
