#include "demo_picture.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "host/canvas.hpp"
#include "host/terminal.hpp"
#include "lockstep/core/observer.hpp"
#include "machine/machine_drawing.hpp"

namespace lockstep::cli::learn {
namespace {

/// More do not fit on a screen.
constexpr std::uint64_t most_processors_drawn = 128;

using DrawnMoves = std::set<std::pair<Rank, Rank>>;

int sign(int number) { return (number > 0) - (number < 0); }

/// The character of a line that enters from one side and leaves to another; a direction is a step of one line, one
/// column or both.
std::string_view line_letter(host::Spot in, host::Spot out, bool is_heavy) {
  if (in.x != 0 && in.y != 0) return in.x == in.y ? "╲" : "╱";
  if (in == out) return in.x != 0 ? (is_heavy ? "━" : "─") : (is_heavy ? "┃" : "│");
  const bool from_left = in.x > 0 || out.x < 0;   // one of its arms goes left
  const bool from_above = in.y > 0 || out.y < 0;  // the other goes up
  if (from_above) return from_left ? (is_heavy ? "┛" : "┘") : (is_heavy ? "┗" : "└");
  return from_left ? (is_heavy ? "┓" : "┐") : (is_heavy ? "┏" : "┌");
}

std::string_view arrow(host::Spot way) {
  static constexpr std::array<std::array<std::string_view, 3>, 3> arrows{
      {{"↖", "▲", "↗"}, {"◀", "", "▶"}, {"↙", "▼", "↘"}}};
  const int row = way.y + 1;
  const int column = way.x + 1;
  return arrows.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column));
}

struct PathStep {
  host::Spot at;
  host::Spot in, out;  // the directions into it and out of it
};

using Labels = std::vector<std::string>;

/// The start of a label with that middle.
host::Spot start_of(const std::string& label, host::Spot middle) {
  return {middle.x - (static_cast<int>(host::columns(label)) - 1) / 2, middle.y};
}

/// The characters of a line, without those that belong to the labels at its ends and a space around them.
std::vector<PathStep> steps_of(const machine::Strand& strand, const machine::MachineDrawing& drawing,
                               const Labels& labels) {
  std::vector<PathStep> steps{{strand.corners.front(), {}, {}}};
  for (std::size_t corner = 1; corner < strand.corners.size(); ++corner) {
    const host::Spot to = strand.corners[corner];
    while (steps.back().at != to) {
      const host::Spot at = steps.back().at;
      const host::Spot way{sign(to.x - at.x), sign(to.y - at.y)};
      steps.back().out = way;
      steps.push_back({{at.x + way.x, at.y + way.y}, way, way});
    }
  }
  const auto is_label = [&](Rank rank, host::Spot at) {
    const host::Spot start = start_of(labels[rank], drawing.places[rank]);
    return at.y == start.y && at.x >= start.x - 1 && at.x <= start.x + static_cast<int>(host::columns(labels[rank]));
  };
  std::erase_if(steps, [&](const PathStep& step) {
    return is_label(strand.near, step.at) || (!strand.leaves && is_label(strand.far, step.at));
  });
  return steps;
}

/// Adds an arrow where a message arrives or leaves the picture.
void draw(const machine::Strand& strand, const machine::MachineDrawing& drawing, const Labels& labels,
          const DrawnMoves& moves, host::Canvas& canvas) {
  const bool goes = moves.contains({strand.near, strand.far});
  const bool comes = moves.contains({strand.far, strand.near});
  const std::vector<PathStep> steps = steps_of(strand, drawing, labels);
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const auto& [at, in, out] = steps[index];
    const host::Spot back{-in.x, -in.y};
    const bool is_slanted = in.x != 0 && in.y != 0;
    const bool is_single = steps.size() == 1;
    // No heavy diagonal line characters exist, so arrows form these lines.
    const bool goes_here = goes && (is_slanted ? !comes || 2 * index >= steps.size() : index + 1 == steps.size());
    const bool comes_here = comes && (is_slanted ? !goes || 2 * index < steps.size() : index == 0);
    std::string_view letter = line_letter(in, out, goes || comes);
    if (goes_here) letter = arrow(out);
    if (comes_here) letter = arrow(back);
    if (goes && comes && is_single) letter = in.x != 0 ? "↔" : "↕";
    canvas.put(at, letter);
  }
}

std::string picture_of(const machine::MachineDrawing& drawing, const DrawnMoves& moves, const Labels& labels,
                       const machine::Room& room) {
  host::Canvas canvas;
  for (const bool are_active : {false, true}) {
    for (const machine::Strand& strand : drawing.strands) {
      const bool is_active = moves.contains({strand.near, strand.far}) || moves.contains({strand.far, strand.near});
      if (is_active == are_active) draw(strand, drawing, labels, moves, canvas);
    }
  }
  for (std::size_t rank = 0; rank < labels.size(); ++rank) {
    canvas.write(start_of(labels[rank], drawing.places[rank]), labels[rank]);
  }
  return canvas.text(static_cast<std::size_t>(room.width));
}

/// The text centred in that many columns; an odd space goes after it.
std::string centred(std::string_view text, std::size_t width) {
  const std::size_t free = width - std::min(width, host::columns(text));
  return std::string(free / 2, ' ') + std::string(text) + std::string(free - free / 2, ' ');
}

