//===- EditorFacts.h - What a compile tells an editor -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_EDITORFACTS_H
#define AIRCC_DRIVER_LSP_EDITORFACTS_H

#include "driver/compile/CompileObserver.h"
#include "simulator/api/Simulator.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// Collects what the language server shows next to the source: the layouts of
/// vectors and the resource usage of kernels, for the first target.
class EditorFacts : public CompileObserver {
public:
  /// `simulator` reads the resource usage from device code. If it is null, the
  /// resource usage is unknown.
  explicit EditorFacts(simulator::Simulator *simulator) : sim(simulator) {}

  void addStage(llvm::StringRef stage, mlir::ModuleOp module,
                const TargetProfile &profile) override;
  void addDeviceCode(llvm::ArrayRef<DeviceCode> codes) override;

  /// Returns a list of {line, label, details}.
  llvm::json::Value toJSON() const;

private:
  /// The layouts of the vectors that the ops in one line compute.
  struct Layouts {
    std::vector<std::string> labels; ///< Without duplicates.
    std::vector<std::string> details;
  };
  struct Kernel {
    std::string name;
    unsigned line = 0;
    std::optional<simulator::Kernel> code;
  };

  void addKernel(const std::string &key, llvm::StringRef name, unsigned line);
  void addLayouts(mlir::Operation *op, int64_t waves);

  simulator::Simulator *sim;
  std::string target;
  unsigned waveSize = 0;
  std::map<unsigned, Layouts> layouts;   ///< The layouts, by line.
  std::map<std::string, Kernel> kernels; ///< The kernels, by "module::name".
};

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_EDITORFACTS_H
