#include "fields.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "field_list.hpp"
#include "field_values.hpp"
#include "flags/setting_flags.hpp"
#include "host/json_value.hpp"
#include "host/version.hpp"
#include "schedule_report.hpp"

namespace lockstep::cli::report {
namespace {

using Json = nlohmann::ordered_json;
using run::RunRecord;

/// A rule or a cost of the model.
struct ModelField {
  std::string_view name;
  Json (*value)(const Model& model, const run::RunPlan& plan);
  std::string_view unit;
  std::string_view meaning;
};

template <auto cost>
Json cost_of(const Model& model, const run::RunPlan&) {
  return model.cost.*cost;
}

template <auto cost>
Json name_of(const Model& model, const run::RunPlan&) {
  return name(model.cost.*cost);
}

Json max_packet_words(const Model& model, const run::RunPlan&) {
  return model.cost.max_packet_words == 0 ? Json() : Json(model.cost.max_packet_words);
}

template <auto member>
Json of_preset(const Model&, const run::RunPlan& plan) {
  return plan.preset == nullptr ? Json() : Json(plan.preset->*member);
}

constexpr ModelField model_fields[] = {
    {"ports", [](const Model& model, const run::RunPlan&) -> Json { return name(model.ports); }, "text",
     "`one`, `one-strict`, `all`, `ring`, or a number, as in `\"3\"`"},
    {"duplex", [](const Model& model, const run::RunPlan&) -> Json { return name(model.duplex); }, "text",
     "`full`, `half-link` or `half-node`"},
    {"multicast", [](const Model& model, const run::RunPlan&) -> Json { return model.multicast; }, "true or false",
     "whether one send may go over several ports"},
    {"beta", cost_of<&CostModel::beta>, "time", "of a start-up and of a word"},
    {"tau", cost_of<&CostModel::tau>, "", ""},
    {"max_packet_words", max_packet_words, "words", "null: unlimited"},
    {"copy_cost", cost_of<&CostModel::copy_cost>, "time",
     "of a word copied, of an arithmetic operation, and of a look at a block"},
    {"flop", cost_of<&CostModel::flop>, "", ""},
    {"scan_cost", cost_of<&CostModel::scan_cost>, "", ""},
    {"stage_cost", [](const Model&, const run::RunPlan& plan) -> Json { return plan.stage_cost; }, "time",
     "of each stage of a network, added to `model.beta`"},
    {"switching", name_of<&CostModel::switching>, "text", "`store-and-forward`, `cut-through` or `circuit`"},
    {"hop_cost", cost_of<&CostModel::hop_cost>, "time", "of a header over a link; 0 if messages are stored"},
    {"startup", name_of<&CostModel::startup>, "text", "`hop` or `path`"},
    {"preset", of_preset<&CostPreset::name>, "text", "of `--preset`; null: none"},
    {"time_unit", of_preset<&CostPreset::time_unit>, "text",
     "of all modelled times: that of the preset, `seconds`; null: the one of `--beta` and `--tau`"},
    {"costs_source", of_preset<&CostPreset::source>, "text",
     "where the preset's costs are published; flags may have changed them"}};

std::string model_cell(const Json& value) {
  return value.is_boolean() ? (value.get<bool>() ? "on" : "off") : cell_text(value);
}

template <auto member>
Json fact(const RunRecord& record) {
  return record.facts.*member;
}

template <auto member>
Json reported(const RunRecord& record) {
  return record.outcome.report.*member;
}

template <auto member>
Json least(const RunRecord& record) {
  return host::json_of(record.lower_bound.*member);
}

template <auto member>
Json argument(const RunRecord& record) {
  return text_or_null(record.lower_bound.*member);
}

Json value_of(const std::optional<ModelledTime>& time) { return time ? Json(time->value) : Json(); }

Json machine_text(const RunRecord& record) { return text_or_null(record.plan.machine.text); }
Json method_name(const RunRecord& record) { return text_or_null(record.plan.name); }

Json guest(const RunRecord& record) { return record.plan.embedding ? Json(record.plan.embedding->guest) : Json(); }

Json parameters(const RunRecord& record) { return flags::setting_values(*record.plan.method, record.plan.settings); }

Json predicted_kind(const RunRecord& record) {
  const Json time = json_predicted_time(run::predicted_time(record));
  return time.is_null() ? time : time["kind"];
}

/// "longest_queue=5 ..."
Json measures_text(const RunRecord& record) {
  std::string text;
  for (const Measure& measure : record.outcome.measures) {
    text += (text.empty() ? "" : " ") + std::string(measure.name) + "=" + std::to_string(measure.value);
  }
  return text;
}

void add(ReportFields& fields, const ReportFields& further) {
  fields.insert(fields.end(), further.begin(), further.end());
}

/// A part of a value of the field before, in JSON.
ReportField part(std::string path, std::string unit = "", std::string meaning = "") {
  return {std::move(path), "", Known::planned, {}, std::move(unit), std::move(meaning)};
}

/// What a column with that parameter says.
std::pair<std::string, std::string> described(const SettingFlag& flag) {
  return {flag.type.empty() ? "true or false" : "number or text",
          "`" + flag.flag() + "`: " + std::string(flag.description) + "; empty if the method does not take it"};
}

ReportFields setting_fields() {
  ReportFields fields{
      {"lockstep", "", Known::refused, [](const RunRecord&) { return Json(host::version); }, "text",
       "version of the program"},
      {"schema", "schema", Known::refused, [](const RunRecord&) { return Json(host::schema); }, "number",
       "version of the fields"},
      {"machine.spec", "machine", Known::refused, machine_text, "text", "the machine as given"},
      {"machine.family", "family", Known::planned,
       [](const RunRecord& record) { return Json(record.plan.machine.family); }, "text", "its family"},
      {"machine.processors", "processors", Known::planned, fact<&MachineFacts::processors>, "number", "of the machine"},
      {"machine.links", "links", Known::planned, fact<&MachineFacts::links>, "number",
       "each counted once; on media one per processor"},
      {"machine.degree_min", "", Known::planned, fact<&MachineFacts::degree_min>, "number", "links of a processor"},
      {"machine.degree_max", "", Known::planned, fact<&MachineFacts::degree_max>, "", ""},
      {"machine.diameter", "diameter", Known::planned,
       [](const RunRecord& record) { return host::json_of(record.facts.diameter); }, "number, links",
       "null if unknown"},
      {"carried", "", Known::planned, json_carried, "", ""},
      part(
          "carried.guest", "text",
          "the machine whose method runs on `machine` by `--emulate` or `--embed`; null instead of the object if there "
          "is none"),
      column("guest", Known::planned, guest, "text",
             "the machine whose method runs on `machine`; empty if it is its own"),
      part("carried.slowdown", "number", "steps for one step of the guest; null if nothing moved"),
      part("carried.messages", "number, words",
           "sent by the guest; `counted.messages` and `counted.words` count every link that they cross"),
      part("carried.words"),
      part("carried.root", "rank of `machine`",
           "of the processor with that parameter's rank in the guest; null if the method does not take it"),
      part("carried.source"),
      part("carried.destination"),
      {"algorithm.name", "algorithm", Known::refused, method_name, "text",
       "`operation/method`, or the file of a schedule"},
      {"algorithm.operation", "operation", Known::planned,
       [](const RunRecord& record) { return Json(record.plan.method->operation); }, "text", "what the method does"},
      {"algorithm.source", "", Known::planned, [](const RunRecord& record) { return Json(record.plan.method->source); },
       "text", "paper and section"},
      {"algorithm.parameters", "", Known::planned, parameters, "", ""},
      part("algorithm.parameters.NAME", "number or text",
           "every parameter that the method takes, under its flag's name, defaults filled in")};
  for (const SettingFlag& flag : setting_flags()) {
    std::string name(flag.name);
    const auto [unit, meaning] = described(flag);
    fields.push_back(column(
        name, Known::planned, [name](const RunRecord& record) { return parameters(record).value(name, Json()); }, unit,
        meaning));
  }
  for (const ModelField& field : model_fields) {
    const auto value = [&field](const RunRecord& record) {
      return field.value(run::given_model(record.plan), record.plan);
    };
    fields.push_back({"model." + std::string(field.name), "", Known::planned, value, std::string(field.unit),
                      std::string(field.meaning)});
    fields.push_back(column(
        std::string(field.name), Known::planned,
        [value](const RunRecord& record) { return Json(model_cell(value(record))); }, std::string(field.unit),
        std::string(field.meaning)));
  }
  add(fields,
      {{"faults", "", Known::planned, json_faults, "", ""},
       part("faults.flags", "text", "all planned faults, as equivalent flags; `faults` is null if there are none"),
       part("faults.links[].ranks", "ranks, cycle",
            "the links planned to fail, and when; those that were drawn come after those that were named"),
       part("faults.links[].from"),
       part("faults.processors[].rank", "rank, cycle", "the processors planned to fail, likewise"),
       part("faults.processors[].from"),
       part("faults.lost", "ranks", "those that have failed, in order of rank; null if the counts are"),
       part("faults.stragglers[].rank", "rank, number"),
       part("faults.stragglers[].factor"),
       part("faults.critical_path[].from", "ranks, cycle",
            "with stragglers: the chain of messages that determined the end of the run; empty if messages are not "
            "stored and forwarded, or if there are more than a million messages and pieces of local work; the same "
            "rank twice for local work that costs time; null for a memory, to and from which accesses go"),
       part("faults.critical_path[].to"),
       part("faults.critical_path[].cycle"),
       part("faults.critical_path[].start", "time",
            "of the transfer on the asynchronous clock, and how long the receiver had been idle when it arrived"),
       part("faults.critical_path[].end"),
       part("faults.critical_path[].waited"),
       part("faults.seed", "number", "with which links, processors and messages were drawn"),
       part("faults.dropped", "number",
            "messages affected, in the first of several runs, up to an error; null if none were planned"),
       part("faults.delayed"),
       part("faults.corrupted")});
  return fields;
}

ReportFields count_fields() {
  constexpr Known counted = Known::counted;
  return {
      {"counted.cycles", "cycles", counted, reported<&Report::cycles>, "cycles",
       "until the last message has moved, and those in which one moved"},
      {"counted.steps", "steps", counted, reported<&Report::steps>, "", ""},
      {"counted.messages", "messages", counted, reported<&Report::messages>, "number",
       "that crossed a link, and operations that sent them: a multicast is one"},
      {"counted.sends", "sends", counted, reported<&Report::sends>, "", ""},
      {"counted.words", "words", counted, reported<&Report::words>, "words", "of all messages"},
      {"counted.longest_sum", "longest_sum", counted, reported<&Report::longest_sum>, "words",
       "of the longest message of each cycle, summed"},
      {"counted.startups", "startups", counted, reported<&Report::startups>, "number", "of all messages"},
      {"counted.hops", "", counted, derived<run::hops>, "links", "crossed by all messages together; null on media"},
      {"counted.busiest_link_words", "busiest_link_words", counted, derived<run::busiest_link_words>, "words, number",
       "the most over one link and direction; null on media"},
      {"counted.busiest_link_messages", "", counted, derived<run::busiest_link_messages>, "", ""},
      {"counted.peak_words_held", "peak_words_held", counted, reported<&Report::peak_words_held>, "words",
       "the most that a processor held, and those that all copied, as far as the method tells"},
      {"counted.copied_words", "copied_words", counted, reported<&Report::copied_words>, "", ""},
      {"counted.operations", "operations", counted, reported<&Report::operations>, "number",
       "of arithmetic: in reductions and scans the words combined"},
      {"counted.scanned_blocks", "scanned_blocks", counted, reported<&Report::scanned_blocks>, "number",
       "looks at blocks"},
      {"measures", "", Known::planned, json_measures, "", ""},
      part("measures.best_copy_threshold", "words",
           "`transpose/1d-buffered`: the best threshold, before rounding to a power of two"),
      part("measures.last_arrival", "cycle",
           "`barrier/tree`: when the last processor arrives, and when the first and the last are released"),
      part("measures.first_release"),
      part("measures.last_release"),
      part("measures.longest_queue", "packets", "`route/ecube`: the most that waited at one processor"),
      part("measures.longest_path", "links", "`route/ecube`: of any packet"),
      part("measures.ways_tried", "number", "`alltoall/search`: paths that the search tried"),
      part("measures.guest_steps", "steps, messages, links",
           "with `--emulate` and `--embed`: steps of the guest; the most messages over one link and direction in one "
           "of them; the longest path"),
      part("measures.congestion"),
      part("measures.dilation"),
      part("measures.out_of_time", "0 or 1", "`alltoall/search`: whether `--time-limit` ended the search"),
      part("measures.wrapped_words", "words",
           "sums and products of whole numbers from `--input`: results that exceed 64 bits, and are modulo 2^64"),
      part("measures.slots", "messages",
           "[schedules of other programs](schedules.md): the most that a connection held; 2 if that is enough"),
      {"schedule", "", Known::planned, json_schedule, "", ""},
      part("schedule.name", "text",
           "of such a schedule: its name in the file; `MSCCL XML`, `SCCL JSON`, `SimGrid trace` or `GOAL`. `schedule` "
           "is null in other runs"),
      part("schedule.format"),
      part("schedule.chunks", "number",
           "chunks into which `--words` words are cut; steps of all threadblocks, or operations of all ranks. For "
           "traces and GOAL, name, chunks and best are null"),
      part("schedule.steps"),
      part("schedule.warnings", "list of texts", "what may fail elsewhere in a schedule that is right here"),
      part("schedule.best.algorithm", "text, steps, time",
           "the catalogued method with the least predicted time; null instead of the object if there is no prediction"),
      part("schedule.best.steps"),
      part("schedule.best.time")};
}

ReportFields prediction_fields() {
  std::vector<std::string> names;
  for (const run::PredictedCount& count : run::predicted_counts({})) names.emplace_back(count.name);
  ReportFields fields;
  for (std::size_t index = 0; index < names.size(); ++index) {
    const auto value = [index](const RunRecord& record) {
      return json_predicted_count(run::predicted_counts(record)[index].predicted);
    };
    const auto cell = [value](const char* name) {
      return [value, name](const RunRecord& record) {
        const Json count = value(record);
        return count.is_null() ? count : count[name];
      };
    };
    fields.push_back({"predicted." + names[index], "", Known::planned, value, "", ""});
    fields.push_back(column("predicted_" + names[index], Known::planned, cell("value"), "as counted",
                            "by the method's formula, and whether that is `exact` or `at_most`; empty without one"));
    fields.push_back(column("predicted_" + names[index] + "_kind", Known::planned, cell("kind")));
  }
  const auto describe = [&](const std::string& member, const std::string& unit, const std::string& meaning) {
    for (const std::string& name : names) {
      const bool is_first = name == names.front();
      fields.push_back(part("predicted." + name + "." + member, is_first ? unit : "", is_first ? meaning : ""));
    }
  };
  describe("value", "as counted", "null instead of the object if there is no prediction");
  describe("kind", "text", "`exact` or `at_most`");
  describe("formula", "text", "how the value is computed");
  add(fields,
      {{"phases", "", Known::counted, json_phases, "", ""},
       part("phases[].name", "text",
            "in the order in which their first messages moved; the list is empty if the method names no phases"),
       part("phases[].steps", "as counted", "of this phase"),
       part("phases[].messages"),
       part("phases[].words"),
       part("phases[].longest_sum"),
       {"longest_per_cycle", "", Known::listed, json_longest, "list, words",
        "with `--cycles`: element c is the longest message of cycle c"},
       {"per_cycle", "", Known::listed, json_cycles, "", ""},
       part("per_cycle[].cycle", "cycle", "with `--cycles`: the cycles in which a processor ran"),
       part("per_cycle[].messages", "as counted", "of this cycle"),
       part("per_cycle[].words"),
       part("per_cycle[].longest"),
       part("per_cycle[].visited", "number", "processors that ran")});
  return fields;
}

ReportFields bound_fields() {
  const auto time = [](const RunRecord& record) { return json_time(record.lower_bound.time); };
  return {
      {"lower_bound.steps", "lower_bound_steps", Known::planned, least<&LowerBound::steps>, "cycles, words",
       "that no method can beat; null if unknown"},
      {"lower_bound.longest_sum", "lower_bound_longest_sum", Known::planned, least<&LowerBound::longest_sum>, "", ""},
      {"lower_bound.steps_argument", "", Known::planned, argument<&LowerBound::steps_argument>, "text",
       "why, in words; null if unknown"},
      {"lower_bound.longest_sum_argument", "", Known::planned, argument<&LowerBound::longest_sum_argument>, "", ""},
      {"lower_bound.steps_ratio", "lower_bound_steps_ratio", Known::ended, derived<run::steps_to_bound>, "number",
       "counted, divided by the bound"},
      {"lower_bound.longest_sum_ratio", "lower_bound_longest_sum_ratio", Known::ended,
       derived<run::longest_sum_to_bound>, "", ""},
      {"lower_bound.steps_optimal", "steps_optimal", Known::ended, derived<run::is_optimal_in_steps>, "true or false",
       "whether the bound is met, and whether both are"},
      {"lower_bound.longest_sum_optimal", "longest_sum_optimal", Known::ended, derived<run::is_optimal_in_longest_sum>,
       "", ""},
      {"lower_bound.optimal", "optimal", Known::ended, derived<run::is_optimal>, "", ""},
      {"lower_bound.time", "", Known::planned, time, "", ""},
      part("lower_bound.time.value", "time, text", "if a bound on the time is known"),
      part("lower_bound.time.formula"),
      column(
          "lower_bound_time", Known::planned, [](const RunRecord& record) { return value_of(record.lower_bound.time); },
          "time", "that no method can beat on the synchronous clock; empty if unknown")};
}

ReportFields time_fields() {
  const auto asynchronous = [](const RunRecord& record) { return record.prediction.asynchronous; };
  const auto closed_form = [](const RunRecord& record) { return record.prediction.closed_form; };
  return {
      {"modelled_time.synchronous", "time_synchronous", Known::counted, reported<&Report::time_synchronous>, "time",
       "by the two clocks"},
      {"modelled_time.asynchronous", "time_asynchronous", Known::counted, reported<&Report::time_asynchronous>, "", ""},
      {"modelled_time.arithmetic", "time_arithmetic", Known::counted, reported<&Report::time_arithmetic>, "time",
       "the arithmetic part of the synchronous time"},
      {"modelled_time.predicted", "time_predicted", Known::planned,
       [](const RunRecord& record) { return value_of(run::predicted_time(record)); }, "time, text",
       "of the synchronous clock; `exact` or `at_most`"},
      {"modelled_time.predicted_kind", "", Known::planned, predicted_kind, "", ""},
      {"modelled_time.predicted_asynchronous", "", Known::planned,
       [asynchronous](const RunRecord& record) { return json_predicted_time(asynchronous(record)); }, "", ""},
      part("modelled_time.predicted_asynchronous.value", "time, text, text", "of the asynchronous clock"),
      part("modelled_time.predicted_asynchronous.kind"),
      part("modelled_time.predicted_asynchronous.formula"),
      column(
          "time_predicted_asynchronous", Known::planned,
          [asynchronous](const RunRecord& record) { return value_of(asynchronous(record)); }, "time",
          "predicted for the asynchronous clock"),
      {"modelled_time.closed_form", "", Known::planned,
       [closed_form](const RunRecord& record) { return json_time(closed_form(record)); }, "", ""},
      part("modelled_time.closed_form.value", "time, text", "by the paper's closed form, which may be approximate"),
      part("modelled_time.closed_form.formula"),
      column(
          "time_closed_form", Known::planned,
          [closed_form](const RunRecord& record) { return value_of(closed_form(record)); }, "time",
          "by the paper's closed form, which may be approximate")};
}

ReportFields ending_fields() {
  return {
      column("measures", Known::ended, measures_text, "text",
             "what only some methods measure, as `name=value`, separated by spaces"),
      column(
          "faults", Known::planned, [](const RunRecord& record) { return Json(flags_of(record.plan.faults)); }, "text",
          "all planned faults, as flags"),
      {"coverage", "", Known::counted, json_coverage, "", ""},
      part("coverage.right", "processors",
           "that hold all that they should, and no more, in the end or at the error; `coverage` is null if the "
           "processors hold nothing of the result, or their data was not judged"),
      part("coverage.due", "processors", "that should hold some of the result, or hold what they should not"),
      part("coverage.share", "number", "the first divided by the second"),
      part("coverage.missing", "list of ranks", "the first hundred that do not hold what they should, or have failed"),
      column(
          "coverage", Known::counted,
          [](const RunRecord& record) { return record.coverage ? Json(record.coverage->share()) : Json(); }, "number",
          "the share of the processors that should hold some of the result and hold all that they should"),
      {"problems", "", Known::ended, [](const RunRecord& record) { return Json(record.problems); }, "list of texts",
       "all errors of a run that completed: data, counts, times"},
      column(
          "verified", Known::planned, [](const RunRecord& record) { return Json(record.is_verified()); },
          "true or false", "whether everything is right"),
      {"status", "status", Known::refused, [](const RunRecord& record) { return Json(name(record.status)); }, "text",
       "`verified`, `failed`, `refused` or `interrupted`; on pages of [programs](programs.md#a-page-of-a-run), whose "
       "data is not verified, `ended`"},
      {"error", "", Known::refused, json_problem, "", ""},
      part("error.kind", "text",
           "one of the [kinds of error](semantics.md#how-a-run-ends), or `wrong-data`, `prediction-differs`, `input`, "
           "`output`, `memory`, `internal`; `error` is null without an error"),
      part("error.cycle", "cycle, rank", "where it happened"),
      part("error.rank"),
      part("error.ports", "list of numbers", "the ports concerned; on a bus or switch ranks, on a memory slots"),
      part("error.text", "text", "one line"),
      part("error.dot", "text", "the waits of a deadlock in the language of Graphviz"),
      part(
          "error.waits", "list",
          "of a deadlock: each wait with its `rank`, `port` (null if any will do, and on a medium), `since` (cycle), "
          "`neighbour` (the rank that should send, of several the first that still runs; null on a memory), "
          "`neighbour_ended`, whether its program has ended, and `neighbour_failed`, the cycle of the fault that ended "
          "it (null if none did)"),
      column(
          "error", Known::refused, [](const RunRecord& record) { return Json(record.error); }, "text",
          "the kind of error; empty without one"),
      {"verified", "", Known::refused, [](const RunRecord& record) { return Json(record.is_verified()); },
       "true or false", "whether everything is right"},
      {"digest", "digest", Known::ended, [](const RunRecord& record) { return text_or_null(record.digest); }, "text",
       "16 hexadecimal digits, of data, counts, modelled times and measures"}};
}

/// Names the columns of parameters: "time_limit", or "words_parameter" where another column has that name.
void name_parameters(ReportFields& fields) {
  for (const SettingFlag& flag : setting_flags()) {
    const auto parameter = std::ranges::find(fields, flag.name, &ReportField::column);
    std::string column(flag.name);
    std::ranges::replace(column, '-', '_');
    const auto has_name = [&](const ReportField& field) { return &field != &*parameter && field.column == column; };
    if (std::ranges::any_of(fields, has_name)) column += "_parameter";
    parameter->column = column;
  }
}

ReportFields all_fields() {
  ReportFields fields;
  for (const auto part : {setting_fields, count_fields, prediction_fields, bound_fields, time_fields,
                          measurement_fields, ending_fields}) {
    add(fields, part());
  }
  name_parameters(fields);
  return fields;
}

}  // namespace

const std::vector<ReportField>& fields() {
  static const ReportFields all = all_fields();
  return all;
}

Json json_model(const run::RunPlan& plan) {
  const Model model = run::given_model(plan);
  Json json;
  for (const ModelField& field : model_fields) json[std::string(field.name)] = field.value(model, plan);
  return json;
}

std::vector<std::pair<std::string, std::string>> model_cells(const run::RunPlan& plan) {
  const Model model = run::given_model(plan);
  std::vector<std::pair<std::string, std::string>> cells;
  for (const ModelField& field : model_fields) cells.emplace_back(field.name, model_cell(field.value(model, plan)));
  return cells;
}

}  // namespace lockstep::cli::report
