#include "lockstep/algorithms/message_contents.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/payload_observer.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/settings.hpp"
#include "lockstep/machines/input_error.hpp"
#include "written/plan.hpp"

namespace lockstep {
namespace {

/// A rank's input is a block for every other one.
bool has_blocks_for_others(const std::string& operation) { return operation == "alltoall" || operation == "scatter"; }

/// A message as recorded.
struct SeenMessage {
  Rank from = no_rank;
  Rank to = no_rank;
  std::vector<Word> words;
};

using SeenSteps = std::vector<std::vector<SeenMessage>>;

/// Operands that show which summands are in a sum of them. In run 0 every word is its index, with a 1 above that counts
/// the summands; in run k > 0 each rank from 32 (k - 1) on has two bits of its own, which can count up to three.
class SummandMarks : public OperandSource {
 public:
  static constexpr unsigned index_bits = 40;
  static constexpr Rank ranks_a_run = 32;
  static constexpr unsigned bits_a_rank = 2;

  explicit SummandMarks(Rank run) : run_(run) {}

  static Rank runs(Rank ranks) { return 1 + (ranks + ranks_a_run - 1) / ranks_a_run; }

  Word operand(Rank rank, std::uint64_t index) const override {
    if (run_ == 0) return Word{1} << index_bits | index;
    return rank / ranks_a_run == run_ - 1 ? Word{1} << bits_a_rank * (rank % ranks_a_run) : 0;
  }

 private:
  Rank run_;
};

/// Records the words of all messages.
class WordRecorder : public RunObserver, public SummandMarks {
 public:
  explicit WordRecorder(Rank run) : SummandMarks(run) {}

  const OperandSource* operand_source() const override { return this; }

  void barrier(MovingMessages& messages) override {
    const auto* const with_words = dynamic_cast<const WordMessages*>(&messages);
    auto& step = seen.emplace_back();
    for (std::size_t index = 0; index < messages.size(); ++index) {
      const MovingMessage message = messages.message(index);
      step.push_back({message.from, message.to.rank, {}});
      if (with_words == nullptr || !with_words->list_words(index, step.back().words)) are_words = false;
    }
  }

  SeenSteps seen;
  bool are_words = true;
};

/// The identity of a word, before chunks are known.
struct WordName {
  std::uint32_t ranks = 0;  ///< which set of ranks has summands in it
  Rank block = 0;           ///< its destination, where inputs are blocks for others
  std::uint64_t index = 0;  ///< its place in the vector or block

  auto operator<=>(const WordName&) const = default;
};

class ContentsReading {
 public:
  ContentsReading(const Method& method, const RunRequest& request)
      : method_(method), request_(request), settings_(request.settings) {
    result_.operation = method.operation;
    result_.nodes = request.topology.processors();
    if (settings_.root) result_.root = static_cast<Rank>(*settings_.root);
    settings_.input.reset();
    settings_.output.reset();
    if (!written::is_summed_up(result_.operation)) return;
    settings_.operator_name = "sum";
    settings_.type = "int64";
  }

  MessageContents read() {
    if (result_.operation == "reduce-scatter" && *settings_.words % result_.nodes != 0) {
      throw InputError("--words " + std::to_string(*settings_.words) +
                       " gives processors parts of different lengths, " +
                       "where formats of chunks have equal ones; take a multiple of " + std::to_string(result_.nodes));
    }
    refuse_if_too_many(1);
    const auto named = written::is_summed_up(result_.operation) ? named_sums() : named_moves();
    const std::uint64_t unit = longest_chunk(named);
    const std::uint64_t chunks = *settings_.words / unit;
    refuse_if_too_many(chunks);
    result_.chunks = static_cast<std::uint32_t>(chunks);
    std::map<std::tuple<std::uint32_t, Rank, std::uint64_t>, std::uint32_t> numbers;
    for (const auto& step : named) {
      auto& filled = result_.steps.emplace_back();
      for (const auto& [from, to, words] : step) {
        FilledMessage message{from, to, {}};
        for (const WordName& word : words) {
          if (word.index % unit != 0) continue;
          const auto [found, is_new] = numbers.try_emplace({word.ranks, word.block, word.index / unit},
                                                           static_cast<std::uint32_t>(result_.sums.size()));
          if (is_new) result_.sums.push_back(sum_of(word, unit));
          message.sums.push_back(found->second);
        }
        if (!message.sums.empty()) filled.push_back(std::move(message));
      }
      if (filled.empty()) result_.steps.pop_back();
    }
    return std::move(result_);
  }

