//===- ReportPage.h - The page of `aircc report` ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_REPORT_REPORTPAGE_H
#define AIRCC_DRIVER_REPORT_REPORTPAGE_H

#include "driver/compile/CompileObserver.h"
#include "simulator/api/Simulator.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// Collects the results of a compile and writes them as a page: the kernels
/// with their resource usage, the buffers, the layouts, the estimated times,
/// and the source with links from all of these.
class ReportPage : public CompileObserver {
public:
  explicit ReportPage(simulator::Simulator &simulator) : sim(simulator) {}

  void addStage(llvm::StringRef stage, mlir::ModuleOp module,
                const TargetProfile &profile) override;
  void addDeviceCode(llvm::ArrayRef<DeviceCode> codes) override;

  /// Sets the contents of the --report file and the AIRCC_SIM_TIMING file.
  void setWorks(llvm::json::Value file) { works = std::move(file); }
  void setTiming(llvm::json::Value file) { timing = std::move(file); }

  void write(llvm::StringRef name, llvm::StringRef source,
             llvm::raw_ostream &os) const;

private:
  struct Buffer {
    unsigned line;
    std::string what; ///< "LDS of kernel f", "device memory of function g".
    std::string type;
    std::string bytes; ///< "?" if it is not constant.
  };
  /// A kernel, found by "module::name".
  struct Kernel {
    std::string name;
    unsigned line = 0;
    std::string grid, block; ///< Empty if the program does not launch it.
    std::vector<Buffer> buffers;
    std::optional<simulator::Kernel> code;
  };

  static std::vector<Buffer>
  getBuffers(llvm::ArrayRef<mlir::BlockArgument> attributions);
  void addLaunch(mlir::gpu::LaunchFuncOp launch);
  void addHostBuffer(mlir::Operation *op);
  void writeKernels(llvm::raw_ostream &os) const;
  void writeWorks(llvm::raw_ostream &os) const;
  void writeMemory(llvm::raw_ostream &os) const;
  void writeTiming(llvm::raw_ostream &os) const;
  void writeInstructions(const llvm::json::Object &launch,
                         llvm::raw_ostream &os) const;
  void writeSource(llvm::StringRef source, llvm::raw_ostream &os) const;
  /// Returns the share of the waves' cycles for each line of the source.
  std::map<unsigned, double> getShares() const;

  simulator::Simulator &sim;
  std::string target, waves;
  std::map<std::string, Kernel> kernels;
  /// The buffers of gpu.launch ops, which become kernels in stage codegen, by
  /// line.
  std::map<unsigned, std::vector<Buffer>> launchBuffers;
  std::vector<Buffer> hostBuffers;
  std::string layouts; ///< HTML.
  std::optional<llvm::json::Value> works, timing;
};

} // namespace aircc

#endif // AIRCC_DRIVER_REPORT_REPORTPAGE_H
