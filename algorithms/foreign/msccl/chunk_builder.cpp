#include "chunk_builder.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "lockstep/machines/input_error.hpp"

namespace lockstep::msccl {

std::uint32_t ChunkBuilder::number_of(const ChunkSum& sum, Sums& numbers, std::vector<ChunkSum>& sums) {
  const auto [found, is_new] = numbers.try_emplace(sum, static_cast<std::uint32_t>(sums.size()));
  if (is_new) sums.push_back(sum);
  return found->second;
}

std::uint32_t ChunkBuilder::add_value(std::uint32_t sum, std::uint32_t chunk) {
  const auto value = static_cast<std::uint32_t>(values_.size());
  values_.push_back({.sum = sum});
  if (held_.try_emplace(sum, value).second) of_chunk_[chunk].push_back(value);
  return value;
}

void ChunkBuilder::begin(std::uint32_t place, std::uint32_t sum) {
  const std::uint32_t value = add_value(sum, sums_[sum].front().chunk);
  values_[value].is_made = true;
  set(value, place);
}

std::vector<std::uint32_t> ChunkBuilder::received(const std::vector<std::uint32_t>& sums) {
  std::vector<std::uint32_t> values;
  for (const std::uint32_t sum : sums) values.push_back(add_value(sum, sums_[sum].front().chunk));
  return values;
}

std::vector<std::uint32_t> ChunkBuilder::used(const std::vector<std::uint32_t>& sums, Event event) {
  std::vector<std::uint32_t> values;
  for (const std::uint32_t sum : sums) {
    values.push_back(obtain(sum, event));
    values_[values.back()].uses.push_back({event, nowhere});
  }
  return values;
}

void ChunkBuilder::demand(std::uint32_t place, std::uint32_t sum) {
  const std::uint32_t value = obtain(sum, at_the_end);
  values_[value].uses.push_back({at_the_end, nowhere});
  values_[value].demanded.push_back(place);
  demands_[place] = value;
}

/// Finds disjoint values that together are the wanted sum, large ones first.
bool ChunkBuilder::cover(const ChunkSum& wanted, const std::vector<std::uint32_t>& candidates, std::size_t next,
                         std::vector<std::uint32_t>& chosen, std::uint64_t& tries) const {
  if (wanted.empty()) return true;
  constexpr std::uint64_t most_tries = 100'000;
  for (; next < candidates.size() && ++tries < most_tries; ++next) {
    const ChunkSum& sum = sums_[values_[candidates[next]].sum];
    if (!std::includes(wanted.begin(), wanted.end(), sum.begin(), sum.end())) continue;
    ChunkSum rest;
    std::set_difference(wanted.begin(), wanted.end(), sum.begin(), sum.end(), std::back_inserter(rest));
    chosen.push_back(candidates[next]);
    if (cover(rest, candidates, next + 1, chosen, tries)) return true;
    chosen.pop_back();
  }
  return false;
}

std::uint32_t ChunkBuilder::obtain(std::uint32_t sum, Event event) {
  const auto found = held_.find(sum);
  if (found != held_.end()) return found->second;
  const ChunkSum wanted = sums_[sum];
  const std::uint32_t chunk = wanted.front().chunk;
  std::vector<std::uint32_t> candidates = of_chunk_[chunk];
  const auto length = [&](std::uint32_t value) { return sums_[values_[value].sum].size(); };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](std::uint32_t one, std::uint32_t other) { return length(one) > length(other); });
  std::vector<std::uint32_t> chosen;
  std::uint64_t tries = 0;
  if (!cover(wanted, candidates, 0, chosen, tries)) {
    throw InputError("processor " + std::to_string(rank_) + " needs a sum of chunk " + std::to_string(chunk) +
                     ", and found no disjoint sums among those that it holds that make it up");
  }
  std::sort(chosen.begin(), chosen.end());  // in the order received
  std::uint32_t all = chosen.front();
  for (std::size_t next = 1; next < chosen.size(); ++next) {
    const ChunkSum& one = sums_[values_[all].sum];
    const ChunkSum& other = sums_[values_[chosen[next]].sum];
    ChunkSum both;
    std::merge(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
    const std::uint32_t value = add_value(number_of(both, numbers_, sums_), chunk);
    values_[value].one = all;
    values_[value].other = chosen[next];
    for (const std::uint32_t operand : {all, chosen[next]}) values_[operand].uses.push_back({event, value});
    all = value;
  }
  return all;
}

