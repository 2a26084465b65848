// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: device wrong: 0, host wrong: 0

// Vectors of integers whose size is not a power of two of whole bytes, in memory: scalar loads read
// what vectors have stored, and vice versa; with masks, and as transfers. In a kernel and on the
// host, compared with scalar arithmetic.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("device wrong: %ld, host wrong: %ld\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  func.func private @put(%out: memref<52xi64>, %at: index, %x: i64) {
    memref.store %x, %out[%at] : memref<52xi64>
    return
  }
  gpu.func @k(%out: memref<52xi64>, %seed: i64) kernel {
    %c1 = arith.constant 1 : index
    %mi1 = memref.alloca() : memref<10xi1>
    %vi1_s = arith.constant dense<0> : vector<8xi1>
    %ci1_0 = arith.constant 3 : i64
    %xi1_0 = arith.addi %seed, %ci1_0 : i64
    %yi1_0 = arith.trunci %xi1_0 : i64 to i1
    %vi1_0 = vector.insert %yi1_0, %vi1_s [0] : i1 into vector<8xi1>
    %ci1_1 = arith.constant 8 : i64
    %xi1_1 = arith.addi %seed, %ci1_1 : i64
    %yi1_1 = arith.trunci %xi1_1 : i64 to i1
    %vi1_1 = vector.insert %yi1_1, %vi1_0 [1] : i1 into vector<8xi1>
    %ci1_2 = arith.constant 13 : i64
    %xi1_2 = arith.addi %seed, %ci1_2 : i64
    %yi1_2 = arith.trunci %xi1_2 : i64 to i1
    %vi1_2 = vector.insert %yi1_2, %vi1_1 [2] : i1 into vector<8xi1>
    %ci1_3 = arith.constant 18 : i64
    %xi1_3 = arith.addi %seed, %ci1_3 : i64
    %yi1_3 = arith.trunci %xi1_3 : i64 to i1
    %vi1_3 = vector.insert %yi1_3, %vi1_2 [3] : i1 into vector<8xi1>
    %ci1_4 = arith.constant 23 : i64
    %xi1_4 = arith.addi %seed, %ci1_4 : i64
    %yi1_4 = arith.trunci %xi1_4 : i64 to i1
    %vi1_4 = vector.insert %yi1_4, %vi1_3 [4] : i1 into vector<8xi1>
    %ci1_5 = arith.constant 28 : i64
    %xi1_5 = arith.addi %seed, %ci1_5 : i64
    %yi1_5 = arith.trunci %xi1_5 : i64 to i1
    %vi1_5 = vector.insert %yi1_5, %vi1_4 [5] : i1 into vector<8xi1>
    %ci1_6 = arith.constant 33 : i64
    %xi1_6 = arith.addi %seed, %ci1_6 : i64
    %yi1_6 = arith.trunci %xi1_6 : i64 to i1
    %vi1_6 = vector.insert %yi1_6, %vi1_5 [6] : i1 into vector<8xi1>
    %ci1_7 = arith.constant 38 : i64
    %xi1_7 = arith.addi %seed, %ci1_7 : i64
    %yi1_7 = arith.trunci %xi1_7 : i64 to i1
    %vi1_7 = vector.insert %yi1_7, %vi1_6 [7] : i1 into vector<8xi1>
    vector.store %vi1_7, %mi1[%c1] : memref<10xi1>, vector<8xi1>
    %ii1_0 = arith.constant 1 : index
    %li1_0 = memref.load %mi1[%ii1_0] : memref<10xi1>
    %zi1_0 = arith.extui %li1_0 : i1 to i64
    %si1_0 = arith.constant 0 : index
    func.call @put(%out, %si1_0, %zi1_0) : (memref<52xi64>, index, i64) -> ()
    %ii1_1 = arith.constant 2 : index
    %li1_1 = memref.load %mi1[%ii1_1] : memref<10xi1>
    %zi1_1 = arith.extui %li1_1 : i1 to i64
    %si1_1 = arith.constant 1 : index
    func.call @put(%out, %si1_1, %zi1_1) : (memref<52xi64>, index, i64) -> ()
    %ii1_2 = arith.constant 3 : index
    %li1_2 = memref.load %mi1[%ii1_2] : memref<10xi1>
    %zi1_2 = arith.extui %li1_2 : i1 to i64
    %si1_2 = arith.constant 2 : index
    func.call @put(%out, %si1_2, %zi1_2) : (memref<52xi64>, index, i64) -> ()
    %ii1_3 = arith.constant 4 : index
    %li1_3 = memref.load %mi1[%ii1_3] : memref<10xi1>
    %zi1_3 = arith.extui %li1_3 : i1 to i64
    %si1_3 = arith.constant 3 : index
    func.call @put(%out, %si1_3, %zi1_3) : (memref<52xi64>, index, i64) -> ()
    %ii1_4 = arith.constant 5 : index
    %li1_4 = memref.load %mi1[%ii1_4] : memref<10xi1>
    %zi1_4 = arith.extui %li1_4 : i1 to i64
    %si1_4 = arith.constant 4 : index
    func.call @put(%out, %si1_4, %zi1_4) : (memref<52xi64>, index, i64) -> ()
    %ii1_5 = arith.constant 6 : index
    %li1_5 = memref.load %mi1[%ii1_5] : memref<10xi1>
    %zi1_5 = arith.extui %li1_5 : i1 to i64
    %si1_5 = arith.constant 5 : index
    func.call @put(%out, %si1_5, %zi1_5) : (memref<52xi64>, index, i64) -> ()
    %ii1_6 = arith.constant 7 : index
    %li1_6 = memref.load %mi1[%ii1_6] : memref<10xi1>
    %zi1_6 = arith.extui %li1_6 : i1 to i64
    %si1_6 = arith.constant 6 : index
    func.call @put(%out, %si1_6, %zi1_6) : (memref<52xi64>, index, i64) -> ()
    %ii1_7 = arith.constant 8 : index
    %li1_7 = memref.load %mi1[%ii1_7] : memref<10xi1>
    %zi1_7 = arith.extui %li1_7 : i1 to i64
    %si1_7 = arith.constant 7 : index
    func.call @put(%out, %si1_7, %zi1_7) : (memref<52xi64>, index, i64) -> ()
    memref.store %yi1_0, %mi1[%ii1_7] : memref<10xi1>
    memref.store %yi1_1, %mi1[%ii1_6] : memref<10xi1>
    memref.store %yi1_2, %mi1[%ii1_5] : memref<10xi1>
    memref.store %yi1_3, %mi1[%ii1_4] : memref<10xi1>
    memref.store %yi1_4, %mi1[%ii1_3] : memref<10xi1>
    memref.store %yi1_5, %mi1[%ii1_2] : memref<10xi1>
    memref.store %yi1_6, %mi1[%ii1_1] : memref<10xi1>
    memref.store %yi1_7, %mi1[%ii1_0] : memref<10xi1>
    %ri1 = vector.load %mi1[%c1] : memref<10xi1>, vector<8xi1>
    %ki1 = arith.constant 2 : index
    %maski1 = vector.create_mask %ki1 : vector<8xi1>
    %onesi1 = arith.constant dense<1> : vector<8xi1>
    %qi1 = vector.maskedload %mi1[%c1], %maski1, %onesi1 : memref<10xi1>, vector<8xi1>, vector<8xi1> into vector<8xi1>
    vector.maskedstore %mi1[%c1], %maski1, %onesi1 : memref<10xi1>, vector<8xi1>, vector<8xi1>
    %padi1 = arith.constant 0 : i1
    %ui1 = vector.transfer_read %mi1[%c1], %padi1 : memref<10xi1>, vector<8xi1>
    %rli1_0 = vector.extract %ri1[0] : i1 from vector<8xi1>
    %rzi1_0 = arith.extui %rli1_0 : i1 to i64
    %rsi1_0 = arith.constant 8 : index
    func.call @put(%out, %rsi1_0, %rzi1_0) : (memref<52xi64>, index, i64) -> ()
    %rli1_1 = vector.extract %ri1[1] : i1 from vector<8xi1>
    %rzi1_1 = arith.extui %rli1_1 : i1 to i64
    %rsi1_1 = arith.constant 9 : index
    func.call @put(%out, %rsi1_1, %rzi1_1) : (memref<52xi64>, index, i64) -> ()
    %rli1_2 = vector.extract %ri1[2] : i1 from vector<8xi1>
    %rzi1_2 = arith.extui %rli1_2 : i1 to i64
    %rsi1_2 = arith.constant 10 : index
    func.call @put(%out, %rsi1_2, %rzi1_2) : (memref<52xi64>, index, i64) -> ()
    %rli1_3 = vector.extract %ri1[3] : i1 from vector<8xi1>
    %rzi1_3 = arith.extui %rli1_3 : i1 to i64
    %rsi1_3 = arith.constant 11 : index
    func.call @put(%out, %rsi1_3, %rzi1_3) : (memref<52xi64>, index, i64) -> ()
    %rli1_4 = vector.extract %ri1[4] : i1 from vector<8xi1>
    %rzi1_4 = arith.extui %rli1_4 : i1 to i64
    %rsi1_4 = arith.constant 12 : index
    func.call @put(%out, %rsi1_4, %rzi1_4) : (memref<52xi64>, index, i64) -> ()
    %rli1_5 = vector.extract %ri1[5] : i1 from vector<8xi1>
    %rzi1_5 = arith.extui %rli1_5 : i1 to i64
    %rsi1_5 = arith.constant 13 : index
    func.call @put(%out, %rsi1_5, %rzi1_5) : (memref<52xi64>, index, i64) -> ()
    %rli1_6 = vector.extract %ri1[6] : i1 from vector<8xi1>
    %rzi1_6 = arith.extui %rli1_6 : i1 to i64
    %rsi1_6 = arith.constant 14 : index
    func.call @put(%out, %rsi1_6, %rzi1_6) : (memref<52xi64>, index, i64) -> ()
    %rli1_7 = vector.extract %ri1[7] : i1 from vector<8xi1>
    %rzi1_7 = arith.extui %rli1_7 : i1 to i64
    %rsi1_7 = arith.constant 15 : index
    func.call @put(%out, %rsi1_7, %rzi1_7) : (memref<52xi64>, index, i64) -> ()
    %qli1_0 = vector.extract %qi1[0] : i1 from vector<8xi1>
    %qzi1_0 = arith.extui %qli1_0 : i1 to i64
    %qsi1_0 = arith.constant 16 : index
    func.call @put(%out, %qsi1_0, %qzi1_0) : (memref<52xi64>, index, i64) -> ()
    %qli1_1 = vector.extract %qi1[1] : i1 from vector<8xi1>
    %qzi1_1 = arith.extui %qli1_1 : i1 to i64
    %qsi1_1 = arith.constant 17 : index
    func.call @put(%out, %qsi1_1, %qzi1_1) : (memref<52xi64>, index, i64) -> ()
    %qli1_2 = vector.extract %qi1[2] : i1 from vector<8xi1>
    %qzi1_2 = arith.extui %qli1_2 : i1 to i64
    %qsi1_2 = arith.constant 18 : index
    func.call @put(%out, %qsi1_2, %qzi1_2) : (memref<52xi64>, index, i64) -> ()
    %qli1_3 = vector.extract %qi1[3] : i1 from vector<8xi1>
    %qzi1_3 = arith.extui %qli1_3 : i1 to i64
    %qsi1_3 = arith.constant 19 : index
    func.call @put(%out, %qsi1_3, %qzi1_3) : (memref<52xi64>, index, i64) -> ()
    %qli1_4 = vector.extract %qi1[4] : i1 from vector<8xi1>
    %qzi1_4 = arith.extui %qli1_4 : i1 to i64
    %qsi1_4 = arith.constant 20 : index
    func.call @put(%out, %qsi1_4, %qzi1_4) : (memref<52xi64>, index, i64) -> ()
    %qli1_5 = vector.extract %qi1[5] : i1 from vector<8xi1>
    %qzi1_5 = arith.extui %qli1_5 : i1 to i64
    %qsi1_5 = arith.constant 21 : index
    func.call @put(%out, %qsi1_5, %qzi1_5) : (memref<52xi64>, index, i64) -> ()
    %qli1_6 = vector.extract %qi1[6] : i1 from vector<8xi1>
    %qzi1_6 = arith.extui %qli1_6 : i1 to i64
    %qsi1_6 = arith.constant 22 : index
    func.call @put(%out, %qsi1_6, %qzi1_6) : (memref<52xi64>, index, i64) -> ()
    %qli1_7 = vector.extract %qi1[7] : i1 from vector<8xi1>
    %qzi1_7 = arith.extui %qli1_7 : i1 to i64
    %qsi1_7 = arith.constant 23 : index
    func.call @put(%out, %qsi1_7, %qzi1_7) : (memref<52xi64>, index, i64) -> ()
    %uli1_0 = vector.extract %ui1[0] : i1 from vector<8xi1>
    %uzi1_0 = arith.extui %uli1_0 : i1 to i64
    %usi1_0 = arith.constant 24 : index
    func.call @put(%out, %usi1_0, %uzi1_0) : (memref<52xi64>, index, i64) -> ()
    %uli1_1 = vector.extract %ui1[1] : i1 from vector<8xi1>
    %uzi1_1 = arith.extui %uli1_1 : i1 to i64
    %usi1_1 = arith.constant 25 : index
    func.call @put(%out, %usi1_1, %uzi1_1) : (memref<52xi64>, index, i64) -> ()
    %uli1_2 = vector.extract %ui1[2] : i1 from vector<8xi1>
    %uzi1_2 = arith.extui %uli1_2 : i1 to i64
    %usi1_2 = arith.constant 26 : index
    func.call @put(%out, %usi1_2, %uzi1_2) : (memref<52xi64>, index, i64) -> ()
    %uli1_3 = vector.extract %ui1[3] : i1 from vector<8xi1>
    %uzi1_3 = arith.extui %uli1_3 : i1 to i64
    %usi1_3 = arith.constant 27 : index
    func.call @put(%out, %usi1_3, %uzi1_3) : (memref<52xi64>, index, i64) -> ()
    %uli1_4 = vector.extract %ui1[4] : i1 from vector<8xi1>
    %uzi1_4 = arith.extui %uli1_4 : i1 to i64
    %usi1_4 = arith.constant 28 : index
    func.call @put(%out, %usi1_4, %uzi1_4) : (memref<52xi64>, index, i64) -> ()
    %uli1_5 = vector.extract %ui1[5] : i1 from vector<8xi1>
    %uzi1_5 = arith.extui %uli1_5 : i1 to i64
    %usi1_5 = arith.constant 29 : index
    func.call @put(%out, %usi1_5, %uzi1_5) : (memref<52xi64>, index, i64) -> ()
    %uli1_6 = vector.extract %ui1[6] : i1 from vector<8xi1>
    %uzi1_6 = arith.extui %uli1_6 : i1 to i64
    %usi1_6 = arith.constant 30 : index
    func.call @put(%out, %usi1_6, %uzi1_6) : (memref<52xi64>, index, i64) -> ()
    %uli1_7 = vector.extract %ui1[7] : i1 from vector<8xi1>
    %uzi1_7 = arith.extui %uli1_7 : i1 to i64
    %usi1_7 = arith.constant 31 : index
    func.call @put(%out, %usi1_7, %uzi1_7) : (memref<52xi64>, index, i64) -> ()
    %mi4 = memref.alloca() : memref<5xi4>
    %vi4_s = arith.constant dense<0> : vector<3xi4>
    %ci4_0 = arith.constant 3 : i64
    %xi4_0 = arith.addi %seed, %ci4_0 : i64
    %yi4_0 = arith.trunci %xi4_0 : i64 to i4
    %vi4_0 = vector.insert %yi4_0, %vi4_s [0] : i4 into vector<3xi4>
    %ci4_1 = arith.constant 8 : i64
    %xi4_1 = arith.addi %seed, %ci4_1 : i64
    %yi4_1 = arith.trunci %xi4_1 : i64 to i4
    %vi4_1 = vector.insert %yi4_1, %vi4_0 [1] : i4 into vector<3xi4>
    %ci4_2 = arith.constant 13 : i64
    %xi4_2 = arith.addi %seed, %ci4_2 : i64
    %yi4_2 = arith.trunci %xi4_2 : i64 to i4
    %vi4_2 = vector.insert %yi4_2, %vi4_1 [2] : i4 into vector<3xi4>
    vector.store %vi4_2, %mi4[%c1] : memref<5xi4>, vector<3xi4>
    %ii4_0 = arith.constant 1 : index
    %li4_0 = memref.load %mi4[%ii4_0] : memref<5xi4>
    %zi4_0 = arith.extui %li4_0 : i4 to i64
    %si4_0 = arith.constant 32 : index
    func.call @put(%out, %si4_0, %zi4_0) : (memref<52xi64>, index, i64) -> ()
    %ii4_1 = arith.constant 2 : index
    %li4_1 = memref.load %mi4[%ii4_1] : memref<5xi4>
    %zi4_1 = arith.extui %li4_1 : i4 to i64
    %si4_1 = arith.constant 33 : index
    func.call @put(%out, %si4_1, %zi4_1) : (memref<52xi64>, index, i64) -> ()
    %ii4_2 = arith.constant 3 : index
    %li4_2 = memref.load %mi4[%ii4_2] : memref<5xi4>
    %zi4_2 = arith.extui %li4_2 : i4 to i64
    %si4_2 = arith.constant 34 : index
    func.call @put(%out, %si4_2, %zi4_2) : (memref<52xi64>, index, i64) -> ()
    memref.store %yi4_0, %mi4[%ii4_2] : memref<5xi4>
    memref.store %yi4_1, %mi4[%ii4_1] : memref<5xi4>
    memref.store %yi4_2, %mi4[%ii4_0] : memref<5xi4>
    %ri4 = vector.load %mi4[%c1] : memref<5xi4>, vector<3xi4>
    %ki4 = arith.constant 2 : index
    %maski4 = vector.create_mask %ki4 : vector<3xi1>
    %onesi4 = arith.constant dense<1> : vector<3xi4>
    %qi4 = vector.maskedload %mi4[%c1], %maski4, %onesi4 : memref<5xi4>, vector<3xi1>, vector<3xi4> into vector<3xi4>
    vector.maskedstore %mi4[%c1], %maski4, %onesi4 : memref<5xi4>, vector<3xi1>, vector<3xi4>
    %padi4 = arith.constant 0 : i4
    %ui4 = vector.transfer_read %mi4[%c1], %padi4 : memref<5xi4>, vector<3xi4>
    %rli4_0 = vector.extract %ri4[0] : i4 from vector<3xi4>
    %rzi4_0 = arith.extui %rli4_0 : i4 to i64
    %rsi4_0 = arith.constant 35 : index
    func.call @put(%out, %rsi4_0, %rzi4_0) : (memref<52xi64>, index, i64) -> ()
    %rli4_1 = vector.extract %ri4[1] : i4 from vector<3xi4>
    %rzi4_1 = arith.extui %rli4_1 : i4 to i64
    %rsi4_1 = arith.constant 36 : index
    func.call @put(%out, %rsi4_1, %rzi4_1) : (memref<52xi64>, index, i64) -> ()
    %rli4_2 = vector.extract %ri4[2] : i4 from vector<3xi4>
    %rzi4_2 = arith.extui %rli4_2 : i4 to i64
    %rsi4_2 = arith.constant 37 : index
    func.call @put(%out, %rsi4_2, %rzi4_2) : (memref<52xi64>, index, i64) -> ()
    %qli4_0 = vector.extract %qi4[0] : i4 from vector<3xi4>
    %qzi4_0 = arith.extui %qli4_0 : i4 to i64
    %qsi4_0 = arith.constant 38 : index
    func.call @put(%out, %qsi4_0, %qzi4_0) : (memref<52xi64>, index, i64) -> ()
    %qli4_1 = vector.extract %qi4[1] : i4 from vector<3xi4>
    %qzi4_1 = arith.extui %qli4_1 : i4 to i64
    %qsi4_1 = arith.constant 39 : index
    func.call @put(%out, %qsi4_1, %qzi4_1) : (memref<52xi64>, index, i64) -> ()
    %qli4_2 = vector.extract %qi4[2] : i4 from vector<3xi4>
    %qzi4_2 = arith.extui %qli4_2 : i4 to i64
    %qsi4_2 = arith.constant 40 : index
    func.call @put(%out, %qsi4_2, %qzi4_2) : (memref<52xi64>, index, i64) -> ()
    %uli4_0 = vector.extract %ui4[0] : i4 from vector<3xi4>
    %uzi4_0 = arith.extui %uli4_0 : i4 to i64
    %usi4_0 = arith.constant 41 : index
    func.call @put(%out, %usi4_0, %uzi4_0) : (memref<52xi64>, index, i64) -> ()
    %uli4_1 = vector.extract %ui4[1] : i4 from vector<3xi4>
    %uzi4_1 = arith.extui %uli4_1 : i4 to i64
    %usi4_1 = arith.constant 42 : index
    func.call @put(%out, %usi4_1, %uzi4_1) : (memref<52xi64>, index, i64) -> ()
    %uli4_2 = vector.extract %ui4[2] : i4 from vector<3xi4>
    %uzi4_2 = arith.extui %uli4_2 : i4 to i64
    %usi4_2 = arith.constant 43 : index
    func.call @put(%out, %usi4_2, %uzi4_2) : (memref<52xi64>, index, i64) -> ()
    %mi24 = memref.alloca() : memref<4xi24>
    %vi24_s = arith.constant dense<0> : vector<2xi24>
    %ci24_0 = arith.constant 3 : i64
    %xi24_0 = arith.addi %seed, %ci24_0 : i64
    %yi24_0 = arith.trunci %xi24_0 : i64 to i24
    %vi24_0 = vector.insert %yi24_0, %vi24_s [0] : i24 into vector<2xi24>
    %ci24_1 = arith.constant 8 : i64
    %xi24_1 = arith.addi %seed, %ci24_1 : i64
    %yi24_1 = arith.trunci %xi24_1 : i64 to i24
    %vi24_1 = vector.insert %yi24_1, %vi24_0 [1] : i24 into vector<2xi24>
    vector.store %vi24_1, %mi24[%c1] : memref<4xi24>, vector<2xi24>
    %ii24_0 = arith.constant 1 : index
    %li24_0 = memref.load %mi24[%ii24_0] : memref<4xi24>
    %zi24_0 = arith.extui %li24_0 : i24 to i64
    %si24_0 = arith.constant 44 : index
    func.call @put(%out, %si24_0, %zi24_0) : (memref<52xi64>, index, i64) -> ()
    %ii24_1 = arith.constant 2 : index
    %li24_1 = memref.load %mi24[%ii24_1] : memref<4xi24>
    %zi24_1 = arith.extui %li24_1 : i24 to i64
    %si24_1 = arith.constant 45 : index
    func.call @put(%out, %si24_1, %zi24_1) : (memref<52xi64>, index, i64) -> ()
    memref.store %yi24_0, %mi24[%ii24_1] : memref<4xi24>
    memref.store %yi24_1, %mi24[%ii24_0] : memref<4xi24>
    %ri24 = vector.load %mi24[%c1] : memref<4xi24>, vector<2xi24>
    %ki24 = arith.constant 2 : index
    %maski24 = vector.create_mask %ki24 : vector<2xi1>
    %onesi24 = arith.constant dense<1> : vector<2xi24>
    %qi24 = vector.maskedload %mi24[%c1], %maski24, %onesi24 : memref<4xi24>, vector<2xi1>, vector<2xi24> into vector<2xi24>
    vector.maskedstore %mi24[%c1], %maski24, %onesi24 : memref<4xi24>, vector<2xi1>, vector<2xi24>
    %padi24 = arith.constant 0 : i24
    %ui24 = vector.transfer_read %mi24[%c1], %padi24 : memref<4xi24>, vector<2xi24>
    %rli24_0 = vector.extract %ri24[0] : i24 from vector<2xi24>
    %rzi24_0 = arith.extui %rli24_0 : i24 to i64
    %rsi24_0 = arith.constant 46 : index
    func.call @put(%out, %rsi24_0, %rzi24_0) : (memref<52xi64>, index, i64) -> ()
    %rli24_1 = vector.extract %ri24[1] : i24 from vector<2xi24>
    %rzi24_1 = arith.extui %rli24_1 : i24 to i64
    %rsi24_1 = arith.constant 47 : index
    func.call @put(%out, %rsi24_1, %rzi24_1) : (memref<52xi64>, index, i64) -> ()
    %qli24_0 = vector.extract %qi24[0] : i24 from vector<2xi24>
    %qzi24_0 = arith.extui %qli24_0 : i24 to i64
    %qsi24_0 = arith.constant 48 : index
    func.call @put(%out, %qsi24_0, %qzi24_0) : (memref<52xi64>, index, i64) -> ()
    %qli24_1 = vector.extract %qi24[1] : i24 from vector<2xi24>
    %qzi24_1 = arith.extui %qli24_1 : i24 to i64
    %qsi24_1 = arith.constant 49 : index
    func.call @put(%out, %qsi24_1, %qzi24_1) : (memref<52xi64>, index, i64) -> ()
    %uli24_0 = vector.extract %ui24[0] : i24 from vector<2xi24>
    %uzi24_0 = arith.extui %uli24_0 : i24 to i64
    %usi24_0 = arith.constant 50 : index
    func.call @put(%out, %usi24_0, %uzi24_0) : (memref<52xi64>, index, i64) -> ()
    %uli24_1 = vector.extract %ui24[1] : i24 from vector<2xi24>
    %uzi24_1 = arith.extui %uli24_1 : i24 to i64
    %usi24_1 = arith.constant 51 : index
    func.call @put(%out, %usi24_1, %uzi24_1) : (memref<52xi64>, index, i64) -> ()
    gpu.return
  }
}

