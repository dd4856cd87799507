#include "quantity.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "host/number_text.hpp"
#include "lockstep/algorithms/parameter.hpp"

namespace lockstep::cli::report {
namespace {

template <auto counted, auto predicted>
std::optional<Figure> count(const run::RunRecord& record) {
  if (record.has_counts()) return Figure{static_cast<long double>(record.outcome.report.*counted)};
  const std::optional<Count>& known = record.prediction.*predicted;
  if (!known) return {};
  return Figure{static_cast<long double>(known->value), known->exact};
}

std::optional<Figure> figure_of(const std::optional<ModelledTime>& time) {
  if (!time) return {};
  return Figure{static_cast<long double>(time->value), time->exact};
}

std::optional<Figure> synchronous(const run::RunRecord& record) {
  if (record.has_counts()) return Figure{static_cast<long double>(record.outcome.report.time_synchronous)};
  return figure_of(run::predicted_time(record));
}

std::optional<Figure> asynchronous(const run::RunRecord& record) {
  if (record.has_counts()) return Figure{static_cast<long double>(record.outcome.report.time_asynchronous)};
  return figure_of(record.prediction.asynchronous);
}

template <auto member>
std::optional<Figure> bound(const run::RunRecord& record) {
  const std::optional<std::uint64_t>& known = record.lower_bound.*member;
  if (!known) return {};
  return Figure{static_cast<long double>(*known)};
}

template <auto of, auto member>
std::optional<Figure> ratio(const run::RunRecord& record) {
  if (record.is_cut_off) return {};
  const auto figure = of(record);
  const auto least = bound<member>(record);
  if (!figure || !least || least->value == 0) return {};
  return Figure{figure->value / least->value, figure->exact};
}

std::optional<Figure> least_time(const run::RunRecord& record) { return figure_of(record.lower_bound.time); }

std::optional<Figure> time_to_bound(const run::RunRecord& record) {
  if (record.is_cut_off) return {};
  const auto figure = synchronous(record);
  const auto least = least_time(record);
  if (!figure || !least || least->value == 0) return {};
  return Figure{figure->value / least->value, figure->exact};
}

std::optional<Figure> processors(const run::RunRecord& record) {
  return Figure{static_cast<long double>(record.facts.processors)};
}

std::optional<Figure> links(const run::RunRecord& record) {
  return Figure{static_cast<long double>(record.facts.links)};
}

template <auto number>
std::optional<Figure> time_times(const run::RunRecord& record) {
  const auto time = synchronous(record);
  if (!time) return {};
  return Figure{time->value * number(record)->value, time->exact};
}

std::optional<Figure> links_crossed(const run::RunRecord& record) {
  if (record.plan.machine.medium) return {};
  return count<&Report::messages, &Prediction::messages>(record);
}

std::optional<Figure> busiest_link(const run::RunRecord& record) {
  const auto words = record.has_counts() ? run::busiest_link_words(record) : std::nullopt;
  if (!words) return {};
  return Figure{static_cast<long double>(*words)};
}

std::optional<Figure> wall(const run::RunRecord& record) {
  if (!record.has_ended()) return {};
  return Figure{static_cast<long double>(record.wall.run.median)};
}

std::optional<Figure> coverage(const run::RunRecord& record) {
  if (!record.coverage) return {};
  return Figure{static_cast<long double>(record.coverage->share())};
}

template <auto member>
std::optional<Figure> gain(const run::RunRecord& record) {
  if (!record.wall.gain) return {};
  return Figure{static_cast<long double>((*record.wall.gain).*member)};
}

constexpr auto steps = count<&Report::steps, &Prediction::steps>;
constexpr auto longest_sum = count<&Report::longest_sum, &Prediction::longest_sum>;

constexpr Quantity all[] = {
    {"steps", "steps", "steps", true, steps},
    {"lower_bound_steps", "bound", "", true, bound<&LowerBound::steps>},
    {"lower_bound_steps_ratio", "ratio", "", false, ratio<steps, &LowerBound::steps>},
    {"messages", "messages", "messages", true, count<&Report::messages, &Prediction::messages>},
    {"words", "words", "words", true, count<&Report::words, &Prediction::words>},
    {"longest_sum", "longest sum", "longest", true, longest_sum},
    {"lower_bound_longest_sum", "bound", "", true, bound<&LowerBound::longest_sum>},
    {"lower_bound_longest_sum_ratio", "ratio", "", false, ratio<longest_sum, &LowerBound::longest_sum>},
    {"hops", "hops", "hops", true, links_crossed},
    {"busiest_link_words", "busiest link", "busiest-link", true, busiest_link},
    {"startups", "start-ups", "startups", true, count<&Report::startups, &Prediction::startups>},
    {"copied_words", "copied", "", true, count<&Report::copied_words, &Prediction::copied_words>},
    {"operations", "operations", "", true, count<&Report::operations, &Prediction::operations>},
    {"scanned_blocks", "looks", "", true, count<&Report::scanned_blocks, &Prediction::scanned_blocks>},
    {"time_synchronous", "time", "time", false, synchronous},
    {"lower_bound_time", "bound", "", false, least_time},
    {"lower_bound_time_ratio", "ratio", "", false, time_to_bound},
    {"time_asynchronous", "async", "async", false, asynchronous},
    {"processors", "processors", "", true, processors},
    {"links", "links", "", true, links},
    {"time_times_processors", "time x processors", "processors", false, time_times<processors>},
    {"time_times_links", "time x links", "links", false, time_times<links>},
    {"coverage", "coverage", "", false, coverage},
    {"run_s", "wall", "wall", false, wall},
};

constexpr Quantity of_threads[] = {
    {"speedup", "speed-up", "speedup", false, gain<&run::ThreadGain::speedup>, true},
    {"efficiency", "efficiency", "efficiency", false, gain<&run::ThreadGain::efficiency>, true},
};

}  // namespace

std::span<const Quantity> quantities() { return all; }

std::span<const Quantity> thread_quantities() { return of_threads; }

const Quantity& find_quantity(std::string_view name) { return *std::ranges::find(all, name, &Quantity::name); }

bool is_time(const Quantity& quantity) { return quantity.name.starts_with("time_"); }

bool is_predictable(const Quantity& quantity) {
  return quantity.name != "run_s" && quantity.name != "busiest_link_words" && !quantity.is_more_better;
}

const Quantity& find_criterion(const std::string& name, bool predicted, bool has_threads) {
  std::vector<std::string> names;
  const auto find = [&](std::span<const Quantity> among) -> const Quantity* {
    for (const Quantity& quantity : among) {
      if (quantity.criterion.empty()) continue;
      if (quantity.criterion == name) return &quantity;
      names.emplace_back(quantity.criterion);
    }
    return nullptr;
  };
  const Quantity* found = find(all);
  if (found == nullptr && has_threads) found = find(of_threads);
  if (found != nullptr && predicted && !is_predictable(*found)) {
    throw InputError("--by " + name + " needs runs, and --predict makes none");
  }
  if (found != nullptr) return *found;
  refuse_choice("--by", name, names);
}

std::string title_of(const Quantity& quantity) {
  return quantity.name == "time_synchronous" ? "modelled time" : std::string(quantity.heading);
}

nlohmann::ordered_json exact_json(const Quantity& quantity, const Figure& figure) {
  if (quantity.is_count) return static_cast<std::uint64_t>(figure.value);
  return static_cast<double>(figure.value);
}

std::string short_text(const Quantity& quantity, const Figure& figure) {
  const std::string text = quantity.is_count ? host::grouped(static_cast<std::uint64_t>(std::round(figure.value)))
                           : quantity.name == "run_s" ? host::duration(static_cast<double>(figure.value))
                                                      : host::short_figure(figure.value);
  return (figure.exact ? "" : "<= ") + text;
}

}  // namespace lockstep::cli::report
