; `aircc opt-llvm` is LLVM's opt with the passes of aircc.

; RUN: %aircc opt-llvm %s --passes=instcombine,dce -S | FileCheck %s
; RUN: %aircc opt-llvm --passes='function(instcombine),aircc-host-outline-half-vectors' -S -o - < %s | FileCheck %s
; RUN: %aircc opt-llvm %s -S --passes=instcombine -o %t.ll
; RUN: FileCheck %s < %t.ll

; CHECK-LABEL: define i32 @fold(
; CHECK-NEXT:    ret i32 %x
define i32 @fold(i32 %x) {
  %y = add i32 %x, 0
  ret i32 %y
}

; Bitcode as input and output.
; RUN: %aircc opt-llvm %s -o %t.bc
; RUN: %aircc opt-llvm %t.bc --passes=instcombine -S | FileCheck %s

; The passes of a compile for a target, at an optimization level; the profile specifies the chip.
; RUN: %aircc opt-llvm %s --target gfx942 -O2 --print-pipeline | FileCheck %s --check-prefix=AMDGPU
; RUN: %aircc opt-llvm %s --target gfx942 -O0 --print-pipeline | FileCheck %s --check-prefix=AMDGPU-O0
; RUN: %aircc opt-llvm %s --target bmg -O2 --print-pipeline | FileCheck %s --check-prefix=SPIRV
; RUN: %aircc opt-llvm %s -O2 --print-pipeline | FileCheck %s --check-prefix=HOST
; AMDGPU:      function(aircc-amdgpu-set-function-attributes),aircc-amdgpu-internalize-functions,aircc-llvm-split-large-functions,function(aircc-amdgpu-limit-unrolling),function(aircc-amdgpu-keep-wide-loads),function(aircc-amdgpu-mark-joins),
; AMDGPU-SAME: instcombine
; AMDGPU-SAME: function(aircc-amdgpu-choose-schedulers),function(aircc-amdgpu-remove-join-marks)
; AMDGPU-SAME: function(aircc-amdgpu-expand-atomics),function(aircc-amdgpu-split-half-conversions),function(aircc-amdgpu-pin-matrix-products),function(aircc-amdgpu-hoist-addresses),function(aircc-amdgpu-pack-loaded-bytes),function(aircc-amdgpu-put-sums-in-agprs),function(aircc-amdgpu-interleave-products),function(aircc-amdgpu-vectorize-long-blocks){{$}}
; AMDGPU-O0-NOT:  aircc-amdgpu-mark-joins
; AMDGPU-O0:      aircc-amdgpu-choose-schedulers
; AMDGPU-O0-SAME: function(aircc-amdgpu-widen-divisions),function(aircc-amdgpu-keep-unsigned-quotients){{$}}
; SPIRV:      aircc-spirv-rename-intel-functions,function(aircc-spirv-expand-reductions),aircc-llvm-split-large-functions,aircc-spirv-set-calling-conventions
; SPIRV-SAME: scalarize-masked-mem-intrin
; SPIRV-SAME: infer-address-spaces
; SPIRV-SAME: function(aircc-spirv-fuse-multiply-adds),function(aircc-spirv-drop-prefetches),function(aircc-spirv-limit-alignments),function(aircc-spirv-split-aggregate-phis),function(aircc-spirv-address-variables-in-phis),function(aircc-spirv-expand-reductions),function(aircc-spirv-expand-bit-reversals)
; SPIRV-SAME: function(aircc-spirv-split-vectors),function(aircc-spirv-widen-integers),function(aircc-spirv-mask-truncated-values){{$}}
; HOST:      aircc-host-check-runtime-interface,
; HOST-SAME: instcombine
; HOST-SAME: aircc-host-outline-half-vectors{{$}}

; Compiles run the same passes and print them as LLVM does.
; RUN: %aircc %samples/vector_add.mlir --target gfx942 --emit=llvm -mllvm -print-after=aircc-amdgpu-choose-schedulers -o %t.out.ll 2>&1 | FileCheck %s --check-prefix=COMPILE
; COMPILE: IR Dump After aircc::amdgpu::ChooseSchedulersPass on

; LLVM's own options work.
; RUN: %aircc opt-llvm %s --target gfx942 --passes=aircc-amdgpu-expand-atomics --print-after=aircc-amdgpu-expand-atomics -S -o %t.ll 2>&1 | FileCheck %s --check-prefix=DUMP
; DUMP: IR Dump After aircc::amdgpu::ExpandAtomicsPass on fold

; Assembly for the chip, or for SPIR-V.
; RUN: %aircc opt-llvm %s --target gfx1100 --asm | FileCheck %s --check-prefix=ASM
; RUN: sed 's/define/define spir_func/' %s | %aircc opt-llvm --target pvc --asm | FileCheck %s --check-prefix=SPIRV-ASM
; ASM: .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
; SPIRV-ASM: OpFunction

; Errors have a location if there is one.
; RUN: echo 'define void @f() { ret i32 }' > %t.wrong.ll
; RUN: not %aircc opt-llvm %t.wrong.ll -S 2>&1 | FileCheck %s --check-prefix=PARSE
; RUN: not %aircc opt-llvm %s --passes=instcombin -S 2>&1 | FileCheck %s --check-prefix=PASS
; RUN: not %aircc opt-llvm %s --passes='instcombine(' -S 2>&1 | FileCheck %s --check-prefix=SYNTAX
; RUN: not %aircc opt-llvm %s --target gfx1 -S 2>&1 | FileCheck %s --check-prefix=TARGET
; RUN: not %aircc opt-llvm %t.none.ll -S 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not %aircc opt-llvm %s --asm 2>&1 | FileCheck %s --check-prefix=NO-TARGET
; RUN: not %aircc opt-llvm %s -O2 --passes=dce 2>&1 | FileCheck %s --check-prefix=BOTH
; RUN: not %aircc opt-llvm %s -O4 2>&1 | FileCheck %s --check-prefix=LEVEL
; RUN: not %aircc opt-llvm %s --pases=dce 2>&1 | FileCheck %s --check-prefix=OPTION
; RUN: echo 'target triple = "spirv64-unknown-unknown"' > %t.spirv.ll
; RUN: cat %s >> %t.spirv.ll
; RUN: not %aircc opt-llvm %t.spirv.ll --target gfx942 -S 2>&1 | FileCheck %s --check-prefix=TRIPLE
; PARSE: wrong.ll:1:{{[0-9]+}}: error:
; PASS: aircc: error: --passes: unknown {{.*}}'instcombin'
; SYNTAX: aircc: error: --passes: invalid pipeline 'instcombine('
; TARGET: error: {{.*}}'gfx1'
; NONE: aircc: error: cannot read {{.*}}No such file or directory
; NO-TARGET: aircc: error: --asm requires a target; specify --target, or a triple in the module
; BOTH: aircc: error: -O and --passes cannot be combined
; LEVEL: aircc: error: the optimization level must be -O0 to -O3, but got -O4
; OPTION: aircc: error: Unknown command line argument '--pases=dce'
; TRIPLE: error: {{.*}} is for 'spirv64-unknown-unknown', but the target 'gfx942' is 'amdgcn-amd-amdhsa'

; The same exit codes as aircc.
; RUN: sh -c '%aircc opt-llvm %t.wrong.ll -S 2> %t.err; test $? = 1'
; RUN: sh -c '%aircc opt-llvm %s --passes=instcombin 2> %t.err; test $? = 2'

; RUN: %aircc opt-llvm --help | FileCheck %s --check-prefix=HELP
; HELP: --passes=<PASSES>
