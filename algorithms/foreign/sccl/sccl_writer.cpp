#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "foreign/msccl/collective_chunks.hpp"
#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep {
namespace {

using OrderedJson = nlohmann::ordered_json;

class ScclWriter {
 public:
  ScclWriter(const MessageContents& contents, const SearchNetwork& network)
      : contents_(contents),
        network_(network),
        collective_(contents.operation, contents.nodes, contents.loop_chunks(), false, contents.root) {}

  std::string text(const std::string& name) {
    const Rank nodes = contents_.nodes;
    begin();
    OrderedJson steps = OrderedJson::array();
    for (const auto& step : contents_.steps) steps.push_back(written(step, steps.size()));
    for (const auto& [address, chunk] : chunks_) {
      for (const auto& [whose, ranks] : chunk.after) {
        for (const Rank rank : ranks) {
          if (held_[rank][address].contains(whose)) continue;
          refuse("leaves processor " + std::to_string(rank) + " without address " + std::to_string(address));
        }
      }
    }
    OrderedJson chunks = OrderedJson::array();
    OrderedJson input = OrderedJson::object();
    OrderedJson output = OrderedJson::object();
    for (Rank rank = 0; rank < nodes; ++rank) {
      input[std::to_string(rank)] = OrderedJson::array();
      output[std::to_string(rank)] = OrderedJson::array();
    }
    for (const auto& [address, chunk] : chunks_) {
      std::set<Rank> has, wants;
      for (const auto& [whose, ranks] : chunk.after) {
        chunks.push_back({{"msccl_type", "chunk"}, {"pre", {whose}}, {"post", ranks}, {"addr", address}});
        has.insert(whose);
        wants.insert(ranks.begin(), ranks.end());
      }
      for (const Rank rank : has) input[std::to_string(rank)].push_back(address);
      for (const Rank rank : wants) output[std::to_string(rank)].push_back(address);
    }
    std::string runtime = contents_.operation;
    std::erase(runtime, '-');
    const OrderedJson document{
        {"msccl_type", "algorithm"},
        {"name", name},
        {"instance",
         {{"msccl_type", "instance"},
          {"steps", steps.size()},
          {"extra_rounds", rounds_ - steps.size()},
          {"chunks", contents_.chunks},
          {"pipeline", nullptr},
          {"extra_memory", nullptr},
          {"allow_exchange", false}}},
        {"input_map", input},
        {"output_map", output},
        {"steps", steps},
        {"collective",
         {{"msccl_type", "collective"},
          {"name", contents_.operation + "(n=" + std::to_string(nodes) + ")"},
          {"nodes", nodes},
          {"chunks", chunks},
          {"triggers", OrderedJson::object()},
          {"runtime_name", runtime}}},
        {"topology",
         {{"msccl_type", "topology"}, {"name", "lockstep"}, {"switches", OrderedJson::array()}, {"links", links()}}}};
    return document.dump() + "\n";
  }

 private:
  struct Address {
    std::map<Rank, std::vector<Rank>> after{};  ///< ranks with summands, and the ranks that must have each in the end
  };

  /// Chunks of one address are summed up.
  std::uint32_t address_of(const Contribution& one) const {
    const std::string& operation = contents_.operation;
    const bool is_input = operation == "allgather" || operation == "gather" || operation == "alltoall";
    return is_input ? one.rank * (operation == "alltoall" ? contents_.loop_chunks() : contents_.chunks) + one.chunk
                    : one.chunk;
  }

  void begin() {
    held_.resize(contents_.nodes);
    for (Rank rank = 0; rank < contents_.nodes; ++rank) {
      const msccl::ChunkPlaces places(collective_, rank, {});
      for (const auto& [place, sum] : collective_.initial(places)) {
        for (const Contribution& one : sum) {
          held_[rank][address_of(one)].insert(one.rank);
          chunks_[address_of(one)].after[one.rank];
        }
      }
      for (const auto& [place, sum] : collective_.demanded(places)) {
        for (const Contribution& one : sum) chunks_[address_of(one)].after[one.rank].push_back(rank);
      }
    }
  }

  OrderedJson written(const std::vector<FilledMessage>& step, std::size_t number) {
    std::map<std::pair<Rank, Rank>, std::uint64_t> over_links;
    OrderedJson sends = OrderedJson::array();
    std::vector<std::tuple<Rank, std::uint32_t, std::set<Rank>>> arriving;
    for (const auto& [from, to, sums] : step) {
      for (const std::uint32_t sum : sums) {
        const std::uint32_t address = address_of(contents_.sums[sum].front());
        std::set<Rank> whose;
        for (const Contribution& one : contents_.sums[sum]) whose.insert(one.rank);
        const auto held = held_[from].find(address);
        if (held == held_[from].end() || held->second != whose) {
          refuse("lets processor " + std::to_string(from) + " send, in step " + std::to_string(number) +
                 ", less than all that it has of the chunk, which SCCL cannot express");
        }
        sends.push_back({address, from, to});
        ++over_links[{from, to}];
        arriving.emplace_back(to, address, std::move(whose));
      }
    }
    for (const auto& [to, address, whose] : arriving) {
      std::set<Rank>& receivers = held_[to][address];
      const bool replaces = std::includes(whose.begin(), whose.end(), receivers.begin(), receivers.end());
      const bool adds =
          std::ranges::none_of(whose, [&receivers = receivers](Rank one) { return receivers.contains(one); });
      if (!replaces && !adds) {
        refuse("adds to what processor " + std::to_string(to) + " has already in step " + std::to_string(number));
      }
      receivers.insert(whose.begin(), whose.end());
    }
    std::uint64_t rounds = 1;
    for (const auto& [link, count] : over_links) {
      const std::uint32_t arc = network_.arc(link.first, link.second);
      const std::uint64_t multiplicity = arc < network_.arcs.size() ? network_.arcs[arc].multiplicity : 1;
      rounds = std::max(rounds, (count + multiplicity - 1) / multiplicity);
    }
    rounds_ += rounds;
    return {{"msccl_type", "step"}, {"rounds", rounds}, {"sends", sends}};
  }

  /// By receiver and sender: chunks per round.
  OrderedJson links() const {
    const Rank nodes = contents_.nodes;
    std::vector<std::vector<std::uint32_t>> links(nodes, std::vector<std::uint32_t>(nodes));
    for (const SearchNetwork::Arc& arc : network_.arcs) links[arc.to][arc.from] = arc.multiplicity;
    return links;
  }

  [[noreturn]] static void refuse(const std::string& what) { throw InputError("the schedule " + what); }

  const MessageContents& contents_;
  const SearchNetwork& network_;
  msccl::CollectiveChunks collective_;
  std::map<std::uint32_t, Address> chunks_;                    // by address
  std::vector<std::map<std::uint32_t, std::set<Rank>>> held_;  // by rank and address: the ranks of the summands
  std::uint64_t rounds_ = 0;
};

}  // namespace

std::string sccl_text(const MessageContents& contents, const std::string& name, const SearchNetwork& network) {
  return ScclWriter(contents, network).text(name);
}

}  // namespace lockstep
