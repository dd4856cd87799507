#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "chunk_builder.hpp"
#include "collective_chunks.hpp"
#include "limits.hpp"
#include "lockstep/machines/input_error.hpp"
#include "written/plan.hpp"

namespace lockstep {
namespace {

class MscclWriter {
 public:
  explicit MscclWriter(const MessageContents& contents)
      : contents_(contents),
        collective_(contents.operation, contents.nodes, contents.loop_chunks(), is_in_place(), contents.root),
        sums_(contents.sums) {
    for (std::uint32_t number = 0; number < sums_.size(); ++number) numbers_.emplace(sums_[number], number);
    for (Rank rank = 0; rank < contents.nodes; ++rank) {
      const msccl::ChunkPlaces places(collective_, rank, {});
      own_places_.push_back(places.count());
      msccl::ChunkBuilder& builder = builders_.emplace_back(contents_, rank, own_places_.back(), numbers_, sums_);
      for (const auto& [place, sum] : collective_.initial(places)) builder.begin(place, number(sum));
    }
  }

  std::string text(const std::string& name) {
    tell();
    build();
    return written(name);
  }

 private:
  /// A message between the processors' values.
  struct Told {
    Rank from, to;
    std::vector<std::uint32_t> sent, received;
    msccl::ChunkBuilder::Event event;
    std::uint32_t turn = 0;  // number among the pair's threadblocks, which are used in sequence
  };

  bool is_in_place() const { return contents_.operation != "alltoall"; }
  std::uint32_t number(const ChunkSum& sum) { return msccl::ChunkBuilder::number_of(sum, numbers_, sums_); }

  void tell() {
    msccl::ChunkBuilder::Event event = 0;
    for (const auto& step : contents_.steps) {
      const std::size_t first = told_.size();
      for (const FilledMessage& message : step) {
        ++event;
        told_.push_back({message.from, message.to, builders_[message.from].used(message.sums, event), {}, event});
      }
      for (std::size_t index = 0; index < step.size(); ++index) {
        told_[first + index].received = builders_[step[index].to].received(step[index].sums);
      }
      ends_.push_back(told_.size());
    }
    for (Rank rank = 0; rank < contents_.nodes; ++rank) {
      const msccl::ChunkPlaces places(collective_, rank, {});
      for (const auto& [place, sum] : collective_.demanded(places)) builders_[rank].demand(place, number(sum));
    }
  }

  void build() {
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      for (std::size_t index = begin; index < end; ++index) send(told_[index]);
      for (std::size_t index = begin; index < end; ++index) receive(told_[index], told_[end - 1].event + 1);
      begin = end;
    }
    for (msccl::ChunkBuilder& builder : builders_) append_local(builder, builder.finish());
  }

  /// Chooses the threadblocks of both ends: after most_steps the next ones, on another channel, continue.
  void send(Told& told) {
    msccl::ChunkBuilder& builder = builders_[told.from];
    msccl::ChunkBuilder::Operations operations;
    const std::uint32_t first = builder.place_sent(told.sent, told.event, operations);
    operations.push_back({ChunkVerb::send, first, first, static_cast<std::uint32_t>(told.sent.size())});
    if (operations.size() > msccl::most_steps / 2) {
      const msccl::ChunkBuilder::Operation sending = operations.back();
      operations.pop_back();
      append_local(builder, operations);
      operations = {sending};
    }
    const std::pair<Rank, Rank> pair = std::minmax(told.from, told.to);
    std::uint32_t& turn = turns_[pair];
    const std::uint32_t own = block(told.from, told.to, turn);
    const std::uint32_t others = block(told.to, told.from, turn);
    const std::size_t of_own = builder.threadblocks[own].steps.size();
    const std::size_t of_others = builders_[told.to].threadblocks[others].steps.size();
    const bool is_full =
        of_own + builder.steps_of(own, operations) > msccl::most_steps || of_others + most_waits > msccl::most_steps;
    if (is_full && of_own + of_others > 0) ++turn;
    told.turn = turn;
    builder.append(block(told.from, told.to, turn), operations);
  }

  void receive(const Told& told, msccl::ChunkBuilder::Event event) {
    msccl::ChunkBuilder& builder = builders_[told.to];
    msccl::ChunkBuilder::Operations operations;
    const msccl::ChunkBuilder::Operation taken = builder.place_received(told.received, event, operations);
    operations.push_back(taken);
    builder.append(block(told.to, told.from, told.turn), operations);
  }

  /// Appends the operations in threadblocks without peers.
  static void append_local(msccl::ChunkBuilder& builder, const msccl::ChunkBuilder::Operations& operations) {
    std::uint32_t local = 0;
    bool exists = false;
    for (const msccl::ChunkBuilder::Operation& operation : operations) {
      if (!exists ||
          builder.threadblocks[local].steps.size() + builder.steps_of(local, {operation}) > msccl::most_steps) {
        local = builder.add_threadblock(no_rank, 0);
        exists = true;
      }
      builder.append(local, {operation});
    }
  }

  std::uint32_t block(Rank rank, Rank peer, std::uint32_t turn) {
    const auto [found, is_new] = blocks_.try_emplace({rank, peer, turn}, 0);
    if (is_new) {
      // Ranks and peers whose addresses differ in bits above the fifth use other channels.
      const std::uint32_t channels = std::max(std::bit_ceil(contents_.nodes) / msccl::most_blocks, 1U);
      found->second = builders_[rank].add_threadblock(peer, (rank ^ peer) / msccl::most_blocks + turn * channels);
    }
    return found->second;
  }

  struct Place {
    char buffer;
    std::uint32_t offset;
  };

