#include <algorithm>
#include <map>
#include <set>

#include "foreign/msccl/msccl_reader.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/input_file.hpp"
#include "written/json_text.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_nodes = 1 << 16;
constexpr std::uint64_t most_places = most_summands;  // and most rounds and links

/// One chunk of a collective: `pre` are the ranks that have it at first, `post` those that must have it in the end.
struct ReadChunk {
  std::set<Rank> pre{}, post{};
  std::uint32_t address = 0;  ///< the place of its address among all addresses
};

/// The summands held under one address, and the steps that use it.
struct HeldSummands {
  std::set<std::uint32_t> chunks;
  std::optional<ChunkWait> written;
  std::vector<ChunkWait> read;
};

class ScclReader {
 public:
  ScclReader(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  ChunkProgram read() {
    if (json_depth(text_) > most_json_depth) refuse("its brackets are nested deeper than in any algorithm");
    Json document = written::json_in(text_);
    if (document.is_discarded()) refuse("it is not JSON");
    try {
      return read(document);
    } catch (const Json::exception&) {
      refuse(
          "it is not the algorithm that SCCL writes: \"collective\" with \"nodes\" and \"chunks\", and \"steps\" with "
          "\"rounds\" and \"sends\"");
    }
  }

 private:
  ChunkProgram read(const Json& document) {
    if (document.at("msccl_type") != "algorithm") refuse("\"msccl_type\" is not \"algorithm\"");
    const Json& collective = document.at("collective");
    program_.name = document.value("name", "");
    program_.format = "SCCL JSON";
    const std::string runtime_name = collective.at("runtime_name");
    program_.task.operation = msccl::operation_called(runtime_name);
    if (program_.task.operation.empty()) {
      refuse("\"runtime_name\" " + lockstep::quoted(runtime_name) + " is unknown here");
    }
    const std::uint64_t nodes = whole(collective.at("nodes"), "\"nodes\"", 1, most_nodes);
    program_.nodes = static_cast<Rank>(nodes);
    read_chunks(collective.at("chunks"), program_.nodes);
    program_.gpus.resize(nodes);
    for (std::uint32_t chunk = 0; chunk < chunks_.size(); ++chunk) check_demand(chunk);
    if (document.contains("output_map")) check_output_map(document["output_map"]);
    set_contents();
    read_links(document);
    std::size_t number = 0;
    for (const Json& step : document.at("steps")) read_step(step, number++);
    return std::move(program_);
  }

  void read_chunks(const Json& chunks, Rank nodes) {
    std::map<std::uint64_t, std::uint32_t> addresses;
    for (const Json& chunk : chunks) addresses.emplace(whole(chunk.at("addr"), "\"addr\"", 0, most_places), 0);
    std::uint32_t next = 0;
    for (auto& [address, place] : addresses) place = next++;
    if (Wide{nodes} * addresses.size() > most_places || chunks.size() > most_places)
      refuse("it has too many chunks to follow each of them");
    for (const Json& chunk : chunks) {
      ReadChunk read{.address = addresses.at(chunk.at("addr"))};
      for (const Json& rank : chunk.at("pre")) read.pre.insert(rank_of(rank, nodes));
      for (const Json& rank : chunk.at("post")) read.post.insert(rank_of(rank, nodes));
      if (read.pre.empty()) refuse("no rank has chunk " + std::to_string(chunks_.size()) + " at first");
      chunks_.push_back(std::move(read));
    }
    if (chunks_.empty()) refuse("it has no chunks");
    for (const auto& [address, place] : addresses) {
      names_.push_back(std::to_string(address));
      places_.emplace(names_.back(), place);
    }
    // As --words counts it: for a vector, or for a rank's or a pair's block.
    const auto& operation = program_.task.operation;
    const auto places = static_cast<std::uint32_t>(addresses.size());
    std::uint64_t parts = 1;
    if (operation == "allgather" || operation == "gather" || operation == "scatter") parts = nodes;
    if (operation == "alltoall") parts = std::uint64_t{nodes} * nodes;
    program_.chunks = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, places / parts));
    if (operation == "broadcast" || operation == "scatter") program_.task.root = *chunks_.front().pre.begin();
    if ((operation == "reduce" || operation == "gather") && !chunks_.front().post.empty()) {
      program_.task.root = *chunks_.front().post.begin();
    }
  }

  /// What "post" demands must be what the operation is for: a file that demands less proves nothing.
  void check_demand(std::uint32_t chunk) const {
    const std::string& operation = program_.task.operation;
    const bool is_for_all = operation == "allgather" || operation == "allreduce" || operation == "broadcast";
    const bool is_for_root = operation == "reduce" || operation == "gather";
    const std::set<Rank>& post = chunks_[chunk].post;
    const std::string demanded = "\"post\" of chunk " + std::to_string(chunk) + " has ";
    if (post.empty()) refuse(demanded + "no rank");
    if (is_for_all && post.size() < program_.nodes) {
      refuse(demanded + std::to_string(post.size()) + " of " + std::to_string(program_.nodes) + " ranks, and " +
             operation + " ends with every chunk at all of them");
    }
    if (is_for_root && !post.contains(program_.task.root)) {
      refuse(demanded + "not rank " + std::to_string(program_.task.root) + ", which that of chunk 0 has");
    }
  }

  /// "output_map"[rank]: the addresses that the rank has in the end, which "post" demands too.
  void check_output_map(const Json& map) const {
    std::vector<bool> is_demanded(std::size_t{program_.nodes} * names_.size());
    for (const ReadChunk& chunk : chunks_) {
      for (const Rank rank : chunk.post) is_demanded[rank * names_.size() + chunk.address] = true;
    }
    for (Rank rank = 0; rank < program_.nodes; ++rank) {
      const auto addresses = map.find(std::to_string(rank));
      if (addresses == map.end()) continue;
      for (const Json& address : *addresses) {
        const auto place = places_.find(address.dump());
        if (place == places_.end()) continue;  // of a part of a chunk
        if (is_demanded[rank * names_.size() + place->second]) continue;
        refuse("\"output_map\" has address " + place->first + " at rank " + std::to_string(rank) +
               ", and no \"post\" demands it there");
      }
    }
  }

  /// A chunk as a summand: of the rank that has it first, with the place of its address.
  Contribution contribution(std::uint32_t chunk) const { return {*chunks_[chunk].pre.begin(), chunks_[chunk].address}; }

  void set_contents() {
    held_.resize(program_.gpus.size());
    for (Rank rank = 0; rank < program_.gpus.size(); ++rank) {
      ChunkGpu& gpu = program_.gpus[rank];
      for (const std::string& name : names_) gpu.chunk_names.push_back("address " + name);
      held_[rank].resize(names_.size());
      std::map<std::uint32_t, ChunkSum> initial, demanded;
      for (std::uint32_t chunk = 0; chunk < chunks_.size(); ++chunk) {
        const ReadChunk& read = chunks_[chunk];
        if (read.pre.contains(rank)) {
          initial[read.address].push_back(contribution(chunk));
          held_[rank][read.address].chunks.insert(chunk);
        }
        if (read.post.contains(rank)) demanded[read.address].push_back(contribution(chunk));
      }
      for (auto* contents : {&initial, &demanded}) {
        for (auto& [place, sum] : *contents) {
          std::sort(sum.begin(), sum.end());
          (contents == &initial ? gpu.initial : gpu.demanded).push_back({place, std::move(sum)});
        }
      }
    }
  }

  /// "links"[destination][source]: chunks per round.
  void read_links(const Json& document) {
    if (!document.contains("topology") || !document["topology"].contains("links")) return;
    for (const Json& row : document["topology"]["links"]) {
      auto& links = links_.emplace_back();
      for (const Json& link : row) links.push_back(whole(link, "a link", 0, most_places));
    }
  }

  void read_step(const Json& step, std::size_t number) {
    const std::uint64_t rounds = step.contains("rounds") ? whole(step["rounds"], "\"rounds\"", 0, most_places) : 1;
    struct Read {
      std::uint32_t address;
      Rank from, to;
      std::string name;
    };
    std::vector<Read> sends;
    std::map<std::pair<Rank, Rank>, std::uint64_t> over_links;
    for (const Json& send : step.at("sends")) {
      const std::string name = "step " + std::to_string(number) + ", send " + send.dump();
      const auto place = places_.find(send.at(0).dump());
      if (place == places_.end()) refuse(name + ": no chunk has that address");
      const auto nodes = static_cast<Rank>(program_.gpus.size());
      sends.push_back({place->second, rank_of(send.at(1), nodes), rank_of(send.at(2), nodes), name});
      const auto& [address, from, to, text] = sends.back();
      if (from == to) refuse(name + ": a rank sends to itself");
      ++over_links[{from, to}];
      if (program_.fault || links_.empty()) continue;
      const std::uint64_t link = to < links_.size() && from < links_[to].size() ? links_[to][from] : 0;
      if (over_links[{from, to}] > link * rounds) {
        program_.fault.emplace(from, "gpu " + std::to_string(from) + ", " + name + ": the link from " +
                                         std::to_string(from) + " to " + std::to_string(to) + " takes " +
                                         std::to_string(link * rounds) + " in " + counted(rounds, "round"));
      }
    }
    // All at once: messages have what was there before the step.
    std::vector<std::set<std::uint32_t>> moving;
    for (const Read& send : sends) {
      HeldSummands& held = held_[send.from][send.address];
      moving.push_back(held.chunks);
      const ChunkWait done =
          add(send.from, send.from, send.to,
              {.verb = ChunkVerb::send, .source = send.address, .count = 1, .sets_flag = true}, send.name);
      if (held.written) wait(send.from, done, *held.written);
      held.read.push_back(done);
    }
    for (std::size_t index = 0; index < sends.size(); ++index) {
      const Read& send = sends[index];
      HeldSummands& held = held_[send.to][send.address];
      // A sum that includes the receiver's own replaces it.
      const bool replaces =
          std::includes(moving[index].begin(), moving[index].end(), held.chunks.begin(), held.chunks.end());
      const ChunkVerb verb = replaces ? ChunkVerb::receive : ChunkVerb::receive_reduce;
      const ChunkWait done =
          add(send.to, send.from, send.to,
              {.verb = verb, .source = send.address, .destination = send.address, .count = 1, .sets_flag = true},
              send.name);
      for (const ChunkWait& reader : held.read) wait(send.to, done, reader);
      if (held.written) wait(send.to, done, *held.written);
      held.chunks.insert(moving[index].begin(), moving[index].end());
      held.written = done;
      held.read.clear();
    }
  }

  /// Adds a step to the threadblock that sends from one rank to another, or that receives such messages.
  ChunkWait add(Rank gpu, Rank from, Rank to, ChunkStep step, const std::string& name) {
    auto& blocks = program_.gpus[gpu].threadblocks;
    const auto [found, is_new] = blocks_.try_emplace({gpu, from, to}, static_cast<std::uint32_t>(blocks.size()));
    if (is_new) {
      blocks.push_back(
          {.id = blocks.size(), .sends_to = gpu == from ? to : no_rank, .receives_from = gpu == to ? from : no_rank});
    }
    Threadblock& block = blocks[found->second];
    block.steps.push_back(std::move(step));
    block.names.push_back(name);
    return {found->second, static_cast<std::uint32_t>(block.steps.size() - 1)};
  }

  void wait(Rank gpu, const ChunkWait& step, const ChunkWait& until) {
    if (step.threadblock == until.threadblock) return;
    program_.gpus[gpu].threadblocks[step.threadblock].steps[step.step].waits.push_back(until);
  }

  Rank rank_of(const Json& number, Rank nodes) const {
    return static_cast<Rank>(whole(number, "a rank", 0, std::uint64_t{nodes} - 1));
  }

  std::uint64_t whole(const Json& number, const std::string& what, std::uint64_t least, std::uint64_t most) const {
    const bool is_whole = number.is_number_unsigned();
    const std::uint64_t value = is_whole ? number.get<std::uint64_t>() : 0;
    if (!is_whole || value < least || value > most) {
      refuse(what + " is " + printable(number.dump()) + ", not " + std::to_string(least) + " to " +
             std::to_string(most));
    }
    return value;
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(name_ + ": " + what); }

  const std::string& text_;
  const std::string& name_;
  ChunkProgram program_;
  std::vector<ReadChunk> chunks_;
  std::vector<std::string> names_;               // of addresses
  std::map<std::string, std::uint32_t> places_;  // of these
  std::vector<std::vector<std::uint64_t>> links_;
  std::vector<std::vector<HeldSummands>> held_;                   // by rank and address
  std::map<std::tuple<Rank, Rank, Rank>, std::uint32_t> blocks_;  // by their gpu, sender and receiver
};

}  // namespace

ChunkProgram msccl::read_sccl(const std::string& text, const std::string& name) {
  return ScclReader(text, name).read();
}

}  // namespace lockstep
