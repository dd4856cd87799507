#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace lockstep {

/// Implications between Boolean variables and their negations. Whether all can hold is decided in time proportional to
/// their number (Aspvall, Plass and Tarjan).
class TwoClauses {
 public:
  /// A variable or its negation.
  struct Literal {
    std::size_t variable;
    bool is_true;

    Literal operator!() const { return {variable, !is_true}; }
  };

  /// Adds a variable.
  std::size_t add() { return variables_++; }

  /// Requires: if `cause` holds, `effect` holds.
  void imply(Literal cause, Literal effect) {
    arcs_.emplace_back(node(cause), node(effect));
    arcs_.emplace_back(node(!effect), node(!cause));
  }
  /// Requires that the literal holds.
  void require(Literal literal) { arcs_.emplace_back(node(!literal), node(literal)); }
  /// Requires that at most one of these literals holds.
  void at_most_one(const std::vector<Literal>& literals);

  /// Whether some assignment of the variables meets all conditions.
  bool can_hold() const;

 private:
  static std::size_t node(Literal literal) { return 2 * literal.variable + (literal.is_true ? 1 : 0); }

  std::size_t variables_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> arcs_;
};

}  // namespace lockstep
