#include "graphs/graph_xml.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/core/memory.hpp"

namespace lockstep {

GraphXml::GraphXml(const std::string& text) : text_(text) {
  // The smallest element of four bytes becomes a node of a tree.
  constexpr std::uint64_t growth = 16;
  if (growth * text.size() > available_memory()) {
    throw std::invalid_argument("reading it can take " + format_bytes(growth * text.size()) +
                                ", more than is available");
  }
  const pugi::xml_parse_result parsed = document_.load_buffer(text.data(), text.size());
  if (!parsed) {
    throw std::invalid_argument("it is not XML at line " + std::to_string(line_at(parsed.offset)) + ": " +
                                parsed.description());
  }
}

std::string GraphXml::place(const pugi::xml_node& element) const {
  return "line " + std::to_string(line_at(element.offset_debug()));
}

std::uint64_t GraphXml::line_at(std::ptrdiff_t offset) const {
  const std::size_t place = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), text_.size());
  return 1 + static_cast<std::uint64_t>(
                 std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

}  // namespace lockstep
