#include "fault_text.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "host/number_text.hpp"

namespace lockstep::cli::report {
namespace {

/// " (drawn: 0-1 4-5)", the first of the faults that were drawn; empty if none were.
template <class Fault, class Name>
std::string drawn_text(const std::vector<Fault>& faults, const std::optional<flags::RandomFaults>& random,
                       const Name& name) {
  constexpr std::size_t most_shown = 8;
  if (!random || random->drawn == 0) return "";
  std::string text = " (drawn:";
  const auto drawn = std::span(faults).last(random->drawn);
  for (const Fault& fault : drawn.first(std::min(drawn.size(), most_shown))) text += " " + name(fault);
  return text + (drawn.size() > most_shown ? " ..)" : ")");
}

}  // namespace

std::string fault_text(const run::RunRecord& record) {
  const Faults& faults = record.plan.faults.faults;
  std::string text;
  const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  if (!faults.links.empty()) {
    add(host::counted(faults.links.size(), "link") + " to fail" +
        drawn_text(faults.links, record.plan.faults.links,
                   [](const LinkFault& fault) { return std::to_string(fault.a) + "-" + std::to_string(fault.b); }));
  }
  if (!faults.processors.empty()) {
    add(host::grouped(record.outcome.report.lost.size()) + " of " +
        host::counted(faults.processors.size(), "processor") + " lost" +
        drawn_text(faults.processors, record.plan.faults.processors,
                   [](const ProcessorFault& fault) { return std::to_string(fault.rank); }));
  }
  if (!faults.stragglers.empty()) add(host::counted(faults.stragglers.size(), "straggler"));
  if (record.faulty) {
    add("messages: " + host::grouped(record.faulty->dropped) + " dropped, " + host::grouped(record.faulty->delayed) +
        " delayed, " + host::grouped(record.faulty->corrupted) + " corrupted");
  }
  return text;
}

std::string coverage_text(const run::RunRecord& record) {
  constexpr std::size_t most_shown = 8;
  const auto& coverage = record.coverage;
  if (!coverage || coverage->right == coverage->due) return "";
  std::string text = host::grouped(coverage->right) + " of " + host::counted(coverage->due, "processor") +
                     " hold all that they should; not";
  const std::span missing(coverage->missing);
  for (const Rank rank : missing.first(std::min(missing.size(), most_shown))) text += " " + std::to_string(rank);
  return text + (missing.size() > most_shown ? " .." : "");
}

}  // namespace lockstep::cli::report
