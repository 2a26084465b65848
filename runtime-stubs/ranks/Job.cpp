//===- Job.cpp - This process as a rank of a job --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/ranks/Job.h"
#include "runtime-stubs/mgpu/Failure.h"
#include "runtime-stubs/nodes/HubRelay.h"
#include "runtime-stubs/nodes/RemoteMemory.h"
#include "runtime-stubs/nodes/RemoteRings.h"
#include "runtime-stubs/ranks/Hub.h"
#include "runtime-stubs/ranks/SymmetricHeap.h"
#include "runtime-stubs/support/RuntimeThread.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>

using namespace aircc::rt;
using Clock = std::chrono::steady_clock;

namespace {
constinit std::mutex joinMutex;
constinit std::atomic<Job *> theJob{nullptr}; // Never destroyed.

/// Creates the address of an abstract socket, which has no file and is removed
/// with the process.
socklen_t makeAddress(const std::string &name, sockaddr_un &address) {
  std::memset(&address, 0, sizeof(address));
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                name.size());
}

Status failed(const char *what) {
  return Status::failure(std::string(what) + ": " + std::strerror(errno));
}

std::string rankOf(const World &world) {
  return "rank " + std::to_string(world.rank) + " of " +
         std::to_string(world.size);
}
} // namespace

std::string aircc::rt::hubName(const std::string &identity) {
  // Socket names have limited length.
  const std::array<uint64_t, 2> hash = hashText(identity);
  char name[64];
  std::snprintf(name, sizeof(name), "aircc-%u-%016llx%016llx", ::getuid(),
                static_cast<unsigned long long>(hash[0]),
                static_cast<unsigned long long>(hash[1]));
  return name;
}

Job::Job(const World &world, const WaitLimit &limit)
    : place(world), limit(limit) {}
Job::~Job() = default;

Job *Job::joined() { return theJob.load(std::memory_order_acquire); }

Job &Job::get(const Call &call) {
  if (Job *job = joined())
    return *job;
  std::lock_guard<std::mutex> lock(joinMutex);
  if (Job *job = joined())
    return *job;
  World world;
  WaitLimit limit;
  Status status = readWorld(world);
  if (status.ok())
    status = readWaitLimit(limit);
  if (!status.ok())
    fail(call.entry, call.arguments, status.message());
  // The job is never deleted, because the reader thread runs until the process
  // exits.
  Job *job = new Job(world, limit);
  if (Status status = job->join(); !status.ok())
    fail(call.entry, call.arguments, status.message());
  theJob.store(job, std::memory_order_release);
  setFailureListener(
      [](const std::string &why) { joined()->tellFailure(why); });
  // A program that exits with an error has not finished its part as a rank.
  // on_exit (glibc) passes the exit status.
  job->leaveAtExit();
  return *job;
}

//===----------------------------------------------------------------------===//
// Joining and leaving
//===----------------------------------------------------------------------===//

struct Job::Nodes {
  Nodes(const World &world, const WaitLimit &limit)
      : link(world), relay(link), memory(link, limit), rings(link) {}
  NodeLink link;
  HubRelay relay;
  RemoteMemory memory;
  RemoteRings rings;
};

Status Job::startNodes() {
  nodes = std::make_unique<Nodes>(place, limit);
  if (Status s = nodes->link.start(limit); !s.ok())
    return Status::failure(s.message() + "; the ranks are on several nodes (" +
                           place.severalNodes + ")");
  hubRank = nodes->link.nodes().leaderOf(place.rank);
  return Status::success();
}

/// Returns the name of the socket on which rank 0, or the leader of another
/// node, listens. Simulated nodes are on one machine.
std::string Job::socketName() const {
  std::string identity = jobIdentity(place);
  return hubName(hubRank ? identity + " node of rank " + std::to_string(hubRank)
                         : identity);
}

Status Job::listen(Fd &listener) {
  sockaddr_un address;
  socklen_t length = makeAddress(socketName(), address);
  listener =
      Fd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener)
    return failed("cannot make a socket");
  // An earlier job with the same name may still be connecting, which takes only
  // moments.
  constexpr std::chrono::milliseconds longest(10000);
  const auto most = std::min(limit.limit.value_or(longest), longest);
  const Clock::time_point begin = Clock::now();
  while (
      ::bind(listener.get(), reinterpret_cast<sockaddr *>(&address), length)) {
    if (errno != EADDRINUSE)
      return failed("cannot name a socket");
    if (Clock::now() - begin > most)
      return Status::failure(
          "another job of the same name waits for its ranks; jobs that are "
          "started side by side need different values of AIRCC_JOB");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (::listen(listener.get(), place.size))
    return failed("cannot listen at a socket");
  return Status::success();
}

