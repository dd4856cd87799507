#include "best.hpp"

#include <algorithm>
#include <set>

#include "comparison.hpp"
#include "guests.hpp"
#include "host/number_text.hpp"
#include "lockstep/machines/input_error.hpp"
#include "run/memory_need.hpp"
#include "sweep_axis.hpp"
#include "sweep_plot.hpp"

namespace lockstep::cli::compare {
namespace {

/// Empty if there is no such trial.
std::optional<run::Trial> trial_at(const SweepArguments& arguments, const std::string& value, const std::string& name) {
  for (run::Trial& trial : trials_at(arguments, value)) {
    if (trial.is_for_machine() && heading_of(trial, arguments) == name) return std::move(trial);
  }
  return {};
}

/// The names of all that take no more at that value than its leader.
std::vector<std::string> equals_at(const Best& best, const std::string& value, const run::Trial& leader) {
  const auto figure = best.criterion.of(*leader.record);
  std::vector<std::string> names;
  for (const run::Trial& trial : trials_at(best.arguments, value)) {
    if (!trial.record || task_of(*trial.record) != task_of(*leader.record)) continue;
    if (rules_of(trial.record->plan) != rules_of(leader.record->plan)) continue;
    const auto other = best.criterion.of(*trial.record);
    const std::string name = heading_of(trial, best.arguments);
    if (name != heading_of(leader, best.arguments) && other && other->exact && other->value == figure->value) {
      names.push_back(name);
    }
  }
  return names;
}

Win win_of(const Best& best, const Lead& lead) {
  Win win{.lead = lead,
          .first = trial_at(best.arguments, lead.from, lead.name).value(),
          .last = trial_at(best.arguments, lead.to, lead.name).value(),
          .as_good = {}};
  const std::vector<std::string> last = equals_at(best, lead.to, win.last);
  for (const std::string& name : equals_at(best, lead.from, win.first)) {
    if (std::ranges::find(last, name) != last.end()) win.as_good.push_back(name);
  }
  return win;
}

std::vector<std::string> names_without_prediction(const Best& best) {
  std::vector<std::string> all;
  std::set<std::string> predicted;
  for (const SweepTrial& trial : best.trials) {
    if (!trial.trial.record) continue;
    const std::string name = heading_of(trial.trial, best.arguments);
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
    if (trial.predicted && trial.predicted->exact) predicted.insert(name);
  }
  std::erase_if(all, [&](const std::string& name) { return predicted.contains(name); });
  return all;
}

/// What runs may take together, to confirm predictions: some seconds at most.
class Allowance {
 public:
  /// Whether the run is within what is left, from which it is taken.
  bool covers(const run::RunRecord& record) {
    const Prediction& prediction = record.prediction;
    const run::RunPlan& plan = record.plan;
    const Wide messages = prediction.messages ? prediction.messages->value : 0;
    const Wide words = prediction.words ? prediction.words->value : 0;
    const Wide bytes = run::run_memory(*plan.method, plan.stage(), plan.model, plan.settings);
    if (messages > messages_ || words > words_ || bytes > bytes_) return false;
    messages_ -= messages;
    words_ -= words;
    bytes_ -= bytes;
    return true;
  }

 private:
  Wide messages_ = Wide{1} << 20;
  Wide words_ = Wide{1} << 26;
  Wide bytes_ = Wide{1} << 30;
};

/// The doublings of the last value below the next; none unless the value is a size or a cost.
void add_doublings(const SweepArguments& arguments, const std::string& next, std::vector<std::string>& values) {
  const std::string name = varied_name(arguments);
  const bool is_cost = between_values(arguments) == ValuesBetween::numbers;
  if (!is_cost && name != "words" && name != "packets" && name != "max-packet") return;
  double between = 2 * place_of(arguments, values.back());
  for (; between > 0 && between < place_of(arguments, next); between *= 2) {
    values.push_back(is_cost ? host::short_number(between, 15) : std::to_string(static_cast<std::uint64_t>(between)));
  }
}

}  // namespace

SweepArguments refined(const SweepArguments& arguments) {
  SweepArguments finer = arguments;
  if (between_values(arguments) == ValuesBetween::unknown) return finer;
  std::vector<std::string> all;
  for (const std::string& value : in_order(values_of(arguments))) {
    if (!all.empty()) add_doublings(arguments, value, all);
    all.push_back(value);
  }
  finer.variations.front().values = all;
  return finer;
}

Best find_best(SweepArguments& arguments, const report::Quantity& criterion) {
  Best best{.arguments = arguments,
            .criterion = criterion,
            .trials = plan_sweep(arguments, criterion),
            .leads = {},
            .wins = {},
            .unpredicted = {},
            .runs = {}};
  add_guests(arguments, criterion, best.trials);
  for (SweepTrial& trial : best.trials) trial.figure = trial.predicted;
  best.leads = leads_of(arguments, best.trials, criterion);
  if (best.leads.empty()) throw InputError("nothing is predicted here; `lockstep sweep` runs what can be run");
  for (const Lead& lead : best.leads) best.wins.push_back(win_of(best, lead));
  best.unpredicted = names_without_prediction(best);
  return best;
}

std::vector<EdgeRun> edges_of(const Best& best) {
  std::set<std::pair<std::string, std::string>> known;
  std::vector<EdgeRun> runs;
  Allowance allowance;
  const auto add = [&](const std::string& value, const std::string& name) {
    if (!known.emplace(value, name).second) return;
    std::optional<run::Trial> trial = trial_at(best.arguments, value, name);
    if (!trial || !trial->record) return;  // a leader elsewhere may not be legal here
    run::plan_to_run(*trial);
    if (trial->record && !allowance.covers(*trial->record)) {
      trial->record.reset();
      trial->reason = "would take more than a moment";
      runs.push_back({.value = value, .trial = std::move(*trial), .is_long = true});
      return;
    }
    runs.push_back({.value = value, .trial = std::move(*trial)});
  };
  for (std::size_t index = 0; index < best.leads.size(); ++index) {
    const Lead& lead = best.leads[index];
    add(lead.from, lead.name);
    add(lead.to, lead.name);
    if (index + 1 == best.leads.size() || !best.leads[index + 1].is_beside(lead)) continue;
    const Lead& next = best.leads[index + 1];
    add(lead.to, next.name);
    add(next.from, lead.name);
  }
  return runs;
}

}  // namespace lockstep::cli::compare
