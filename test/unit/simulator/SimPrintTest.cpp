//===- SimPrintTest.cpp - What simulated kernels print --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Fault.h"
#include "simulator/exec/FormatText.h"
#include "simulator/exec/Hostcall.h"
#include "simulator/exec/LaunchOutput.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <variant>
#include <vector>

using namespace aircc::sim;

namespace {

/// 64-bit arguments, and strings.
class Arguments : public FormatArguments {
public:
  using Argument = std::variant<uint64_t, std::string>;
  explicit Arguments(std::vector<Argument> list) : list(std::move(list)) {}
  std::optional<uint64_t> integer() override {
    return next == list.size()
               ? std::nullopt
               : std::optional(std::get<uint64_t>(list[next++]));
  }
  std::optional<std::string> string() override {
    return next == list.size()
               ? std::nullopt
               : std::optional(std::get<std::string>(list[next++]));
  }

private:
  std::vector<Argument> list;
  size_t next = 0;
};

std::string format(const char *text, std::vector<Arguments::Argument> list) {
  Arguments arguments(std::move(list));
  return formatText(text, arguments);
}
uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

template <class... Ts> std::string byHost(const char *text, Ts... values) {
  char buffer[4096];
  std::snprintf(buffer, sizeof(buffer), text, values...);
  return buffer;
}

/// What is written to a stream of the process during `action`.
template <class Action> std::string capture(FILE *stream, Action action) {
  std::fflush(stream);
  FILE *file = std::tmpfile();
  const int old = dup(fileno(stream));
  dup2(fileno(file), fileno(stream));
  action();
  std::fflush(stream);
  dup2(old, fileno(stream));
  close(old);
  std::string text;
  EXPECT_EQ(std::fseek(file, 0, SEEK_SET), 0);
  for (int c; (c = std::fgetc(file)) != EOF;)
    text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

TEST(FormatText, IntegersAreAsOnTheHost) {
  const uint64_t values[] = {0,          1,          255,      0x80,
                             0x8000,     0xffffffff, 1u << 31, 123456789012,
                             UINT64_MAX, 1ull << 63};
  for (const char *flags : {"", "-", "+", " ", "#", "0", "-#", "+0"})
    for (const char *width : {"", "5", "12.4", ".0", ".20"})
      for (char kind : {'d', 'i', 'o', 'u', 'x', 'X'})
        for (uint64_t v : values) {
          const std::string spec = std::string("%") + flags + width;
          auto check = [&](const char *length, auto value) {
            const std::string text = "<" + spec + length + kind + ">";
            EXPECT_EQ(format(text.c_str(), {v}), byHost(text.c_str(), value))
                << text << " of " << v;
          };
          check("", static_cast<int>(v));
          check("h", static_cast<int>(v));
          check("hh", static_cast<int>(v));
          check("l", static_cast<long>(v));
          check("ll", static_cast<long long>(v));
          check("z", static_cast<size_t>(v));
        }
}

TEST(FormatText, FloatsAreAsOnTheHost) {
  for (const char *spec :
       {"%f", "%.0f", "%#.0f", "%12.3f", "%-12.3f|", "%+e", "%.10E", "%g", "%G",
        "%#g", "% g", "%a", "%A", "%010.2f", "%.17g", "%F", "%lf", "%.300f"})
    for (double v : {0.0, -0.0, 1.0, -2.5, 1e-300, 1e300, 0.1, 12345.678,
                     HUGE_VAL, -HUGE_VAL})
      EXPECT_EQ(format(spec, {bits(v)}), byHost(spec, v))
          << spec << " of " << v;
}

TEST(FormatText, OtherConversions) {
  EXPECT_EQ(format("%c%c%5c%-3c|", {uint64_t('a'), uint64_t(0x100 + 'b'),
                                    uint64_t('c'), uint64_t('d')}),
            "ab    cd  |");
  EXPECT_EQ(format("[%s] [%10s] [%-6s] [%.2s]", {"abc", "abc", "abc", "abc"}),
            "[abc] [       abc] [abc   ] [ab]");
  EXPECT_EQ(format("%p %p", {uint64_t(0x1234), uint64_t(0)}),
            byHost("%p %p", reinterpret_cast<void *>(0x1234), nullptr));
  EXPECT_EQ(format("100%% %d%%", {uint64_t(5)}), "100% 5%");
  EXPECT_EQ(format("a%nb%d", {uint64_t(7), uint64_t(8)}), "ab8");
  EXPECT_EQ(format("%Lf %ls", {bits(1.5), "wide"}), "1.500000 wide");
}

TEST(FormatText, WidthsFromArguments) {
  EXPECT_EQ(format("%*d|", {uint64_t(6), uint64_t(42)}), "    42|");
  EXPECT_EQ(format("%*d|", {uint64_t(-6), uint64_t(42)}), "42    |");
  EXPECT_EQ(format("%.*f|", {uint64_t(2), bits(1.0 / 3)}), "0.33|");
  EXPECT_EQ(format("%.*f|", {uint64_t(-1), bits(0.5)}), "0.500000|");
  EXPECT_EQ(format("%*.*s|", {uint64_t(5), uint64_t(1), "xyz"}), "    x|");
}

TEST(FormatText, WhatIsNoConversionStaysAndMissingArgumentsEndTheText) {
  EXPECT_EQ(format("%y %", {}), "%y %");
  EXPECT_EQ(format("%5", {}), "%5");
  EXPECT_EQ(format("one %d two %d three", {uint64_t(1)}), "one 1 two ");
  EXPECT_EQ(format("a %*d b", {}), "a ");
}

TEST(LaunchOutput, ComesInTheOrderOfTheWorkgroups) {
  std::string text = capture(stdout, [] {
    LaunchOutput output;
    output.print(2, stdout, "2a ");
    output.print(0, stdout, "0a ");
    output.print(1, stdout, "1a ");
    output.groupEnded(2);
    output.print(0, stdout, "0b ");
    output.groupEnded(0);
    output.print(1, stdout, "1b ");
    output.print(4, stdout, "4a ");
    output.groupEnded(1);
    output.print(3, stdout, "3a ");
    // The launch failed here: 3 and 4 did not end.
  });
  EXPECT_EQ(text, "0a 0b 1a 1b 2a 3a 4a ");
}

/// The part of a wave that calls the host, written once more.
class Caller {
public:
  explicit Caller(HostcallBuffer &buffer) : buffer(buffer) {}

  uint64_t &word(uint64_t at) { return *reinterpret_cast<uint64_t *>(at); }
  uint64_t field(unsigned index) { return word(buffer.address() + 8 * index); }

  /// Sends for all lanes of `lanes` what `fill` writes; the packet's index.
  template <class Fill>
  uint64_t send(uint32_t service, uint64_t lanes, Fill fill) {
    uint64_t packet = field(3);
    const uint64_t index = packet & field(5);
    const uint64_t header = field(0) + index * 24;
    word(buffer.address() + 24) = word(header);
    word(header + 8) = lanes;
    word(header + 16) = service | uint64_t(1) << 32;
    for (unsigned lane = 0; lane < 64; ++lane)
      if (lanes >> lane & 1)
        fill(lane, payload(index, lane));
    word(header) = field(4);
    word(buffer.address() + 32) = packet;
    return index;
  }
  uint64_t *payload(uint64_t index, unsigned lane) {
    return reinterpret_cast<uint64_t *>(field(1) + index * 4096 + lane * 64);
  }
  bool isReady(uint64_t index) {
    return word(field(0) + index * 24 + 16) >> 32 & 1;
  }

private:
  HostcallBuffer &buffer;
};

TEST(Hostcall, PrintsPartsOfMessagesInTheOrderOfTheirEnds) {
  HostcallBuffer buffer(3, 32);
  buffer.reset();
  EXPECT_EQ(buffer.address(), buffer.begin() + 32);
  Caller caller(buffer);
  std::string text = capture(stdout, [&] {
    LaunchOutput output;
    uint64_t ids[2];
    // Two waves begin a message in lane 5.
    for (unsigned wave = 0; wave < 2; ++wave)
      caller.send(2, 1 << 5, [](unsigned, uint64_t *p) {
        p[0] = 1 | 1 << 5;
        p[1] = 0;
      });
    buffer.serve(0, output);
    for (unsigned wave = 0; wave < 2; ++wave)
      ids[wave] = *caller.payload(3 - wave, 5);
    EXPECT_NE(ids[0], ids[1]);
    // The later one ends first, in two parts more.
    buffer.reset();
    uint64_t id = 0;
    auto run = [&](uint32_t service, uint64_t lanes, auto fill) {
      uint64_t index = caller.send(service, lanes, fill);
      EXPECT_TRUE(caller.isReady(index));
      buffer.serve(0, output);
      EXPECT_FALSE(caller.isReady(index));
      id = *caller.payload(index, 5);
    };
    run(2, 1 << 5, [](unsigned, uint64_t *p) { p[0] = 1 | 1 << 5, p[1] = 0; });
    run(2, 1 << 5, [&](unsigned, uint64_t *p) {
      p[0] = id | 2 << 5;
      std::memcpy(p + 1, "<%s %d>", 8);
      std::memcpy(p + 2, "text", 5);
    });
    run(2, 1 << 5, [&](unsigned, uint64_t *p) {
      p[0] = id | 2 | 1 << 5;
      p[1] = uint64_t(-3);
    });
    EXPECT_EQ(id, 9u); // What printf returns.
  });
  EXPECT_EQ(text, "<text -3>");
}

TEST(Hostcall, LanesOfAPacketPrintInTheirOrderAndToStderr) {
  HostcallBuffer buffer(1, 0);
  buffer.reset();
  Caller caller(buffer);
  std::string text = capture(stderr, [&] {
    LaunchOutput output;
    caller.send(2, 0x8000000000000003, [](unsigned lane, uint64_t *p) {
      p[0] = 1 | 2 | uint64_t(3) << 5;
      p[1] = 1;
      std::memcpy(p + 2, "lane%d ", 8);
      p[3] = lane;
    });
    buffer.serve(0, output);
  });
  EXPECT_EQ(text, "lane0 lane1 lane63 ");
}

TEST(Hostcall, RefusesOtherServicesAndDamage) {
  LaunchOutput output;
  auto serve = [&](uint32_t service, uint64_t first) -> std::string {
    HostcallBuffer buffer(1, 0);
    buffer.reset();
    Caller(buffer).send(service, 1,
                        [&](unsigned, uint64_t *p) { p[0] = first; });
    try {
      buffer.serve(0, output);
    } catch (const Fault &fault) {
      return fault.what();
    }
    return "";
  };
  EXPECT_NE(serve(1, 0).find("calls a host function"), std::string::npos);
  EXPECT_NE(serve(3, 0).find("allocates or frees memory"), std::string::npos);
  EXPECT_NE(serve(77, 0).find("service 77"), std::string::npos);
  EXPECT_NE(serve(2, 5 << 8).find("has not begun"), std::string::npos);

  HostcallBuffer buffer(2, 0);
  buffer.reset();
  Caller caller(buffer);
  const uint64_t index = caller.send(2, 0, [](unsigned, uint64_t *) {});
  caller.word(caller.field(0) + index * 24) = caller.field(4);
  EXPECT_THROW(buffer.serve(0, output), Fault);
}

} // namespace
