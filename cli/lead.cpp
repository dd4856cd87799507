#include "lead.hpp"

#include <algorithm>
#include <cmath>

#include "number_text.hpp"

namespace lockstep::cli {
namespace {

/// The contender with the least figure: the one that has led so far, if it is among them, else the first.
const Contender* leader(const std::vector<Contender>& contenders, const std::string& task, const std::string& so_far) {
  const Contender* best = nullptr;
  for (const Contender& contender : contenders) {
    if (contender.task != task) continue;
    const bool is_less = best == nullptr || contender.figure < best->figure;
    if (is_less || (contender.figure == best->figure && contender.name == so_far)) best = &contender;
  }
  return best;
}

/// A value between the two; empty if there is none.
std::optional<std::string> middle(Scale scale, const std::string& low, const std::string& high) {
  if (scale == Scale::whole_numbers) {
    const std::uint64_t first = std::stoull(low);
    const std::uint64_t last = std::stoull(high);
    if (last - first < 2) return {};
    return std::to_string(first + (last - first) / 2);
  }
  constexpr double close = 1e-9;
  const double first = std::stod(low);
  const double last = std::stod(high);
  if (last - first <= close * last) return {};
  return short_number(first > 0 ? std::sqrt(first * last) : last / 2, 12);
}

/// Follows the lead of one task.
class Search {
 public:
  using PredictedAt = std::function<std::vector<Contender>(const std::string&)>;

  Search(Scale scale, const PredictedAt& predicted_at, std::string task)
      : scale_(scale), predicted_at_(predicted_at), task_(std::move(task)) {}

  /// The next point.
  void add(const RacePoint& point) {
    const Contender* const leading = leader(point.contenders, task_, leads_.empty() ? "" : leads_.back().name);
    if (leading == nullptr) return;
    if (leads_.empty()) {
      begin(point.value, leading->name, true);
    } else if (scale_ != Scale::names && is_predicted_ && leading->is_predicted) {
      go_on(point.value, leading->name);
    } else {
      reach(point.value, leading->name, false);
    }
    is_predicted_ = leading->is_predicted;
  }

  const std::vector<Lead>& leads() const { return leads_; }

 private:
  /// To a value at which `name` leads, with all changes between.
  void go_on(const std::string& value, const std::string& name) {
    if (leads_.back().name == name) return reach(value, name, true);
    const std::optional<std::string> between = middle(scale_, leads_.back().to, value);
    if (!between || between == leads_.back().to || between == value) return reach(value, name, true);
    const std::vector<Contender> contenders = predicted_at_(*between);
    const Contender* const leading = leader(contenders, task_, leads_.back().name);
    if (leading == nullptr) return reach(value, name, false);
    go_on(*between, leading->name);
    go_on(value, name);
  }

  void reach(const std::string& value, const std::string& name, bool is_exact) {
    if (leads_.back().name == name) {
      leads_.back().to = value;
    } else {
      begin(value, name, is_exact);
    }
  }

  void begin(const std::string& value, const std::string& name, bool is_exact) {
    leads_.push_back({.task = task_, .name = name, .from = value, .to = value, .is_exact = is_exact});
  }

  Scale scale_;
  const PredictedAt& predicted_at_;
  std::string task_;
  std::vector<Lead> leads_;
  bool is_predicted_ = false;  // what leads at the last point
};

}  // namespace

std::vector<Lead> leads(const std::vector<RacePoint>& points, Scale scale,
                        const std::function<std::vector<Contender>(const std::string&)>& predicted_at) {
  std::vector<std::string> tasks;
  for (const RacePoint& point : points) {
    for (const Contender& contender : point.contenders) {
      if (std::ranges::find(tasks, contender.task) == tasks.end()) tasks.push_back(contender.task);
    }
  }
  std::vector<Lead> all;
  for (const std::string& task : tasks) {
    Search search(scale, predicted_at, task);
    for (const RacePoint& point : points) search.add(point);
    all.insert(all.end(), search.leads().begin(), search.leads().end());
  }
  return all;
}

}  // namespace lockstep::cli
