//===- MpiJob.cpp - Processes of mpirun for ranks that aircc starts -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/MpiJob.h"

#include "driver/diagnostics/Failure.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace aircc;
using namespace llvm;
using Clock = std::chrono::steady_clock;

/// The maximum time that mpirun may take to start its agents, and to exit after
/// they have exited.
static constexpr std::chrono::seconds kLongestStart(60), kLongestEnd(3);

static Error systemError(const Twine &what) {
  return fail(ExitCode::Environment, what + ": " + std::strerror(errno));
}

/// Creates the address of an abstract socket, which has no file.
static socklen_t makeAddress(StringRef name, sockaddr_un &address) {
  std::memset(&address, 0, sizeof(address));
  address.sun_family = AF_UNIX;
  name = name.take_front(sizeof(address.sun_path) - 1);
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                name.size());
}

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

int aircc::runMpiAgent(StringRef name) {
  // Exit with mpirun, even if it is killed.
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    return 1;
  sockaddr_un address;
  const socklen_t length = makeAddress(name, address);
  int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0 ||
      ::connect(socket, reinterpret_cast<sockaddr *>(&address), length))
    return 1;
  std::string text;
  for (char **entry = environ; *entry; ++entry)
    text.append(*entry).push_back('\0');
  for (size_t done = 0; done < text.size();) {
    ssize_t count =
        ::send(socket, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR)
      return 1;
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
  ::shutdown(socket, SHUT_WR);
  // The other end is closed after the rank has exited.
  char byte;
  while (::read(socket, &byte, 1) < 0 && errno == EINTR) {
  }
  return 0;
}

Error MpiJob::receiveEnvironment(int agent) {
  std::string text;
  char part[16384];
  for (;;) {
    ssize_t count = ::read(agent, part, sizeof(part));
    if (count > 0)
      text.append(part, count);
    else if (count == 0 || errno != EINTR)
      break;
  }
  SmallVector<StringRef> entries;
  StringRef(text).split(entries, '\0', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  unsigned rank = environments.size();
  for (StringRef entry : entries)
    if (entry.consume_front("OMPI_COMM_WORLD_RANK=") &&
        entry.getAsInteger(10, rank))
      rank = environments.size();
  if (rank >= environments.size()) {
    ::close(agent);
    return fail(ExitCode::Environment,
                "the first mpirun on PATH is not Open MPI's",
                {"--nodes simulates nodes with Open MPI (openmpi-bin)"});
  }
  agents[rank] = agent;
  environments[rank].assign(entries.begin(), entries.end());
  return Error::success();
}

Error MpiJob::awaitAgents(int listener, unsigned ranks) {
  const Clock::time_point end = Clock::now() + kLongestStart;
  for (unsigned count = 0; count < ranks;) {
    if (hasEnded() || Clock::now() > end)
      return fail(ExitCode::Environment,
                  "mpirun did not start the ranks: " + readOutput());
    pollfd wait = {listener, POLLIN, 0};
    if (::poll(&wait, 1, /*timeout=*/20) <= 0)
      continue;
    int agent = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (agent < 0)
      continue;
    ucred peer = {};
    socklen_t length = sizeof(peer);
    if (::getsockopt(agent, SOL_SOCKET, SO_PEERCRED, &peer, &length) ||
        peer.uid != ::getuid()) {
      ::close(agent);
      continue;
    }
    if (Error error = receiveEnvironment(agent))
      return error;
    ++count;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// mpirun
//===----------------------------------------------------------------------===//

Error MpiJob::startGuard() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC))
    return systemError("cannot create a pipe");
  const std::string path = folder->getPath().str();
  guard = ::fork();
  if (guard < 0)
    return systemError("cannot start a process");
  if (guard == 0) {
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
      ::signal(signal, SIG_IGN);
    const int from = ::dup2(ends[0], 3);
    ::close_range(4, ~0u, 0);
    const int null = ::open("/dev/null", O_RDWR);
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::dup2(null, fd);
    char byte;
    while (::read(from, &byte, 1) < 0 && errno == EINTR) {
    }
    // Processes of mpirun that are exiting may still write files.
    for (int tries = 0; tries < 100 && sys::fs::exists(path); ++tries) {
      removeFolder(path);
      ::usleep(20000);
    }
    ::_exit(0);
  }
  ::close(ends[0]);
  guardPipe = ends[1];
  return Error::success();
}

