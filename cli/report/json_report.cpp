#include "json_report.hpp"

#include <nlohmann/json.hpp>

#include "flags/setting_flags.hpp"
#include "host/json_value.hpp"
#include "host/version.hpp"
#include "schedule_report.hpp"

namespace lockstep::cli::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_machine(const run::RunRecord& record) {
  return {{"spec", record.plan.machine.text},
          {"family", record.plan.machine.family},
          {"processors", record.facts.processors},
          {"links", record.facts.links},
          {"degree_min", record.facts.degree_min},
          {"degree_max", record.facts.degree_max},
          {"diameter", host::json_of(record.facts.diameter)}};
}

/// The fields of a guest whose method runs on the machine; null if there is none.
Json json_carried(const run::RunRecord& record) {
  if (!record.plan.embedding) return {};
  const bool has_run = record.carried.has_value();
  return {{"guest", record.plan.embedding->guest},
          {"slowdown", host::json_of(run::slowdown(record))},
          {"messages", has_run ? Json(record.carried->guest_messages) : Json()},
          {"words", has_run ? Json(record.carried->guest_words) : Json()}};
}

/// The planned faults and their effects; null if there are none.
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
          {"lost", record.has_ended() ? Json(record.outcome.report.lost) : Json()},
          {"stragglers", stragglers},
          {"critical_path", critical_path},
          {"seed", given.messages.seed},
          {"dropped", count(&MessageFaultInjector::Counts::dropped)},
          {"delayed", count(&MessageFaultInjector::Counts::delayed)},
          {"corrupted", count(&MessageFaultInjector::Counts::corrupted)}};
}

Json json_algorithm(const run::RunPlan& plan) {
  return {{"name", plan.name},
          {"operation", plan.method->operation},
          {"source", plan.method->source},
          {"parameters", flags::setting_values(*plan.method, plan.settings)}};
}

Json json_counts(const run::RunRecord& record) {
  const Report& report = record.outcome.report;
  return {{"cycles", report.cycles},
          {"steps", report.steps},
          {"messages", report.messages},
          {"sends", report.sends},
          {"words", report.words},
          {"longest_sum", report.longest_sum},
          {"startups", report.startups},
          {"hops", host::json_of(run::hops(record))},
          {"busiest_link_words", host::json_of(run::busiest_link_words(record))},
          {"busiest_link_messages", host::json_of(run::busiest_link_messages(record))},
          {"peak_words_held", report.peak_words_held},
          {"copied_words", report.copied_words},
          {"operations", report.operations},
          {"scanned_blocks", report.scanned_blocks}};
}

Json json_measures(const run::RunRecord& record) {
  Json json = Json::object();
  for (const Measure& measure : record.outcome.measures) json[std::string(measure.name)] = measure.value;
  return json;
}

Json json_prediction(const run::RunRecord& record) {
  Json json;
  for (const run::PredictedCount& count : run::predicted_counts(record)) {
    Json& entry = json[std::string(count.name)];
    if (!count.predicted) continue;
    entry = {{"value", count.predicted->value},
             {"kind", count.predicted->exact ? "exact" : "at_most"},
             {"formula", count.predicted->formula}};
  }
  return json;
}

/// A closed form or a lower bound.
Json json_time(const std::optional<ModelledTime>& time) {
  return time ? Json{{"value", time->value}, {"formula", time->formula}} : Json();
}

Json kind_of(const std::optional<ModelledTime>& time) {
  return time ? Json(time->exact ? "exact" : "at_most") : Json();
}

/// A prediction.
Json json_predicted_time(const std::optional<ModelledTime>& time) {
  Json json = json_time(time);
  if (time) json["kind"] = kind_of(time);
  return json;
}

Json json_phases(const Report& report) {
  Json phases = Json::array();
  for (const PhaseCounts& phase : report.phases) {
    phases.push_back({{"name", phase.name},
                      {"steps", phase.steps},
                      {"messages", phase.messages},
                      {"words", phase.words},
                      {"longest_sum", phase.longest_sum}});
  }
  return phases;
}

