// A layer of an encoder (BERT, ViT) in f16: attention without a mask, GELU, and
// layer normalization before each part.
//
//   aircc samples/models/encoder_layer.mlir --target gfx942 --emit shared -o liblayer.so

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>
#q = affine_map<(h, i, j, k) -> (i, h, k)>
#k = affine_map<(h, i, j, k) -> (j, h, k)>
#s = affine_map<(h, i, j, k) -> (h, i, j)>
#p = affine_map<(h, i, k, j) -> (h, i, j)>
#v = affine_map<(h, i, k, j) -> (j, h, k)>
#c = affine_map<(h, i, k, j) -> (i, h, k)>

func.func private @layer_norm(%x: tensor<64x128xf16>, %weight: tensor<128xf16>, %bias: tensor<128xf16>)
    -> tensor<64x128xf16> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 128.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %rows = tensor.empty() : tensor<64xf32>
  %all = tensor.empty() : tensor<64x128xf16>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf16>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f16, %out: f32):
    %w = arith.extf %a : f16 to f32
    %r = arith.addf %w, %out : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %squares = linalg.generic {indexing_maps = [#id, #column, #column],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<64x128xf16>, tensor<64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f16, %s: f32, %out: f32):
    %w = arith.extf %a : f16 to f32
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %w, %mean : f32
    %dd = arith.mulf %d, %d : f32
    %r = arith.addf %dd, %out : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #column, #row, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares, %weight, %bias
          : tensor<64x128xf16>, tensor<64xf32>, tensor<64xf32>, tensor<128xf16>, tensor<128xf16>)
      outs(%all : tensor<64x128xf16>) {
  ^bb0(%a: f16, %s: f32, %sq: f32, %scale: f16, %shift: f16, %out: f16):
    %wide = arith.extf %a : f16 to f32
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %wide, %mean : f32
    %variance = arith.divf %sq, %count : f32
    %e = arith.addf %variance, %epsilon : f32
    %root = math.rsqrt %e : f32
    %n = arith.mulf %d, %root : f32
    %scale32 = arith.extf %scale : f16 to f32
    %shift32 = arith.extf %shift : f16 to f32
    %m = arith.mulf %n, %scale32 : f32
    %b = arith.addf %m, %shift32 : f32
    %r = arith.truncf %b : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x128xf16>
  return %y : tensor<64x128xf16>
}

func.func @forward(%x: tensor<64x128xf16>,
                   %norm1: tensor<128xf16>, %shift1: tensor<128xf16>,
                   %wq: tensor<128x128xf16>, %wk: tensor<128x128xf16>,
                   %wv: tensor<128x128xf16>, %wo: tensor<128x128xf16>,
                   %norm2: tensor<128xf16>, %shift2: tensor<128xf16>,
                   %up: tensor<128x256xf16>, %up_bias: tensor<256xf16>,
                   %down: tensor<256x128xf16>, %down_bias: tensor<128xf16>)
    -> tensor<64x128xf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.17677669529663687 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root_half = arith.constant 0.7071067811865476 : f32
  %wide = tensor.empty() : tensor<64x128xf32>
  %narrow = tensor.empty() : tensor<64x128xf16>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<64x128xf32>) -> tensor<64x128xf32>

  // Attention
  %n1 = call @layer_norm(%x, %norm1, %shift1)
      : (tensor<64x128xf16>, tensor<128xf16>, tensor<128xf16>) -> tensor<64x128xf16>
  %q32 = linalg.matmul ins(%n1, %wq : tensor<64x128xf16>, tensor<128x128xf16>)
      outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %q = arith.truncf %q32 : tensor<64x128xf32> to tensor<64x128xf16>
  %q_heads = tensor.expand_shape %q [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf16> into tensor<64x4x32xf16>
  %k32 = linalg.matmul ins(%n1, %wk : tensor<64x128xf16>, tensor<128x128xf16>)
      outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %k = arith.truncf %k32 : tensor<64x128xf32> to tensor<64x128xf16>
  %k_heads = tensor.expand_shape %k [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf16> into tensor<64x4x32xf16>
  %v32 = linalg.matmul ins(%n1, %wv : tensor<64x128xf16>, tensor<128x128xf16>)
      outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v = arith.truncf %v32 : tensor<64x128xf32> to tensor<64x128xf16>
  %v_heads = tensor.expand_shape %v [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xf16> into tensor<64x4x32xf16>
  %scores_empty = tensor.empty() : tensor<4x64x64xf32>
  %scores_init = linalg.fill ins(%zero : f32) outs(%scores_empty : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %scores = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q_heads, %k_heads : tensor<64x4x32xf16>, tensor<64x4x32xf16>)
      outs(%scores_init : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %factor = tensor.splat %scale : tensor<4x64x64xf32>
  %scaled = arith.mulf %scores, %factor : tensor<4x64x64xf32>
  %probabilities32 = linalg.softmax dimension(2) ins(%scaled : tensor<4x64x64xf32>)
      outs(%scores_empty : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %probabilities = arith.truncf %probabilities32 : tensor<4x64x64xf32> to tensor<4x64x64xf16>
  %context_empty = tensor.empty() : tensor<64x4x32xf32>
  %context_init = linalg.fill ins(%zero : f32)
      outs(%context_empty : tensor<64x4x32xf32>) -> tensor<64x4x32xf32>
  %context32 = linalg.contract indexing_maps = [#p, #v, #c]
      ins(%probabilities, %v_heads : tensor<4x64x64xf16>, tensor<64x4x32xf16>)
      outs(%context_init : tensor<64x4x32xf32>) -> tensor<64x4x32xf32>
  %context_heads = arith.truncf %context32 : tensor<64x4x32xf32> to tensor<64x4x32xf16>
  %context = tensor.collapse_shape %context_heads [[0], [1, 2]] : tensor<64x4x32xf16> into tensor<64x128xf16>
  %o = linalg.matmul ins(%context, %wo : tensor<64x128xf16>, tensor<128x128xf16>)
      outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %o16 = arith.truncf %o : tensor<64x128xf32> to tensor<64x128xf16>
  %x1 = arith.addf %x, %o16 : tensor<64x128xf16>

  // The two linear layers
  %n2 = call @layer_norm(%x1, %norm2, %shift2)
      : (tensor<64x128xf16>, tensor<128xf16>, tensor<128xf16>) -> tensor<64x128xf16>
  %up_empty = tensor.empty() : tensor<64x256xf32>
  %up_init = linalg.fill ins(%zero : f32) outs(%up_empty : tensor<64x256xf32>) -> tensor<64x256xf32>
  %u = linalg.matmul ins(%n2, %up : tensor<64x128xf16>, tensor<128x256xf16>)
      outs(%up_init : tensor<64x256xf32>) -> tensor<64x256xf32>
  %gelu_empty = tensor.empty() : tensor<64x256xf16>
  %gelu = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u, %up_bias : tensor<64x256xf32>, tensor<256xf16>) outs(%gelu_empty : tensor<64x256xf16>) {
  ^bb0(%a: f32, %b: f16, %out: f16):
    %b32 = arith.extf %b : f16 to f32
    %s = arith.addf %a, %b32 : f32
    %t = arith.mulf %s, %root_half : f32
    %e = math.erf %t : f32
    %e1 = arith.addf %e, %one : f32
    %h = arith.mulf %s, %half : f32
    %g = arith.mulf %h, %e1 : f32
    %r = arith.truncf %g : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x256xf16>
  %d = linalg.matmul ins(%gelu, %down : tensor<64x256xf16>, tensor<256x128xf16>)
      outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d, %down_bias, %x1 : tensor<64x128xf32>, tensor<128xf16>, tensor<64x128xf16>) outs(%narrow : tensor<64x128xf16>) {
  ^bb0(%a: f32, %b: f16, %residual: f16, %out: f16):
    %b32 = arith.extf %b : f16 to f32
    %s = arith.addf %a, %b32 : f32
    %r32 = arith.extf %residual : f16 to f32
    %t = arith.addf %s, %r32 : f32
    %r = arith.truncf %t : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x128xf16>
  return %y : tensor<64x128xf16>
}
