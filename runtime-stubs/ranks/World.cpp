//===- World.cpp - The rank and job of this process -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/World.h"

#include <cerrno>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

using namespace aircc::rt;

namespace {

/// The environment variables of a launcher. All except the rank may be null.
struct Launcher {
  const char *rank;
  const char *size;
  const char *betterSize; ///< Overrides `size` if set.
  const char *localRank;
  const char *localSize;
  const char *nodes;
};
constexpr Launcher launchers[] = {
    // aircc run, torchrun, scripts
    {"RANK", "WORLD_SIZE", nullptr, "LOCAL_RANK", "LOCAL_WORLD_SIZE", nullptr},
    // Open MPI
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr,
     "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", nullptr},
    // MPICH and its derivatives
    {"PMI_RANK", "PMI_SIZE", nullptr, "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
     nullptr},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID",
     nullptr, "SLURM_STEP_NUM_NODES"},
};

/// Returns the value of a variable, or null if it is unset or empty.
const char *get(const char *name) {
  const char *text = name ? std::getenv(name) : nullptr;
  return text && *text ? text : nullptr;
}

/// Parses the nonnegative number in the environment variable `name`.
Status readNumber(const char *name, int32_t &number) {
  const char *text = std::getenv(name);
  if (!text)
    return Status::failure(std::string(name) + " is not set");
  char *end = nullptr;
  errno = 0;
  long value = std::strtol(text, &end, 10);
  if (end == text || *end || errno || value < 0 || value > INT32_MAX)
    return Status::failure(std::string(name) + "=" + text + " is not a number");
  number = static_cast<int32_t>(value);
  return Status::success();
}

std::string assignment(const char *name) {
  return std::string(name) + "=" + std::getenv(name);
}

Status checkBelow(const char *small, int32_t smallValue, const char *large,
                  int32_t largeValue) {
  if (smallValue < largeValue)
    return Status::success();
  return Status::failure(assignment(small) + " is not below " +
                         assignment(large));
}

/// Records that the ranks are on several nodes. They can then only communicate
/// by Open MPI.
Status setSeveralNodes(World &world, const std::string &why) {
  world.severalNodes = why;
  if (get("OMPI_COMM_WORLD_SIZE") || get("PMIX_RANK"))
    return Status::success();
  std::string launcher;
  if (get("I_MPI_HYDRA_BOOTSTRAP") || get("I_MPI_ROOT"))
    launcher = "Intel MPI";
  else if (get("MV2_COMM_WORLD_RANK"))
    launcher = "MVAPICH";
  else if (get("PMI_RANK"))
    launcher = "MPICH or a derivative of it";
  return Status::failure(
      "the ranks are on several nodes (" + why +
      "), which communicate by Open MPI, " +
      (launcher.empty()
           ? "but no MPI launcher has started them"
           : "but " + launcher +
                 " has started them, which has a different binary interface") +
      "; start them with Open MPI's mpirun, or with srun --mpi=pmix");
}

Status readFrom(const Launcher &launcher, World &world) {
  const char *sizeName =
      get(launcher.betterSize) ? launcher.betterSize : launcher.size;
  if (Status s = readNumber(launcher.rank, world.rank); !s.ok())
    return s;
  if (Status s = readNumber(sizeName, world.size); !s.ok())
    return s;
  if (Status s = checkBelow(launcher.rank, world.rank, sizeName, world.size);
      !s.ok())
    return s;
  world.rankVariable = launcher.rank;

  if (get(launcher.localRank)) {
    int32_t local = 0;
    if (Status s = readNumber(launcher.localRank, local); !s.ok())
      return s;
    if (Status s = checkBelow(launcher.localRank, local, sizeName, world.size);
        !s.ok())
      return s;
    world.localRank = local;
  }
  if (get(launcher.localSize)) {
    int32_t local = 0;
    if (Status s = readNumber(launcher.localSize, local); !s.ok())
      return s;
    if (world.localRank)
      if (Status s = checkBelow(launcher.localRank, *world.localRank,
                                launcher.localSize, local);
          !s.ok())
        return s;
    if (local > world.size)
      return Status::failure(assignment(launcher.localSize) + " is more than " +
                             assignment(sizeName));
    if (local < world.size)
      return setSeveralNodes(world, assignment(launcher.localSize) + " and " +
                                        assignment(sizeName));
  }
  if (get(launcher.nodes)) {
    int32_t nodes = 0;
    if (Status s = readNumber(launcher.nodes, nodes); !s.ok())
      return s;
    if (nodes > 1)
      return setSeveralNodes(world, assignment(launcher.nodes));
  }
  // This is a test that simulates nodes.
  if (get("AIRCC_NODE") && world.size > 1)
    return setSeveralNodes(world, assignment("AIRCC_NODE"));
  return Status::success();
}

//===----------------------------------------------------------------------===//
// The process that started the ranks
//===----------------------------------------------------------------------===//

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

struct Process {
  long parent = 0;
  std::string startTime;  ///< The time since boot, which identifies a process
                          ///< together with its id.
  std::string startStack; ///< The start of its stack, which is the same in a
                          ///< fork.
};

bool readProcess(long pid, Process &process) {
  std::string stat = readFile("/proc/" + std::to_string(pid) + "/stat");
  // The second field is the name in parentheses, which may contain any
  // character.
  size_t paren = stat.rfind(')');
  if (paren == std::string::npos)
    return false;
  std::vector<std::string> fields = {"", ""};
  std::string word;
  for (char c : stat.substr(paren + 1)) {
    if (c != ' ' && c != '\n') {
      word += c;
    } else if (!word.empty()) {
      fields.push_back(word);
      word.clear();
    }
  }
  // proc(5): ppid is field 4, starttime 22, startstack 28.
  if (fields.size() < 28)
    return false;
  const std::string &parent = fields[3];
  if (std::from_chars(parent.data(), parent.data() + parent.size(),
                      process.parent)
          .ec != std::errc())
    return false;
  process.startTime = fields[21];
  process.startStack = fields[27];
  return true;
}

