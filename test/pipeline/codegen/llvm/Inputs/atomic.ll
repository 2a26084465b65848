define void @add(ptr addrspace(3) %p) {
  %old = atomicrmw add ptr addrspace(3) %p, i8 1 monotonic
  ret void
}
