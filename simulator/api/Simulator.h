//===- Simulator.h - Running code objects, for other programs ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The public interface of the simulator of AMD and Intel GPUs
// (libaircc_sim.so): load a code object or a SPIR-V module, whoever compiled
// it, look at its kernels, run one, and read what it wrote. This header needs
// nothing but the standard library and dlopen; it is installed as
// aircc/Simulator.h. docs/simulator.md describes what is simulated;
// samples/simulator/ has a program that uses this.
//
//   using namespace aircc::simulator;
//   Simulator *sim;
//   if (Status s = openSimulator("libaircc_sim.so", sim); !s.ok()) …
//   std::unique_ptr<Code> code;
//   if (Status s = sim->load(bytes.data(), bytes.size(), "", code); !s.ok()) …
//   void *x;
//   if (Status s = sim->allocate(1024, x); !s.ok()) …
//   Launch launch;
//   launch.kernel = "scale";
//   launch.grid = {4, 1, 1};
//   launch.block = {64, 1, 1};
//   launch.arguments = {&x};
//   if (Status s = sim->launch(*code, launch); !s.ok()) …
//
// Device memory is memory of the host under its host address: read and write it
// with memcpy. Kernels can touch what was allocated here, and nothing else.
//
// The library and its user must be built with the same C++ standard library.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_API_SIMULATOR_H
#define AIRCC_SIMULATOR_API_SIMULATOR_H

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aircc::simulator {

/// Success, or in one line what is wrong.
class [[nodiscard]] Status {
public:
  static Status success() { return Status(); }
  static Status failure(std::string message) {
    Status status;
    status.failed = true;
    status.text = std::move(message);
    return status;
  }
  bool ok() const { return !failed; }
  const std::string &message() const { return text; }

private:
  bool failed = false;
  std::string text;
};

/// Three sizes, x first.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// One argument that the caller of a kernel passes; what the compiler adds
/// (hidden arguments) the simulator fills in.
struct Argument {
  std::string name;     ///< Empty where the compiler did not write it down.
  std::string typeName; ///< In the source language; mostly empty.
  /// As in the metadata of the code object (LLVM's AMDGPUUsage, "Code Object
  /// Metadata"): "by_value", "global_buffer", "dynamic_shared_pointer", …
  /// Arguments of SPIR-V kernels are one of these three.
  std::string valueKind;
  uint32_t size = 0;   ///< Bytes.
  uint32_t offset = 0; ///< Bytes, in the kernarg segment; not of SPIR-V.

  /// An address of global memory, 8 bytes.
  bool isPointer() const { return valueKind == "global_buffer"; }
};

/// What the metadata and the descriptor say of a kernel, or a SPIR-V module.
/// Sizes in bytes. A wave of SPIR-V is a subgroup, LDS its shared local memory,
/// scratch its private memory.
struct Kernel {
  std::string name;
  std::vector<Argument> arguments; ///< In order, without the hidden ones.
  uint32_t waveSize = 64;
  uint32_t vgprs = 0, agprs = 0;
  uint32_t ldsBytes = 0;         ///< Of a workgroup, without the dynamic part.
  uint32_t scratchBytes = 0;     ///< Of a lane.
  uint32_t maxWorkgroupSize = 0; ///< Lanes.
  uint32_t kernargBytes = 0;     ///< Of the kernarg segment; 0 for SPIR-V.
  /// Of the workgroup that it was compiled for; zeros: any.
  Dim3 requiredBlock = {0, 0, 0};
};

/// A loaded code object or SPIR-V module. To be destroyed before the Simulator,
/// after the launches that use it have returned.
class Code {
public:
  virtual ~Code() = default;
  /// The processor it is for: "gfx942". SPIR-V has the name that its bundle
  /// gives it ("bmg"), or "spirv".
  virtual const std::string &processor() const = 0;
  virtual bool isSpirv() const = 0;
  /// Sorted by name.
  virtual const std::vector<Kernel> &kernels() const = 0;
};

struct Launch {
  std::string kernel;
  Dim3 grid;                    ///< In workgroups.
  Dim3 block;                   ///< Of a workgroup, in lanes.
  uint32_t dynamicLdsBytes = 0; ///< Beside what the kernel declares.
  /// One pointer to the bytes of each argument of Kernel::arguments: for a
  /// buffer to a variable that holds its address. Each has the size that the
  /// metadata says.
  std::vector<const void *> arguments;
  /// The kernarg segment in place of `arguments`, when it is not empty; hidden
  /// arguments are written over it. Not for SPIR-V.
  std::vector<uint8_t> kernarg;
};

/// What a launch did.
struct LaunchReport {
  /// Once a wave; of SPIR-V they are not counted.
  uint64_t instructions = 0;
  double seconds = 0;    ///< Of the host.
  bool timedOut = false; ///< It failed because of setTimeLimit.
  /// The kernel ran to its end. If the launch failed all the same, the checker
  /// found something.
  bool completed = false;
  /// What is no failure but should be known, a line each.
  std::vector<std::string> warnings;
};

/// How the waves of a workgroup take turns.
enum class Schedule {
  /// In an order that the seed decides, many instructions in a turn; loads that
  /// go straight to LDS land as late as the waits allow.
  Adversarial,
  /// One instruction of each wave after the other; such loads land at once.
  InStep,
};

/// Which instructions of a file the simulator has.
struct Coverage {
  struct Gap {
    std::string what;   ///< "image_load", "OpImageRead".
    std::string reason; ///< Or empty.
    std::string first;  ///< Where it is first.
    uint64_t count = 0;
  };
  std::string processor;
  uint64_t instructions = 0; ///< All.
  uint64_t simulated = 0;
  /// Words in code that are no instructions and that no branch leads to.
  uint64_t dataWords = 0;
  std::vector<Gap> gaps; ///< Sorted by `what`.
};

class Simulator {
public:
  virtual ~Simulator() = default;

  /// How launches are run. Threads: 0 means one a core. The seed decides the
  /// order in which waves get their turns; results of a kernel without races do
  /// not depend on either. Both begin as AIRCC_SIM_THREADS and AIRCC_SIM_SEED
  /// say.
  virtual void setThreads(unsigned threads) = 0;
  virtual void setSeed(uint64_t seed) = 0;

  /// Fresh device memory, aligned to 256 bytes, with guards at both ends. Up to
  /// 16 MiB start filled with bytes 0xff, a NaN in every floating-point format.
  virtual Status allocate(size_t bytes, void *&memory) = 0;
  virtual Status release(void *memory) = 0;

  /// The processors that `image` has code for, in its own order.
  virtual Status processors(const void *image, size_t bytes,
                            std::vector<std::string> &names) = 0;

  /// Loads the code for `processor` from an image: a linked AMDGPU ELF file
  /// (code object version 4, 5 or 6), a SPIR-V module, a clang offload bundle,
  /// compressed or not, or a program or object of the host with such things in
  /// it. An empty
  /// `processor` will do where there is code for one only. The image is not
  /// used after the call.
  virtual Status load(const void *image, size_t bytes,
                      const std::string &processor,
                      std::unique_ptr<Code> &code) = 0;

  /// Runs a kernel to its end. What the kernel did wrong (an access outside of
  /// any buffer, an instruction that is not simulated, …) is a failure, with
  /// the workgroup, wave and instruction in its message.
  virtual Status launch(Code &code, const Launch &launch,
                        LaunchReport *report = nullptr) = 0;

  /// Begins as AIRCC_SIM_SCHEDULE says.
  virtual void setSchedule(Schedule schedule) = 0;
  /// A launch that runs for longer fails; 0: no limit.
  virtual void setTimeLimit(double seconds) = 0;
  /// A launch whose waves execute more instructions fails, with the loop that
  /// it is in; 0: no limit.
  virtual void setMaxInstructions(uint64_t count) = 0;
  /// Memory that is allocated from now on has so many bytes behind its end that
  /// may be read, which is a warning. Begins as AIRCC_SIM_SLACK says.
  virtual void setSlack(size_t bytes) = 0;
  /// Whether surfaces of 2-D blocks that are narrower than 64 bytes are a
  /// warning instead of a failure. Begins as AIRCC_SIM_SURFACES says.
  virtual void setLenientSurfaces(bool lenient) = 0;

  /// Looks at all code for `processor` in an image, as load().
  virtual Status findCoverage(const void *image, size_t bytes,
                              const std::string &processor,
                              Coverage &coverage) = 0;
};

/// Raised when one of the classes above changes.
constexpr int simulatorAbiVersion = 3;

/// The functions of the library.
using SimulatorAbiFn = int (*)();
using CreateSimulatorFn = Simulator *(*)(const char **error);
#define AIRCC_SIMULATOR_ABI "airccSimulatorAbiVersion"
#define AIRCC_SIMULATOR_ENTRY "airccCreateSimulator"

/// Loads the library and makes a simulator, which lives until the process ends
/// unless it is deleted. `path` is for dlopen: a name without a slash is
/// searched as the dynamic linker searches.
inline Status openSimulator(const std::string &path, Simulator *&simulator) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return Status::failure(reason ? reason : "cannot load " + path);
  }
  auto version =
      reinterpret_cast<SimulatorAbiFn>(dlsym(library, AIRCC_SIMULATOR_ABI));
  auto create = reinterpret_cast<CreateSimulatorFn>(
      dlsym(library, AIRCC_SIMULATOR_ENTRY));
  if (!version || !create)
    return Status::failure(path + " is no simulator: it has no function " +
                           AIRCC_SIMULATOR_ENTRY);
  if (version() != simulatorAbiVersion)
    return Status::failure(path + " has version " + std::to_string(version()) +
                           " of the simulator's interface, and this program "
                           "wants version " +
                           std::to_string(simulatorAbiVersion));
  const char *error = nullptr;
  simulator = create(&error);
  return simulator ? Status::success()
                   : Status::failure(error ? error
                                           : "the simulator does not "
                                             "start");
}

} // namespace aircc::simulator

#endif // AIRCC_SIMULATOR_API_SIMULATOR_H
