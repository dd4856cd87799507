#include "address_exchanges.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "lockstep/algorithms/operation/elements.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"

namespace lockstep::matrix {
namespace {

/// What is sent in an exchange: the words that move, by ascending index.
using ExchangedWords = Elements<Block>;

bool is_odd(std::uint64_t bits) { return std::popcount(bits) % 2 != 0; }

/// The elements of the basis whose sum is `wanted`, as a mask over their numbers; empty if there are none. Gaussian
/// elimination modulo 2; the elements are independent.
std::optional<std::uint64_t> combination(const std::vector<std::uint64_t>& basis, std::uint64_t wanted) {
  struct EliminationRow {
    std::uint64_t sum;
    std::uint64_t elements;
  };
  std::vector<EliminationRow> rows;  // each with a highest bit of its own
  const auto reduced = [&](EliminationRow row) {
    for (const EliminationRow& other : rows) {
      if ((row.sum ^ other.sum) < row.sum) row = {row.sum ^ other.sum, row.elements ^ other.elements};
    }
    return row;
  };
  for (std::size_t index = 0; index < basis.size(); ++index) {
    const EliminationRow row = reduced({basis[index], std::uint64_t{1} << index});
    const auto place =
        std::find_if(rows.begin(), rows.end(), [&](const EliminationRow& other) { return other.sum < row.sum; });
    rows.insert(place, row);
  }
  const EliminationRow left = reduced({wanted, 0});
  return left.sum == 0 ? std::optional(left.elements) : std::nullopt;
}

/// Calls visit(first, count) for the stretches of the rank's array whose words move, ascending. The words of a stretch
/// are sure to move together and to stay together when their indices are flipped; another may begin where it ends.
template <class Visit>
void for_moving(const AddressExchanges::AddressExchange& exchange, Rank rank, std::uint64_t array_words,
                const Visit& visit) {
  const std::uint64_t first_place = rank * array_words;
  const std::uint64_t bits = exchange.moves | exchange.flips | array_words;
  const std::uint64_t count = bits & -bits;
  for (std::uint64_t index = 0; index < array_words; index += count) {
    if (is_odd((first_place + index) & exchange.moves)) visit(index, count);
  }
}

}  // namespace

AddressExchanges::AddressExchanges(Port dimensions, unsigned local_bits) : dimensions_(dimensions) {
  for (unsigned bit = 0; bit < local_bits + dimensions; ++bit) bits_.push_back(place_bit(bit));
}

AddressExchanges::AddressExchanges(const StorageForm& before) : dimensions_(before.dimensions()) {
  for (auto bit = before.virtual_bits().rbegin(); bit != before.virtual_bits().rend(); ++bit) {
    bits_.push_back(place_bit(*bit));
  }
  for (Port d = 0; d < dimensions_; ++d) bits_.push_back(before.node_bit(d));
}

/// The sum of what those bits of places stand for.
std::uint64_t AddressExchanges::meaning(std::uint64_t place_bits) const {
  std::uint64_t sum = 0;
  for (unsigned bit = 0; bit < bits_.size(); ++bit) {
    if ((place_bits & place_bit(bit)) != 0) sum ^= bits_[bit];
  }
  return sum;
}

void AddressExchanges::append(const Relay& relay) {
  const std::uint64_t moving = meaning(relay.moves);
  bits_[bit_of(relay.first)] ^= moving;
  bits_[bit_of(relay.second)] ^= moving;
  operations_.emplace_back(relay);
}

void AddressExchanges::append(const AddressExchange& exchange) {
  const std::uint64_t moving = meaning(exchange.moves);
  bits_[bit_of(exchange.dimension)] ^= moving;
  for (unsigned bit = 0; bit < local_bits(); ++bit) {
    if ((exchange.flips & place_bit(bit)) != 0) bits_[bit] ^= moving;
  }
  operations_.emplace_back(exchange);
}

void AddressExchanges::exchange(Port dimension, unsigned local, StripGathering gathering) {
  append(AddressExchange{dimension, place_bit(bit_of(dimension)) | place_bit(local), place_bit(local), gathering});
}

void AddressExchanges::exchange_dimensions(Port first, Port second) {
  append(Relay{first, second, place_bit(bit_of(first)) | place_bit(bit_of(second))});
}

void AddressExchanges::add_dimension(Port to, Port added) {
  append(AddressExchange{to, place_bit(bit_of(added)), 0, StripGathering::free});
}

void AddressExchanges::exchange_local(unsigned a, unsigned b) {
  std::vector<unsigned> order(local_bits());
  std::iota(order.rbegin(), order.rend(), 0U);
  std::swap(order[order.size() - 1 - a], order[order.size() - 1 - b]);
  reorder(order);
}

void AddressExchanges::exchange_bits(unsigned a, unsigned b) {
  const unsigned k = local_bits();
  if (a < b) std::swap(a, b);
  if (a < k) {
    exchange_local(a, b);
  } else if (b < k) {
    exchange(static_cast<Port>(a - k), b);
  } else {
    exchange_dimensions(static_cast<Port>(a - k), static_cast<Port>(b - k));
  }
}

void AddressExchanges::reorder(const std::vector<unsigned>& order, Copying copying) {
  std::vector<std::uint64_t> new_bits;
  for (auto bit = order.rbegin(); bit != order.rend(); ++bit) new_bits.push_back(place_bit(*bit));
  append_reorder(new_bits, copying);
}

// New local bit i is the sum of the bits of the place that new_bits[i] has. If each is itself, there is nothing to do.
void AddressExchanges::append_reorder(const std::vector<std::uint64_t>& new_bits, Copying copying) {
  Reorder reorder{std::vector<std::uint64_t>(bits_.size()), copying};
  std::vector<std::uint64_t> meanings;
  bool changes = false;
  for (unsigned i = 0; i < new_bits.size(); ++i) {
    changes = changes || new_bits[i] != place_bit(i);
    for (unsigned bit = 0; bit < bits_.size(); ++bit) {
      if ((new_bits[i] & place_bit(bit)) != 0) reorder.columns[bit] |= place_bit(i);
    }
    meanings.push_back(meaning(new_bits[i]));
  }
  if (!changes) return;
  std::copy(meanings.begin(), meanings.end(), bits_.begin());
  operations_.emplace_back(std::move(reorder));
}

void AddressExchanges::convert_to(const StorageForm& after, Copying copying) {
  if (least_strip_) code_for(after);
  convert_real_bits(after);
  std::vector<std::uint64_t> new_bits;
  for (auto bit = after.virtual_bits().rbegin(); bit != after.virtual_bits().rend(); ++bit) {
    new_bits.push_back(combination(bits_, place_bit(*bit)).value());
  }
  append_reorder(new_bits, copying);
}

// Puts every sum of address bits that is to become real into one local bit, where it is a sum of local bits only. In
// the Gray code of a field every real bit is the sum of an address bit of its own and the one above.
void AddressExchanges::code_for(const StorageForm& after) {
  std::vector<std::uint64_t> new_bits;
  for (unsigned bit = 0; bit < local_bits(); ++bit) new_bits.push_back(place_bit(bit));
  std::uint64_t above = 0;
  for (Port d = dimensions_; d-- > 0;) {
    const std::uint64_t wanted = after.node_bit(d);
    const std::uint64_t parts = combination(bits_, wanted).value();
    const std::uint64_t own = combination(bits_, wanted & ~above).value();
    above |= wanted;
    if (std::popcount(parts) > 1 && parts < place_bit(local_bits()))
      new_bits[static_cast<std::size_t>(std::countr_zero(own))] = parts;
  }
  append_reorder(new_bits, Copying::free);
}

StripGathering AddressExchanges::gathering_of(std::uint64_t strip_words) const {
  if (!least_strip_ || 2 * strip_words == place_bit(local_bits())) return StripGathering::free;
  return strip_words < *least_strip_ ? StripGathering::copying : StripGathering::none;
}

// Makes the bit of the dimension what is wanted in one step, unless that is a sum of the other real bits only.
bool AddressExchanges::replace(Port dimension, std::uint64_t wanted) {
  const std::uint64_t own = place_bit(bit_of(dimension));
  const std::uint64_t parts = combination(bits_, wanted).value();
  const std::uint64_t local_parts = parts & (place_bit(local_bits()) - 1);
  if (local_parts == 0 && (parts & own) == 0) return false;
  // If what is wanted has the old bit in it, the local bits stay as they are; else one of them keeps the old bit.
  const std::uint64_t flips = (parts & own) != 0 ? 0 : local_parts & (~local_parts + 1);
  append(AddressExchange{dimension, parts ^ own, flips, flips == 0 ? StripGathering::free : gathering_of(flips)});
  return true;
}

// The highest dimension first. Where every real bit that is not right yet is a sum of other real bits, one of them is
// exchanged away.
void AddressExchanges::convert_real_bits(const StorageForm& after) {
  for (;;) {
    bool changed = false;
    std::optional<Port> wrong;
    for (Port d = dimensions_; d-- > 0;) {
      if (bits_[bit_of(d)] == after.node_bit(d)) continue;
      if (replace(d, after.node_bit(d))) {
        changed = true;
      } else {
        wrong = d;
      }
    }
    if (!wrong) return;
    if (!changed) unlock(*wrong, after);
  }
}

// Two real bits that are to change places do so in two steps. Else the real bit changes places with the highest local
// one: some of the real bits that are not right have it in their sum, as all wanted bits are independent, and become
// right in one step each. Without local bits two steps make the bit right at the cost of another that is not.
void AddressExchanges::unlock(Port dimension, const StorageForm& after) {
  const std::uint64_t own = place_bit(bit_of(dimension));
  const std::uint64_t parts = combination(bits_, after.node_bit(dimension)).value();
  Port other = dimensions_ - 1;
  while ((parts & place_bit(bit_of(other))) == 0 || bits_[bit_of(other)] == after.node_bit(other)) --other;
  const std::uint64_t moving = meaning(parts | own);
  if (local_bits() > 0 && (bits_[bit_of(other)] ^ moving) != after.node_bit(other)) {
    exchange(dimension, local_bits() - 1);
  } else {
    append(Relay{dimension, other, parts | own});
  }
}

namespace {

/// One processor's part in the operations.
class ArrayOf {
 public:
  ArrayOf(Rank rank, Block& array) : rank_(rank), array_(array) {}

