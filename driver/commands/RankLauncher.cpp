//===- RankLauncher.cpp - `aircc run -n`: processes as ranks --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/RankLauncher.h"
#include "driver/commands/MpiJob.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace aircc;
using namespace llvm;
using Clock = std::chrono::steady_clock;

namespace {

/// After a rank has failed, the time that the other ranks have to exit on their
/// own, and the time they have after a request to terminate.
constexpr std::chrono::seconds kGrace(3), kLastGrace(1);
/// How long output is read after all ranks have exited, because processes that
/// they started may still write.
constexpr std::chrono::milliseconds kLastOutput(200);
/// Longer lines are printed in pieces.
constexpr size_t kLongestLine = size_t(1) << 20;

/// Signals that are forwarded to the ranks.
constexpr int kPassedOn[] = {SIGINT,  SIGTERM, SIGHUP,
                             SIGQUIT, SIGUSR1, SIGUSR2};
/// Returns whether a forwarded signal requests termination.
bool asksForEnd(int signal) { return signal != SIGUSR1 && signal != SIGUSR2; }

/// Standard output or standard error of a rank.
struct Output {
  int from = -1, to = -1;
  std::string line; ///< The incomplete line read so far.
};

struct Rank {
  pid_t pid = -1;
  bool running = false;
  bool endedByUs = false; ///< Whether the launcher sent a terminating signal.
  int status = 0;
  Output outputs[2];
};

class Launcher {
public:
  Launcher(const RankCommand &command, Diagnostics &diagnostics)
      : command(command), diagnostics(diagnostics), ranks(command.ranks) {}

  int run();

private:
  bool start();
  bool startRank(unsigned number, const sigset_t &signals);
  std::vector<std::string> makeEnvironment(unsigned number) const;
  void loop(int signals);
  void handleSignal(const signalfd_siginfo &info);
  void reap();
  void readOutput(unsigned number, Output &output);
  void writeLines(unsigned number, Output &output, bool last);
  void write(int to, const std::string &text);
  void signalAll(int signal);
  void beginEnd(std::chrono::milliseconds grace);
  void escalate();
  /// Returns the simulated node of a rank.
  unsigned nodeOf(unsigned number) const {
    return number * command.nodes / command.ranks;
  }
  bool isRunning() const {
    return any_of(ranks, [](const Rank &rank) { return rank.running; });
  }

  const RankCommand &command;
  Diagnostics &diagnostics;
  std::vector<Rank> ranks;
  std::string job;
  std::unique_ptr<MpiJob> mpi; ///< Null for a single node.
  sigset_t before;

