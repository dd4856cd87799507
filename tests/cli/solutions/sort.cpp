#include "lockstep/algorithms/operation/sort.hpp"

#include <algorithm>

#include "solutions.hpp"

namespace lockstep::solutions {
namespace {

using Keys = std::vector<sort::NumberKey>;
using Records = sort::Records<sort::NumberKey>;

/// The lower or the upper half of both, in order.
Keys half_of(const Keys& one, const Keys& other, bool lower) {
  Keys all = one;
  all.insert(all.end(), other.begin(), other.end());
  std::ranges::sort(all);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(one.size());
  return lower ? Keys(all.begin(), middle) : Keys(middle, all.end());
}

// Batcher's bitonic sort: subcubes of twice the size after every stage, every second of them downwards.
Process bitonic(Processor<Records>& self, Keys& own) {
  std::ranges::sort(own);
  for (Port stage = 0; stage < self.ports(); ++stage) {
    const bool downwards = (self.rank() >> stage >> 1 & 1) == 1;
    for (Port step = 0; step <= stage; ++step) {
      const Port port = stage - step;
      const bool is_upper = (self.rank() >> port & 1) == 1;
      Records records{.value = own};
      Message<Records> message = co_await self.exchange(port, records);
      own = half_of(own, message.payload.value, is_upper == downwards);
    }
  }
}

// All records go to rank 0 along a path, and return sorted.
Process at_one_processor(Processor<Records>& self, Keys& own) {
  const GrayPath path(self.rank());
  const std::size_t size = own.size();
  const bool is_last = path.position + 1 == self.processors();
  Keys all = own;
  if (!is_last) {
    Message<Records> message = co_await self.message(path.to_next());
    all.insert(all.end(), message.payload.value.begin(), message.payload.value.end());
  }
  if (path.position > 0) {
    self.send(path.to_previous(), sort::records(all));
    Message<Records> message = co_await self.message(path.to_previous());
    all = message.payload.value;
  } else {
    std::ranges::sort(all);
    Keys in_order_of_path;
    for (Rank position = 0; position < self.processors(); ++position) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>((position ^ position >> 1) * size);
      in_order_of_path.insert(in_order_of_path.end(), first, first + static_cast<std::ptrdiff_t>(size));
    }
    all = in_order_of_path;
  }
  const auto rest = all.begin() + static_cast<std::ptrdiff_t>(size);
  own = Keys(all.begin(), rest);
  if (!is_last) self.send(path.to_next(), sort::records(Keys(rest, all.end())));
}

// Every stage sorts upwards everywhere.
Process upwards_only(Processor<Records>& self, Keys& own) {
  std::ranges::sort(own);
  for (Port stage = 0; stage < self.ports(); ++stage) {
    for (Port step = 0; step <= stage; ++step) {
      const Port port = stage - step;
      Records records{.value = own};
      Message<Records> message = co_await self.exchange(port, records);
      own = half_of(own, message.payload.value, (self.rank() >> port & 1) == 0);
    }
  }
}

Process unwritten(Processor<Records>&, Keys&) { co_return; }

}  // namespace

std::vector<Method> sorts() {
  return {sort::own_method<bitonic>("sort/right", {"hypercube"}),
          sort::own_method<at_one_processor>("sort/slow", {"hypercube"}),
          sort::own_method<upwards_only>("sort/wrong", {"hypercube"}),
          sort::own_method<unwritten>("sort/unwritten", {"hypercube"})};
}

}  // namespace lockstep::solutions
