// Discardable attributes of the dialect: valid uses, and the verifiers' messages.
// RUN: %aircc opt --split-input-file --verify-diagnostics --allow-unregistered-dialect %s

// Accepted: the dialect's own, and those of other tools, which have no effect.
func.func @accepted(%a: memref<4xf32>) attributes {air.offload} {
  %0 = memref.alloc() {air.symmetric} : memref<8xf32>
  "test.op"() {air.launch_end, air.hoist = 3 : i64} : () -> ()
  return
}

// -----

// expected-error @below {{has the attribute 'air.ofload', but the air dialect defines no such attribute; did you mean 'air.offload'?}}
func.func private @similar() attributes {air.ofload}

// -----

// expected-error @below {{expects 'air.offload' to be a unit attribute, but got "yes"}}
func.func private @offload() attributes {air.offload = "yes"}

// -----

// expected-error @below {{cannot have the attribute 'air.symmetric', which is only allowed on memref.alloc}}
"test.op"() {air.symmetric} : () -> ()

// -----

// expected-error @below {{cannot have the attribute 'air.refeed_count', which is only allowed on air.channel, air.channel.put, air.dma_memcpy_nd and memref.alloc}}
"test.op"() {air.refeed_count = 2 : i64} : () -> ()

// -----

func.func @refed() {
  %0 = memref.alloc() {air.refeed_count = 4 : i32} : memref<8xf32, 1>
  air.channel.put @c[] (%0[] [] []) {air.refeed_count = 4 : i32} : (memref<8xf32, 1>)
  // expected-error @below {{expects 'air.refeed_count' to be a positive integer, but got 0 : i32}}
  %1 = memref.alloc() {air.refeed_count = 0 : i32} : memref<8xf32, 1>
  return
}

// -----

// expected-error @below {{cannot have the attribute 'air.supported_ranks', which is only allowed on air.rank}}
"test.op"() {air.supported_ranks = "01"} : () -> ()

// -----

// expected-error @below {{expects 'air.channel_name' to be a nonempty string, but got ""}}
llvm.mlir.global internal @named() {air.channel_name = ""} : i32

// -----

// expected-error @below {{cannot have the attribute 'air.channel_name', which is only allowed on llvm.mlir.global}}
"test.op"() {air.channel_name = "@c"} : () -> ()

// -----

// expected-error @below {{expects 'air.channel_bytes' to be a non-negative i64, but got -4 : i64}}
llvm.mlir.global internal @sized() {air.channel_bytes = -4 : i64} : i32

// -----

func.func @ranks(%n: index) {
  // expected-error @below {{expects 'air.supported_ranks' to be a string of '0' and '1', but got "012"}}
  air.rank (%r) in (%size = %n) attributes {air.supported_ranks = "012"} {
  }
  return
}

// -----

// expected-error @below {{"air.refeed_count" (0) must be in [1, INT32_MAX]}}
air.channel @refed {air.refeed_count = 0 : i64}

// -----

// expected-error @below {{expects 'air.channel_bytes' to be a non-negative i64, but got 4 : i32}}
llvm.mlir.global internal @narrow() {air.channel_bytes = 4 : i32} : i32

// -----

// expected-error @below {{cannot have the attribute 'air.channel_bytes', which is only allowed on llvm.mlir.global}}
"test.op"() {air.channel_bytes = 4 : i64} : () -> ()

// -----

func.func @symmetric() {
  // expected-error @below {{expects 'air.symmetric' to be a unit attribute, but got false}}
  %0 = memref.alloc() {air.symmetric = false} : memref<8xf32>
  return
}

// -----

// expected-error @below {{expects 'air.entry_point' to be #air.entry_point, but got 1 : i64}}
func.func private @entry() attributes {air.entry_point = 1}

// -----

// expected-error @below {{expects 'air.size_checks' to be an array of #air.size_check, but got 1 : i64}}
func.func private @checks() attributes {air.size_checks = 1}

// -----

// expected-error @below {{expects 'air.work' to be #air.work, or an array of #air.work, but got [1]}}
func.func private @work() attributes {air.work = [1]}

// -----

// expected-error @below {{expects 'air.kernel_work' to be #air.kernel_work, but got 1 : i64}}
func.func private @kernel_work() attributes {air.kernel_work = 1}

// -----

// expected-error @below {{cannot have the attribute 'air.separate', which is only allowed on an argument of a function}}
func.func private @separate() attributes {air.separate}

// -----

func.func private @donated(tensor<4xf32> {air.donated})

// -----

// expected-error @below {{cannot have the attribute 'air.donated', which is only allowed on an argument of a function}}
func.func private @donated_function() attributes {air.donated}

// -----

// expected-error @below {{cannot have the attribute 'air.donated', which is only allowed on tensor arguments of functions}}
func.func private @donated_memref(memref<4xf32> {air.donated})

// -----

// expected-error @below {{expects 'air.donated' to be a unit attribute, but got 1 : i64}}
func.func private @donated_number(tensor<4xf32> {air.donated = 1})
