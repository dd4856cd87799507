#include "rank_permutation.hpp"

#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep::permute {
namespace {

Rank destination_of(std::size_t origin, const std::string& text, Rank processors) {
  const std::string what = "destination of processor " + std::to_string(origin) + ", rank";
  const std::uint64_t rank = parse_rank(what, text);
  if (rank < processors) return static_cast<Rank>(rank);
  throw InputError(what + " " + quoted(text) + " is out of range: 0 to " + std::to_string(processors - 1));
}

void require_all_different(const std::vector<Rank>& destinations) {
  std::vector<Rank> origins(destinations.size(), no_rank);
  for (Rank origin = 0; origin < destinations.size(); ++origin) {
    const Rank to = destinations[origin];
    if (origins[to] != no_rank) {
      throw InputError("processors " + std::to_string(origins[to]) + " and " + std::to_string(origin) +
                       " have the same destination, " + std::to_string(to));
    }
    origins[to] = origin;
  }
}

std::vector<Rank> read(std::ifstream& file, Rank processors) {
  std::vector<Rank> destinations;
  for (std::string text; file >> text;) {
    if (destinations.size() == processors) {
      throw InputError("more than " + std::to_string(processors) + " ranks, one for each processor");
    }
    destinations.push_back(destination_of(destinations.size(), text, processors));
  }
  if (!file.bad() && destinations.size() < processors) {
    throw InputError(std::to_string(destinations.size()) + " ranks, where " + std::to_string(processors) +
                     " are needed, one for each processor");
  }
  return destinations;
}

}  // namespace

std::vector<Rank> read_rank_permutation(const std::string& path, Rank processors) {
  std::ifstream file = open_data(path);
  try {
    std::vector<Rank> destinations = read(file, processors);
    if (file.bad()) refuse_to_read(path);
    require_all_different(destinations);
    return destinations;
  } catch (const InputError& problem) {
    if (file.bad()) throw;
    throw InputError(input_name(path) + ": " + problem.what());
  }
}

}  // namespace lockstep::permute
