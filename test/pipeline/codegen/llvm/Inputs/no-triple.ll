define void @kernel() {
  ret void
}
