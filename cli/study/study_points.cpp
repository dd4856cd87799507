#include "study_points.hpp"

#include <algorithm>
#include <set>

#include "flags/setting_flags.hpp"
#include "host/joined.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "report/run_outputs.hpp"
#include "run/method_choice.hpp"
#include "run/run_plan.hpp"

namespace lockstep::cli::study {
namespace {

constexpr std::size_t most_study_points = 1'000'000;

using StudyWords = std::vector<std::string>;

/// A method of an experiment, perhaps of another machine than its own.
struct StudyMethod {
  std::string name;       ///< "allgather/adea"
  std::string guest;      ///< " on hypercube:4"; else empty
  bool is_named = false;  ///< not only by a pattern
};

/// "--words=4" without its value: "words".
std::string_view flag_of(std::string_view word) { return word.substr(2, word.find('=') - 2); }

/// The methods of the operation that the experiment's names and patterns select.
std::vector<StudyMethod> methods_of(const Experiment& experiment) {
  const auto all = run::methods_of({.name = {}, .operation = experiment.operation, .machine = {}});
  const StudyWords any{"*"};
  std::vector<StudyMethod> methods;
  for (const std::string& text : experiment.methods.empty() ? any : experiment.methods) {
    const std::size_t on = text.find(" on ");
    const std::string pattern = text.substr(0, on);
    const std::string guest = on == std::string::npos ? "" : text.substr(on);
    const bool is_named = pattern.find_first_of("*?") == std::string::npos;
    for (const Method* const method : run::selected_methods(all, {pattern})) {
      const auto is_same = [&](const StudyMethod& one) { return one.name == method->name && one.guest == guest; };
      const auto known = std::ranges::find_if(methods, is_same);
      if (known == methods.end()) {
        methods.push_back({std::string(method->name), guest, is_named});
      } else {
        known->is_named = known->is_named || is_named;
      }
    }
  }
  return methods;
}

/// The catalogue's entry of the method for the family; null if there is none.
const Method* entry_for(const StudyMethod& method, std::string_view family) {
  for (const Method* const entry : catalogue()) {
    if (entry->name == method.name && is_for(*entry, family)) return entry;
  }
  return nullptr;
}

/// Adds the points of one experiment.
class ExperimentPoints {
 public:
  ExperimentPoints(const Experiment& experiment, StudyPlan& plan)
      : experiment_(experiment), plan_(plan), methods_(methods_of(experiment)) {}

  /// The combinations of machines and levels; limited, so that their product does not overflow.
  std::size_t combinations() const {
    std::size_t all = experiment_.machines.size();
    for (const StudyFactor& factor : experiment_.factors) {
      if (all <= most_study_points) all *= factor.levels.size();
    }
    return all;
  }

  void add_all(const std::function<void()>& before_each) {
    const std::size_t first = plan_.points.size();
    const std::size_t first_left_out = plan_.left_out.size();
    for (const std::string& machine : experiment_.machines) {
      std::vector<std::size_t> levels(experiment_.factors.size(), 0);
      do {
        before_each();
        add_methods(machine, levels);
      } while (advance(levels));
    }
    if (plan_.points.size() > first) return;
    std::string why = "none of its methods is for " + host::joined(experiment_.machines);
    if (plan_.left_out.size() > first_left_out) {
      const LeftOutPoint& out = plan_.left_out[first_left_out];
      why = out.point.key + ": " + out.reason;
    }
    throw InputError(experiment_.place + ": nothing of experiment " + lockstep::quoted(experiment_.name) +
                     " can run: " + printable(why));
  }

 private:
  bool advance(std::vector<std::size_t>& levels) const {
    for (std::size_t factor = levels.size(); factor-- > 0;) {
      if (++levels[factor] < experiment_.factors[factor].levels.size()) return true;
      levels[factor] = 0;
    }
    return false;
  }

