; Vectors of other than 2, 4, 8 and 16 elements.

; RUN: %aircc opt-llvm %s --target bmg --passes=aircc-spirv-split-vectors -S | FileCheck %s
; RUN: not %aircc opt-llvm %S/../Inputs/odd-call.ll --passes=aircc-spirv-split-vectors,aircc-spirv-widen-integers -S 2>&1 | FileCheck %s --check-prefix=ERROR

; CHECK-LABEL: define spir_func void @sum(
; CHECK-NEXT:    %[[X0:.*]] = load <16 x float>, ptr addrspace(1) %p, align 128
; CHECK-NEXT:    %[[P1:.*]] = getelementptr inbounds i8, ptr addrspace(1) %p, i64 64
; CHECK-NEXT:    %[[X1:.*]] = load <16 x float>, ptr addrspace(1) %[[P1]], align 64
; CHECK-NEXT:    %[[S0:.*]] = fadd <16 x float> %[[X0]], %[[X0]]
; CHECK-NEXT:    %[[S1:.*]] = fadd <16 x float> %[[X1]], %[[X1]]
; CHECK-NEXT:    store <16 x float> %[[S0]], ptr addrspace(1) %q
; CHECK:         store <16 x float> %[[S1]]
; CHECK-NEXT:    ret void
define spir_func void @sum(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load <32 x float>, ptr addrspace(1) %p
  %s = fadd <32 x float> %x, %x
  store <32 x float> %s, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define spir_func i32 @three(
; CHECK-NEXT:    load <2 x i32>, ptr addrspace(1) %p, align 16
; CHECK:         %[[LAST:.*]] = load i32, ptr addrspace(1)
; CHECK-NEXT:    ret i32 %[[LAST]]
define spir_func i32 @three(ptr addrspace(1) %p) {
  %x = load <3 x i32>, ptr addrspace(1) %p
  %e = extractelement <3 x i32> %x, i64 2
  ret i32 %e
}

; An element that is known when the program runs is chosen from those of all pieces.
; CHECK-LABEL: define spir_func i32 @dynamic(
; CHECK:         icmp ult i32 {{.*}}, 2
; CHECK:         select i1
; CHECK:         ret i32
define spir_func i32 @dynamic(ptr addrspace(1) %p, i32 %i) {
  %x = load <3 x i32>, ptr addrspace(1) %p
  %e = extractelement <3 x i32> %x, i32 %i
  ret i32 %e
}

; CHECK-LABEL: define spir_func void @loop(
; CHECK:       loop:
; CHECK-NEXT:    phi <2 x i32>
; CHECK-NEXT:    phi i32
; CHECK-NOT:     <3 x i32>
; CHECK:         ret void
define spir_func void @loop(ptr addrspace(1) %p, i1 %c) {
entry:
  br label %loop
loop:
  %x = phi <3 x i32> [ zeroinitializer, %entry ], [ %y, %loop ]
  %y = add <3 x i32> %x, <i32 1, i32 2, i32 3>
  br i1 %c, label %loop, label %end
end:
  store <3 x i32> %y, ptr addrspace(1) %p
  ret void
}

; Casts of ranges whose ends agree.
; CHECK-LABEL: define spir_func void @cast(
; CHECK-COUNT-2: bitcast <16 x i16> {{.*}} to <16 x half>
; CHECK-COUNT-2: store <16 x half>
define spir_func void @cast(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load <32 x i16>, ptr addrspace(1) %p
  %y = bitcast <32 x i16> %x to <32 x half>
  store <32 x half> %y, ptr addrspace(1) %q
  ret void
}

; At the function, as the call has no debug location; and once, not by each pass.
; ERROR: odd-call.ll:5:1: error: {{.*}}operations on vectors of this size cannot be translated to SPIR-V:{{.*}}call <3 x i32> @odd(
; ERROR-NOT: error
