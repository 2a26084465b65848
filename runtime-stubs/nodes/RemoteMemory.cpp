//===- RemoteMemory.cpp - Copies to and from ranks on other nodes ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/nodes/RemoteMemory.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"

#include <algorithm>

using namespace aircc::rt;

RemoteMemory::RemoteMemory(NodeLink &link, const WaitLimit &limit)
    : link(link), limit(limit) {
  link.attach(*this, {FrameKind::Put, FrameKind::PutDone, FrameKind::Get,
                      FrameKind::Got});
}

void RemoteMemory::offer(int64_t id, Device &device, char *ptr,
                         uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  offers[id] = {&device, ptr, bytes, currentDeviceIndex()};
}

void RemoteMemory::withdraw(int64_t id) {
  std::lock_guard<std::mutex> lock(mutex);
  offers.erase(id);
}

static uint64_t countBytes(const RemoteMemory::Pieces &pieces) {
  uint64_t bytes = 0;
  for (const RemoteMemory::Piece &piece : pieces)
    bytes += piece.bytes;
  return bytes;
}

//===----------------------------------------------------------------------===//
// The requesting rank
//===----------------------------------------------------------------------===//

Status RemoteMemory::put(Place to, const Pieces &pieces, const char *from) {
  Bytes nothing;
  return request(to, FrameKind::Put, pieces, from, nothing);
}

Status RemoteMemory::get(Place from, const Pieces &pieces, char *to) {
  Bytes result;
  if (Status s = request(from, FrameKind::Get, pieces, nullptr, result);
      !s.ok())
    return s;
  if (result.size() != countBytes(pieces))
    return Status::failure("rank " + std::to_string(from.rank) +
                           " sends an invalid answer");
  std::copy(result.begin(), result.end(), to);
  return Status::success();
}

Status RemoteMemory::request(Place place, FrameKind kind, const Pieces &pieces,
                             const char *from, Bytes &result) {
  std::unique_lock<std::mutex> lock(mutex);
  const int64_t number = nextRequest++;
  requests.emplace(number, Request());
  lock.unlock();
  const uint64_t bytes = from ? countBytes(pieces) : 0;
  Bytes frame;
  frame.reserve(sizeof(Header) + pieces.size() * sizeof(Piece) + bytes);
  appendTo(frame, Header{number, place.id, pieces.size(), /*failed=*/false});
  for (const Piece &piece : pieces)
    appendTo(frame, piece);
  frame.insert(frame.end(), from, from + bytes);
  link.send(place.rank, kind, std::move(frame));

  lock.lock();
  if (!limit.wait(changed, lock, [&] { return requests.at(number).done; }))
    return Status::failure("rank " + std::to_string(link.nodes().rank) +
                           " has waited " + limit.text() + " for rank " +
                           std::to_string(place.rank) +
                           " on another node (AIRCC_WAIT_LIMIT)");
  Request answer = std::move(requests.at(number));
  requests.erase(number);
  if (answer.failed)
    return Status::failure("on rank " + std::to_string(place.rank) + ": " +
                           std::string(answer.data.begin(), answer.data.end()));
  result = std::move(answer.data);
  return Status::success();
}

void RemoteMemory::finishRequest(const Header &header, const Bytes &frame) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = requests.find(header.request);
    // The program no longer waits after the time limit.
    if (it == requests.end())
      return;
    it->second.done = true;
    it->second.failed = header.failed;
    it->second.data.assign(frame.begin() + sizeof(Header), frame.end());
  }
  changed.notify_all();
}

//===----------------------------------------------------------------------===//
// The rank that handles the request
//===----------------------------------------------------------------------===//

void RemoteMemory::receive(int32_t from, FrameKind kind, Bytes frame) {
  size_t at = 0;
  Header header = {};
  if (!extractFrom(frame, at, header))
    return;
  if (kind == FrameKind::PutDone || kind == FrameKind::Got)
    return finishRequest(header, frame);
  Bytes result;
  Status status = perform(kind, header, frame, result);
  header.failed = !status.ok();
  if (header.failed)
    result.assign(status.message().begin(), status.message().end());
  Bytes answer;
  answer.reserve(sizeof(header) + result.size());
  appendTo(answer, header);
  answer.insert(answer.end(), result.begin(), result.end());
  link.send(from, kind == FrameKind::Put ? FrameKind::PutDone : FrameKind::Got,
            std::move(answer));
}

Status RemoteMemory::perform(FrameKind kind, const Header &header,
                             const Bytes &frame, Bytes &result) {
  Pieces pieces;
  size_t at = sizeof(Header);
  for (Piece piece = {}; pieces.size() < header.pieces; pieces.push_back(piece))
    if (!extractFrom(frame, at, piece))
      return Status::failure("the request is incomplete");
  const bool isPut = kind == FrameKind::Put;
  const uint64_t bytes = countBytes(pieces);
  if (frame.size() - at != (isPut ? bytes : 0))
    return Status::failure("the request is incomplete");
  if (!isPut)
    result.resize(bytes);

  // Hold the mutex during the copy, because the memory must not be withdrawn.
  std::lock_guard<std::mutex> lock(mutex);
  auto it = offers.find(header.id);
  if (it == offers.end())
    return Status::failure("the memory has been freed");
  if (Status s = it->second.device->setDevice(it->second.index); !s.ok())
    return s;
  const char *from = frame.data() + at;
  char *to = result.data();
  for (const Piece &piece : pieces) {
    if (Status s = performPiece(it->second, piece, isPut ? from : nullptr,
                                isPut ? nullptr : to);
        !s.ok())
      return s;
    if (isPut)
      from += piece.bytes;
    else
      to += piece.bytes;
  }
  return Status::success();
}

Status RemoteMemory::performPiece(const Offer &offer, const Piece &piece,
                                  const char *from, char *to) {
  if (piece.offset > offer.bytes || piece.bytes > offer.bytes - piece.offset)
    return Status::failure("the copy extends past the end of the memory");
  char *memory = offer.ptr + piece.offset;
  return offer.device->copyForPeer(from ? memory : to, from ? from : memory,
                                   piece.bytes, piece.isAllocated);
}
