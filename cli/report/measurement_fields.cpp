// How and where runs are measured.
#include "field_list.hpp"
#include "field_values.hpp"
#include "host/host_facts.hpp"
#include "host/version.hpp"

namespace lockstep::cli::report {
namespace {

using Json = nlohmann::ordered_json;
using run::RunRecord;

template <auto member>
Json measured(const RunRecord& record) {
  return record.wall.*member;
}

Json channels(const RunRecord& record) { return record.wall.channels ? Json(name(*record.wall.channels)) : Json(); }

template <double host::Spread::*part_of_spread>
Json spread(const RunRecord& record) {
  return record.wall.run.*part_of_spread;
}

Json interval_end(const RunRecord& record, bool lower) {
  const auto& interval = record.wall.run.interval;
  return interval ? Json(lower ? interval->first : interval->second) : Json();
}

ReportFields host_fields() {
  return {{"host.processor", "host_processor", Known::ended,
           [](const RunRecord&) { return text_or_null(host::host_facts().processor); }, "text, number",
           "the model of the processor, its hardware threads, and how many threads were runnable in the minute before"},
          {"host.cores", "host_cores", Known::ended, [](const RunRecord&) { return Json(host::host_facts().cores); },
           "", ""},
          {"host.load", "host_load", Known::ended,
           [](const RunRecord&) {
             const double load = host::host_facts().load;
             return load < 0 ? Json() : Json(load);
           },
           "", ""},
          {"host.compiler", "compiler", Known::ended, [](const RunRecord&) { return Json(host::compiler()); }, "text",
           "that compiled the command"},
          column(
              "version", Known::refused, [](const RunRecord&) { return Json(host::version); }, "text",
              "version of the program")};
}

ReportFields wall_fields() {
  constexpr Known ended = Known::ended;
  return {
      {"wall.setup_s", "setup_s", ended, measured<&run::WallClock::setup_seconds>, "seconds",
       "building the machine and preparing the run"},
      {"wall.run_s", "run_s", ended, spread<&host::Spread::median>, "seconds",
       "median, least and quartiles of the runs that are measured"},
      {"wall.run_min_s", "run_min_s", ended, spread<&host::Spread::least>, "", ""},
      {"wall.run_q1_s", "run_q1_s", ended, spread<&host::Spread::lower_quartile>, "", ""},
      {"wall.run_q3_s", "run_q3_s", ended, spread<&host::Spread::upper_quartile>, "", ""},
      {"wall.run_low_s", "run_low_s", ended, [](const RunRecord& record) { return interval_end(record, true); },
       "seconds", "the 95 % confidence interval of the median, whatever the distribution; null for fewer than 6 runs"},
      {"wall.run_high_s", "run_high_s", ended, [](const RunRecord& record) { return interval_end(record, false); }, "",
       ""},
      {"wall.samples_s", "", ended, [](const RunRecord& record) { return Json(record.wall.samples); },
       "list of seconds", "every run that is measured, in their order"},
      {"wall.verify_s", "verify_s", ended, measured<&run::WallClock::verify_seconds>, "seconds",
       "comparing the data with the oracle"},
      {"wall.arithmetic_s", "arithmetic_s", ended, measured<&run::WallClock::arithmetic_seconds>, "seconds",
       "of the programs' computation, over all processors, in the first run; divided by `run_s * threads` it is "
       "the share of arithmetic"},
      {"wall.repeats", "repeats", ended, measured<&run::WallClock::repeats>, "number", "`--repeat`, `--warmup`"},
      {"wall.warmup", "warmup", ended, measured<&run::WallClock::warmup>, "", ""},
      {"wall.messages_per_s", "messages_per_s", ended, derived<run::messages_per_second>, "1/s, nanoseconds",
       "null if nothing moved"},
      {"wall.ns_per_message", "ns_per_message", ended, derived<run::nanoseconds_per_message>, "", ""},
      {"wall.peak_rss_bytes", "peak_rss_bytes", ended, measured<&run::WallClock::peak_rss_bytes>, "bytes",
       "the peak memory of the process"},
      {"wall.estimated_bytes", "estimated_bytes", ended, measured<&run::WallClock::estimated_bytes>, "bytes",
       "the memory that the run was estimated to take, before it began; that of the program itself comes on top"},
      {"wall.estimated_s", "estimated_s", ended,
       [](const RunRecord& record) { return host::json_of(record.wall.estimated_seconds); }, "seconds",
       "that all runs were roughly estimated to take together, preparation and verification included; null where "
       "messages are not predicted, and for guests"},
      {"wall.threads", "threads", ended, measured<&run::WallClock::threads>, "number, text",
       "on which the processors run, and what moves them from cycle to cycle"},
      {"wall.executor", "executor", ended, measured<&run::WallClock::executor>, "", ""},
      {"wall.channels", "channels", ended, channels, "text",
       "`lockfree` or `compact`, the queues of the links; null on a medium"},
      {"wall.mpi", "", ended, json_wire, "object",
       "for a run in [several processes](clusters.md), else null: `processes`, their number; `messages` and "
       "`bytes` between processes; `agreements`, reductions and gathers over all; `wait_share`, the share of their "
       "time spent waiting for one another"}};
}

}  // namespace

ReportFields measurement_fields() {
  ReportFields fields = wall_fields();
  for (const ReportField& field : host_fields()) fields.push_back(field);
  return fields;
}

}  // namespace lockstep::cli::report
