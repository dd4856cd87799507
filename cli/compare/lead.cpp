#include "lead.hpp"

#include <algorithm>
#include <cmath>

#include "host/number_text.hpp"

namespace lockstep::cli::compare {
namespace {

/// What contenders have in common.
struct RaceKind {
  std::string task;
  RunRules rules;

  bool has(const Contender& contender) const { return contender.task == task && contender.rules == rules; }
};

/// The contender with the least figure; of equal ones the leader so far, else the first.
const Contender* leader(const std::vector<Contender>& contenders, const RaceKind& kind, const std::string& so_far) {
  const Contender* best = nullptr;
  for (const Contender& contender : contenders) {
    if (!kind.has(contender)) continue;
    const bool is_less = best == nullptr || contender.figure < best->figure;
    if (is_less || (contender.figure == best->figure && contender.name == so_far)) best = &contender;
  }
  return best;
}

constexpr double close = 1e-9;

/// A value between the two; empty if there is none, or the two are close enough.
std::optional<std::string> middle(ValuesBetween between, const std::string& low, const std::string& high,
                                  double largest) {
  if (between == ValuesBetween::whole_numbers) {
    const std::uint64_t first = std::stoull(low);
    const std::uint64_t last = std::stoull(high);
    if (last - first < 2) return {};
    return std::to_string(first + (last - first) / 2);
  }
  const double first = std::stod(low);
  const double last = std::stod(high);
  const bool is_close = first > 0 ? last - first <= close * last : last <= close * largest;
  if (is_close) return {};
  const std::string value = host::short_number(first > 0 ? std::sqrt(first * last) : last / 2, 12);
  return value == low || value == high ? std::nullopt : std::optional(value);
}

/// Follows the lead of one race.
class LeadSearch {
 public:
  using PredictedAt = std::function<std::vector<Contender>(const std::string&)>;

  LeadSearch(ValuesBetween between, double largest, const PredictedAt& predicted_at, RaceKind kind)
      : between_(between), largest_(largest), predicted_at_(predicted_at), kind_(std::move(kind)) {}

  /// Adds the next point.
  void add(const RacePoint& point) {
    const Contender* const leading = leader(point.contenders, kind_, leads_.empty() ? "" : leads_.back().name);
    if (leading == nullptr) return;
    if (leads_.empty()) {
      begin(point.value, leading->name, true);
    } else if (between_ != ValuesBetween::unknown && is_predicted_ && leading->is_predicted) {
      go_on(point);
    } else {
      reach(point.value, leading->name, false);
    }
    is_predicted_ = leading->is_predicted;
  }

  const std::vector<Lead>& leads() const { return leads_; }

 private:
  /// Goes to a point that has a leader, with all changes on the way; among equals there the leader before it stays.
  void go_on(const RacePoint& point) {
    const Contender* const leading = leader(point.contenders, kind_, leads_.back().name);
    if (leads_.back().name == leading->name) return reach(point.value, leading->name, true);
    const std::optional<std::string> value = middle(between_, leads_.back().to, point.value, largest_);
    if (!value)
      return reach(point.value, leading->name, leads_.back().to != "0" || between_ == ValuesBetween::whole_numbers);
    const RacePoint halfway{*value, predicted_at_(*value)};
    if (leader(halfway.contenders, kind_, "") == nullptr) return reach(point.value, leading->name, false);
    go_on(halfway);
    go_on(point);
  }

  void reach(const std::string& value, const std::string& name, bool is_exact) {
    if (leads_.back().name == name) {
      leads_.back().to = value;
    } else {
      begin(value, name, is_exact);
    }
  }

  void begin(const std::string& value, const std::string& name, bool is_exact) {
    leads_.push_back(
        {.task = kind_.task, .name = name, .from = value, .to = value, .is_exact = is_exact, .rules = kind_.rules});
  }

  ValuesBetween between_;
  double largest_;
  const PredictedAt& predicted_at_;
  RaceKind kind_;
  std::vector<Lead> leads_;
  bool is_predicted_ = false;  // of the leader at the last point
};

}  // namespace

std::vector<Lead> leads(const std::vector<RacePoint>& points, ValuesBetween between,
                        const std::function<std::vector<Contender>(const std::string&)>& predicted_at) {
  std::vector<RaceKind> kinds;
  for (const RacePoint& point : points) {
    for (const Contender& contender : point.contenders) {
      if (std::ranges::none_of(kinds, [&](const RaceKind& kind) { return kind.has(contender); })) {
        kinds.push_back({contender.task, contender.rules});
      }
    }
  }
  const double largest = between == ValuesBetween::numbers && !points.empty() ? std::stod(points.back().value) : 0;
  std::vector<Lead> all;
  for (const RaceKind& kind : kinds) {
    LeadSearch search(between, largest, predicted_at, kind);
    for (const RacePoint& point : points) search.add(point);
    all.insert(all.end(), search.leads().begin(), search.leads().end());
  }
  return all;
}

}  // namespace lockstep::cli::compare