/// The table of --cycles: the cycles in which a processor was visited.
Json json_cycles(const Report& report) {
  Json cycles = Json::array();
  for (const CycleCounts& counts : report.per_cycle) {
    cycles.push_back({{"cycle", counts.cycle},
                      {"messages", counts.messages},
                      {"words", counts.words},
                      {"longest", counts.longest},
                      {"visited", counts.visited}});
  }
  return cycles;
}

/// Element c is the longest message of cycle c, 0 where nothing moved.
Json json_longest(const Report& report) {
  std::vector<std::uint64_t> longest(report.cycles);
  for (const CycleCounts& counts : report.per_cycle) {
    if (counts.cycle < report.cycles) longest[counts.cycle] = counts.longest;
  }
  return longest;
}

/// The communication between processes; null if there was only one.
Json json_wire(const run::RunRecord& record) {
  if (!record.outcome.report.wire) return nullptr;
  const WireTraffic& wire = *record.outcome.report.wire;
  return {{"processes", wire.processes},
          {"messages", wire.messages},
          {"bytes", wire.bytes},
          {"agreements", wire.agreements},
          {"wait_share", host::json_of(run::wait_share(record))}};
}

Json json_wall(const run::RunRecord& record) {
  const run::WallClock& wall = record.wall;
  return {{"setup_s", wall.setup_seconds},
          {"run_s", wall.run_seconds},
          {"run_min_s", wall.fastest_seconds},
          {"verify_s", wall.verify_seconds},
          {"arithmetic_s", wall.arithmetic_seconds},
          {"repeats", wall.repeats},
          {"messages_per_s", host::json_of(run::messages_per_second(record))},
          {"ns_per_message", host::json_of(run::nanoseconds_per_message(record))},
          {"peak_rss_bytes", wall.peak_rss_bytes},
          {"threads", wall.threads},
          {"executor", wall.executor},
          {"channels", wall.channels ? Json(name(*wall.channels)) : Json(nullptr)},
          {"mpi", json_wire(record)}};
}

/// Which processor waits for which.
Json json_waits(const DeadlockError& deadlock) {
  Json waits = Json::array();
  for (const Wait& wait : deadlock.waits()) {
    waits.push_back({{"rank", wait.rank},
                     {"port", wait.any_port || wait.on_medium ? Json() : Json(wait.port)},
                     {"since", wait.since},
                     {"neighbour", wait.neighbour == no_rank ? Json() : Json(wait.neighbour)},
                     {"neighbour_ended", wait.neighbour_ended},
                     {"neighbour_failed", wait.neighbour_failed ? Json(*wait.neighbour_failed) : Json()}});
  }
  return waits;
}

/// The error; the cause is null if it was not an exception.
Json json_error(const run::CommandFailure& failure, const std::exception_ptr& cause) {
  Json json{{"kind", failure.kind}, {"cycle", nullptr}, {"rank", nullptr}, {"ports", Json::array()},
            {"text", failure.text}, {"dot", nullptr},   {"waits", nullptr}};
  try {
    if (cause) std::rethrow_exception(cause);
  } catch (const RunError& error) {
    json["cycle"] = error.cycle();
    if (error.rank() != no_rank) json["rank"] = error.rank();
    json["ports"] = error.ports();
    json["text"] = error.what();
    if (const auto* deadlock = dynamic_cast<const DeadlockError*>(&error)) {
      json["dot"] = deadlock->dot();
      json["waits"] = json_waits(*deadlock);
    }
  } catch (...) {
  }
  return json;
}

/// The error of a finished run.
Json json_problem(const run::RunRecord& record) {
  if (record.problems.empty()) return nullptr;
  return json_error({host::run_failed, record.problems.front(), record.error}, nullptr);
}

}  // namespace

Json json_rules(const Model& model) {
  return {{"ports", name(model.ports)}, {"duplex", name(model.duplex)}, {"multicast", model.multicast}};
}