  /// When the ranks must exit, and how forcefully they have been asked to so
  /// far.
  std::optional<Clock::time_point> deadline;
  enum { Nobody, Asked, Killed } ended = Nobody;
  bool timedOut = false;
  bool outputClosed = false;
  bool mpiEnded = false; ///< Whether mpirun exited before the ranks.
};

/// Returns the environment of a rank.
std::vector<std::string> Launcher::makeEnvironment(unsigned number) const {
  std::vector<std::pair<std::string, std::string>> set;
  if (command.prefixed) {
    std::string size = std::to_string(command.ranks),
                rank = std::to_string(number);
    set = {{"AIRCC_JOB", job},
           {"RANK", rank},
           {"WORLD_SIZE", size},
           {"AIRCC_LINE_OUTPUT", "1"}};
    const unsigned node = nodeOf(number);
    unsigned first = number, end = number + 1;
    while (first > 0 && nodeOf(first - 1) == node)
      --first;
    while (end < command.ranks && nodeOf(end) == node)
      ++end;
    set.push_back({"LOCAL_RANK", std::to_string(number - first)});
    set.push_back({"LOCAL_WORLD_SIZE", std::to_string(end - first)});
    if (command.nodes > 1)
      set.push_back({"AIRCC_NODE", std::to_string(node)});
    // The simulated devices of all ranks share the host's cores.
    unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    if (!std::getenv("AIRCC_SIM_THREADS"))
      set.push_back({"AIRCC_SIM_THREADS",
                     std::to_string(std::max(1u, cores / command.ranks))});
    // If counters go to a file, each rank needs its own.
    StringRef counters = std::getenv("AIRCC_SIM_COUNTERS") ?: "";
    if (!counters.empty() && counters != "-")
      set.push_back({"AIRCC_SIM_COUNTERS", (counters + "." + rank).str()});
  }
  std::vector<std::string> environment;
  auto add = [&](StringRef text) {
    if (none_of(set,
                [&](auto &pair) { return text.starts_with(pair.first + "="); }))
      environment.push_back(text.str());
  };
  if (mpi)
    for (const std::string &entry : mpi->getEnvironment(number))
      add(entry);
  else
    for (char **entry = environ; *entry; ++entry)
      add(*entry);
  for (auto &[name, value] : set)
    environment.push_back(llvm::join_items("=", name, value));
  return environment;
}

bool Launcher::startRank(unsigned number, const sigset_t &signals) {
  auto pointers = [](const std::vector<std::string> &texts) {
    std::vector<char *> result;
    result.reserve(texts.size() + 1);
    for (const std::string &text : texts)
      result.push_back(const_cast<char *>(text.c_str()));
    result.push_back(nullptr);
    return result;
  };
  // Allocate before the fork, because few functions are safe after it.
  std::vector<std::string> environment = makeEnvironment(number);
  std::vector<char *> envp = pointers(environment),
                      argv = pointers(command.arguments);
  int ends[2][2], null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  for (auto &end : ends)
    if (::pipe2(end, O_CLOEXEC)) {
      diagnostics.error(Twine("cannot create a pipe: ") + std::strerror(errno));
      return false;
    }
  const pid_t self = ::getpid();
  pid_t pid = ::fork();
  if (pid < 0) {
    diagnostics.error(Twine("cannot start rank ") + Twine(number) + ": " +
                      std::strerror(errno));
    return false;
  }
  if (pid == 0) {
    // Kill the rank when this process ends, even by SIGKILL.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != self)
      ::_exit(127);
    // Only rank 0 reads standard input.
    if (number != 0)
      ::dup2(null, STDIN_FILENO);
    ::dup2(ends[0][1], STDOUT_FILENO);
    ::dup2(ends[1][1], STDERR_FILENO);
    for (int signal : {SIGPIPE, SIGXFSZ})
      ::signal(signal, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &signals, nullptr);
    ::fexecve(command.program, argv.data(), envp.data());
    const char message[] = "cannot run the compiled program\n";
    (void)!::write(STDERR_FILENO, message, sizeof(message) - 1);
    ::_exit(127);
  }
  ::close(null);
  Rank &rank = ranks[number];
  rank.pid = pid;
  rank.running = true;
  for (int i = 0; i < 2; ++i) {
    ::close(ends[i][1]);
    ::fcntl(ends[i][0], F_SETFL, O_NONBLOCK);
    rank.outputs[i].from = ends[i][0];
    rank.outputs[i].to = i == 0 ? STDOUT_FILENO : STDERR_FILENO;
  }
  return true;
}

int Launcher::run() {
  if (command.nodes > 1) {
    Expected<std::unique_ptr<MpiJob>> started = MpiJob::start(command.ranks);
    if (!started)
      return static_cast<int>(diagnostics.report(started.takeError()));
    mpi = std::move(*started);
  }
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  sigaddset(&watched, SIGPIPE);
  for (int signal : kPassedOn)
    sigaddset(&watched, signal);
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  int signals = ::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) {
    diagnostics.error(Twine("cannot watch signals: ") + std::strerror(errno));
    return static_cast<int>(ExitCode::Environment);
  }
  // The name is unique on this machine, even among recently ended jobs.
  job = "aircc-run-" + std::to_string(::getpid()) + "-" +
        std::to_string(
            std::chrono::system_clock::now().time_since_epoch().count());
  bool started = true;
  for (unsigned number = 0; started && number < command.ranks; ++number)
    started = startRank(number, before);
  if (!started)
    beginEnd(std::chrono::milliseconds(0));
  else if (command.timeout)
    deadline = Clock::now() + *command.timeout;
  loop(signals);
  mpi.reset();
  ::close(signals);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);

  if (!started)
    return static_cast<int>(ExitCode::Environment);
  if (timedOut)
    return timeoutStatus;
  int worst = 0;
  bool anyone = false;
  for (const Rank &rank : ranks)
    if (!rank.endedByUs || rank.status == 0) {
      worst = std::max(worst, rank.status);
      anyone = true;
    }
  if (anyone && worst)
    return worst;
  // If this process received a signal, the launcher terminated every failed
  // rank.
  for (const Rank &rank : ranks)
    worst = std::max(worst, rank.status);
  return mpiEnded && !worst ? static_cast<int>(ExitCode::Environment) : worst;
}

