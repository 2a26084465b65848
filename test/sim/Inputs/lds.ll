; Dynamic LDS as HIP (extern __shared__) and as OpenCL (a local pointer) take it:
; both reverse the order of the lanes.
target triple = "amdgcn-amd-amdhsa"

@dynamic = external addrspace(3) global [0 x i32], align 16
@fixed = internal addrspace(3) global [8 x i32] poison, align 16

define amdgpu_kernel void @hip(ptr addrspace(1) %out) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %to = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %lane
  store i32 %lane, ptr addrspace(3) %to, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %other = sub i32 63, %lane
  %from = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %other
  %value = load i32, ptr addrspace(3) %from, align 4
  %lane64 = zext i32 %lane to i64
  %at = getelementptr i32, ptr addrspace(1) %out, i64 %lane64
  store i32 %value, ptr addrspace(1) %at, align 4
  ret void
}

define amdgpu_kernel void @opencl(ptr addrspace(1) %out, ptr addrspace(3) %first, ptr addrspace(3) %second) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %in8 = and i32 %lane, 7
  %f = getelementptr [8 x i32], ptr addrspace(3) @fixed, i32 0, i32 %in8
  store i32 100, ptr addrspace(3) %f, align 4
  %to = getelementptr i32, ptr addrspace(3) %first, i32 %lane
  store i32 %lane, ptr addrspace(3) %to, align 4
  %to2 = getelementptr i32, ptr addrspace(3) %second, i32 %lane
  store i32 1000, ptr addrspace(3) %to2, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %other = sub i32 63, %lane
  %from = getelementptr i32, ptr addrspace(3) %first, i32 %other
  %value = load i32, ptr addrspace(3) %from, align 4
  %hundred = load i32, ptr addrspace(3) %f, align 4
  %from2 = getelementptr i32, ptr addrspace(3) %second, i32 %other
  %thousand = load i32, ptr addrspace(3) %from2, align 4
  %sum = add i32 %value, %hundred
  %all = add i32 %sum, %thousand
  %lane64 = zext i32 %lane to i64
  %at = getelementptr i32, ptr addrspace(1) %out, i64 %lane64
  store i32 %all, ptr addrspace(1) %at, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()

attributes #0 = { "amdgpu-flat-work-group-size"="1,256" "uniform-work-group-size"="true" }
