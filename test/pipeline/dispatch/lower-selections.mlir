// RUN: %aircc opt %s --dispatch-lower-selections | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The order of the elements is that of the upper halves, and the first of equal elements has the largest lower half.
// CHECK-LABEL: func.func @largest(
// CHECK: %[[START:.+]] = linalg.fill ins(%[[FIRST:.+]] : i64)
// CHECK: %[[KEYS:.+]] = linalg.generic {{.*}} ins(%arg0 : tensor<8x64xf32>) outs(%[[START]] : tensor<8xi64>)
// CHECK: arith.bitcast %{{.+}} : f32 to i32
// CHECK: %[[INDEX:.+]] = linalg.index 1
// CHECK: %[[WIDE:.+]] = arith.index_cast %[[INDEX]] : index to i64
// CHECK: %[[BACKWARDS:.+]] = arith.subi %{{.+}}, %[[WIDE]] : i64
// CHECK: %[[KEY:.+]] = arith.ori %{{.+}}, %[[BACKWARDS]] : i64
// CHECK: arith.maxui %[[KEY]], %{{.+}} : i64
// CHECK: linalg.generic {{.*}} ins(%[[KEYS]] : tensor<8xi64>) outs(%{{.+}} : tensor<8xi32>)
// CHECK-NOT: -> (tensor<8xf32>, tensor<8xi32>)
func.func @largest(%x: tensor<8x64xf32>) -> tensor<8xi32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xf32>
  %max = linalg.fill ins(%lowest : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %k = tensor.empty() : tensor<8xi32>
  %at = linalg.fill ins(%zero : i32) outs(%k : tensor<8xi32>) -> tensor<8xi32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%max, %at : tensor<8xf32>, tensor<8xi32>) {
  ^bb0(%a: f32, %m: f32, %i: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %g = arith.cmpf ogt, %a, %m : f32
    %l = arith.select %g, %a, %m : f32
    %s = arith.select %g, %n, %i : i32
    linalg.yield %l, %s : f32, i32
  } -> (tensor<8xf32>, tensor<8xi32>)
  return %r#1 : tensor<8xi32>
}

// The last of several equal elements is selected, because the comparison is not strict.
// CHECK-LABEL: func.func @last(
// CHECK: arith.cmpf oge
// CHECK-NOT: arith.maxui
func.func @last(%x: tensor<8x64xf32>) -> tensor<8xi32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xf32>
  %max = linalg.fill ins(%lowest : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %k = tensor.empty() : tensor<8xi32>
  %at = linalg.fill ins(%zero : i32) outs(%k : tensor<8xi32>) -> tensor<8xi32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%max, %at : tensor<8xf32>, tensor<8xi32>) {
  ^bb0(%a: f32, %m: f32, %i: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %g = arith.cmpf oge, %a, %m : f32
    %l = arith.select %g, %a, %m : f32
    %s = arith.select %g, %n, %i : i32
    linalg.yield %l, %s : f32, i32
  } -> (tensor<8xf32>, tensor<8xi32>)
  return %r#1 : tensor<8xi32>
}

// The element is used as well, and selected by the condition: the maximum of other keys gives it.
// CHECK-LABEL: func.func @both(
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8x64xi16>) outs(%{{.+}} : tensor<8xi64>)
// CHECK: arith.maxui
// CHECK: %[[ELEMENTS:.+]] = linalg.generic {{.*}} ins(%{{.+}} : tensor<8xi64>) outs(%{{.+}} : tensor<8xi16>)
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8x64xi16>) outs(%{{.+}} : tensor<8xi64>)
// CHECK: arith.maxui
// CHECK: %[[BOTH:.+]]:2 = linalg.generic {{.*}} ins(%{{.+}}, %[[ELEMENTS]] : tensor<8xi64>, tensor<8xi16>)
// CHECK: return %[[BOTH]]#1, %[[BOTH]]#0
func.func @both(%x: tensor<8x64xi16>) -> (tensor<8xi16>, tensor<8xindex>) {
  %highest = arith.constant 32767 : i16
  %zero = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xi16>
  %min = linalg.fill ins(%highest : i16) outs(%e : tensor<8xi16>) -> tensor<8xi16>
  %k = tensor.empty() : tensor<8xindex>
  %at = linalg.fill ins(%zero : index) outs(%k : tensor<8xindex>) -> tensor<8xindex>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xi16>) outs(%min, %at : tensor<8xi16>, tensor<8xindex>) {
  ^bb0(%a: i16, %m: i16, %i: index):
    %j = linalg.index 1 : index
    %g = arith.cmpi slt, %a, %m : i16
    %l = arith.select %g, %a, %m : i16
    %s = arith.select %g, %j, %i : index
    linalg.yield %l, %s : i16, index
  } -> (tensor<8xi16>, tensor<8xindex>)
  return %r#0, %r#1 : tensor<8xi16>, tensor<8xindex>
}

