//===- VectorClones.h - Functions for several vector widths -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_VECTORCLONES_H
#define AIRCC_SIMULATOR_EXEC_VECTORCLONES_H

/// Marks a function that is compiled for several vector widths of the host. The
/// loader selects one.
#if defined(__x86_64__) && defined(__linux__)
#define AIRCC_SIM_VECTOR_CLONES                                                \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define AIRCC_SIM_VECTOR_CLONES
#endif

#endif // AIRCC_SIMULATOR_EXEC_VECTORCLONES_H