/// The shared medium, with half of the processors above and half below it if they do not fit on one line.
class MediumPicture {
 public:
  MediumPicture(const MachineSpec& spec, const DrawnMoves& moves, const Labels& labels, const machine::Room& room)
      : spec_(spec), moves_(moves), labels_(labels), room_(room) {
    const int in_a_line = (room.width - 4 + room.gap) / room.pitch();
    above_ = static_cast<int>(labels.size());
    if (above_ > in_a_line) above_ = (above_ + 1) / 2;
    right_ = (above_ - 1) * room.pitch() + room.label + 2;
  }

  std::string text() {
    const int bottom = spec_.medium->kind == MediumKind::bus ? draw_bus() : draw_box();
    for (int rank = 0; rank < static_cast<int>(labels_.size()); ++rank) {
      const host::Spot place = place_of(rank, bottom);
      const bool is_above = rank < above_;
      const std::string& label = labels_[static_cast<std::size_t>(rank)];
      canvas_.write(start_of(label, place), label);
      const auto [sends, receives] = part_of(static_cast<Rank>(rank));
      const bool goes_down = is_above ? sends : receives;
      const bool goes_up = is_above ? receives : sends;
      canvas_.put({place.x, place.y + (is_above ? 1 : -1)},
                  goes_down && goes_up ? "↕" : (goes_down ? "▼" : (goes_up ? "▲" : "│")));
    }
    return canvas_.text(static_cast<std::size_t>(room_.width));
  }

 private:
  std::pair<bool, bool> part_of(Rank rank) const {
    const auto sends = [&](const auto& move) { return move.first == rank; };
    const auto receives = [&](const auto& move) { return move.second == rank; };
    return {std::ranges::any_of(moves_, sends), std::ranges::any_of(moves_, receives)};
  }

  host::Spot place_of(int rank, int bottom) const {
    const bool is_above = rank < above_;
    return {(is_above ? rank : rank - above_) * room_.pitch() + room_.before() + 2, is_above ? 0 : bottom + 2};
  }

  /// Heavy between the outermost processors that take part.
  int draw_bus() {
    int first = std::numeric_limits<int>::max();
    int last = -1;
    for (int rank = 0; rank < static_cast<int>(labels_.size()); ++rank) {
      const int x = place_of(rank, 2).x;
      const auto [sends, receives] = part_of(static_cast<Rank>(rank));
      if (!sends && !receives) continue;
      first = std::min(first, x);
      last = std::max(last, x);
    }
    for (int x = 0; x <= right_ + 1; ++x) canvas_.put({x, 2}, x >= first && x <= last ? "━" : "═");
    return 2;
  }

  /// A box with what passes through it, else with its name.
  int draw_box() {
    std::vector<std::string> lines{""};
    for (const auto& [from, to] : moves_) {
      if (from == memory_rank || to == memory_rank) continue;
      const std::string pair = std::to_string(from) + "→" + std::to_string(to);
      const std::size_t breadth = host::columns(lines.back()) + 2 + host::columns(pair);
      if (!lines.back().empty() && breadth > static_cast<std::size_t>(right_)) lines.emplace_back();
      lines.back() += (lines.back().empty() ? "" : "  ") + pair;
    }
    if (lines.front().empty()) lines.front() = spec_.medium->kind == MediumKind::memory ? "memory" : spec_.family;
    const auto inside = static_cast<std::size_t>(right_);
    draw_edge(2, "┌", "┐");
    int y = 3;
    for (const std::string& line : lines) canvas_.write({0, y++}, "│" + centred(line, inside) + "│");
    draw_edge(y, "└", "┘");
    return y;
  }

  void draw_edge(int y, std::string_view left, std::string_view right) {
    for (int x = 1; x <= right_; ++x) canvas_.put({x, y}, "─");
    canvas_.put({0, y}, left);
    canvas_.put({right_ + 1, y}, right);
  }

  const MachineSpec& spec_;
  const DrawnMoves& moves_;
  const Labels& labels_;
  machine::Room room_;
  int above_ = 0;  // processors above it
  int right_ = 0;  // columns inside a box
  host::Canvas canvas_;
};

}  // namespace

std::string machine_picture(const MachineSpec& spec, std::span<const PictureLink> active,
                            std::span<const std::string> labels, std::size_t width) {
  if (spec.processors > most_processors_drawn) return "";
  Labels shown(labels.begin(), labels.end());
  for (std::size_t rank = shown.size(); rank < spec.processors; ++rank) shown.push_back(std::to_string(rank));
  DrawnMoves moves;
  for (const auto& [from, to] : active) moves.emplace(from, to);
  machine::Room room{.width = static_cast<int>(width)};
  for (const std::string& label : shown) room.label = std::max(room.label, static_cast<int>(host::columns(label)));
  for (const int gap : {5, 3}) {
    room.gap = gap;
    std::string picture;
    if (spec.medium) {
      picture = MediumPicture(spec, moves, shown, room).text();
    } else if (const std::optional<machine::MachineDrawing> drawing = machine::drawing_of(spec, room)) {
      picture = picture_of(*drawing, moves, shown, room);
    }
    if (!picture.empty()) return picture;
  }
  return "";
}

}  // namespace lockstep::cli::learn