  ExchangedWords taken(const AddressExchanges::AddressExchange& exchange) const {
    std::uint64_t size = 0;
    std::uint64_t first_gap = 0;  // words before the first gap between those that move, if there is one
    std::uint64_t end = 0;
    for_moving(exchange, rank_, array_.size(), [&](std::uint64_t first, std::uint64_t count) {
      if (size > 0 && first != end && first_gap == 0) first_gap = size;
      size += count;
      end = first + count;
    });
    const bool is_apart = exchange.gathering == StripGathering::none && first_gap > 0;
    ExchangedWords strips{.value = Block(size), .startups = is_apart ? size / first_gap : 1};
    const Word* const array = std::as_const(array_).data();
    Word* next = strips.value.data();
    for_moving(exchange, rank_, array_.size(),
               [&](std::uint64_t first, std::uint64_t count) { next = std::copy_n(array + first, count, next); });
    return strips;
  }

  /// Puts the words that the neighbour has taken from its array into the places that are free.
  void put(const AddressExchanges::AddressExchange& exchange, const Block& received) {
    std::uint64_t number = 0;
    Word* const array = array_.data();
    const Word* const words = received.data();
    const Rank neighbour = rank_ ^ (Rank{1} << exchange.dimension);
    for_moving(exchange, neighbour, array_.size(), [&](std::uint64_t first, std::uint64_t count) {
      if (number + count <= received.size()) std::copy_n(words + number, count, array + (first ^ exchange.flips));
      number += count;
    });
    if (number != received.size()) throw std::logic_error("a message has other words than are due");
  }

