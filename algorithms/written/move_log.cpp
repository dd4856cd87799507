#include "lockstep/algorithms/move_log.hpp"

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"

namespace lockstep {

MoveLog log_for(const Method& method, const Settings& settings) {
  MoveLog log;
  Task& task = log.schedule.task;
  task.operation = method.operation;
  if (has_root(task.operation)) task.root = root_of(settings);
  if (has_few(task.operation)) task.few = Rank{1} << *settings.sources;
  if (task.operation == "broadcast") log.item = {task.root, task.root};
  if (task.operation == "send") {
    log.item = {static_cast<Rank>(*settings.source), static_cast<Rank>(*settings.destination)};
  }
  log.item_words = settings.words.value_or(0);
  return log;
}

void log_blocks(const Block& block, const Move& link, MoveLog& log, std::vector<Move>& moves) {
  if (log.item.origin == no_rank) {
    log.has_unlabelled = true;
    return;
  }
  moves.push_back({link.from, link.to, log.item.origin, log.item.destination});
  log.has_parts = log.has_parts || block.size() != log.item_words;
}

void log_blocks(const LabelledBlock& labelled, const Move& link, MoveLog& log, std::vector<Move>& moves) {
  if (labelled.destination == no_rank) {
    log.has_unlabelled = true;
    return;
  }
  log.has_parts = log.has_parts || labelled.first != 0;
  const std::uint64_t blocks = log.item_words == 0 ? 1 : std::max<std::uint64_t>(1, words(labelled) / log.item_words);
  for (Rank block = 0; block < blocks; ++block) {
    const Rank differing = block == 0 ? 0 : block << labelled.number;
    moves.push_back({link.from, link.to, labelled.origin ^ differing, labelled.destination ^ differing});
  }
}

void log_blocks(const Bundle& bundle, const Move& link, MoveLog& log, std::vector<Move>& moves) {
  for (const Piece& piece : bundle) {
    moves.push_back({link.from, link.to, piece.origin, piece.destination});
    log.has_parts = log.has_parts || piece.first != 0;
  }
}

void MoveRecorder::barrier(MovingMessages& messages) {
  std::vector<Move>& moves = log_.schedule.steps.emplace_back();
  for (std::size_t index = 0; index < messages.size(); ++index) {
    const std::size_t before = moves.size();
    if (!messages.list_blocks(index, log_, moves)) log_.has_unlabelled = true;
    log_.schedule.combined = log_.schedule.combined || moves.size() > before + 1;
  }
}

}  // namespace lockstep