void Launcher::loop(int signals) {
  std::optional<Clock::time_point> lastOutput;
  // mpirun may have exited before its signal was blocked.
  reap();
  for (;;) {
    std::vector<pollfd> waits = {{signals, POLLIN, 0}};
    std::vector<std::pair<unsigned, Output *>> sources;
    for (unsigned number = 0; number < ranks.size(); ++number)
      for (Output &output : ranks[number].outputs)
        if (output.from >= 0) {
          waits.push_back({output.from, POLLIN, 0});
          sources.push_back({number, &output});
        }
    if (!isRunning()) {
      if (sources.empty())
        return;
      if (!lastOutput)
        lastOutput = Clock::now() + kLastOutput;
    }
    // Wait until the next deadline.
    std::optional<Clock::time_point> due = lastOutput ? lastOutput : deadline;
    int timeout = -1;
    if (due)
      timeout = static_cast<int>(std::clamp<int64_t>(
          std::chrono::ceil<std::chrono::milliseconds>(*due - Clock::now())
              .count(),
          0, 1000000));
    ::poll(waits.data(), waits.size(), timeout);
    signalfd_siginfo info;
    while (::read(signals, &info, sizeof(info)) == sizeof(info))
      handleSignal(info);
    for (size_t i = 0; i < sources.size(); ++i)
      if (waits[i + 1].revents)
        readOutput(sources[i].first, *sources[i].second);
    reap();
    if (lastOutput && Clock::now() >= *lastOutput) {
      for (auto &[number, output] : sources)
        if (output->from >= 0) {
          writeLines(number, *output, /*last=*/true);
          ::close(output->from);
          output->from = -1;
        }
      return;
    }
    if (isRunning() && deadline && Clock::now() >= *deadline)
      escalate();
  }
}

void Launcher::handleSignal(const signalfd_siginfo &info) {
  int signal = static_cast<int>(info.ssi_signo);
  if (signal == SIGCHLD || signal == SIGPIPE)
    return;
  // The terminal sends the signal to all foreground processes.
  bool everyoneHasIt = info.ssi_code == SI_KERNEL;
  for (Rank &rank : ranks) {
    if (!rank.running)
      continue;
    if (!everyoneHasIt)
      ::kill(rank.pid, signal);
    rank.endedByUs |= asksForEnd(signal);
  }
  if (asksForEnd(signal))
    beginEnd(kGrace);
}

/// Gives the ranks `grace` to exit on their own before they are terminated.
void Launcher::beginEnd(std::chrono::milliseconds grace) {
  Clock::time_point when = Clock::now() + grace;
  if (!deadline || when < *deadline)
    deadline = when;
}

void Launcher::escalate() {
  if (ended == Nobody && command.timeout && !timedOut &&
      none_of(ranks, [](const Rank &rank) {
        return rank.endedByUs || (!rank.running && rank.status);
      })) {
    timedOut = true;
    char seconds[40];
    std::snprintf(seconds, sizeof(seconds), "%g",
                  double(command.timeout->count()) / 1000);
    diagnostics.error((command.prefixed ? "the ranks have not ended within "
                                        : "the program has not ended within ") +
                      Twine(seconds) + " s (--timeout) and " +
                      (command.prefixed ? "are" : "is") + " terminated");
  }
  if (ended == Nobody) {
    ended = Asked;
    signalAll(SIGTERM);
    deadline = Clock::now() + kLastGrace;
    return;
  }
  ended = Killed;
  signalAll(SIGKILL);
  deadline.reset();
}

