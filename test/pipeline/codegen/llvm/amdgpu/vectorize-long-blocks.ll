; Accesses of blocks with at least 2,048 of them are combined in parts of 512 accesses (LoadStoreVectorizer takes quadratic
; time), and the block remains one. The backend does not run its pass on them again. 2,047 accesses are left to
; it.

; RUN: python3 %S/../Inputs/loads.py short 2046 > %t.ll
; RUN: python3 %S/../Inputs/loads.py long 2052 >> %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx942 --passes=aircc-amdgpu-vectorize-long-blocks -S -o - | FileCheck %s

; CHECK-LABEL:     @short(
; CHECK-NOT:       load <
; CHECK-LABEL:     @long(
; CHECK-SAME:      #[[ATTRIBUTES:[0-9]+]]
; CHECK-NEXT:      start:
; CHECK-COUNT-128: load <16 x i32>
; CHECK:           load <4 x i32>
; CHECK-NOT:       load
; CHECK-NOT:       {{^}}{{[a-z0-9.]+}}:
; CHECK:           ret void
; CHECK:           attributes #[[ATTRIBUTES]] = { "aircc-vectorized" }

; RUN: %aircc opt-llvm %t.ll --target gfx942 --asm -o - | FileCheck %s --check-prefix=ASM
; ASM-LABEL:       long:
; ASM-COUNT-128:   {{s_load_dwordx16|global_load_dwordx4}}

; The attribute alone keeps the backend's pass from combining stores.
; RUN: %aircc opt-llvm %s --target gfx942 --passes=no-op-module --asm -print-after-all -o %t.s 2>&1 | FileCheck %s --check-prefix=GATE
; GATE:        IR Dump After {{.*}} (load-store-vectorizer)
; GATE-NEXT:   @vectorized(
; GATE-NEXT:     store i32 %x
; GATE:        IR Dump After {{.*}} (load-store-vectorizer)
; GATE-NEXT:   @other(
; GATE:          store <2 x i32>

define void @vectorized(ptr addrspace(1) %p, i32 %x) #0 {
  store i32 %x, ptr addrspace(1) %p, align 8
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 1, ptr addrspace(1) %q
  ret void
}

define void @other(ptr addrspace(1) %p, i32 %x) {
  store i32 %x, ptr addrspace(1) %p, align 8
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 1, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "aircc-vectorized" }
