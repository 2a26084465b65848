// Loads straight to LDS, double buffered: while a tile is summed, the next one
// is in flight. The last tile is cut by the descriptor, whose lanes beyond it
// write zeros to LDS.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dword s20, s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  v_and_b32_e32 v2, 63, v0
  v_lshlrev_b32_e32 v2, 2, v2
  v_readfirstlane_b32 s16, v0
  v_mov_b32_e32 v3, 0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s4
  s_or_b32 s9, s5, 0x40000
  s_lshl_b32 s10, s20, 2
  s_mov_b32 s11, 0x20000
  s_lshl_b32 s16, s16, 2          // the wave's bytes of a tile
  s_mov_b32 s17, 0                // offset in memory
  s_mov_b32 s18, 0                // which half of LDS
  s_mov_b32 m0, s16
  s_nop 0
  buffer_load_dword v1, s[8:11], s17 offen lds
loop:
  s_addk_i32 s17, 0x200
  s_xor_b32 s19, s18, 0x200
  s_add_u32 s21, s16, s19
  s_mov_b32 m0, s21
  s_nop 0
  buffer_load_dword v1, s[8:11], s17 offen lds
  s_waitcnt vmcnt(1)
  s_barrier
  s_xor_b32 s22, s16, 0x100       // what the other wave has loaded
  s_add_u32 s22, s22, s18
  v_add_u32_e32 v4, s22, v2
  ds_read_b32 v5, v4
  s_mov_b32 s18, s19
  s_cmp_lt_u32 s17, s10
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v5
  s_barrier
  s_cbranch_scc1 loop
  s_waitcnt vmcnt(0)
  global_store_dword v1, v3, s[6:7]
  s_endpgm
