#include "fault_options.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/number_text.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/input_error.hpp"
#include "value_option.hpp"

namespace lockstep::cli::flags {
namespace {

constexpr const char* fault_group = "Faults";
constexpr double most_factor = 1e9;

/// Splits at the first occurrence of the letter; without one the second part is empty.
std::pair<std::string_view, std::string_view> split(std::string_view text, char letter) {
  const std::size_t at = text.find(letter);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

Rank rank_of(std::string_view flag, std::string_view text) {
  const std::uint64_t rank = parse_rank(flag, text);
  if (rank >= no_rank) throw InputError(std::string(flag) + ": no machine has a rank " + quoted(text));
  return static_cast<Rank>(rank);
}

/// The cycle after an @; `otherwise` without one.
Cycle cycle_of(std::string_view flag, std::string_view text, bool is_there, Cycle otherwise) {
  return is_there ? parse_whole_number(flag, text, 0, last_cycle) : otherwise;
}

bool has(std::string_view text, char letter) { return text.find(letter) != std::string_view::npos; }

/// "A-B@CYCLE".
FaultEffect::Between between_of(std::string_view flag, std::string_view text, const char* form, bool needs_cycle) {
  const auto [ranks, cycle] = split(text, '@');
  const auto [from, to] = split(ranks, '-');
  if (to.empty() || (needs_cycle && cycle.empty())) {
    throw InputError(std::string(flag) + " takes " + form + ", not " + quoted(text));
  }
  return {rank_of(flag, from), rank_of(flag, to), cycle_of(flag, cycle, has(text, '@'), 0)};
}

template <class Take>
void for_each_of(std::string_view list, const Take& take) {
  while (true) {
    const auto [first, rest] = split(list, ',');
    take(first);
    if (!has(list, ',')) return;
    list = rest;
  }
}

[[noreturn]] void refuse_second(std::string_view flag, std::string_view text) {
  throw InputError(std::string(flag) + ": " + quoted(text) + " is already named");
}

template <class Fault>
bool has_rank(const std::vector<Fault>& faults, Rank rank) {
  return std::ranges::find(faults, rank, &Fault::rank) != faults.end();
}

/// A share of all messages, or messages between two ranks.
void add_messages(std::string_view flag, std::string_view text, FaultEffect& which) {
  for_each_of(text, [&](std::string_view one) {
    if (has(one, '@')) {
      const FaultEffect::Between between = between_of(flag, one, "FROM-TO@CYCLE", true);
      if (std::ranges::find(which.between, between) != which.between.end()) refuse_second(flag, one);
      which.between.push_back(between);
      return;
    }
    const double share = host::parse_number(flag, one, 1, "0.01, or FROM-TO@CYCLE,..");
    if (which.share) throw InputError(std::string(flag) + ": a share of all messages is given twice");
    which.share = share;
  });
}

bool draws(const FaultArguments& arguments) {
  const MessageFaults& messages = arguments.messages;
  return arguments.links || arguments.processors || messages.dropped.draws() || messages.corrupted.draws() ||
         messages.delayed.draws();
}

/// "5%@CYCLE" or "2@CYCLE".
RandomFaults random_of(std::string_view flag, std::string_view text) {
  constexpr std::uint64_t most = std::numeric_limits<Rank>::max();
  const auto [amount, cycle] = split(text, '@');
  RandomFaults random{.from = cycle_of(flag, cycle, has(text, '@'), 0)};
  if (amount.ends_with('%')) {
    random.percent = host::parse_number(flag, amount.substr(0, amount.size() - 1), 100, "5%, or a whole number");
  } else {
    random.count = parse_whole_number(flag, amount, 0, most);
  }
  return random;
}

/// The faults that are not drawn.
template <class Fault>
std::span<const Fault> named_faults(const std::vector<Fault>& faults, const std::optional<RandomFaults>& random) {
  return std::span(faults).first(faults.size() - (random ? random->drawn : 0));
}

}  // namespace

void add_fault_options(CLI::App& app, FaultArguments& arguments) {
  Faults& faults = arguments.faults;
  MessageFaults& messages = arguments.messages;
  add_repeated_option(app, "--fail-link", "A-B[@CYCLE],..",
                      "links between these ranks carry nothing from that cycle on (default: 0), in both directions",
                      [&faults](const std::string& text) {
                        for_each_of(text, [&](std::string_view one) {
                          const auto [a, b, from] = between_of("--fail-link", one, "A-B@CYCLE", false);
                          const auto is_it = [a = a, b = b](const LinkFault& other) {
                            return std::minmax(other.a, other.b) == std::minmax(a, b);
                          };
                          if (std::ranges::any_of(faults.links, is_it)) refuse_second("--fail-link", one);
                          faults.links.push_back({a, b, from});
                        });
                      })
      .group(fault_group);
  add_repeated_option(app, "--fail-processor", "R[@CYCLE],..", "these processors stop when that cycle begins",
                      [&faults](const std::string& text) {
                        for_each_of(text, [&](std::string_view one) {
                          const auto [text_of_rank, from] = split(one, '@');
                          const Rank rank = rank_of("--fail-processor", text_of_rank);
                          if (has_rank(faults.processors, rank)) refuse_second("--fail-processor", one);
                          faults.processors.push_back({rank, cycle_of("--fail-processor", from, has(one, '@'), 0)});
                        });
                      })
      .group(fault_group);
  add_value_option(app, "--fail-links", "K|SHARE%[@CYCLE]",
                   "K links, or a share of all, such as 5%, fail like these, at random by --fault-seed",
                   [&arguments](const std::string& text) { arguments.links = random_of("--fail-links", text); })
      .group(fault_group);
  add_value_option(
      app, "--fail-processors", "K|SHARE%[@CYCLE]", "K processors, or a share of all, fail at random",
      [&arguments](const std::string& text) { arguments.processors = random_of("--fail-processors", text); })
      .group(fault_group);
  add_repeated_option(app, "--straggler", "R:FACTOR,..",
                      "these processors take FACTOR times as long to send and compute, on the asynchronous clock",
                      [&faults](const std::string& text) {
                        for_each_of(text, [&](std::string_view one) {
                          const auto [text_of_rank, factor] = split(one, ':');
                          if (factor.empty()) throw InputError("--straggler takes R:FACTOR, not " + quoted(one));
                          const double times = host::parse_number("--straggler", factor, most_factor, "2.5");
                          if (times == 0) throw InputError("--straggler: a factor is more than 0");
                          const Rank rank = rank_of("--straggler", text_of_rank);
                          if (has_rank(faults.stragglers, rank)) refuse_second("--straggler", one);
                          faults.stragglers.push_back({rank, times});
                        });
                      })
      .group(fault_group);
  add_repeated_option(app, "--drop", "SHARE|FROM-TO@CYCLE,..",
                      "lose a share of all messages, or those between two ranks in a cycle",
                      [&messages](const std::string& text) { add_messages("--drop", text, messages.dropped); })
      .group(fault_group);
  add_repeated_option(app, "--corrupt", "SHARE|FROM-TO@CYCLE,..", "invert every bit of one word in such messages",
                      [&messages](const std::string& text) { add_messages("--corrupt", text, messages.corrupted); })
      .group(fault_group);
  add_repeated_option(app, "--delay", "SHARE|FROM-TO@CYCLE,..[:CYCLES]",
                      "deliver such messages CYCLES later (default: 1)",
                      [&messages](const std::string& text) {
                        const auto [which, cycles] = split(text, ':');
                        const Cycle delay = has(text, ':') ? parse_whole_number("--delay", cycles, 1, 1'000'000) : 1;
                        const bool is_second = messages.delayed.share || !messages.delayed.between.empty();
                        if (is_second && delay != messages.delay) {
                          throw InputError("--delay: all delays must be equal; here are " +
                                           std::to_string(messages.delay) + " and " + std::to_string(delay));
                        }
                        messages.delay = delay;
                        add_messages("--delay", which, messages.delayed);
                      })
      .group(fault_group);
  add_value_option(app, "--fault-seed", "S", "seed that chooses what fails at random (default 1)",
                   [&arguments](const std::string& text) {
                     arguments.messages.seed =
                         parse_whole_number("--fault-seed", text, 0, std::numeric_limits<std::uint64_t>::max());
                     arguments.has_seed = true;
                   })
      .group(fault_group);
}

std::string flags_of(const FaultArguments& arguments) {
  std::string text;
  const auto add = [&text](std::string_view flag, const std::vector<std::string>& values) {
    if (values.empty()) return;
    text += (text.empty() ? "" : " ") + std::string(flag);
    for (std::size_t index = 0; index < values.size(); ++index) text += (index == 0 ? " " : ",") + values[index];
  };
  const auto at = [](Cycle cycle) { return "@" + std::to_string(cycle); };
  const auto pair = [](Rank a, Rank b) { return std::to_string(a) + "-" + std::to_string(b); };
  std::vector<std::string> links, processors, stragglers;
  for (const LinkFault& fault : named_faults(arguments.faults.links, arguments.links)) {
    links.push_back(pair(fault.a, fault.b) + at(fault.from));
  }
  for (const ProcessorFault& fault : named_faults(arguments.faults.processors, arguments.processors)) {
    processors.push_back(std::to_string(fault.rank) + at(fault.from));
  }
  for (const Straggler& straggler : arguments.faults.stragglers) {
    stragglers.push_back(std::to_string(straggler.rank) + ":" + host::short_number(straggler.factor));
  }
  add("--fail-link", links);
  add("--fail-processor", processors);
  const auto add_random = [&](std::string_view flag, const std::optional<RandomFaults>& random) {
    if (!random) return;
    const std::string amount =
        random->percent ? host::short_number(*random->percent) + "%" : std::to_string(random->count);
    add(flag, {amount + at(random->from)});
  };
  add_random("--fail-links", arguments.links);
  add_random("--fail-processors", arguments.processors);
  add("--straggler", stragglers);
  const MessageFaults& messages = arguments.messages;
  const auto messages_of = [&](const FaultEffect& which) {
    std::vector<std::string> values;
    if (which.draws()) values.push_back(host::short_number(*which.share));
    for (const auto& [from, to, cycle] : which.between) values.push_back(pair(from, to) + at(cycle));
    return values;
  };
  add("--drop", messages_of(messages.dropped));
  add("--corrupt", messages_of(messages.corrupted));
  add("--delay", messages_of(messages.delayed));
  if (!messages.delayed.empty()) text += ":" + std::to_string(messages.delay);
  if (draws(arguments)) text += " --fault-seed " + std::to_string(messages.seed);
  return text;
}

void refuse_idle_seed(const FaultArguments& arguments) {
  if (!arguments.has_seed || draws(arguments)) return;
  throw InputError(
      "--fault-seed is for --fail-links, --fail-processors, and shares of messages in --drop, --corrupt and --delay");
}

}  // namespace lockstep::cli::flags
