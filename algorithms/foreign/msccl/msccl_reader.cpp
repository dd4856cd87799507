#include "msccl_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <pugixml.hpp>
#include <set>

#include "collective_chunks.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t most_gpus = 1 << 16;
constexpr std::uint64_t most_chunks = 1 << 24;  // of a buffer, and of all buffers of all gpus
constexpr std::uint64_t most_ids = 1 << 20;     // of threadblocks, channels and steps

/// A step as read, before chunks have their numbers.
struct ReadStep {
  ChunkVerb verb;
  int source_buffer, destination_buffer;
  std::int64_t source, destination;
  std::uint32_t count;
  std::int64_t depid, deps;
  bool sets_flag;
};

class MscclReader {
 public:
  MscclReader(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  ChunkProgram read() {
    pugi::xml_document document;
    const pugi::xml_parse_result parsed = document.load_buffer(text_.data(), text_.size());
    if (!parsed) refuse(std::string("it is not XML: ") + parsed.description() + " " + line_of(parsed.offset));
    const pugi::xml_node algo = document.child("algo");
    if (!algo) refuse("it has no element <algo>");
    const bool in_place = number(algo, "inplace", 0, 1, 0) == 1;
    ChunkProgram program = read_algo(algo, in_place);
    if (in_place && number(algo, "outofplace", 0, 1, 0) == 1) {
      chunks_ = 0;
      program.out_of_place = std::make_shared<const ChunkProgram>(read_algo(algo, false));
    }
    return program;
  }

 private:
  ChunkProgram read_algo(const pugi::xml_node& algo, bool in_place) {
    ChunkProgram program;
    program.name = algo.attribute("name").value();
    program.format = "MSCCL XML";
    program.task.operation = operation_of(attribute(algo, "coll"));
    const auto gpus = static_cast<Rank>(number(algo, "ngpus", 1, most_gpus));
    const auto loop = static_cast<std::uint32_t>(number(algo, "nchunksperloop", 1, most_chunks));
    program.nodes = gpus;
    program.task.root = static_cast<Rank>(number(algo, "root", 0, std::int64_t{gpus} - 1, 0));
    const msccl::CollectiveChunks collective(program.task.operation, gpus, loop, in_place, program.task.root);
    if (const std::string wrong = collective.refusal(); !wrong.empty()) refuse(wrong);
    program.chunks = collective.chunks_of_words();
    program.gpus.resize(gpus);
    std::vector<bool> seen(gpus);
    for (const pugi::xml_node gpu : algo.children("gpu")) {
      const auto rank = static_cast<Rank>(number(gpu, "id", 0, std::int64_t{gpus} - 1));
      if (seen[rank]) refuse("gpu " + std::to_string(rank) + " is given twice " + line_of(gpu));
      seen[rank] = true;
      read_gpu(gpu, rank, collective, program);
    }
    const auto missing = std::find(seen.begin(), seen.end(), false);
    if (missing != seen.end()) refuse("gpu " + std::to_string(missing - seen.begin()) + " is missing");
    return program;
  }

  std::string operation_of(const std::string& coll) const {
    std::string operation = msccl::operation_called(coll);
    if (!operation.empty()) return operation;
    std::string names;
    for (const std::string& each : chunk_operations()) names += (names.empty() ? "" : ", ") + each;
    if (coll == "custom") {
      refuse("coll=\"custom\" does not name the required result, so that it cannot be checked; name the " +
             std::string("collective, one of ") + names);
    }
    refuse("coll=" + quoted(coll) + " is unknown here; known are " + names);
  }

  void read_gpu(const pugi::xml_node& gpu, Rank rank, const msccl::CollectiveChunks& collective,
                ChunkProgram& program) {
    const std::string of_gpu = "gpu " + std::to_string(rank);
    std::array<std::uint32_t, 3> sizes{};
    const std::array<const char*, 3> attributes{"i_chunks", "o_chunks", "s_chunks"};
    for (std::size_t buffer = 0; buffer < sizes.size(); ++buffer) {
      sizes[buffer] = static_cast<std::uint32_t>(number(gpu, attributes[buffer], 0, most_chunks, 0));
    }
    const msccl::ChunkPlaces places(collective, rank, sizes);
    chunks_ += places.count();
    if (chunks_ > most_chunks) refuse("its buffers have too many chunks to follow each of them " + line_of(gpu));
    ChunkGpu& read = program.gpus[rank];
    read.chunk_names = places.names();
    read.initial = collective.initial(places);
    read.demanded = collective.demanded(places);
    std::set<std::uint64_t> ids;
    std::vector<std::vector<ReadStep>> steps;
    for (const pugi::xml_node tb : gpu.children("tb")) {
      Threadblock block{.id = static_cast<std::uint64_t>(number(tb, "id", 0, most_ids))};
      const std::string of_block = of_gpu + ", threadblock " + std::to_string(block.id);
      if (!ids.insert(block.id).second) refuse(of_block + " is given twice " + line_of(tb));
      if (block.id != read.threadblocks.size()) {
        refuse(of_block + " stands in the place of threadblock " + std::to_string(read.threadblocks.size()) + " " +
               line_of(tb));
      }
      block.sends_to = peer(tb, "send", rank, program);
      block.receives_from = peer(tb, "recv", rank, program);
      block.channel = static_cast<std::uint32_t>(number(tb, "chan", 0, most_ids, 0));
      steps.emplace_back();
      for (const pugi::xml_node step : tb.children("step"))
        steps.back().push_back(read_step(step, of_block, steps.back().size()));
      read.threadblocks.push_back(std::move(block));
    }
    for (std::uint32_t index = 0; index < steps.size(); ++index) place_steps(steps, index, rank, places, program);
  }

  /// The peer of a threadblock; no_rank for -1.
  Rank peer(const pugi::xml_node& tb, const char* name, Rank rank, const ChunkProgram& program) const {
    const std::int64_t other = number(tb, name, -1, static_cast<std::int64_t>(program.gpus.size()) - 1, -1);
    if (other == rank) refuse("gpu " + std::to_string(rank) + " is a peer of itself " + line_of(tb));
    return other < 0 ? no_rank : static_cast<Rank>(other);
  }

  ReadStep read_step(const pugi::xml_node& step, const std::string& of_block, std::size_t expected) const {
    const std::int64_t own = number(step, "s", 0, most_ids);
    if (own != static_cast<std::int64_t>(expected)) {
      refuse(of_block + ": step " + std::to_string(own) + " stands in the place of step " + std::to_string(expected) +
             " " + line_of(step));
    }
    const std::string type = attribute(step, "type");
    constexpr std::array verbs{ChunkVerb::send,
                               ChunkVerb::receive,
                               ChunkVerb::copy,
                               ChunkVerb::reduce,
                               ChunkVerb::receive_reduce,
                               ChunkVerb::reduce_send,
                               ChunkVerb::reduce_keep_send,
                               ChunkVerb::receive_send,
                               ChunkVerb::nothing};
    const auto verb = std::find_if(verbs.begin(), verbs.end(), [&](ChunkVerb each) { return type == name(each); });
    if (verb == verbs.end()) {
      refuse("type is " + quoted(type) + ", not s, r, cpy, re, rrc, rrs, rrcs, rcs or nop " + line_of(step));
    }
    constexpr std::int64_t most = most_chunks;
    const bool acts = *verb != ChunkVerb::nothing;
    return {.verb = *verb,
            .source_buffer = reads_source(*verb) ? buffer(step, "srcbuf") : 0,
            .destination_buffer = writes_destination(*verb) ? buffer(step, "dstbuf") : 0,
            .source = number(step, "srcoff", -1, most, -1),
            .destination = number(step, "dstoff", -1, most, -1),
            .count = static_cast<std::uint32_t>(acts ? number(step, "cnt", 1, most) : number(step, "cnt", -1, most, 0)),
            .depid = number(step, "depid", -1, most_ids, -1),
            .deps = number(step, "deps", -1, most_ids, -1),
            .sets_flag = number(step, "hasdep", 0, 1, 0) == 1};
  }

  int buffer(const pugi::xml_node& step, const char* attribute_name) const {
    const std::string text = attribute(step, attribute_name);
    constexpr std::string_view letters = "ios";
    if (text.size() != 1 || letters.find(text[0]) == std::string_view::npos) {
      refuse(std::string(attribute_name) + " is " + quoted(text) + ", not i, o or s " + line_of(step));
    }
    return static_cast<int>(letters.find(text[0]));
  }

  static void place_steps(const std::vector<std::vector<ReadStep>>& steps, std::uint32_t index, Rank rank,
                          const msccl::ChunkPlaces& places, ChunkProgram& program) {
    Threadblock& block = program.gpus[rank].threadblocks[index];
    for (const ReadStep& read : steps[index]) {
      const auto number = static_cast<std::uint32_t>(block.steps.size());
      ChunkStep& step =
          block.steps.emplace_back(ChunkStep{.verb = read.verb, .count = read.count, .sets_flag = read.sets_flag});
      const auto fail = [&](const std::string& what) {
        if (!program.fault) program.fault.emplace(rank, program.place(rank, index, number) + " " + what);
        step.verb = ChunkVerb::nothing;
      };
      const auto first_chunk = [&](int buffer, std::int64_t offset) {
        const std::string chunks = places.chunks_text(buffer, offset, step.count);
        if (offset < 0 || !places.has(buffer, offset, step.count)) {
          fail("uses " + chunks + "; buffer " + chunks.substr(0, 1) + " has " + std::to_string(places.size(buffer)) +
               " chunks");
          return std::uint32_t{0};
        }
        return places.number(buffer, static_cast<std::uint32_t>(offset));
      };
      if (reads_source(step.verb)) step.source = first_chunk(read.source_buffer, read.source);
      if (writes_destination(step.verb)) step.destination = first_chunk(read.destination_buffer, read.destination);
      if (sends_message(step.verb) && block.sends_to == no_rank)
        fail("sends, and its threadblock has no peer to send to");
      if (takes_message(step.verb) && block.receives_from == no_rank) {
        fail("receives, and its threadblock has no peer to receive from");
      }
      if (step.verb == ChunkVerb::receive_reduce && step.source != step.destination) {
        program.warnings.push_back(program.place(rank, index, number) + ": src " +
                                   places.chunks_text(read.source_buffer, read.source, 1) + " is not dst " +
                                   places.chunks_text(read.destination_buffer, read.destination, 1) +
                                   "; the runtime reads src of this gpu, where MSCCLang may mean the sender's");
      }
      if (read.depid < 0 || read.deps < 0) continue;
      if (read.depid >= static_cast<std::int64_t>(steps.size()) ||
          read.deps >= static_cast<std::int64_t>(steps[static_cast<std::size_t>(read.depid)].size())) {
        fail("waits for threadblock " + std::to_string(read.depid) + ", step " + std::to_string(read.deps) +
             ", which does not exist");
        continue;
      }
      step.waits.push_back({static_cast<std::uint32_t>(read.depid), static_cast<std::uint32_t>(read.deps)});
    }
  }

  std::string attribute(const pugi::xml_node& node, const char* attribute_name) const {
    const pugi::xml_attribute found = node.attribute(attribute_name);
    if (!found) refuse(std::string("<") + node.name() + "> has no " + attribute_name + " " + line_of(node));
    return found.value();
  }

  std::int64_t number(const pugi::xml_node& node, const char* attribute_name, std::int64_t least,
                      std::int64_t most) const {
    const std::string text = attribute(node, attribute_name);
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end || value < least || value > most) {
      refuse(std::string(attribute_name) + " is " + quoted(text) + ", not " + std::to_string(least) + " to " +
             std::to_string(most) + " " + line_of(node));
    }
    return value;
  }
  /// The same for an optional attribute.
  std::int64_t number(const pugi::xml_node& node, const char* attribute_name, std::int64_t least, std::int64_t most,
                      std::int64_t otherwise) const {
    return node.attribute(attribute_name) ? number(node, attribute_name, least, most) : otherwise;
  }

  std::string line_of(const pugi::xml_node& node) const { return line_of(node.offset_debug()); }
  std::string line_of(std::ptrdiff_t offset) const {
    const auto length =
        static_cast<std::ptrdiff_t>(std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text_.size())));
    return "(line " + std::to_string(1 + std::count(text_.begin(), text_.begin() + length, '\n')) + ")";
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(name_ + ": " + what); }

  const std::string& text_;
  const std::string& name_;
  std::uint64_t chunks_ = 0;  // of all gpus so far
};

}  // namespace

std::string msccl::operation_called(const std::string& name) {
  if (name == "reducescatter" || name == "reduce_scatter") return "reduce-scatter";
  return std::ranges::find(chunk_operations(), name) == chunk_operations().end() ? "" : name;
}

ChunkProgram msccl::read_msccl(const std::string& text, const std::string& name) {
  return MscclReader(text, name).read();
}

}  // namespace lockstep
