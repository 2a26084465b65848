// RUN: %aircc opt %s --hierarchy-serialize-tokens --split-input-file --verify-diagnostics

// expected-error@+1 {{takes a token, but is defined elsewhere, where nothing can wait for it; wait before the call instead, with air.wait_all}}
func.func private @takes(!air.async.token)

// -----

gpu.module @kernels {
  // expected-error@+1 {{cannot pass tokens between functions; wait for them with air.wait_all before the call or the return}}
  gpu.func @takes(%t: !air.async.token) {
    gpu.return
  }
}

// -----

// expected-error@+1 {{returns a token, but is defined elsewhere, so a wait cannot be added to it}}
func.func private @elsewhere() -> !air.async.token

// -----

func.func @regions() -> i32 {
  %t0 = air.wait_all async
  // expected-error@+1 {{cannot pass on tokens; tokens can only be passed through scf.for, scf.while, scf.if, scf.index_switch, scf.execute_region, scf.parallel, affine.for, affine.if and the args of AIR ops}}
  %v, %t1 = memref.alloca_scope -> (i32, !air.async.token) {
    %c = arith.constant 1 : i32
    memref.alloca_scope.return %c, %t0 : i32, !air.async.token
  }
  return %v : i32
}
