// gfx950: a tile of 16-bit elements goes straight to LDS, 16 bytes per lane, and
// is read transposed.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 4, v0
  v_lshlrev_b32_e32 v2, 3, v0
  s_mov_b32 m0, 0x100
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s4
  s_or_b32 s9, s5, 0x40000
  s_movk_i32 s10, 0x400
  s_mov_b32 s11, 0x20000
  buffer_load_dwordx4 v1, s[8:11], 0 offen lds
  s_waitcnt vmcnt(0)
  ds_read_b64_tr_b16 v[4:5], v2 offset:256
  ds_read_b64_tr_b16 v[6:7], v2 offset:768
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v1, v[4:7], s[6:7]
  s_endpgm
