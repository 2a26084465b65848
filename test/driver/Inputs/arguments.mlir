// Prints its name and each argument; exits with the number of arguments.
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @line("%s: %s\0A\00") {addr_space = 0 : i32}
func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %one = arith.constant 1 : i32
  %format = llvm.mlir.addressof @line : !llvm.ptr
  %name = llvm.load %argv : !llvm.ptr -> !llvm.ptr
  %count = arith.subi %argc, %one : i32
  %first = arith.constant 1 : index
  %step = arith.constant 1 : index
  %end = arith.index_cast %argc : i32 to index
  scf.for %i = %first to %end step %step {
    %j = arith.index_cast %i : index to i64
    %slot = llvm.getelementptr %argv[%j] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
    %text = llvm.load %slot : !llvm.ptr -> !llvm.ptr
    %n = llvm.call @printf(%format, %name, %text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  }
  return %count : i32
}
