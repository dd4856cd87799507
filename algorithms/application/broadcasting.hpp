#pragma once

#include <memory>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/processor.hpp"

// Broadcasts as parts of programs.
namespace lockstep::application {

/// A broadcast that a program can repeat from any root; processors send what the catalogue's method has them send.
class Broadcasting {
 public:
  Broadcasting() = default;
  Broadcasting(const Broadcasting&) = delete;
  Broadcasting& operator=(const Broadcasting&) = delete;
  virtual ~Broadcasting() = default;

  /// Sub-program that all processors start in cycle `start`: the root's `item` has `words` words; afterwards every
  /// processor holds it.
  virtual Process broadcast(Processor<Block>& self, Rank root, std::uint64_t words, Block& item, Cycle start) = 0;
};

/// The methods of this kind on cubes.
inline constexpr std::string_view broadcasting_methods[] = {"broadcast/sbt", "broadcast/sbt-pipelined",
                                                            "broadcast/drbt"};

/// For items of up to `most_words` words.
std::unique_ptr<Broadcasting> make_broadcasting(const RunRequest& request, const Method& method,
                                                std::uint64_t most_words);

}  // namespace lockstep::application
