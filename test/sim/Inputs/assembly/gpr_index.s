// Register indexing of instructions of every shape. v10 to v17 hold lane + 100
// times the number of the register.
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 6, v0
.set i, 10
.rept 8
  v_add_u32_e32 v[i], 100 * i, v0
  .set i, i + 1
.endr
  s_mov_b32 s8, 3
  s_movk_i32 s9, 5
  s_set_gpr_idx_on s8, gpr_idx(SRC0)
  v_mov_b32_e32 v20, v10                 // v13
  v_readlane_b32 s10, v11, s9            // v14, lane 5
  v_readfirstlane_b32 s12, v12           // v15, lane 0
  s_set_gpr_idx_mode gpr_idx(DST)
  v_writelane_b32 v10, 7, s9             // v13, lane 5
  s_set_gpr_idx_off
  v_mov_b32_e32 v21, s10
  v_mov_b32_e32 v22, s12
  v_mov_b32_e32 v23, v13
  v_mov_b32_e32 v30, 0x3f800000          // 1.0, 2.0
  v_mov_b32_e32 v31, 0x40000000
  s_mov_b32 s8, 4
  s_set_gpr_idx_on s8, gpr_idx(DST)
  v_fmac_f32_e32 v26, v31, v31           // v30 += 4
  s_set_gpr_idx_mode gpr_idx(SRC0,DST)
  v_swap_b32 v10, v11                    // v14, v15
  s_set_gpr_idx_mode gpr_idx(SRC1)
  s_set_gpr_idx_idx s9
  v_sub_u32_e32 v24, v14, v12            // v14 - v17
  v_lshlrev_b32_e32 v29, 2, v11          // v16
  s_set_gpr_idx_mode gpr_idx(DST)
  s_mov_b32 s8, 1
  s_set_gpr_idx_idx s8
  v_mov_b32_dpp v24, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf  // v25
  s_set_gpr_idx_off
  v_mov_b32_e32 v26, v14
  v_mov_b32_e32 v27, v15
  v_mov_b32_e32 v28, v30
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v1, v[20:23], s[4:5]
  global_store_dwordx4 v1, v[24:27], s[4:5] offset:16
  global_store_dwordx2 v1, v[28:29], s[4:5] offset:32
  s_endpgm
