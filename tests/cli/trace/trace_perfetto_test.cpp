// trace --perfetto: the rules of Chrome's trace format that Perfetto's reader requires.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "command_line.hpp"

namespace lockstep::test::trace_perfetto_test {
namespace {

using Json = nlohmann::json;

/// As Perfetto computes it.
std::int64_t nanoseconds(const Json& microseconds) { return std::llround(microseconds.get<double>() * 1000); }

struct Slice {
  std::int64_t start;
  std::int64_t end;
};

/// The events of a file, checked one by one in their order.
class Events {
 public:
  explicit Events(const Json& trace) {
    EXPECT_EQ(trace["displayTimeUnit"], "ns");
    for (const Json& event : trace["traceEvents"]) check(event);
    for (const auto& [id, ends] : flows_) {
      EXPECT_EQ(ends.size(), 2U) << "flow " << id;
      EXPECT_EQ(ends.front(), ends.back()) << "flow " << id;
    }
    for (const auto& [track, on_it] : slices_) {
      EXPECT_TRUE(names.contains(track)) << "a track without a name";
      check_nesting(on_it);
    }
  }

  std::map<unsigned, std::string> processes;
  std::map<unsigned, std::string> names;       ///< of tracks
  std::map<std::string, std::size_t> slices;   ///< counts by process and category
  std::map<std::string, std::size_t> started;  ///< flows by process
  std::map<std::string, Slice> first;          ///< slice of each track by process and name
  std::int64_t last = 0;                       ///< end of a modelled slice

 private:
  void check(const Json& event) {
    const std::string kind = event["ph"];
    ASSERT_TRUE(event["pid"].is_number_unsigned()) << event;
    const unsigned process = event["pid"];
    if (kind == "M") return name(event, process);
    ASSERT_TRUE(processes.contains(process)) << event;
    ASSERT_TRUE(event["ts"].is_number()) << event;
    EXPECT_GE(event["ts"], 0) << event;
    if (kind == "C") {
      for (const Json& value : event["args"]) EXPECT_TRUE(value.is_number()) << event;
      return;
    }
    ASSERT_TRUE(event["tid"].is_number_unsigned()) << event;
    const unsigned track = event["tid"];
    EXPECT_EQ(process_of_[track], process) << "a track of two processes";
    if (kind == "X") return add_slice(event, process, track);
    ASSERT_TRUE(kind == "s" || kind == "f") << event;
    ASSERT_TRUE(event["id"].is_number_unsigned()) << event;
    auto& ends = flows_[event["id"].get<std::uint64_t>()];
    EXPECT_EQ(kind, ends.empty() ? "s" : "f") << event;
    ends.push_back({event["cat"], event["name"]});
    if (kind == "f") {
      EXPECT_EQ(event["bp"], "e") << event;
    } else {
      ++started[processes[process]];
    }
    const std::int64_t time = nanoseconds(event["ts"]);
    const auto holds = [time](const Slice& slice) { return slice.start <= time && time <= slice.end; };
    EXPECT_TRUE(std::ranges::any_of(slices_[track], holds)) << "outside of the slices before it: " << event;
  }

  void name(const Json& event, unsigned process) {
    const std::string name = event["args"]["name"];
    if (event["name"] == "process_name") {
      processes[process] = name.substr(name.find(", ") + 2);
      return;
    }
    ASSERT_EQ(event["name"], "thread_name");
    const unsigned track = event["tid"];
    EXPECT_FALSE(names.contains(track)) << "a track of two names";
    names[track] = name;
    process_of_[track] = process;
  }

  void add_slice(const Json& event, unsigned process, unsigned track) {
    ASSERT_TRUE(event["dur"].is_number()) << event;
    EXPECT_GE(event["dur"], 0) << event;
    const std::int64_t start = nanoseconds(event["ts"]);
    const Slice slice{start, start + nanoseconds(event["dur"])};
    slices_[track].push_back(slice);
    ++slices[processes[process] + " " + event["cat"].get<std::string>()];
    first.emplace(processes[process] + " " + names[track], slice);
    if (processes[process] == "modelled") last = std::max(last, slice.end);
  }

