// A program for an NPU as other tools write it: everything is asynchronous, with streams and a
// cascade, two buffers in flight, and attributes of other tools on the ops. Parser and printer
// accept it like any other program; only the compiler reports that a GPU has no such channels.
// RUN: %aircc opt %s > %t.mlir
// RUN: %aircc opt %t.mlir | diff %t.mlir -
// RUN: %aircc opt --mlir-print-op-generic %s | %aircc opt | diff %t.mlir -
// RUN: %aircc opt --canonicalize --cse %s > %t.canonical.mlir
// RUN: %aircc opt --canonicalize --cse %t.canonical.mlir | diff %t.canonical.mlir -
// RUN: FileCheck %s < %t.canonical.mlir

#tile = affine_map<()[s0] -> (s0 * 32)>
#first_row = affine_set<()[s0] : (s0 == 0)>

module {
  air.channel @feed [1, 2] {broadcast_shape = [2, 2]}
  air.channel @chain [1, 1] {channel_type = "npu_cascade"}
  air.channel @drain [2, 2] {buffer_resources = 2 : i64}
  func.func private @kernel(memref<32x32xbf16, 2 : i32>, memref<32x32xbf16, 2 : i32>) attributes {link_with = "kernel.o", llvm.emit_c_interface}

  // CHECK-LABEL: func.func @program
  func.func @program(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>) {
    %c1 = arith.constant 1 : index
    %c2_l = arith.constant 2 : index
    // Unused values are not passed on.
    // CHECK: air.launch async (%[[X:.*]], %{{.*}}) in (%{{.*}}=%c2, %{{.*}}=%c1) args(%[[A:[a-z0-9]+]]=%{{.*}}, %[[B:[a-z0-9]+]]=%{{.*}}) : memref<64x64xbf16>, memref<64x64xbf16> attributes {id = 1 : i32} {
    %0 = air.launch async (%x, %y) in (%sx=%c2_l, %sy=%c1) args(%la=%a, %lb=%b, %unused=%b) : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16> attributes {id = 1 : i32} {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c1_0 = arith.constant 1 : index
      %async_token, %results = air.execute -> (index) {
        %at = affine.apply #tile()[%x]
        air.execute_terminator %at : index
      } {id = 2 : i32}
      %1 = air.wait_all async
      // CHECK: scf.parallel {{.*}} -> !air.async.token {
      // CHECK: air.channel.put async {{.*}}@feed[%{{.*}}, %{{.*}}] (%[[A]][%{{.*}}, 32] [32, 32] [64, 1]) {id = 3 : i32, metadata = @feedMetadata} : (memref<64x64xbf16>)
      %2 = scf.parallel (%i, %j) = (%c0, %c0) to (%c1_0, %c2) step (%c1_0, %c1_0) init (%1) -> !air.async.token {
        %3 = air.channel.put async [%async_token, %1] @feed[%i, %j] (%la[%results, %c32] [%c32, %c32] [%c64, %c1_0]) {id = 3 : i32, metadata = @feedMetadata} : (memref<64x64xbf16>)
        scf.reduce(%3 : !air.async.token) {
        ^bb0(%l: !air.async.token, %r: !air.async.token):
          // CHECK: air.wait_all async [%{{.*}}, %{{.*}}]
          %4 = air.wait_all async [%l, %r]
          scf.reduce.return %4 : !air.async.token
        }
      }
      // CHECK: air.segment @segment_0 async attributes {id = 4 : i32, x_loc = 0 : i64, x_size = 2 : i64, y_loc = 2 : i64, y_size = 2 : i64} {
      %5 = air.segment @segment_0 async  args(%s=%sx) : index attributes {id = 4 : i32, x_loc = 0 : i64, x_size = 2 : i64, y_loc = 2 : i64, y_size = 2 : i64} {
        %c2_1 = arith.constant 2 : index
        // CHECK: air.herd @herd_0 async tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%{{.*}}, %{{.*}}=%{{.*}}) attributes {id = 5 : i32, link_with = "kernel.o", x_loc = 0 : i64, y_loc = 2 : i64} {
        %6 = air.herd @herd_0 async  tile (%tx, %ty) in (%sx2=%c2_1, %sy2=%c2_1) attributes {id = 5 : i32, link_with = "kernel.o", x_loc = 0 : i64, y_loc = 2 : i64} {
          %c0_2 = arith.constant 0 : index
          %c1_2 = arith.constant 1 : index
          %c4_2 = arith.constant 4 : index
          %t0, %ping = air.execute -> (memref<32x32xbf16, 2 : i32>) {
            %alloc = memref.alloc() {sym_name = "ping"} : memref<32x32xbf16, 2 : i32>
            air.execute_terminator %alloc : memref<32x32xbf16, 2 : i32>
          }
          %t1, %pong = air.execute -> (memref<32x32xbf16, 2 : i32>) {
            %alloc = memref.alloc() {sym_name = "pong"} : memref<32x32xbf16, 2 : i32>
            air.execute_terminator %alloc : memref<32x32xbf16, 2 : i32>
          }
          // CHECK: scf.for {{.*}} -> (!air.async.token, !air.async.token) {
          %7:2 = scf.for %k = %c0_2 to %c4_2 step %c1_2 iter_args(%p = %t0, %q = %t1) -> (!air.async.token, !air.async.token) {
            // CHECK: %[[GET:.*]] = air.channel.get async [%{{.*}}] @feed[
            %8 = air.channel.get async [%p] @feed[%tx, %ty] (%ping[] [] []) {id = 6 : i32} : (memref<32x32xbf16, 2 : i32>)
            // CHECK: %[[IF:.*]] = affine.if #{{.*}}()[%{{.*}}] -> !air.async.token {
            %9 = affine.if #first_row()[%ty] -> !air.async.token {
              %10 = air.channel.put async [%8] @chain[] (%ping[] [] []) {id = 7 : i32} : (memref<32x32xbf16, 2 : i32>)
              affine.yield %10 : !air.async.token
            } else {
              %10 = air.channel.get async [%8, %q] @chain[] (%pong[] [] []) {id = 8 : i32} : (memref<32x32xbf16, 2 : i32>)
              affine.yield %10 : !air.async.token
            }
            // CHECK: air.execute [%[[IF]], %{{.*}}] {
            %11 = air.wait_all async [%9, %q]
            %12 = air.execute [%11, %9] {
              func.call @kernel(%ping, %pong) : (memref<32x32xbf16, 2 : i32>, memref<32x32xbf16, 2 : i32>) -> ()
            } {id = 9 : i32}
            scf.yield %12, %12 : !air.async.token, !air.async.token
          } {unroll = 2 : i32}
          %13 = air.channel.put async [%7#1] @drain[%tx, %ty] (%pong[] [] []) {id = 10 : i32} : (memref<32x32xbf16, 2 : i32>)
          %14 = air.execute [%13] {
            memref.dealloc %ping : memref<32x32xbf16, 2 : i32>
            memref.dealloc %pong : memref<32x32xbf16, 2 : i32>
          }
        }
      }
      // CHECK: scf.for
      // CHECK: air.channel.get async [%{{.*}}] @drain[%{{.*}}, %{{.*}}] (%[[B]][%{{.*}}, 0] [32, 32] [64, 1]) {id = 11 : i32} : (memref<64x64xbf16>)
      %6 = scf.for %i = %c0 to %c2 step %c1_0 iter_args(%t = %1) -> (!air.async.token) {
        %7 = air.channel.get async [%t] @drain[%i, %c0] (%lb[%i, %c0] [%c32, %c32] [%c64, %c1_0]) {id = 11 : i32} : (memref<64x64xbf16>)
        scf.yield %7 : !air.async.token
      }
      air.wait_all [%2, %5, %6] {air.launch_end}
    }
    return
  }
}
