//===- Timeline.h - What waves do over time, as a drawing -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_REPORT_TIMELINE_H
#define AIRCC_DRIVER_REPORT_TIMELINE_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace aircc {

/// Draws the "activity" of a launch from the AIRCC_SIM_TIMING file: a row for
/// each wave, with a color for what it does.
void writeTimeline(const llvm::json::Object &activity, llvm::raw_ostream &os);

} // namespace aircc

#endif // AIRCC_DRIVER_REPORT_TIMELINE_H
