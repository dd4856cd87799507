#include "edge_colouring.hpp"

#include <algorithm>
#include <unordered_map>

namespace lockstep::turns {
namespace {

constexpr Rank none = no_rank;

// Parts are edges between jobs and resources, steps their colours. Each edge in turn gets the first colour a that is
// free at its job. If a is taken at the resource and b is free there, the path that leaves the resource over edges of
// the colours a, b, a, .. has these two swapped first, which frees a at the resource. The path does not end at the job:
// it would reach it over an edge of the colour a, and the job has none.
class Colouring {
 public:
  Colouring(Rank jobs, Rank resources, const std::vector<JobPart>& parts)
      : jobs_(jobs), parts_(parts), colour_of_(parts.size(), none), first_free_(std::size_t{jobs} + resources) {}

  std::vector<Rank> run() {
    for (Rank part = 0; part < parts_.size(); ++part) {
      const Rank a = free_at(job_of(part));
      if (at(resource_of(part), a) != none) exchange(resource_of(part), a, free_at(resource_of(part)));
      give(part, a);
    }
    return std::move(colour_of_);
  }

 private:
  // Jobs and resources are numbered together.
  std::size_t job_of(Rank part) const { return parts_[part].job; }
  std::size_t resource_of(Rank part) const { return std::size_t{jobs_} + parts_[part].resource; }

  std::uint64_t key(std::size_t end, Rank colour) const { return std::uint64_t{colour} * first_free_.size() + end; }
  /// The part of that colour that the end has.
  Rank at(std::size_t end, Rank colour) const {
    const auto found = part_at_.find(key(end, colour));
    return found == part_at_.end() ? none : found->second;
  }
  Rank free_at(std::size_t end) {
    while (at(end, first_free_[end]) != none) ++first_free_[end];
    return first_free_[end];
  }

  void exchange(std::size_t resource, Rank a, Rank b) {
    std::vector<Rank> path;
    for (Rank part = at(resource, a); part != none;) {
      path.push_back(part);
      part = path.size() % 2 == 1 ? at(job_of(part), b) : at(resource_of(part), a);
    }
    for (const Rank part : path) {
      for (const std::size_t end : {job_of(part), resource_of(part)}) {
        part_at_.erase(key(end, colour_of_[part]));
        first_free_[end] = std::min(first_free_[end], colour_of_[part]);
      }
    }
    for (const Rank part : path) give(part, colour_of_[part] == a ? b : a);
  }

  void give(Rank part, Rank colour) {
    colour_of_[part] = colour;
    for (const std::size_t end : {job_of(part), resource_of(part)}) part_at_[key(end, colour)] = part;
  }

  Rank jobs_;
  const std::vector<JobPart>& parts_;
  std::vector<Rank> colour_of_;                      // of a part
  std::vector<Rank> first_free_;                     // by end: no colour below is free there
  std::unordered_map<std::uint64_t, Rank> part_at_;  // by end and colour
};

}  // namespace

Rank busiest_end(Rank jobs, Rank resources, const std::vector<JobPart>& parts) {
  std::vector<Rank> of_job(jobs);
  std::vector<Rank> of_resource(resources);
  Rank most = 0;
  for (const auto& [job, resource] : parts) most = std::max({most, ++of_job[job], ++of_resource[resource]});
  return most;
}

std::vector<Rank> steps_of_parts(Rank jobs, Rank resources, const std::vector<JobPart>& parts) {
  return Colouring(jobs, resources, parts).run();
}

}  // namespace lockstep::turns
