; C = A * B with f32 matrices of N x N: every lane computes one element. The
; same IR runs on the device and, lane after lane, on the host; two functions
; that each side defines return the position of a lane.
define dso_local void @element(ptr noalias %a, ptr noalias %b, ptr noalias %c, i32 %n, i32 %i, i32 %j) alwaysinline {
entry:
  %row = mul i32 %i, %n
  %i64 = zext i32 %row to i64
  %j64 = zext i32 %j to i64
  %n64 = zext i32 %n to i64
  %a.row = getelementptr float, ptr %a, i64 %i64
  %b.col = getelementptr float, ptr %b, i64 %j64
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %b.at = phi ptr [ %b.col, %entry ], [ %b.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %a.at = getelementptr float, ptr %a.row, i64 %k
  %x = load float, ptr %a.at, align 4
  %y = load float, ptr %b.at, align 4
  %p = fmul contract float %x, %y
  %sum.next = fadd contract float %sum, %p
  %b.next = getelementptr float, ptr %b.at, i64 %n64
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n64
  br i1 %more, label %loop, label %exit

exit:
  %c.index = add i32 %row, %j
  %c64 = zext i32 %c.index to i64
  %c.at = getelementptr float, ptr %c, i64 %c64
  store float %sum.next, ptr %c.at, align 4
  ret void
}
