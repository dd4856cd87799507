#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <tuple>

#include "host/number_text.hpp"
#include "lockstep/core/observer.hpp"
#include "lockstep/core/printable.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli::trace {
namespace {

/// Whole nanoseconds of the viewer's time, its internal unit.
using Nanoseconds = std::int64_t;

std::string microseconds(Nanoseconds time) {
  const std::string fraction = std::to_string(time % 1000);
  return std::to_string(time / 1000) + "." + std::string(3 - fraction.size(), '0') + fraction;
}

/// Quotes a text of our own, which needs no escapes.
std::string quote(const std::string& text) { return "\"" + text + "\""; }

const std::string next_event = ",\n";

/// Whether a processor may be in several transfers at once, so that each of its ports has tracks.
bool has_several_sends(const Model& model) { return sends_on_several_ports(model.ports) || is_k_ports(model.ports); }

enum class TrackDirection { send, receive };

/// One row of the viewer, in which slices are nested or disjoint.
struct Track {
  unsigned id = 0;
  Cycle cycle = 0;
  Nanoseconds start = -1;  // of the slices of that cycle
  Nanoseconds end = 0;     // of the last slice
};

struct TrackSlice {
  Nanoseconds start;
  Nanoseconds end;
};

/// The tracks of one process: one for sends and one for receives per processor, or per port where all ports work at
/// once.
class Tracks {
 public:
  /// Writes the events that name the tracks.
  Tracks(const TracedRun& run, unsigned process, unsigned& next_id, std::ostream& out)
      : process_(process), of_ports_(has_several_sends(run.plan().model)) {
    for (const run::TracedMessage& message : run.trace.messages()) {
      if (message.from != memory_rank) add(message.from, message.port, TrackDirection::send);
      for (const End& to : run.trace.receivers(message)) {
        if (to.rank != memory_rank) add(to.rank, to.port, TrackDirection::receive);
      }
    }
    const std::uint64_t processors = run.plan().machine.processors, ports = run.plan().machine.ports;
    for (auto& [key, track] : tracks_) {
      const auto& [rank, port, direction] = key;
      track.id = next_id++;
      const std::string name = "rank " + padded(rank, processors) + (of_ports_ ? " port " + padded(port, ports) : "") +
                               (direction == TrackDirection::send ? " send" : " receive");
      out << next_event + R"({"ph":"M","name":"thread_name",)" + place(track) + R"(,"args":{"name":)" + quote(name) +
                 "}}";
    }
  }

  Track& at(Rank rank, Port port, TrackDirection direction) {
    return tracks_.at({rank, of_ports_ ? port : 0, direction});
  }
  std::string place(const Track& track) const {
    return "\"pid\":" + std::to_string(process_) + ",\"tid\":" + std::to_string(track.id);
  }

 private:
  void add(Rank rank, Port port, TrackDirection direction) { tracks_[{rank, of_ports_ ? port : 0, direction}]; }

  const unsigned process_;
  const bool of_ports_;
  std::map<std::tuple<Rank, Port, TrackDirection>, Track> tracks_;
};

/// Puts a slice on the track after those of earlier cycles, which rounding may overlap by a nanosecond. Slices of one
/// cycle are copies sent at once: they share one start, and the longest comes first.
TrackSlice put(Track& track, Cycle cycle, TrackSlice slice) {
  if (track.start < 0 || track.cycle != cycle) {
    track.cycle = cycle;
    track.start = std::max(slice.start, track.end);
  }
  slice.start = track.start;
  slice.end = std::max(slice.start, slice.end);
  track.end = std::max(track.end, slice.end);
  return slice;
}

/// Counters of numbers that are unique in a file.
struct NextNumbers {
  unsigned track = 1;
  std::uint64_t flow = 1;
};

/// Writes the events of the messages of one process.
class Events {
 public:
  Events(const TracedRun& run, unsigned process, NextNumbers& next, std::ostream& out)
      : run_(run), tracks_(run, process, next.track, out), next_flow_(next.flow), out_(out) {}

