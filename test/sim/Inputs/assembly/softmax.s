// Softmax over rows of 64: maximum and sum over the wave by DPP. The row of a
// wave is fetched through a descriptor of stride 4.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_lshl_b32 s12, s2, 8                  // workgroup: 256 bytes
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s4
  s_or_b32 s9, s5, 0x40000
  s_movk_i32 s10, 0x400
  s_mov_b32 s11, 0x20000
  buffer_load_dword v2, v1, s[8:11], s12 offen
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v3, v2
  s_nop 1
  v_max_f32_dpp v3, v3, v3 row_shr:1 row_mask:0xf bank_mask:0xf
  s_nop 1
  v_max_f32_dpp v3, v3, v3 row_shr:2 row_mask:0xf bank_mask:0xf
  s_nop 1
  v_max_f32_dpp v3, v3, v3 row_shr:4 row_mask:0xf bank_mask:0xf
  s_nop 1
  v_max_f32_dpp v3, v3, v3 row_shr:8 row_mask:0xf bank_mask:0xf
  s_nop 1
  v_max_f32_dpp v3, v3, v3 row_bcast:15 row_mask:0xa bank_mask:0xf
  s_nop 1
  v_max_f32_dpp v3, v3, v3 row_bcast:31 row_mask:0xc bank_mask:0xf
  s_nop 1
  v_readlane_b32 s13, v3, 63
  v_subrev_f32_e32 v4, s13, v2
  v_mul_f32_e32 v4, 0x3fb8aa3b, v4       // log2(e)
  v_exp_f32_e32 v4, v4
  s_nop 1
  v_mov_b32_e32 v5, v4
  s_nop 1
  v_add_f32_dpp v5, v5, v5 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  s_nop 1
  v_add_f32_dpp v5, v5, v5 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf
  s_nop 1
  v_add_f32_dpp v5, v5, v5 row_half_mirror row_mask:0xf bank_mask:0xf
  s_nop 1
  v_add_f32_dpp v5, v5, v5 row_mirror row_mask:0xf bank_mask:0xf
  ds_swizzle_b32 v6, v5 offset:swizzle(SWAP,16)
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v5, v5, v6
  s_nop 0
  v_readlane_b32 s14, v5, 0
  v_readlane_b32 s15, v5, 32
  v_mov_b32_e32 v6, s15
  v_add_f32_e32 v6, s14, v6
  v_rcp_f32_e32 v6, v6
  s_nop 0
  v_mul_f32_e32 v4, v4, v6
  s_mov_b32 s8, s6
  s_or_b32 s9, s7, 0x40000
  buffer_store_dword v4, v1, s[8:11], s12 offen
  s_endpgm
