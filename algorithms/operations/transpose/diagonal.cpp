#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/piece_oracle.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/square_torus.hpp"
#include "operations/scatter/two_way.hpp"

namespace lockstep {
namespace transpose {
namespace {

using scatter::HeldBlocks;
using scatter::Reading;
using scatter::TwoWayOnLines;

// Every processor (x,y) has one block, for (y,x). First every row gathers into its processor on the diagonal, which
// then scatters down its column. Saad & Schultz 1988, section 3.5(d), (3.44) (saad-schultz-1988.md, Diagonal): two
// phases of floor(s/2) steps.
Process diagonal(Processor<Bundle>& self, const Grid& grid, HeldBlocks& held) {
  const GridAxis& columns = grid.axis(0);
  const GridAxis& rows = grid.axis(1);
  const TwoWayOnLines row(rows, columns.position(self.rank()));
  const TwoWayOnLines column(columns, rows.position(self.rank()));
  co_await scatter::follow_scatter(self, row, Reading::backwards, 0, held);
  co_await scatter::follow_scatter(self, column, Reading::forwards, row.steps(), held);
}

constexpr NumberParameter words_parameter{{"words", "words of the one block that every processor has, at least 1", "1"},
                                          &Settings::words};

void resolve_diagonal(const MachineSpec& machine, const Model&, Settings& settings) {
  const SquareTorus torus(machine);
  words_parameter.resolve(settings);
}

Prediction predict_diagonal(const MachineSpec& machine, const Model&, const Settings& settings) {
  const SquareTorus torus(machine);
  const Wide b = *settings.words;
  const Wide s = torus.side();
  const Wide h = torus.reach();
  const Wide behind = s - 1 - h;
  const Wide messages = s * (h * (h + 1) + behind * (behind + 1));  // 2 s times those of one ring
  const std::string formula = "2 s H, H = h(h+1)/2 + e(e+1)/2, h = floor(s/2), e = s-1-h";
  return {.steps = exact_count(2 * h, "2 floor(s/2)"),
          .messages = exact_count(messages, formula),
          .words = exact_count(messages * b, "b M, M = " + formula),
          .longest_sum = exact_count(2 * h * b, "2 floor(s/2) b"),
          .message_words = *settings.words};
}

LowerBound lower_bound_diagonal(const MachineSpec&, const Model&, const Settings&) { return {}; }

// A processor makes room for the blocks of its row as they come: for short ones, 192 words from the ninth on.
std::uint64_t bytes_diagonal(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide k = machine.processors;
  const Wide room = *settings.words <= Bundle::most_short ? 192 * sizeof(Word) : 0;
  return saturated(machine_bytes<Bundle>(machine, model) + k * room +
                   k * (sizeof(HeldBlocks) + Bundle::bytes(6, 0) + 6 * Wide{Bundle::bytes_in_place(*settings.words)} +
                        Bundle::bytes_elsewhere(*settings.words)));
}

Outcome run_diagonal(const RunRequest& request) {
  const SquareTorus torus(request.machine);
  const Grid grid(request.machine);
  const std::uint64_t b = *request.settings.words;
  const auto mirrored = [&](Rank rank) { return torus.rank(torus.y(rank), torus.x(rank)); };
  const auto block = [&](Rank origin, Rank destination) {
    return generated_block(request.settings.seed, origin, destination, b);
  };
  PerRank<HeldBlocks> held(request);
  for_all_ranks(request, [&](Rank rank) {
    const Block own = block(rank, mirrored(rank));
    held[rank].pieces.add({rank, mirrored(rank), 0, own.words()});
    held[rank].words = b;
  });
  Outcome outcome;
  outcome.report =
      run_program<Bundle>(request, [&](Processor<Bundle>& self) { return diagonal(self, grid, held[self.rank()]); });
  const auto start = std::chrono::steady_clock::now();
  const PieceOracle oracle(block);
  const auto judge = [&](Rank rank) {
    const BlockLabels labels{mirrored(rank), rank};
    return oracle.judge(rank, held[rank].pieces.pieces(), {&labels, 1});
  };
  verify_ranks(request, start, judge, outcome);
  return outcome;
}

}  // namespace
}  // namespace transpose

extern const Method transpose_diagonal_method{
    .name = "transpose/diagonal",
    .operation = "transpose",
    .known_as = "transposition",
    .mapping = "of blocks",
    .families = {"torus"},
    .source = "Saad & Schultz 1988, section 3.5(d) (saad-schultz-1988.md, Diagonal)",
    .summary = "every row gathers into its processor on the diagonal, which scatters down its column (square tori)",
    .parameters = {transpose::words_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = transpose::resolve_diagonal,
    .predict = transpose::predict_diagonal,
    .proven = transpose::lower_bound_diagonal,
    .bytes = transpose::bytes_diagonal,
    .run = transpose::run_diagonal,
};

}  // namespace lockstep
