// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --targets-dir %S/../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64
//
// A parallel loop that writes both buffers of lanes and one of the workgroup
// writes the latter once, not once for each lane or wave.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("FAIL at %ld: got %d, expected %d\0A\00") {addr_space = 0 : i32}
  memref.global "private" constant @expected : memref<256xi32> = dense<[1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023, 1024, 1025, 1026, 1027, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035, 1036, 1037, 1038, 1039, 1040, 1041, 1042, 1043, 1044, 1045, 1046, 1047, 1048, 1049, 1050, 1051, 1052, 1053, 1054, 1055, 1056, 1057, 1058, 1059, 1060, 1061, 1062, 1063, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023, 1024, 1025, 1026, 1027, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035, 1036, 1037, 1038, 1039, 1040, 1041, 1042, 1043, 1044, 1045, 1046, 1047, 1048, 1049, 1050, 1051, 1052, 1053, 1054, 1055, 1056, 1057, 1058, 1059, 1060, 1061, 1062, 1063, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023, 1024, 1025, 1026, 1027, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035, 1036, 1037, 1038, 1039, 1040, 1041, 1042, 1043, 1044, 1045, 1046, 1047, 1048, 1049, 1050, 1051, 1052, 1053, 1054, 1055, 1056, 1057, 1058, 1059, 1060, 1061, 1062, 1063, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023, 1024, 1025, 1026, 1027, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035, 1036, 1037, 1038, 1039, 1040, 1041, 1042, 1043, 1044, 1045, 1046, 1047, 1048, 1049, 1050, 1051, 1052, 1053, 1054, 1055, 1056, 1057, 1058, 1059, 1060, 1061, 1062, 1063]>

  // in[i] = i, out[i] = -1
  func.func @k(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %k1 = arith.constant 1 : index
    air.launch (%x) in (%nx = %k1) args(%li = %in, %lo = %out) : memref<1024xi32>, memref<1024xi32> {
      air.segment @s args(%si = %li, %so = %lo) : memref<1024xi32>, memref<1024xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c64 = arith.constant 64 : index
        %i0 = arith.constant 0 : i32
        %i1 = arith.constant 1 : i32
        %l1 = memref.alloc() : memref<64xi32, 2>
        %l2 = memref.alloc() : memref<64xi32, 1>
        linalg.fill ins(%i0 : i32) outs(%l2 : memref<64xi32, 1>)
        scf.parallel (%p) = (%c0) to (%c64) step (%c1) {
          %pv = arith.index_cast %p : index to i32
          memref.store %pv, %l1[%p] : memref<64xi32, 2>
          %o = memref.load %l2[%p] : memref<64xi32, 1>
          %n = arith.addi %o, %i1 : i32
          memref.store %n, %l2[%p] : memref<64xi32, 1>
        }
        air.herd @h tile (%tx, %ty) in (%na = %c4, %nd = %c1) args(%ho = %so, %h1 = %l1, %h2 = %l2) : memref<1024xi32>, memref<64xi32, 2>, memref<64xi32, 1> {
          %hc64 = arith.constant 64 : index
            %lane = gpu.lane_id
            %w = arith.muli %tx, %hc64 : index
            %i = arith.addi %w, %lane : index
            %a = memref.load %h1[%lane] : memref<64xi32, 2>
            %b = memref.load %h2[%lane] : memref<64xi32, 1>
            %hc1000 = arith.constant 1000 : i32
            %bb = arith.muli %b, %hc1000 : i32
            %s = arith.addi %a, %bb : i32
            memref.store %s, %ho[%i] : memref<1024xi32>
        }
      }
    }
    return
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %cn = arith.constant 256 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %m1 = arith.constant -1 : i32
    %a = memref.alloc() : memref<1024xi32>
    %b = memref.alloc() : memref<1024xi32>
    scf.for %i = %c0 to %c1024 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %a[%i] : memref<1024xi32>
      memref.store %m1, %b[%i] : memref<1024xi32>
    }
    %da = gpu.alloc () : memref<1024xi32>
    %db = gpu.alloc () : memref<1024xi32>
    gpu.memcpy %da, %a : memref<1024xi32>, memref<1024xi32>
    gpu.memcpy %db, %b : memref<1024xi32>, memref<1024xi32>
    call @k(%da, %db) : (memref<1024xi32>, memref<1024xi32>) -> ()
    gpu.memcpy %b, %db : memref<1024xi32>, memref<1024xi32>
    %e = memref.get_global @expected : memref<256xi32>
    %bad = scf.for %i = %c0 to %cn step %c1 iter_args(%acc = %zero) -> (i32) {
      %x = memref.load %e[%i] : memref<256xi32>
      %y = memref.load %b[%i] : memref<1024xi32>
      %ne = arith.cmpi ne, %x, %y : i32
      %first = arith.cmpi slt, %acc, %one : i32
      %say = arith.andi %ne, %first : i1
      scf.if %say {
        %text = llvm.mlir.addressof @failed : !llvm.ptr
        %il = arith.index_cast %i : index to i64
        llvm.call @printf(%text, %il, %y, %x) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i32, i32) -> i32
      }
      %d = arith.extui %ne : i1 to i32
      %s = arith.addi %acc, %d : i32
      scf.yield %s : i32
    }
    %good = arith.cmpi eq, %bad, %zero : i32
    scf.if %good {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
    }
    %status = arith.select %good, %zero, %one : i32
    return %status : i32
  }
}
