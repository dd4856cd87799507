#include "network.hpp"

namespace lockstep::sort {

void append_merge(SortingNetwork& network, Port dimensions, Rank descending) {
  for (Port dimension = dimensions; dimension-- > 0;) network.push_back({dimension, descending});
}

SortingNetwork bitonic_sort(Port dimensions, Rank descending) {
  SortingNetwork network;
  for (Port stage = 1; stage < dimensions; ++stage) append_merge(network, stage, Rank{1} << stage);
  append_merge(network, dimensions, descending);
  return network;
}

}  // namespace lockstep::sort
