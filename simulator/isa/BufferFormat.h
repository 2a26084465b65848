//===- BufferFormat.h - Typed buffer elements -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The memory formats of MTBUF and of MUBUF's "format" instructions. CDNA3 ISA
// guide, "Memory Buffer Load and Store Instructions", and RDNA3 ISA guide,
// "Buffer Resource Descriptor": a data format has the widths of the components,
// and a number format their interpretation. gfx10 and later have one number for
// each valid pair of them.
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
  uint8_t data = 1; ///< In gfx9's numbering, where 0 is invalid.
  NumberFormat number = NumberFormat::Unorm;

  unsigned bytes() const;      ///< The bytes of an element, or 0 if invalid.
  unsigned components() const; ///< The number of components.
};

/// Parses "[BUF_DATA_FORMAT_8_8,BUF_NUM_FORMAT_SINT]" (either may be missing)
/// or "[BUF_FMT_8_8_SINT]", as printed by LLVM. Returns false for other text.
bool parseBufferFormat(llvm::StringRef text, BufferFormat &format);

/// Returns the format of a number in gfx11's and gfx12's numbering.
BufferFormat unifiedBufferFormat(unsigned number);

/// Decodes the element at `from` (format.bytes() bytes) to register values, f32
/// or integers. Missing components get the values 0, 0, 0, 1.
void decodeElement(const BufferFormat &format, const uint8_t *from,
                   uint32_t components[4]);
/// Encodes an element. Ignores components that the format does not have.
void encodeElement(const BufferFormat &format, const uint32_t components[4],
                   uint8_t *to);

/// Convert between a register value and its 16-bit form ("d16").
uint32_t narrowComponent(const BufferFormat &format, uint32_t component);
uint32_t widenComponent(const BufferFormat &format, uint32_t half);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_BUFFERFORMAT_H
