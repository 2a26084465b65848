; RUN: %aircc opt-llvm %s --passes=aircc-amdgpu-remove-join-marks -S | FileCheck %s

; The barrier of the program stays.
; CHECK-LABEL: define void @both()
; CHECK-NEXT:    call void @llvm.amdgcn.wave.barrier(){{$}}
; CHECK-NEXT:    ret void
define void @both() {
  call void @llvm.amdgcn.wave.barrier() #0
  call void @llvm.amdgcn.wave.barrier()
  call void @llvm.amdgcn.wave.barrier() #0
  ret void
}

attributes #0 = { memory(inaccessiblemem: readwrite) }
