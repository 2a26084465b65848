//===- LaneMemory.h - Memory of a row of lanes ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The functions of LaneLevel with these names, compiled for each level.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_VECTOR_LANEMEMORY_H
#define AIRCC_SIMULATOR_EXEC_VECTOR_LANEMEMORY_H

#include "simulator/exec/vector/LaneSupport.h"

namespace aircc::sim::AIRCC_SIM_LEVEL {

void addresses64(const u32 *low, u64 base, u64 *out);
void addresses32(const u32 *row, u64 base, u64 *out);
AddressSpan span(const u64 *addresses, u64 exec, unsigned width);
void gather(const u64 *addresses, u64 exec, unsigned dwords, u32 *rows);
void scatter(const u64 *addresses, u64 exec, unsigned dwords, const u32 *rows);
int ldsRead(const u32 *row, u32 offset, u32 limit, const u8 *base, u64 exec,
            unsigned dwords, u32 *rows);
bool ldsReadTwo(const u32 *row, const u32 *offsets, u32 limit, const u8 *base,
                u64 exec, unsigned dwords, u32 *rows);
int ldsWrite(const u32 *row, u32 offset, u32 limit, u8 *base, u64 exec,
             unsigned dwords, const u32 *rows);
void gatherSmall(const u64 *addresses, u64 exec, SmallAccess how, u32 *row);
void scatterSmall(const u64 *addresses, u64 exec, SmallAccess how,
                  const u32 *row);
int ldsReadSmall(const u32 *row, u32 offset, u32 limit, const u8 *base,
                 u64 exec, SmallAccess how, u32 *to);
int ldsWriteSmall(const u32 *row, u32 offset, u32 limit, u8 *base, u64 exec,
                  SmallAccess how, const u32 *from);

} // namespace aircc::sim::AIRCC_SIM_LEVEL

#endif // AIRCC_SIMULATOR_EXEC_VECTOR_LANEMEMORY_H
