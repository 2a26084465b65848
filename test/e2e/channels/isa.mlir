// Memory ordering in the instructions: writes before a put have left the caches before the flag is
// written, and reads after a get are from memory. A message of one line is sent by one store of
// payload and flag.

// RUN: %aircc %s --target gfx90a -S -o - | FileCheck %s --check-prefixes=CHECK,GFX90A
// RUN: %aircc %s --target gfx942 -S -o - | FileCheck %s --check-prefixes=CHECK,GFX940
// RUN: %aircc %s --target gfx950 -S -o - | FileCheck %s --check-prefixes=CHECK,GFX940

// CHECK-LABEL: main_put:
// CHECK-NOT:   global_store
// The caches hold no earlier data, and no access is outstanding:
// GFX90A:      buffer_wbl2
// GFX940:      buffer_wbl2 sc0 sc1
// CHECK-NOT:   global_store
// CHECK:       s_waitcnt vmcnt(0)
// CHECK-NOT:   global_store
// The line, for the whole system:
// GFX90A:      global_store_dword {{.*}} offset:384
// GFX940:      global_store_dword {{.*}} offset:384 sc0 sc1
// CHECK-NOT:   global_store
// CHECK:       s_endpgm

// CHECK-LABEL: main_get:
// The flag, again and again:
// GFX90A:      global_load_dword {{.*}} offset:508 glc
// GFX940:      global_load_dword {{.*}} offset:508 sc0 sc1
// CHECK:       s_waitcnt vmcnt(0)
// CHECK:       s_cbranch_{{vcc|exec}}nz
// GFX90A:      buffer_invl2
// GFX90A-NEXT: buffer_wbinvl1_vol
// GFX940:      buffer_inv sc0 sc1
// Only then the words:
// CHECK:       global_load_dword {{.*}} offset:384
// CHECK:       global_store_dword
// They have been read before the slot is released:
// GFX90A:      buffer_wbl2
// GFX940:      buffer_wbl2 sc0 sc1
// CHECK-NEXT:  s_waitcnt vmcnt(0)
// GFX90A:      global_store_dword {{.*}} offset:256
// GFX940:      global_store_dword {{.*}} offset:256 sc0 sc1
// CHECK:       s_endpgm

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}

func.func @main() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %buf = memref.alloc() : memref<31xi32, #air.symmetric_heap>
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {
      air.launch @put () in () args(%b = %buf) : memref<31xi32, #air.symmetric_heap> {
        %l0 = arith.constant 0 : index
        air.channel.put @C[%l0] (%b[] [] []) : (memref<31xi32, #air.symmetric_heap>)
      }
    } else {
      air.launch @get () in () args(%b = %buf) : memref<31xi32, #air.symmetric_heap> {
        %l0 = arith.constant 0 : index
        air.channel.get @C[%l0] (%b[] [] []) : (memref<31xi32, #air.symmetric_heap>)
      }
    }
    memref.dealloc %buf : memref<31xi32, #air.symmetric_heap>
  }
  return
}
