// What HIP's printf and fprintf(stderr, …) of strings become, and a call to a function
// of the host.
gpu.module @m {
  llvm.func @__ockl_printf_begin(i64) -> i64
  llvm.func @__ockl_fprintf_stderr_begin() -> i64
  llvm.func @__ockl_printf_append_args(i64, i32, i64, i64, i64, i64, i64, i64, i64, i32) -> i64
  llvm.func @__ockl_printf_append_string_n(i64, !llvm.ptr, i64, i32) -> i64
  llvm.func @__ockl_call_host_function(i64, i64, i64, i64, i64, i64, i64, i64) -> vector<2xi64>
  llvm.mlir.global internal constant @format("lane %d of %s: %.3s|%*d|%5.2f\0A\00") {addr_space = 4 : i32}
  llvm.mlir.global internal constant @name("a wave whose name is longer than one packet, which has fifty-six bytes\00") {addr_space = 4 : i32}
  llvm.mlir.global internal constant @wrong("to stderr\0A\00") {addr_space = 4 : i32}

  // printf(format, lane, name, name, -5, lane, 0.5)
  gpu.func @strings(%results: memref<?xi64>) kernel {
    %lane = gpu.thread_id x
    %i = arith.index_cast %lane : index to i64
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %three = llvm.mlir.constant(3 : i64) : i64
    %minus = llvm.mlir.constant(-5 : i64) : i64
    %half = llvm.mlir.constant(4602678819172646912 : i64) : i64
    %count1 = llvm.mlir.constant(1 : i32) : i32
    %count3 = llvm.mlir.constant(3 : i32) : i32
    %more = llvm.mlir.constant(0 : i32) : i32
    %last = llvm.mlir.constant(1 : i32) : i32
    %format_bytes = llvm.mlir.constant(31 : i64) : i64
    %name_bytes = llvm.mlir.constant(71 : i64) : i64
    %format4 = llvm.mlir.addressof @format : !llvm.ptr<4>
    %format = llvm.addrspacecast %format4 : !llvm.ptr<4> to !llvm.ptr
    %name4 = llvm.mlir.addressof @name : !llvm.ptr<4>
    %name = llvm.addrspacecast %name4 : !llvm.ptr<4> to !llvm.ptr
    %0 = llvm.call @__ockl_printf_begin(%zero) : (i64) -> i64
    %1 = llvm.call @__ockl_printf_append_string_n(%0, %format, %format_bytes, %more) : (i64, !llvm.ptr, i64, i32) -> i64
    %2 = llvm.call @__ockl_printf_append_args(%1, %count1, %i, %zero, %zero, %zero, %zero, %zero, %zero, %more) : (i64, i32, i64, i64, i64, i64, i64, i64, i64, i32) -> i64
    %3 = llvm.call @__ockl_printf_append_string_n(%2, %name, %name_bytes, %more) : (i64, !llvm.ptr, i64, i32) -> i64
    %4 = llvm.call @__ockl_printf_append_string_n(%3, %name, %name_bytes, %more) : (i64, !llvm.ptr, i64, i32) -> i64
    %5 = llvm.call @__ockl_printf_append_args(%4, %count3, %minus, %i, %half, %zero, %zero, %zero, %zero, %last) : (i64, i32, i64, i64, i64, i64, i64, i64, i64, i32) -> i64
    memref.store %5, %results[%lane] : memref<?xi64>
    gpu.return
  }
  gpu.func @errors() kernel {
    %last = llvm.mlir.constant(1 : i32) : i32
    %bytes = llvm.mlir.constant(11 : i64) : i64
    %text4 = llvm.mlir.addressof @wrong : !llvm.ptr<4>
    %text = llvm.addrspacecast %text4 : !llvm.ptr<4> to !llvm.ptr
    %0 = llvm.call @__ockl_fprintf_stderr_begin() : () -> i64
    %1 = llvm.call @__ockl_printf_append_string_n(%0, %text, %bytes, %last) : (i64, !llvm.ptr, i64, i32) -> i64
    gpu.return
  }
  gpu.func @function(%address: i64) kernel {
    %0 = llvm.call @__ockl_call_host_function(%address, %address, %address, %address, %address, %address, %address, %address) : (i64, i64, i64, i64, i64, i64, i64, i64) -> vector<2xi64>
    gpu.return
  }
}
