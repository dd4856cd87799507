#include "comparison.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "flags/setting_flags.hpp"
#include "host/number_text.hpp"

namespace lockstep::cli::compare {
namespace {

/// Parameters that set the amount of data, which a method chooses if the user does not.
constexpr std::array<std::string_view, 3> size_settings{"words", "matrix", "sources"};

/// Orders exact figures by size; then come upper bounds, which give no order, unknown figures, and runs that failed.
void rank(std::vector<Comparison::ComparedTrial>& rows, const report::Quantity& criterion) {
  const auto has_failed = [](const Comparison::ComparedTrial& row) { return !row.trial->record; };
  const auto figure = [&](const Comparison::ComparedTrial& row) {
    return has_failed(row) ? std::nullopt : criterion.of(*row.trial->record);
  };
  const auto is_exact = [&](const Comparison::ComparedTrial& row) { return figure(row) && figure(row)->exact; };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Comparison::ComparedTrial& a, const Comparison::ComparedTrial& b) {
                     const auto first = figure(a);
                     const auto second = figure(b);
                     if (!first && !second) return has_failed(a) < has_failed(b);
                     if (!first || !second) return first.has_value();
                     return std::tuple(!first->exact, first->value) < std::tuple(!second->exact, second->value);
                   });
  for (std::size_t index = 0; index < rows.size() && is_exact(rows[index]); ++index) {
    const bool is_equal = index > 0 && figure(rows[index - 1])->value == figure(rows[index])->value;
    rows[index].rank = is_equal ? rows[index - 1].rank : index + 1;
  }
}

}  // namespace

std::string task_of(const run::RunRecord& record, std::string_view varied) {
  const Method& method = *record.plan.method;
  std::string text(method.operation);
  const Embedding* const embedding = record.plan.embedding.get();
  if (embedding != nullptr && embedding->processors < record.plan.machine.processors) {
    text += " on " + std::to_string(embedding->processors) + " of " +
            host::counted(record.plan.machine.processors, "processor");
  }
  if (!method.mapping.empty()) text += ", " + std::string(method.mapping);
  for (const SettingFlag& flag : setting_flags()) {
    if (flag.name == varied || !flags::takes(method, flag.name)) continue;
    if (std::find(size_settings.begin(), size_settings.end(), flag.name) == size_settings.end()) continue;
    const SettingFlag::Value value = flag.value(record.plan.settings);
    if (const auto* number = std::get_if<std::uint64_t>(&value))
      text += ", " + flag.flag() + " " + std::to_string(*number);
    if (const auto* size = std::get_if<std::string>(&value)) text += ", " + flag.flag() + " " + *size;
  }
  return text;
}

Comparison compared(const run::TrialArguments& arguments, std::span<const run::Trial> trials,
                    const report::Quantity& criterion) {
  Comparison comparison{.operation = arguments.operation,
                        .criterion = criterion,
                        .predicted = arguments.predict,
                        .has_several_machines = arguments.machines.size() > 1,
                        .has_guests = arguments.run.embed.has_value(),
                        .has_several_port_models = arguments.ports.size() > 1,
                        .groups = {},
                        .refused = {}};
  for (const run::Trial& trial : trials) {
    const run::RunRecord* const record = trial.known_record();
    if (record == nullptr) {
      comparison.refused.push_back(&trial);
      continue;
    }
    std::string task = task_of(*record);
    if (arguments.machines.size() > 1) task += " on " + host::counted(record->facts.processors, "processor");
    const RunRules rules = rules_of(record->plan);
    auto& groups = comparison.groups;
    auto group = std::ranges::find_if(
        groups, [&](const Comparison::ComparedTask& one) { return one.task == task && one.rules == rules; });
    if (group == groups.end()) group = groups.insert(groups.end(), {task, rules, are_asked_for(rules, arguments), {}});
    group->rows.push_back({&trial, {}});
  }
  for (Comparison::ComparedTask& group : comparison.groups) rank(group.rows, criterion);
  std::ranges::stable_sort(comparison.groups, {},
                           [&](const Comparison::ComparedTask& group) { return order_of(group.rules, arguments); });
  return comparison;
}

bool Comparison::has_several_rules() const {
  return std::ranges::any_of(groups, [&](const ComparedTask& group) { return group.rules != groups.front().rules; });
}

std::vector<const run::Trial*> Comparison::failed() const {
  std::vector<const run::Trial*> all;
  for (const ComparedTask& group : groups) {
    for (const ComparedTrial& row : group.rows) {
      if (!row.trial->record) all.push_back(row.trial);
    }
  }
  return all;
}

}  // namespace lockstep::cli::compare
