//===- NodeLink.cpp - Frames between ranks on several nodes ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/nodes/NodeLink.h"
#include "runtime-stubs/mgpu/Failure.h"
#include "runtime-stubs/support/RuntimeThread.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/eventfd.h>

using namespace aircc::rt;

/// How long the exit of a process is delayed for its last frames.
static constexpr std::chrono::milliseconds flushTime(500);

int32_t NodeMap::leaderOf(int32_t other) const {
  return static_cast<int32_t>(
      std::find(nodes.begin(), nodes.end(), nodes[other]) - nodes.begin());
}

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

Status NodeLink::start(const WaitLimit &limit) {
  // A thread that yields while other processes compute waits much longer than
  // one that sleeps.
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "0", /*overwrite=*/0);
  if (Status s = api.load(); !s.ok())
    return s;
  wakeup = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wakeup)
    return Status::failure(std::string("cannot make an event descriptor: ") +
                           std::strerror(errno));
  startRuntimeThread([this] { thread(); }).detach();

  std::unique_lock<std::mutex> lock(mutex);
  if (!limit.wait(changed, lock, [this] { return phase != Phase::Starting; }))
    return Status::failure("rank " + std::to_string(world.rank) + " of " +
                           std::to_string(world.size) + " has waited " +
                           limit.text() +
                           " for all ranks to start (AIRCC_WAIT_LIMIT)");
  return result;
}

void NodeLink::attach(LinkClient &client,
                      std::initializer_list<FrameKind> kinds) {
  clients.push_back(&client);
  for (FrameKind kind : kinds)
    receivers[kind] = &client;
}

void NodeLink::run() { setPhase(Phase::Running); }

void NodeLink::setPhase(Phase next) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    phase = next;
  }
  changed.notify_all();
}

bool NodeLink::finish(const WaitLimit &limit) {
  setPhase(Phase::Finishing);
  wake();
  std::unique_lock<std::mutex> lock(mutex);
  return limit.wait(changed, lock, [this] { return phase == Phase::Ended; });
}

void NodeLink::flush() {
  std::unique_lock<std::mutex> lock(mutex);
  if (phase != Phase::Running)
    return;
  flushing = true;
  wake();
  changed.wait_for(lock, flushTime, [this] { return !flushing; });
}

void NodeLink::thread() {
  Status status = initialize();
  {
    std::unique_lock<std::mutex> lock(mutex);
    result = status;
    phase = status.ok() ? Phase::Ready : Phase::Failed;
    changed.notify_all();
    if (!status.ok())
      return;
    changed.wait(lock, [this] { return phase != Phase::Ready; });
  }
  serve();
  require("MPI_Finalize", api.Finalize());
  setPhase(Phase::Ended);
}

Status NodeLink::initialize() {
  int flag = 0, provided = 0, rank = 0, size = 0;
  if (Status s = api.check("MPI_Initialized", api.Initialized(&flag)); !s.ok())
    return s;
  if (flag)
    return Status::failure("the program has initialized MPI; on several nodes, "
                           "the runtime must do so");
  if (Status s = api.check(
          "MPI_Init_thread",
          api.Init_thread(nullptr, nullptr, mpi::threadFunneled, &provided));
      !s.ok())
    return s;
  if (Status s =
          api.check("MPI_Comm_set_errhandler",
                    api.Comm_set_errhandler(api.world, api.returnErrors));
      !s.ok())
    return s;
  if (Status s = api.check("MPI_Comm_rank", api.Comm_rank(api.world, &rank));
      !s.ok())
    return s;
  if (Status s = api.check("MPI_Comm_size", api.Comm_size(api.world, &size));
      !s.ok())
    return s;
  if (rank != world.rank || size != world.size)
    return Status::failure(
        "this is rank " + std::to_string(rank) + " of " + std::to_string(size) +
        " for MPI, but rank " + std::to_string(world.rank) + " of " +
        std::to_string(world.size) + " according to " + world.rankVariable);
  return findNodes();
}

/// Returns a string that is equal in processes that can share memory. They are
/// on the same machine and in the same socket namespace, and do not simulate
/// different nodes.
static std::string nodeIdentity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string identity(std::istreambuf_iterator<char>(file), {});
  char name[256];
  ssize_t length = ::readlink("/proc/self/ns/net", name, sizeof(name));
  if (length > 0)
    identity.append(name, length);
  if (const char *node = std::getenv("AIRCC_NODE"))
    identity += std::string(" ") + node;
  return identity;
}

