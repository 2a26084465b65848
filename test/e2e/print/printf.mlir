// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %aircc %s --target gfx90a -O0 -o %t.gfx90a && %t.gfx90a | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && env AIRCC_SIM_CHECK=1 %t.gfx1100 | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s --match-full-lines --strict-whitespace

// gpu.printf with values of all types: as C prints them, whatever width the format says.

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
// CHECK-NEXT:1 255 65236 4294897296 123456789012345
      gpu.printf "%u %u %u %u %llu\n", %true, %i8, %i16, %i32, %n : i1, i8, i16, i32, i64
// CHECK-NEXT:ff 0xfed4 37777567220 7048860DDF79 -1 212
      gpu.printf "%x %#x %o %X %hhd %hhu\n", %i8, %i16, %i32, %n, %i8, %i16 : i8, i16, i32, i64, i8, i16
      %f16 = arith.truncf %f : f32 to f16
      %bf16 = arith.truncf %f : f32 to bf16
      %f64 = arith.extf %f : f32 to f64
// CHECK-NEXT:-2.750000 -2.75 -2.750000e+00 -0x1.6p+1 -2.75
      gpu.printf "%f %g %e %a %G\n", %f, %f16, %bf16, %f64, %f : f32, f16, bf16, f64, f32
// CHECK-NEXT:[   -2.8] [-2.75  ] [-3]
      gpu.printf "[%7.1f] [%-7g] [%.0f]\n", %f, %f16, %f64 : f32, f16, f64
      %width = arith.constant 8 : i32
      %precision = arith.constant 3 : index
// CHECK-NEXT:[     -70000] [-2.750  ] [+00005] [-001]
      %five = arith.constant 5 : i32
      gpu.printf "[%11d] [%-*.*f] [%+06d] [%.3d]\n", %i32, %width, %precision, %f, %five, %i8 : i32, i32, index, f32, i32, i8
      %c = arith.constant 65 : i8
// CHECK-NEXT:A 100% 0xff %d
      gpu.printf "%c 100%% %p %%d\n", %c, %i8 : i8, i8
// CHECK-NEXT:a text that is longer than a packet of fifty-six bytes, and 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 numbers
      %1 = arith.constant 1 : i32
      %2 = arith.constant 2 : i32
      %3 = arith.constant 3 : i32
      %4 = arith.constant 4 : i32
      %6 = arith.constant 6 : i32
      %7 = arith.constant 7 : i32
      %8 = arith.constant 8 : i32
      %9 = arith.constant 9 : i32
      %10 = arith.constant 10 : i32
      %11 = arith.constant 11 : i32
      %12 = arith.constant 12 : i32
      %13 = arith.constant 13 : i32
      %14 = arith.constant 14 : i32
      %15 = arith.constant 15 : i32
      gpu.printf "a text that is longer than a packet of fifty-six bytes, and %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d numbers\n", %1, %2, %3, %4, %five, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
// CHECK-NEXT:no end of the line; its end
      gpu.printf "no end of the line; "
      gpu.printf "its end\n"
      gpu.return
    }
  }
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %f = arith.constant -2.75 : f32
    %n = arith.constant 123456789012345 : i64
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%f : f32, %n : i64)
// CHECK-NEXT:the host goes on
    vector.print str "the host goes on\0A"
    return %zero : i32
  }
}