  void apply(const AddressExchanges::Reorder& reorder, unsigned local_bits) {
    Block reordered(array_.size());
    Word* const to = reordered.data();
    const Word* const from = std::as_const(array_).data();
    std::uint64_t index = 0;
    std::uint64_t new_index = 0;
    for (Rank left = rank_; left != 0; left &= left - 1) {
      new_index ^= reorder.columns[local_bits + static_cast<unsigned>(std::countr_zero(left))];
    }
    // From index to index in Gray code, so that one bit changes at a time.
    for (std::uint64_t number = 0;;) {
      to[new_index] = from[index];
      if (++number == array_.size()) break;
      const auto bit = static_cast<unsigned>(std::countr_zero(number));
      index ^= std::uint64_t{1} << bit;
      new_index ^= reorder.columns[bit];
    }
    array_ = std::move(reordered);
  }

 private:
  Rank rank_;
  Block& array_;
};

Process exchange_addresses(Processor<ExchangedWords>& self, const AddressExchanges& exchanges, Block& array) {
  const Rank rank = self.rank();
  const std::uint64_t size = array.size();
  ArrayOf own(rank, array);
  Cycle step = 0;  // in which the next message leaves
  self.hold(size);
  for (const AddressExchanges::Operation& operation : exchanges.operations()) {
    if (const auto* reorder = std::get_if<AddressExchanges::Reorder>(&operation)) {
      own.apply(*reorder, exchanges.local_bits());
      if (reorder->copying == Copying::charged) self.charge(size);
    } else if (const auto* exchange = std::get_if<AddressExchanges::AddressExchange>(&operation)) {
      ExchangedWords sent = own.taken(*exchange);
      const bool waits = exchanges.takes_turns() && (rank >> exchange->dimension & 1U) == 0;
      step += exchanges.takes_turns() ? 2 : 1;
      if (sent.value.size() == 0) {
        co_await self.until(step);
        continue;
      }
      const std::uint64_t copied = exchange->gathering == StripGathering::copying ? sent.value.size() : 0;
      self.charge(copied);
      ExchangedWords received;
      if (waits) {
        received = co_await self.message(exchange->dimension);
        self.hold(size + words(received));
        self.send(exchange->dimension, std::move(sent));
      } else {
        self.send(exchange->dimension, std::move(sent));
        received = co_await self.message(exchange->dimension);
      }
      co_await self.until(step);  // copies of both sides then take place side by side
      own.put(*exchange, received.value);
      self.charge(copied);
    } else if (std::holds_alternative<AddressExchanges::Copy>(operation)) {
      self.charge(size);
    } else {
      const auto& [first, second, moves] = std::get<AddressExchanges::Relay>(operation);
      step += 2;
      if (is_odd(rank * size & moves)) {
        ExchangedWords sent{.value = std::move(array)};
        self.send(first, std::move(sent));
        ExchangedWords received = co_await self.message(second);
        if (received.value.size() != size) throw std::logic_error("a message has other words than are due");
        array = std::move(received.value);
      } else {
        Message<ExchangedWords> passing = co_await self.message(first);
        self.hold(size + words(passing.payload));
        self.forward(second, std::move(passing));
        co_await self.until(step);
      }
    }
  }
}

}  // namespace

// The program keeps several messages in its frame.
Wide bytes_of_exchanges(const MachineSpec& machine, const Model& model) {
  return machine_bytes<ExchangedWords>(machine, model) + Wide{machine.processors} * 8 * sizeof(Message<ExchangedWords>);
}

Report run_exchanges(const RunRequest& request, const AddressExchanges& exchanges, PerRank<Block>& arrays) {
  return run_program<ExchangedWords>(request, [&](Processor<ExchangedWords>& self) {
    return exchange_addresses(self, exchanges, arrays[self.rank()]);
  });
}

}  // namespace lockstep::matrix
