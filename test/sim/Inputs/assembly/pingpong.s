// Two groups of waves that run the same loop half an iteration apart: they meet
// at different s_barrier instructions. While the one computes on the tile of
// its own, the other loads.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_readfirstlane_b32 s12, v0
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v3, 0
  s_mov_b32 s13, 0
  s_waitcnt lgkmcnt(0)
  s_cmp_lt_u32 s12, 128
  s_cbranch_scc1 first
  s_barrier                       // half an iteration later
second_loop:
  v_add_u32_e32 v4, s13, v1
  global_load_dword v5, v4, s[4:5]
  s_waitcnt vmcnt(0)
  ds_write_b32 v1, v5
  s_waitcnt lgkmcnt(0)
  s_setprio 0
  s_barrier
  s_setprio 3
  v_xor_b32_e32 v6, 0x100, v1     // the other wave of the group
  ds_read_b32 v7, v6
  s_addk_i32 s13, 0x400
  s_cmp_lt_u32 s13, 0x1000
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v7
  s_barrier
  s_cbranch_scc1 second_loop
  s_branch done
first:
  v_add_u32_e32 v4, s13, v1
  global_load_dword v5, v4, s[4:5]
  s_waitcnt vmcnt(0)
  ds_write_b32 v1, v5
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_setprio 2
  v_xor_b32_e32 v6, 0x100, v1
  ds_read_b32 v7, v6
  s_addk_i32 s13, 0x400
  s_cmp_lt_u32 s13, 0x1000
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v7
  s_setprio 0
  s_barrier
  s_cbranch_scc1 first
  s_barrier                       // the second group's last one
done:
  global_store_dword v1, v3, s[6:7]
  s_endpgm
