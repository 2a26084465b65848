// Executes a shell with the given arguments.
llvm.func @execv(!llvm.ptr, !llvm.ptr) -> i32
llvm.mlir.global internal constant @shell("/bin/sh\00") {addr_space = 0 : i32}
func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %path = llvm.mlir.addressof @shell : !llvm.ptr
  %failed = llvm.call @execv(%path, %argv) : (!llvm.ptr, !llvm.ptr) -> i32
  return %failed : i32
}
