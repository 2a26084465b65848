// Workgroups that take tiles from a counter until none is left, and add what
// they find by atomics of buffers: beyond the range nothing is done.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[20:21], s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v10, 0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s6
  s_or_b32 s9, s7, 0x40000
  s_movk_i32 s10, 0x80                   // the first 32 sums only
  s_mov_b32 s11, 0x20000
next:
  v_mov_b32_e32 v2, 1
  s_mov_b64 s[24:25], exec
  s_mov_b64 exec, 1
  global_atomic_add v2, v10, v2, s[20:21] sc0
  s_waitcnt vmcnt(0)
  s_mov_b64 exec, s[24:25]
  v_readfirstlane_b32 s12, v2
  s_cmp_ge_u32 s12, 10
  s_cbranch_scc1 done
  s_lshl_b32 s12, s12, 8
  v_add_u32_e32 v3, s12, v1
  global_load_dword v4, v3, s[4:5]
  s_waitcnt vmcnt(0)
  buffer_atomic_add_f32 v4, v1, s[8:11], 0 offen
  s_branch next
done:
  s_endpgm
