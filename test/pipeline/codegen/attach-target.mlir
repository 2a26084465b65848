// RUN: split-file %s %t
// RUN: %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx942 wave-size=64 code-object-version=5 opt-level=3" | FileCheck %t/plain.mlir --check-prefix=WAVE64
// RUN: %aircc opt %t/plain.mlir --codegen-attach-target="chip=gfx1100 wave-size=32 features=+cumode code-object-version=6" | FileCheck %t/plain.mlir --check-prefix=WAVE32
// RUN: not %aircc opt %t/plain.mlir --codegen-attach-target 2>&1 | FileCheck %t/plain.mlir --check-prefix=NOCHIP
// RUN: %aircc opt %t/own.mlir --codegen-attach-target="chip=gfx90a" | FileCheck %t/own.mlir --check-prefix=KEEP
// RUN: not %aircc opt %t/own.mlir --codegen-attach-target="chip=gfx942" 2>&1 | FileCheck %t/own.mlir --check-prefix=OTHER

//--- plain.mlir
// WAVE64: gpu.module @a [#rocdl.target<O = 3, chip = "gfx942", abi = "500">]
// WAVE32: gpu.module @a [#rocdl.target<chip = "gfx1100", features = "+cumode", flags = {no_wave64}>]
// NOCHIP: error: no chip to compile for; set the option 'chip'
gpu.module @a {
}

//--- own.mlir
// KEEP: gpu.module @a [#rocdl.target<O = 1, chip = "gfx90a">]
// OTHER: own.mlir:[[#@LINE+1]]:1: error: 'gpu.module' op already targets [#rocdl.target<O = 1, chip = "gfx90a">] and cannot be compiled for 'gfx942'
gpu.module @a [#rocdl.target<O = 1, chip = "gfx90a">] {
}
