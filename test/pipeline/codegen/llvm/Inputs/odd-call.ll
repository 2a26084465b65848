target triple = "spirv64-unknown-unknown"

declare <3 x i32> @odd(i24)

define spir_func void @kernel(ptr addrspace(1) %p, i24 %x) {
  %y = add i24 %x, 1
  %v = call <3 x i32> @odd(i24 %y)
  store <3 x i32> %v, ptr addrspace(1) %p
  ret void
}
