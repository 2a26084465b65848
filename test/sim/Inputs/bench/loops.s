; Kernels whose main loops have known times, as of a compiler other than aircc.

.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text

; Eight independent matrix instructions of 32 cycles: 256 cycles, and some 90 of what precedes and follows them: 14 other
; instructions, a barrier and the branch. The loop before it has fewer of them. The addresses are
; computed in the loop from a pointer that an argument contains, the mask of lanes is one that arguments determine, and a
; condition leaves the loop early.
.globl stream
.p2align 8
.type stream,@function
stream:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx2 s[6:7], s[0:1], 0x8
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32 v2, 4, v0
  v_mov_b32 v3, 0
.Lfirst:
  v_mfma_f32_32x32x8_f16 v[16:31], v[4:5], v[6:7], v[16:31]
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 .Lfirst
.Lsecond:
  s_lshl_b64 s[8:9], s[6:7], 6
  s_add_u32 s10, s4, s8
  s_addc_u32 s11, s5, s9
  v_lshl_add_u64 v[8:9], v[2:3], 0, s[10:11]
  global_load_dwordx4 v[12:15], v[8:9], off
  s_mov_b64 exec, s[12:13]
  s_cmp_eq_u32 s6, 5
  s_cbranch_scc1 .Lend
.irp i, 0, 1, 2, 3, 4, 5, 6, 7
  v_mfma_f32_32x32x8_f16 a[16*\i:16*\i+15], v[4:5], v[6:7], a[16*\i:16*\i+15]
.endr
  s_waitcnt vmcnt(0)
  ds_write_b128 v2, v[12:15]
  s_barrier
  s_add_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 100
  s_cbranch_scc1 .Lsecond
.Lend:
  s_endpgm
.Lstream_end:
.size stream, .Lstream_end-stream

; A matrix instruction of 16 cycles waits for a load: the matrix pipe is busy in a small part of the time.
.globl wait
.p2align 8
.type wait,@function
wait:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_mov_b32 s6, 0
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32 v2, 4, v0
.Lwait:
  global_load_dwordx4 v[4:7], v2, s[4:5]
  s_waitcnt vmcnt(0)
  v_mfma_f32_16x16x16_f16 a[0:3], v[4:5], v[6:7], a[0:3]
  s_add_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 100
  s_cbranch_scc1 .Lwait
  s_endpgm
.Lwait_end:
.size wait, .Lwait_end-wait

; No loop.
.globl straight
.p2align 8
.type straight,@function
straight:
  v_mfma_f32_16x16x16_f16 a[0:3], v[4:5], v[6:7], a[0:3]
  s_endpgm
.Lstraight_end:
.size straight, .Lstraight_end-straight

.rodata
.macro descriptor name, vgprs, offset, lds
.p2align 6
.amdhsa_kernel \name
  .amdhsa_group_segment_fixed_size \lds
  .amdhsa_kernarg_size 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr \vgprs
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset \offset
.end_amdhsa_kernel
.endm
descriptor stream, 160, 32, 65536
descriptor wait, 16, 8, 0
descriptor straight, 16, 8, 0

.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: stream
    .symbol: stream.kd
    .args: [{.name: a, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}, {.name: n, .size: 8, .offset: 8, .value_kind: by_value}]
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 65536
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 160
    .agpr_count: 128
    .max_flat_workgroup_size: 256
  - .name: wait
    .symbol: wait.kd
    .args: [{.name: a, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}, {.name: n, .size: 8, .offset: 8, .value_kind: by_value}]
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 16
    .agpr_count: 8
    .max_flat_workgroup_size: 256
  - .name: straight
    .symbol: straight.kd
    .args: []
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 22
    .vgpr_count: 16
    .agpr_count: 8
    .max_flat_workgroup_size: 256
.end_amdgpu_metadata
