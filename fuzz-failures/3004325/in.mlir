gpu.module @m {
  gpu.func @rows(%A: memref<64x64xf32>, %C: memref<64x64xf32>) kernel attributes {} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %a = vector.transfer_read %A[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    %z = arith.constant dense<0.0> : vector<64xf32>
    %e = math.exp %a : vector<64x64xf32>
    %s = vector.multi_reduction <add>, %e, %z [1] : vector<64x64xf32> to vector<64xf32>
    %b = vector.broadcast %s : vector<64xf32> to vector<64x64xf32>
    %t = vector.transpose %b, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
    %q = arith.divf %e, %t : vector<64x64xf32>
    vector.transfer_write %q, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}
