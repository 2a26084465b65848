//===- BufferFormat.h - Typed buffer elements -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MTBUF, and MUBUF's "format" forms, make of memory. CDNA3 ISA guide,
// "Memory Buffer Load and Store Instructions", and RDNA3 ISA guide, "Buffer
// Resource Descriptor": a data format says how wide components are, a number
// format what they mean. gfx10 and later number the pairs that there are.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_BUFFERFORMAT_H
#define AIRCC_SIMULATOR_ISA_BUFFERFORMAT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace aircc::sim {

enum class NumberFormat : uint8_t {
  Unorm,
  Snorm,
  Uscaled,
  Sscaled,
  Uint,
  Sint,
  SnormOgl,
  Float,
};

struct BufferFormat {
  uint8_t data = 1; ///< gfx9's number; 0 is no format.
  NumberFormat number = NumberFormat::Unorm;

  unsigned bytes() const;      ///< Of an element; 0 for no format.
  unsigned components() const; ///< X first.
};

/// "[BUF_DATA_FORMAT_8_8,BUF_NUM_FORMAT_SINT]" (either may be missing) or
/// "[BUF_FMT_8_8_SINT]", as LLVM prints them. False when it is neither.
bool parseBufferFormat(llvm::StringRef text, BufferFormat &format);

/// The format with gfx11's and gfx12's number.
BufferFormat unifiedBufferFormat(unsigned number);

/// The components of the element at `from` (format.bytes() bytes), as registers
/// hold them, f32 or integers; where there are fewer than four, 0, 0, 0, 1.
void decodeElement(const BufferFormat &format, const uint8_t *from,
                   uint32_t components[4]);
/// The reverse; components that the format lacks are not looked at.
void encodeElement(const BufferFormat &format, const uint32_t components[4],
                   uint8_t *to);

/// Between what registers hold and what they hold in 16 bits ("d16").
uint32_t narrowComponent(const BufferFormat &format, uint32_t component);
uint32_t widenComponent(const BufferFormat &format, uint32_t half);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_BUFFERFORMAT_H
