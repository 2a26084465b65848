target triple = "spirv64-unknown-unknown"

define spir_func void @kernel(ptr addrspace(1) %p, i128 %x) {
  %y = add i128 %x, 1
  store i128 %y, ptr addrspace(1) %p
  ret void
}
