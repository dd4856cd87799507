#include <algorithm>
#include <cctype>
#include <deque>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/replay.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "method/brought_flags.hpp"
#include "method/entry_check.hpp"

namespace lockstep {

/// The entries with which the methods' files end; defined in a source that the build writes.
const std::vector<const Method*>& listed_methods();

namespace {

/// The name that a wrong one most likely means, perhaps without its operation: "drbt" for "broadcast/drbt".
std::optional<std::string> nearest_method(std::string_view wrong) {
  std::vector<std::string> names;
  for (const Method* method : catalogue()) names.emplace_back(method->name);
  if (wrong.find('/') != std::string_view::npos) return nearest_name(wrong, names);
  std::vector<std::string> written;
  std::vector<std::string> meant = names;
  for (const Method* method : catalogue()) written.emplace_back(own_name(*method));
  for (const Method* method : catalogue()) {
    for (const std::string_view alias : method->aliases) {
      written.emplace_back(alias);
      meant.emplace_back(alias);
    }
  }
  const auto nearest = nearest_name(wrong, written);
  if (!nearest) return nearest_name(wrong, names);
  return meant[static_cast<std::size_t>(std::find(written.begin(), written.end(), *nearest) - written.begin())];
}

/// The words of four letters and more.
std::set<std::string_view> long_words(std::string_view text) {
  std::set<std::string_view> words;
  const auto is_letter = [](unsigned char letter) { return std::isalpha(letter) != 0; };
  for (auto first = text.begin(); first != text.end();) {
    const auto last = std::find_if_not(first, text.end(), is_letter);
    if (last - first >= 4) words.emplace(first, last);
    first = std::find_if(last, text.end(), is_letter);
  }
  return words;
}

/// "; for hypercube there are broadcast/sbt, ..": methods of the operation for the family, first those whose summaries
/// share the most words with that of the refused one. Empty if there is none.
std::string for_family(const Method& refused, std::string_view family) {
  const std::set<std::string_view> wanted = long_words(refused.summary);
  std::vector<std::pair<std::size_t, const Method*>> others;
  for (const Method* method : catalogue()) {
    if (method->operation != refused.operation || !is_for(*method, family)) continue;
    const std::set<std::string_view> words = long_words(method->summary);
    const auto shared = std::ranges::count_if(words, [&](std::string_view word) { return wanted.contains(word); });
    others.emplace_back(static_cast<std::size_t>(shared), method);
  }
  std::ranges::stable_sort(others, std::ranges::greater{}, &std::pair<std::size_t, const Method*>::first);
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t place = 0; place < std::min(most, others.size()); ++place) {
    text += (place == 0 ? "; for " + std::string(family) + (others.size() == 1 ? " there is " : " there are ") : ", ") +
            std::string(others[place].second->name);
  }
  if (others.size() <= most) return text;
  return text + " and " + std::to_string(others.size() - most) + " more (lockstep list --operation " +
         std::string(refused.operation) + ")";
}

/// Adds the flags that the method brings.
void add_flags(const Method& method) {
  for (const Parameter& parameter : method.parameters) method::add_flag(parameter);
}

void sort_by_name(std::vector<const Method*>& methods) { std::ranges::stable_sort(methods, {}, &Method::name); }

std::vector<const Method*>& all_methods() {
  static std::vector<const Method*> methods = [] {
    std::vector<const Method*> by_name;
    for (const Method* method : listed_methods()) {
      const std::string objection = method::objection_to(*method, by_name);
      if (!objection.empty()) throw std::logic_error("method \"" + std::string(method->name) + "\" " + objection);
      by_name.push_back(method);
      add_flags(*method);
    }
    sort_by_name(by_name);
    return by_name;
  }();
  return methods;
}

/// The methods that were added; their places do not change.
std::deque<Method>& own_methods() {
  static std::deque<Method> methods;
  return methods;
}

}  // namespace

const std::vector<const Method*>& catalogue() { return all_methods(); }

void add_method(Method method) {
  const std::string_view name = method.name;
  Method own =
      filled_in(std::move(method),
                {.operation = name.substr(0, name.find('/')),
                 .source = "your own method",
                 .summary = "your own method",
                 .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
                 .resolve = [](const MachineSpec&, const Model&, Settings&) {},
                 .predict = [](const MachineSpec&, const Model&, const Settings&) { return Prediction{}; },
                 .bytes = [](const MachineSpec&, const Model&, const Settings&) -> std::uint64_t { return 0; }});
  const std::string objection = method::objection_to(own, catalogue());
  if (!objection.empty()) throw std::invalid_argument("method \"" + std::string(name) + "\" " + objection);
  add_flags(own);
  own_methods().push_back(std::move(own));
  all_methods().push_back(&own_methods().back());
  sort_by_name(all_methods());
}

std::vector<const Method*> added_methods() {
  std::vector<const Method*> methods;
  for (const Method& method : own_methods()) methods.push_back(&method);
  return methods;
}

