#include "tea.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lockstep/algorithms/operation/allgather.hpp"

namespace lockstep::allgather::tea {
namespace {

Bundle tokens_for(Rank receiver, std::span<const Rank> relatives, const Collection& collection) {
  const std::uint64_t block_words = collection.piece(receiver ^ relatives.front()).block.size();
  Bundle bundle;
  bundle.reserve(relatives.size(), relatives.size() * block_words);
  for (const Rank relative : relatives) bundle.add(collection.piece(receiver ^ relative));
  return bundle;
}

// Duplicates are discarded, but only after a check: the oracle sees only the tokens that are kept.
void keep_new(Bundle bundle, Rank receiver, std::span<const Rank> relatives, Collection& collection) {
  const auto is_right = [&](const Piece& piece, Rank relative) {
    return piece.origin == (receiver ^ relative) && piece.destination == piece.origin && piece.first == 0 &&
           (!collection.has(piece.origin) || are_equal(piece.block, collection.block(piece.origin)));
  };
  if (!std::equal(bundle.begin(), bundle.end(), relatives.begin(), relatives.end(), is_right)) {
    throw std::logic_error("a message does not hold the tokens that are due");
  }
  Bundle fresh = bundle.take([&](const Piece& piece) { return !collection.has(piece.origin); });
  if (!fresh.empty()) collection.add(std::move(fresh));
}

}  // namespace

TokenSelection::TokenSelection(Port n, const std::function<bool(Rank relative, Port dimension)>& crosses)
    : by_dimension_(n) {
  for (Port dimension = 0; dimension < n; ++dimension) {
    std::vector<Rank>& relatives = by_dimension_[dimension];
    for (Rank relative = 1; relative < Rank{1} << n; ++relative) {
      if (crosses(relative, dimension)) relatives.push_back(relative);
    }
    std::ranges::stable_sort(relatives, {}, one_bits);
  }
}

std::span<const Rank> TokenSelection::tokens(Port dimension, Port least_distance, Port most_distance) const {
  const std::vector<Rank>& relatives = by_dimension_[dimension];
  return {std::ranges::lower_bound(relatives, least_distance, {}, one_bits),
          std::ranges::upper_bound(relatives, most_distance, {}, one_bits)};
}

std::vector<Pass> passes(TeaForm form, Port n) {
  std::vector<Pass> all;
  if (form == TeaForm::grouped && n > 0) {
    for (Port pass = 1; pass <= n + 1; ++pass) all.push_back({pass % 2 == 1, pass % 2 == 0, pass - 1, pass});
    return all;
  }
  for (Port distance = 1; distance <= n; ++distance) {
    if (form == TeaForm::full) {
      all.push_back({true, true, distance, distance});
    } else {
      all.push_back({true, false, distance, distance});
      all.push_back({false, true, distance, distance});
    }
  }
  return all;
}

TeaForm form_for(const Model& model) { return model.duplex == Duplex::full ? TeaForm::full : TeaForm::half; }

// With B(j) tokens at distances 0 to j, where sum over j = 0..n-1 of B(j) = n 2^(n-1): in step i of the full form all
// processors hold B(i-1); in the half form those of even parity do, and those of odd parity, which have already
// received, B(i); in grouped pass p the senders hold B(p-1).
Looks looks(TeaForm form, std::uint64_t n) {
  const Wide k = Wide{1} << n;
  if (form == TeaForm::full) return {n * n * k * k / 2, n * n * k / 2, "n^2 2^(2n-1)"};
  if (form == TeaForm::half)
    return {n * k * ((n + 1) * k - 1) / 2, n * ((n + 1) * k - 1), "n 2^(n-1) ((n + 1) 2^n - 1)"};
  return {n * (n + 2) * k * k / 4, n * (n + 2) * k / 2, "n (n + 2) 2^(2n-2)"};
}

Prediction with_looks(Prediction prediction, const Looks& looks, const CostModel& cost) {
  prediction.scanned_blocks = exact_count(looks.of_all, std::string(looks.text));
  if (cost.scan_cost == 0) return prediction;
  prediction.synchronous = synchronous_time(prediction, cost);
  if (prediction.synchronous) {
    prediction.synchronous->value += static_cast<double>(looks.of_busiest) * cost.scan_cost;
    prediction.synchronous->formula += ", and the looks of the busiest of every step";
  }
  return prediction;
}

Process exchange(Processor<Bundle>& self, std::span<const Pass> passes, const TokenSelection& selection,
                 Collection& collection, Cycle origin) {
  const bool odd = one_bits(self.rank()) % 2 == 1;
  self.hold(collection.words());
  for (Cycle cycle = 0; cycle < passes.size(); ++cycle) {
    const Pass& pass = passes[cycle];
    if (pass.sends(odd)) {
      co_await self.until(origin + cycle);
      self.scan(self.ports() * collection.blocks());
      for (Port dimension = 0; dimension < self.ports(); ++dimension) {
        const auto relatives = selection.tokens(dimension, pass.least_distance, pass.most_distance);
        if (!relatives.empty()) self.send(dimension, tokens_for(self.neighbour(dimension), relatives, collection));
      }
    }
    if (pass.sends(!odd)) {
      for (Port dimension = 0; dimension < self.ports(); ++dimension) {
        const auto relatives = selection.tokens(dimension, pass.least_distance, pass.most_distance);
        if (relatives.empty()) continue;
        Message<Bundle> message = co_await self.message(dimension);
        keep_new(std::move(message.payload), self.rank(), relatives, collection);
      }
      self.hold(collection.words());
    }
  }
}

Outcome run(const RunRequest& request, TeaForm form, const TokenSelection& selection) {
  const std::vector<Pass> all = passes(form, request.topology.ports());
  return allgather::run(request, [&](Processor<Bundle>& self, Collection& collection) {
    return exchange(self, all, selection, collection);
  });
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t value = 1;
  for (std::uint64_t i = 1; i <= k; ++i) value = value * (n - k + i) / i;  // C(n-k+i, i), so it is whole
  return value;
}

}  // namespace lockstep::allgather::tea
