#include "field_values.hpp"

#include <nlohmann/json.hpp>

#include "host/json_value.hpp"

namespace lockstep::cli::report {

using Json = nlohmann::ordered_json;

Json json_carried(const run::RunRecord& record) {
  if (!record.plan.embedding) return {};
  const bool has_run = record.carried.has_value();
  Json carried{{"guest", record.plan.embedding->guest},
               {"slowdown", host::json_of(run::slowdown(record))},
               {"messages", has_run ? Json(record.carried->guest_messages) : Json()},
               {"words", has_run ? Json(record.carried->guest_words) : Json()},
               {"root", nullptr},
               {"source", nullptr},
               {"destination", nullptr}};
  for (const run::PlacedRank& rank : run::placed_ranks(record.plan))
    carried[std::string(rank.parameter)] = rank.of_host;
  return carried;
}

Json json_faults(const run::RunRecord& record) {
  const flags::FaultArguments& given = record.plan.faults;
  if (given.empty()) return {};
  Json links = Json::array();
  for (const LinkFault& fault : given.faults.links)
    links.push_back({{"ranks", {fault.a, fault.b}}, {"from", fault.from}});
  Json processors = Json::array();
  for (const ProcessorFault& fault : given.faults.processors) {
    processors.push_back({{"rank", fault.rank}, {"from", fault.from}});
  }
  Json stragglers = Json::array();
  for (const Straggler& straggler : given.faults.stragglers) {
    stragglers.push_back({{"rank", straggler.rank}, {"factor", straggler.factor}});
  }
  Json critical_path = Json::array();
  const auto rank = [](Rank number) { return number == memory_rank ? Json() : Json(number); };
  for (const run::CriticalMessage& message : record.critical_path) {
    critical_path.push_back({{"from", rank(message.from)},
                             {"to", rank(message.to)},
                             {"cycle", message.cycle},
                             {"start", message.start},
                             {"end", message.end},
                             {"waited", message.waited}});
  }
  const auto count = [&](std::uint64_t MessageFaultInjector::Counts::*which) {
    return record.faulty ? Json((*record.faulty).*which) : Json();
  };
  return {{"flags", flags_of(given)},
          {"links", links},
          {"processors", processors},
          {"lost", record.has_counts() ? Json(record.outcome.report.lost) : Json()},
          {"stragglers", stragglers},
          {"critical_path", critical_path},
          {"seed", given.messages.seed},
          {"dropped", count(&MessageFaultInjector::Counts::dropped)},
          {"delayed", count(&MessageFaultInjector::Counts::delayed)},
          {"corrupted", count(&MessageFaultInjector::Counts::corrupted)}};
}

Json json_measures(const run::RunRecord& record) {
  Json json = Json::object();
  for (const Measure& measure : record.outcome.measures) json[std::string(measure.name)] = measure.value;
  return json;
}

Json json_coverage(const run::RunRecord& record) {
  if (!record.coverage) return {};
  const Coverage& coverage = *record.coverage;
  return {{"right", coverage.right}, {"due", coverage.due}, {"share", coverage.share()}, {"missing", coverage.missing}};
}

Json json_time(const std::optional<ModelledTime>& time) {
  return time ? Json{{"value", time->value}, {"formula", time->formula}} : Json();
}

Json json_predicted_time(const std::optional<ModelledTime>& time) {
  Json json = json_time(time);
  if (time) json["kind"] = time->exact ? "exact" : "at_most";
  return json;
}

Json json_predicted_count(const std::optional<Count>& count) {
  if (!count) return {};
  return {{"value", count->value}, {"kind", count->exact ? "exact" : "at_most"}, {"formula", count->formula}};
}

Json json_phases(const run::RunRecord& record) {
  Json phases = Json::array();
  for (const PhaseCounts& phase : record.outcome.report.phases) {
    phases.push_back({{"name", phase.name},
                      {"steps", phase.steps},
                      {"messages", phase.messages},
                      {"words", phase.words},
                      {"longest_sum", phase.longest_sum}});
  }
  return phases;
}

Json json_cycles(const run::RunRecord& record) {
  Json cycles = Json::array();
  for (const CycleCounts& counts : record.outcome.report.per_cycle) {
    cycles.push_back({{"cycle", counts.cycle},
                      {"messages", counts.messages},
                      {"words", counts.words},
                      {"longest", counts.longest},
                      {"visited", counts.visited}});
  }
  return cycles;
}

Json json_longest(const run::RunRecord& record) {
  const Report& report = record.outcome.report;
  std::vector<std::uint64_t> longest(report.cycles);
  for (const CycleCounts& counts : report.per_cycle) {
    if (counts.cycle < report.cycles) longest[counts.cycle] = counts.longest;
  }
  return longest;
}

Json json_wire(const run::RunRecord& record) {
  if (!record.outcome.report.wire) return nullptr;
  const WireTraffic& wire = *record.outcome.report.wire;
  return {{"processes", wire.processes},
          {"messages", wire.messages},
          {"bytes", wire.bytes},
          {"agreements", wire.agreements},
          {"wait_share", host::json_of(run::wait_share(record))}};
}

namespace {

Json json_waits(const std::vector<Wait>& all) {
  Json waits = Json::array();
  for (const Wait& wait : all) {
    waits.push_back({{"rank", wait.rank},
                     {"port", wait.any_port || wait.on_medium ? Json() : Json(wait.port)},
                     {"since", wait.since},
                     {"neighbour", wait.neighbour == no_rank ? Json() : Json(wait.neighbour)},
                     {"neighbour_ended", wait.neighbour_ended},
                     {"neighbour_failed", wait.neighbour_failed ? Json(*wait.neighbour_failed) : Json()}});
  }
  return waits;
}

}  // namespace

Json json_error(const run::CommandFailure& failure) {
  Json json{{"kind", failure.kind}, {"cycle", nullptr}, {"rank", nullptr}, {"ports", Json::array()},
            {"text", failure.text}, {"dot", nullptr},   {"waits", nullptr}};
  if (!failure.of_run) return json;
  const run::CommandFailure::OfRun& details = *failure.of_run;
  json["cycle"] = details.cycle;
  if (details.rank != no_rank) json["rank"] = details.rank;
  json["ports"] = details.ports;
  json["text"] = details.text;
  if (details.dot.empty()) return json;
  json["dot"] = details.dot;
  json["waits"] = json_waits(details.waits);
  return json;
}

Json json_problem(const run::RunRecord& record) {
  if (record.problems.empty()) return nullptr;
  return json_error({host::run_failed, record.problems.front(), record.error});
}

}  // namespace lockstep::cli::report
