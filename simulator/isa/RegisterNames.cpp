//===- RegisterNames.cpp - Names of registers -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/RegisterNames.h"
#include "simulator/isa/Modifiers.h"

namespace aircc::sim {

std::string registerName(bool vector, unsigned reg) {
  if (vector)
    return reg >= kFirstAgprRow ? "a" + std::to_string(reg - kFirstAgprRow)
                                : "v" + std::to_string(reg);
  switch (reg) {
  case kVcc:
    return "vcc_lo";
  case kVcc + 1:
    return "vcc_hi";
  case kExec:
    return "exec_lo";
  case kExec + 1:
    return "exec_hi";
  case kM0:
    return "m0";
  case kNull:
    return "null";
  default:
    return "s" + std::to_string(reg);
  }
}

} // namespace aircc::sim
