#include "search_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "host/version.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::search {
namespace {

using Json = nlohmann::ordered_json;

std::string bound_text(std::uint64_t bound, std::uint64_t counted, const std::string& what) {
  const std::string text = what + " " + host::grouped(bound);
  return text + (counted == bound ? " (met)" : " (" + host::grouped(counted - bound) + " more)");
}

std::string line(const std::string& label, const std::string& text) {
  constexpr std::size_t width = 13;
  std::string line = label;
  line.resize(std::max(width, line.size()), ' ');
  return line + text + "\n";
}

std::string counts_text(std::uint64_t steps, std::uint64_t rounds, std::uint64_t longest_sum) {
  return host::counted(steps, "step") + ", " + host::counted(rounds, "round") + ", longest sum " +
         host::grouped(longest_sum);
}

/// ", time 120", where --beta or --tau is given.
std::string time_text(const CommandSearch& search, const Candidate& one) {
  const auto time = search.time_of(one);
  return time ? ", time " + host::short_number(*time) : "";
}

std::string task_text(const CommandSearch& search) {
  const SearchArguments& arguments = search.arguments;
  std::string text = arguments.operation;
  if (arguments.operation == "broadcast") text += " from " + std::to_string(arguments.root);
  text += " on " + printable(search.machine.text) + ", --ports " + std::string(name(arguments.ports)) + ", ";
  text += host::counted(arguments.chunks, "chunk");
  text += arguments.operation == "broadcast"   ? ""
          : arguments.operation == "alltoall"  ? " a pair"
          : arguments.operation == "allreduce" ? " of the vector a processor"
                                               : " a processor";
  return text + " of " + host::counted(arguments.words, "word");
}

}  // namespace

std::string human_text(const CommandSearch& search, const TakenSchedule& taken) {
  const ChunkCounts& its = taken.counts;
  std::string text = line("search", task_text(search));
  text += line("schedule", counts_text(its.steps, its.rounds, taken.longest_sum) + ", " +
                               host::counted(its.messages, "message") + ", " + host::counted(taken.words, "word"));
  text += line("lower bound", bound_text(search.bound.steps, its.steps, "steps") + ", " +
                                  bound_text(search.bound.rounds, its.rounds, "rounds"));
  const std::string allowed = search.arguments.steps ? " within " + host::counted(*search.arguments.steps, "step") : "";
  const bool takes_method = search.taken->trial.has_value();
  if (search.of_catalogue != nullptr) {
    const Candidate& best = *search.of_catalogue;
    text += line("catalogue",
                 "best" + allowed + " is " + best.by + ": " + counts_text(best.steps, best.rounds, best.longest_sum));
  } else {
    text += line("catalogue", "no method" + allowed + " runs here");
  }
  const std::vector<const Candidate*> front = search.front();
  for (const Candidate* const one : front) {
    if (front.size() == 1) break;
    text += line(one == front.front() ? "front" : "", host::counted(one->steps, "step") + ", " +
                                                          host::counted(one->rounds, "round") +
                                                          time_text(search, *one) + ": " + one->by);
  }
  const bool takes_resumed = !takes_method && search.taken->by != "search";
  const std::string by = takes_method    ? "the catalogue's method is taken; the search"
                         : takes_resumed ? "the schedule of --resume is taken; the search"
                                         : "the search";
  text +=
      line("found by", by +
                           (search.tries ? " laid " + host::counted(*search.tries, "tree") + " after the first"
                                         : " found none" + allowed) +
                           ", seed " + std::to_string(search.arguments.seed) + (search.cut ? "; " + *search.cut : ""));
  text += line("wall-clock", host::duration(search.seconds) + " for the search");
  text +=
      line(taken.wrong.empty() ? "verified" : "NOT VERIFIED", taken.wrong.empty() ? "all data is right" : taken.wrong);
  return text;
}

nlohmann::ordered_json json_document(const CommandSearch& search, const TakenSchedule& taken) {
  const SearchArguments& arguments = search.arguments;
  const ChunkCounts& its = taken.counts;
  Json method;
  if (search.of_catalogue != nullptr) {
    const Candidate& best = *search.of_catalogue;
    method = {{"algorithm", best.by},
              {"steps", best.steps},
              {"rounds", best.rounds},
              {"messages", best.messages},
              {"longest_sum", best.longest_sum}};
  }
  Json front = Json::array();
  for (const Candidate* const one : search.front()) {
    front.push_back({{"by", one->by},
                     {"steps", one->steps},
                     {"rounds", one->rounds},
                     {"time", host::json_of(search.time_of(*one))}});
  }
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"operation", arguments.operation},
          {"machine", search.machine.text},
          {"ports", name(arguments.ports)},
          {"root", arguments.operation == "broadcast" ? Json(arguments.root) : Json()},
          {"chunks", arguments.chunks},
          {"words", arguments.words},
          {"beta", host::json_of(arguments.beta)},
          {"tau", host::json_of(arguments.tau)},
          {"steps_allowed", host::json_of(arguments.steps)},
          {"seed", arguments.seed},
          {"tries", arguments.tries},
          {"time_limit_s", host::json_of(arguments.time_limit)},
          {"resumed", host::json_of(arguments.resume)},
          {"cut", host::json_of(search.cut)},
          {"taken", search.taken->by},
          {"counted",
           {{"steps", its.steps},
            {"rounds", its.rounds},
            {"messages", its.messages},
            {"words", taken.words},
            {"longest_sum", taken.longest_sum}}},
          {"lower_bound", {{"steps", search.bound.steps}, {"rounds", search.bound.rounds}}},
          {"gap", {{"steps", its.steps - search.bound.steps}, {"rounds", its.rounds - search.bound.rounds}}},
          {"catalogue", method},
          {"front", front},
          {"trees_laid", host::json_of(search.tries)},
          {"wall", {{"search_s", search.seconds}}},
          {"verified", taken.wrong.empty()}};
}

}  // namespace lockstep::cli::search