 private:
  struct NamedMessage {
    Rank from;
    Rank to;
    std::vector<WordName> words;  // sorted, each once
  };
  using NamedSteps = std::vector<std::vector<NamedMessage>>;

  SeenSteps seen(Rank run) {
    WordRecorder recorder(run);
    const auto executor = make_executor(ExecutorKind::sequential);
    method_.run({.machine = request_.machine,
                 .topology = request_.topology,
                 .model = request_.model,
                 .settings = settings_,
                 .executor = *executor,
                 .options = request_.options,
                 .observer = &recorder});
    if (!recorder.are_words) refuse("sends messages that are not made of words of the data");
    return std::move(recorder.seen);
  }

  /// Generated words of moving operations differ from each other.
  NamedSteps named_moves() {
    std::unordered_map<Word, WordName> names;
    const Rank nodes = result_.nodes;
    const auto add = [&](Rank origin, Rank destination, Rank block) {
      for (std::uint64_t index = 0; index < *settings_.words; ++index) {
        names.try_emplace(generated_word(settings_.seed, origin, destination, index), WordName{origin, block, index});
      }
    };
    for (Rank rank = 0; rank < nodes; ++rank) ranks_.push_back({rank});
    for (Rank origin = 0; origin < nodes; ++origin) {
      const bool has_data =
          (result_.operation != "broadcast" && result_.operation != "scatter") || origin == result_.root;
      if (!has_data) continue;
      if (has_blocks_for_others(result_.operation)) {
        for (Rank to = 0; to < nodes; ++to) add(origin, to, to);
      } else {
        add(origin, result_.operation == "gather" ? result_.root : origin, 0);
      }
    }
    NamedSteps steps;
    for (const auto& step : seen(0)) {
      auto& named = steps.emplace_back();
      for (const auto& [from, to, words] : step) {
        std::vector<WordName> of_message;
        for (const Word word : words) {
          const auto found = names.find(word);
          if (found == names.end()) refuse("sends words that are not of the data");
          of_message.push_back(found->second);
        }
        named.push_back(finished(from, to, std::move(of_message)));
      }
    }
    return steps;
  }

  NamedSteps named_sums() {
    const Rank runs = SummandMarks::runs(result_.nodes);
    std::vector<SeenSteps> all;
    for (Rank run = 0; run < runs; ++run) all.push_back(seen(run));
    std::map<std::vector<Rank>, std::uint32_t> sets;
    NamedSteps steps;
    for (std::size_t step = 0; step < all[0].size(); ++step) {
      auto& named = steps.emplace_back();
      for (std::size_t number = 0; number < all[0][step].size(); ++number) {
        const SeenMessage& first = all[0][step][number];
        std::vector<WordName> of_message;
        for (std::size_t word = 0; word < first.words.size(); ++word) {
          const Word count = first.words[word] >> SummandMarks::index_bits;
          std::vector<Rank> ranks;
          for (Rank run = 1; run < runs; ++run) add_ranks(all[run][step][number].words[word], run, ranks);
          const bool is_twice = std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end();
          if (count == 0 || ranks.size() != count || is_twice)
            refuse("sends words that are not sums of distinct operands");
          const auto [set, is_new] = sets.try_emplace(ranks, static_cast<std::uint32_t>(ranks_.size()));
          if (is_new) ranks_.push_back(ranks);
          of_message.push_back(
              {set->second, 0, (first.words[word] & ((Word{1} << SummandMarks::index_bits) - 1)) / count});
        }
        named.push_back(finished(first.from, first.to, std::move(of_message)));
      }
    }
    return steps;
  }

