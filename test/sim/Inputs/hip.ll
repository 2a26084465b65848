; What clang makes of a HIP file: gridDim and blockDim come from the hidden
; arguments, as in
;
;   struct Pair { int first; float second; };
;   __global__ void saxpy(float a, const float *x, float *y, int n) {
;     for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
;          i += gridDim.x * blockDim.x)
;       y[i] = a * x[i] + y[i];
;   }
;   __global__ void pairs(Pair p, int *ints, float *floats) {
;     ints[threadIdx.x] = p.first + threadIdx.x;
;     floats[threadIdx.x] = p.second;
;   }
;
; VERSION is replaced by 400, 500 or 600.
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

%struct.Pair = type { i32, float }

define protected amdgpu_kernel void @saxpy(float noundef %a, ptr addrspace(1) noundef %x, ptr addrspace(1) noundef %y, i32 noundef %n) #0 {
entry:
  %group = tail call i32 @llvm.amdgcn.workgroup.id.x()
  %lane = tail call i32 @llvm.amdgcn.workitem.id.x()
  %implicit = tail call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %size.at = getelementptr inbounds i8, ptr addrspace(4) %implicit, i64 12
  %size16 = load i16, ptr addrspace(4) %size.at, align 4
  %size = zext i16 %size16 to i32
  %count = load i32, ptr addrspace(4) %implicit, align 4
  %base = mul i32 %group, %size
  %first = add i32 %base, %lane
  %step = mul i32 %count, %size
  %any = icmp slt i32 %first, %n
  br i1 %any, label %body, label %exit

body:
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  %i64 = sext i32 %i to i64
  %x.at = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i64
  %y.at = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i64
  %x.v = load float, ptr addrspace(1) %x.at, align 4
  %y.v = load float, ptr addrspace(1) %y.at, align 4
  %p = fmul contract float %a, %x.v
  %s = fadd contract float %p, %y.v
  store float %s, ptr addrspace(1) %y.at, align 4
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %exit

exit:
  ret void
}

define protected amdgpu_kernel void @pairs(%struct.Pair %p, ptr addrspace(1) noundef %ints, ptr addrspace(1) noundef %floats) #0 {
  %lane = tail call i32 @llvm.amdgcn.workitem.id.x()
  %i64 = zext i32 %lane to i64
  %first = extractvalue %struct.Pair %p, 0
  %second = extractvalue %struct.Pair %p, 1
  %int = add i32 %first, %lane
  %int.at = getelementptr inbounds i32, ptr addrspace(1) %ints, i64 %i64
  %float.at = getelementptr inbounds float, ptr addrspace(1) %floats, i64 %i64
  store i32 %int, ptr addrspace(1) %int.at, align 4
  store float %second, ptr addrspace(1) %float.at, align 4
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()

attributes #0 = { norecurse nounwind "amdgpu-flat-work-group-size"="1,256" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 VERSION}
