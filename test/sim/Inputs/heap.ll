; Reads the first word behind hidden_heap_v1, as malloc of the device libraries does.
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

define protected amdgpu_kernel void @heap(ptr addrspace(1) noundef %out) #0 {
  %implicit = tail call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %at = getelementptr inbounds i8, ptr addrspace(4) %implicit, i64 96
  %heap = load ptr addrspace(1), ptr addrspace(4) %at, align 8
  %word = load volatile i32, ptr addrspace(1) %heap, align 4
  store i32 %word, ptr addrspace(1) %out, align 4
  ret void
}

declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()

attributes #0 = { nounwind "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-hostcall-ptr" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
