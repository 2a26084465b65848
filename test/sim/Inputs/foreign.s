// Kernels as vendors write them by hand: arguments with padding between them,
// pointers in structures and in memory, symbols without a size.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.text

// out[i] = in[i] * scale for i < n.
.globl padded
.p2align 8
.type padded,@function
padded:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx2 s[6:7], s[0:1], 0x10
  s_load_dword s8, s[0:1], 0x20
  s_load_dword s9, s[0:1], 0x30
  s_waitcnt lgkmcnt(0)
  s_lshl_b32 s2, s2, 6
  v_add_u32_e32 v0, s2, v0
  v_cmp_gt_u32_e32 vcc, s9, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_cbranch_execz padded_end
  v_lshlrev_b32_e32 v1, 2, v0
  global_load_dword v2, v1, s[6:7]
  s_waitcnt vmcnt(0)
  v_mul_f32_e32 v2, s8, v2
  global_store_dword v1, v2, s[4:5]
padded_end:
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel padded
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_kernarg_size 192
  .amdhsa_group_segment_fixed_size 0
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 24
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.text

// out[i] = the sum of list[k][i] for k < n: {list, n} is a structure by value.
.globl gathered
.p2align 8
.type gathered,@function
gathered:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx2 s[6:7], s[0:1], 0x8
  s_load_dword s8, s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, 0
  s_waitcnt lgkmcnt(0)
gathered_loop:
  s_load_dwordx2 s[10:11], s[6:7], 0x0
  s_waitcnt lgkmcnt(0)
  global_load_dword v3, v1, s[10:11]
  s_add_u32 s6, s6, 8
  s_addc_u32 s7, s7, 0
  s_sub_u32 s8, s8, 1
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v2, v2, v3
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 gathered_loop
  global_store_dword v1, v2, s[4:5]
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel gathered
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_kernarg_size 24
  .amdhsa_group_segment_fixed_size 0
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 24
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.text

// Never ends.
.globl spinning
.p2align 8
.type spinning,@function
spinning:
  s_mov_b32 s4, 0
spinning_loop:
  s_add_u32 s4, s4, 1
  s_nop 0
  s_branch spinning_loop
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel spinning
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 0
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 24
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.text

// Reads 16 bytes per lane and stores 4: the last lanes read past the end.
.globl ahead
.p2align 8
.type ahead,@function
ahead:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx2 s[6:7], s[0:1], 0x8
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dwordx4 v[4:7], v1, s[4:5]
  s_waitcnt vmcnt(0)
  global_store_dword v1, v4, s[6:7]
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel ahead
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_kernarg_size 16
  .amdhsa_group_segment_fixed_size 0
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 24
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.text

// Loads to LDS and reads that without a wait.
.globl unwaited
.p2align 8
.type unwaited,@function
unwaited:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx2 s[12:13], s[0:1], 0x8
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v3, -1
  ds_write_b32 v1, v3
  s_mov_b32 s6, 0x100
  s_mov_b32 s7, 0x20000
  s_mov_b32 m0, 0
  s_waitcnt lgkmcnt(0)
  buffer_load_dword v1, s[4:7], 0 offen lds
  ds_read_b32 v2, v1
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[12:13]
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel unwaited
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_kernarg_size 16
  .amdhsa_group_segment_fixed_size 256
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 24
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
.text

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: padded
    .symbol: padded.kd
    .kernarg_segment_size: 192
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: ptr_out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 8, .size: 8, .value_kind: by_value}
      - {.name: ptr_in, .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 24, .size: 8, .value_kind: by_value}
      - {.name: scale, .offset: 32, .size: 4, .value_kind: by_value}
      - {.name: pad, .offset: 36, .size: 4, .value_kind: by_value}
      - {.name: pad, .offset: 40, .size: 4, .value_kind: by_value}
      - {.name: pad, .offset: 44, .size: 4, .value_kind: by_value}
      - {.name: n, .offset: 48, .size: 4, .value_kind: by_value}
      - {.name: pad, .offset: 52, .size: 4, .value_kind: by_value}
      - {.name: pad, .offset: 56, .size: 4, .value_kind: by_value}
      - {.name: pad, .offset: 60, .size: 4, .value_kind: by_value}
      - {.name: unused_0, .offset: 64, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 72, .size: 8, .value_kind: by_value}
      - {.name: unused_1, .offset: 80, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 88, .size: 8, .value_kind: by_value}
      - {.name: unused_2, .offset: 96, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 104, .size: 8, .value_kind: by_value}
      - {.name: unused_3, .offset: 112, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 120, .size: 8, .value_kind: by_value}
      - {.name: unused_4, .offset: 128, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 136, .size: 8, .value_kind: by_value}
      - {.name: unused_5, .offset: 144, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 152, .size: 8, .value_kind: by_value}
      - {.name: unused_6, .offset: 160, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 168, .size: 8, .value_kind: by_value}
      - {.name: unused_7, .offset: 176, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: pad, .offset: 184, .size: 8, .value_kind: by_value}
  - .name: gathered
    .symbol: gathered.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: lists, .offset: 8, .size: 16, .value_kind: by_value}
  - .name: spinning
    .symbol: spinning.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
  - .name: ahead
    .symbol: ahead.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: in, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
  - .name: unwaited
    .symbol: unwaited.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: in, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
