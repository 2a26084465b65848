//===- MachinePool.h - Backends that modules share --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_LLVM_MACHINEPOOL_H
#define AIRCC_PIPELINE_CODEGEN_LLVM_MACHINEPOOL_H

#include "pipeline/codegen/llvm/LLVMBackend.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace aircc {

/// A machine and the passes that emit objects, for one module after another.
class PooledMachine {
public:
  explicit PooledMachine(std::unique_ptr<llvm::TargetMachine> machine);
  ~PooledMachine();

  llvm::TargetMachine &get() const { return *machine; }

  /// Like emitMachineCode, for objects. Appends to `output`. The machine is
  /// unusable after a failure.
  llvm::Error emitObject(llvm::Module &module,
                         llvm::SmallVectorImpl<char> &output);

private:
  struct Passes;

  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<Passes> passes; ///< Null until needed.
};

/// Machines that modules use one after another, because creating a machine,
/// with its register tables and its passes, takes longer than compiling a small
/// kernel. All functions are thread-safe.
class MachinePool {
public:
  /// Returns an unused machine, or creates one.
  llvm::Expected<std::unique_ptr<PooledMachine>>
  take(const MachineOptions &options);
  /// Must not be called after the machine has failed.
  void giveBack(const MachineOptions &options,
                std::unique_ptr<PooledMachine> machine);

private:
  using Key = std::tuple<std::string, std::string, std::string, unsigned>;
  static Key getKey(const MachineOptions &options);

  std::mutex mutex;
  std::map<Key, std::vector<std::unique_ptr<PooledMachine>>> machines;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_LLVM_MACHINEPOOL_H
