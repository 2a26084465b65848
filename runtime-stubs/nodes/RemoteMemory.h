//===- RemoteMemory.h - Copies to and from ranks on other nodes -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A copy to or from memory of a rank on another node is a request to that rank,
// whose link thread performs the copy on its device and answers. The program
// thread waits for the answer, so the copy is complete when the call returns.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_NODES_REMOTEMEMORY_H
#define AIRCC_RUNTIME_NODES_REMOTEMEMORY_H

#include "runtime-stubs/nodes/NodeLink.h"

#include <map>

namespace aircc::rt {

class RemoteMemory final : public LinkClient {
public:
  /// Must be called on each rank before the link runs.
  RemoteMemory(NodeLink &link, const WaitLimit &limit);

  /// Gives other nodes access to memory of this rank under an id.
  void offer(int64_t id, Device &device, char *ptr, uint64_t bytes);
  void withdraw(int64_t id);

  /// Memory that another rank offers.
  struct Place {
    int32_t rank;
    int64_t id;
  };
  struct Piece {
    uint64_t offset, bytes;
    /// Whether this rank has checked that the memory is allocated, because the
    /// other rank may allocate it only a moment later.
    bool isAllocated;
  };
  using Pieces = std::vector<Piece>;
  /// Copy the pieces from or to consecutive host memory. In total, they should
  /// have at most a few megabytes, because they are sent in one frame.
  Status put(Place to, const Pieces &pieces, const char *from);
  Status get(Place from, const Pieces &pieces, char *to);

  void receive(int32_t from, FrameKind kind, Bytes bytes) override;

private:
  /// The header of a frame. The pieces of a request, and then the data, follow
  /// it.
  struct Header {
    int64_t request, id;
    uint64_t pieces;
    bool failed;
  };
  struct Request {
    bool done = false;
    bool failed = false;
    Bytes data; ///< The result, or the reason for a failure.
  };
  struct Offer {
    Device *device;
    char *ptr;
    uint64_t bytes;
    int index; ///< The index of the device.
  };

  Status request(Place place, FrameKind kind, const Pieces &pieces,
                 const char *from, Bytes &result);
  Status perform(FrameKind kind, const Header &header, const Bytes &frame,
                 Bytes &result);
  static Status performPiece(const Offer &offer, const Piece &piece,
                             const char *from, char *to);
  void finishRequest(const Header &header, const Bytes &frame);

  NodeLink &link;
  const WaitLimit limit;
  std::mutex mutex; ///< Guards all members below.
  std::condition_variable changed;
  int64_t nextRequest = 1;
  std::map<int64_t, Request> requests;
  std::map<int64_t, Offer> offers; ///< The offers, by id.
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_NODES_REMOTEMEMORY_H