Method filled_in(Method own, const Method& shared) {
  const auto fill = [](auto& field, const auto& other) {
    if (field.empty()) field = other;
  };
  const auto fill_function = [](auto& field, const auto& other) {
    if (field == nullptr) field = other;
  };
  fill(own.operation, shared.operation);
  fill(own.known_as, shared.known_as);
  fill(own.source, shared.source);
  fill(own.summary, shared.summary);
  fill(own.mapping, shared.mapping);
  fill(own.families, shared.families);
  fill(own.parameters, shared.parameters);
  fill(own.port_models, shared.port_models);
  fill_function(own.resolve, shared.resolve);
  fill_function(own.predict, shared.predict);
  fill_function(own.proven, shared.proven);
  fill_function(own.bytes, shared.bytes);
  fill_function(own.run, shared.run);
  return own;
}

std::string_view own_name(const Method& method) { return method.name.substr(method.name.find('/') + 1); }

bool is_same_name(std::string_view one, std::string_view other) {
  const auto small = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](char letter, char counterpart) { return small(letter) == small(counterpart); });
}

bool is_called(const Method& method, std::string_view name) {
  return is_same_name(name, method.name) ||
         std::any_of(method.aliases.begin(), method.aliases.end(),
                     [&](std::string_view alias) { return is_same_name(name, alias); });
}

bool may_compute(const Method& method) {
  constexpr std::string_view computing[] = {"allreduce", "application",    "exscan", replay_operation,
                                            "reduce",    "reduce-scatter", "scan"};
  return std::ranges::find(computing, method.operation) != std::end(computing) ||
         std::ranges::any_of(added_methods(), [&](const Method* own) { return own->name == method.name; });
}

bool is_for(const Method& method, std::string_view family) {
  return std::ranges::find(method.families, family) != method.families.end();
}

const Method& find_method(std::string_view name, std::string_view family) {
  const Method* found = nullptr;
  std::string families;
  for (const Method* method : catalogue()) {
    if (!is_called(*method, name)) continue;
    found = method;
    for (const std::string_view known : method->families) {
      if (known == family) return *method;
      families += (families.empty() ? "" : ", ") + std::string(known);
    }
  }
  if (found != nullptr) {
    const std::string also = is_same_name(name, found->name) ? "" : " (" + std::string(name) + ")";
    throw InputError(std::string(found->name) + also + " does not run on " + std::string(family) + ": it is for " +
                     families + for_family(*found, family));
  }
  throw InputError("unknown algorithm " + quoted(name) + did_you_mean(nearest_method(name)) +
                   " (lockstep list algorithms names them all)");
}

std::vector<Duplex> duplex_forms(const Method& method) {
  std::vector<Duplex> forms{Duplex::full};
  if (method.strictest_duplex != Duplex::full) forms.push_back(Duplex::half_link);
  if (method.strictest_duplex == Duplex::half_node) forms.push_back(Duplex::half_node);
  return forms;
}

namespace {

std::optional<ModelledTime> time_of_messages(const Prediction& prediction, const CostModel& cost) {
  if (cost.switching != Switching::store_and_forward) return std::nullopt;
  const auto& [steps, longest_sum] = std::tie(prediction.steps, prediction.longest_sum);
  if (!steps || !steps->exact) return std::nullopt;
  if (prediction.message_words) {
    const double each = cost.time(cost.startups(*prediction.message_words), *prediction.message_words);
    return ModelledTime{static_cast<double>(steps->value) * each, "steps (startups beta + words tau)"};
  }
  if (!longest_sum || !longest_sum->exact) return std::nullopt;
  if (prediction.longest_startups) {
    return ModelledTime{cost.time(*prediction.longest_startups, longest_sum->value),
                        "start-ups of the longest message of every step, summed, beta + longest_sum tau"};
  }
  if (cost.max_packet_words != 0) return std::nullopt;
  return ModelledTime{cost.time(steps->value, longest_sum->value), "steps beta + longest_sum tau"};
}

}  // namespace

std::optional<ModelledTime> synchronous_time(const Prediction& prediction, const CostModel& cost) {
  if (prediction.synchronous) return prediction.synchronous;
  std::optional<ModelledTime> time = time_of_messages(prediction, cost);
  const bool computes = prediction.most_operations ? *prediction.most_operations > 0
                                                   : prediction.operations && prediction.operations->value > 0;
  if (!time || cost.flop == 0 || !computes) return time;
  if (!prediction.most_operations) return std::nullopt;
  time->value += static_cast<double>(*prediction.most_operations) * cost.flop;
  time->formula += " + most operations of every cycle, summed, flop";
  return time;
}

std::optional<Count> exact_count(Wide value, std::string formula) {
  if (value > std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  return Count{static_cast<std::uint64_t>(value), true, std::move(formula)};
}

std::uint64_t saturated(Wide value) {
  return static_cast<std::uint64_t>(std::min<Wide>(value, std::numeric_limits<std::uint64_t>::max()));
}

}  // namespace lockstep
