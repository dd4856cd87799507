#include "collective_calls.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/settings.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::simgrid {
namespace {

/// Bytes of SMPI's data types, by number; 0 where there is no such type.
constexpr std::array<std::uint8_t, 60> type_bytes{
    8, 4,  1,  2, 8, 4, 1,  8,  1, 1, 2, 4,  8, 8,  16, 4, 1, 1, 2, 4,  8,  1, 2, 4,  8,  8, 16, 32, 8, 8,
    8, 16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32, 0, 0,  1,  8, 8};

constexpr std::size_t nowhere = ~std::size_t{0};

/// The places of the numbers of a collective operation in its line; behind the counts, if there is one for every rank,
/// places are counted from their end.
struct Layout {
  std::string_view verb;
  std::string_view method{};         ///< of the catalogue; empty: sent directly
  std::size_t counts = nowhere;      ///< the first of the counts
  std::size_t root = nowhere;        ///< nowhere: there is none
  std::size_t type = nowhere;        ///< of the data sent
  std::size_t operations = nowhere;  ///< arithmetic
};

constexpr std::array layouts{
    Layout{.verb = "barrier", .method = "barrier/dissemination"},
    Layout{.verb = "bcast", .method = "broadcast/doubling", .root = 1, .type = 2},
    Layout{.verb = "reduce", .method = "reduce/binomial", .root = 2, .type = 3, .operations = 1},
    Layout{.verb = "allreduce", .method = "allreduce/recursive-doubling", .type = 2, .operations = 1},
    Layout{.verb = "allgather", .method = "allgather/doubling", .type = 2},
    Layout{.verb = "alltoall", .method = "alltoall/pairwise", .type = 2},
    Layout{.verb = "scan", .method = "scan/doubling", .type = 2, .operations = 1},
    Layout{.verb = "exscan", .method = "exscan/123-doubling", .type = 2, .operations = 1},
    Layout{.verb = "gather", .root = 2, .type = 3},
    Layout{.verb = "gatherv", .counts = 1, .root = 0, .type = 1},
    Layout{.verb = "scatter", .root = 2, .type = 4},
    Layout{.verb = "scatterv", .counts = 0, .root = 1, .type = 2},
    Layout{.verb = "allgatherv", .counts = 1, .type = 0},
    Layout{.verb = "alltoallv", .counts = 1, .type = 0},
    Layout{.verb = "reducescatter", .counts = 0, .type = 1, .operations = 0}};

const Layout& layout_of(std::string_view verb) { return *std::ranges::find(layouts, verb, &Layout::verb); }

std::int64_t value_at(const TraceLine& line, std::size_t at, const std::string& place) {
  if (at < line.values.size()) return line.values[at];
  throw InputError(place + ": " + std::string(line.verb) + " has only " + std::to_string(line.values.size()) +
                   " numbers");
}

/// Records sender, receiver and length of messages.
class MessageRecorder : public RunObserver {
 public:
  explicit MessageRecorder(std::vector<std::vector<CollectiveMessage>>& messages) : messages_(messages) {}

  void barrier(MovingMessages& moving) override {
    for (std::size_t index = 0; index < moving.size(); ++index) {
      const MovingMessage message = moving.message(index);
      messages_[message.from].push_back({moving.cycle(), true, message.to.rank, message.words});
      messages_[message.to.rank].push_back({moving.cycle(), false, message.from, message.words});
    }
  }

 private:
  std::vector<std::vector<CollectiveMessage>>& messages_;
};

}  // namespace

std::string place_of(const std::vector<NamedText>& files, Rank rank, const TraceLine& line) {
  return files[line.file].name + ": rank " + std::to_string(rank) + ", line " + std::to_string(line.number);
}

