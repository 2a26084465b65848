"""Prints a kernel of successive scf.if. Usage: branches.py COUNT"""

import sys

print("gpu.module @m {\ngpu.func @k(%a: memref<64xi32>) kernel {\n%t = gpu.thread_id x\n%z = arith.constant 0 : i32")
for i in range(int(sys.argv[1])):
    print(
        f"%v{i} = memref.load %a[%t] : memref<64xi32>\n%c{i} = arith.cmpi eq, %v{i}, %z : i32\n"
        f"%d{i} = arith.constant {i} : i32\nscf.if %c{i} {{\nmemref.store %d{i}, %a[%t] : memref<64xi32>\n}}"
    )
print("gpu.return\n}\n}")
