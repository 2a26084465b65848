//===- ReportWriter.cpp - Writes the page of `aircc report` ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/HtmlPage.h"
#include "driver/report/ReportPage.h"
#include "driver/report/Timeline.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

#include <algorithm>

using namespace aircc;
using namespace llvm;

/// Returns a right-aligned cell with a number or a size.
static std::string number(const Twine &text) {
  return "<td class=\"number\">" + escapeHtml(text.str()) + "</td>";
}

static std::string cell(const Twine &text) {
  return "<td>" + escapeHtml(text.str()) + "</td>";
}

static std::string codeCell(const Twine &text) {
  return "<td class=\"code\">" + escapeHtml(text.str()) + "</td>";
}

static std::string lineCell(unsigned line) {
  return "<td class=\"number\">" + linkLine(line) + "</td>";
}

/// Returns the line of "file.mlir:12:5", or 0 if there is none.
static unsigned getLine(StringRef place) {
  unsigned line = 0;
  place.rsplit(':').first.rsplit(':').second.getAsInteger(10, line);
  return line;
}

static std::string percent(double share) {
  std::string text;
  raw_string_ostream(text) << format("%.1f%%", 100 * share);
  return text;
}

/// Returns the cycles that waves spent on an instruction.
static double getCycles(const json::Object &instruction) {
  double cycles = instruction.getNumber("busy_cycles").value_or(0);
  if (const json::Object *stalls = instruction.getObject("stall_cycles"))
    for (auto &[reason, value] : *stalls)
      cycles += value.getAsNumber().value_or(0);
  return cycles;
}

static const json::Array &getArray(const json::Value &file, StringRef key) {
  static const json::Array none;
  const json::Object *object = file.getAsObject();
  const json::Array *array = object ? object->getArray(key) : nullptr;
  return array ? *array : none;
}

void ReportPage::writeKernels(raw_ostream &os) const {
  os << "<h2 id=\"kernels\">Kernels</h2>\n";
  beginHtmlTable("<th>kernel</th><th>line</th><th>grid</th><th>lanes</th>"
                 "<th>VGPRs</th><th>AGPRs</th><th>LDS, bytes</th>"
                 "<th>scratch, bytes per lane</th>",
                 os);
  for (const auto &[key, kernel] : kernels) {
    os << "<tr>" << codeCell(kernel.name) << lineCell(kernel.line)
       << cell(kernel.grid) << cell(kernel.block);
    if (const auto &code = kernel.code)
      os << (code->vgprs ? number(Twine(code->vgprs)) : number(""))
         << (code->vgprs ? number(Twine(code->agprs)) : number(""))
         << number(Twine(code->ldsBytes)) << number(Twine(code->scratchBytes));
    else
      os << "<td></td><td></td><td></td><td></td>";
    os << "</tr>\n";
  }
  endHtmlTable(os);
}

void ReportPage::writeWorks(raw_ostream &os) const {
  if (!works)
    return;
  std::string rows;
  raw_string_ostream text(rows);
  for (const json::Value &targetValue : getArray(*works, "targets"))
    for (const json::Value &kernelValue : getArray(targetValue, "kernels")) {
      const json::Object &kernel = *kernelValue.getAsObject();
      unsigned line = kernel.getInteger("line").value_or(0);
      std::string ops;
      for (const json::Value &work : getArray(kernelValue, "works")) {
        ops += (ops.empty() ? "" : "; ") +
               work.getAsObject()->getString("kind").value_or("").str();
        std::vector<std::string> names;
        for (const json::Value &op : getArray(work, "ops"))
          names.push_back(op.getAsString().value_or("").str());
        ops += names.empty() ? "" : " (" + join(names, ", ") + ")";
      }
      auto count = [&](StringRef key) {
        auto value = kernel.getInteger(key);
        return number(value ? itostr(*value) : "?");
      };
      std::string least;
      if (const json::Object *roofline = kernel.getObject("roofline"))
        least = itostr(roofline->getInteger("nanoseconds").value_or(0)) +
                " ns, " + roofline->getString("bound").value_or("").str();
      text << "<tr>" << codeCell(kernel.getString("name").value_or(""))
           << lineCell(line) << cell(ops)
           << cell(kernel.getBoolean("matrixInstructions").value_or(false)
                       ? "yes"
                       : "no")
           << count("readBytes") << count("writtenBytes") << count("operations")
           << cell(least) << "</tr>\n";
    }
  if (rows.empty())
    return;
  os << "<h2 id=\"work\">What they compute</h2>\n";
  beginHtmlTable("<th>kernel</th><th>line</th><th>ops</th>"
                 "<th>matrix instructions</th><th>bytes read</th>"
                 "<th>bytes written</th><th>operations</th>"
                 "<th>least time</th>",
                 os);
  os << rows;
  endHtmlTable(os);
}