std::uint64_t bytes_of(const TraceLine& line, std::size_t count_at, std::size_t type_at, std::size_t usual_type,
                       const std::string& place) {
  const std::int64_t count = value_at(line, count_at, place);
  const std::int64_t type = type_at < line.values.size() ? line.values[type_at] : static_cast<std::int64_t>(usual_type);
  const auto refuse = [&](const std::string& wrong) {
    throw InputError(place + ": " + std::string(line.verb) + ": " + wrong);
  };
  if (count < 0) refuse("its size is " + std::to_string(count));
  if (type < 0 || type >= static_cast<std::int64_t>(type_bytes.size()) ||
      type_bytes[static_cast<std::size_t>(type)] == 0) {
    refuse("there is no type of data " + std::to_string(type));
  }
  return static_cast<std::uint64_t>(count) * type_bytes[static_cast<std::size_t>(type)];
}

std::string_view collective_name(std::string_view verb) {
  const auto layout = std::ranges::find(layouts, verb, &Layout::verb);
  return layout == layouts.end() ? std::string_view() : layout->verb;
}

CollectiveCalls::CollectiveCalls(std::vector<std::vector<TraceLine>> calls, std::size_t usual_type,
                                 const std::vector<NamedText>& files)
    : calls_(std::move(calls)), usual_type_(usual_type), files_(files) {
  for (Rank rank = 0; rank < ranks(); ++rank) {
    for (std::size_t call = 0; call < std::max(count(), calls_[rank].size()); ++call) {
      if (call >= std::min(count(), calls_[rank].size())) {
        const Rank longer = call < count() ? 0 : rank;
        throw InputError(place(longer, calls_[longer][call]) + ": " + std::string(calls_[longer][call].verb) +
                         " is a collective operation that rank " + std::to_string(longer == 0 ? rank : 0) +
                         " does not call");
      }
      const TraceLine& own = calls_[rank][call];
      const TraceLine& first = calls_.front()[call];
      const auto refuse = [&](const std::string& wrong) {
        throw InputError(place(rank, own) + ": " + std::string(own.verb) + " where rank 0, line " +
                         std::to_string(first.number) + " has " + wrong);
      };
      if (own.verb != first.verb) refuse(std::string(first.verb));
      const Rank root = root_of(0, first);
      if (root_of(rank, own) != root) refuse("root " + std::to_string(root));
      const Layout& layout = layout_of(own.verb);
      if (layout.method.empty() || layout.type == nowhere) continue;
      const std::uint64_t bytes_first = bytes(0, call, 0, layout.type);
      if (bytes(rank, call, 0, layout.type) != bytes_first) refuse(std::to_string(bytes_first) + " bytes");
    }
  }
  refuse_many_messages();
}

void CollectiveCalls::refuse_many_messages() const {
  constexpr Wide most = Wide{1} << 24;
  const Wide p = ranks();
  Wide messages = 0;
  for (const TraceLine& line : calls_.front()) {
    const Layout& layout = layout_of(line.verb);
    const bool is_between_all = layout.root == nowhere && (layout.method.empty() || line.verb == "alltoall");
    messages += is_between_all ? p * (p - 1) : p * doublings(ranks());
  }
  if (messages <= most) return;
  throw InputError(files_.front().name + ": collective operations of " + std::to_string(ranks()) +
                   " ranks are more than 2^24 messages");
}

Rank CollectiveCalls::root_of(Rank rank, const TraceLine& line) const {
  const Layout& layout = layout_of(line.verb);
  if (layout.root == nowhere) return 0;
  const std::size_t at = layout.counts == nowhere ? layout.root : layout.counts + ranks() + layout.root;
  const std::int64_t root = at < line.values.size() ? line.values[at] : 0;
  if (root >= 0 && root < std::int64_t{ranks()}) return static_cast<Rank>(root);
  throw InputError(place(rank, line) + ": there is no root " + std::to_string(root));
}

std::uint64_t CollectiveCalls::bytes(Rank rank, std::size_t call, std::size_t count_at, std::size_t type_at) const {
  return bytes_of(calls_[rank][call], count_at, type_at, usual_type_, place(rank, calls_[rank][call]));
}