Json json_model(const run::RunPlan& plan) {
  const Model model = run::given_model(plan);
  Json json = json_rules(model);
  json["beta"] = model.cost.beta;
  json["tau"] = model.cost.tau;
  json["max_packet_words"] = model.cost.max_packet_words == 0 ? Json() : Json(model.cost.max_packet_words);
  json["copy_cost"] = model.cost.copy_cost;
  json["flop"] = model.cost.flop;
  json["scan_cost"] = model.cost.scan_cost;
  json["stage_cost"] = plan.stage_cost;
  json["switching"] = name(model.cost.switching);
  json["hop_cost"] = model.cost.hop_cost;
  json["startup"] = name(model.cost.startup);
  return json;
}

Json json_report(const run::RunRecord& record, bool with_cycles) {
  const Report& report = record.outcome.report;
  const std::optional<ModelledTime> time = run::predicted_time(record);
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"machine", json_machine(record)},
          {"carried", json_carried(record)},
          {"algorithm", json_algorithm(record.plan)},
          {"model", json_model(record.plan)},
          {"faults", json_faults(record)},
          {"counted", json_counts(record)},
          {"measures", json_measures(record)},
          {"schedule", json_schedule(record)},
          {"predicted", json_prediction(record)},
          {"phases", json_phases(report)},
          {"longest_per_cycle", with_cycles ? json_longest(report) : Json()},
          {"per_cycle", with_cycles ? json_cycles(report) : Json()},
          {"lower_bound",
           {{"steps", host::json_of(record.lower_bound.steps)},
            {"longest_sum", host::json_of(record.lower_bound.longest_sum)},
            {"steps_ratio", host::json_of(run::steps_to_bound(record))},
            {"longest_sum_ratio", host::json_of(run::longest_sum_to_bound(record))},
            {"steps_optimal", host::json_of(run::is_optimal_in_steps(record))},
            {"longest_sum_optimal", host::json_of(run::is_optimal_in_longest_sum(record))},
            {"optimal", host::json_of(run::is_optimal(record))},
            {"time", json_time(record.lower_bound.time)}}},
          {"modelled_time",
           {{"synchronous", report.time_synchronous},
            {"asynchronous", report.time_asynchronous},
            {"arithmetic", report.time_arithmetic},
            {"predicted", time ? Json(time->value) : Json()},
            {"predicted_kind", kind_of(time)},
            {"predicted_asynchronous", json_predicted_time(record.prediction.asynchronous)},
            {"closed_form", json_time(record.prediction.closed_form)}}},
          {"wall", json_wall(record)},
          {"problems", record.problems},
          {"status", name(record.status)},
          {"error", json_problem(record)},
          {"verified", record.is_verified()},
          {"digest", record.digest.empty() ? Json() : Json(record.digest)}};
}

Json json_failure(const run::RunRecord& record, const run::CommandFailure& failure, const std::exception_ptr& cause) {
  Json json = json_report(record, false);
  for (const char* object : {"counted", "wall"}) {
    for (auto& [name, value] : json[object].items()) value = nullptr;
  }
  for (const char* name : {"steps_ratio", "longest_sum_ratio", "steps_optimal", "longest_sum_optimal", "optimal"}) {
    json["lower_bound"][name] = nullptr;
  }
  for (const char* clock : {"synchronous", "asynchronous", "arithmetic"}) json["modelled_time"][clock] = nullptr;
  json["phases"] = json["problems"] = json["digest"] = nullptr;
  json["error"] = json_error(failure, cause);
  return json;
}

Json json_refusal(const run::RunRecord& record, const run::CommandFailure& failure) {
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  Json json{{"lockstep", host::version},
            {"schema", host::schema},
            {"machine", {{"spec", text_or_null(record.plan.machine.text)}}},
            {"algorithm", {{"name", text_or_null(record.plan.name)}}}};
  for (const char* name : {"model", "counted", "measures", "schedule", "predicted", "phases", "longest_per_cycle",
                           "per_cycle", "lower_bound", "modelled_time", "wall", "problems"}) {
    json[name] = nullptr;
  }
  json["status"] = name(record.status);
  json["error"] = json_error(failure, nullptr);
  json["verified"] = false;
  json["digest"] = nullptr;
  return json;
}

Json json_refusal(run::Status status, const run::CommandFailure& failure) {
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"status", name(status)},
          {"error", {{"kind", failure.kind}, {"text", failure.text}}}};
}

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::cli::report