  /// Two slices nest, the first in the file around the other, or are disjoint.
  static void check_nesting(const std::vector<Slice>& on_track) {
    for (std::size_t index = 0; index < on_track.size(); ++index) {
      for (std::size_t later = index + 1; later < on_track.size(); ++later) {
        const Slice &a = on_track[index], &b = on_track[later];
        const bool are_apart = a.end <= b.start || b.end <= a.start;
        EXPECT_TRUE(are_apart || (a.start <= b.start && b.end <= a.end))
            << a.start << " to " << a.end << " and " << b.start << " to " << b.end;
      }
    }
  }

  std::map<unsigned, unsigned> process_of_;  // by track
  std::map<unsigned, std::vector<Slice>> slices_;
  std::map<std::uint64_t, std::vector<std::pair<std::string, std::string>>> flows_;
};

Events events_of(const std::string& flags) {
  SCOPED_TRACE(flags);
  const Finished run = lockstep("trace " + flags + " --perfetto -");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Json trace = Json::parse(run.out, nullptr, false);
  EXPECT_TRUE(trace.is_object());
  return Events(trace);
}

// 2^3 - 1 messages, in three steps of 3 + 2 * 0.5 = 4. All processors but the root receive, and the lower half sends.
TEST(TracePerfetto, HasTheModelledTimesAndTheWallTimesAsTwoProcesses) {
  Events events = events_of("--machine hypercube:3 --algorithm broadcast/sbt --words 2 --beta 3 --tau 0.5");
  EXPECT_EQ(events.processes, (std::map<unsigned, std::string>{{1, "modelled"}, {2, "wall-clock"}}));
  EXPECT_EQ(events.slices,
            (std::map<std::string, std::size_t>{
                {"modelled send", 7}, {"modelled receive", 7}, {"wall-clock send", 7}, {"wall-clock receive", 7}}));
  EXPECT_EQ(events.started, (std::map<std::string, std::size_t>{{"modelled", 7}, {"wall-clock", 7}}));
  EXPECT_EQ(events.names.size(), 2 * (4U + 7U));
  EXPECT_EQ(events.first.at("modelled rank 2 receive").start, 4000);
  EXPECT_EQ(events.first.at("modelled rank 2 receive").end, 8000);
  EXPECT_EQ(events.first.at("modelled rank 2 send").start, 8000);
  EXPECT_EQ(events.last, 12000);
}

// A processor that sends and receives at once needs two tracks, or with all its ports in use two for each port.
TEST(TracePerfetto, KeepsTheRulesWhateverMoves) {
  for (const std::string flags :
       {"--machine hypercube:4 --algorithm allgather/adea --words 3", "--machine ring:11 --algorithm broadcast/two-way",
        "--machine hypercube:3 --algorithm allgather/tea2 --ports all --beta 0.1 --tau 0.0123",
        "--machine torus:4x3 --algorithm alltoall/product --beta 0.1 --tau 0.3 --words 3",
        "--machine hypercube:4 --algorithm scatter/sbt --words 7 --beta 5e-3 --tau 1e-6",
        "--machine ring:6 --algorithm broadcast/two-way --words 3 --ports one --multicast on",
        "--machine bus:4,kstar=2 --algorithm allgather/direct",
        "--machine shared:4,kstar=2 --algorithm allgather/direct", "--machine switch:4 --algorithm alltoall/exchange",
        "--machine hypercube:3 --algorithm broadcast/sbt --beta 0 --tau 0",
        "--machine hypercube:0 --algorithm broadcast/sbt"}) {
    events_of(flags);
  }
}

TEST(TracePerfetto, PadsRanksAndPorts) {
  const Events events = events_of("--machine ring:11 --algorithm allgather/daisy-chain");
  for (const auto& [track, name] : events.names) EXPECT_EQ(name.substr(0, 5) + name.substr(7, 1), "rank  ") << name;
  const Events all = events_of("--machine ring:4 --algorithm broadcast/two-way --ports all");
  EXPECT_TRUE(all.first.contains("modelled rank 0 port 0 send"));
  EXPECT_TRUE(all.first.contains("modelled rank 0 port 1 send"));
}

// A start-up of 5e-3 and 7 words of 1e-6 are below a microsecond, of which Perfetto keeps the thousandths: 1000 times
// as long.
TEST(TracePerfetto, StretchesShortTimes) {
  const Finished run =
      lockstep("trace --machine hypercube:1 --algorithm broadcast/sbt --words 7 --beta 5e-3 --tau 1e-6 --perfetto -");
  EXPECT_NE(run.out.find("modelled (1 us is 0.001 of its unit)"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\"dur\":5.007,"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace lockstep::test::trace_perfetto_test
