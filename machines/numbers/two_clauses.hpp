#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace lockstep {

/// Conditions on variables that are true or false, each of which says that one thing implies another. Whether they can
/// all hold is decided in time proportional to their number (Aspvall, Plass and Tarjan).
class TwoClauses {
 public:
  /// That a variable is true, or that it is not.
  struct Literal {
    std::size_t variable;
    bool is_true;

    Literal operator!() const { return {variable, !is_true}; }
  };

  /// A variable more.
  std::size_t add() { return variables_++; }

  /// If `cause` holds, `effect` does.
  void imply(Literal cause, Literal effect) {
    arcs_.emplace_back(node(cause), node(effect));
    arcs_.emplace_back(node(!effect), node(!cause));
  }
  /// The literal holds.
  void require(Literal literal) { arcs_.emplace_back(node(!literal), node(literal)); }
  /// At most one of these literals holds.
  void at_most_one(const std::vector<Literal>& literals);

  /// Whether some values of the variables meet all conditions.
  bool can_hold() const;

 private:
  static std::size_t node(Literal literal) { return 2 * literal.variable + (literal.is_true ? 1 : 0); }

  std::size_t variables_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> arcs_;
};

}  // namespace lockstep
