#include "fault_outcomes.hpp"

#include <algorithm>
#include <utility>

#include "host/number_text.hpp"
#include "host/spread.hpp"
#include "host/table.hpp"
#include "lockstep/core/printable.hpp"
#include "sweep_axis.hpp"

namespace lockstep::cli::compare {
namespace {

constexpr std::string_view seed_name = "fault-seed";

/// The runs of one method at one point, under all seeds.
struct FaultSample {
  std::string machine;
  std::vector<std::string> values;  ///< of what else is varied
  std::string method;
  std::size_t runs = 0;
  std::vector<double> coverages{};  ///< where they are known
  std::vector<double> figures{};    ///< of those that delivered
};

std::vector<std::string> values_beside_seed(const SweepArguments& arguments, const SweepTrial& trial) {
  std::vector<std::string> values;
  for (std::size_t index = 0; index < trial.values.size(); ++index) {
    if (arguments.variations[index].name != seed_name) values.push_back(trial.values[index]);
  }
  return values;
}

std::vector<FaultSample> samples_of(const SweepArguments& arguments, const std::vector<const SweepTrial*>& trials) {
  std::vector<FaultSample> samples;
  for (const SweepTrial* const trial : trials) {
    if (!trial->trial.has_failed && !trial->figure) continue;  // it did not run
    FaultSample sample{.machine = trial->trial.machine,
                       .values = values_beside_seed(arguments, *trial),
                       .method = heading_of(trial->trial, arguments)};
    auto same = std::ranges::find_if(samples, [&](const FaultSample& other) {
      return other.machine == sample.machine && other.values == sample.values && other.method == sample.method;
    });
    if (same == samples.end()) same = samples.insert(samples.end(), std::move(sample));
    ++same->runs;
    if (trial->coverage) same->coverages.push_back(*trial->coverage);
    if (!trial->trial.has_failed) same->figures.push_back(static_cast<double>(trial->figure->value));
  }
  return samples;
}

}  // namespace

bool is_over_fault_seeds(const SweepArguments& arguments) { return is_varied(arguments, seed_name); }

std::string outcomes_table(const SweepArguments& arguments, const std::vector<const SweepTrial*>& trials,
                           const report::Quantity& criterion) {
  const std::vector<FaultSample> samples = samples_of(arguments, trials);
  std::vector<host::Column> columns;
  const auto add = [&](const std::string& heading, bool is_text, const auto& cell) {
    columns.push_back({heading, is_text, {}});
    for (const FaultSample& sample : samples) columns.back().cells.push_back(cell(sample));
  };
  if (arguments.trials.machines.size() > 1) {
    add("machine", true, [](const FaultSample& sample) { return printable(sample.machine); });
  }
  std::size_t place = 0;
  for (const Variation& variation : arguments.variations) {
    if (variation.name == seed_name) continue;
    add(variation.name, false, [place](const FaultSample& sample) { return sample.values[place]; });
    ++place;
  }
  add("method", true, [](const FaultSample& sample) { return printable(sample.method); });
  add("runs", false, [](const FaultSample& sample) { return host::grouped(sample.runs); });
  add("delivered", false, [](const FaultSample& sample) {
    return host::percent(static_cast<double>(sample.figures.size()) / static_cast<double>(sample.runs));
  });
  const auto add_coverage = [&](const std::string& heading, double host::Spread::*part) {
    add(heading, false, [part](const FaultSample& sample) {
      return sample.coverages.empty() ? "-" : host::percent(host::spread_of(sample.coverages).*part);
    });
  };
  add_coverage("least coverage", &host::Spread::least);
  add_coverage("quartile", &host::Spread::lower_quartile);
  add_coverage("median", &host::Spread::median);
  add_coverage("quartile", &host::Spread::upper_quartile);
  add("median " + std::string(criterion.heading), false, [&](const FaultSample& sample) {
    if (sample.figures.empty()) return std::string("-");
    return report::short_text(criterion, {host::spread_of(sample.figures).median});
  });
  return host::plain_table(columns);
}

}  // namespace lockstep::cli::compare