  /// `sender_start` is earlier than this message's start if another copy sent at the same time begins earlier.
  void add(const run::TracedMessage& message, const TrackSlice& when, Nanoseconds sender_start) {
    const auto& receivers = run_.trace.receivers(message);
    const bool writes = receivers.front().rank == memory_rank;
    const std::string words = host::counted(message.words, "word");
    const std::string from = message.from == memory_rank ? "memory" : std::to_string(message.from);
    if (message.from == memory_rank) {
      add_slice(message, receivers.front(), TrackDirection::receive, "read " + words, when);
      return;
    }
    std::string to;
    for (const End& end : receivers) to += (to.empty() ? "" : " ") + std::to_string(end.rank);
    const End sender{message.from, message.port};
    const TrackSlice sent =
        add_slice(message, sender, TrackDirection::send, writes ? "write " + words : "send " + words + " to " + to,
                  {sender_start, when.end});
    if (writes) return;
    for (const End& end : receivers) {
      const TrackSlice received = add_slice(message, end, TrackDirection::receive, "receive from " + from, when);
      const std::string flow = ",\"id\":" + std::to_string(next_flow_++) + R"(,"cat":"message","name":)" +
                               quote(from + " to " + std::to_string(end.rank)) + "}";
      out_ << next_event + R"({"ph":"s",)" + place(sender, TrackDirection::send) +
                  ",\"ts\":" + microseconds(sent.start) + flow;
      const Nanoseconds middle = received.start + (received.end - received.start) / 2;
      out_ << next_event + R"({"ph":"f","bp":"e",)" + place(end, TrackDirection::receive) +
                  ",\"ts\":" + microseconds(middle) + flow;
    }
  }

 private:
  std::string place(const End& end, TrackDirection direction) {
    return tracks_.place(tracks_.at(end.rank, end.port, direction));
  }

  TrackSlice add_slice(const run::TracedMessage& message, const End& end, TrackDirection direction,
                       const std::string& name, const TrackSlice& when) {
    const TrackSlice slice = put(tracks_.at(end.rank, end.port, direction), message.cycle, when);
    out_ << next_event + R"({"ph":"X",)" + place(end, direction) + ",\"ts\":" + microseconds(slice.start) +
                ",\"dur\":" + microseconds(slice.end - slice.start) + ",\"name\":" + quote(name) +
                (direction == TrackDirection::send ? R"(,"cat":"send","args":{)" : R"(,"cat":"receive","args":{)") +
                "\"cycle\":" + std::to_string(message.cycle) + ",\"port\":" + std::to_string(end.port) +
                ",\"words\":" + std::to_string(message.words) + ",\"blocks\":" + quote(blocks(message)) + "}}";
    return slice;
  }

  std::string blocks(const run::TracedMessage& message) const {
    constexpr std::size_t most = 8;
    std::string text;
    for (const BlockLabels& block : run_.trace.blocks(message).first(std::min(message.blocks, most))) {
      text += (text.empty() ? "" : " ") + std::to_string(block.origin);
      if (block.origin != block.destination) text += "-" + std::to_string(block.destination);
    }
    return text + (message.blocks > most ? " .." : "");
  }

  const TracedRun& run_;
  Tracks tracks_;
  std::uint64_t& next_flow_;
  std::ostream& out_;
};

std::string process_name(unsigned process, const std::string& name) {
  return R"({"ph":"M","name":"process_name","pid":)" + std::to_string(process) + R"(,"args":{"name":)" +
         nlohmann::json(name).dump() + "}}";
}

/// The power of ten by which modelled times are multiplied, so that the cheapest message takes at least a microsecond
/// if the range allows it.
double scale_of(const run::Trace& trace) {
  double shortest = std::numeric_limits<double>::infinity(), latest = 0;
  for (const run::TracedMessage& message : trace.messages()) {
    const double time = message.end - message.start;
    if (time > 0) shortest = std::min(shortest, time);
    latest = std::max(latest, message.end);
  }
  constexpr double most = 1e15;  // microseconds; the viewer has 63 bits for nanoseconds
  double scale = 1;
  while (latest * scale > most) scale /= 10;
  while (scale < 1 / std::numeric_limits<float>::min() && shortest * scale < 1 && latest * scale * 10 < most)
    scale *= 10;
  return scale;
}

/// The start of each sender's first message, for the messages of one cycle.
std::map<Rank, double> first_starts(std::span<const run::TracedMessage> messages) {
  std::map<Rank, double> starts;
  for (const run::TracedMessage& message : messages) {
    const auto [start, is_new] = starts.emplace(message.from, message.start);
    if (!is_new) start->second = std::min(start->second, message.start);
  }
  return starts;
}

/// The messages of a cycle, the longest first, so that a slice comes before those that it encloses.
std::vector<std::size_t> longest_first(const run::Trace& trace, std::size_t cycle_index) {
  const std::size_t first = trace.cycles()[cycle_index].first_message;
  std::vector<std::size_t> order(trace.messages_of(cycle_index).size());
  std::iota(order.begin(), order.end(), first);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t number) { return trace.messages()[number].end; });
  return order;
}