func.func private @put(%out: memref<52xi64>, %at: index, %x: i64) {
  memref.store %x, %out[%at] : memref<52xi64>
  return
}
func.func private @host(%out: memref<52xi64>, %seed: i64) {
    %c1 = arith.constant 1 : index
    %mi1 = memref.alloca() : memref<10xi1>
    %vi1_s = arith.constant dense<0> : vector<8xi1>
    %ci1_0 = arith.constant 3 : i64
    %xi1_0 = arith.addi %seed, %ci1_0 : i64
    %yi1_0 = arith.trunci %xi1_0 : i64 to i1
    %vi1_0 = vector.insert %yi1_0, %vi1_s [0] : i1 into vector<8xi1>
    %ci1_1 = arith.constant 8 : i64
    %xi1_1 = arith.addi %seed, %ci1_1 : i64
    %yi1_1 = arith.trunci %xi1_1 : i64 to i1
    %vi1_1 = vector.insert %yi1_1, %vi1_0 [1] : i1 into vector<8xi1>
    %ci1_2 = arith.constant 13 : i64
    %xi1_2 = arith.addi %seed, %ci1_2 : i64
    %yi1_2 = arith.trunci %xi1_2 : i64 to i1
    %vi1_2 = vector.insert %yi1_2, %vi1_1 [2] : i1 into vector<8xi1>
    %ci1_3 = arith.constant 18 : i64
    %xi1_3 = arith.addi %seed, %ci1_3 : i64
    %yi1_3 = arith.trunci %xi1_3 : i64 to i1
    %vi1_3 = vector.insert %yi1_3, %vi1_2 [3] : i1 into vector<8xi1>
    %ci1_4 = arith.constant 23 : i64
    %xi1_4 = arith.addi %seed, %ci1_4 : i64
    %yi1_4 = arith.trunci %xi1_4 : i64 to i1
    %vi1_4 = vector.insert %yi1_4, %vi1_3 [4] : i1 into vector<8xi1>
    %ci1_5 = arith.constant 28 : i64
    %xi1_5 = arith.addi %seed, %ci1_5 : i64
    %yi1_5 = arith.trunci %xi1_5 : i64 to i1
    %vi1_5 = vector.insert %yi1_5, %vi1_4 [5] : i1 into vector<8xi1>
    %ci1_6 = arith.constant 33 : i64
    %xi1_6 = arith.addi %seed, %ci1_6 : i64
    %yi1_6 = arith.trunci %xi1_6 : i64 to i1
    %vi1_6 = vector.insert %yi1_6, %vi1_5 [6] : i1 into vector<8xi1>
    %ci1_7 = arith.constant 38 : i64
    %xi1_7 = arith.addi %seed, %ci1_7 : i64
    %yi1_7 = arith.trunci %xi1_7 : i64 to i1
    %vi1_7 = vector.insert %yi1_7, %vi1_6 [7] : i1 into vector<8xi1>
    vector.store %vi1_7, %mi1[%c1] : memref<10xi1>, vector<8xi1>
    %ii1_0 = arith.constant 1 : index
    %li1_0 = memref.load %mi1[%ii1_0] : memref<10xi1>
    %zi1_0 = arith.extui %li1_0 : i1 to i64
    %si1_0 = arith.constant 0 : index
    func.call @put(%out, %si1_0, %zi1_0) : (memref<52xi64>, index, i64) -> ()
    %ii1_1 = arith.constant 2 : index
    %li1_1 = memref.load %mi1[%ii1_1] : memref<10xi1>
    %zi1_1 = arith.extui %li1_1 : i1 to i64
    %si1_1 = arith.constant 1 : index
    func.call @put(%out, %si1_1, %zi1_1) : (memref<52xi64>, index, i64) -> ()
    %ii1_2 = arith.constant 3 : index
    %li1_2 = memref.load %mi1[%ii1_2] : memref<10xi1>
    %zi1_2 = arith.extui %li1_2 : i1 to i64
    %si1_2 = arith.constant 2 : index
    func.call @put(%out, %si1_2, %zi1_2) : (memref<52xi64>, index, i64) -> ()
    %ii1_3 = arith.constant 4 : index
    %li1_3 = memref.load %mi1[%ii1_3] : memref<10xi1>
    %zi1_3 = arith.extui %li1_3 : i1 to i64
    %si1_3 = arith.constant 3 : index
    func.call @put(%out, %si1_3, %zi1_3) : (memref<52xi64>, index, i64) -> ()
    %ii1_4 = arith.constant 5 : index
    %li1_4 = memref.load %mi1[%ii1_4] : memref<10xi1>
    %zi1_4 = arith.extui %li1_4 : i1 to i64
    %si1_4 = arith.constant 4 : index
    func.call @put(%out, %si1_4, %zi1_4) : (memref<52xi64>, index, i64) -> ()
    %ii1_5 = arith.constant 6 : index
    %li1_5 = memref.load %mi1[%ii1_5] : memref<10xi1>
    %zi1_5 = arith.extui %li1_5 : i1 to i64
    %si1_5 = arith.constant 5 : index
    func.call @put(%out, %si1_5, %zi1_5) : (memref<52xi64>, index, i64) -> ()
    %ii1_6 = arith.constant 7 : index
    %li1_6 = memref.load %mi1[%ii1_6] : memref<10xi1>
    %zi1_6 = arith.extui %li1_6 : i1 to i64
    %si1_6 = arith.constant 6 : index
    func.call @put(%out, %si1_6, %zi1_6) : (memref<52xi64>, index, i64) -> ()
    %ii1_7 = arith.constant 8 : index
    %li1_7 = memref.load %mi1[%ii1_7] : memref<10xi1>
    %zi1_7 = arith.extui %li1_7 : i1 to i64
    %si1_7 = arith.constant 7 : index
    func.call @put(%out, %si1_7, %zi1_7) : (memref<52xi64>, index, i64) -> ()
    memref.store %yi1_0, %mi1[%ii1_7] : memref<10xi1>
    memref.store %yi1_1, %mi1[%ii1_6] : memref<10xi1>
    memref.store %yi1_2, %mi1[%ii1_5] : memref<10xi1>
    memref.store %yi1_3, %mi1[%ii1_4] : memref<10xi1>
    memref.store %yi1_4, %mi1[%ii1_3] : memref<10xi1>
    memref.store %yi1_5, %mi1[%ii1_2] : memref<10xi1>
    memref.store %yi1_6, %mi1[%ii1_1] : memref<10xi1>
    memref.store %yi1_7, %mi1[%ii1_0] : memref<10xi1>
    %ri1 = vector.load %mi1[%c1] : memref<10xi1>, vector<8xi1>
    %ki1 = arith.constant 2 : index
    %maski1 = vector.create_mask %ki1 : vector<8xi1>
    %onesi1 = arith.constant dense<1> : vector<8xi1>
    %qi1 = vector.maskedload %mi1[%c1], %maski1, %onesi1 : memref<10xi1>, vector<8xi1>, vector<8xi1> into vector<8xi1>
    vector.maskedstore %mi1[%c1], %maski1, %onesi1 : memref<10xi1>, vector<8xi1>, vector<8xi1>
    %padi1 = arith.constant 0 : i1
    %ui1 = vector.transfer_read %mi1[%c1], %padi1 : memref<10xi1>, vector<8xi1>
    %rli1_0 = vector.extract %ri1[0] : i1 from vector<8xi1>
    %rzi1_0 = arith.extui %rli1_0 : i1 to i64
    %rsi1_0 = arith.constant 8 : index
    func.call @put(%out, %rsi1_0, %rzi1_0) : (memref<52xi64>, index, i64) -> ()
    %rli1_1 = vector.extract %ri1[1] : i1 from vector<8xi1>
    %rzi1_1 = arith.extui %rli1_1 : i1 to i64
    %rsi1_1 = arith.constant 9 : index
    func.call @put(%out, %rsi1_1, %rzi1_1) : (memref<52xi64>, index, i64) -> ()
    %rli1_2 = vector.extract %ri1[2] : i1 from vector<8xi1>
    %rzi1_2 = arith.extui %rli1_2 : i1 to i64
    %rsi1_2 = arith.constant 10 : index
    func.call @put(%out, %rsi1_2, %rzi1_2) : (memref<52xi64>, index, i64) -> ()
    %rli1_3 = vector.extract %ri1[3] : i1 from vector<8xi1>
    %rzi1_3 = arith.extui %rli1_3 : i1 to i64
    %rsi1_3 = arith.constant 11 : index
    func.call @put(%out, %rsi1_3, %rzi1_3) : (memref<52xi64>, index, i64) -> ()
    %rli1_4 = vector.extract %ri1[4] : i1 from vector<8xi1>
    %rzi1_4 = arith.extui %rli1_4 : i1 to i64
    %rsi1_4 = arith.constant 12 : index
    func.call @put(%out, %rsi1_4, %rzi1_4) : (memref<52xi64>, index, i64) -> ()
    %rli1_5 = vector.extract %ri1[5] : i1 from vector<8xi1>
    %rzi1_5 = arith.extui %rli1_5 : i1 to i64
    %rsi1_5 = arith.constant 13 : index
    func.call @put(%out, %rsi1_5, %rzi1_5) : (memref<52xi64>, index, i64) -> ()
    %rli1_6 = vector.extract %ri1[6] : i1 from vector<8xi1>
    %rzi1_6 = arith.extui %rli1_6 : i1 to i64
    %rsi1_6 = arith.constant 14 : index
    func.call @put(%out, %rsi1_6, %rzi1_6) : (memref<52xi64>, index, i64) -> ()
    %rli1_7 = vector.extract %ri1[7] : i1 from vector<8xi1>
    %rzi1_7 = arith.extui %rli1_7 : i1 to i64
    %rsi1_7 = arith.constant 15 : index
    func.call @put(%out, %rsi1_7, %rzi1_7) : (memref<52xi64>, index, i64) -> ()
    %qli1_0 = vector.extract %qi1[0] : i1 from vector<8xi1>
    %qzi1_0 = arith.extui %qli1_0 : i1 to i64
    %qsi1_0 = arith.constant 16 : index
    func.call @put(%out, %qsi1_0, %qzi1_0) : (memref<52xi64>, index, i64) -> ()
    %qli1_1 = vector.extract %qi1[1] : i1 from vector<8xi1>
    %qzi1_1 = arith.extui %qli1_1 : i1 to i64
    %qsi1_1 = arith.constant 17 : index
    func.call @put(%out, %qsi1_1, %qzi1_1) : (memref<52xi64>, index, i64) -> ()
    %qli1_2 = vector.extract %qi1[2] : i1 from vector<8xi1>
    %qzi1_2 = arith.extui %qli1_2 : i1 to i64
    %qsi1_2 = arith.constant 18 : index
    func.call @put(%out, %qsi1_2, %qzi1_2) : (memref<52xi64>, index, i64) -> ()
    %qli1_3 = vector.extract %qi1[3] : i1 from vector<8xi1>
    %qzi1_3 = arith.extui %qli1_3 : i1 to i64
    %qsi1_3 = arith.constant 19 : index
    func.call @put(%out, %qsi1_3, %qzi1_3) : (memref<52xi64>, index, i64) -> ()
    %qli1_4 = vector.extract %qi1[4] : i1 from vector<8xi1>
    %qzi1_4 = arith.extui %qli1_4 : i1 to i64
    %qsi1_4 = arith.constant 20 : index
    func.call @put(%out, %qsi1_4, %qzi1_4) : (memref<52xi64>, index, i64) -> ()
    %qli1_5 = vector.extract %qi1[5] : i1 from vector<8xi1>
    %qzi1_5 = arith.extui %qli1_5 : i1 to i64
    %qsi1_5 = arith.constant 21 : index
    func.call @put(%out, %qsi1_5, %qzi1_5) : (memref<52xi64>, index, i64) -> ()
    %qli1_6 = vector.extract %qi1[6] : i1 from vector<8xi1>
    %qzi1_6 = arith.extui %qli1_6 : i1 to i64
    %qsi1_6 = arith.constant 22 : index
    func.call @put(%out, %qsi1_6, %qzi1_6) : (memref<52xi64>, index, i64) -> ()
    %qli1_7 = vector.extract %qi1[7] : i1 from vector<8xi1>
    %qzi1_7 = arith.extui %qli1_7 : i1 to i64
    %qsi1_7 = arith.constant 23 : index
    func.call @put(%out, %qsi1_7, %qzi1_7) : (memref<52xi64>, index, i64) -> ()
    %uli1_0 = vector.extract %ui1[0] : i1 from vector<8xi1>
    %uzi1_0 = arith.extui %uli1_0 : i1 to i64
    %usi1_0 = arith.constant 24 : index
    func.call @put(%out, %usi1_0, %uzi1_0) : (memref<52xi64>, index, i64) -> ()
    %uli1_1 = vector.extract %ui1[1] : i1 from vector<8xi1>
    %uzi1_1 = arith.extui %uli1_1 : i1 to i64
    %usi1_1 = arith.constant 25 : index
    func.call @put(%out, %usi1_1, %uzi1_1) : (memref<52xi64>, index, i64) -> ()
    %uli1_2 = vector.extract %ui1[2] : i1 from vector<8xi1>
    %uzi1_2 = arith.extui %uli1_2 : i1 to i64
    %usi1_2 = arith.constant 26 : index
    func.call @put(%out, %usi1_2, %uzi1_2) : (memref<52xi64>, index, i64) -> ()
    %uli1_3 = vector.extract %ui1[3] : i1 from vector<8xi1>
    %uzi1_3 = arith.extui %uli1_3 : i1 to i64
    %usi1_3 = arith.constant 27 : index
    func.call @put(%out, %usi1_3, %uzi1_3) : (memref<52xi64>, index, i64) -> ()
    %uli1_4 = vector.extract %ui1[4] : i1 from vector<8xi1>
    %uzi1_4 = arith.extui %uli1_4 : i1 to i64
    %usi1_4 = arith.constant 28 : index
    func.call @put(%out, %usi1_4, %uzi1_4) : (memref<52xi64>, index, i64) -> ()
    %uli1_5 = vector.extract %ui1[5] : i1 from vector<8xi1>
    %uzi1_5 = arith.extui %uli1_5 : i1 to i64
    %usi1_5 = arith.constant 29 : index
    func.call @put(%out, %usi1_5, %uzi1_5) : (memref<52xi64>, index, i64) -> ()
    %uli1_6 = vector.extract %ui1[6] : i1 from vector<8xi1>
    %uzi1_6 = arith.extui %uli1_6 : i1 to i64
    %usi1_6 = arith.constant 30 : index
    func.call @put(%out, %usi1_6, %uzi1_6) : (memref<52xi64>, index, i64) -> ()
    %uli1_7 = vector.extract %ui1[7] : i1 from vector<8xi1>
    %uzi1_7 = arith.extui %uli1_7 : i1 to i64
    %usi1_7 = arith.constant 31 : index
    func.call @put(%out, %usi1_7, %uzi1_7) : (memref<52xi64>, index, i64) -> ()
    %mi4 = memref.alloca() : memref<5xi4>
    %vi4_s = arith.constant dense<0> : vector<3xi4>
    %ci4_0 = arith.constant 3 : i64
    %xi4_0 = arith.addi %seed, %ci4_0 : i64
    %yi4_0 = arith.trunci %xi4_0 : i64 to i4
    %vi4_0 = vector.insert %yi4_0, %vi4_s [0] : i4 into vector<3xi4>
    %ci4_1 = arith.constant 8 : i64
    %xi4_1 = arith.addi %seed, %ci4_1 : i64
    %yi4_1 = arith.trunci %xi4_1 : i64 to i4
    %vi4_1 = vector.insert %yi4_1, %vi4_0 [1] : i4 into vector<3xi4>
    %ci4_2 = arith.constant 13 : i64
    %xi4_2 = arith.addi %seed, %ci4_2 : i64
    %yi4_2 = arith.trunci %xi4_2 : i64 to i4
    %vi4_2 = vector.insert %yi4_2, %vi4_1 [2] : i4 into vector<3xi4>
    vector.store %vi4_2, %mi4[%c1] : memref<5xi4>, vector<3xi4>
    %ii4_0 = arith.constant 1 : index
    %li4_0 = memref.load %mi4[%ii4_0] : memref<5xi4>
    %zi4_0 = arith.extui %li4_0 : i4 to i64
    %si4_0 = arith.constant 32 : index
    func.call @put(%out, %si4_0, %zi4_0) : (memref<52xi64>, index, i64) -> ()
    %ii4_1 = arith.constant 2 : index
    %li4_1 = memref.load %mi4[%ii4_1] : memref<5xi4>
    %zi4_1 = arith.extui %li4_1 : i4 to i64
    %si4_1 = arith.constant 33 : index
    func.call @put(%out, %si4_1, %zi4_1) : (memref<52xi64>, index, i64) -> ()
    %ii4_2 = arith.constant 3 : index
    %li4_2 = memref.load %mi4[%ii4_2] : memref<5xi4>
    %zi4_2 = arith.extui %li4_2 : i4 to i64
    %si4_2 = arith.constant 34 : index
    func.call @put(%out, %si4_2, %zi4_2) : (memref<52xi64>, index, i64) -> ()
    memref.store %yi4_0, %mi4[%ii4_2] : memref<5xi4>
    memref.store %yi4_1, %mi4[%ii4_1] : memref<5xi4>
    memref.store %yi4_2, %mi4[%ii4_0] : memref<5xi4>
    %ri4 = vector.load %mi4[%c1] : memref<5xi4>, vector<3xi4>
    %ki4 = arith.constant 2 : index
    %maski4 = vector.create_mask %ki4 : vector<3xi1>
    %onesi4 = arith.constant dense<1> : vector<3xi4>
    %qi4 = vector.maskedload %mi4[%c1], %maski4, %onesi4 : memref<5xi4>, vector<3xi1>, vector<3xi4> into vector<3xi4>
    vector.maskedstore %mi4[%c1], %maski4, %onesi4 : memref<5xi4>, vector<3xi1>, vector<3xi4>
    %padi4 = arith.constant 0 : i4
    %ui4 = vector.transfer_read %mi4[%c1], %padi4 : memref<5xi4>, vector<3xi4>
    %rli4_0 = vector.extract %ri4[0] : i4 from vector<3xi4>
    %rzi4_0 = arith.extui %rli4_0 : i4 to i64
    %rsi4_0 = arith.constant 35 : index
    func.call @put(%out, %rsi4_0, %rzi4_0) : (memref<52xi64>, index, i64) -> ()
    %rli4_1 = vector.extract %ri4[1] : i4 from vector<3xi4>
    %rzi4_1 = arith.extui %rli4_1 : i4 to i64
    %rsi4_1 = arith.constant 36 : index
    func.call @put(%out, %rsi4_1, %rzi4_1) : (memref<52xi64>, index, i64) -> ()
    %rli4_2 = vector.extract %ri4[2] : i4 from vector<3xi4>
    %rzi4_2 = arith.extui %rli4_2 : i4 to i64
    %rsi4_2 = arith.constant 37 : index
    func.call @put(%out, %rsi4_2, %rzi4_2) : (memref<52xi64>, index, i64) -> ()
    %qli4_0 = vector.extract %qi4[0] : i4 from vector<3xi4>
    %qzi4_0 = arith.extui %qli4_0 : i4 to i64
    %qsi4_0 = arith.constant 38 : index
    func.call @put(%out, %qsi4_0, %qzi4_0) : (memref<52xi64>, index, i64) -> ()
    %qli4_1 = vector.extract %qi4[1] : i4 from vector<3xi4>
    %qzi4_1 = arith.extui %qli4_1 : i4 to i64
    %qsi4_1 = arith.constant 39 : index
    func.call @put(%out, %qsi4_1, %qzi4_1) : (memref<52xi64>, index, i64) -> ()
    %qli4_2 = vector.extract %qi4[2] : i4 from vector<3xi4>
    %qzi4_2 = arith.extui %qli4_2 : i4 to i64
    %qsi4_2 = arith.constant 40 : index
    func.call @put(%out, %qsi4_2, %qzi4_2) : (memref<52xi64>, index, i64) -> ()
    %uli4_0 = vector.extract %ui4[0] : i4 from vector<3xi4>
    %uzi4_0 = arith.extui %uli4_0 : i4 to i64
    %usi4_0 = arith.constant 41 : index
    func.call @put(%out, %usi4_0, %uzi4_0) : (memref<52xi64>, index, i64) -> ()
    %uli4_1 = vector.extract %ui4[1] : i4 from vector<3xi4>
    %uzi4_1 = arith.extui %uli4_1 : i4 to i64
    %usi4_1 = arith.constant 42 : index
    func.call @put(%out, %usi4_1, %uzi4_1) : (memref<52xi64>, index, i64) -> ()
    %uli4_2 = vector.extract %ui4[2] : i4 from vector<3xi4>
    %uzi4_2 = arith.extui %uli4_2 : i4 to i64
    %usi4_2 = arith.constant 43 : index
    func.call @put(%out, %usi4_2, %uzi4_2) : (memref<52xi64>, index, i64) -> ()
    %mi24 = memref.alloca() : memref<4xi24>
    %vi24_s = arith.constant dense<0> : vector<2xi24>
    %ci24_0 = arith.constant 3 : i64
    %xi24_0 = arith.addi %seed, %ci24_0 : i64
    %yi24_0 = arith.trunci %xi24_0 : i64 to i24
    %vi24_0 = vector.insert %yi24_0, %vi24_s [0] : i24 into vector<2xi24>
    %ci24_1 = arith.constant 8 : i64
    %xi24_1 = arith.addi %seed, %ci24_1 : i64
    %yi24_1 = arith.trunci %xi24_1 : i64 to i24
    %vi24_1 = vector.insert %yi24_1, %vi24_0 [1] : i24 into vector<2xi24>
    vector.store %vi24_1, %mi24[%c1] : memref<4xi24>, vector<2xi24>
    %ii24_0 = arith.constant 1 : index
    %li24_0 = memref.load %mi24[%ii24_0] : memref<4xi24>
    %zi24_0 = arith.extui %li24_0 : i24 to i64
    %si24_0 = arith.constant 44 : index
    func.call @put(%out, %si24_0, %zi24_0) : (memref<52xi64>, index, i64) -> ()
    %ii24_1 = arith.constant 2 : index
    %li24_1 = memref.load %mi24[%ii24_1] : memref<4xi24>
    %zi24_1 = arith.extui %li24_1 : i24 to i64
    %si24_1 = arith.constant 45 : index
    func.call @put(%out, %si24_1, %zi24_1) : (memref<52xi64>, index, i64) -> ()
    memref.store %yi24_0, %mi24[%ii24_1] : memref<4xi24>
    memref.store %yi24_1, %mi24[%ii24_0] : memref<4xi24>
    %ri24 = vector.load %mi24[%c1] : memref<4xi24>, vector<2xi24>
    %ki24 = arith.constant 2 : index
    %maski24 = vector.create_mask %ki24 : vector<2xi1>
    %onesi24 = arith.constant dense<1> : vector<2xi24>
    %qi24 = vector.maskedload %mi24[%c1], %maski24, %onesi24 : memref<4xi24>, vector<2xi1>, vector<2xi24> into vector<2xi24>
    vector.maskedstore %mi24[%c1], %maski24, %onesi24 : memref<4xi24>, vector<2xi1>, vector<2xi24>
    %padi24 = arith.constant 0 : i24
    %ui24 = vector.transfer_read %mi24[%c1], %padi24 : memref<4xi24>, vector<2xi24>
    %rli24_0 = vector.extract %ri24[0] : i24 from vector<2xi24>
    %rzi24_0 = arith.extui %rli24_0 : i24 to i64
    %rsi24_0 = arith.constant 46 : index
    func.call @put(%out, %rsi24_0, %rzi24_0) : (memref<52xi64>, index, i64) -> ()
    %rli24_1 = vector.extract %ri24[1] : i24 from vector<2xi24>
    %rzi24_1 = arith.extui %rli24_1 : i24 to i64
    %rsi24_1 = arith.constant 47 : index
    func.call @put(%out, %rsi24_1, %rzi24_1) : (memref<52xi64>, index, i64) -> ()
    %qli24_0 = vector.extract %qi24[0] : i24 from vector<2xi24>
    %qzi24_0 = arith.extui %qli24_0 : i24 to i64
    %qsi24_0 = arith.constant 48 : index
    func.call @put(%out, %qsi24_0, %qzi24_0) : (memref<52xi64>, index, i64) -> ()
    %qli24_1 = vector.extract %qi24[1] : i24 from vector<2xi24>
    %qzi24_1 = arith.extui %qli24_1 : i24 to i64
    %qsi24_1 = arith.constant 49 : index
    func.call @put(%out, %qsi24_1, %qzi24_1) : (memref<52xi64>, index, i64) -> ()
    %uli24_0 = vector.extract %ui24[0] : i24 from vector<2xi24>
    %uzi24_0 = arith.extui %uli24_0 : i24 to i64
    %usi24_0 = arith.constant 50 : index
    func.call @put(%out, %usi24_0, %uzi24_0) : (memref<52xi64>, index, i64) -> ()
    %uli24_1 = vector.extract %ui24[1] : i24 from vector<2xi24>
    %uzi24_1 = arith.extui %uli24_1 : i24 to i64
    %usi24_1 = arith.constant 51 : index
    func.call @put(%out, %usi24_1, %uzi24_1) : (memref<52xi64>, index, i64) -> ()
    return
}
func.func private @expected(%out: memref<52xi64>, %seed: i64) {
  %w0s = arith.constant 0 : index
  %w0c = arith.constant 3 : i64
  %w0a = arith.addi %seed, %w0c : i64
  %w0m = arith.constant 1 : i64
  %w0 = arith.andi %w0a, %w0m : i64
  call @put(%out, %w0s, %w0) : (memref<52xi64>, index, i64) -> ()
  %w1s = arith.constant 1 : index
  %w1c = arith.constant 8 : i64
  %w1a = arith.addi %seed, %w1c : i64
  %w1m = arith.constant 1 : i64
  %w1 = arith.andi %w1a, %w1m : i64
  call @put(%out, %w1s, %w1) : (memref<52xi64>, index, i64) -> ()
  %w2s = arith.constant 2 : index
  %w2c = arith.constant 13 : i64
  %w2a = arith.addi %seed, %w2c : i64
  %w2m = arith.constant 1 : i64
  %w2 = arith.andi %w2a, %w2m : i64
  call @put(%out, %w2s, %w2) : (memref<52xi64>, index, i64) -> ()
  %w3s = arith.constant 3 : index
  %w3c = arith.constant 18 : i64
  %w3a = arith.addi %seed, %w3c : i64
  %w3m = arith.constant 1 : i64
  %w3 = arith.andi %w3a, %w3m : i64
  call @put(%out, %w3s, %w3) : (memref<52xi64>, index, i64) -> ()
  %w4s = arith.constant 4 : index
  %w4c = arith.constant 23 : i64
  %w4a = arith.addi %seed, %w4c : i64
  %w4m = arith.constant 1 : i64
  %w4 = arith.andi %w4a, %w4m : i64
  call @put(%out, %w4s, %w4) : (memref<52xi64>, index, i64) -> ()
  %w5s = arith.constant 5 : index
  %w5c = arith.constant 28 : i64
  %w5a = arith.addi %seed, %w5c : i64
  %w5m = arith.constant 1 : i64
  %w5 = arith.andi %w5a, %w5m : i64
  call @put(%out, %w5s, %w5) : (memref<52xi64>, index, i64) -> ()
  %w6s = arith.constant 6 : index
  %w6c = arith.constant 33 : i64
  %w6a = arith.addi %seed, %w6c : i64
  %w6m = arith.constant 1 : i64
  %w6 = arith.andi %w6a, %w6m : i64
  call @put(%out, %w6s, %w6) : (memref<52xi64>, index, i64) -> ()
  %w7s = arith.constant 7 : index
  %w7c = arith.constant 38 : i64
  %w7a = arith.addi %seed, %w7c : i64
  %w7m = arith.constant 1 : i64
  %w7 = arith.andi %w7a, %w7m : i64
  call @put(%out, %w7s, %w7) : (memref<52xi64>, index, i64) -> ()
  %w8s = arith.constant 8 : index
  %w8c = arith.constant 38 : i64
  %w8a = arith.addi %seed, %w8c : i64
  %w8m = arith.constant 1 : i64
  %w8 = arith.andi %w8a, %w8m : i64
  call @put(%out, %w8s, %w8) : (memref<52xi64>, index, i64) -> ()
  %w9s = arith.constant 9 : index
  %w9c = arith.constant 33 : i64
  %w9a = arith.addi %seed, %w9c : i64
  %w9m = arith.constant 1 : i64
  %w9 = arith.andi %w9a, %w9m : i64
  call @put(%out, %w9s, %w9) : (memref<52xi64>, index, i64) -> ()
  %w10s = arith.constant 10 : index
  %w10c = arith.constant 28 : i64
  %w10a = arith.addi %seed, %w10c : i64
  %w10m = arith.constant 1 : i64
  %w10 = arith.andi %w10a, %w10m : i64
  call @put(%out, %w10s, %w10) : (memref<52xi64>, index, i64) -> ()
  %w11s = arith.constant 11 : index
  %w11c = arith.constant 23 : i64
  %w11a = arith.addi %seed, %w11c : i64
  %w11m = arith.constant 1 : i64
  %w11 = arith.andi %w11a, %w11m : i64
  call @put(%out, %w11s, %w11) : (memref<52xi64>, index, i64) -> ()
  %w12s = arith.constant 12 : index
  %w12c = arith.constant 18 : i64
  %w12a = arith.addi %seed, %w12c : i64
  %w12m = arith.constant 1 : i64
  %w12 = arith.andi %w12a, %w12m : i64
  call @put(%out, %w12s, %w12) : (memref<52xi64>, index, i64) -> ()
  %w13s = arith.constant 13 : index
  %w13c = arith.constant 13 : i64
  %w13a = arith.addi %seed, %w13c : i64
  %w13m = arith.constant 1 : i64
  %w13 = arith.andi %w13a, %w13m : i64
  call @put(%out, %w13s, %w13) : (memref<52xi64>, index, i64) -> ()
  %w14s = arith.constant 14 : index
  %w14c = arith.constant 8 : i64
  %w14a = arith.addi %seed, %w14c : i64
  %w14m = arith.constant 1 : i64
  %w14 = arith.andi %w14a, %w14m : i64
  call @put(%out, %w14s, %w14) : (memref<52xi64>, index, i64) -> ()
  %w15s = arith.constant 15 : index
  %w15c = arith.constant 3 : i64
  %w15a = arith.addi %seed, %w15c : i64
  %w15m = arith.constant 1 : i64
  %w15 = arith.andi %w15a, %w15m : i64
  call @put(%out, %w15s, %w15) : (memref<52xi64>, index, i64) -> ()
  %w16s = arith.constant 16 : index
  %w16c = arith.constant 38 : i64
  %w16a = arith.addi %seed, %w16c : i64
  %w16m = arith.constant 1 : i64
  %w16 = arith.andi %w16a, %w16m : i64
  call @put(%out, %w16s, %w16) : (memref<52xi64>, index, i64) -> ()
  %w17s = arith.constant 17 : index
  %w17c = arith.constant 33 : i64
  %w17a = arith.addi %seed, %w17c : i64
  %w17m = arith.constant 1 : i64
  %w17 = arith.andi %w17a, %w17m : i64
  call @put(%out, %w17s, %w17) : (memref<52xi64>, index, i64) -> ()
  %w18s = arith.constant 18 : index
  %w18 = arith.constant 1 : i64
  call @put(%out, %w18s, %w18) : (memref<52xi64>, index, i64) -> ()
  %w19s = arith.constant 19 : index
  %w19 = arith.constant 1 : i64
  call @put(%out, %w19s, %w19) : (memref<52xi64>, index, i64) -> ()
  %w20s = arith.constant 20 : index
  %w20 = arith.constant 1 : i64
  call @put(%out, %w20s, %w20) : (memref<52xi64>, index, i64) -> ()
  %w21s = arith.constant 21 : index
  %w21 = arith.constant 1 : i64
  call @put(%out, %w21s, %w21) : (memref<52xi64>, index, i64) -> ()
  %w22s = arith.constant 22 : index
  %w22 = arith.constant 1 : i64
  call @put(%out, %w22s, %w22) : (memref<52xi64>, index, i64) -> ()
  %w23s = arith.constant 23 : index
  %w23 = arith.constant 1 : i64
  call @put(%out, %w23s, %w23) : (memref<52xi64>, index, i64) -> ()
  %w24s = arith.constant 24 : index
  %w24 = arith.constant 1 : i64
  call @put(%out, %w24s, %w24) : (memref<52xi64>, index, i64) -> ()
  %w25s = arith.constant 25 : index
  %w25 = arith.constant 1 : i64
  call @put(%out, %w25s, %w25) : (memref<52xi64>, index, i64) -> ()
  %w26s = arith.constant 26 : index
  %w26c = arith.constant 28 : i64
  %w26a = arith.addi %seed, %w26c : i64
  %w26m = arith.constant 1 : i64
  %w26 = arith.andi %w26a, %w26m : i64
  call @put(%out, %w26s, %w26) : (memref<52xi64>, index, i64) -> ()
  %w27s = arith.constant 27 : index
  %w27c = arith.constant 23 : i64
  %w27a = arith.addi %seed, %w27c : i64
  %w27m = arith.constant 1 : i64
  %w27 = arith.andi %w27a, %w27m : i64
  call @put(%out, %w27s, %w27) : (memref<52xi64>, index, i64) -> ()
  %w28s = arith.constant 28 : index
  %w28c = arith.constant 18 : i64
  %w28a = arith.addi %seed, %w28c : i64
  %w28m = arith.constant 1 : i64
  %w28 = arith.andi %w28a, %w28m : i64
  call @put(%out, %w28s, %w28) : (memref<52xi64>, index, i64) -> ()
  %w29s = arith.constant 29 : index
  %w29c = arith.constant 13 : i64
  %w29a = arith.addi %seed, %w29c : i64
  %w29m = arith.constant 1 : i64
  %w29 = arith.andi %w29a, %w29m : i64
  call @put(%out, %w29s, %w29) : (memref<52xi64>, index, i64) -> ()
  %w30s = arith.constant 30 : index
  %w30c = arith.constant 8 : i64
  %w30a = arith.addi %seed, %w30c : i64
  %w30m = arith.constant 1 : i64
  %w30 = arith.andi %w30a, %w30m : i64
  call @put(%out, %w30s, %w30) : (memref<52xi64>, index, i64) -> ()
  %w31s = arith.constant 31 : index
  %w31c = arith.constant 3 : i64
  %w31a = arith.addi %seed, %w31c : i64
  %w31m = arith.constant 1 : i64
  %w31 = arith.andi %w31a, %w31m : i64
  call @put(%out, %w31s, %w31) : (memref<52xi64>, index, i64) -> ()
  %w32s = arith.constant 32 : index
  %w32c = arith.constant 3 : i64
  %w32a = arith.addi %seed, %w32c : i64
  %w32m = arith.constant 15 : i64
  %w32 = arith.andi %w32a, %w32m : i64
  call @put(%out, %w32s, %w32) : (memref<52xi64>, index, i64) -> ()
  %w33s = arith.constant 33 : index
  %w33c = arith.constant 8 : i64
  %w33a = arith.addi %seed, %w33c : i64
  %w33m = arith.constant 15 : i64
  %w33 = arith.andi %w33a, %w33m : i64
  call @put(%out, %w33s, %w33) : (memref<52xi64>, index, i64) -> ()
  %w34s = arith.constant 34 : index
  %w34c = arith.constant 13 : i64
  %w34a = arith.addi %seed, %w34c : i64
  %w34m = arith.constant 15 : i64
  %w34 = arith.andi %w34a, %w34m : i64
  call @put(%out, %w34s, %w34) : (memref<52xi64>, index, i64) -> ()
  %w35s = arith.constant 35 : index
  %w35c = arith.constant 13 : i64
  %w35a = arith.addi %seed, %w35c : i64
  %w35m = arith.constant 15 : i64
  %w35 = arith.andi %w35a, %w35m : i64
  call @put(%out, %w35s, %w35) : (memref<52xi64>, index, i64) -> ()
  %w36s = arith.constant 36 : index
  %w36c = arith.constant 8 : i64
  %w36a = arith.addi %seed, %w36c : i64
  %w36m = arith.constant 15 : i64
  %w36 = arith.andi %w36a, %w36m : i64
  call @put(%out, %w36s, %w36) : (memref<52xi64>, index, i64) -> ()
  %w37s = arith.constant 37 : index
  %w37c = arith.constant 3 : i64
  %w37a = arith.addi %seed, %w37c : i64
  %w37m = arith.constant 15 : i64
  %w37 = arith.andi %w37a, %w37m : i64
  call @put(%out, %w37s, %w37) : (memref<52xi64>, index, i64) -> ()
  %w38s = arith.constant 38 : index
  %w38c = arith.constant 13 : i64
  %w38a = arith.addi %seed, %w38c : i64
  %w38m = arith.constant 15 : i64
  %w38 = arith.andi %w38a, %w38m : i64
  call @put(%out, %w38s, %w38) : (memref<52xi64>, index, i64) -> ()
  %w39s = arith.constant 39 : index
  %w39c = arith.constant 8 : i64
  %w39a = arith.addi %seed, %w39c : i64
  %w39m = arith.constant 15 : i64
  %w39 = arith.andi %w39a, %w39m : i64
  call @put(%out, %w39s, %w39) : (memref<52xi64>, index, i64) -> ()
  %w40s = arith.constant 40 : index
  %w40 = arith.constant 1 : i64
  call @put(%out, %w40s, %w40) : (memref<52xi64>, index, i64) -> ()
  %w41s = arith.constant 41 : index
  %w41 = arith.constant 1 : i64
  call @put(%out, %w41s, %w41) : (memref<52xi64>, index, i64) -> ()
  %w42s = arith.constant 42 : index
  %w42 = arith.constant 1 : i64
  call @put(%out, %w42s, %w42) : (memref<52xi64>, index, i64) -> ()
  %w43s = arith.constant 43 : index
  %w43c = arith.constant 3 : i64
  %w43a = arith.addi %seed, %w43c : i64
  %w43m = arith.constant 15 : i64
  %w43 = arith.andi %w43a, %w43m : i64
  call @put(%out, %w43s, %w43) : (memref<52xi64>, index, i64) -> ()
  %w44s = arith.constant 44 : index
  %w44c = arith.constant 3 : i64
  %w44a = arith.addi %seed, %w44c : i64
  %w44m = arith.constant 16777215 : i64
  %w44 = arith.andi %w44a, %w44m : i64
  call @put(%out, %w44s, %w44) : (memref<52xi64>, index, i64) -> ()
  %w45s = arith.constant 45 : index
  %w45c = arith.constant 8 : i64
  %w45a = arith.addi %seed, %w45c : i64
  %w45m = arith.constant 16777215 : i64
  %w45 = arith.andi %w45a, %w45m : i64
  call @put(%out, %w45s, %w45) : (memref<52xi64>, index, i64) -> ()
  %w46s = arith.constant 46 : index
  %w46c = arith.constant 8 : i64
  %w46a = arith.addi %seed, %w46c : i64
  %w46m = arith.constant 16777215 : i64
  %w46 = arith.andi %w46a, %w46m : i64
  call @put(%out, %w46s, %w46) : (memref<52xi64>, index, i64) -> ()
  %w47s = arith.constant 47 : index
  %w47c = arith.constant 3 : i64
  %w47a = arith.addi %seed, %w47c : i64
  %w47m = arith.constant 16777215 : i64
  %w47 = arith.andi %w47a, %w47m : i64
  call @put(%out, %w47s, %w47) : (memref<52xi64>, index, i64) -> ()
  %w48s = arith.constant 48 : index
  %w48c = arith.constant 8 : i64
  %w48a = arith.addi %seed, %w48c : i64
  %w48m = arith.constant 16777215 : i64
  %w48 = arith.andi %w48a, %w48m : i64
  call @put(%out, %w48s, %w48) : (memref<52xi64>, index, i64) -> ()
  %w49s = arith.constant 49 : index
  %w49c = arith.constant 3 : i64
  %w49a = arith.addi %seed, %w49c : i64
  %w49m = arith.constant 16777215 : i64
  %w49 = arith.andi %w49a, %w49m : i64
  call @put(%out, %w49s, %w49) : (memref<52xi64>, index, i64) -> ()
  %w50s = arith.constant 50 : index
  %w50 = arith.constant 1 : i64
  call @put(%out, %w50s, %w50) : (memref<52xi64>, index, i64) -> ()
  %w51s = arith.constant 51 : index
  %w51 = arith.constant 1 : i64
  call @put(%out, %w51s, %w51) : (memref<52xi64>, index, i64) -> ()
  return
}
func.func private @differing(%a: memref<52xi64>, %b: memref<52xi64>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 52 : index
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (index) {
    %x = memref.load %a[%i] : memref<52xi64>
    %y = memref.load %b[%i] : memref<52xi64>
    %differs = arith.cmpi ne, %x, %y : i64
    %more = arith.addi %count, %c1 : index
    %next = arith.select %differs, %more, %count : index
    scf.yield %next : index
  }
  return %wrong : index
}

func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %c1 = arith.constant 1 : index
  %high = arith.constant 10594321 : i64
  %count = arith.extui %argc : i32 to i64
  %seed = arith.muli %count, %high : i64
  %out = memref.alloc() : memref<52xi64>
  %any = memref.cast %out : memref<52xi64> to memref<*xi64>
  gpu.host_register %any : memref<*xi64>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<52xi64>, %seed : i64)
  %own = memref.alloc() : memref<52xi64>
  call @host(%own, %seed) : (memref<52xi64>, i64) -> ()
  %want = memref.alloc() : memref<52xi64>
  call @expected(%want, %seed) : (memref<52xi64>, i64) -> ()
  %a = call @differing(%out, %want) : (memref<52xi64>, memref<52xi64>) -> index
  %b = call @differing(%own, %want) : (memref<52xi64>, memref<52xi64>) -> index
  %x = arith.index_cast %a : index to i64
  %y = arith.index_cast %b : index to i64
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %x, %y) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
