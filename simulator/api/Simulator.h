//===- Simulator.h - Running code objects, for other programs ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The public interface of the simulator of AMD and Intel GPUs
// (libaircc_sim.so): load a code object or a SPIR-V module from any compiler,
// list its kernels, execute one of them, and read its results. This header
// requires only the standard library and dlopen. It is installed as
// aircc/simulator.h. docs/simulator.md describes what is simulated, and
// samples/simulator/ has a program that uses this interface.
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
// Device memory is host memory at the same address; read and write it with
// memcpy. Kernels can access only memory that was allocated with allocate().
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

/// Success, or a failure with a one-line message.
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

/// An argument that the caller of a kernel passes. The simulator fills in the
/// hidden arguments that the compiler adds.
struct Argument {
  std::string name;     ///< Empty if the code does not contain it.
  std::string typeName; ///< The type in the source language. Often empty.
  /// The kind as in the metadata of the code object (LLVM's AMDGPUUsage, "Code
  /// Object Metadata"): "by_value", "global_buffer", "dynamic_shared_pointer",
  /// … Arguments of SPIR-V kernels have one of these three kinds.
  std::string valueKind;
  uint32_t size = 0;   ///< In bytes.
  uint32_t offset = 0; ///< In bytes, in the kernarg segment. 0 for SPIR-V.

  /// Returns whether the argument is an 8-byte address of global memory.
  bool isPointer() const { return valueKind == "global_buffer"; }
};

/// The properties of a kernel, from the metadata and descriptor of a code
/// object or from a SPIR-V module. Sizes are in bytes. For SPIR-V, a wave is a
/// subgroup, LDS is shared local memory and scratch is private memory.
struct Kernel {
  std::string name;
  std::vector<Argument> arguments; ///< In order, without the hidden ones.
  uint32_t waveSize = 64;
  uint32_t vgprs = 0, agprs = 0;
  uint32_t ldsBytes = 0;         ///< Per workgroup, without the dynamic part.
  uint32_t scratchBytes = 0;     ///< Per lane.
  uint32_t maxWorkgroupSize = 0; ///< In lanes.
  uint32_t kernargBytes = 0;     ///< The size of the kernarg segment. 0 for
                                 ///< SPIR-V.
  /// The workgroup size for which the kernel was compiled, or zeros for any
  /// size.
  Dim3 requiredBlock = {0, 0, 0};
};

/// A loaded code object or SPIR-V module. It must be destroyed before the
/// Simulator, and after the launches that use it have returned.
class Code {
public:
  virtual ~Code() = default;
  /// Returns the processor, such as "gfx942". SPIR-V has the name in its bundle
  /// ("bmg"), or "spirv".
  virtual const std::string &processor() const = 0;
  virtual bool isSpirv() const = 0;
  /// Returns the kernels, sorted by name.
  virtual const std::vector<Kernel> &kernels() const = 0;
};

struct Launch {
  std::string kernel;
  Dim3 grid;                    ///< In workgroups.
  Dim3 block;                   ///< In lanes.
  uint32_t dynamicLdsBytes = 0; ///< In addition to the kernel's static LDS.
  /// For each of Kernel::arguments, a pointer to a value of Argument::size
  /// bytes. The value of a buffer is its address.
  std::vector<const void *> arguments;
  /// If not empty, the kernarg segment, which replaces `arguments`. Hidden
  /// arguments in it are overwritten. Not for SPIR-V.
  std::vector<uint8_t> kernarg;
};

/// The outcome of a launch.
struct LaunchReport {
  /// The number of instructions that waves executed. Not counted for SPIR-V.
  uint64_t instructions = 0;
  double seconds = 0;    ///< The execution time on the host.
  bool timedOut = false; ///< Whether the limit of setTimeLimit was reached.
  /// Whether all waves have ended. If the launch failed nevertheless, the
  /// checker reported a fault.
  bool completed = false;
  /// The warnings, one line each.
  std::vector<std::string> warnings;
};

/// The order in which the waves of a workgroup execute.
enum class Schedule {
  /// Long time slices in an order that the seed determines. Loads directly to
  /// LDS complete as late as the waits allow.
  Adversarial,
  /// One instruction of each wave in turn. Loads directly to LDS complete
  /// immediately.
  InStep,
};

