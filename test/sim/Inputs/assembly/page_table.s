// Paged gather: the numbers of pages come by scalar loads through a descriptor
// with a stride, which counts records for them; entries beyond its end are 0.
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[20:21], s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s4
  s_or_b32 s9, s5, 0x40000               // stride 4
  s_mov_b32 s10, 6                       // 6 records
  s_mov_b32 s11, 0x20000
  s_buffer_load_dwordx4 s[12:15], s[8:11], 0x0
  s_movk_i32 s16, 0x10
  s_buffer_load_dwordx4 s[24:27], s[8:11], s16
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v3, 0
.macro page number
  s_lshl_b32 s17, \number, 8
  v_add_u32_e32 v2, s17, v1
  global_load_dword v4, v2, s[6:7]
  s_waitcnt vmcnt(0)
  v_lshl_add_u32 v3, v3, 1, v4
.endm
  page s12
  page s13
  page s14
  page s15
  page s24
  page s25
  page s26
  page s27
  global_store_dword v1, v3, s[20:21]
  s_endpgm