Status NodeLink::findNodes() {
  const std::array<uint64_t, 2> hash = hashText(nodeIdentity());
  std::vector<std::array<uint64_t, 2>> hashes(world.size);
  if (Status s = api.check("MPI_Allgather",
                           api.Allgather(hash.data(), sizeof(hash), api.byte,
                                         hashes.data(), sizeof(hash), api.byte,
                                         api.world));
      !s.ok())
    return s;
  map.rank = world.rank;
  std::map<std::array<uint64_t, 2>, int32_t> known;
  for (const auto &other : hashes)
    map.nodes.push_back(
        known.try_emplace(other, static_cast<int32_t>(known.size()))
            .first->second);
  return Status::success();
}

//===----------------------------------------------------------------------===//
// The thread
//===----------------------------------------------------------------------===//

void NodeLink::send(int32_t to, FrameKind kind, Bytes bytes) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back({to, kind, std::move(bytes), nullptr});
  }
  wake();
}

void NodeLink::wake() {
  uint64_t one = 1;
  // If the counter is full, the thread is awake.
  (void)!::write(wakeup.get(), &one, sizeof(one));
}

void NodeLink::require(const char *function, int code) const {
  if (Status s = api.check(function, code); !s.ok())
    failFromOutside(s.message());
}

void NodeLink::serve() {
  for (unsigned idle = 0;;) {
    // Take the requests first, because a request concerns all work that existed
    // before it.
    const Requests asked = takeRequests();
    bool busy = startSends();
    busy |= completeSends();
    busy |= receiveFrames();
    for (LinkClient *client : clients)
      busy |= client->work();
    if (busy) {
      idle = 0;
      continue;
    }
    if (sending.empty() && meet(asked))
      return;
    pause(idle++);
  }
}

bool NodeLink::startSends() {
  std::deque<Outgoing> added;
  {
    std::lock_guard<std::mutex> lock(mutex);
    added.swap(queue);
  }
  for (Outgoing &frame : added) {
    sending.push_back(std::move(frame));
    Outgoing &kept = sending.back();
    require("MPI_Isend",
            api.Isend(kept.bytes.data(), static_cast<int>(kept.bytes.size()),
                      api.byte, kept.to, static_cast<int>(kept.kind), api.world,
                      &kept.request));
  }
  return !added.empty();
}

bool NodeLink::completeSends() {
  bool any = false;
  for (auto it = sending.begin(); it != sending.end();) {
    int done = 0;
    require("MPI_Test", api.Test(&it->request, &done, nullptr));
    any |= done != 0;
    it = done ? sending.erase(it) : std::next(it);
  }
  return any;
}

bool NodeLink::receiveFrames() {
  bool any = false;
  for (;;) {
    int found = 0, count = 0;
    mpi::MessageStatus status = {};
    require("MPI_Iprobe", api.Iprobe(mpi::anySource, mpi::anyTag, api.world,
                                     &found, &status));
    if (!found)
      return any;
    any = true;
    require("MPI_Get_count", api.Get_count(&status, api.byte, &count));
    Bytes bytes(count);
    require("MPI_Recv", api.Recv(bytes.data(), count, api.byte, status.source,
                                 status.tag, api.world, nullptr));
    auto kind = static_cast<FrameKind>(status.tag);
    if (auto it = receivers.find(kind); it != receivers.end())
      it->second->receive(status.source, kind, std::move(bytes));
  }
}

NodeLink::Requests NodeLink::takeRequests() {
  std::lock_guard<std::mutex> lock(mutex);
  return {flushing, phase == Phase::Finishing};
}

/// Called when there is nothing left to do. Returns whether the thread may
/// exit.
bool NodeLink::meet(Requests asked) {
  if (asked.flush) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      flushing = false;
    }
    changed.notify_all();
  }
  return asked.finish &&
         std::all_of(clients.begin(), clients.end(),
                     [](LinkClient *client) { return client->isFinished(); });
}

/// Waits for work. Polls MPI for messages less often the longer there have been
/// none.
void NodeLink::pause(unsigned idle) {
  constexpr unsigned shortPauses = 400;
  constexpr long shortPause = 20'000, longPause = 500'000; // In nanoseconds.
  std::vector<pollfd> descriptors = {{wakeup.get(), POLLIN, 0}};
  for (LinkClient *client : clients)
    client->addDescriptors(descriptors);
  const timespec time = {0, idle < shortPauses ? shortPause : longPause};
  ::ppoll(descriptors.data(), descriptors.size(), &time, nullptr);
  uint64_t count = 0;
  (void)!::read(wakeup.get(), &count, sizeof(count));
}
