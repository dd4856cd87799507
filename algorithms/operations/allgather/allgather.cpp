#include "lockstep/algorithms/operation/allgather.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/grid.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep::allgather {
namespace {

std::string what_is_wrong(Rank rank, Rank source, std::span<const Word> block, std::span<const Word> expected) {
  return "rank " + std::to_string(rank) + " holds " + std::to_string(block.size()) + " words of the " +
         std::to_string(expected.size()) + " from rank " + std::to_string(source) + ", the first " +
         std::to_string(right_words(block, expected)) + " right";
}

}  // namespace

Method with_defaults(Method own) {
  return filled_in(
      std::move(own),
      {.operation = "allgather", .known_as = "total exchange", .parameters = {words_parameter}, .resolve = resolve});
}

void resolve(const MachineSpec&, const Model&, Settings& settings) { words_parameter.resolve(settings); }

void generate(const RunRequest& request, Rank rank, std::span<Word> block) {
  generate_block(request.settings.seed, rank, rank, block);
}

// A right block has the digest of the generated one, which need not be computed anew; and where many ranks share the
// memory of a block it is read once.
void verify(const RunRequest& request, const HeldBlock& held, const std::function<bool(Rank)>& takes_part,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Rank k = request.topology.processors();
  const std::uint64_t size = *request.settings.words;
  std::vector<Word> all(k * size);
  std::vector<std::uint64_t> digests(k);
  std::vector<std::atomic<const Word*>> right_at(k);  // the last memory where the source's block was found right
  const auto block_of = [&](Rank source) { return std::span(all).subspan(source * size, size); };
  for (Rank source = 0; source < k; ++source) {
    generate(request, source, block_of(source));
    digests[source] = digest_of(block_of(source));
  }
  const auto judge = [&](Rank rank) {
    Verdict verdict;
    WordDigest digest;
    for (Rank source = 0; source < k; ++source) {
      const std::span<const Word> block = held(rank, source);
      if (!takes_part(rank) || !takes_part(source)) {
        if (!block.empty() && verdict.wrong.empty()) verdict.wrong = what_is_wrong(rank, source, block, {});
        continue;
      }
      const bool shared = block.size() == size && block.data() == right_at[source].load(std::memory_order_relaxed);
      const bool right = shared || std::ranges::equal(block, block_of(source));
      if (right && !shared) right_at[source].store(block.data(), std::memory_order_relaxed);
      digest.add(right ? digests[source] : digest_of(block));
      if (!right && verdict.wrong.empty()) verdict.wrong = what_is_wrong(rank, source, block, block_of(source));
    }
    verdict.digest = digest.value();
    return verdict;
  };
  verify_ranks(request, start, judge, outcome);
}

void verify(const RunRequest& request, const HeldBlock& held, Outcome& outcome) {
  verify(
      request, held, [](Rank) { return true; }, outcome);
}

namespace {}  // namespace

std::uint64_t verify_bytes(const MachineSpec& machine, const Settings& settings) {
  return machine.processors * (*settings.words + 1) * sizeof(Word);
}

}  // namespace lockstep::allgather
