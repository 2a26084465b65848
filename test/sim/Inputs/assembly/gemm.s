// C (16x16, f32) = A (16x64, bf16) * B^T (16x64, bf16) by matrix instructions
// on AccVGPRs, K in steps of 16 whose operands are prefetched. What is fetched
// after the last step is not used, and out of range for the last row.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[20:21], s[0:1], 0x10
  v_and_b32_e32 v1, 15, v0
  v_lshlrev_b32_e32 v1, 7, v1            // row * 128 bytes
  v_lshrrev_b32_e32 v2, 4, v0
  v_lshl_add_u32 v3, v2, 3, v1           // + 8 * (lane / 16)
  v_accvgpr_write_b32 a0, 0
  v_accvgpr_write_b32 a1, 0
  v_accvgpr_write_b32 a2, 0
  v_accvgpr_write_b32 a3, 0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s4
  s_or_b32 s9, s5, 0x40000
  s_movk_i32 s10, 0x800
  s_mov_b32 s11, 0x20000
  s_mov_b32 s12, s6
  s_or_b32 s13, s7, 0x40000
  s_mov_b32 s14, s10
  s_mov_b32 s15, s11
  s_mov_b32 s16, 0
  buffer_load_dwordx2 v[4:5], v3, s[8:11], s16 offen
  buffer_load_dwordx2 v[6:7], v3, s[12:15], s16 offen
loop:
  s_add_u32 s16, s16, 32
  buffer_load_dwordx2 v[8:9], v3, s[8:11], s16 offen
  buffer_load_dwordx2 v[10:11], v3, s[12:15], s16 offen
  s_waitcnt vmcnt(2)
  s_setprio 1
  v_mfma_f32_16x16x16_bf16 a[0:3], v[4:5], v[6:7], a[0:3]
  s_setprio 0
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v4, v8
  v_mov_b32_e32 v5, v9
  v_mov_b32_e32 v6, v10
  v_mov_b32_e32 v7, v11
  s_cmpk_lt_u32 s16, 128
  s_nop 1
  s_cbranch_scc1 loop
  s_nop 15
  v_accvgpr_read_b32 v12, a0
  v_accvgpr_read_b32 v13, a1
  v_accvgpr_read_b32 v14, a2
  v_accvgpr_read_b32 v15, a3
  v_and_b32_e32 v1, 15, v0               // column
  v_lshlrev_b32_e32 v2, 8, v2            // 4 rows of 64 bytes
  v_lshl_add_u32 v2, v1, 2, v2
  global_store_dword v2, v12, s[20:21]
  global_store_dword v2, v13, s[20:21] offset:64
  global_store_dword v2, v14, s[20:21] offset:128
  global_store_dword v2, v15, s[20:21] offset:192
  s_endpgm
