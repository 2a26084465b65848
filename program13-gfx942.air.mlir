module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  func.func private @usleep(i32) -> i32
  func.func private @mgpuGetWorldSize() -> i32
  llvm.mlir.global internal constant @fmt("rank %ld: %ld errors\0A\00") {addr_space = 0 : i32}
  air.channel @C [3, 3] {channel_type = "gpu_symmetric_heap"}
  func.func @main() {
    %c3 = arith.constant 3 : index
    air.rank (%arg0) in (%arg1=%c3) {
      %alloc = memref.alloc() : memref<9x34xi32>
      %alloc_0 = memref.alloc() : memref<9x34xi32>
      %c0 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %c1 = arith.constant 1 : index
      scf.for %arg2 = %c0 to %c9 step %c1 {
        %c0_18 = arith.constant 0 : index
        %c34 = arith.constant 34 : index
        %c1_19 = arith.constant 1 : index
        scf.for %arg3 = %c0_18 to %c34 step %c1_19 {
          %c0_20 = arith.constant 0 : index
          %12 = arith.index_cast %c0_20 : index to i64
          %13 = arith.trunci %12 : i64 to i32
          memref.store %13, %alloc[%arg2, %arg3] : memref<9x34xi32>
        }
      }
      %c0_1 = arith.constant 0 : index
      %c3_2 = arith.constant 3 : index
      %c1_3 = arith.constant 1 : index
      scf.for %arg2 = %c0_1 to %c3_2 step %c1_3 {
        %c0_18 = arith.constant 0 : index
        %c3_19 = arith.constant 3 : index
        %c1_20 = arith.constant 1 : index
        scf.for %arg3 = %c0_18 to %c3_19 step %c1_20 {
          %c3_21 = arith.constant 3 : index
          %12 = arith.muli %arg3, %c3_21 : index
          %13 = arith.addi %12, %arg2 : index
          %c0_22 = arith.constant 0 : index
          %c32 = arith.constant 32 : index
          %c1_23 = arith.constant 1 : index
          scf.for %arg4 = %c0_22 to %c32 step %c1_23 {
            %c1_24 = arith.constant 1 : index
            %14 = arith.muli %arg4, %c1_24 : index
            %c1_25 = arith.constant 1 : index
            %15 = arith.addi %14, %c1_25 : index
            %c31 = arith.constant 31 : index
            %16 = arith.muli %arg0, %c31 : index
            %c17 = arith.constant 17 : index
            %17 = arith.muli %arg2, %c17 : index
            %18 = arith.addi %16, %17 : index
            %c7_26 = arith.constant 7 : index
            %19 = arith.muli %arg3, %c7_26 : index
            %20 = arith.addi %18, %19 : index
            %c3_27 = arith.constant 3 : index
            %21 = arith.muli %arg4, %c3_27 : index
            %22 = arith.addi %20, %21 : index
            %c97 = arith.constant 97 : index
            %23 = arith.remui %22, %c97 : index
            %24 = arith.index_cast %23 : index to i64
            %25 = arith.trunci %24 : i64 to i32
            memref.store %25, %alloc[%13, %15] : memref<9x34xi32>
          }
        }
      }
      %c0_4 = arith.constant 0 : index
      %c9_5 = arith.constant 9 : index
      %c1_6 = arith.constant 1 : index
      scf.for %arg2 = %c0_4 to %c9_5 step %c1_6 {
        %c0_18 = arith.constant 0 : index
        %c34 = arith.constant 34 : index
        %c1_19 = arith.constant 1 : index
        scf.for %arg3 = %c0_18 to %c34 step %c1_19 {
          %c55_20 = arith.constant 55 : index
          %12 = arith.index_cast %c55_20 : index to i64
          %13 = arith.trunci %12 : i64 to i32
          memref.store %13, %alloc_0[%arg2, %arg3] : memref<9x34xi32>
        }
      }
      %alloc_7 = memref.alloc() : memref<9x34xi32, #air.symmetric_heap>
      %memspacecast = memref.memory_space_cast %alloc_7 : memref<9x34xi32, #air.symmetric_heap> to memref<9x34xi32>
      air.dma_memcpy_nd (%memspacecast[] [] [], %alloc[] [] []) : (memref<9x34xi32>, memref<9x34xi32>)
      %alloc_8 = memref.alloc() : memref<9x34xi32, #air.symmetric_heap>
      %memspacecast_9 = memref.memory_space_cast %alloc_8 : memref<9x34xi32, #air.symmetric_heap> to memref<9x34xi32>
      air.dma_memcpy_nd (%memspacecast_9[] [] [], %alloc_0[] [] []) : (memref<9x34xi32>, memref<9x34xi32>)
      %c6 = arith.constant 6 : index
      %0 = arith.addi %arg0, %c6 : index
      %c5 = arith.constant 5 : index
      %1 = arith.muli %0, %c5 : index
      %c7 = arith.constant 7 : index
      %2 = arith.remui %1, %c7 : index
      %c3000 = arith.constant 3000 : index
      %3 = arith.muli %2, %c3000 : index
      %4 = arith.index_cast %3 : index to i32
      %5 = func.call @usleep(%4) : (i32) -> i32
      air.launch () in () args(%arg2=%arg0, %arg3=%arg1, %arg4=%memspacecast, %arg5=%memspacecast_9) : index, index, memref<9x34xi32>, memref<9x34xi32> {
        air.segment args(%arg6=%arg2, %arg7=%arg3, %arg8=%arg4, %arg9=%arg5) : index, index, memref<9x34xi32>, memref<9x34xi32> {
          %c0_18 = arith.constant 0 : index
          %c3_19 = arith.constant 3 : index
          %c1_20 = arith.constant 1 : index
          scf.for %arg10 = %c0_18 to %c3_19 step %c1_20 {
            %c0_21 = arith.constant 0 : index
            %c3_22 = arith.constant 3 : index
            %c1_23 = arith.constant 1 : index
            scf.for %arg11 = %c0_21 to %c3_22 step %c1_23 {
              %c3_27 = arith.constant 3 : index
              %12 = arith.muli %arg10, %c3_27 : index
              %13 = arith.addi %12, %arg11 : index
              %alloc_28 = memref.alloc() : memref<32xi32, 1>
              air.dma_memcpy_nd (%alloc_28[] [] [], %arg8[%13, 1] [32] [1]) : (memref<32xi32, 1>, memref<9x34xi32>)
              air.channel.put @C[%arg6, %arg11] (%alloc_28[] [] []) : (memref<32xi32, 1>)
              memref.dealloc %alloc_28 : memref<32xi32, 1>
            }
            %c0_24 = arith.constant 0 : index
            %c3_25 = arith.constant 3 : index
            %c1_26 = arith.constant 1 : index
            scf.for %arg11 = %c0_24 to %c3_25 step %c1_26 {
              %c3_27 = arith.constant 3 : index
              %12 = arith.muli %arg10, %c3_27 : index
              %13 = arith.addi %12, %arg11 : index
              %alloc_28 = memref.alloc() : memref<32xi32, 1>
              air.channel.get @C[%arg11, %arg6] (%alloc_28[] [] []) : (memref<32xi32, 1>)
              air.dma_memcpy_nd (%arg9[%13, 1] [32] [1], %alloc_28[] [] []) : (memref<9x34xi32>, memref<32xi32, 1>)
              memref.dealloc %alloc_28 : memref<32xi32, 1>
            }
          }
        }
      }
      air.dma_memcpy_nd (%alloc_0[] [] [], %memspacecast_9[] [] []) : (memref<9x34xi32>, memref<9x34xi32>)
      %c0_i64 = arith.constant 0 : i64
      %c1_i64 = arith.constant 1 : i64
      %alloc_10 = memref.alloc() : memref<i64>
      memref.store %c0_i64, %alloc_10[] : memref<i64>
      %c55 = arith.constant 55 : index
      %6 = arith.index_cast %c55 : index to i64
      %7 = arith.trunci %6 : i64 to i32
      %alloc_11 = memref.alloc() : memref<i64>
      memref.store %c0_i64, %alloc_11[] : memref<i64>
      %c0_12 = arith.constant 0 : index
      %c9_13 = arith.constant 9 : index
      %c1_14 = arith.constant 1 : index
      scf.for %arg2 = %c0_12 to %c9_13 step %c1_14 {
        %c0_18 = arith.constant 0 : index
        %c34 = arith.constant 34 : index
        %c1_19 = arith.constant 1 : index
        scf.for %arg3 = %c0_18 to %c34 step %c1_19 {
          %12 = memref.load %alloc_0[%arg2, %arg3] : memref<9x34xi32>
          %c1_20 = arith.constant 1 : index
          %13 = arith.subi %arg3, %c1_20 : index
          %c32 = arith.constant 32 : index
          %14 = arith.cmpi uge, %13, %c32 : index
          %c1_21 = arith.constant 1 : index
          %15 = arith.remui %13, %c1_21 : index
          %c0_22 = arith.constant 0 : index
          %16 = arith.cmpi ne, %15, %c0_22 : index
          %17 = arith.ori %14, %16 : i1
          %18 = arith.cmpi ne, %12, %7 : i32
          %19 = arith.andi %17, %18 : i1
          scf.if %19 {
            %20 = memref.load %alloc_10[] : memref<i64>
            %21 = arith.addi %20, %c1_i64 : i64
            memref.store %21, %alloc_10[] : memref<i64>
          }
        }
      }
      %c0_15 = arith.constant 0 : index
      %c3_16 = arith.constant 3 : index
      %c1_17 = arith.constant 1 : index
      scf.for %arg2 = %c0_15 to %c3_16 step %c1_17 {
        %c0_18 = arith.constant 0 : index
        %c3_19 = arith.constant 3 : index
        %c1_20 = arith.constant 1 : index
        scf.for %arg3 = %c0_18 to %c3_19 step %c1_20 {
          %c3_21 = arith.constant 3 : index
          %12 = arith.muli %arg2, %c3_21 : index
          %13 = arith.addi %12, %arg3 : index
          %c0_22 = arith.constant 0 : index
          %c32 = arith.constant 32 : index
          %c1_23 = arith.constant 1 : index
          scf.for %arg4 = %c0_22 to %c32 step %c1_23 {
            %c1_24 = arith.constant 1 : index
            %14 = arith.muli %arg4, %c1_24 : index
            %c1_25 = arith.constant 1 : index
            %15 = arith.addi %14, %c1_25 : index
            %16 = memref.load %alloc_0[%13, %15] : memref<9x34xi32>
            %c31 = arith.constant 31 : index
            %17 = arith.muli %arg3, %c31 : index
            %c17 = arith.constant 17 : index
            %18 = arith.muli %arg0, %c17 : index
            %19 = arith.addi %17, %18 : index
            %c7_26 = arith.constant 7 : index
            %20 = arith.muli %arg2, %c7_26 : index
            %21 = arith.addi %19, %20 : index
            %c3_27 = arith.constant 3 : index
            %22 = arith.muli %arg4, %c3_27 : index
            %23 = arith.addi %21, %22 : index
            %c97 = arith.constant 97 : index
            %24 = arith.remui %23, %c97 : index
            %25 = arith.index_cast %24 : index to i64
            %26 = arith.trunci %25 : i64 to i32
            %27 = arith.cmpi ne, %16, %26 : i32
            scf.if %27 {
              %28 = memref.load %alloc_10[] : memref<i64>
              %29 = arith.addi %28, %c1_i64 : i64
              memref.store %29, %alloc_10[] : memref<i64>
            }
          }
        }
      }
      %8 = memref.load %alloc_10[] : memref<i64>
      %9 = llvm.mlir.addressof @fmt : !llvm.ptr
      %10 = arith.index_cast %arg0 : index to i64
      %11 = llvm.call @printf(%9, %10, %8) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
      memref.dealloc %alloc_7 : memref<9x34xi32, #air.symmetric_heap>
      memref.dealloc %alloc_8 : memref<9x34xi32, #air.symmetric_heap>
    }
    return
  }
}

