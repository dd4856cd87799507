#pragma once

#include <memory>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/processor.hpp"

// Broadcasts as parts of programs.
namespace lockstep::application {

/// A broadcast that a program can do again and again, from any root: what processors send is what the method of the
/// catalogue has them send.
class Broadcasting {
 public:
  Broadcasting() = default;
  Broadcasting(const Broadcasting&) = delete;
  Broadcasting& operator=(const Broadcasting&) = delete;
  virtual ~Broadcasting() = default;

  /// Sub-program of all processors, which all start it in that cycle: the root has an item of so many words, which all
  /// have afterwards.
  virtual Process broadcast(Processor<Block>& self, Rank root, std::uint64_t words, Block& item, Cycle start) = 0;
};

/// The methods of this kind on cubes.
inline constexpr std::string_view broadcasting_methods[] = {"broadcast/sbt", "broadcast/sbt-pipelined",
                                                            "broadcast/drbt"};

/// For items of up to so many words.
std::unique_ptr<Broadcasting> make_broadcasting(const RunRequest& request, const Method& method,
                                                std::uint64_t most_words);

}  // namespace lockstep::application
