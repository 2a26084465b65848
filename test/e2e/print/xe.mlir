// RUN: %aircc %s --target bmg -o %t.bmg && %t.bmg | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %aircc %s --target pvc -O0 -o %t.pvc && env AIRCC_SIM_CHECK=1 %t.pvc | FileCheck %s --match-full-lines --strict-whitespace

// gpu.printf on Intel GPUs, by OpenCL's printf; several kernels with several formats each.

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%f: f32, %n: i64) kernel {
      %true = arith.constant true
      %i8 = arith.constant -1 : i8
      %i16 = arith.constant -300 : i16
      %i32 = arith.constant -70000 : i32
      %ix = arith.index_cast %n : i64 to index
//      CHECK:plain
      gpu.printf "plain\n"
// CHECK-NEXT:1 -1 -300 -70000 123456789012345 123456789012345
      gpu.printf "%d %d %d %d %d %ld\n", %true, %i8, %i16, %i32, %n, %ix : i1, i8, i16, i32, i64, index
// CHECK-NEXT:1 255 65236 ff 0xfed4 37777567220 -1 212
      gpu.printf "%u %u %llu %x %#x %o %hhd %hhu\n", %true, %i8, %i16, %i8, %i16, %i32, %i8, %i16 : i1, i8, i16, i8, i16, i32, i8, i16
      %f16 = arith.truncf %f : f32 to f16
      %bf16 = arith.truncf %f : f32 to bf16
      %c = arith.constant 65 : i64
// CHECK-NEXT:A -2.750000 -2.75 -2.750000e+00 [   -2.8] 100%
      gpu.printf "%c %f %g %e [%7.1f] 100%%\n", %c, %f, %f16, %bf16, %f : i64, f32, f16, bf16, f32
      gpu.return
    }
    gpu.func @other() kernel {
      %lane = gpu.thread_id x
      %c2 = arith.constant 2 : index
      %two = arith.cmpi eq, %lane, %c2 : index
// CHECK-NEXT:lane 2
      scf.if %two {
        gpu.printf "lane %d\n", %lane : index
      }
      gpu.return
    }
  }
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %f = arith.constant -2.75 : f32
    %n = arith.constant 123456789012345 : i64
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%f : f32, %n : i64)
    gpu.launch_func @m::@other blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
// CHECK-NEXT:the host goes on
    vector.print str "the host goes on\0A"
    return %zero : i32
  }
}
