module attributes {gpu.container_module} {
  func.func private @mgpuSymmetricAlloc(i64, !llvm.ptr) -> !llvm.ptr
  func.func private @mgpuSymmetricFree(!llvm.ptr, !llvm.ptr)
  func.func private @mgpuRequireRanks(i64, !llvm.ptr)
  llvm.mlir.global internal constant @air.text.0("air.rank at /tmp/ch/w/program13.mlir:9:1\00") {addr_space = 0 : i32}
  func.func private @mgpuSymmetricHeapDestroy()
  func.func private @mgpuChannelFree(!llvm.ptr, !llvm.ptr)
  func.func private @mgpuChannelAlloc(!llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.mlir.global internal constant @air.text("@C\00") {addr_space = 0 : i32}
  func.func private @mgpuSymmetricHeapInit(i64)
  llvm.mlir.global internal @air.ranks.depth(0 : i32) {addr_space = 0 : i32} : i32
  func.func private @mgpuStreamSynchronize(!llvm.ptr)
  func.func private @mgpuMemcpyStrided(!llvm.ptr, !llvm.ptr, !llvm.ptr)
  func.func private @mgpuGetHeapBases() -> !llvm.ptr
  func.func private @mgpuGetRank() -> i32
  memref.global "private" constant @air.channel.C.getters : memref<9xi32> = dense<[0, 1, 2, 0, 1, 2, 0, 1, 2]>
  memref.global "private" constant @air.channel.C.putters : memref<9xi32> = dense<[0, 0, 0, 1, 1, 1, 2, 2, 2]>
  llvm.mlir.global internal @air.channel.C() {addr_space = 0 : i32, air.channel_bytes = 12672 : i64, air.channel_name = "@C"} : !llvm.ptr {
    %0 = llvm.mlir.zero : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.func @printf(!llvm.ptr, ...) -> i32
  func.func private @usleep(i32) -> i32
  func.func private @mgpuGetWorldSize() -> i32
  llvm.mlir.global internal constant @fmt("rank %ld: %ld errors\0A\00") {addr_space = 0 : i32}
  func.func @main() {
    call @air.ranks.enter() : () -> ()
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c3_0 = arith.constant 3 : index
    %0 = llvm.mlir.addressof @air.text.0 : !llvm.ptr
    %1 = arith.index_cast %c3_0 : index to i64
    call @mgpuRequireRanks(%1, %0) : (i64, !llvm.ptr) -> ()
    %2 = call @mgpuGetRank() : () -> i32
    %3 = arith.index_cast %2 : i32 to index
    %4 = arith.cmpi ult, %3, %c3_0 : index
    scf.if %4 {
      %alloc = memref.alloc() : memref<9x34xi32>
      %alloc_1 = memref.alloc() : memref<9x34xi32>
      %c0 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %c1_2 = arith.constant 1 : index
      scf.for %arg0 = %c0 to %c9 step %c1_2 {
        %c0_130 = arith.constant 0 : index
        %c34_131 = arith.constant 34 : index
        %c1_132 = arith.constant 1 : index
        scf.for %arg1 = %c0_130 to %c34_131 step %c1_132 {
          %c0_133 = arith.constant 0 : index
          %205 = arith.index_cast %c0_133 : index to i64
          %206 = arith.trunci %205 : i64 to i32
          memref.store %206, %alloc[%arg0, %arg1] : memref<9x34xi32>
        }
      }
      %c0_3 = arith.constant 0 : index
      %c3_4 = arith.constant 3 : index
      %c1_5 = arith.constant 1 : index
      scf.for %arg0 = %c0_3 to %c3_4 step %c1_5 {
        %c0_130 = arith.constant 0 : index
        %c3_131 = arith.constant 3 : index
        %c1_132 = arith.constant 1 : index
        scf.for %arg1 = %c0_130 to %c3_131 step %c1_132 {
          %c3_133 = arith.constant 3 : index
          %205 = arith.muli %arg1, %c3_133 : index
          %206 = arith.addi %205, %arg0 : index
          %c0_134 = arith.constant 0 : index
          %c32 = arith.constant 32 : index
          %c1_135 = arith.constant 1 : index
          scf.for %arg2 = %c0_134 to %c32 step %c1_135 {
            %c1_136 = arith.constant 1 : index
            %207 = arith.muli %arg2, %c1_136 : index
            %c1_137 = arith.constant 1 : index
            %208 = arith.addi %207, %c1_137 : index
            %c31 = arith.constant 31 : index
            %209 = arith.muli %3, %c31 : index
            %c17 = arith.constant 17 : index
            %210 = arith.muli %arg0, %c17 : index
            %211 = arith.addi %209, %210 : index
            %c7_138 = arith.constant 7 : index
            %212 = arith.muli %arg1, %c7_138 : index
            %213 = arith.addi %211, %212 : index
            %c3_139 = arith.constant 3 : index
            %214 = arith.muli %arg2, %c3_139 : index
            %215 = arith.addi %213, %214 : index
            %c97 = arith.constant 97 : index
            %216 = arith.remui %215, %c97 : index
            %217 = arith.index_cast %216 : index to i64
            %218 = arith.trunci %217 : i64 to i32
            memref.store %218, %alloc[%206, %208] : memref<9x34xi32>
          }
        }
      }
      %c0_6 = arith.constant 0 : index
      %c9_7 = arith.constant 9 : index
      %c1_8 = arith.constant 1 : index
      scf.for %arg0 = %c0_6 to %c9_7 step %c1_8 {
        %c0_130 = arith.constant 0 : index
        %c34_131 = arith.constant 34 : index
        %c1_132 = arith.constant 1 : index
        scf.for %arg1 = %c0_130 to %c34_131 step %c1_132 {
          %c55_133 = arith.constant 55 : index
          %205 = arith.index_cast %c55_133 : index to i64
          %206 = arith.trunci %205 : i64 to i32
          memref.store %206, %alloc_1[%arg0, %arg1] : memref<9x34xi32>
        }
      }
      %c4 = arith.constant 4 : index
      %c9_9 = arith.constant 9 : index
      %c36 = arith.constant 36 : index
      %c34 = arith.constant 34 : index
      %c1224 = arith.constant 1224 : index
      %5 = arith.index_cast %c1224 : index to i64
      %6 = llvm.mlir.zero : !llvm.ptr
      %7 = func.call @mgpuSymmetricAlloc(%5, %6) : (i64, !llvm.ptr) -> !llvm.ptr
      %8 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
      %9 = llvm.insertvalue %7, %8[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %10 = llvm.insertvalue %7, %9[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %c0_i64 = arith.constant 0 : i64
      %11 = llvm.insertvalue %c0_i64, %10[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %c1_i64 = arith.constant 1 : i64
      %12 = arith.index_cast %c34 : index to i64
      %13 = llvm.insertvalue %12, %11[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %14 = llvm.insertvalue %c1_i64, %13[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %15 = arith.index_cast %c9_9 : index to i64
      %16 = llvm.insertvalue %15, %14[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %17 = llvm.insertvalue %12, %16[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %18 = builtin.unrealized_conversion_cast %17 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to memref<9x34xi32>
      %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %18 : memref<9x34xi32> -> memref<i32>, index, index, index, index, index
      %base_buffer_10, %offset_11, %sizes_12:2, %strides_13:2 = memref.extract_strided_metadata %alloc : memref<9x34xi32> -> memref<i32>, index, index, index, index, index
      %c2147483647 = arith.constant 2147483647 : index
      %reinterpret_cast = memref.reinterpret_cast %base_buffer_10 to offset: [0], sizes: [%c2147483647], strides: [1] : memref<i32> to memref<?xi32>
      %c0_14 = arith.constant 0 : index
      %c2147483647_15 = arith.constant 2147483647 : index
      %reinterpret_cast_16 = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%c2147483647_15], strides: [1] : memref<i32> to memref<?xi32>
      %c0_17 = arith.constant 0 : index
      %19 = llvm.intr.stacksave : !llvm.ptr
      %c306 = arith.constant 306 : index
      %20 = arith.index_cast %c306 : index to i64
      %c1_18 = arith.constant 1 : index
      %21 = arith.index_cast %c1_18 : index to i64
      %c4_i64 = arith.constant 4 : i64
      %22 = arith.index_cast %c0_17 : index to i64
      %23 = arith.muli %22, %c4_i64 : i64
      %intptr = memref.extract_aligned_pointer_as_index %reinterpret_cast_16 : memref<?xi32> -> index
      %24 = arith.index_cast %intptr : index to i64
      %25 = llvm.inttoptr %24 : i64 to !llvm.ptr
      %26 = llvm.getelementptr %25[%23] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %c1_i64_19 = arith.constant 1 : i64
      %27 = llvm.alloca %c1_i64_19 x !llvm.struct<(ptr, i64, i64, ptr, ptr)> : (i64) -> !llvm.ptr
      %c4_i64_20 = arith.constant 4 : i64
      %c1_i64_21 = arith.constant 1 : i64
      %c1_i64_22 = arith.constant 1 : i64
      %28 = llvm.alloca %c1_i64_22 x i64 : (i64) -> !llvm.ptr
      %29 = llvm.getelementptr %28[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %20, %29 : i64, !llvm.ptr
      %c1_i64_23 = arith.constant 1 : i64
      %30 = llvm.alloca %c1_i64_23 x i64 : (i64) -> !llvm.ptr
      %31 = llvm.getelementptr %30[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %21, %31 : i64, !llvm.ptr
      %32 = llvm.getelementptr %27[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %26, %32 : !llvm.ptr, !llvm.ptr
      %33 = llvm.getelementptr %27[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c4_i64_20, %33 : i64, !llvm.ptr
      %34 = llvm.getelementptr %27[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c1_i64_21, %34 : i64, !llvm.ptr
      %35 = llvm.getelementptr %27[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %28, %35 : !llvm.ptr, !llvm.ptr
      %36 = llvm.getelementptr %27[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %30, %36 : !llvm.ptr, !llvm.ptr
      %c306_24 = arith.constant 306 : index
      %37 = arith.index_cast %c306_24 : index to i64
      %c1_25 = arith.constant 1 : index
      %38 = arith.index_cast %c1_25 : index to i64
      %c4_i64_26 = arith.constant 4 : i64
      %39 = arith.index_cast %c0_14 : index to i64
      %40 = arith.muli %39, %c4_i64_26 : i64
      %intptr_27 = memref.extract_aligned_pointer_as_index %reinterpret_cast : memref<?xi32> -> index
      %41 = arith.index_cast %intptr_27 : index to i64
      %42 = llvm.inttoptr %41 : i64 to !llvm.ptr
      %43 = llvm.getelementptr %42[%40] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %c1_i64_28 = arith.constant 1 : i64
      %44 = llvm.alloca %c1_i64_28 x !llvm.struct<(ptr, i64, i64, ptr, ptr)> : (i64) -> !llvm.ptr
      %c4_i64_29 = arith.constant 4 : i64
      %c1_i64_30 = arith.constant 1 : i64
      %c1_i64_31 = arith.constant 1 : i64
      %45 = llvm.alloca %c1_i64_31 x i64 : (i64) -> !llvm.ptr
      %46 = llvm.getelementptr %45[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %37, %46 : i64, !llvm.ptr
      %c1_i64_32 = arith.constant 1 : i64
      %47 = llvm.alloca %c1_i64_32 x i64 : (i64) -> !llvm.ptr
      %48 = llvm.getelementptr %47[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %38, %48 : i64, !llvm.ptr
      %49 = llvm.getelementptr %44[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %43, %49 : !llvm.ptr, !llvm.ptr
      %50 = llvm.getelementptr %44[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c4_i64_29, %50 : i64, !llvm.ptr
      %51 = llvm.getelementptr %44[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c1_i64_30, %51 : i64, !llvm.ptr
      %52 = llvm.getelementptr %44[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %45, %52 : !llvm.ptr, !llvm.ptr
      %53 = llvm.getelementptr %44[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %47, %53 : !llvm.ptr, !llvm.ptr
      %54 = llvm.mlir.zero : !llvm.ptr
      func.call @mgpuMemcpyStrided(%27, %44, %54) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
      func.call @mgpuStreamSynchronize(%54) : (!llvm.ptr) -> ()
      llvm.intr.stackrestore %19 : !llvm.ptr
      %c4_33 = arith.constant 4 : index
      %c9_34 = arith.constant 9 : index
      %c36_35 = arith.constant 36 : index
      %c34_36 = arith.constant 34 : index
      %c1224_37 = arith.constant 1224 : index
      %55 = arith.index_cast %c1224_37 : index to i64
      %56 = llvm.mlir.zero : !llvm.ptr
      %57 = func.call @mgpuSymmetricAlloc(%55, %56) : (i64, !llvm.ptr) -> !llvm.ptr
      %58 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
      %59 = llvm.insertvalue %57, %58[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %60 = llvm.insertvalue %57, %59[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %c0_i64_38 = arith.constant 0 : i64
      %61 = llvm.insertvalue %c0_i64_38, %60[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %c1_i64_39 = arith.constant 1 : i64
      %62 = arith.index_cast %c34_36 : index to i64
      %63 = llvm.insertvalue %62, %61[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %64 = llvm.insertvalue %c1_i64_39, %63[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %65 = arith.index_cast %c9_34 : index to i64
      %66 = llvm.insertvalue %65, %64[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %67 = llvm.insertvalue %62, %66[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %68 = builtin.unrealized_conversion_cast %67 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to memref<9x34xi32>
      %base_buffer_40, %offset_41, %sizes_42:2, %strides_43:2 = memref.extract_strided_metadata %68 : memref<9x34xi32> -> memref<i32>, index, index, index, index, index
      %base_buffer_44, %offset_45, %sizes_46:2, %strides_47:2 = memref.extract_strided_metadata %alloc_1 : memref<9x34xi32> -> memref<i32>, index, index, index, index, index
      %c2147483647_48 = arith.constant 2147483647 : index
      %reinterpret_cast_49 = memref.reinterpret_cast %base_buffer_44 to offset: [0], sizes: [%c2147483647_48], strides: [1] : memref<i32> to memref<?xi32>
      %c0_50 = arith.constant 0 : index
      %c2147483647_51 = arith.constant 2147483647 : index
      %reinterpret_cast_52 = memref.reinterpret_cast %base_buffer_40 to offset: [0], sizes: [%c2147483647_51], strides: [1] : memref<i32> to memref<?xi32>
      %c0_53 = arith.constant 0 : index
      %69 = llvm.intr.stacksave : !llvm.ptr
      %c306_54 = arith.constant 306 : index
      %70 = arith.index_cast %c306_54 : index to i64
      %c1_55 = arith.constant 1 : index
      %71 = arith.index_cast %c1_55 : index to i64
      %c4_i64_56 = arith.constant 4 : i64
      %72 = arith.index_cast %c0_53 : index to i64
      %73 = arith.muli %72, %c4_i64_56 : i64
      %intptr_57 = memref.extract_aligned_pointer_as_index %reinterpret_cast_52 : memref<?xi32> -> index
      %74 = arith.index_cast %intptr_57 : index to i64
      %75 = llvm.inttoptr %74 : i64 to !llvm.ptr
      %76 = llvm.getelementptr %75[%73] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %c1_i64_58 = arith.constant 1 : i64
      %77 = llvm.alloca %c1_i64_58 x !llvm.struct<(ptr, i64, i64, ptr, ptr)> : (i64) -> !llvm.ptr
      %c4_i64_59 = arith.constant 4 : i64
      %c1_i64_60 = arith.constant 1 : i64
      %c1_i64_61 = arith.constant 1 : i64
      %78 = llvm.alloca %c1_i64_61 x i64 : (i64) -> !llvm.ptr
      %79 = llvm.getelementptr %78[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %70, %79 : i64, !llvm.ptr
      %c1_i64_62 = arith.constant 1 : i64
      %80 = llvm.alloca %c1_i64_62 x i64 : (i64) -> !llvm.ptr
      %81 = llvm.getelementptr %80[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %71, %81 : i64, !llvm.ptr
      %82 = llvm.getelementptr %77[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %76, %82 : !llvm.ptr, !llvm.ptr
      %83 = llvm.getelementptr %77[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c4_i64_59, %83 : i64, !llvm.ptr
      %84 = llvm.getelementptr %77[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c1_i64_60, %84 : i64, !llvm.ptr
      %85 = llvm.getelementptr %77[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %78, %85 : !llvm.ptr, !llvm.ptr
      %86 = llvm.getelementptr %77[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %80, %86 : !llvm.ptr, !llvm.ptr
      %c306_63 = arith.constant 306 : index
      %87 = arith.index_cast %c306_63 : index to i64
      %c1_64 = arith.constant 1 : index
      %88 = arith.index_cast %c1_64 : index to i64
      %c4_i64_65 = arith.constant 4 : i64
      %89 = arith.index_cast %c0_50 : index to i64
      %90 = arith.muli %89, %c4_i64_65 : i64
      %intptr_66 = memref.extract_aligned_pointer_as_index %reinterpret_cast_49 : memref<?xi32> -> index
      %91 = arith.index_cast %intptr_66 : index to i64
      %92 = llvm.inttoptr %91 : i64 to !llvm.ptr
      %93 = llvm.getelementptr %92[%90] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %c1_i64_67 = arith.constant 1 : i64
      %94 = llvm.alloca %c1_i64_67 x !llvm.struct<(ptr, i64, i64, ptr, ptr)> : (i64) -> !llvm.ptr
      %c4_i64_68 = arith.constant 4 : i64
      %c1_i64_69 = arith.constant 1 : i64
      %c1_i64_70 = arith.constant 1 : i64
      %95 = llvm.alloca %c1_i64_70 x i64 : (i64) -> !llvm.ptr
      %96 = llvm.getelementptr %95[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %87, %96 : i64, !llvm.ptr
      %c1_i64_71 = arith.constant 1 : i64
      %97 = llvm.alloca %c1_i64_71 x i64 : (i64) -> !llvm.ptr
      %98 = llvm.getelementptr %97[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %88, %98 : i64, !llvm.ptr
      %99 = llvm.getelementptr %94[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %93, %99 : !llvm.ptr, !llvm.ptr
      %100 = llvm.getelementptr %94[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c4_i64_68, %100 : i64, !llvm.ptr
      %101 = llvm.getelementptr %94[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c1_i64_69, %101 : i64, !llvm.ptr
      %102 = llvm.getelementptr %94[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %95, %102 : !llvm.ptr, !llvm.ptr
      %103 = llvm.getelementptr %94[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %97, %103 : !llvm.ptr, !llvm.ptr
      %104 = llvm.mlir.zero : !llvm.ptr
      func.call @mgpuMemcpyStrided(%77, %94, %104) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
      func.call @mgpuStreamSynchronize(%104) : (!llvm.ptr) -> ()
      llvm.intr.stackrestore %69 : !llvm.ptr
      %c6 = arith.constant 6 : index
      %105 = arith.addi %3, %c6 : index
      %c5 = arith.constant 5 : index
      %106 = arith.muli %105, %c5 : index
      %c7 = arith.constant 7 : index
      %107 = arith.remui %106, %c7 : index
      %c3000 = arith.constant 3000 : index
      %108 = arith.muli %107, %c3000 : index
      %109 = arith.index_cast %108 : index to i32
      %110 = func.call @usleep(%109) : (i32) -> i32
      %111 = func.call @mgpuGetRank() : () -> i32
      %112 = arith.index_cast %111 : i32 to index
      %113 = func.call @mgpuGetHeapBases() : () -> !llvm.ptr
      %114 = func.call @mgpuGetWorldSize() : () -> i32
      %115 = arith.index_cast %114 : i32 to index
      %116 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %117 = llvm.insertvalue %113, %116[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %118 = llvm.insertvalue %113, %117[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %c0_i64_72 = arith.constant 0 : i64
      %119 = llvm.insertvalue %c0_i64_72, %118[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %c1_i64_73 = arith.constant 1 : i64
      %120 = arith.index_cast %115 : index to i64
      %121 = llvm.insertvalue %120, %119[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %122 = llvm.insertvalue %c1_i64_73, %121[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %123 = builtin.unrealized_conversion_cast %122 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<?xindex>
      %124 = llvm.mlir.addressof @air.channel.C : !llvm.ptr
      %125 = llvm.load %124 : !llvm.ptr -> !llvm.ptr
      %c3168 = arith.constant 3168 : index
      %126 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %127 = llvm.insertvalue %125, %126[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %128 = llvm.insertvalue %125, %127[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %c0_i64_74 = arith.constant 0 : i64
      %129 = llvm.insertvalue %c0_i64_74, %128[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %c1_i64_75 = arith.constant 1 : i64
      %130 = arith.index_cast %c3168 : index to i64
      %131 = llvm.insertvalue %130, %129[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %132 = llvm.insertvalue %c1_i64_75, %131[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %133 = builtin.unrealized_conversion_cast %132 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<3168xi32>
      %134 = func.call @mgpuGetRank() : () -> i32
      %135 = arith.index_cast %134 : i32 to index
      %136 = func.call @mgpuGetHeapBases() : () -> !llvm.ptr
      %137 = func.call @mgpuGetWorldSize() : () -> i32
      %138 = arith.index_cast %137 : i32 to index
      %139 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %140 = llvm.insertvalue %136, %139[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %141 = llvm.insertvalue %136, %140[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %c0_i64_76 = arith.constant 0 : i64
      %142 = llvm.insertvalue %c0_i64_76, %141[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %c1_i64_77 = arith.constant 1 : i64
      %143 = arith.index_cast %138 : index to i64
      %144 = llvm.insertvalue %143, %142[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %145 = llvm.insertvalue %c1_i64_77, %144[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %146 = builtin.unrealized_conversion_cast %145 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<?xindex>
      %147 = llvm.mlir.addressof @air.channel.C : !llvm.ptr
      %148 = llvm.load %147 : !llvm.ptr -> !llvm.ptr
      %c3168_78 = arith.constant 3168 : index
      %149 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %150 = llvm.insertvalue %148, %149[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %151 = llvm.insertvalue %148, %150[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %c0_i64_79 = arith.constant 0 : i64
      %152 = llvm.insertvalue %c0_i64_79, %151[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %c1_i64_80 = arith.constant 1 : i64
      %153 = arith.index_cast %c3168_78 : index to i64
      %154 = llvm.insertvalue %153, %152[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %155 = llvm.insertvalue %c1_i64_80, %154[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %156 = builtin.unrealized_conversion_cast %155 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<3168xi32>
      %c1_81 = arith.constant 1 : index
      %c1_82 = arith.constant 1 : index
      %c1_83 = arith.constant 1 : index
      %c1_84 = arith.constant 1 : index
      %c1_85 = arith.constant 1 : index
      %c1_86 = arith.constant 1 : index
      %c1_87 = arith.constant 1 : index
      %c256 = arith.constant 256 : index
      gpu.launch_func  @main_kernel::@main_kernel blocks in (%c1_82, %c1_83, %c1_84) threads in (%c256, %c1_86, %c1_87)  args(%18 : memref<9x34xi32>, %3 : index, %123 : memref<?xindex>, %112 : index, %133 : memref<3168xi32>, %156 : memref<3168xi32>, %146 : memref<?xindex>, %135 : index, %68 : memref<9x34xi32>)
      %base_buffer_88, %offset_89, %sizes_90:2, %strides_91:2 = memref.extract_strided_metadata %alloc_1 : memref<9x34xi32> -> memref<i32>, index, index, index, index, index
      %base_buffer_92, %offset_93, %sizes_94:2, %strides_95:2 = memref.extract_strided_metadata %68 : memref<9x34xi32> -> memref<i32>, index, index, index, index, index
      %c2147483647_96 = arith.constant 2147483647 : index
      %reinterpret_cast_97 = memref.reinterpret_cast %base_buffer_92 to offset: [0], sizes: [%c2147483647_96], strides: [1] : memref<i32> to memref<?xi32>
      %c0_98 = arith.constant 0 : index
      %c2147483647_99 = arith.constant 2147483647 : index
      %reinterpret_cast_100 = memref.reinterpret_cast %base_buffer_88 to offset: [0], sizes: [%c2147483647_99], strides: [1] : memref<i32> to memref<?xi32>
      %c0_101 = arith.constant 0 : index
      %157 = llvm.intr.stacksave : !llvm.ptr
      %c306_102 = arith.constant 306 : index
      %158 = arith.index_cast %c306_102 : index to i64
      %c1_103 = arith.constant 1 : index
      %159 = arith.index_cast %c1_103 : index to i64
      %c4_i64_104 = arith.constant 4 : i64
      %160 = arith.index_cast %c0_101 : index to i64
      %161 = arith.muli %160, %c4_i64_104 : i64
      %intptr_105 = memref.extract_aligned_pointer_as_index %reinterpret_cast_100 : memref<?xi32> -> index
      %162 = arith.index_cast %intptr_105 : index to i64
      %163 = llvm.inttoptr %162 : i64 to !llvm.ptr
      %164 = llvm.getelementptr %163[%161] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %c1_i64_106 = arith.constant 1 : i64
      %165 = llvm.alloca %c1_i64_106 x !llvm.struct<(ptr, i64, i64, ptr, ptr)> : (i64) -> !llvm.ptr
      %c4_i64_107 = arith.constant 4 : i64
      %c1_i64_108 = arith.constant 1 : i64
      %c1_i64_109 = arith.constant 1 : i64
      %166 = llvm.alloca %c1_i64_109 x i64 : (i64) -> !llvm.ptr
      %167 = llvm.getelementptr %166[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %158, %167 : i64, !llvm.ptr
      %c1_i64_110 = arith.constant 1 : i64
      %168 = llvm.alloca %c1_i64_110 x i64 : (i64) -> !llvm.ptr
      %169 = llvm.getelementptr %168[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %159, %169 : i64, !llvm.ptr
      %170 = llvm.getelementptr %165[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %164, %170 : !llvm.ptr, !llvm.ptr
      %171 = llvm.getelementptr %165[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c4_i64_107, %171 : i64, !llvm.ptr
      %172 = llvm.getelementptr %165[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c1_i64_108, %172 : i64, !llvm.ptr
      %173 = llvm.getelementptr %165[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %166, %173 : !llvm.ptr, !llvm.ptr
      %174 = llvm.getelementptr %165[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %168, %174 : !llvm.ptr, !llvm.ptr
      %c306_111 = arith.constant 306 : index
      %175 = arith.index_cast %c306_111 : index to i64
      %c1_112 = arith.constant 1 : index
      %176 = arith.index_cast %c1_112 : index to i64
      %c4_i64_113 = arith.constant 4 : i64
      %177 = arith.index_cast %c0_98 : index to i64
      %178 = arith.muli %177, %c4_i64_113 : i64
      %intptr_114 = memref.extract_aligned_pointer_as_index %reinterpret_cast_97 : memref<?xi32> -> index
      %179 = arith.index_cast %intptr_114 : index to i64
      %180 = llvm.inttoptr %179 : i64 to !llvm.ptr
      %181 = llvm.getelementptr %180[%178] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %c1_i64_115 = arith.constant 1 : i64
      %182 = llvm.alloca %c1_i64_115 x !llvm.struct<(ptr, i64, i64, ptr, ptr)> : (i64) -> !llvm.ptr
      %c4_i64_116 = arith.constant 4 : i64
      %c1_i64_117 = arith.constant 1 : i64
      %c1_i64_118 = arith.constant 1 : i64
      %183 = llvm.alloca %c1_i64_118 x i64 : (i64) -> !llvm.ptr
      %184 = llvm.getelementptr %183[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %175, %184 : i64, !llvm.ptr
      %c1_i64_119 = arith.constant 1 : i64
      %185 = llvm.alloca %c1_i64_119 x i64 : (i64) -> !llvm.ptr
      %186 = llvm.getelementptr %185[0] : (!llvm.ptr) -> !llvm.ptr, i64
      llvm.store %176, %186 : i64, !llvm.ptr
      %187 = llvm.getelementptr %182[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %181, %187 : !llvm.ptr, !llvm.ptr
      %188 = llvm.getelementptr %182[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c4_i64_116, %188 : i64, !llvm.ptr
      %189 = llvm.getelementptr %182[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %c1_i64_117, %189 : i64, !llvm.ptr
      %190 = llvm.getelementptr %182[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %183, %190 : !llvm.ptr, !llvm.ptr
      %191 = llvm.getelementptr %182[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, i64, ptr, ptr)>
      llvm.store %185, %191 : !llvm.ptr, !llvm.ptr
      %192 = llvm.mlir.zero : !llvm.ptr
      func.call @mgpuMemcpyStrided(%165, %182, %192) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
      func.call @mgpuStreamSynchronize(%192) : (!llvm.ptr) -> ()
      llvm.intr.stackrestore %157 : !llvm.ptr
      %c0_i64_120 = arith.constant 0 : i64
      %c1_i64_121 = arith.constant 1 : i64
      %alloc_122 = memref.alloc() : memref<i64>
      memref.store %c0_i64_120, %alloc_122[] : memref<i64>
      %c55 = arith.constant 55 : index
      %193 = arith.index_cast %c55 : index to i64
      %194 = arith.trunci %193 : i64 to i32
      %alloc_123 = memref.alloc() : memref<i64>
      memref.store %c0_i64_120, %alloc_123[] : memref<i64>
      %c0_124 = arith.constant 0 : index
      %c9_125 = arith.constant 9 : index
      %c1_126 = arith.constant 1 : index
      scf.for %arg0 = %c0_124 to %c9_125 step %c1_126 {
        %c0_130 = arith.constant 0 : index
        %c34_131 = arith.constant 34 : index
        %c1_132 = arith.constant 1 : index
        scf.for %arg1 = %c0_130 to %c34_131 step %c1_132 {
          %205 = memref.load %alloc_1[%arg0, %arg1] : memref<9x34xi32>
          %c1_133 = arith.constant 1 : index
          %206 = arith.subi %arg1, %c1_133 : index
          %c32 = arith.constant 32 : index
          %207 = arith.cmpi uge, %206, %c32 : index
          %c1_134 = arith.constant 1 : index
          %208 = arith.remui %206, %c1_134 : index
          %c0_135 = arith.constant 0 : index
          %209 = arith.cmpi ne, %208, %c0_135 : index
          %210 = arith.ori %207, %209 : i1
          %211 = arith.cmpi ne, %205, %194 : i32
          %212 = arith.andi %210, %211 : i1
          scf.if %212 {
            %213 = memref.load %alloc_122[] : memref<i64>
            %214 = arith.addi %213, %c1_i64_121 : i64
            memref.store %214, %alloc_122[] : memref<i64>
          }
        }
      }
      %c0_127 = arith.constant 0 : index
      %c3_128 = arith.constant 3 : index
      %c1_129 = arith.constant 1 : index
      scf.for %arg0 = %c0_127 to %c3_128 step %c1_129 {
        %c0_130 = arith.constant 0 : index
        %c3_131 = arith.constant 3 : index
        %c1_132 = arith.constant 1 : index
        scf.for %arg1 = %c0_130 to %c3_131 step %c1_132 {
          %c3_133 = arith.constant 3 : index
          %205 = arith.muli %arg0, %c3_133 : index
          %206 = arith.addi %205, %arg1 : index
          %c0_134 = arith.constant 0 : index
          %c32 = arith.constant 32 : index
          %c1_135 = arith.constant 1 : index
          scf.for %arg2 = %c0_134 to %c32 step %c1_135 {
            %c1_136 = arith.constant 1 : index
            %207 = arith.muli %arg2, %c1_136 : index
            %c1_137 = arith.constant 1 : index
            %208 = arith.addi %207, %c1_137 : index
            %209 = memref.load %alloc_1[%206, %208] : memref<9x34xi32>
            %c31 = arith.constant 31 : index
            %210 = arith.muli %arg1, %c31 : index
            %c17 = arith.constant 17 : index
            %211 = arith.muli %3, %c17 : index
            %212 = arith.addi %210, %211 : index
            %c7_138 = arith.constant 7 : index
            %213 = arith.muli %arg0, %c7_138 : index
            %214 = arith.addi %212, %213 : index
            %c3_139 = arith.constant 3 : index
            %215 = arith.muli %arg2, %c3_139 : index
            %216 = arith.addi %214, %215 : index
            %c97 = arith.constant 97 : index
            %217 = arith.remui %216, %c97 : index
            %218 = arith.index_cast %217 : index to i64
            %219 = arith.trunci %218 : i64 to i32
            %220 = arith.cmpi ne, %209, %219 : i32
            scf.if %220 {
              %221 = memref.load %alloc_122[] : memref<i64>
              %222 = arith.addi %221, %c1_i64_121 : i64
              memref.store %222, %alloc_122[] : memref<i64>
            }
          }
        }
      }
      %195 = memref.load %alloc_122[] : memref<i64>
      %196 = llvm.mlir.addressof @fmt : !llvm.ptr
      %197 = arith.index_cast %3 : index to i64
      %198 = llvm.call @printf(%196, %197, %195) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
      %199 = builtin.unrealized_conversion_cast %18 : memref<9x34xi32> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
      %200 = llvm.extractvalue %199[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %201 = llvm.mlir.zero : !llvm.ptr
      func.call @mgpuSymmetricFree(%200, %201) : (!llvm.ptr, !llvm.ptr) -> ()
      %202 = builtin.unrealized_conversion_cast %68 : memref<9x34xi32> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
      %203 = llvm.extractvalue %202[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %204 = llvm.mlir.zero : !llvm.ptr
      func.call @mgpuSymmetricFree(%203, %204) : (!llvm.ptr, !llvm.ptr) -> ()
    }
    call @air.ranks.leave() : () -> ()
    return
  }
  func.func private @air.ranks.enter() {
    %0 = llvm.mlir.addressof @air.ranks.depth : !llvm.ptr
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = llvm.load %0 : !llvm.ptr -> i32
    %2 = arith.addi %1, %c1_i32 : i32
    llvm.store %2, %0 : i32, !llvm.ptr
    %3 = arith.cmpi eq, %1, %c0_i32 : i32
    scf.if %3 {
      %c1073741824_i64 = arith.constant 1073741824 : i64
      func.call @mgpuSymmetricHeapInit(%c1073741824_i64) : (i64) -> ()
      %4 = llvm.mlir.addressof @air.text : !llvm.ptr
      %c12672_i64 = arith.constant 12672 : i64
      %5 = llvm.mlir.zero : !llvm.ptr
      %6 = func.call @mgpuChannelAlloc(%4, %c12672_i64, %5) : (!llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
      %7 = llvm.mlir.addressof @air.channel.C : !llvm.ptr
      llvm.store %6, %7 : !llvm.ptr, !llvm.ptr
    }
    return
  }
  func.func private @air.ranks.leave() {
    %0 = llvm.mlir.addressof @air.ranks.depth : !llvm.ptr
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = llvm.load %0 : !llvm.ptr -> i32
    %2 = arith.subi %1, %c1_i32 : i32
    llvm.store %2, %0 : i32, !llvm.ptr
    %3 = arith.cmpi eq, %2, %c0_i32 : i32
    scf.if %3 {
      %4 = llvm.mlir.addressof @air.channel.C : !llvm.ptr
      %5 = llvm.load %4 : !llvm.ptr -> !llvm.ptr
      %6 = llvm.mlir.zero : !llvm.ptr
      func.call @mgpuChannelFree(%5, %6) : (!llvm.ptr, !llvm.ptr) -> ()
      func.call @mgpuSymmetricHeapDestroy() : () -> ()
    }
    return
  }
  gpu.module @main_kernel {
    gpu.func @main_kernel(%arg0: memref<9x34xi32>, %arg1: index, %arg2: memref<?xindex>, %arg3: index, %arg4: memref<3168xi32>, %arg5: memref<3168xi32>, %arg6: memref<?xindex>, %arg7: index, %arg8: memref<9x34xi32>) workgroup(%arg9 : memref<128xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c1073741823_i32 = arith.constant 1073741823 : i32
      %c2 = arith.constant 2 : index
      %c31 = arith.constant 31 : index
      %c32 = arith.constant 32 : index
      %c96 = arith.constant 96 : index
      %c64_i32 = arith.constant 64 : i32
      %c0_i32 = arith.constant 0 : i32
      %c2_i32 = arith.constant 2 : i32
      %c3_i32 = arith.constant 3 : i32
      %c1_i32 = arith.constant 1 : i32
      %c64 = arith.constant 64 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c34 = arith.constant 34 : index
      %c0 = arith.constant 0 : index
      %c352 = arith.constant 352 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      scf.for %arg10 = %c0 to %c3 step %c1 {
        scf.for %arg11 = %c0 to %c3 step %c1 {
          %0 = arith.muli %arg10, %c3 : index
          %1 = arith.addi %0, %arg11 : index
          %view = memref.view %arg9[%c0][] : memref<128xi8, #gpu.address_space<workgroup>> to memref<32xi32, #gpu.address_space<workgroup>>
          gpu.barrier
          %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [2147483647], strides: [1] : memref<9x34xi32> to memref<2147483647xi32, strided<[1]>>
          %2 = arith.muli %1, %c34 : index
          %3 = arith.addi %2, %c1 : index
          %reinterpret_cast_0 = memref.reinterpret_cast %view to offset: [0], sizes: [2147483647], strides: [1] : memref<32xi32, #gpu.address_space<workgroup>> to memref<2147483647xi32, strided<[1]>, #gpu.address_space<workgroup>>
          %thread_id_x = gpu.thread_id  x
          %4 = arith.cmpi ult, %thread_id_x, %c8 : index
          scf.if %4 {
            %25 = arith.muli %thread_id_x, %c4 : index
            %26 = arith.addi %3, %25 : index
            %27 = vector.load %reinterpret_cast[%26] : memref<2147483647xi32, strided<[1]>>, vector<4xi32>
            vector.store %27, %reinterpret_cast_0[%25] : memref<2147483647xi32, strided<[1]>, #gpu.address_space<workgroup>>, vector<4xi32>
          }
          %5 = arith.muli %arg1, %c3 : index
          %6 = arith.addi %5, %arg11 : index
          %7 = arith.muli %6, %c352 : index
          %8 = memref.get_global @air.channel.C.getters : memref<9xi32>
          %9 = memref.load %8[%6] : memref<9xi32>
          %10 = arith.index_cast %9 : i32 to index
          %11 = memref.load %arg2[%arg3] : memref<?xindex>
          %12 = arith.index_cast %11 : index to i64
          %13 = memref.load %arg2[%10] : memref<?xindex>
          %14 = arith.index_cast %13 : index to i64
          %15 = arith.subi %14, %12 : i64
          %16 = builtin.unrealized_conversion_cast %arg4 : memref<3168xi32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
          %17 = llvm.extractvalue %16[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
          %18 = llvm.getelementptr %17[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          %19 = llvm.extractvalue %16[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
          %20 = llvm.getelementptr %19[%15] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          %21 = llvm.insertvalue %18, %16[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
          %22 = llvm.insertvalue %20, %21[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
          %23 = builtin.unrealized_conversion_cast %22 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<3168xi32>
          %subview = memref.subview %23[%7] [352] [1] : memref<3168xi32> to memref<352xi32, strided<[1], offset: ?>>
          %subview_1 = memref.subview %arg4[%7] [352] [1] : memref<3168xi32> to memref<352xi32, strided<[1], offset: ?>>
          gpu.barrier
          %24 = arith.cmpi ult, %thread_id_x, %c64 : index
          scf.if %24 {
            %25 = gpu.lane_id
            %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %subview : memref<352xi32, strided<[1], offset: ?>> -> memref<i32>, index, index, index
            %intptr = memref.extract_aligned_pointer_as_index %subview : memref<352xi32, strided<[1], offset: ?>> -> index
            %26 = arith.muli %offset, %c4 : index
            %27 = arith.addi %intptr, %26 : index
            %28 = arith.index_cast %27 : index to i64
            %29 = llvm.inttoptr %28 : i64 to !llvm.ptr<1>
            %base_buffer_2, %offset_3, %sizes_4, %strides_5 = memref.extract_strided_metadata %subview_1 : memref<352xi32, strided<[1], offset: ?>> -> memref<i32>, index, index, index
            %intptr_6 = memref.extract_aligned_pointer_as_index %subview_1 : memref<352xi32, strided<[1], offset: ?>> -> index
            %30 = arith.muli %offset_3, %c4 : index
            %31 = arith.addi %intptr_6, %30 : index
            %32 = arith.index_cast %31 : index to i64
            %33 = llvm.inttoptr %32 : i64 to !llvm.ptr<1>
            %34 = arith.cmpi eq, %25, %c0 : index
            %35 = scf.if %34 -> (i32) {
              %57 = llvm.atomicrmw add %33, %c1_i32 syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
              %58 = arith.andi %57, %c3_i32 : i32
              %59 = arith.index_castui %58 : i32 to index
              %60 = arith.shrui %57, %c2_i32 : i32
              %61 = arith.addi %59, %c64 : index
              %62 = arith.index_cast %61 : index to i64
              %63 = llvm.getelementptr %33[%62] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
              scf.while : () -> () {
                %64 = llvm.load %63 atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
                %65 = arith.cmpi ne, %64, %60 : i32
                scf.condition(%65)
              } do {
                scf.yield
              }
              scf.yield %57 : i32
            } else {
              scf.yield %c0_i32 : i32
            }
            %shuffleResult, %valid = gpu.shuffle  idx %35, %c0_i32, %c64_i32 : i32
            llvm.fence acquire
            llvm.fence release
            %36 = arith.addi %shuffleResult, %c1_i32 : i32
            %37 = arith.andi %shuffleResult, %c3_i32 : i32
            %38 = arith.index_castui %37 : i32 to index
            %39 = arith.muli %38, %c64 : index
            %40 = arith.addi %39, %c96 : index
            %41 = arith.remui %25, %c32 : index
            %42 = arith.cmpi eq, %41, %c31 : index
            %43 = arith.divui %25, %c32 : index
            %44 = arith.muli %43, %c31 : index
            %45 = arith.addi %44, %41 : index
            %46 = arith.cmpi ult, %45, %c32 : index
            %47 = arith.cmpi ne, %41, %c31 : index
            %48 = arith.andi %46, %47 : i1
            %49 = arith.select %48, %45, %c0 : index
            %50 = memref.load %reinterpret_cast_0[%49] : memref<2147483647xi32, strided<[1]>, #gpu.address_space<workgroup>>
            %51 = arith.select %42, %36, %50 : i32
            %52 = arith.muli %43, %c32 : index
            %53 = arith.addi %40, %52 : index
            %54 = arith.addi %53, %41 : index
            %55 = arith.index_cast %54 : index to i64
            %56 = llvm.getelementptr %29[%55] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
            llvm.store %51, %56 atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
          }
        }
        scf.for %arg11 = %c0 to %c3 step %c1 {
          %0 = arith.muli %arg10, %c3 : index
          %1 = arith.addi %0, %arg11 : index
          %view = memref.view %arg9[%c0][] : memref<128xi8, #gpu.address_space<workgroup>> to memref<32xi32, #gpu.address_space<workgroup>>
          %2 = arith.muli %arg11, %c3 : index
          %3 = arith.addi %2, %arg1 : index
          %4 = arith.muli %3, %c352 : index
          %subview = memref.subview %arg5[%4] [352] [1] : memref<3168xi32> to memref<352xi32, strided<[1], offset: ?>>
          %5 = memref.get_global @air.channel.C.putters : memref<9xi32>
          gpu.barrier
          %6 = memref.load %5[%3] : memref<9xi32>
          %7 = arith.index_cast %6 : i32 to index
          %8 = memref.load %arg6[%arg7] : memref<?xindex>
          %9 = arith.index_cast %8 : index to i64
          %10 = memref.load %arg6[%7] : memref<?xindex>
          %11 = arith.index_cast %10 : index to i64
          %12 = arith.subi %11, %9 : i64
          %13 = builtin.unrealized_conversion_cast %arg5 : memref<3168xi32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
          %14 = llvm.extractvalue %13[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
          %15 = llvm.getelementptr %14[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          %16 = llvm.extractvalue %13[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
          %17 = llvm.getelementptr %16[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          %18 = llvm.insertvalue %15, %13[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
          %19 = llvm.insertvalue %17, %18[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
          %20 = builtin.unrealized_conversion_cast %19 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<3168xi32>
          %subview_0 = memref.subview %20[%4] [352] [1] : memref<3168xi32> to memref<352xi32, strided<[1], offset: ?>>
          gpu.barrier
          %reinterpret_cast = memref.reinterpret_cast %view to offset: [0], sizes: [2147483647], strides: [1] : memref<32xi32, #gpu.address_space<workgroup>> to memref<2147483647xi32, strided<[1]>, #gpu.address_space<workgroup>>
          %thread_id_x = gpu.thread_id  x
          %21 = arith.cmpi ult, %thread_id_x, %c64 : index
          scf.if %21 {
            %25 = gpu.lane_id
            %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %subview : memref<352xi32, strided<[1], offset: ?>> -> memref<i32>, index, index, index
            %intptr = memref.extract_aligned_pointer_as_index %subview : memref<352xi32, strided<[1], offset: ?>> -> index
            %26 = arith.muli %offset, %c4 : index
            %27 = arith.addi %intptr, %26 : index
            %28 = arith.index_cast %27 : index to i64
            %29 = llvm.inttoptr %28 : i64 to !llvm.ptr<1>
            %base_buffer_2, %offset_3, %sizes_4, %strides_5 = memref.extract_strided_metadata %subview_0 : memref<352xi32, strided<[1], offset: ?>> -> memref<i32>, index, index, index
            %intptr_6 = memref.extract_aligned_pointer_as_index %subview_0 : memref<352xi32, strided<[1], offset: ?>> -> index
            %30 = arith.muli %offset_3, %c4 : index
            %31 = arith.addi %intptr_6, %30 : index
            %32 = arith.index_cast %31 : index to i64
            %33 = llvm.inttoptr %32 : i64 to !llvm.ptr<1>
            %34 = llvm.getelementptr %29[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
            %35 = arith.cmpi eq, %25, %c0 : index
            %36 = scf.if %35 -> (i32) {
              %44 = llvm.atomicrmw add %34, %c1_i32 syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
              scf.yield %44 : i32
            } else {
              scf.yield %c0_i32 : i32
            }
            %shuffleResult, %valid = gpu.shuffle  idx %36, %c0_i32, %c64_i32 : i32
            %37 = arith.addi %shuffleResult, %c1_i32 : i32
            %38 = arith.andi %shuffleResult, %c3_i32 : i32
            %39 = arith.index_castui %38 : i32 to index
            %40 = arith.muli %39, %c64 : index
            %41 = arith.addi %40, %c96 : index
            %42 = arith.cmpi ult, %25, %c2 : index
            scf.if %42 {
              %44 = arith.muli %25, %c32 : index
              %45 = arith.addi %41, %44 : index
              %46 = arith.addi %45, %c31 : index
              %47 = arith.index_cast %46 : index to i64
              %48 = llvm.getelementptr %29[%47] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
              scf.while : () -> () {
                %49 = llvm.load %48 atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
                %50 = arith.cmpi ne, %49, %37 : i32
                scf.condition(%50)
              } do {
                scf.yield
              }
            }
            llvm.fence acquire
            %43 = arith.cmpi ult, %25, %c32 : index
            scf.if %43 {
              %44 = arith.divui %25, %c31 : index
              %45 = arith.remui %25, %c31 : index
              %46 = arith.muli %44, %c32 : index
              %47 = arith.addi %41, %46 : index
              %48 = arith.addi %47, %45 : index
              %49 = arith.index_cast %48 : index to i64
              %50 = llvm.getelementptr %29[%49] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
              %51 = llvm.load %50 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
              memref.store %51, %reinterpret_cast[%25] : memref<2147483647xi32, strided<[1]>, #gpu.address_space<workgroup>>
            }
            llvm.fence release
            llvm.call_intrinsic "llvm.amdgcn.wave.barrier"() : () -> ()
            scf.if %35 {
              %44 = arith.shrui %shuffleResult, %c2_i32 : i32
              %45 = arith.addi %44, %c1_i32 : i32
              %46 = arith.andi %45, %c1073741823_i32 : i32
              %47 = arith.addi %39, %c64 : index
              %48 = arith.index_cast %47 : index to i64
              %49 = llvm.getelementptr %33[%48] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
              llvm.store %46, %49 atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
            }
          }
          gpu.barrier
          %reinterpret_cast_1 = memref.reinterpret_cast %arg8 to offset: [0], sizes: [2147483647], strides: [1] : memref<9x34xi32> to memref<2147483647xi32, strided<[1]>>
          %22 = arith.muli %1, %c34 : index
          %23 = arith.addi %22, %c1 : index
          %24 = arith.cmpi ult, %thread_id_x, %c8 : index
          scf.if %24 {
            %25 = arith.muli %thread_id_x, %c4 : index
            %26 = vector.load %reinterpret_cast[%25] : memref<2147483647xi32, strided<[1]>, #gpu.address_space<workgroup>>, vector<4xi32>
            %27 = arith.addi %23, %25 : index
            vector.store %26, %reinterpret_cast_1[%27] : memref<2147483647xi32, strided<[1]>>, vector<4xi32>
          }
        }
      }
      gpu.return
    }
    memref.global "private" constant @air.channel.C.putters : memref<9xi32> = dense<[0, 0, 0, 1, 1, 1, 2, 2, 2]>
    memref.global "private" constant @air.channel.C.getters : memref<9xi32> = dense<[0, 1, 2, 0, 1, 2, 0, 1, 2]>
  }
}