// Elements are combined without their indices, so a separate reduction computes them. From the first NaN on, the result
// is NaN, and no element is greater. Therefore, only elements before the NaN have keys.
// CHECK-LABEL: func.func @combined(
// CHECK: %[[ELEMENTS:.+]] = linalg.generic {{.*}} ins(%arg0 : tensor<8x64xf32>) outs(%{{.+}} : tensor<8xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT: linalg.yield
// CHECK: %[[ENDS:.+]] = linalg.generic {{.*}} ins(%arg0 : tensor<8x64xf32>) outs(%{{.+}} : tensor<8xi32>)
// CHECK: arith.cmpf uno
// CHECK: arith.minui
// CHECK: %[[KEYS:.+]] = linalg.generic {{.*}} ins(%arg0, %[[ENDS]] : tensor<8x64xf32>, tensor<8xi32>) outs(%{{.+}} : tensor<8xi64>)
// CHECK: arith.cmpi ult
// CHECK: arith.maxui
// CHECK: %[[BOTH:.+]]:2 = linalg.generic {{.*}} ins(%[[KEYS]], %[[ELEMENTS]] : tensor<8xi64>, tensor<8xf32>) outs(%{{.+}}, %{{.+}} : tensor<8xi64>, tensor<8xf32>)
// CHECK: return %[[BOTH]]#1, %[[BOTH]]#0
func.func @combined(%x: tensor<8x64xf32>) -> (tensor<8xf32>, tensor<8xi64>) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<8xf32>
  %max = linalg.fill ins(%lowest : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %k = tensor.empty() : tensor<8xi64>
  %at = linalg.fill ins(%zero : i64) outs(%k : tensor<8xi64>) -> tensor<8xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%max, %at : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%a: f32, %m: f32, %i: i64):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    %l = arith.maximumf %a, %m : f32
    %g = arith.cmpf ogt, %a, %m : f32
    %s = arith.select %g, %n, %i : i64
    linalg.yield %l, %s : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi64>
}

