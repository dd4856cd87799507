#include "guests.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "comparison.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "rules.hpp"

namespace lockstep::cli::compare {
namespace {

using GuestMethods = std::vector<run::GuestMethod>;
using Quantities = std::vector<const report::Quantity*>;

/// A task under some rules, and a quantity by number.
using Race = std::tuple<std::size_t, std::string, RunRules>;

/// The arguments for one machine, and the trials of its own methods.
struct GuestPoint {
  run::TrialArguments arguments;
  std::vector<const run::Trial*> own;
};

/// The least figure of the machine's own methods.
struct OwnBest {
  long double figure;
  bool can_be_beaten;  ///< it is above the bound, or no bound is known
  const run::Trial* trial;
};

/// A guest's figure.
struct Challenge {
  Race race;
  const run::GuestMethod* method;
  long double figure;
  std::optional<long double> own;  ///< the least of the machine's own methods
};

/// Whether the first is less by more than rounding.
bool is_less(long double first, long double second) { return first < second - 1e-9L * second; }

std::optional<long double> bound_of(const report::Quantity& quantity, const LowerBound& bound) {
  if (quantity.name == "steps" && bound.steps) return static_cast<long double>(*bound.steps);
  if (quantity.name == "longest_sum" && bound.longest_sum) return static_cast<long double>(*bound.longest_sum);
  if (quantity.name == "time_synchronous" && bound.time) return static_cast<long double>(bound.time->value);
  return {};
}

/// Calls visit(race, figure, number of the quantity) for the trial's exact figures.
template <class Visit>
void for_figures(const run::Trial& trial, const Quantities& quantities, const Visit& visit) {
  if (!trial.record) return;
  const std::string task = task_of(*trial.record);
  const RunRules rules = rules_of(trial.record->plan);
  for (std::size_t number = 0; number < quantities.size(); ++number) {
    const auto figure = quantities[number]->of(*trial.record);
    if (figure && figure->exact) visit(Race(number, task, rules), figure->value, number);
  }
}

std::map<Race, OwnBest> best_of(const std::vector<const run::Trial*>& own, const Quantities& quantities) {
  std::map<Race, OwnBest> best;
  for (const run::Trial* const trial : own) {
    if (!trial->record || !run::is_under_own_rules(*trial)) continue;
    for_figures(*trial, quantities, [&](const Race& race, long double figure, std::size_t number) {
      const auto bound = bound_of(*quantities[number], trial->record->lower_bound);
      const OwnBest one{figure, !bound || is_less(*bound, figure), trial};
      const auto [known, is_new] = best.try_emplace(race, one);
      if (!is_new && figure < known->second.figure) known->second = one;
    });
  }
  return best;
}

/// Whether guests can add to what is there: not if own methods that none can beat have the asked-for rules.
bool has_room(const std::map<Race, OwnBest>& own, const Quantities& quantities, const run::TrialArguments& asked) {
  std::size_t met = 0;
  for (const auto& [race, best] : own) {
    if (best.can_be_beaten) return true;
    if (are_asked_for(std::get<RunRules>(race), asked)) ++met;
  }
  return met < quantities.size();
}

/// A figure of at most this multiple of the least may be the least at another size.
constexpr long double near = 1.25;

/// Whether a method of the machine that lies in the host may come near to the host's own: by its bounds, not by
/// predictions, which take seconds where methods plan every message.
bool may_challenge(const Embedding& guest, const std::map<Race, OwnBest>& own, const Quantities& quantities,
                   const run::TrialArguments& asked) {
  std::size_t known = 0;
  for (const auto& [race, best] : own) {
    const run::RunPlan& plan = best.trial->record->plan;
    Rank root = 0;
    while (plan.settings.root && guest.place(root) != *plan.settings.root) ++root;
    const LowerBound bound =
        bound_of_task(asked.operation, root, *guest.machine, plan.model, plan.settings.words.value_or(0));
    const auto least = bound_of(*quantities[std::get<std::size_t>(race)], bound);
    if (!least || *least <= near * best.figure) return true;
    if (are_asked_for(std::get<RunRules>(race), asked)) ++known;
  }
  return known < quantities.size() * std::max<std::size_t>(asked.ports.size(), 1);
}

/// Those that may come near. Bounds of small machines take longer than predictions there.
std::vector<const run::GuestMethod*> challengers(const GuestMethods& guests, const std::map<Race, OwnBest>& own,
                                                 const Quantities& quantities, const run::TrialArguments& asked) {
  constexpr std::uint64_t least_processors = 256;
  std::vector<const run::GuestMethod*> left;
  std::map<const Embedding*, bool> may;
  for (const run::GuestMethod& guest : guests) {
    const auto [known, is_new] = may.try_emplace(guest.embedding.get(), true);
    if (is_new && guest.embedding->host.processors >= least_processors) {
      known->second = may_challenge(*guest.embedding, own, quantities, asked);
    }
    if (known->second) left.push_back(&guest);
  }
  return left;
}

std::vector<Challenge> challenges(const GuestPoint& point, const Quantities& quantities, const GuestMethods& guests) {
  const std::map<Race, OwnBest> own = best_of(point.own, quantities);
  std::vector<Challenge> all;
  if (guests.empty() || !has_room(own, quantities, point.arguments)) return all;
  const std::vector<const run::GuestMethod*> left = challengers(guests, own, quantities, point.arguments);
  run::TrialArguments predicting = point.arguments;
  predicting.predict = true;
  predicting.guests.clear();
  for (const run::GuestMethod* const guest : left) predicting.guests.push_back(*guest);
  const std::vector<run::Trial> trials = run::plan_guests(predicting, false);
  // Where the machine has own methods under the rules, sizes that only guests have are other defaults.
  const auto is_missing = [&](const Race& race) {
    const auto& [number, task, rules] = race;
    const auto has_rules = [&](const auto& one) { return std::get<RunRules>(one.first) == std::get<RunRules>(race); };
    return are_asked_for(rules, predicting) &&
           (task.find(", --") == std::string::npos || std::ranges::none_of(own, has_rules));
  };
  const std::size_t trials_of_each = std::max<std::size_t>(predicting.ports.size(), 1);
  for (std::size_t number = 0; number < trials.size(); ++number) {
    for_figures(trials[number], quantities, [&](const Race& race, long double figure, std::size_t) {
      const auto best = own.find(race);
      if (best == own.end() && !is_missing(race)) return;
      const auto least = best == own.end() ? std::nullopt : std::optional(best->second.figure);
      all.push_back({race, left[number / trials_of_each], figure, least});
    });
  }
  return all;
}

/// The first few at some of the points, of those that come near to the machine's own methods there.
template <class Planning>
GuestMethods screened(std::span<const GuestPoint> points, const Quantities& quantities, const GuestMethods& guests,
                      const Planning& planning) {
  constexpr std::size_t most_points = 12;
  constexpr std::size_t most_of_race = 3;
  const std::size_t stride = (points.size() + most_points - 1) / most_points;
  if (stride < 2) return guests;
  std::vector<bool> is_kept(guests.size());
  const auto look = [&](const GuestPoint& point) {
    planning(0);
    std::vector<Challenge> all = challenges(point, quantities, guests);
    std::erase_if(all, [&](const Challenge& one) { return one.own && one.figure > near * *one.own; });
    std::ranges::stable_sort(all, {}, &Challenge::figure);
    std::map<Race, std::size_t> kept;
    for (const Challenge& one : all) {
      if (kept[one.race]++ < most_of_race) is_kept[static_cast<std::size_t>(one.method - guests.data())] = true;
    }
  };
  for (std::size_t index = 0; index < points.size(); index += stride) look(points[index]);
  look(points.back());
  GuestMethods all_kept;
  for (std::size_t index = 0; index < guests.size(); ++index) {
    if (is_kept[index]) all_kept.push_back(guests[index]);
  }
  return all_kept;
}

/// Adds one of the methods, which are equally good, unless one of them is chosen already.
void choose_one(const std::vector<const run::GuestMethod*>& equal, GuestMethods& chosen) {
  const auto is_chosen = [&](const run::GuestMethod* one) {
    return std::ranges::any_of(chosen, [&](const run::GuestMethod& known) {
      return known.embedding == one->embedding && known.method == one->method;
    });
  };
  if (std::ranges::none_of(equal, is_chosen)) chosen.push_back(*equal.front());
}

/// Adds the methods that beat the machine's own at these points, which are all of that machine. planning(part) is
/// called before each of them.
template <class Planning>
void choose(std::span<const GuestPoint> points, const Quantities& quantities, GuestMethods& chosen,
            const Planning& planning) {
  const run::TrialArguments& first = points.front().arguments;
  const GuestMethods guests =
      screened(points, quantities, run::guest_methods(first, parse_machine(first.machines.front())), planning);
  for (const GuestPoint& point : points) {
    planning(static_cast<double>(&point - points.data()) / static_cast<double>(points.size()));
    std::map<Race, std::vector<const Challenge*>> leaders;
    const std::vector<Challenge> all = challenges(point, quantities, guests);
    for (const Challenge& one : all) {
      if (one.own && !is_less(one.figure, *one.own)) continue;
      std::vector<const Challenge*>& equal = leaders[one.race];
      if (!equal.empty() && is_less(equal.front()->figure, one.figure)) continue;
      if (!equal.empty() && is_less(one.figure, equal.front()->figure)) equal.clear();
      equal.push_back(&one);
    }
    for (const auto& [race, equal] : leaders) {
      std::vector<const run::GuestMethod*> methods;
      for (const Challenge* const one : equal) methods.push_back(one->method);
      choose_one(methods, chosen);
    }
  }
}

bool is_at(const SweepTrial& one, const SweepTrial& other) {
  return one.values == other.values && one.trial.machine == other.trial.machine;
}

}  // namespace

void add_guests(const run::TrialArguments& arguments, const Quantities& quantities, std::vector<run::Trial>& trials) {
  run::TrialArguments with_guests = arguments;
  for (const std::string& machine : arguments.machines) {
    GuestPoint point{arguments, {}};
    point.arguments.machines = {machine};
    for (const run::Trial& trial : trials) {
      if (trial.machine == machine) point.own.push_back(&trial);
    }
    choose({&point, 1}, quantities, with_guests.guests, [](double) {});
  }
  std::ranges::move(run::plan_guests(with_guests), std::back_inserter(trials));
}

void add_guests(SweepArguments& arguments, const report::Quantity& criterion, std::vector<SweepTrial>& trials) {
  std::map<std::string, std::vector<GuestPoint>> points;
  for (const SweepTrial& one : trials) {
    std::vector<GuestPoint>& of_machine = points[one.trial.machine];
    const bool is_new = &one == trials.data() || !is_at(*(&one - 1), one);
    if (is_new) of_machine.push_back({at_point(arguments, one.trial.machine, one.values), {}});
    of_machine.back().own.push_back(&one.trial);
  }
  GuestMethods chosen;
  for (const auto& [machine, of_machine] : points) {
    choose(of_machine, {&criterion}, chosen,
           [&](double part) { arguments.planning("methods of spanning machines", part); });
  }
  if (chosen.empty()) return;
  arguments.trials.guests = chosen;
  std::vector<SweepTrial> all;
  for (std::size_t index = 0; index < trials.size(); ++index) {
    all.push_back(std::move(trials[index]));
    const SweepTrial& last = all.back();
    if (index + 1 < trials.size() && is_at(last, trials[index + 1])) continue;
    const std::vector<std::string> values = last.values;
    for (run::Trial& guest : run::plan_guests(at_point(arguments, last.trial.machine, values))) {
      all.push_back(sweep_trial(std::move(guest), values, criterion));
    }
  }
  trials = std::move(all);
}

}  // namespace lockstep::cli::compare