bool ChunkBuilder::is_dead(std::uint32_t value, Event event, std::uint32_t except) const {
  return std::ranges::all_of(values_[value].uses, [&](const Use& use) {
    return use.event < event || (use.by == except && except != nowhere);
  });
}

bool ChunkBuilder::may_write(std::uint32_t place) const { return place >= own_places_ || demands_.contains(place); }

bool ChunkBuilder::is_free(std::uint32_t place, Event event, std::uint32_t except) const {
  const auto occupant = occupants_.find(place);
  return occupant == occupants_.end() || is_dead(occupant->second, event, except);
}

void ChunkBuilder::set(std::uint32_t value, std::uint32_t place) {
  values_[value].place = place;
  occupants_[place] = value;
}

std::uint32_t ChunkBuilder::scratch(std::uint32_t count) {
  const std::uint32_t first = next_place_;
  next_place_ += count;
  return first;
}

/// Whether the value can be made from what is there.
bool ChunkBuilder::can_be_made(std::uint32_t value) const {
  const Value& of = values_[value];
  return of.is_made || (of.one != nowhere && can_be_made(of.one) && can_be_made(of.other));
}

void ChunkBuilder::make(std::uint32_t value, Event event, Operations& operations) {
  if (values_[value].is_made) return;
  const std::uint32_t one = values_[value].one;
  const std::uint32_t other = values_[value].other;
  make(one, event, operations);
  make(other, event, operations);
  values_[value].is_made = true;
  const auto can_hold = [&](std::uint32_t operand) {
    return may_write(values_[operand].place) && is_dead(operand, event, value);
  };
  const auto is_demanded_at = [&](std::uint32_t place) {
    return std::ranges::find(values_[value].demanded, place) != values_[value].demanded.end();
  };
  std::uint32_t holder = nowhere;
  for (const std::uint32_t operand : {one, other}) {
    if (holder == nowhere && can_hold(operand) && is_demanded_at(values_[operand].place)) holder = operand;
  }
  for (const std::uint32_t operand : {one, other}) {
    if (holder == nowhere && can_hold(operand)) holder = operand;
  }
  if (holder != nowhere) {
    operations.push_back({ChunkVerb::reduce, values_[holder == one ? other : one].place, values_[holder].place, 1});
    return set(value, values_[holder].place);
  }
  std::uint32_t place = nowhere;
  for (const std::uint32_t demanded : values_[value].demanded) {
    if (place == nowhere && is_free(demanded, event, nowhere)) place = demanded;
  }
  if (place == nowhere) place = scratch(1);
  operations.push_back({ChunkVerb::copy, values_[one].place, place, 1});
  operations.push_back({ChunkVerb::reduce, values_[other].place, place, 1});
  set(value, place);
}

/// The first of consecutive places; `nowhere` if they are not consecutive.
std::uint32_t ChunkBuilder::run_from(const std::vector<std::uint32_t>& places) const {
  for (std::size_t next = 1; next < places.size(); ++next) {
    if (places[next] != places[next - 1] + 1 || begins_buffer(places[next])) return nowhere;
  }
  return places.front();
}

bool ChunkBuilder::begins_buffer(std::uint32_t place) const {
  return place == own_places_ || (contents_.operation == "alltoall" && place == contents_.loop_chunks());
}