  /// The arguments of the levels, in the order of the flags in help.
  StudyWords words_at(const std::vector<std::size_t>& levels) const {
    std::vector<std::pair<std::size_t, const StudyWords*>> placed;
    for (std::size_t factor = 0; factor < levels.size(); ++factor) {
      const StudyFactor& of = experiment_.factors[factor];
      placed.emplace_back(of.order, &of.levels[levels[factor]]);
    }
    std::ranges::sort(placed, {}, [](const auto& one) { return one.first; });
    StudyWords words;
    for (const auto& [order, level] : placed) words.insert(words.end(), level->begin(), level->end());
    return words;
  }

  void add_methods(const std::string& machine, const std::vector<std::size_t>& levels) {
    const StudyWords further = words_at(levels);
    run::RunArguments common = arguments_of(further);  // once for all methods: the reader of flags is slow
    common.machine = machine;
    for (const StudyMethod& method : methods_) {
      StudyPoint point{.experiment = experiment_.name, .words = {"--machine=" + machine}, .key = {}};
      point.words.push_back("--algorithm=" + method.name + method.guest);
      run::RunArguments arguments = common;
      arguments.algorithm = method.name + method.guest;
      std::string reason;
      try {
        add(point, method, further, run::with_named_guest(std::move(arguments)));
      } catch (const InputError& error) {
        reason = error.what();
      } catch (const MachineSpecError& error) {
        reason = error.what();
      } catch (const MemoryError& error) {
        reason = error.what();
      }
      if (reason.empty()) continue;
      point.key = key_of(point.words);
      if (known_.insert(point.key).second) plan_.left_out.push_back({std::move(point), reason});
    }
  }

  /// Adds the further words to the point, and the point to the plan if it can run, else throws. The arguments have all
  /// of the words.
  void add(StudyPoint& point, const StudyMethod& method, const StudyWords& further, run::RunArguments arguments) {
    const std::string family = run::stage_of(arguments).family;
    const Method* const entry = entry_for(method, family);
    if (entry == nullptr) {
      if (method.is_named || !method.guest.empty()) throw InputError("is not for the family " + family);
      return;
    }
    for (const std::string& word : further) {
      const SettingFlag* const setting = flags::find_setting(flag_of(word));
      const bool applies = setting == nullptr || !setting->is_tuning || flags::takes(*entry, setting->name);
      if (applies) point.words.push_back(word);
    }
    const bool are_all = point.words.size() == further.size() + 2;
    if (!are_all) arguments = run::with_named_guest(arguments_of(point.words));
    run::plan_run(arguments);
    for (const host::NamedFile& input : report::inputs_of(arguments)) {
      if (std::ranges::find(plan_.inputs, input.path) == plan_.inputs.end()) plan_.inputs.push_back(input.path);
    }
    point.key = key_of(point.words);
    if (known_.insert(point.key).second) plan_.points.push_back(point);
  }

  const Experiment& experiment_;
  StudyPlan& plan_;
  std::vector<StudyMethod> methods_;
  std::set<std::string> known_;
};

}  // namespace

std::string key_of(const std::vector<std::string>& words) {
  return host::joined(
      words,
      [](std::string word) {
        const std::size_t equals = word.find('=');
        if (equals != std::string::npos) word[equals] = ' ';
        return word;
      },
      " ");
}

StudyPlan plan_study(const Study& study, const PlanningHearer& hear) {
  StudyPlan plan;
  std::vector<ExperimentPoints> experiments;
  std::size_t all = 0;
  for (const Experiment& experiment : study.experiments) {
    try {
      experiments.emplace_back(experiment, plan);
    } catch (const InputError& error) {
      throw InputError(experiment.place + ": " + error.what());
    }
    all += experiments.back().combinations();
    if (all > most_study_points) throw InputError(printable(study.path) + " has more than 1,000,000 points");
  }
  std::size_t done = 0;
  for (ExperimentPoints& experiment : experiments) {
    experiment.add_all([&] { hear(static_cast<double>(done++) / static_cast<double>(all)); });
  }
  return plan;
}

}  // namespace lockstep::cli::study