  static void add_ranks(Word marks, Rank run, std::vector<Rank>& ranks) {
    for (Rank place = 0; place < SummandMarks::ranks_a_run; ++place) {
      const Word times = marks >> SummandMarks::bits_a_rank * place & 3U;
      for (Word time = 0; time < times; ++time) ranks.push_back((run - 1) * SummandMarks::ranks_a_run + place);
    }
  }

  static NamedMessage finished(Rank from, Rank to, std::vector<WordName> words) {
    std::sort(words.begin(), words.end(), [](const WordName& one, const WordName& other) {
      return std::tie(one.block, one.index, one.ranks) < std::tie(other.block, other.index, other.ranks);
    });
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return {from, to, std::move(words)};
  }

  /// Words of a chunk: the greatest common divisor of all runs of words that travel together.
  std::uint64_t longest_chunk(const NamedSteps& named) const {
    std::uint64_t unit = *settings_.words;
    if (result_.operation == "reduce-scatter") unit /= result_.nodes;
    for (const auto& step : named) {
      for (const NamedMessage& message : step) {
        std::vector<WordName> words = message.words;
        std::sort(words.begin(), words.end());
        for (std::size_t place = 0; place < words.size(); ++place) {
          const WordName& word = words[place];
          const bool goes_on = place > 0 && words[place - 1].ranks == word.ranks &&
                               words[place - 1].block == word.block && words[place - 1].index + 1 == word.index;
          if (goes_on) continue;
          unit = std::gcd(unit, word.index);
          if (place > 0) unit = std::gcd(unit, words[place - 1].index + 1);
        }
        if (!words.empty()) unit = std::gcd(unit, words.back().index + 1);
      }
    }
    return unit;
  }

  ChunkSum sum_of(const WordName& word, std::uint64_t unit) const {
    ChunkSum sum;
    const std::uint64_t chunk = std::uint64_t{word.block} * result_.chunks + word.index / unit;
    for (const Rank rank : ranks_[word.ranks]) sum.push_back({rank, static_cast<std::uint32_t>(chunk)});
    return sum;
  }

  /// With `chunks` chunks of the vector or a block.
  void refuse_if_too_many(std::uint64_t chunks) const {
    const MessageContents shape{.operation = result_.operation, .nodes = result_.nodes};
    if (Wide{result_.nodes} * result_.nodes * shape.loop_chunks() * chunks <= most_summands) return;
    throw InputError(std::string(method_.name) + " on " + std::to_string(result_.nodes) +
                     " processors has too many chunks to follow each of them" +
                     (chunks > 1 ? ", " + std::to_string(chunks) + " in --words " + std::to_string(*settings_.words) +
                                       "; another --words may give fewer"
                                 : ""));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(std::string(method_.name) + " " + what + "; a schedule of chunks can express nothing else");
  }

  const Method& method_;
  const RunRequest& request_;
  Settings settings_;
  std::vector<std::vector<Rank>> ranks_;  // sets of ranks, by number
  MessageContents result_;
};

}  // namespace

const std::vector<std::string>& chunk_operations() {
  static const std::vector<std::string> operations{"allreduce", "allgather", "reduce-scatter", "alltoall",
                                                   "broadcast", "reduce",    "gather",         "scatter"};
  return operations;
}

bool has_chunks(std::string_view operation) {
  return std::ranges::find(chunk_operations(), operation) != chunk_operations().end();
}

std::uint32_t MessageContents::loop_chunks() const {
  return written::is_of_blocks(operation) ? nodes * chunks : chunks;
}

MessageContents message_contents(const Method& method, const RunRequest& request) {
  return ContentsReading(method, request).read();
}

}  // namespace lockstep