/// Starts the hub, or the relay of a node's leader, if it is in this rank.
Status Job::startHub() {
  std::vector<Fd> farRanks;
  Fd listener;
  if (place.rank == hubRank)
    if (Status s = listen(listener); !s.ok())
      return s;
  if (place.rank == 0) {
    if (nodes)
      if (Status s = nodes->relay.connectFarRanks(farRanks); !s.ok())
        return s;
    hub = std::make_unique<Hub>(place.size, std::move(listener),
                                std::move(farRanks));
    hub->start();
  } else if (place.rank == hubRank) {
    nodes->relay.acceptAt(std::move(listener));
  }
  if (nodes)
    nodes->link.run();
  return Status::success();
}

Status Job::connect() {
  sockaddr_un address;
  socklen_t length = makeAddress(socketName(), address);
  Clock::time_point begin = Clock::now();
  for (;;) {
    Fd made(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (!made)
      return failed("cannot make a socket");
    if (::connect(made.get(), reinterpret_cast<sockaddr *>(&address), length) ==
        0) {
      std::optional<pid_t> peer = getPeer(made.get());
      if (!peer)
        return Status::failure("another user's process has this job's name");
      hubProcess = *peer;
      Message hello, answer;
      hello.rank = place.rank;
      hello.values[0] = Hub::protocolVersion;
      hello.values[1] = place.size;
      hello.values[2] = process;
      // The hub of an earlier job that is shutting down has closed the
      // connection without an answer.
      if (sendMessage(made.get(), hello, /*wait=*/true) == Transfer::Done &&
          receiveMessage(made.get(), answer, /*wait=*/true) == Transfer::Done) {
        if (answer.kind == MessageKind::Refused)
          return Status::failure(answer.text);
        socket = std::move(made);
        return Status::success();
      }
    } else if (errno != ECONNREFUSED && errno != EINTR && errno != EAGAIN) {
      return failed("cannot connect to rank 0");
    }
    if (limit.limit && Clock::now() - begin > *limit.limit)
      return Status::failure(
          rankOf(place) + " has waited " + limit.text() + " for rank " +
          std::to_string(hubRank) +
          " to start (AIRCC_WAIT_LIMIT); ranks that were not "
          "started together need the same value of AIRCC_JOB");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Status Job::join() {
  // A launcher that shows output line by line reads from a pipe, which the C
  // library would block-buffer.
  if (std::getenv("AIRCC_LINE_OUTPUT"))
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  if (!place.severalNodes.empty())
    if (Status status = startNodes(); !status.ok())
      return status;
  if (Status status = startHub(); !status.ok())
    return status;
  if (Status status = connect(); !status.ok())
    return status;
  startRuntimeThread([this] { watch(); }).detach();

  std::unique_lock<std::mutex> lock(mutex);
  if (!limit.wait(changed, lock, [this] { return welcome; })) {
    std::string others = ask(lock);
    return Status::failure(rankOf(place) + " has waited " + limit.text() +
                           " for all ranks to start (AIRCC_WAIT_LIMIT); " +
                           others);
  }
  return Status::success();
}

void Job::leaveAtExit() {
  on_exit([](int status, void *job) { static_cast<Job *>(job)->leave(status); },
          this);
}

void Job::leave(int status) {
  if (::getpid() != process || leaving)
    return;
  // Print pending output before this rank waits for others.
  std::fflush(nullptr);
  leaving = true;
  if (status != 0)
    tellFailure("it has ended with status " + std::to_string(status));
  else
    send(Message(MessageKind::Leave));
  // The hub exits with this process.
  if (hub && status == 0)
    hub->join();
  if (nodes && status == 0)
    finishNodes();
}

/// Waits for the other ranks, which may still need messages from this one, and
/// finalizes MPI. If a rank fails meanwhile, its failure ends the job.
void Job::finishNodes() {
  {
    std::unique_lock<std::mutex> lock(mutex);
    auto all = [this] { return left.size() == size_t(place.size); };
    changed.wait(lock, [&] { return all() || failureTold || disconnected; });
    if (!all())
      return;
  }
  if (!nodes->link.finish(limit))
    failFromOutside("rank " + std::to_string(place.rank) + " has waited " +
                    limit.text() +
                    " for the other nodes to end (AIRCC_WAIT_LIMIT)");
}

/// Notifies the other ranks and waits briefly until they have received the
/// message, because the hub may be in this process, which is about to exit.
void Job::tellFailure(const std::string &why) {
  if (::getpid() != process)
    return;
  Message message(MessageKind::Failed);
  message.text = why;
  send(std::move(message));
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock() && tries < 100; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    (void)lock.try_lock();
  }
  if (lock.owns_lock())
    changed.wait_for(lock, std::chrono::seconds(1),
                     [this] { return failureTold; });
  // The message may still be in flight to other nodes.
  if (nodes)
    nodes->link.flush();
}

//===----------------------------------------------------------------------===//
// Messages from the hub
//===----------------------------------------------------------------------===//

void Job::watch() {
  for (;;) {
    Message message;
    if (receiveMessage(socket.get(), message, /*wait=*/true) !=
        Transfer::Done) {
      {
        std::lock_guard<std::mutex> lock(mutex);
        disconnected = true;
      }
      changed.notify_all();
      if (hub || leaving)
        return;
      failFromOutside("rank " + std::to_string(hubRank) + " (process " +
                      std::to_string(hubProcess) + ") has died; rank " +
                      std::to_string(place.rank) + " stops");
    }
    std::string end;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (message.kind == MessageKind::Died) {
        // This may be the failure of this rank itself, which the others now
        // know.
        failureTold = true;
        if (message.rank != place.rank)
          end =
              message.text + "; rank " + std::to_string(place.rank) + " stops";
      } else if (!receive(std::move(message))) {
        continue;
      }
    }
    changed.notify_all();
    // Release the lock, because a failing thread needs it. After this rank has
    // finished its part, failures of others no longer concern it.
    if (!end.empty() && !leaving) {
      if (nodes)
        nodes->link.flush();
      failFromOutside(end);
    }
  }
}

/// Processes a message. The caller must hold the mutex. Returns true if a
/// thread may be waiting for the message.
bool Job::receive(Message message) {
  switch (message.kind) {
  case MessageKind::Welcome:
    welcome = true;
    return true;
  case MessageKind::Release:
    released = true;
    return true;
  case MessageKind::Share: {
    SharedDescriptor &to = shared[{message.rank, message.values[0]}];
    to.rank = message.rank;
    to.id = message.values[0];
    to.bytes = static_cast<uint64_t>(message.values[1]);
    to.fd = std::move(message.fd);
    return true;
  }
  case MessageKind::Match:
    matches[message.values[0]] = {static_cast<int32_t>(message.values[1]),
                                  message.values[2], message.values[3],
                                  message.values[4], message.values[5]};
    return true;
  case MessageKind::Taken:
    taken.insert(message.values[0]);
    return true;
  case MessageKind::Left:
    left.insert(message.rank);
    return true;
  case MessageKind::Explained:
    explanation = std::move(message.text);
    return true;
  default:
    return false;
  }
}

void Job::send(Message message) {
  std::lock_guard<std::mutex> lock(sendMutex);
  message.rank = place.rank;
  // If rank 0 has disconnected, the reader thread reports it and terminates the
  // process.
  (void)sendMessage(socket.get(), message, /*wait=*/true);
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

std::string Job::ask(std::unique_lock<std::mutex> &lock) {
  explanation.reset();
  lock.unlock();
  send(Message(MessageKind::Explain));
  lock.lock();
  // The hub never waits, so it answers immediately unless its process has
  // stopped.
  changed.wait_for(lock, std::chrono::seconds(2),
                   [this] { return explanation.has_value(); });
  return explanation.value_or("");
}

void Job::wait(const Call &call, std::unique_lock<std::mutex> &lock,
               const std::function<bool()> &ready, const std::string &what) {
  if (limit.wait(changed, lock, ready))
    return;
  std::string others = ask(lock);
  lock.unlock();
  fail(call.entry, call.arguments,
       rankOf(place) + " has waited " + limit.text() + " " + what +
           " (AIRCC_WAIT_LIMIT)" + (others.empty() ? "" : "; " + others));
}

void Job::collective(const Call &call, const std::string &what,
                     int64_t argument, bool tolerant, int32_t ranks,
                     const HeapState &allocations) {
  std::unique_lock<std::mutex> lock(mutex);
  released = false;
  lock.unlock();
  Message arrive(MessageKind::Arrive);
  arrive.values[0] = argument;
  arrive.values[1] = tolerant;
  arrive.values[2] = ranks;
  arrive.values[3] = static_cast<int64_t>(allocations.fingerprint);
  arrive.text = what + "\n" + allocations.text;
  send(std::move(arrive));
  lock.lock();
  wait(call, lock, [this] { return released; }, "for the other ranks");
}

void Job::share(Device &device, int64_t id, const SharedMemory &memory, Fd fd) {
  if (nodes) {
    nodes->memory.offer(id, device, memory.ptr, memory.bytes);
    // Other nodes may need this memory until they exit, so this rank must wait
    // for them before the device is shut down. Handlers run in reverse order.
    if (!sharesWithNodes.exchange(true))
      leaveAtExit();
  }
  Message message(MessageKind::Share);
  message.values[0] = id;
  message.values[1] = static_cast<int64_t>(memory.bytes);
  message.fd = std::move(fd);
  send(std::move(message));
}

void Job::withdraw(int64_t id) {
  if (nodes)
    nodes->memory.withdraw(id);
}

RemoteRings *Job::remoteRings() const {
  return nodes ? &nodes->rings : nullptr;
}

RemoteMemory *Job::remoteMemory(int32_t rank) const {
  return nodes && !nodes->link.nodes().isNear(rank) ? &nodes->memory : nullptr;
}

SharedDescriptor Job::takeShared(const Call &call, int32_t rank, int64_t id) {
  std::unique_lock<std::mutex> lock(mutex);
  std::pair<int32_t, int64_t> key(rank, id);
  wait(
      call, lock, [&] { return shared.count(key) != 0; },
      "for the memory of rank " + std::to_string(rank));
  SharedDescriptor descriptor = std::move(shared[key]);
  shared.erase(key);
  return descriptor;
}