void Launcher::signalAll(int signal) {
  for (Rank &rank : ranks)
    if (rank.running) {
      rank.endedByUs = true;
      ::kill(rank.pid, signal);
    }
}

void Launcher::reap() {
  for (unsigned number = 0; number < ranks.size(); ++number) {
    Rank &rank = ranks[number];
    int status = 0;
    if (!rank.running || ::waitpid(rank.pid, &status, WNOHANG) != rank.pid)
      continue;
    rank.running = false;
    rank.status =
        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    // Print the output of the rank before the message about it.
    for (Output &output : rank.outputs)
      if (output.from >= 0)
        readOutput(number, output);
    if (rank.status == 0 || rank.endedByUs)
      continue;
    if (WIFSIGNALED(status))
      diagnostics.error((command.prefixed ? "rank " + std::to_string(number)
                                          : std::string("the program")) +
                        " was terminated by signal " + Twine(WTERMSIG(status)) +
                        " (" + ::strsignal(WTERMSIG(status)) + ")");
    else if (command.prefixed)
      diagnostics.error("rank " + Twine(number) + " ended with status " +
                        Twine(rank.status));
    if (ended == Nobody)
      beginEnd(kGrace);
  }
  if (mpi && !mpiEnded && isRunning() && mpi->hasEnded()) {
    mpiEnded = true;
    // mpirun also exits after a rank has failed.
    if (none_of(ranks, [](const Rank &rank) {
          return !rank.running && rank.status;
        })) {
      std::string text = mpi->readOutput();
      diagnostics.error("mpirun has ended before the ranks" +
                        Twine(text.empty() ? "" : ": ") + text);
    }
    beginEnd(kGrace);
  }
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

void Launcher::readOutput(unsigned number, Output &output) {
  char text[16384];
  for (;;) {
    ssize_t length = ::read(output.from, text, sizeof(text));
    if (length > 0) {
      output.line.append(text, length);
      writeLines(number, output, /*last=*/false);
      continue;
    }
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
      return;
    writeLines(number, output, /*last=*/true);
    ::close(output.from);
    output.from = -1;
    return;
  }
}

/// Prints the complete lines and, if `last` is set, also the rest.
void Launcher::writeLines(unsigned number, Output &output, bool last) {
  const std::string prefix =
      command.prefixed ? ("[" + Twine(number) + "] ").str() : "";
  std::string text;
  size_t begin = 0;
  for (size_t end; (end = output.line.find('\n', begin)) != std::string::npos;
       begin = end + 1)
    text.append(prefix).append(output.line, begin, end + 1 - begin);
  if (begin < output.line.size() &&
      (last || output.line.size() - begin > kLongestLine)) {
    text.append(prefix).append(output.line, begin);
    // Do not let output from another rank continue this line.
    if (command.prefixed)
      text += '\n';
    begin = output.line.size();
  }
  output.line.erase(0, begin);
  write(output.to, text);
}

void Launcher::write(int to, const std::string &text) {
  for (size_t done = 0; done < text.size() && !outputClosed;) {
    ssize_t count = ::write(to, text.data() + done, text.size() - done);
    if (count > 0) {
      done += static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      // Another process may have made this descriptor nonblocking.
      pollfd room = {to, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      // The reader has closed the output, so the ranks need not continue.
      outputClosed = true;
      for (Rank &rank : ranks)
        if (rank.running)
          ::kill(rank.pid, SIGPIPE);
    }
  }
}

} // namespace

int aircc::launchRanks(const RankCommand &command, Diagnostics &diagnostics) {
  return Launcher(command, diagnostics).run();
}
