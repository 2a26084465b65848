// A layer of an LSTM in f32: a loop over time steps that carries the hidden
// state and the cell state. The gates are in PyTorch's order: input, forget,
// cell, output.
//
//   aircc samples/models/lstm.mlir --target gfx942 --emit shared -o liblstm.so

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

func.func @forward(%x: tensor<6x4x32xf32>, %h0: tensor<4x32xf32>, %c0: tensor<4x32xf32>,
                   %w: tensor<32x128xf32>, %u: tensor<32x128xf32>, %bias: tensor<128xf32>)
    -> (tensor<6x4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
  %start = arith.constant 0 : index
  %step = arith.constant 1 : index
  %steps = arith.constant 6 : index
  %one = arith.constant 1.0 : f32
  %gates_empty = tensor.empty() : tensor<4x128xf32>
  %state_empty = tensor.empty() : tensor<4x32xf32>
  %all_empty = tensor.empty() : tensor<6x4x32xf32>

  %r:3 = scf.for %t = %start to %steps step %step
      iter_args(%all = %all_empty, %h = %h0, %c = %c0)
      -> (tensor<6x4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
    %xt = tensor.extract_slice %x[%t, 0, 0] [1, 4, 32] [1, 1, 1] : tensor<6x4x32xf32> to tensor<4x32xf32>
    %init = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%bias : tensor<128xf32>) outs(%gates_empty : tensor<4x128xf32>) {
    ^bb0(%b: f32, %out: f32):
      linalg.yield %b : f32
    } -> tensor<4x128xf32>
    %from_x = linalg.matmul ins(%xt, %w : tensor<4x32xf32>, tensor<32x128xf32>)
        outs(%init : tensor<4x128xf32>) -> tensor<4x128xf32>
    %gates = linalg.matmul ins(%h, %u : tensor<4x32xf32>, tensor<32x128xf32>)
        outs(%from_x : tensor<4x128xf32>) -> tensor<4x128xf32>
    %i = tensor.extract_slice %gates[0, 0] [4, 32] [1, 1] : tensor<4x128xf32> to tensor<4x32xf32>
    %f = tensor.extract_slice %gates[0, 32] [4, 32] [1, 1] : tensor<4x128xf32> to tensor<4x32xf32>
    %g = tensor.extract_slice %gates[0, 64] [4, 32] [1, 1] : tensor<4x128xf32> to tensor<4x32xf32>
    %o = tensor.extract_slice %gates[0, 96] [4, 32] [1, 1] : tensor<4x128xf32> to tensor<4x32xf32>
    %next_c = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id],
        iterator_types = ["parallel", "parallel"]}
        ins(%i, %f, %g, %c : tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>)
        outs(%state_empty : tensor<4x32xf32>) {
    ^bb0(%iv: f32, %fv: f32, %gv: f32, %cv: f32, %out: f32):
      %in = arith.negf %iv : f32
      %ie = math.exp %in : f32
      %is = arith.addf %ie, %one : f32
      %ig = arith.divf %one, %is : f32
      %fn = arith.negf %fv : f32
      %fe = math.exp %fn : f32
      %fs = arith.addf %fe, %one : f32
      %fg = arith.divf %one, %fs : f32
      %gt = math.tanh %gv : f32
      %kept = arith.mulf %fg, %cv : f32
      %added = arith.mulf %ig, %gt : f32
      %s = arith.addf %kept, %added : f32
      linalg.yield %s : f32
    } -> tensor<4x32xf32>
    %next_h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%o, %next_c : tensor<4x32xf32>, tensor<4x32xf32>) outs(%state_empty : tensor<4x32xf32>) {
    ^bb0(%ov: f32, %cv: f32, %out: f32):
      %on = arith.negf %ov : f32
      %oe = math.exp %on : f32
      %os = arith.addf %oe, %one : f32
      %og = arith.divf %one, %os : f32
      %ct = math.tanh %cv : f32
      %s = arith.mulf %og, %ct : f32
      linalg.yield %s : f32
    } -> tensor<4x32xf32>
    %next_all = tensor.insert_slice %next_h into %all[%t, 0, 0] [1, 4, 32] [1, 1, 1]
        : tensor<4x32xf32> into tensor<6x4x32xf32>
    scf.yield %next_all, %next_h, %next_c : tensor<6x4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<6x4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>
}
