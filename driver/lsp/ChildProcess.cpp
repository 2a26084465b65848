//===- ChildProcess.cpp - A process behind pipes --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/ChildProcess.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace aircc;
using namespace llvm;

namespace {
/// A pipe whose ends are closed by the destructor.
struct Pipe {
  int ends[2] = {-1, -1}; ///< The end to read from and the end to write to.

  bool open() { return ::pipe2(ends, O_CLOEXEC) == 0; }
  int take(unsigned end) { return std::exchange(ends[end], -1); }
  ~Pipe() {
    for (int fd : ends)
      if (fd >= 0)
        ::close(fd);
  }
};
} // namespace

static void closeDescriptor(int &fd) {
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}

std::unique_ptr<ChildProcess>
ChildProcess::start(StringRef program, ArrayRef<std::string> arguments,
                    bool pipesErrors) {
  Pipe in, out, err;
  if (!in.open() || !out.open() || (pipesErrors && !err.open()))
    return nullptr;
  // Allocate before the fork, because few functions are safe after it.
  std::string file = program.str();
  std::vector<char *> argv = {file.data()};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t self = ::getpid();
  pid_t pid = ::fork();
  if (pid < 0)
    return nullptr;
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != self)
      ::_exit(127);
    ::dup2(in.ends[0], STDIN_FILENO);
    ::dup2(out.ends[1], STDOUT_FILENO);
    if (pipesErrors)
      ::dup2(err.ends[1], STDERR_FILENO);
    ::signal(SIGPIPE, SIG_DFL);
    ::execv(file.c_str(), argv.data());
    ::_exit(127);
  }
  std::unique_ptr<ChildProcess> child(new ChildProcess);
  child->pid = pid;
  child->input = in.take(1);
  child->output = out.take(0);
  child->errors = err.take(0);
  for (int fd : {child->input, child->output, child->errors})
    if (fd >= 0)
      ::fcntl(fd, F_SETFL, O_NONBLOCK);
  return child;
}

ChildProcess::~ChildProcess() {
  if (pid > 0) {
    ::kill(pid, SIGKILL);
    wait();
  }
  closeDescriptor(input);
  closeDescriptor(output);
  closeDescriptor(errors);
}

void ChildProcess::send(StringRef bytes) {
  if (input < 0)
    return;
  pending += bytes;
  flush();
}

void ChildProcess::finishInput() {
  closesInput = true;
  flush();
}

void ChildProcess::flush() {
  while (input >= 0 && !pending.empty()) {
    ssize_t count = ::write(input, pending.data(), pending.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      return;
    if (count < 0) { // The process has closed the pipe or has exited.
      pending.clear();
      return closeDescriptor(input);
    }
    pending.erase(0, count);
  }
  if (closesInput)
    closeDescriptor(input);
}

void ChildProcess::read(int &fd, std::string &to) {
  char bytes[1 << 16];
  while (fd >= 0) {
    ssize_t count = ::read(fd, bytes, sizeof(bytes));
    if (count > 0) {
      to.append(bytes, count);
      return;
    }
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      return;
    return closeDescriptor(fd);
  }
}

int ChildProcess::wait() {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return 127;
  pid = -1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
