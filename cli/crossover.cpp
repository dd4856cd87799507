#include "crossover.hpp"

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

class Search {
 public:
  using PredictedAt = std::function<std::vector<Contender>(const std::string&)>;

  Search(Scale scale, const PredictedAt& predicted_at, std::string task, std::vector<Crossover>& found)
      : scale_(scale), predicted_at_(predicted_at), task_(std::move(task)), found_(found) {}

  void between(const std::string& low, const std::string& behind, const std::string& high, const std::string& ahead) {
    if (behind == ahead) return;
    const std::optional<std::string> value = middle(scale_, low, high);
    if (!value || value == low || value == high) return add(low, behind, high, ahead, true);
    const std::vector<Contender> contenders = predicted_at_(*value);
    const Contender* const leading = leader(contenders, task_, behind);
    if (leading == nullptr) return add(low, behind, high, ahead, false);
    between(low, behind, *value, leading->name);
    between(*value, leading->name, high, ahead);
  }

  void add(const std::string& low, const std::string& behind, const std::string& high, const std::string& ahead,
           bool is_exact) {
    found_.push_back(
        {.task = task_, .ahead = ahead, .behind = behind, .from = high, .after = low, .is_exact = is_exact});
  }

 private:
  Scale scale_;
  const PredictedAt& predicted_at_;
  std::string task_;
  std::vector<Crossover>& found_;
};

}  // namespace

std::vector<Crossover> crossovers(const std::vector<RacePoint>& points, Scale scale,
                                  const std::function<std::vector<Contender>(const std::string&)>& predicted_at) {
  std::vector<std::string> tasks;
  for (const RacePoint& point : points) {
    for (const Contender& contender : point.contenders) {
      if (std::ranges::find(tasks, contender.task) == tasks.end()) tasks.push_back(contender.task);
    }
  }
  std::vector<Crossover> found;
  for (const std::string& task : tasks) {
    Search search(scale, predicted_at, task, found);
    const RacePoint* before = nullptr;
    const Contender* led = nullptr;
    for (const RacePoint& point : points) {
      const Contender* const leads = leader(point.contenders, task, led == nullptr ? "" : led->name);
      if (leads == nullptr) continue;
      if (led != nullptr && leads->name != led->name) {
        if (scale != Scale::names && led->is_predicted && leads->is_predicted) {
          search.between(before->value, led->name, point.value, leads->name);
        } else {
          search.add(before->value, led->name, point.value, leads->name, false);
        }
      }
      before = &point;
      led = leads;
    }
  }
  return found;
}

}  // namespace lockstep::cli