std::vector<CollectiveMessage> CollectiveCalls::messages(Rank rank, std::size_t call) {
  const Layout& layout = layout_of(calls_[rank][call].verb);
  if (layout.method.empty()) return layout.root == nowhere ? in_turns(rank, call) : at_root(rank, call);
  Messages messages = messages_of_method(layout.method, root_of(rank, calls_[rank][call]))[rank];
  const std::uint64_t each = layout.type == nowhere ? 0 : bytes(rank, call, 0, layout.type);
  for (CollectiveMessage& message : messages) message.bytes *= each;
  return messages;
}

std::uint64_t CollectiveCalls::operations(Rank rank, std::size_t call) const {
  const TraceLine& line = calls_[rank][call];
  const Layout& layout = layout_of(line.verb);
  if (layout.operations == nowhere) return 0;
  const std::size_t at = layout.counts == nowhere ? layout.operations : layout.counts + ranks() + layout.operations;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value_at(line, at, place(rank, line)), 0));
}

/// For a gather or scatter: the root and all other ranks, in one turn.
std::vector<CollectiveMessage> CollectiveCalls::at_root(Rank rank, std::size_t call) const {
  const TraceLine& line = calls_[rank][call];
  const Layout& layout = layout_of(line.verb);
  const Rank root = root_of(rank, line);
  const bool gathers = line.verb.starts_with("gather");
  const bool has_counts = layout.counts != nowhere;
  const std::size_t type = has_counts ? layout.counts + ranks() + layout.type : layout.type;
  // Every rank's own line has its count.
  const std::size_t own_count = gathers ? 0 : has_counts ? ranks() : 1;
  if (rank != root) return {{0, gathers, root, bytes(rank, call, own_count, type)}};
  Messages messages;
  for (Rank other = 0; other < ranks(); ++other) {
    if (other != root) messages.push_back({0, !gathers, other, bytes(other, call, own_count, type)});
  }
  return messages;
}

/// Bytes from one rank to another in one of the turns.
std::uint64_t CollectiveCalls::sent_in_turns(Rank rank, std::size_t call, Rank to) const {
  const TraceLine& line = calls_[rank][call];
  const std::size_t p = ranks();
  if (line.verb == "alltoallv") return bytes(rank, call, 1 + to, 2 * p + 2);
  if (line.verb == "reducescatter") return bytes(rank, call, to, p + 1);
  // In an allgatherv the type follows the counts, unless displacements are there.
  const std::size_t numbers = line.values.size();
  const bool has_places_only = numbers > p + 3 && numbers <= 2 * p + 1;
  return bytes(rank, call, 0, has_places_only ? nowhere : p + 1);
}

std::vector<CollectiveMessage> CollectiveCalls::in_turns(Rank rank, std::size_t call) const {
  Messages messages;
  for (Rank turn = 1; turn < ranks(); ++turn) {
    const Rank to = shifted(rank, turn, ranks());
    const Rank from = shifted(rank, ranks() - turn, ranks());
    messages.push_back({turn, false, from, sent_in_turns(from, call, rank)});
    messages.push_back({turn, true, to, sent_in_turns(rank, call, to)});
  }
  return messages;
}

const std::vector<std::vector<CollectiveMessage>>& CollectiveCalls::messages_of_method(std::string_view name,
                                                                                       Rank root) {
  const auto [known, is_new] = known_.try_emplace({name, root}, ranks());
  std::vector<Messages>& messages = known->second;
  if (!is_new || ranks() == 1) return messages;
  const MachineSpec machine = parse_machine("switch:" + std::to_string(ranks()));
  const Method& method = find_method(name, machine.family);
  Settings settings;
  const auto takes = [&](std::string_view parameter) {
    return std::ranges::find(method.parameters, parameter, &Parameter::name) != method.parameters.end();
  };
  if (takes("root")) settings.root = root;
  if (takes("words")) settings.words = 1;
  method.resolve(machine, method.defaults, settings);
  const Topology topology = build(machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  MessageRecorder recorder(messages);
  method.run({.machine = machine,
              .topology = topology,
              .model = method.defaults,
              .settings = settings,
              .executor = *executor,
              .options = {.name = std::string(name)},
              .observer = &recorder});
  for (Messages& of_rank : messages) std::ranges::sort(of_rank);
  return messages;
}

}  // namespace lockstep::simgrid
