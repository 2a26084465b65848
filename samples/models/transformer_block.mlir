// A transformer block of a language model, in bf16: RMS normalization, rotary
// position embedding, causal attention with groups of heads, and SwiGLU.
//
//   aircc samples/models/transformer_block.mlir --target gfx942 --emit shared -o libblock.so

func.func @forward(%x: tensor<64x128xbf16>,
                   %attention_norm: tensor<128xbf16>,
                   %wq: tensor<128x128xbf16>,
                   %wk: tensor<128x64xbf16>,
                   %wv: tensor<128x64xbf16>,
                   %wo: tensor<128x128xbf16>,
                   %cos: tensor<64x32xbf16>,
                   %sin: tensor<64x32xbf16>,
                   %mlp_norm: tensor<128xbf16>,
                   %w_gate: tensor<128x256xbf16>,
                   %w_up: tensor<128x256xbf16>,
                   %w_down: tensor<256x128xbf16>)
    -> tensor<64x128xbf16> {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 128.0 : f32
  %c2 = arith.constant 1.0e-05 : f32
  %c3 = arith.constant 0.1767766952966369 : f32
  %c4 = arith.constant 0xFF800000 : f32
  %c5 = arith.constant 1.0 : f32

  // Attention
  %empty = tensor.empty() : tensor<64x128xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xbf16>) outs(%empty : tensor<64x128xf32>) {
  ^bb0(%in0: bf16, %out: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %empty_3 = tensor.empty() : tensor<64x128xf32>
  %square = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%wide : tensor<64x128xf32>) outs(%empty_3 : tensor<64x128xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %r = arith.mulf %in0, %in0 : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %empty_5 = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%c0 : f32) outs(%empty_5 : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%square : tensor<64x128xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %r = arith.addf %in0, %out : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %empty_8 = tensor.empty() : tensor<64xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}
      ins(%sum : tensor<64xf32>) outs(%empty_8 : tensor<64xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %m = arith.divf %in0, %c1 : f32
    %e = arith.addf %m, %c2 : f32
    %r = math.rsqrt %e : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %empty_10 = tensor.empty() : tensor<64x128xf32>
  %normalized = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%wide, %scale : tensor<64x128xf32>, tensor<64xf32>) outs(%empty_10 : tensor<64x128xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %empty_12 = tensor.empty() : tensor<64x128xbf16>
  %narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%normalized : tensor<64x128xf32>) outs(%empty_12 : tensor<64x128xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  %empty_14 = tensor.empty() : tensor<64x128xbf16>
  %weighted = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%narrow, %attention_norm : tensor<64x128xbf16>, tensor<128xbf16>) outs(%empty_14 : tensor<64x128xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  %empty_16 = tensor.empty() : tensor<64x128xf32>
  %init_17 = linalg.fill ins(%c0 : f32) outs(%empty_16 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %q = linalg.matmul ins(%weighted, %wq : tensor<64x128xbf16>, tensor<128x128xbf16>)
      outs(%init_17 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %empty_19 = tensor.empty() : tensor<64x128xbf16>
  %q_narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<64x128xf32>) outs(%empty_19 : tensor<64x128xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  %expanded = tensor.expand_shape %q_narrow [[0], [1, 2]] output_shape [64, 4, 32] : tensor<64x128xbf16> into tensor<64x4x32xbf16>
  %empty_22 = tensor.empty() : tensor<4x64x32xbf16>
  %q_heads = linalg.transpose ins(%expanded : tensor<64x4x32xbf16>)
      outs(%empty_22 : tensor<4x64x32xbf16>) permutation = [1, 0, 2]
  %empty_24 = tensor.empty() : tensor<64x64xf32>
  %init_25 = linalg.fill ins(%c0 : f32) outs(%empty_24 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %k = linalg.matmul ins(%weighted, %wk : tensor<64x128xbf16>, tensor<128x64xbf16>)
      outs(%init_25 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %empty_27 = tensor.empty() : tensor<64x64xbf16>
  %k_narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%k : tensor<64x64xf32>) outs(%empty_27 : tensor<64x64xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x64xbf16>
  %expanded_29 = tensor.expand_shape %k_narrow [[0], [1, 2]] output_shape [64, 2, 32] : tensor<64x64xbf16> into tensor<64x2x32xbf16>
  %empty_30 = tensor.empty() : tensor<2x64x32xbf16>
  %k_heads = linalg.transpose ins(%expanded_29 : tensor<64x2x32xbf16>)
      outs(%empty_30 : tensor<2x64x32xbf16>) permutation = [1, 0, 2]
  %empty_32 = tensor.empty() : tensor<64x64xf32>
  %init_33 = linalg.fill ins(%c0 : f32) outs(%empty_32 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %v = linalg.matmul ins(%weighted, %wv : tensor<64x128xbf16>, tensor<128x64xbf16>)
      outs(%init_33 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %empty_35 = tensor.empty() : tensor<64x64xbf16>
  %v_narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<64x64xf32>) outs(%empty_35 : tensor<64x64xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x64xbf16>
  %expanded_37 = tensor.expand_shape %v_narrow [[0], [1, 2]] output_shape [64, 2, 32] : tensor<64x64xbf16> into tensor<64x2x32xbf16>
  %empty_38 = tensor.empty() : tensor<2x64x32xbf16>
  %v_heads = linalg.transpose ins(%expanded_37 : tensor<64x2x32xbf16>)
      outs(%empty_38 : tensor<2x64x32xbf16>) permutation = [1, 0, 2]
  %q_low = tensor.extract_slice %q_heads[0, 0, 0] [4, 64, 16] [1, 1, 1] : tensor<4x64x32xbf16> to tensor<4x64x16xbf16>
  %q_high = tensor.extract_slice %q_heads[0, 0, 16] [4, 64, 16] [1, 1, 1] : tensor<4x64x32xbf16> to tensor<4x64x16xbf16>
  %empty_42 = tensor.empty() : tensor<4x64x16xbf16>
  %q_negated = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q_high : tensor<4x64x16xbf16>) outs(%empty_42 : tensor<4x64x16xbf16>) {
  ^bb0(%in0: bf16, %out: bf16):
    %r = arith.negf %in0 : bf16
    linalg.yield %r : bf16
  } -> tensor<4x64x16xbf16>
  %q_rotated = tensor.concat dim(2) %q_negated, %q_low
      : (tensor<4x64x16xbf16>, tensor<4x64x16xbf16>) -> tensor<4x64x32xbf16>
  %empty_45 = tensor.empty() : tensor<4x64x32xbf16>
  %q_rope = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q_heads, %q_rotated, %cos, %sin : tensor<4x64x32xbf16>, tensor<4x64x32xbf16>, tensor<64x32xbf16>, tensor<64x32xbf16>) outs(%empty_45 : tensor<4x64x32xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %in2: bf16, %in3: bf16, %out: bf16):
    %a = arith.mulf %in0, %in2 : bf16
    %b = arith.mulf %in1, %in3 : bf16
    %r = arith.addf %a, %b : bf16
    linalg.yield %r : bf16
  } -> tensor<4x64x32xbf16>
  %k_low = tensor.extract_slice %k_heads[0, 0, 0] [2, 64, 16] [1, 1, 1] : tensor<2x64x32xbf16> to tensor<2x64x16xbf16>
  %k_high = tensor.extract_slice %k_heads[0, 0, 16] [2, 64, 16] [1, 1, 1] : tensor<2x64x32xbf16> to tensor<2x64x16xbf16>
  %empty_49 = tensor.empty() : tensor<2x64x16xbf16>
  %k_negated = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k_high : tensor<2x64x16xbf16>) outs(%empty_49 : tensor<2x64x16xbf16>) {
  ^bb0(%in0: bf16, %out: bf16):
    %r = arith.negf %in0 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x64x16xbf16>
  %k_rotated = tensor.concat dim(2) %k_negated, %k_low
      : (tensor<2x64x16xbf16>, tensor<2x64x16xbf16>) -> tensor<2x64x32xbf16>
  %empty_52 = tensor.empty() : tensor<2x64x32xbf16>
  %k_rope = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k_heads, %k_rotated, %cos, %sin : tensor<2x64x32xbf16>, tensor<2x64x32xbf16>, tensor<64x32xbf16>, tensor<64x32xbf16>) outs(%empty_52 : tensor<2x64x32xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %in2: bf16, %in3: bf16, %out: bf16):
    %a = arith.mulf %in0, %in2 : bf16
    %b = arith.mulf %in1, %in3 : bf16
    %r = arith.addf %a, %b : bf16
    linalg.yield %r : bf16
  } -> tensor<2x64x32xbf16>

  // Heads 2i and 2i + 1 share keys and values i.
  %expanded_54 = tensor.expand_shape %q_rope [[0, 1], [2], [3]] output_shape [2, 2, 64, 32] : tensor<4x64x32xbf16> into tensor<2x2x64x32xbf16>
  %empty_55 = tensor.empty() : tensor<2x2x64x64xf32>
  %init_56 = linalg.fill ins(%c0 : f32) outs(%empty_55 : tensor<2x2x64x64xf32>) -> tensor<2x2x64x64xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(h, g, i, j, k) -> (h, g, i, k)>, affine_map<(h, g, i, j, k) -> (h, j, k)>, affine_map<(h, g, i, j, k) -> (h, g, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%expanded_54, %k_rope : tensor<2x2x64x32xbf16>, tensor<2x64x32xbf16>) outs(%init_56 : tensor<2x2x64x64xf32>) {
  ^bb0(%in0: bf16, %in1: bf16, %out: f32):
    %a = arith.extf %in0 : bf16 to f32
    %b = arith.extf %in1 : bf16 to f32
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %out, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x2x64x64xf32>
  %empty_58 = tensor.empty() : tensor<2x2x64x64xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores : tensor<2x2x64x64xf32>) outs(%empty_58 : tensor<2x2x64x64xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %s = arith.mulf %in0, %c3 : f32
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi uge, %i, %j : index
    %r = arith.select %c, %s, %c4 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x64x64xf32>
  %empty_60 = tensor.empty() : tensor<2x2x64x64xf32>
  %weights = linalg.softmax dimension(3) ins(%masked : tensor<2x2x64x64xf32>)
      outs(%empty_60 : tensor<2x2x64x64xf32>) -> tensor<2x2x64x64xf32>
  %empty_62 = tensor.empty() : tensor<2x2x64x64xbf16>
  %weights_narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%weights : tensor<2x2x64x64xf32>) outs(%empty_62 : tensor<2x2x64x64xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x2x64x64xbf16>
  %empty_64 = tensor.empty() : tensor<2x2x64x32xf32>
  %init_65 = linalg.fill ins(%c0 : f32) outs(%empty_64 : tensor<2x2x64x32xf32>) -> tensor<2x2x64x32xf32>
  %context = linalg.generic {indexing_maps = [affine_map<(h, g, i, j, k) -> (h, g, i, k)>, affine_map<(h, g, i, j, k) -> (h, k, j)>, affine_map<(h, g, i, j, k) -> (h, g, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%weights_narrow, %v_heads : tensor<2x2x64x64xbf16>, tensor<2x64x32xbf16>) outs(%init_65 : tensor<2x2x64x32xf32>) {
  ^bb0(%in0: bf16, %in1: bf16, %out: f32):
    %a = arith.extf %in0 : bf16 to f32
    %b = arith.extf %in1 : bf16 to f32
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %out, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x2x64x32xf32>
  %empty_67 = tensor.empty() : tensor<2x2x64x32xbf16>
  %context_narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%context : tensor<2x2x64x32xf32>) outs(%empty_67 : tensor<2x2x64x32xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x2x64x32xbf16>
  %collapsed = tensor.collapse_shape %context_narrow [[0, 1], [2], [3]] : tensor<2x2x64x32xbf16> into tensor<4x64x32xbf16>
  %empty_70 = tensor.empty() : tensor<64x4x32xbf16>
  %transposed = linalg.transpose ins(%collapsed : tensor<4x64x32xbf16>)
      outs(%empty_70 : tensor<64x4x32xbf16>) permutation = [1, 0, 2]
  %collapsed_72 = tensor.collapse_shape %transposed [[0], [1, 2]] : tensor<64x4x32xbf16> into tensor<64x128xbf16>
  %empty_73 = tensor.empty() : tensor<64x128xf32>
  %init_74 = linalg.fill ins(%c0 : f32) outs(%empty_73 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %output = linalg.matmul ins(%collapsed_72, %wo : tensor<64x128xbf16>, tensor<128x128xbf16>)
      outs(%init_74 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %empty_76 = tensor.empty() : tensor<64x128xbf16>
  %output_narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%output : tensor<64x128xf32>) outs(%empty_76 : tensor<64x128xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  %empty_78 = tensor.empty() : tensor<64x128xbf16>
  %residual = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %output_narrow : tensor<64x128xbf16>, tensor<64x128xbf16>) outs(%empty_78 : tensor<64x128xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>

  // Multilayer perceptron
  %empty_80 = tensor.empty() : tensor<64x128xf32>
  %wide_81 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%residual : tensor<64x128xbf16>) outs(%empty_80 : tensor<64x128xf32>) {
  ^bb0(%in0: bf16, %out: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %empty_82 = tensor.empty() : tensor<64x128xf32>
  %square_83 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%wide_81 : tensor<64x128xf32>) outs(%empty_82 : tensor<64x128xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %r = arith.mulf %in0, %in0 : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %empty_84 = tensor.empty() : tensor<64xf32>
  %init_85 = linalg.fill ins(%c0 : f32) outs(%empty_84 : tensor<64xf32>) -> tensor<64xf32>
  %sum_86 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%square_83 : tensor<64x128xf32>) outs(%init_85 : tensor<64xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %r = arith.addf %in0, %out : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %empty_87 = tensor.empty() : tensor<64xf32>
  %scale_88 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}
      ins(%sum_86 : tensor<64xf32>) outs(%empty_87 : tensor<64xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %m = arith.divf %in0, %c1 : f32
    %e = arith.addf %m, %c2 : f32
    %r = math.rsqrt %e : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %empty_89 = tensor.empty() : tensor<64x128xf32>
  %normalized_90 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%wide_81, %scale_88 : tensor<64x128xf32>, tensor<64xf32>) outs(%empty_89 : tensor<64x128xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %empty_91 = tensor.empty() : tensor<64x128xbf16>
  %narrow_92 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%normalized_90 : tensor<64x128xf32>) outs(%empty_91 : tensor<64x128xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  %empty_93 = tensor.empty() : tensor<64x128xbf16>
  %weighted_94 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%narrow_92, %mlp_norm : tensor<64x128xbf16>, tensor<128xbf16>) outs(%empty_93 : tensor<64x128xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  %empty_95 = tensor.empty() : tensor<64x256xf32>
  %init_96 = linalg.fill ins(%c0 : f32) outs(%empty_95 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %gate = linalg.matmul ins(%weighted_94, %w_gate : tensor<64x128xbf16>, tensor<128x256xbf16>)
      outs(%init_96 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %empty_98 = tensor.empty() : tensor<64x256xbf16>
  %gate_narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%gate : tensor<64x256xf32>) outs(%empty_98 : tensor<64x256xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x256xbf16>
  %empty_100 = tensor.empty() : tensor<64x256xf32>
  %init_101 = linalg.fill ins(%c0 : f32) outs(%empty_100 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %up = linalg.matmul ins(%weighted_94, %w_up : tensor<64x128xbf16>, tensor<128x256xbf16>)
      outs(%init_101 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %empty_103 = tensor.empty() : tensor<64x256xbf16>
  %up_narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%up : tensor<64x256xf32>) outs(%empty_103 : tensor<64x256xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x256xbf16>
  %empty_105 = tensor.empty() : tensor<64x256xbf16>
  %activated = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%gate_narrow, %up_narrow : tensor<64x256xbf16>, tensor<64x256xbf16>) outs(%empty_105 : tensor<64x256xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
    %w = arith.extf %in0 : bf16 to f32
    %n = arith.negf %w : f32
    %e = math.exp %n : f32
    %d = arith.addf %e, %c5 : f32
    %s = arith.divf %w, %d : f32
    %t = arith.truncf %s : f32 to bf16
    %r = arith.mulf %t, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<64x256xbf16>
  %empty_107 = tensor.empty() : tensor<64x128xf32>
  %init_108 = linalg.fill ins(%c0 : f32) outs(%empty_107 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %down = linalg.matmul ins(%activated, %w_down : tensor<64x256xbf16>, tensor<256x128xbf16>)
      outs(%init_108 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %empty_110 = tensor.empty() : tensor<64x128xbf16>
  %down_narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%down : tensor<64x128xf32>) outs(%empty_110 : tensor<64x128xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  %empty_112 = tensor.empty() : tensor<64x128xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%residual, %down_narrow : tensor<64x128xbf16>, tensor<64x128xbf16>) outs(%empty_112 : tensor<64x128xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  return %y : tensor<64x128xbf16>
}
