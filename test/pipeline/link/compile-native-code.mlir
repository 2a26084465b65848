// Intel's offline compiler, here one that copies a file, makes native code of SPIR-V.

// RUN: echo 'int kernels;' > %t.c
// RUN: %host-cc -c %t.c -o %t.o
// RUN: env PATH=%source-dir/test/driver/Inputs/fake-ocloc:/usr/bin:/bin FAKE_OCLOC_LOG=%t.log FAKE_OCLOC_CODE=%t.o %aircc opt %s --link-compile-native-code | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// RUN: sed 's/\\03\\02/none/' %s > %t.mlir
// RUN: not env PATH=%source-dir/test/driver/Inputs/fake-ocloc:/usr/bin:/bin FAKE_OCLOC_LOG=%t.log FAKE_OCLOC_CODE=%t.o %aircc opt %t.mlir --link-compile-native-code 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not env TMPDIR=%t.missing PATH=%source-dir/test/driver/Inputs/fake-ocloc:/usr/bin:/bin FAKE_OCLOC_LOG=%t.log FAKE_OCLOC_CODE=%t.o %aircc opt %s --link-compile-native-code 2>&1 | FileCheck %s --check-prefix=FOLDER

// CHECK: gpu.binary @kernels [#gpu.object<#xevm.target{{.*}}, bin = "\7FELF
// LOG: compile {{.*}}kernels.spv {{.*}}-device bmg
// FOLDER: cannot create a temporary directory: No such file or directory
// NONE: error: 'gpu.binary' op contains no SPIR-V to compile to native code
gpu.binary @kernels [#gpu.object<#xevm.target<chip = "bmg">, bin = "\03\02\23\07\00\00\01\00\00\00\00\00\01\00\00\00\00\00\00\00">]
