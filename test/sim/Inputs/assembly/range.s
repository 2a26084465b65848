// Two descriptors of 32 bytes with a stride of 4. Without idxen NUM_RECORDS
// counts bytes, for each dword of a wide access by itself; with it, records.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 4, v0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s4
  s_or_b32 s9, s5, 0x40000
  s_mov_b32 s10, 24
  s_mov_b32 s11, 0x20000
  s_mov_b32 s12, s6
  s_or_b32 s13, s7, 0x40000
  s_mov_b32 s14, 120
  s_mov_b32 s15, 0x20000
  buffer_load_dwordx4 v[4:7], v1, s[8:11], 0 offen
  buffer_load_dword v8, v0, s[8:11], 0 idxen
  s_mov_b32 s16, 12
  buffer_load_dword v9, v1, s[8:11], s16 offen
  s_waitcnt vmcnt(0)
  v_lshlrev_b32_e32 v2, 5, v0
  buffer_store_dwordx4 v[4:7], v2, s[12:15], 0 offen
  buffer_store_dwordx2 v[8:9], v2, s[12:15], 0 offen offset:16
  s_endpgm
