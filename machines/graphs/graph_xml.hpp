#pragma once

#include <cstddef>
#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "lockstep/machines/graph.hpp"

namespace lockstep {

/// An XML file that holds a graph, with the places of its elements. The text must outlive this object.
class GraphXml {
 public:
  /// Throws std::invalid_argument if the text is not XML, or if parsing it could take more memory than there is.
  explicit GraphXml(const std::string& text);

  pugi::xml_node root() const { return document_.document_element(); }
  /// Where the element begins: "line 3".
  std::string place(const pugi::xml_node& element) const;

 private:
  std::uint64_t line_at(std::ptrdiff_t offset) const;

  const std::string& text_;
  pugi::xml_document document_;
};

/// The element's name without the prefix of a namespace.
inline std::string_view name_of(const pugi::xml_node& element) {
  const std::string_view name = element.name();
  return name.substr(name.find(':') + 1);  // npos + 1 is 0
}

/// The GPUs of a topology as NCCL and RCCL write it (NCCL_TOPO_DUMP_FILE), joined by NVLinks or XGMIs. Throws
/// std::invalid_argument with one line: what is wrong with the file, and where.
Graph read_nccl_topology(const GraphXml& file);

}  // namespace lockstep
