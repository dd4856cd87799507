// The unit of .ci/budget: compiling this once, in the same run, costs 1. It uses parts of the standard library that
// compile slowly, and none of our sources.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>

int main() {
  std::map<std::string, std::vector<std::function<int(int)>>> functions;
  const std::regex word("([a-z]+)=([0-9]+)");
  std::string line;
  while (std::getline(std::cin, line)) {
    for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at) {
      functions[(*at)[1]].push_back([by = std::stoi((*at)[2])](int value) { return value * by; });
    }
  }
  for (auto& [name, chain] : functions) {
    std::ranges::sort(chain, {}, [](const auto& function) { return function(1); });
    int value = 1;
    for (const auto& function : chain) value = function(value);
    std::cout << name << ' ' << value << '\n';
  }
}