// The last element and index are kept, also if the elements are equal and the index is less.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: arith.minui
// CHECK: arith.maxui
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<8xi32>)
func.func @kept(%x: tensor<8x64xf32>) -> tensor<8xi32> {
  %highest = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xf32>
  %min = linalg.fill ins(%highest : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %k = tensor.empty() : tensor<8xi32>
  %at = linalg.fill ins(%zero : i32) outs(%k : tensor<8xi32>) -> tensor<8xi32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%min, %at : tensor<8xf32>, tensor<8xi32>) {
  ^bb0(%a: f32, %m: f32, %i: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %less = arith.cmpf olt, %m, %a : f32
    %nan = arith.cmpf une, %m, %m : f32
    %keep = arith.ori %less, %nan : i1
    %l = arith.select %keep, %m, %a : f32
    %eq = arith.cmpf oeq, %m, %a : f32
    %before = arith.cmpi slt, %i, %n : i32
    %both = arith.andi %eq, %before : i1
    %first = arith.ori %keep, %both : i1
    %s = arith.select %first, %i, %n : i32
    linalg.yield %l, %s : f32, i32
  } -> (tensor<8xf32>, tensor<8xi32>)
  return %r#1 : tensor<8xi32>
}

// The last of several equal elements is selected. Zeros may differ in their signs, so the lowest bit of a key is the
// sign. A NaN has the largest key.
// CHECK-LABEL: func.func @element(
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8x64xf32>) outs(%{{.+}} : tensor<8xi64>)
// CHECK: %[[WIDE:.+]] = arith.index_cast %{{.+}} : index to i64
// CHECK: arith.addi %[[WIDE]], %{{.+}} : i64
// CHECK: arith.shrui %{{.+}}, %{{.+}} : i32
// CHECK: arith.maxui
// CHECK: %[[ELEMENTS:.+]] = linalg.generic {{.*}} ins(%{{.+}} : tensor<8xi64>) outs(%{{.+}} : tensor<8xf32>)
// CHECK: %[[IS_NAN:.+]] = arith.cmpi eq, %{{.+}}, %{{.+}} : i32
// CHECK: %[[BITS:.+]] = arith.select %[[IS_NAN]]
// CHECK: arith.bitcast %[[BITS]] : i32 to f32
// CHECK: return %[[ELEMENTS]]
func.func @element(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %highest = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xf32>
  %min = linalg.fill ins(%highest : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %k = tensor.empty() : tensor<8xi32>
  %at = linalg.fill ins(%zero : i32) outs(%k : tensor<8xi32>) -> tensor<8xi32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%min, %at : tensor<8xf32>, tensor<8xi32>) {
  ^bb0(%a: f32, %m: f32, %i: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %less = arith.cmpf olt, %m, %a : f32
    %nan = arith.cmpf une, %m, %m : f32
    %keep = arith.ori %less, %nan : i1
    %l = arith.select %keep, %m, %a : f32
    %eq = arith.cmpf oeq, %m, %a : f32
    %before = arith.cmpi slt, %i, %n : i32
    %both = arith.andi %eq, %before : i1
    %first = arith.ori %keep, %both : i1
    %s = arith.select %first, %i, %n : i32
    linalg.yield %l, %s : f32, i32
  } -> (tensor<8xf32>, tensor<8xi32>)
  return %r#0 : tensor<8xf32>
}

// An element that equals the first one is selected if its index is less than the first one, which keys do not express.
// CHECK-LABEL: func.func @later(
// CHECK-NOT: arith.maxui
// CHECK: return
func.func @later(%x: tensor<8x64xi32>) -> tensor<8xi32> {
  %highest = arith.constant 100 : i32
  %at = arith.constant 5 : i32
  %e = tensor.empty() : tensor<8xi32>
  %min = linalg.fill ins(%highest : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %ats = linalg.fill ins(%at : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xi32>) outs(%min, %ats : tensor<8xi32>, tensor<8xi32>) {
  ^bb0(%a: i32, %m: i32, %i: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %keep = arith.cmpi slt, %m, %a : i32
    %l = arith.select %keep, %m, %a : i32
    %eq = arith.cmpi eq, %m, %a : i32
    %before = arith.cmpi slt, %i, %n : i32
    %both = arith.andi %eq, %before : i1
    %first = arith.ori %keep, %both : i1
    %s = arith.select %first, %i, %n : i32
    linalg.yield %l, %s : i32, i32
  } -> (tensor<8xi32>, tensor<8xi32>)
  return %r#1 : tensor<8xi32>
}

// The condition selects a NaN, but arith.maxnumf does not.
// CHECK-LABEL: func.func @unequal(
// CHECK-NOT: arith.maxui
// CHECK: return
func.func @unequal(%x: tensor<8x64xf32>) -> tensor<8xi32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xf32>
  %max = linalg.fill ins(%lowest : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %k = tensor.empty() : tensor<8xi32>
  %at = linalg.fill ins(%zero : i32) outs(%k : tensor<8xi32>) -> tensor<8xi32>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%max, %at : tensor<8xf32>, tensor<8xi32>) {
  ^bb0(%a: f32, %m: f32, %i: i32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %l = arith.maxnumf %a, %m : f32
    %u = arith.cmpf ugt, %a, %m : f32
    %known = arith.cmpf ord, %m, %m : f32
    %g = arith.andi %u, %known : i1
    %s = arith.select %g, %n, %i : i32
    linalg.yield %l, %s : f32, i32
  } -> (tensor<8xf32>, tensor<8xi32>)
  return %r#1 : tensor<8xi32>
}
