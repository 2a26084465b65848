// gfx942: C (16x16, f32) = A * B of 8-bit floats.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 3, v0
  v_lshlrev_b32_e32 v2, 4, v0
  s_waitcnt lgkmcnt(0)
  global_load_dwordx2 v[4:5], v1, s[4:5]
  global_load_dwordx2 v[6:7], v1, s[4:5] offset:512
  s_waitcnt vmcnt(0)
  v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[4:5], v[6:7], 0
  s_nop 15
  global_store_dwordx4 v2, v[8:11], s[6:7]
  s_endpgm
