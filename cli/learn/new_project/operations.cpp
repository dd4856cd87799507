#include "learn/new_project.hpp"

namespace lockstep::cli::learn {

const std::vector<ProjectOperation>& project_operations() {
  static const std::vector<ProjectOperation> operations{
      {.name = "broadcast",
       .phrase = "a broadcast",
       .include = "broadcast",
       .entry = "broadcast::own_method",
       .payload = "Block",
       .parameters = "Rank root, Block& item",
       .at_first = "item has --words words at the root, and none at the others",
       .in_the_end = "item is the root's at all of them",
       .verbs = R"(
//   self.send(port, item);                                a copy of it
//   item = (co_await self.message(port)).payload;)"},
      {.name = "reduce",
       .phrase = "a reduction",
       .include = "reduce",
       .entry = "reduce::own_method",
       .payload = "Block",
       .parameters = "const operands::NumberValues& values, Rank root, Block& own",
       .at_first = "own is this processor's value, --words numbers",
       .in_the_end = "own is all values combined, in the order of the ranks, at the root; arbitrary at the others",
       .verbs = R"(
//   self.send(port, own);                                 a copy of it
//   Message<Block> message = co_await self.message(port);
//   values.combine(own, message.payload);                 own becomes own + message.payload, or another --operator
//   values.combine(message.payload, own);                 message.payload becomes message.payload + own)"},
      {.name = "scan",
       .phrase = "a scan",
       .include = "scan",
       .entry = "scan::own_method",
       .payload = "Block",
       .parameters = "const operands::NumberValues& values, Block& own",
       .at_first = "own is this processor's value, --words numbers",
       .in_the_end = "own is the values of ranks 0, 1, .. up to this one combined, in that order",
       .verbs = R"(
//   self.send(port, own);                                 a copy of it
//   Message<Block> message = co_await self.message(port);
//   values.combine(own, message.payload);                 own becomes own + message.payload, or another --operator
//   values.combine(message.payload, own);                 message.payload becomes message.payload + own)"},
      {.name = "gather",
       .phrase = "a gather",
       .include = "scatter",
       .entry = "scatter::own_gather",
       .payload = "Bundle",
       .parameters = "Rank root, Bundle& held",
       .at_first = "held has the block that this processor has for the root",
       .in_the_end = "held has the blocks of all at the root, and nothing at the others",
       .verbs = R"(
//   self.send(port, held.take([](const Piece&) { return true; }));      all blocks here
//   held.add((co_await self.message(port)).payload);
//   for (const Piece& piece : held)                       piece.origin is the rank whose block it is)"},
      {.name = "scatter",
       .phrase = "a scatter",
       .include = "scatter",
       .entry = "scatter::own_method",
       .payload = "Bundle",
       .parameters = "Rank root, Bundle& held",
       .at_first = "held has a block for every processor at the root, and nothing at the others",
       .in_the_end = "held has the block for this processor, and nothing else",
       .verbs = R"(
//   self.send(port, held.take([&](const Piece& piece) { return piece.destination != self.rank(); }));
//                                                         the blocks for which that is true leave
//   held.add((co_await self.message(port)).payload);)"},
      {.name = "allgather",
       .phrase = "an allgather",
       .include = "collection",
       .entry = "allgather::own_method",
       .payload = "Bundle",
       .parameters = "allgather::Collection& held",
       .at_first = "held has this processor's own block",
       .in_the_end = "held has the blocks of all processors, each once",
       .verbs = R"(
//   self.send(port, Bundle(held.piece(source)));          the block of that rank; held.has(source): whether it is here
//   Bundle some; some.add(held.piece(source)); ..         several blocks as one message: self.send(port, some);
//   held.add((co_await self.message(port)).payload);)"},
      {.name = "alltoall",
       .phrase = "a total exchange",
       .include = "alltoall",
       .entry = "alltoall::own_method",
       .payload = "Bundle",
       .parameters = "Bundle& held",
       .at_first = "held has a block for every other processor",
       .in_the_end = "held has the block that every other processor had for this one, and nothing else",
       .verbs = R"(
//   self.send(port, held.take([&](const Piece& piece) { return piece.destination == there; }));
//                                                         the blocks for which that is true leave, as one message
//   held.add((co_await self.message(port)).payload);      piece.origin is the rank whose block it is)"},
      {.name = "transpose",
       .phrase = "a transposition",
       .include = "transpose",
       .entry = "transpose::own_method",
       .payload = "Bundle",
       .parameters = "Bundle& held",
       .at_first = "held has, of this processor's rows of a matrix, the block of columns for every other processor",
       .in_the_end = "held has the block that every other processor had for this one: columns, which are rows then",
       .verbs = R"(
//   self.send(port, held.take([&](const Piece& piece) { return piece.destination == there; }));
//                                                         the blocks for which that is true leave, as one message
//   held.add((co_await self.message(port)).payload);      piece.origin is the rank whose block it is)",
       .is_for_powers_of_two = true},
      {.name = "sort",
       .phrase = "a sort",
       .include = "sort",
       .entry = "sort::own_method",
       .payload = "sort::Records<sort::NumberKey>",
       .parameters = "std::vector<sort::NumberKey>& own",
       .at_first = "own has --words records, in any order",
       .in_the_end = "own has as many; those of ranks 0, 1, 2, .. in a row ascend",
       .verbs = R"(
//   std::ranges::sort(own);                               with #include <algorithm>
//   self.send(port, sort::records(own));                  a copy of them
//   std::vector<sort::NumberKey> other = (co_await self.message(port)).payload.value;)"},
      {.name = "barrier",
       .phrase = "a barrier",
       .include = "barrier",
       .entry = "barrier::own_method",
       .payload = "LabelledBlock",
       .parameters = "LabelledBlock& token",
       .at_first = "token records that this processor has arrived",
       .in_the_end = "token records the arrival of every processor, each once; then the program may end",
       .verbs = R"(
//   self.send(port, token);                               a copy of it
//   Message<LabelledBlock> message = co_await self.message(port);
//   barrier::take_in(token, message.payload);             adds the arrivals that the other token records
//   token = message.payload;                              or replaces it by the other)"}};
  return operations;
}

}  // namespace lockstep::cli::learn
