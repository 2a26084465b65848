; In a function with 384 integer sums and products and more, straight-line strength
; reduction is skipped (aircc-amdgpu-skip-strength-reduction): it takes a time that
; grows with their square. In @short, (i + 2) * s becomes (i + 1) * s + s. In @long,
; which has the same products and many sums, each product is computed.

; RUN: python3 -c "print(open(r'%s').read().replace(chr(10) + ';SUMS', chr(10) + chr(10).join(f'%%x{i+1} = add i32 %%x{i}, %%x{max(0, i-1)}' for i in range(400))))" > %t.ll
; RUN: %aircc opt-llvm %t.ll --target gfx942 --asm -o - | FileCheck %s

; CHECK-LABEL: short:
; CHECK-COUNT-1: {{v_mul_lo_u32|v_mad_u64_u32}}
; CHECK-NOT:     {{v_mul_lo_u32|v_mad_u64_u32}}
; CHECK-LABEL: long:
; CHECK-COUNT-3: {{v_mul_lo_u32|v_mad_u64_u32}}

; So is n-ary reassociation. In @short_product, (a * c) * b becomes (a * b) * c.
; CHECK-LABEL: short_product:
; CHECK-COUNT-2: v_mul_lo_u32
; CHECK-NOT:     v_mul_lo_u32
; CHECK-LABEL: long_product:
; CHECK-COUNT-3: v_mul_lo_u32

define void @short(ptr addrspace(1) %p, i32 %i, i32 %s) {
  %a1 = add i32 %i, 1
  %m1 = mul i32 %a1, %s
  store volatile i32 %m1, ptr addrspace(1) %p
  %a2 = add i32 %i, 2
  %m2 = mul i32 %a2, %s
  store volatile i32 %m2, ptr addrspace(1) %p
  %a3 = add i32 %i, 3
  %m3 = mul i32 %a3, %s
  store volatile i32 %m3, ptr addrspace(1) %p
  ret void
}

define void @long(ptr addrspace(1) %p, i32 %i, i32 %s) {
  %a1 = add i32 %i, 1
  %m1 = mul i32 %a1, %s
  store volatile i32 %m1, ptr addrspace(1) %p
  %a2 = add i32 %i, 2
  %m2 = mul i32 %a2, %s
  store volatile i32 %m2, ptr addrspace(1) %p
  %a3 = add i32 %i, 3
  %m3 = mul i32 %a3, %s
  store volatile i32 %m3, ptr addrspace(1) %p
  %x0 = load volatile i32, ptr addrspace(1) %p
;SUMS
  store volatile i32 %x400, ptr addrspace(1) %p
  ret void
}

define void @short_product(ptr addrspace(1) %p, i32 %a, i32 %b, i32 %c) {
  %ab = mul i32 %a, %b
  store volatile i32 %ab, ptr addrspace(1) %p
  %less = icmp slt i32 %a, %c
  br i1 %less, label %then, label %end
then:
  %ac = mul i32 %a, %c
  %acb = mul i32 %ac, %b
  store volatile i32 %acb, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

define void @long_product(ptr addrspace(1) %p, i32 %a, i32 %b, i32 %c) {
  %ab = mul i32 %a, %b
  store volatile i32 %ab, ptr addrspace(1) %p
  %less = icmp slt i32 %a, %c
  br i1 %less, label %then, label %end
then:
  %ac = mul i32 %a, %c
  %acb = mul i32 %ac, %b
  store volatile i32 %acb, ptr addrspace(1) %p
  br label %end
end:
  %x0 = load volatile i32, ptr addrspace(1) %p
;SUMS
  store volatile i32 %x400, ptr addrspace(1) %p
  ret void
}