Error MpiJob::startMpirun(unsigned ranks, const std::string &address) {
  ErrorOr<std::string> program = sys::findProgramByName("mpirun.openmpi");
  if (!program)
    program = sys::findProgramByName("mpirun");
  if (!program)
    return fail(ExitCode::Environment, "cannot find mpirun",
                {"--nodes simulates nodes with Open MPI (openmpi-bin)"});
  std::string self = sys::fs::getMainExecutable(nullptr, nullptr);
  std::vector<std::string> arguments = {
      *program, "--oversubscribe",     "--bind-to", "none",
      "-n",     std::to_string(ranks), self,        mpiAgentCommand.str(),
      address};
  // This directory is for files of Open MPI 4 and 5. Jobs that share a
  // directory interfere with each other when they start at the same time.
  // Simulated nodes do not share memory and may have no network.
  std::vector<std::string> set = {
      "OMPI_MCA_orte_tmpdir_base=" + folder->getPath().str(),
      "PRTE_MCA_prte_tmpdir_base=" + folder->getPath().str(),
      "OMPI_MCA_pml=ob1", "OMPI_MCA_btl=self,tcp",
      // The agents do nothing that root should not do.
      "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
  for (char **entry = environ; *entry; ++entry)
    set.push_back(*entry);
  std::vector<char *> argv, envp;
  for (std::string &text : arguments)
    argv.push_back(text.data());
  for (std::string &text : set)
    envp.push_back(text.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);

  int ends[2];
  if (::pipe2(ends, O_CLOEXEC))
    return systemError("cannot create a pipe");
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t parent = ::getpid();
  mpirun = ::fork();
  if (mpirun < 0)
    return systemError("cannot start mpirun");
  if (mpirun == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
      ::_exit(127);
    // Signals from the terminal are meant for the ranks.
    ::setpgid(0, 0);
    ::dup2(null, STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  ::close(null);
  ::close(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  output = ends[0];
  return Error::success();
}

Expected<std::unique_ptr<MpiJob>> MpiJob::start(unsigned ranks) {
  std::unique_ptr<MpiJob> job(new MpiJob);
  job->agents.assign(ranks, -1);
  job->environments.resize(ranks);
  job->folder = PrivateFolder::create(getTemporaryFolder(), "aircc-mpi-");
  if (!job->folder)
    return systemError("cannot create a temporary directory");
  if (Error error = job->startGuard())
    return error;

  const std::string name =
      "aircc-mpi-" + std::to_string(::getpid()) + "-" +
      std::to_string(Clock::now().time_since_epoch().count());
  sockaddr_un address;
  const socklen_t length = makeAddress(name, address);
  int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0)
    return systemError("cannot create a socket");
  auto startRanks = [&]() -> Error {
    if (::bind(listener, reinterpret_cast<sockaddr *>(&address), length) ||
        ::listen(listener, static_cast<int>(ranks)))
      return systemError("cannot listen on a socket");
    if (Error error = job->startMpirun(ranks, name))
      return error;
    return job->awaitAgents(listener, ranks);
  };
  Error error = startRanks();
  ::close(listener);
  if (error)
    return error;
  return job;
}

bool MpiJob::hasEnded() {
  if (mpirun > 0 && ::waitpid(mpirun, nullptr, WNOHANG) == mpirun)
    mpirun = -1;
  return mpirun < 0;
}

std::string MpiJob::readOutput() {
  std::string text;
  char part[4096];
  for (ssize_t count; (count = ::read(output, part, sizeof(part))) > 0;)
    text.append(part, count);
  return StringRef(text).trim().str();
}

MpiJob::~MpiJob() {
  for (int agent : agents)
    if (agent >= 0)
      ::close(agent);
  const Clock::time_point end = Clock::now() + kLongestEnd;
  while (!hasEnded() && Clock::now() < end) {
    (void)readOutput();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (!hasEnded()) {
    ::kill(mpirun, SIGKILL);
    ::waitpid(mpirun, nullptr, 0);
  }
  if (output >= 0)
    ::close(output);
  folder.reset();
  if (guardPipe >= 0)
    ::close(guardPipe);
  if (guard > 0)
    ::waitpid(guard, nullptr, 0);
}
