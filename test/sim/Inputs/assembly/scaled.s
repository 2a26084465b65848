// gfx950: C (16x16, f32) = A * B of fp4 with scales. Each lane fills its
// registers with one value.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_lshlrev_b32_e32 v2, 4, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v4, v1, s[4:5]
  global_load_dword v12, v1, s[4:5] offset:256
  v_mov_b32_e32 v20, 0x81                // A: times 4
  v_mov_b32_e32 v21, 0x7e                // B: by 2
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v5, v4
  v_mov_b32_e32 v6, v4
  v_mov_b32_e32 v7, v4
  v_mov_b32_e32 v13, v12
  v_mov_b32_e32 v14, v12
  v_mov_b32_e32 v15, v12
  v_mov_b32_e32 v24, 0
  v_mov_b32_e32 v25, 0
  v_mov_b32_e32 v26, 0
  v_mov_b32_e32 v27, 0
  s_nop 1
  v_mfma_scale_f32_16x16x128_f8f6f4 v[24:27], v[4:7], v[12:15], v[24:27], v20, v21 op_sel_hi:[0,0,0] cbsz:4 blgp:4
  s_nop 15
  s_nop 15
  global_store_dwordx4 v2, v[24:27], s[6:7]
  s_endpgm