/// Converts modelled times to the viewer's.
struct ModelledClock {
  double scale;

  Nanoseconds operator()(double time) const { return static_cast<Nanoseconds>(std::llround(time * scale * 1e3)); }
};

void write_modelled(const TracedRun& run, const ModelledClock& clock, Events events) {
  const run::Trace& trace = run.trace;
  const bool one_port = !has_several_sends(run.plan().model);
  for (std::size_t index = 0; index < trace.cycles().size(); ++index) {
    const std::map<Rank, double> starts = first_starts(trace.messages_of(index));
    for (const std::size_t number : longest_first(trace, index)) {
      const run::TracedMessage& message = trace.messages()[number];
      const TrackSlice slice{clock(message.start), clock(message.end)};
      events.add(message, slice, one_port ? clock(starts.at(message.from)) : slice.start);
    }
  }
}

/// Writes the number of messages in flight whenever it changes.
void write_in_flight(unsigned process, const run::Trace& trace, const ModelledClock& clock, std::ostream& out) {
  std::vector<Nanoseconds> starts, ends;
  starts.reserve(trace.messages().size());
  ends.reserve(trace.messages().size());
  for (const run::TracedMessage& message : trace.messages()) {
    starts.push_back(clock(message.start));
    ends.push_back(clock(message.end));
  }
  std::ranges::sort(starts);
  std::ranges::sort(ends);
  for (std::size_t started = 0, ended = 0; ended < ends.size();) {
    const Nanoseconds time = started < starts.size() ? std::min(starts[started], ends[ended]) : ends[ended];
    while (started < starts.size() && starts[started] == time) ++started;
    while (ended < ends.size() && ends[ended] == time) ++ended;
    out << next_event + R"({"ph":"C","pid":)" + std::to_string(process) + ",\"ts\":" + microseconds(time) +
               R"(,"name":"messages","args":{"in flight":)" + std::to_string(started - ended) + "}}";
  }
}

void write_wall(const TracedRun& run, Events events) {
  const auto time = [](double seconds) { return static_cast<Nanoseconds>(std::llround(seconds * 1e9)); };
  for (std::size_t index = 0; index < run.trace.cycles().size(); ++index) {
    const run::TracedCycle& cycle = run.trace.cycles()[index];
    const TrackSlice slice{time(cycle.wall_start), time(cycle.wall_end)};
    for (const std::size_t number : longest_first(run.trace, index)) {
      events.add(run.trace.messages()[number], slice, slice.start);
    }
  }
}

}  // namespace

void write_perfetto(const TracedRun& run, std::ostream& out) {
  constexpr unsigned modelled = 1, wall = 2;
  const std::string what = printable(run.plan().machine.text) + " " + printable(run.plan().name);
  const std::string missing = missing_line(run).empty() ? "" : "; " + missing_line(run);
  const ModelledClock clock{scale_of(run.trace)};
  const std::string unit = clock.scale == 1 ? "" : " (1 us is " + host::short_number(1 / clock.scale) + " of its unit)";
  NextNumbers next;
  out << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  out << process_name(modelled, what + ", modelled" + unit + missing);
  out << next_event + process_name(wall, what + ", wall-clock" + missing);
  write_modelled(run, clock, Events(run, modelled, next, out));
  write_in_flight(modelled, run.trace, clock, out);
  write_wall(run, Events(run, wall, next, out));
  out << "\n]}\n";
}

}  // namespace lockstep::cli::trace