/// The operations of several chunks, level by level: the first ones of all, then the second ones, and so on.
ChunkBuilder::Operations ChunkBuilder::by_levels(const std::vector<Operations>& lists) const {
  Operations all;
  bool is_more = true;
  for (std::size_t level = 0; is_more; ++level) {
    is_more = false;
    const std::size_t first = all.size();
    for (const Operations& list : lists) {
      if (list.size() <= level) continue;
      is_more = true;
      const Operation& next = list[level];
      if (all.size() > first && all.back().verb == next.verb && all.back().source + all.back().count == next.source &&
          all.back().destination + all.back().count == next.destination && !begins_buffer(next.source) &&
          !begins_buffer(next.destination)) {
        ++all.back().count;
      } else {
        all.push_back(next);
      }
    }
  }
  return all;
}

std::uint32_t ChunkBuilder::place_sent(const std::vector<std::uint32_t>& values, Event event, Operations& before) {
  std::vector<Operations> lists(values.size());
  std::vector<std::uint32_t> places;
  for (std::size_t index = 0; index < values.size(); ++index) {
    make(values[index], event, lists[index]);
    places.push_back(values_[values[index]].place);
  }
  std::uint32_t first = run_from(places);
  if (first == nowhere) {
    first = scratch(static_cast<std::uint32_t>(values.size()));
    std::uint32_t next = first;
    for (Operations& list : lists) {
      list.push_back({ChunkVerb::copy, places[next - first], next, 1});
      ++next;
    }
  }
  Operations made = by_levels(lists);
  before.insert(before.end(), made.begin(), made.end());
  return first;
}

ChunkBuilder::Operation ChunkBuilder::place_received(const std::vector<std::uint32_t>& values, Event event,
                                                     Operations& before) {
  const auto count = static_cast<std::uint32_t>(values.size());
  const auto partner = [&](std::uint32_t value) {
    const std::uint32_t sum = values_[value].uses.front().by;
    return values_[sum].one == value ? values_[sum].other : values_[sum].one;
  };
  const auto is_added_at_once = [&](std::uint32_t value) {
    const auto& uses = values_[value].uses;
    return uses.size() == 1 && uses.front().by != nowhere && !values_[uses.front().by].is_made &&
           can_be_made(partner(value)) && is_dead(partner(value), event, uses.front().by);
  };
  std::vector<std::uint32_t> places;
  if (std::ranges::all_of(values, is_added_at_once)) {
    std::vector<Operations> lists(values.size());
    for (std::size_t index = 0; index < values.size(); ++index) {
      make(partner(values[index]), event, lists[index]);
      places.push_back(values_[partner(values[index])].place);
    }
    Operations made = by_levels(lists);
    before.insert(before.end(), made.begin(), made.end());
    const std::uint32_t first = run_from(places);
    if (first != nowhere && std::ranges::all_of(places, [&](std::uint32_t place) { return may_write(place); })) {
      for (std::size_t index = 0; index < values.size(); ++index) {
        const std::uint32_t sum = values_[values[index]].uses.front().by;
        values_[values[index]].is_made = true;
        values_[sum].is_made = true;
        set(sum, places[index]);
      }
      return {ChunkVerb::receive_reduce, first, first, count};
    }
    places.clear();
  }
  for (const std::uint32_t value : values) {
    const auto& demanded = values_[value].demanded;
    const auto free = std::ranges::find_if(demanded, [&](std::uint32_t one) { return is_free(one, event, nowhere); });
    if (free != demanded.end()) places.push_back(*free);
  }
  std::uint32_t first = places.size() == values.size() ? run_from(places) : nowhere;
  if (first == nowhere) first = scratch(count);
  for (std::uint32_t index = 0; index < count; ++index) {
    values_[values[index]].is_made = true;
    set(values[index], first + index);
  }
  return {ChunkVerb::receive, first, first, count};
}

