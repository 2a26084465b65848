//===- SimPlantedFaultsTest.cpp - One fault in a compiled kernel ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles one kernel for every chip with line tables. The checker must report
// nothing for the unmodified kernel. With one planted fault (in the source, or
// by removing an instruction from the assembly) it must name the instruction
// and the line.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimChips.h"
#include "test/unit/simulator/SimTestSupport.h"

#include "simulator/check/Checker.h"

#include "llvm/ADT/StringRef.h"
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

/// Lanes pass their numbers through LDS and store what they got. A fault
/// changes the LDS element that is read, the element that is written at the
/// end, or the value.
struct Kernel {
  std::string reads = "sub i32 127, %id", // line 13
      place = "add i32 %id, 0",           // line 14
      value = "add i32 %v, 1";            // line 14

  std::string ir() const {
    return R"(
@lds = internal addrspace(3) global [256 x i32] poison, align 16
define amdgpu_kernel void @test(ptr addrspace(1) %p) #0 !dbg !4 {
  %id = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !10
  %group = call i32 @llvm.amdgcn.workgroup.id.x(), !dbg !10
  %in = getelementptr i32, ptr addrspace(1) %p, i32 %id, !dbg !11
  %x = load i32, ptr addrspace(1) %in, !dbg !11
  %to = getelementptr i32, ptr addrspace(3) @lds, i32 %id, !dbg !11
  store i32 %x, ptr addrspace(3) %to, !dbg !11
  fence syncscope("workgroup") release, !dbg !12
  call void @llvm.amdgcn.s.barrier(), !dbg !12
  fence syncscope("workgroup") acquire, !dbg !12
  %other = )" +
           reads + R"(, !dbg !13
  %from = getelementptr i32, ptr addrspace(3) @lds, i32 %other, !dbg !13
  %v = load i32, ptr addrspace(3) %from, !dbg !13
  %w = )" + value +
           R"(, !dbg !14
  %place = )" +
           place + R"(, !dbg !14
  %far = add i32 %place, 128, !dbg !14
  %out = getelementptr i32, ptr addrspace(1) %p, i32 %far, !dbg !14
  store i32 %w, ptr addrspace(1) %out, !dbg !14
  ret void, !dbg !14
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "amdgpu-flat-work-group-size"="128,128" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.mlir", directory: "")
!2 = !{i32 2, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "test", file: !1, line: 9, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!10 = !DILocation(line: 10, column: 3, scope: !4)
!11 = !DILocation(line: 11, column: 3, scope: !4)
!12 = !DILocation(line: 12, column: 3, scope: !4)
!13 = !DILocation(line: 13, column: 3, scope: !4)
!14 = !DILocation(line: 14, column: 3, scope: !4)
)";
  }
};

/// `text` without the lines for which `take` is true.
template <class Take> std::string without(const std::string &text, Take take) {
  std::istringstream stream(text);
  std::string kept;
  for (std::string line; std::getline(stream, line);)
    if (!take(llvm::StringRef(line).trim()))
      kept += line + "\n";
  EXPECT_NE(kept.size(), text.size());
  return kept;
}

class PlantedFaults : public ::testing::TestWithParam<const char *> {
protected:
  const std::string chip = GetParam();
  unsigned groups = 1;

  std::string assembly(const Kernel &kernel) {
    return compileToText(chip, kernel.ir());
  }
  std::string run(const std::string &text) {
    SimDevice device;
    Checker checker(10);
    device.addObserver(checker);
    uint32_t *memory =
        onDevice<uint32_t>(device, std::vector<uint32_t>(256, 7));
    return test::run(device, assemble(chip, text), {memory}, {groups, 1, 1},
                     {128, 1, 1});
  }
  /// Expects that a text contains all parts, in this order.
  static void expectParts(const std::string &text,
                          std::initializer_list<const char *> parts) {
    size_t at = 0;
    for (const char *part : parts) {
      size_t found = text.find(part, at);
      ASSERT_NE(found, std::string::npos) << "no '" << part << "' in\n" << text;
      at = found;
    }
  }
};

