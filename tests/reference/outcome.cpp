#include "outcome.hpp"

#include <algorithm>
#include <sstream>

namespace lockstep::reference {

namespace {

std::ostream& operator<<(std::ostream& out, const std::vector<Port>& ports) {
  for (const Port port : ports) out << ' ' << port;
  return out;
}

std::ostream& operator<<(std::ostream& out, const Wait& wait) {
  out << "rank " << wait.rank << " on port " << (wait.port ? std::to_string(*wait.port) : std::string("any"));
  return out << " since " << wait.since << " for " << wait.neighbour << (wait.neighbour_ended ? " (ended)" : "");
}

std::ostream& operator<<(std::ostream& out, const std::optional<Failure>& failure) {
  if (!failure) return out << "no failure";
  out << name(failure->kind) << " in cycle " << failure->cycle << ", rank " << failure->rank << ", ports"
      << failure->ports;
  for (const Wait& wait : failure->waits) out << "; " << wait;
  return out;
}

std::ostream& operator<<(std::ostream& out, const PhaseCounts& phase) {
  return out << '"' << phase.name << "\" steps " << phase.steps << ", messages " << phase.messages << ", words "
             << phase.words << ", longest sum " << phase.longest_sum;
}

std::ostream& operator<<(std::ostream& out, const CycleCounts& cycle) {
  return out << "cycle " << cycle.cycle << " messages " << cycle.messages << ", words " << cycle.words << ", longest "
             << cycle.longest << ", visited " << cycle.visited;
}

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << "cycles " << counts.cycles << ", steps " << counts.steps << ", messages " << counts.messages
             << ", sends " << counts.sends << ", words " << counts.words << ", longest sum " << counts.longest_sum
             << ", startups " << counts.startups << ", busiest link " << counts.busiest_link_words << " words, "
             << counts.busiest_link_messages << " messages, peak held " << counts.peak_words_held << ", copied "
             << counts.copied_words << ", operations " << counts.operations << ", visits " << counts.visits
             << ", synchronous " << counts.time_synchronous << ", asynchronous " << counts.time_asynchronous
             << ", arithmetic " << counts.time_arithmetic;
}

std::ostream& operator<<(std::ostream& out, const Note& note) {
  return out << "cycle " << note.now << " verb " << static_cast<int>(note.verb) << " port " << note.port << " value "
             << note.value << " arrival " << note.arrival;
}

template <class T>
std::string one_difference(const std::string& what, const T& ours, const T& expected) {
  if (ours == expected) return {};
  std::ostringstream text;
  text << what << ": " << ours << "\n  expected: " << expected;
  return text.str();
}

template <class T>
std::string list_difference(const std::string& what, const std::vector<T>& ours, const std::vector<T>& expected) {
  for (std::size_t index = 0; index < std::min(ours.size(), expected.size()); ++index) {
    std::string text = one_difference(what + ' ' + std::to_string(index), ours[index], expected[index]);
    if (!text.empty()) return text;
  }
  return one_difference("number of " + what, ours.size(), expected.size());
}

}  // namespace

std::string difference(const Outcome& ours, const Outcome& expected) {
  std::string text = one_difference("failure", ours.failure, expected.failure);
  for (std::size_t rank = 0; text.empty() && rank < expected.notes.size(); ++rank) {
    text = list_difference("rank " + std::to_string(rank) + ", note", ours.notes.at(rank), expected.notes[rank]);
  }
  if (!text.empty() || expected.failure) return text;
  text = one_difference("counts", ours.counts, expected.counts);
  if (text.empty()) text = list_difference("phase", ours.phases, expected.phases);
  if (text.empty()) text = list_difference("cycle record", ours.per_cycle, expected.per_cycle);
  return text;
}

}  // namespace lockstep::reference