ChunkBuilder::Operations ChunkBuilder::finish() {
  std::vector<Operations> lists;
  for (const auto& [place, value] : demands_) make(value, at_the_end, lists.emplace_back());
  Operations all = by_levels(lists);
  lists.clear();
  for (const auto& [place, value] : demands_) {
    if (values_[value].place == place) continue;
    const auto occupant = occupants_.find(place);
    if (occupant != occupants_.end() && occupant->second != value) {
      for (const auto& [other, wanted] : demands_) {
        if (wanted == occupant->second && other != place) throw std::logic_error("a chunk is overwritten too early");
      }
    }
    lists.push_back({{ChunkVerb::copy, values_[value].place, place, 1}});
  }
  const Operations copies = by_levels(lists);
  all.insert(all.end(), copies.begin(), copies.end());
  return all;
}

namespace {

/// The places that the operation uses; true if it writes there.
std::map<std::uint32_t, bool> places_of(const ChunkBuilder::Operation& operation) {
  std::map<std::uint32_t, bool> places;
  for (std::uint32_t index = 0; index < operation.count; ++index) {
    if (reads_source(operation.verb)) places.try_emplace(operation.source + index, false);
    if (writes_destination(operation.verb)) places[operation.destination + index] = true;
  }
  return places;
}

}  // namespace

std::uint32_t ChunkBuilder::add_threadblock(Rank peer, std::uint32_t channel) {
  has_waited_.emplace_back();
  threadblocks.push_back({.peer = peer, .channel = channel});
  return static_cast<std::uint32_t>(threadblocks.size() - 1);
}

std::vector<ChunkWait> ChunkBuilder::waits_of(std::uint32_t threadblock, const Operation& operation) const {
  std::map<std::uint32_t, std::uint32_t> last;
  const auto wait = [&](const ChunkWait& other) {
    if (other.threadblock == threadblock) return;
    const auto& known = has_waited_[threadblock];
    const auto before = known.find(other.threadblock);
    if (before != known.end() && before->second >= other.step) return;
    auto& step = last.try_emplace(other.threadblock, other.step).first->second;
    step = std::max(step, other.step);
  };
  for (const auto& [place, is_written] : places_of(operation)) {
    const auto found = touched_.find(place);
    if (found == touched_.end()) continue;
    if (found->second.writer) wait(*found->second.writer);
    if (!is_written) continue;
    for (const ChunkWait& reader : found->second.readers) wait(reader);
  }
  std::vector<ChunkWait> waits;
  for (const auto& [other, step] : last) waits.push_back({other, step});
  return waits;
}

std::size_t ChunkBuilder::steps_of(std::uint32_t threadblock, const Operations& operations) const {
  std::size_t steps = 0;
  for (const Operation& operation : operations) {
    steps += std::max<std::size_t>(1, waits_of(threadblock, operation).size());
  }
  return steps;
}

void ChunkBuilder::append(std::uint32_t threadblock, const Operations& operations) {
  auto& steps = threadblocks[threadblock].steps;
  for (const Operation& operation : operations) {
    const std::vector<ChunkWait> waits = waits_of(threadblock, operation);
    for (std::size_t index = 0; index < waits.size(); ++index) {
      threadblocks[waits[index].threadblock].steps[waits[index].step].sets_flag = true;
      has_waited_[threadblock][waits[index].threadblock] = waits[index].step;
      if (index + 1 < waits.size()) steps.push_back({.waits = waits[index]});
    }
    steps.push_back({.verb = operation.verb,
                     .source = operation.source,
                     .destination = operation.destination,
                     .count = operation.count,
                     .waits = waits.empty() ? std::nullopt : std::optional(waits.back())});
    threadblocks[threadblock].sends |= sends_message(operation.verb);
    threadblocks[threadblock].receives |= takes_message(operation.verb);
    const ChunkWait self{threadblock, static_cast<std::uint32_t>(steps.size() - 1)};
    for (const auto& [place, is_written] : places_of(operation)) {
      Touched& touched = touched_[place];
      if (is_written) {
        touched = {self, {}};
      } else {
        touched.readers.push_back(self);
      }
    }
  }
}

}  // namespace lockstep::msccl
