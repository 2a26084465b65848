// Messages of the parser.
// RUN: %aircc opt --split-input-file --verify-diagnostics %s

func.func @no_region(%n: index) {
  air.launch (%x) in (%sx=%n)
  // expected-error @below {{expected a region; only an op with a symbol name may omit it}}
  return
}

// -----

func.func @two_names() {
  // expected-error @below {{the op is named twice; write either '@name' or the attribute 'sym_name'}}
  air.segment @one attributes {sym_name = "two"} {
  }
  return
}

// -----

func.func @few_sizes(%n: index) {
  // expected-error @below {{expected as many sizes as ids (2), but got 1}}
  air.launch (%x, %y) in (%sx=%n) {
  }
  return
}

// -----

func.func @many_sizes(%n: index) {
  // expected-error @below {{expected as many sizes as ids (1), but got 2}}
  air.herd tile (%x) in (%sx=%n, %sy=%n) {
  }
  return
}

// -----

func.func @few_types(%a: f32) {
  // expected-error @below {{expected one type for each of the 2 arguments, but got 1}}
  air.segment args(%k=%a, %l=%a) : f32 {
  }
  return
}

// -----

func.func @no_tile(%n: index) {
  // expected-error @below {{expected 'tile'}}
  air.herd (%x) in (%sx=%n) {
  }
  return
}

// -----

func.func @no_space() {
  // expected-error @below {{expected '('}}
  air.rank {
  }
  return
}

// -----

func.func @no_list(%m: memref<4xf32>) {
  // expected-error @below {{expected '['}}
  air.dma_memcpy_nd (%m[] [], %m[] [] []) : (memref<4xf32>, memref<4xf32>)
  return
}

// -----

func.func @not_a_token(%i: index) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%i' expects different type than prior uses: '!air.async.token' vs 'index'}}
  air.wait_all [%i]
  return
}

// -----

// expected-error @below {{unknown  type `event` in dialect `air`}}
func.func private @unknown_type(!air.event)

// -----

// expected-error @below {{unknown attribute `heap` in dialect `air`}}
func.func private @unknown_space(memref<4xf32, #air.heap>)

// -----

// expected-error @below {{expected a size of type i64, but got 'index'}}
air.channel @sizes [2, 3 : index]

// -----

func.func @name_of_another_kind(%n: index) {
  // expected-error @below {{custom op 'air.launch' attribute 'sym_name' failed to satisfy constraint: string attribute}}
  air.launch (%x) in (%s=%n) attributes {sym_name = 3} {
  }
  return
}

// -----

func.func @object_of_another_kind(%n: index) {
  // expected-error @below {{custom op 'air.herd' attribute 'link_with' failed to satisfy constraint: string attribute}}
  air.herd tile (%x) in (%s=%n) attributes {link_with = 4 : i32} {
  }
  return
}

// -----

func.func @symbol_of_another_kind() {
  // expected-error @below {{custom op 'air.custom' attribute 'symbol' failed to satisfy constraint: symbol reference attribute}}
  air.custom attributes {symbol = "f"}
  return
}