TEST_P(PlantedFaults, None) { EXPECT_EQ(run(assembly(Kernel())), ""); }

TEST_P(PlantedFaults, BarrierRemoved) {
  std::string text = run(without(assembly(Kernel()), [](llvm::StringRef line) {
    return line.starts_with("s_barrier");
  }));
  expectParts(text, {"data race in LDS", ": ds_", "[kernel.mlir:13:3]",
                     "after the write", ": ds_", "[kernel.mlir:11:3]"});
}

TEST_P(PlantedFaults, WaitRemoved) {
  // The last wait: the one between the read of LDS and its use.
  std::string whole = assembly(Kernel());
  size_t count = 0, seen = 0;
  auto isWait = [](llvm::StringRef line) {
    return line.starts_with("s_waitcnt ") || line.starts_with("s_wait_");
  };
  without(whole, [&](llvm::StringRef line) {
    count += isWait(line);
    return isWait(line);
  });
  std::string text = run(without(whole, [&](llvm::StringRef line) {
    return isWait(line) && ++seen == count;
  }));
  expectParts(text, {"missing wait", "[kernel.mlir:14:3]", ": ds_",
                     "[kernel.mlir:13:3]"});
}

TEST_P(PlantedFaults, EachWaitAndBarrierRemoved) {
  std::istringstream stream(assembly(Kernel()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  unsigned removed = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const llvm::StringRef taken = llvm::StringRef(lines[i]).trim();
    const bool isBarrier = taken == "s_barrier" || taken == "s_barrier_wait -1";
    // s_wait_alu waits for no memory.
    if (!isBarrier && !taken.starts_with("s_waitcnt ") &&
        !(taken.starts_with("s_wait_") && !taken.starts_with("s_wait_alu")))
      continue;
    std::string text;
    for (size_t k = 0; k < lines.size(); ++k)
      // On gfx12 a barrier is two instructions.
      if (k != i && !(isBarrier && llvm::StringRef(lines[k]).trim() ==
                                       "s_barrier_signal -1"))
        text += lines[k] + "\n";
    ++removed;
    const std::string report = run(text);
    const char *expected = isBarrier ? "data race in LDS" : "kernel.mlir:1";
    EXPECT_NE(report.find(expected), std::string::npos)
        << "without line " << i << ", '" << taken.str() << "':\n"
        << report;
  }
  EXPECT_GE(removed, 4u);
}

TEST_P(PlantedFaults, OffByOne) {
  Kernel kernel;
  kernel.place = "add i32 %id, 1";
  expectParts(run(assembly(kernel)),
              {"write of 4 bytes", "0 bytes past the end",
               "buffer of 1024 bytes", ": global_store", "[kernel.mlir:14:3]"});
}

TEST_P(PlantedFaults, Uninitialized) {
  Kernel kernel;
  kernel.reads = "sub i32 128, %id"; // Lane 0 reads one too far.
  std::string text = run(assembly(kernel));
  expectParts(text,
              {"use of an uninitialized value", "lane 0", ": global_store",
               "[kernel.mlir:14:3]", "read from LDS that was never written",
               ": ds_", "[kernel.mlir:13:3]"});
}

TEST_P(PlantedFaults, Race) {
  groups = 2;
  Kernel kernel;
  EXPECT_EQ(run(assembly(kernel)), ""); // The same values.
  kernel.value = "add i32 %v, %group";
  expectParts(run(assembly(kernel)),
              {"data race in global memory", "workgroup (1,0,0)",
               ": global_store", "[kernel.mlir:14:3]", "by workgroup (0,0,0)",
               ": global_store", "[kernel.mlir:14:3]"});
}

INSTANTIATE_TEST_SUITE_P(Chips, PlantedFaults, ::testing::ValuesIn(kChips),
                         nameOfChip);

} // namespace