/// Returns whether `child` is a fork of `parent` that runs the same program,
/// such as a subshell.
bool isFork(long child, const Process &childInfo, long parent,
            const Process &parentInfo) {
  auto file = [](long pid, const char *name) {
    return "/proc/" + std::to_string(pid) + "/" + name;
  };
  auto program = [&](long pid) {
    char text[4096];
    ssize_t length = readlink(file(pid, "exe").c_str(), text, sizeof(text) - 1);
    return length > 0 ? std::string(text, length) : std::string();
  };
  std::string arguments = readFile(file(child, "cmdline"));
  return childInfo.startStack == parentInfo.startStack && !arguments.empty() &&
         arguments == readFile(file(parent, "cmdline")) &&
         program(child) == program(parent);
}

/// Returns whether the process was started as part of this rank, as is the
/// shell of `RANK=1 sh -c 'program | tee log'`.
bool wrapsRank(long pid, const World &world) {
  std::string variables =
      '\0' + readFile("/proc/" + std::to_string(pid) + "/environ");
  for (const Launcher &launcher : launchers) {
    if (launcher.rank != std::string_view(world.rankVariable))
      continue;
    std::string wanted = std::string(1, '\0') + launcher.rank + "=" +
                         std::to_string(world.rank) + '\0';
    return variables.find(wanted) != std::string::npos;
  }
  return false;
}

std::string startingProcess(const World &world) {
  long pid = getppid();
  Process process;
  if (pid <= 0 || !readProcess(pid, process))
    return "process " + std::to_string(pid);
  while (process.parent > 0) {
    Process parent;
    if (!readProcess(process.parent, parent))
      break;
    if (!isFork(pid, process, process.parent, parent) && !wrapsRank(pid, world))
      break;
    pid = process.parent;
    process = parent;
  }
  return "process " + std::to_string(pid) + " of " + process.startTime;
}

/// Returns the launcher's name for the job, or "".
std::string launcherJob(std::string_view rankVariable) {
  auto together = [](std::initializer_list<const char *> names) {
    std::string text;
    for (const char *name : names)
      if (const char *value = get(name))
        text += std::string(name) + "=" + value + " ";
    return text;
  };
  if (rankVariable == "RANK")
    return get("MASTER_PORT") || get("TORCHELASTIC_RUN_ID")
               ? together({"TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT",
                           "MASTER_ADDR", "MASTER_PORT"})
               : "";
  if (rankVariable == "OMPI_COMM_WORLD_RANK")
    return get("PMIX_NAMESPACE") ? together({"PMIX_NAMESPACE"})
                                 : together({"OMPI_MCA_ess_base_jobid"});
  if (rankVariable == "SLURM_PROCID" && get("SLURM_STEP_ID"))
    return together({"SLURM_JOB_ID", "SLURM_STEP_ID"});
  return "";
}

} // namespace

Status aircc::rt::readWorld(World &world) {
  world = World();
  for (const Launcher &launcher : launchers) {
    // Slurm also sets the size in shells that are not ranks, so its rank
    // variable decides. WORLD_SIZE is set only for programs.
    bool plain = &launcher == &launchers[0];
    if (std::getenv(launcher.rank) || (plain && std::getenv(launcher.size)))
      return readFrom(launcher, world);
  }
  return Status::success();
}

std::string aircc::rt::jobIdentity(const World &world) {
  for (const char *name : {"AIRCC_JOB", "AIRGPU_JOB_ID"})
    if (const char *job = get(name))
      return std::string(name) + "=" + job;
  if (!world.rankVariable)
    return "process " + std::to_string(getpid());
  if (std::string job = launcherJob(world.rankVariable); !job.empty())
    return job;
  // A wrapper may have set RANK and WORLD_SIZE from the variables of another
  // launcher, which then identifies the job.
  for (const Launcher &launcher : launchers) {
    World other;
    if (launcher.rank == world.rankVariable || !get(launcher.rank) ||
        !readFrom(launcher, other).ok() || other.rank != world.rank ||
        other.size != world.size)
      continue;
    if (std::string job = launcherJob(launcher.rank); !job.empty())
      return job;
  }
  return startingProcess(world);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

Status aircc::rt::readWaitLimit(WaitLimit &limit) {
  constexpr double defaultSeconds = 300;
  double seconds = defaultSeconds;
  if (const char *text = get("AIRCC_WAIT_LIMIT")) {
    char *end = nullptr;
    seconds = std::strtod(text, &end);
    if (end == text || *end || !(seconds >= 0) || seconds > 1e9)
      return Status::failure(std::string("AIRCC_WAIT_LIMIT=") + text +
                             " is not a number of seconds (0: no limit)");
  }
  limit.limit.reset();
  if (seconds > 0)
    limit.limit = std::chrono::milliseconds(
        std::max<int64_t>(1, std::llround(seconds * 1000)));
  return Status::success();
}

std::array<uint64_t, 2> aircc::rt::hashText(const std::string &text) {
  std::array<uint64_t, 2> hash = {0xcbf29ce484222325, 0x84222325cbf29ce4};
  for (unsigned char c : text)
    for (uint64_t &h : hash)
      h = (h ^ c) * 0x100000001b3;
  return hash;
}

std::string WaitLimit::text() const {
  if (!limit)
    return "for ever";
  char text[40];
  std::snprintf(text, sizeof(text), "%g s", double(limit->count()) / 1000);
  return text;
}