/// The instructions of a file that can be simulated.
struct Coverage {
  struct Gap {
    std::string what;   ///< The instruction, such as "image_load" or
                        ///< "OpImageRead".
    std::string reason; ///< Why it cannot be simulated. May be empty.
    std::string first;  ///< The position of the first occurrence.
    uint64_t count = 0;
  };
  std::string processor;
  uint64_t instructions = 0; ///< The number of all instructions.
  uint64_t simulated = 0;    ///< The number of those that can be simulated.
  /// The number of words in code that are neither valid instructions nor
  /// reachable.
  uint64_t dataWords = 0;
  std::vector<Gap> gaps; ///< Sorted by `what`.
};

class Simulator {
public:
  virtual ~Simulator() = default;

  /// Set the number of threads for launches (0 is one per core), and the seed
  /// that determines the order of waves. Results of kernels without races
  /// depend on neither. The defaults are AIRCC_SIM_THREADS and AIRCC_SIM_SEED.
  virtual void setThreads(unsigned threads) = 0;
  virtual void setSeed(uint64_t seed) = 0;

  /// Allocates device memory, aligned to 256 bytes, with guards at both ends.
  /// Allocations of up to 16 MiB are filled with 0xff bytes, a NaN in all
  /// floating-point formats.
  virtual Status allocate(size_t bytes, void *&memory) = 0;
  virtual Status release(void *memory) = 0;

  /// Lists the processors for which `image` has code, in the order of the
  /// image.
  virtual Status processors(const void *image, size_t bytes,
                            std::vector<std::string> &names) = 0;

  /// Loads the code for `processor` from an image: a linked AMDGPU ELF file
  /// (code object version 4, 5 or 6), a SPIR-V module, a clang offload bundle
  /// (compressed or not), or a host program or object file that contains these.
  /// `processor` may be empty if there is code for only one. The image is not
  /// used after the call.
  virtual Status load(const void *image, size_t bytes,
                      const std::string &processor,
                      std::unique_ptr<Code> &code) = 0;

  /// Executes a kernel. Faults of the kernel (an access outside all buffers, an
  /// instruction that is not simulated, …) are failures whose messages contain
  /// the workgroup, wave and instruction.
  virtual Status launch(Code &code, const Launch &launch,
                        LaunchReport *report = nullptr) = 0;

  /// Sets the order of waves. The default is AIRCC_SIM_SCHEDULE.
  virtual void setSchedule(Schedule schedule) = 0;
  /// Makes launches that take longer fail. 0 means no limit.
  virtual void setTimeLimit(double seconds) = 0;
  /// Makes launches whose waves execute more instructions fail. The message
  /// names the loop that they are executing. 0 means no limit.
  virtual void setMaxInstructions(uint64_t count) = 0;
  /// For memory that is allocated from now on, turns reads of up to `bytes`
  /// bytes after its end into warnings rather than failures. The default is
  /// AIRCC_SIM_SLACK.
  virtual void setSlack(size_t bytes) = 0;
  /// Sets whether surfaces of 2-D blocks that are narrower than 64 bytes are a
  /// warning rather than a failure. The default is AIRCC_SIM_SURFACES.
  virtual void setLenientSurfaces(bool lenient) = 0;

  /// Determines which instructions in an image can be simulated. `image` and
  /// `processor` are as in load().
  virtual Status findCoverage(const void *image, size_t bytes,
                              const std::string &processor,
                              Coverage &coverage) = 0;
};

/// Incremented when one of the classes above changes.
constexpr int simulatorAbiVersion = 3;

/// The functions that the library exports.
using SimulatorAbiFn = int (*)();
using CreateSimulatorFn = Simulator *(*)(const char **error);
#define AIRCC_SIMULATOR_ABI "airccSimulatorAbiVersion"
#define AIRCC_SIMULATOR_ENTRY "airccCreateSimulator"

/// Loads the library and creates a simulator, which exists until it is deleted
/// or the process exits. `path` is passed to dlopen, which means that the
/// dynamic linker searches for a name without a slash.
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
    return Status::failure(path + " is not a simulator: it has no function " +
                           AIRCC_SIMULATOR_ENTRY);
  if (version() != simulatorAbiVersion)
    return Status::failure(path + " has version " + std::to_string(version()) +
                           " of the simulator's interface, but this program "
                           "requires version " +
                           std::to_string(simulatorAbiVersion));
  const char *error = nullptr;
  simulator = create(&error);
  return simulator ? Status::success()
                   : Status::failure(error ? error
                                           : "the simulator cannot be "
                                             "created");
}

} // namespace aircc::simulator

#endif // AIRCC_SIMULATOR_API_SIMULATOR_H
