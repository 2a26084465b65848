// Long vectors of f16 on a host that converts none: one loop for each conversion
// and length, not a call for each element.

// REQUIRES: x86-host
// RUN: %aircc %s --target gfx942 --emit host-llvm -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@sum(
// CHECK:       call void @aircc.half.extend.16(
// CHECK:       call void @aircc.half.extend.16(
// CHECK:       fadd <16 x float>
// CHECK:       call void @aircc.half.truncate.16(
// CHECK-NOT:   fadd <16 x half>
// CHECK:       ret void
func.func @sum(%a: memref<16xf16>, %b: memref<16xf16>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<16xf16>, vector<16xf16>
  %y = vector.load %b[%c0] : memref<16xf16>, vector<16xf16>
  %s = arith.addf %x, %y : vector<16xf16>
  vector.store %s, %b[%c0] : memref<16xf16>, vector<16xf16>
  return
}

// Short vectors are left to LLVM.
// CHECK-LABEL: define {{.*}}@short(
// CHECK:       fadd <4 x half>
// CHECK:       ret void
func.func @short(%a: memref<4xf16>, %b: memref<4xf16>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<4xf16>, vector<4xf16>
  %y = vector.load %b[%c0] : memref<4xf16>, vector<4xf16>
  %s = arith.addf %x, %y : vector<4xf16>
  vector.store %s, %b[%c0] : memref<4xf16>, vector<4xf16>
  return
}

// f64 is not rounded twice.
// CHECK-LABEL: define {{.*}}@narrow(
// CHECK:       fptrunc <16 x double> {{.*}} to <16 x half>
// CHECK:       ret void
func.func @narrow(%a: memref<16xf64>, %b: memref<16xf16>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<16xf64>, vector<16xf64>
  %s = arith.truncf %x : vector<16xf64> to vector<16xf16>
  vector.store %s, %b[%c0] : memref<16xf16>, vector<16xf16>
  return
}

// CHECK-LABEL: define internal void @aircc.half.extend.16(
// CHECK:       fpext half {{.*}} to float
// CHECK-LABEL: define internal void @aircc.half.truncate.16(
// CHECK:       fptrunc float {{.*}} to half
