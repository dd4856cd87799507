#include "pattern.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep::route {
namespace {

/// A named pattern, and its packet of address x, which varies.
struct Pattern {
  std::string_view name;
  Rank first;  ///< the lowest x
  RouteRequest (*request)(Rank x, Port bits);
};

Rank mask(Port bits) { return (Rank{1} << bits) - 1; }

Rank rotated(Rank x, Port bits) {
  const Port by = bits / 2;
  return (x << by | x >> (bits - by)) & mask(bits);
}

/// Exchanges the high and the low half; the middle one of an odd number of bits stays.
Rank transposed(Rank x, Port bits) {
  const Port half = bits / 2;
  const Port high = bits - half;  // where the high half begins
  const Rank middle = x & (mask(high) ^ mask(half));
  return (x & mask(half)) << high | middle | x >> high;
}

constexpr Pattern patterns[] = {
    {gather, 1,
     [](Rank x, Port) {
       return RouteRequest{x, 0};
     }},
    {scatter, 1,
     [](Rank x, Port) {
       return RouteRequest{0, x};
     }},
    {complement, 0,
     [](Rank x, Port bits) {
       return RouteRequest{x, x ^ mask(bits)};
     }},
    {"bit-reversal", 0,
     [](Rank x, Port bits) {
       return RouteRequest{x, reversed(x, bits)};
     }},
    {"rotate-half", 0,
     [](Rank x, Port bits) {
       return RouteRequest{x, rotated(x, bits)};
     }},
    {"shift-one", 0,
     [](Rank x, Port bits) {
       return RouteRequest{x, (x + 1) & mask(bits)};
     }},
    {"transpose", 0,
     [](Rank x, Port bits) {
       return RouteRequest{x, transposed(x, bits)};
     }},
};

const Pattern* find_pattern(std::string_view name) {
  const auto found = std::ranges::find(patterns, name, &Pattern::name);
  return found == std::end(patterns) ? nullptr : found;
}

/// A misspelt pattern is not refused as a missing file only.
void refuse_unknown(const std::string& text) {
  std::error_code ignored;
  if (is_standard_input(text) || std::filesystem::exists(text, ignored)) return;
  std::vector<std::string> names;
  std::string line = "--pattern " + quoted(text) + " is neither a file nor one of ";
  for (const Pattern& known : patterns) {
    line += (names.empty() ? "" : ", ") + std::string(known.name);
    names.emplace_back(known.name);
  }
  throw InputError(line + did_you_mean(text, names));
}

std::vector<std::string_view> split(std::string_view line) {
  constexpr std::string_view space = " \t\v\f\r";
  std::vector<std::string_view> fields;
  for (auto begin = line.find_first_not_of(space); begin != std::string_view::npos;
       begin = line.find_first_not_of(space)) {
    line.remove_prefix(begin);
    fields.push_back(line.substr(0, line.find_first_of(space)));
    line.remove_prefix(fields.back().size());
  }
  return fields;
}

Rank rank_of(std::string_view text, Rank processors) {
  const std::uint64_t rank = parse_rank("rank", text);
  if (rank < processors) return static_cast<Rank>(rank);
  throw InputError("rank " + quoted(text) + " is out of range: 0 to " + std::to_string(processors - 1));
}

/// Calls use(request) for all lines of the file; returns their number.
template <class Use>
std::uint64_t for_each_request(const std::string& path, Rank processors, const Use& use) {
  std::ifstream file = open_data(path);
  std::uint64_t count = 0;
  std::uint64_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::vector<std::string_view> fields = split(line);
    if (fields.empty()) continue;
    if (++count > most_words)
      throw InputError(input_name(path) + " has more than " + std::to_string(most_words) + " packets");
    try {
      if (fields.size() != 2) {
        throw InputError("two ranks are needed, from and to, not " + std::to_string(fields.size()));
      }
      use(RouteRequest{rank_of(fields[0], processors), rank_of(fields[1], processors)});
    } catch (const InputError& problem) {
      throw InputError(input_name(path) + ", line " + std::to_string(number) + ": " + problem.what());
    }
  }
  if (file.bad()) refuse_to_read(path);
  if (count == 0) throw InputError(input_name(path) + " has no lines `from to`");
  return count;
}

}  // namespace

void PatternParameter::resolve(const MachineSpec& machine, Settings& settings) const {
  if (!settings.pattern) settings.pattern = complement;
  count_requests(*settings.pattern, static_cast<Rank>(machine.processors));
}

std::uint64_t count_requests(const std::string& pattern, Rank processors) {
  if (const Pattern* known = find_pattern(pattern)) return processors - known->first;
  refuse_unknown(pattern);
  return for_each_request(pattern, processors, [](const RouteRequest&) {});
}

std::vector<RouteRequest> make_requests(const std::string& pattern, Rank processors) {
  std::vector<RouteRequest> requests;
  requests.reserve(count_requests(pattern, processors));
  if (const Pattern* known = find_pattern(pattern)) {
    const Port bits = width(processors) - 1;
    for (Rank x = known->first; x < processors; ++x) requests.push_back(known->request(x, bits));
  } else {
    for_each_request(pattern, processors, [&](const RouteRequest& request) { requests.push_back(request); });
  }
  return requests;
}

}  // namespace lockstep::route