void ReportPage::writeMemory(raw_ostream &os) const {
  os << "<h2 id=\"memory\">Memory</h2>\n";
  std::vector<Buffer> all;
  for (const auto &[key, kernel] : kernels)
    for (Buffer buffer : kernel.buffers) {
      buffer.what += ", kernel " + kernel.name;
      all.push_back(std::move(buffer));
    }
  append_range(all, hostBuffers);
  if (all.empty()) {
    os << "<p>No kernel has a buffer in LDS, and the program allocates no "
          "memory.</p>\n";
    return;
  }
  beginHtmlTable("<th>where</th><th>line</th><th>type</th><th>bytes</th>", os);
  for (const Buffer &buffer : all)
    os << "<tr>" << cell(buffer.what) << lineCell(buffer.line)
       << codeCell(buffer.type) << number(buffer.bytes) << "</tr>\n";
  endHtmlTable(os);
}

void ReportPage::writeInstructions(const json::Object &launch,
                                   raw_ostream &os) const {
  const json::Array *instructions = launch.getArray("instructions");
  if (!instructions)
    return;
  double total = 0;
  std::vector<const json::Object *> sorted;
  for (const json::Value &value : *instructions) {
    sorted.push_back(value.getAsObject());
    total += getCycles(*sorted.back());
  }
  if (total == 0)
    return;
  llvm::sort(sorted, [](const json::Object *a, const json::Object *b) {
    return std::make_pair(-getCycles(*a), a->getInteger("offset")) <
           std::make_pair(-getCycles(*b), b->getInteger("offset"));
  });
  sorted.resize(std::min<size_t>(sorted.size(), 15));
  os << "<details><summary>The instructions in which waves spend most "
        "cycles</summary>\n";
  beginHtmlTable("<th>share</th><th>line</th><th>instruction</th>", os);
  for (const json::Object *instruction : sorted)
    os << "<tr>" << number(percent(getCycles(*instruction) / total))
       << lineCell(getLine(instruction->getString("source").value_or("")))
       << codeCell(instruction->getString("text").value_or("")) << "</tr>\n";
  endHtmlTable(os);
  os << "</details>\n";
}

void ReportPage::writeTiming(raw_ostream &os) const {
  if (!timing)
    return;
  os << "<h2 id=\"timing\">Estimated time</h2>\n<p>By the timing model of the "
        "simulated device, for "
     << escapeHtml(target) << ".</p>\n";
  StringSet<> drawn;
  for (const json::Value &value : getArray(*timing, "launches")) {
    const json::Object &launch = *value.getAsObject();
    double microseconds = launch.getNumber("nanoseconds").value_or(0) / 1000;
    os << "<h3>" << escapeHtml(launch.getString("kernel").value_or("")) << ": "
       << format("%.2f", microseconds) << " us, bound by "
       << escapeHtml(launch.getString("bound").value_or("")) << "</h3>\n";
    os << "<p>" << launch.getInteger("cycles").value_or(0) << " cycles; busy:";
    if (const json::Object *busy = launch.getObject("busy"))
      for (const auto &[unit, share] : *busy)
        os << " " << escapeHtml(unit) << " "
           << percent(share.getAsNumber().value_or(0));
    os << "</p>\n";
    // Show one launch of each kernel, because a program may launch it a
    // thousand times.
    const json::Object *activity = launch.getObject("activity");
    if (activity &&
        drawn.insert(launch.getString("kernel").value_or("")).second)
      writeTimeline(*activity, os);
    writeInstructions(launch, os);
  }
}

std::map<unsigned, double> ReportPage::getShares() const {
  std::map<unsigned, double> shares;
  double total = 0;
  if (!timing)
    return shares;
  for (const json::Value &launch : getArray(*timing, "launches"))
    for (const json::Value &value : getArray(launch, "instructions")) {
      const json::Object &instruction = *value.getAsObject();
      double cycles = getCycles(instruction);
      shares[getLine(instruction.getString("source").value_or(""))] += cycles;
      total += cycles;
    }
  for (auto &[line, share] : shares)
    share = total ? share / total : 0;
  return shares;
}

void ReportPage::writeSource(StringRef source, raw_ostream &os) const {
  std::map<unsigned, double> shares = getShares();
  os << "<div class=\"source\" id=\"source\"><h2>Source</h2>\n";
  unsigned line = 0;
  while (!source.empty()) {
    auto [text, rest] = source.split('\n');
    source = rest;
    ++line;
    auto share = shares.find(line);
    bool isShown = share != shares.end() && share->second >= 0.0005;
    os << "<div id=\"line-" << line << "\"";
    if (isShown)
      os << " style=\"background: linear-gradient(to right, var(--bar) "
         << percent(share->second) << ", transparent 0)\"";
    os << "><span>" << line << "</span><span>"
       << (isShown ? percent(share->second) : "") << "</span><code>"
       << escapeHtml(text) << "</code></div>\n";
  }
  os << "</div>\n";
}

void ReportPage::write(StringRef name, StringRef source,
                       raw_ostream &os) const {
  beginHtmlPage("Report of " + name.str(), os);
  os << "<p>For " << escapeHtml(target) << ", waves of " << waves
     << " lanes.</p>\n<div class=\"columns\"><div>\n";
  writeKernels(os);
  writeWorks(os);
  writeTiming(os);
  writeMemory(os);
  os << "<h2 id=\"layouts\">Vectors of waves and workgroups</h2>\n"
     << layouts << "</div>\n";
  writeSource(source, os);
  os << "</div>\n";
  endHtmlPage(os);
}
