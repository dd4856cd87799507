#include "fault_options.hpp"

#include <CLI/CLI.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/input_error.hpp"
#include "number_text.hpp"
#include "value_option.hpp"

namespace lockstep::cli {
namespace {

constexpr const char* group = "Faults";
constexpr double most_factor = 1e9;

/// Splits at the first such letter; the second part is empty if there is none.
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

/// Behind an @; `otherwise` if there is none.
Cycle cycle_of(std::string_view flag, std::string_view text, bool is_there, Cycle otherwise) {
  return is_there ? parse_whole_number(flag, text, 0, last_cycle) : otherwise;
}

bool has(std::string_view text, char letter) { return text.find(letter) != std::string_view::npos; }

/// "A-B@CYCLE".
Befallen::Between between_of(std::string_view flag, std::string_view text, const char* form, bool needs_cycle) {
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

/// A share, or messages by name.
void befall(std::string_view flag, std::string_view text, Befallen& which) {
  for_each_of(text, [&](std::string_view one) {
    if (has(one, '-')) {
      which.between.push_back(
          between_of(flag, one, "a share of all messages, such as 0.01, or FROM-TO@CYCLE,..", true));
    } else {
      which.share = parse_number(flag, one, 1, "0.01");
    }
  });
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
                          faults.links.push_back({a, b, from});
                        });
                      })
      ->group(group);
  add_repeated_option(app, "--fail-processor", "R[@CYCLE],..", "these processors stop when that cycle begins",
                      [&faults](const std::string& text) {
                        for_each_of(text, [&](std::string_view one) {
                          const auto [rank, from] = split(one, '@');
                          faults.processors.push_back({rank_of("--fail-processor", rank),
                                                       cycle_of("--fail-processor", from, has(one, '@'), 0)});
                        });
                      })
      ->group(group);
  add_repeated_option(
      app, "--straggler", "R:FACTOR,..",
      "these processors take so many times as long for what they send and do, on the asynchronous clock",
      [&faults](const std::string& text) {
        for_each_of(text, [&](std::string_view one) {
          const auto [rank, factor] = split(one, ':');
          if (factor.empty()) throw InputError("--straggler takes R:FACTOR, not " + quoted(one));
          const double times = parse_number("--straggler", factor, most_factor, "2.5");
          if (times == 0) throw InputError("--straggler: a factor is more than 0");
          faults.stragglers.push_back({rank_of("--straggler", rank), times});
        });
      })
      ->group(group);
  add_repeated_option(app, "--drop", "SHARE|FROM-TO@CYCLE,..",
                      "a share of all messages, or those between two ranks in a cycle, do not arrive",
                      [&messages](const std::string& text) { befall("--drop", text, messages.dropped); })
      ->group(group);
  add_repeated_option(app, "--corrupt", "SHARE|FROM-TO@CYCLE,..", "they arrive with every bit of one word inverted",
                      [&messages](const std::string& text) { befall("--corrupt", text, messages.corrupted); })
      ->group(group);
  add_repeated_option(app, "--delay", "SHARE|FROM-TO@CYCLE,..[:CYCLES]",
                      "they arrive so many cycles later (default: 1)",
                      [&messages](const std::string& text) {
                        const auto [which, cycles] = split(text, ':');
                        befall("--delay", which, messages.delayed);
                        if (has(text, ':')) messages.delay = parse_whole_number("--delay", cycles, 1, 1'000'000);
                      })
      ->group(group);
  add_value_option(app, "--fault-seed", "S", "seed of the messages that a share befalls (default 1)",
                   [&arguments](const std::string& text) {
                     arguments.messages.seed =
                         parse_whole_number("--fault-seed", text, 0, std::numeric_limits<std::uint64_t>::max());
                     arguments.has_seed = true;
                   })
      ->group(group);
}

void refuse_idle_seed(const FaultArguments& arguments) {
  const MessageFaults& messages = arguments.messages;
  if (!arguments.has_seed) return;
  if (messages.dropped.share + messages.corrupted.share + messages.delayed.share > 0) return;
  throw InputError("--fault-seed is for shares of messages in --drop, --corrupt and --delay");
}

}  // namespace lockstep::cli