  Place place(Rank rank, std::uint32_t number) const {
    const std::string& operation = contents_.operation;
    if (number >= own_places_[rank]) return {'s', number - own_places_[rank]};
    const bool is_root = rank == contents_.root;
    if (operation == "alltoall") {
      const std::uint32_t inputs = contents_.loop_chunks();
      return number < inputs ? Place{'i', number} : Place{'o', number - inputs};
    }
    if (operation == "gather" && !is_root) return {'i', number - rank * contents_.chunks};
    if (operation == "scatter" && !is_root) return {'o', number - rank * contents_.chunks};
    const bool is_output = operation == "allgather" || operation == "gather" || (operation == "broadcast" && !is_root);
    return {is_output ? 'o' : 'i', number};
  }

  /// Chunks of i and o.
  std::array<std::uint32_t, 2> sizes(Rank rank) const {
    const std::string& operation = contents_.operation;
    const bool is_root = rank == contents_.root;
    const bool has_input = is_root || (operation != "broadcast" && operation != "scatter");
    const bool has_output = is_root || (operation != "reduce" && operation != "gather");
    return {has_input ? collective_.input_chunks(rank) : 0, has_output ? collective_.output_chunks(rank) : 0};
  }

  static std::string attribute(const std::string& name, const std::string& value) {
    return std::string(" ").append(name).append("=\"").append(value).append("\"");
  }
  static std::string attribute(const std::string& name, std::int64_t value) {
    return attribute(name, std::to_string(value));
  }
  static std::string attribute(const std::string& name, Rank peer, bool is_used) {
    return attribute(name, is_used ? std::int64_t{peer} : -1);
  }

  void append_step(Rank rank, std::size_t number, const msccl::BuiltStep& step, std::string& text) const {
    const bool acts = step.verb != ChunkVerb::nothing;
    const Place source = acts ? place(rank, step.source) : Place{'i', 0};
    const Place destination = acts ? place(rank, step.destination) : Place{'o', 0};
    text += "      <step" + attribute("s", static_cast<std::int64_t>(number)) +
            attribute("type", lockstep::name(step.verb));
    text += attribute("srcbuf", std::string(1, source.buffer)) +
            attribute("srcoff", acts ? source.offset : std::int64_t{-1});
    text += attribute("dstbuf", std::string(1, destination.buffer)) +
            attribute("dstoff", acts ? destination.offset : std::int64_t{-1});
    text += attribute("cnt", step.count);
    text += attribute("depid", step.waits ? std::int64_t{step.waits->threadblock} : -1);
    text += attribute("deps", step.waits ? std::int64_t{step.waits->step} : -1);
    text += attribute("hasdep", step.sets_flag ? 1 : 0) + "/>\n";
  }

  std::string written(const std::string& name) const {
    std::uint32_t channels = 1;
    for (const msccl::ChunkBuilder& builder : builders_) {
      for (const msccl::BuiltThreadblock& block : builder.threadblocks)
        channels = std::max(channels, block.channel + 1);
    }
    std::string coll = contents_.operation;
    std::erase(coll, '-');
    std::string text = "<algo" + attribute("name", name) + attribute("proto", "Simple") +
                       attribute("nchannels", channels) + attribute("nchunksperloop", contents_.loop_chunks()) +
                       attribute("ngpus", contents_.nodes) + attribute("coll", coll) +
                       (written::has_root_in_chunks(contents_.operation) ? attribute("root", contents_.root) : "") +
                       attribute("inplace", is_in_place() ? 1 : 0) + attribute("outofplace", is_in_place() ? 0 : 1) +
                       attribute("minBytes", 0) + attribute("maxBytes", std::int64_t{1} << 40) + ">\n";
    for (Rank rank = 0; rank < contents_.nodes; ++rank) {
      const msccl::ChunkBuilder& builder = builders_[rank];
      const auto [inputs, outputs] = sizes(rank);
      text += "  <gpu" + attribute("id", rank) + attribute("i_chunks", inputs) + attribute("o_chunks", outputs) +
              attribute("s_chunks", builder.places() - own_places_[rank]) + ">\n";
      for (std::size_t id = 0; id < builder.threadblocks.size(); ++id) {
        const msccl::BuiltThreadblock& block = builder.threadblocks[id];
        text += "    <tb" + attribute("id", static_cast<std::int64_t>(id)) +
                attribute("send", block.peer, block.sends) + attribute("recv", block.peer, block.receives) +
                attribute("chan", block.channel) + ">\n";
        for (std::size_t step = 0; step < block.steps.size(); ++step) append_step(rank, step, block.steps[step], text);
        text += "    </tb>\n";
      }
      text += "  </gpu>\n";
    }
    return text + "</algo>\n";
  }

  static constexpr std::size_t most_waits = 4;  // of a receive, kept free

  const MessageContents& contents_;
  msccl::CollectiveChunks collective_;
  std::vector<ChunkSum> sums_;
  msccl::ChunkBuilder::Sums numbers_;
  std::vector<std::uint32_t> own_places_;      // by rank
  std::vector<msccl::ChunkBuilder> builders_;  // by rank
  std::vector<Told> told_;                     // in their order
  std::vector<std::size_t> ends_;              // of steps, among these
  std::map<std::pair<Rank, Rank>, std::uint32_t> turns_;
  std::map<std::tuple<Rank, Rank, std::uint32_t>, std::uint32_t> blocks_;  // by rank, peer and turn
};

}  // namespace

std::string msccl_text(const MessageContents& contents, const std::string& name) {
  return MscclWriter(contents).text(name);
}

}  // namespace lockstep
