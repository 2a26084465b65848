// Prints the device that the runtime is configured to use.
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @getenv(!llvm.ptr) -> !llvm.ptr
llvm.mlir.global internal constant @line("device: %s\0A\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @name("AIRCC_DEVICE\00") {addr_space = 0 : i32}
func.func @main() -> i32 {
  %format = llvm.mlir.addressof @line : !llvm.ptr
  %name = llvm.mlir.addressof @name : !llvm.ptr
  %value = llvm.call @getenv(%name) : (!llvm.ptr) -> !llvm.ptr
  %n = llvm.call @printf(%format, %value) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, !llvm.ptr) -> i32
  %zero = arith.constant 0 : i32
  return %zero : i32
}
