// Records of 8 bytes in a swizzled buffer: dwords of 8 indices are together. A
// buffer that adds the lane's number to the index has no range.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 4, v0
  v_mov_b32_e32 v2, 4
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s4
  s_or_b32 s9, s5, 0x80080000            // swizzled, stride 8
  s_mov_b32 s10, 12                      // records
  s_mov_b32 s11, 0x20000                 // 8 indices
  v_mov_b32_e32 v10, v0
  v_mov_b32_e32 v11, 4
  buffer_load_dword v4, v[10:11], s[8:11], 0 idxen offen
  v_mov_b32_e32 v5, 0
  s_mov_b32 s12, s4
  s_or_b32 s13, s5, 0x40000              // stride 4
  s_mov_b32 s14, 0
  s_mov_b32 s15, 0x800000                // adds the lane
  buffer_load_dword v6, off, s[12:15], 0 offset:8
  s_mov_b32 s16, s4
  s_mov_b32 s17, s5                      // stride 0: idxen counts for nothing
  s_mov_b32 s18, 8
  s_mov_b32 s19, 0x20000
  buffer_load_dword v7, v10, s[16:19], 0 idxen offset:4
  s_waitcnt vmcnt(0)
  global_store_dwordx4 v1, v[4:7], s[6:7]
  s_endpgm
